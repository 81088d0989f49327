# mash_add_heuristic(NAME SOURCE...): builds NAME.so, a plugin that exports `mash_plugin` and nothing else.
#   -fno-gnu-unique: inline and template statics would otherwise be shared between plugins and pin them in memory.
#   version script: -fvisibility=hidden alone still lets the standard library's instantiations out.
#   -O2 always: some classic sources rely on the optimiser to link.
set(MASH_PLUGIN_MAP ${CMAKE_CURRENT_LIST_DIR}/mash_plugin.map)

function(mash_add_heuristic name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON LINK_DEPENDS ${MASH_PLUGIN_MAP})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> -O2)
  target_link_options(${name} PRIVATE -Wl,--version-script=${MASH_PLUGIN_MAP} -Wl,-z,defs)
  target_link_libraries(${name} PRIVATE mash-sdk::mash-sdk)
endfunction()
