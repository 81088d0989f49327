# Makes a project of a template below OUT, and its plugin in OUT/plugins: with its own test, then with the numbers that
# its first version must give. Given: MASH (the program), KIND, OUT, CXX, TEMPLATES and FIRST_VERSIONS (the
# folders of the templates and of these tests).
set(name my-${KIND})
file(REMOVE_RECURSE ${OUT}/${name})
unset(ENV{MASH_HEURISTICS})
set(ENV{CXX} ${CXX})
set(ENV{CXXFLAGS} "-Wall -Wextra -Wpedantic -Wconversion -Werror")

function(mash_heuristic)
  execute_process(COMMAND ${MASH} heuristic ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

mash_heuristic(new ${name} --from ${KIND} --dir ${OUT} --author "Ada \"Countess\" \\ Lovelace")
mash_heuristic(build ${OUT}/${name} --test)
file(GLOB own_test ${OUT}/${name}/*_test.cpp)
file(GLOB source RELATIVE ${TEMPLATES}/${KIND} ${TEMPLATES}/${KIND}/*.cpp)
string(REPLACE .cpp _test.cpp test ${source})
file(COPY_FILE ${FIRST_VERSIONS}/${test} ${own_test})
mash_heuristic(build ${OUT}/${name} --test --out ${OUT}/plugins/${name}.so)

# A test that hangs is ended.
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${OUT}/${name}/build --show-only=json-v1 OUTPUT_VARIABLE tests
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT tests MATCHES "\"TIMEOUT\"")
  message(FATAL_ERROR "the test of ${name} has no time limit: ${tests}")
endif()
