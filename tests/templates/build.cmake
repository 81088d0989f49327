# Makes a project of a template below OUT and its plugin in OUT/plugins. Given: MASH (the program), KIND, OUT, CXX.
set(name my-${KIND})
file(REMOVE_RECURSE ${OUT}/${name})
unset(ENV{MASH_HEURISTICS})
set(ENV{CXX} ${CXX})
set(ENV{CXXFLAGS} "-Wall -Wextra -Wpedantic -Wconversion -Werror")
foreach(command "new;${name};--from;${KIND};--dir;${OUT};--author;Ada \"Countess\" \\ Lovelace"
                "build;${OUT}/${name};--test;--out;${OUT}/plugins/${name}.so")
  execute_process(COMMAND ${MASH} heuristic ${command} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
