# Flags that every plugin needs, of any interface:
#   -fno-gnu-unique: inline and template statics would otherwise be shared between plugins and pin them in memory.
#   version script: -fvisibility=hidden alone still lets the standard library's instantiations out.
#   -O2 always: some classic sources rely on the optimiser to link.
function(mash_add_plugin_ name sdk)
  set(map ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/mash_plugin.map)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON LINK_DEPENDS ${map})
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> -O2)
  target_link_options(${name} PRIVATE -Wl,--version-script=${map} -Wl,-z,defs)
  target_link_libraries(${name} PRIVATE ${sdk})
endfunction()

# mash_add_heuristic(NAME SOURCE...): builds NAME.so, a plugin that exports `mash_plugin` and nothing else.
function(mash_add_heuristic name)
  mash_add_plugin_(${name} mash-sdk::mash-sdk ${ARGN})
  target_compile_features(${name} PRIVATE cxx_std_20)
endfunction()

# mash_add_classic_heuristic(NAME ID SOURCE...): builds NAME.so, the plugin of the heuristic ID ("author/name"), from
# source written for the classic MASH SDK 1.x: as GNU C++20 or, where the source is not valid there, as GNU C++98. Its data
# are in the folder `data` beside CMakeLists.txt, if there is one (MASH_DATA_DIR).
function(mash_add_classic_heuristic name id)
  mash_add_plugin_(${name} mash-sdk::classic ${ARGN})
  target_compile_definitions(${name} PRIVATE MASH_CLASSIC_ID="${id}")
  if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/data)
    target_compile_definitions(${name} PRIVATE MASH_DATA_DIR="${CMAKE_CURRENT_SOURCE_DIR}/data/")
  endif()
  mash_classic_standard_(standard ${ARGN})
  set_target_properties(${name} PROPERTIES CXX_STANDARD ${standard} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS ON)
endfunction()

# mash_add_heuristic_test(NAME HEURISTIC SOURCE...): a program that holds the very objects of the plugin HEURISTIC and is
# run by ctest; mash/testing.hpp has what it needs. The heuristic may be a classic one.
function(mash_add_heuristic_test name heuristic)
  add_executable(${name} ${ARGN} $<TARGET_OBJECTS:${heuristic}>)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE mash-sdk::mash-sdk $<TARGET_PROPERTY:${heuristic},LINK_LIBRARIES>)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 60)  # a test that hangs fails
endfunction()

# mash_classic_standard_(OUT SOURCE...): 20, or 98 where one of the sources does not compile as 20.
function(mash_classic_standard_ out)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  set(sources)
  foreach(source ${ARGN})
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND sources ${source})
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  get_property(include_dirs GLOBAL PROPERTY MASH_SDK_INCLUDE_DIRS)
  try_compile(is_modern SOURCES ${sources} CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${include_dirs}"
              CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS ON NO_CACHE)
  set(${out} 98 PARENT_SCOPE)
  if(is_modern)
    set(${out} 20 PARENT_SCOPE)
  endif()
endfunction()
