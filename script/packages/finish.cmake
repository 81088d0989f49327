# Contents of a Debian package beside the files of its component: copyright, changelog (made of CHANGELOG.md) and the settings
# file of the server, which is a configuration file there. CPack runs this once when all components lie in their folders.

# The changelog of a package, in Debian's form: the versions with a date, the newest first.
function(mash_debian_changelog package out)
  file(STRINGS ${CPACK_MASH_SOURCE}/CHANGELOG.md lines)
  set(text "")
  set(trailer "")
  set(kind "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^## \\[([0-9][^]]*)\\] - ([0-9-]+)$")
      execute_process(COMMAND date --utc --rfc-email --date=${CMAKE_MATCH_2} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
                      COMMAND_ERROR_IS_FATAL ANY)
      string(APPEND text "${trailer}${package} (${CMAKE_MATCH_1}) unstable; urgency=medium\n\n")
      set(trailer "\n -- ${contact}  ${date}\n\n")
    elseif(trailer AND line MATCHES "^### (.*)$")
      set(kind ${CMAKE_MATCH_1})
    elseif(trailer AND line MATCHES "^- (.*)$")
      string(APPEND text "  * ${kind}: ${CMAKE_MATCH_1}\n")
    elseif(trailer AND line MATCHES "^  ([^ ].*)$")
      string(APPEND text "    ${CMAKE_MATCH_1}\n")
    endif()
  endforeach()
  file(WRITE ${out}.long "${text}${trailer}")
  execute_process(COMMAND fmt --tagged-paragraph --width=78 ${out}.long OUTPUT_FILE ${out} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${out}.long)
endfunction()

set(contact ${CPACK_PACKAGE_CONTACT})
if(NOT contact MATCHES "<")
  string(APPEND contact " <>")
endif()
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} key)
  set(package ${CPACK_DEBIAN_${key}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component})
  set(documents ${root}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc/${package})
  file(REMOVE ${documents}/LICENSE)  # Debian has it in common-licenses, and the file copyright says so
  configure_file(${CPACK_MASH_SOURCE}/script/packages/copyright ${documents}/copyright COPYONLY
                 FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  mash_debian_changelog(${package} ${documents}/changelog)
  execute_process(COMMAND gzip -9nf ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
  if(component STREQUAL sdk)
    configure_file(${CPACK_MASH_SOURCE}/script/packages/sdk/lintian-overrides
                   ${root}${CPACK_PACKAGING_INSTALL_PREFIX}/share/lintian/overrides/${package} COPYONLY)
  elseif(component STREQUAL server)
    file(COPY ${CPACK_MASH_SOURCE}/server/deploy/server.yaml DESTINATION ${root}/etc/mash
         FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endif()
endforeach()
