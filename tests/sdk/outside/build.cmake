# Installs the SDK twice, as a project of its own and as MASH's component, and builds a contributor's heuristics against
# each: with the CMake package into OUT/cmake, with the compiler and pkg-config alone into OUT/bare, with Clang and
# pkg-config into OUT/clang, where there is Clang.
# Given: SDK (its source), MASH_BUILD (MASH's build folder), OUT, CXX, CLANGXX (or CLANGXX-NOTFOUND).
set(own_prefix ${OUT}/own)
set(component_prefix ${OUT}/component)
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()
file(REMOVE_RECURSE ${OUT})

run(${CMAKE_COMMAND} -S ${SDK} -B ${OUT}/sdk -DCMAKE_CXX_COMPILER=${CXX})
run(${CMAKE_COMMAND} --install ${OUT}/sdk --prefix ${own_prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${OUT}/cmake -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${own_prefix})
run(${CMAKE_COMMAND} --build ${OUT}/cmake)

run(${CMAKE_COMMAND} --install ${MASH_BUILD} --component sdk --prefix ${component_prefix})
set(ENV{PKG_CONFIG_PATH} ${component_prefix}/share/pkgconfig)
function(compile folder compiler module source)
  execute_process(COMMAND pkg-config --cflags --libs ${module} OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND ${flags})
  run(${compiler} ${flags} ${ARGN} ${CMAKE_CURRENT_LIST_DIR}/${source}.cpp -o ${OUT}/${folder}/${source}.so)
endfunction()
function(compile_all folder compiler)
  file(MAKE_DIRECTORY ${OUT}/${folder})
  compile(${folder} ${compiler} mash-sdk row_means)
  compile(${folder} ${compiler} mash-sdk-classic Box_Mean_v3)
  compile(${folder} ${compiler} mash-sdk-classic old_style -std=gnu++98 -Wno-gnu-static-float-init -DMASH_CLASSIC_ID="me/bare-old-style")
endfunction()
compile_all(bare ${CXX})
if(CLANGXX)
  compile_all(clang ${CLANGXX})
endif()
file(TOUCH ${OUT}/built)
