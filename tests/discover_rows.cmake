# cmake -DPROGRAM=FILE -DOUT=FILE -DTIMEOUT=SECONDS -P discover_rows.cmake: writes the tests of ctest for the suites with
# parameters of a GoogleTest program, one test for each suite and row: SamplerRow.laminating runs everything of SamplerRow
# that is called after laminating, in one process, so that what the suite sets up is made once.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${listed}")
set(suite "")
set(rows "")
foreach(line ${lines})
  if(line MATCHES "^([^ ]+)\\.( |$)")
    set(suite ${CMAKE_MATCH_1})
  elseif(suite MATCHES "/" AND line MATCHES "^  [^ /]+/([^ ]+)")
    list(APPEND rows "${suite}.*/${CMAKE_MATCH_1}")
  endif()
endforeach()
list(REMOVE_DUPLICATES rows)
get_filename_component(folder ${OUT} DIRECTORY)
set(tests "")
foreach(row ${rows})
  string(REGEX REPLACE "^[^/]*/(.*)\\.\\*/" "\\1." name ${row})
  string(APPEND tests "add_test(${name} ${PROGRAM} --gtest_filter=${row})\n"
         "set_tests_properties(${name} PROPERTIES WORKING_DIRECTORY \"${folder}\" TIMEOUT ${TIMEOUT})\n")
endforeach()
file(WRITE ${OUT} "${tests}")
