# The Debian packages: `cmake --workflow --preset packages`, or script/package. Each is a component of the installation.
#
#   mash           component mash     the program, its heuristics and documents
#   mash-sdk       component sdk      headers and build rules of heuristics
#   mash-server    component server   the server, its runner and their units for systemd
#   python3-mash   component python   the Python package, where Python's headers are
#
# To hand packages on, give a name and an address: cmake -DCPACK_PACKAGE_CONTACT="Name <name@place>".
if(NOT CPACK_PACKAGE_CONTACT)
  set(CPACK_PACKAGE_CONTACT "MASH developers")
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mash)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # the first line of each description below is the package's own
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_MASH_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/finish.cmake)

# A component that this machine cannot build has no package.
get_cmake_property(components COMPONENTS)
set(CPACK_COMPONENTS_ALL "")
foreach(component mash sdk server python)
  if(component IN_LIST components)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
  endif()
endforeach()

set(same_version "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MASH_PACKAGE_NAME mash)
set(CPACK_DEBIAN_MASH_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MASH_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MASH_PACKAGE_PROVIDES "mash-abi-${MASH_ABI_VERSION}")
set(CPACK_DEBIAN_MASH_PACKAGE_RECOMMENDS "mash-sdk ${same_version}, bubblewrap, ca-certificates")
set(CPACK_DEBIAN_MASH_PACKAGE_SUGGESTS mash-server)
set(CPACK_DEBIAN_MASH_DESCRIPTION "boosting over very large sets of image feature extractors
A heuristic is a feature extractor for images, compiled as a shared library.
MASH loads each as a family of features and trains boosters over all of them
together, sampling features and examples in each round. A database records
how each heuristic was used and what it contributed.

This package has the program mash and the heuristics that come with it.")

set(CPACK_DEBIAN_SDK_PACKAGE_NAME mash-sdk)
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SDK_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SDK_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_SDK_PACKAGE_DEPENDS "g++ (>= 4:12) | clang (>= 1:14)")
set(CPACK_DEBIAN_SDK_PACKAGE_RECOMMENDS "cmake (>= 3.25), make | ninja-build, pkg-config | pkgconf")
set(CPACK_DEBIAN_SDK_DESCRIPTION "write heuristics (image feature extractors) for MASH
Headers in C and C++, build rules for CMake and pkg-config, and templates to
start from. Source written for the classic MASH SDK 1.x compiles as it is.")

set(CPACK_DEBIAN_SERVER_PACKAGE_NAME mash-server)
set(CPACK_DEBIAN_SERVER_PACKAGE_SECTION web)
set(CPACK_DEBIAN_SERVER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "mash ${same_version}, mash-sdk ${same_version}, adduser, bubblewrap")
set(CPACK_DEBIAN_SERVER_PACKAGE_SUGGESTS nginx)
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/server/postinst ${CMAKE_CURRENT_LIST_DIR}/server/prerm
                                              ${CMAKE_CURRENT_LIST_DIR}/server/postrm
                                              ${CMAKE_CURRENT_LIST_DIR}/server/conffiles)
set(CPACK_DEBIAN_SERVER_DESCRIPTION "boards that rank heuristics which strangers hand in
Contributors hand in heuristics (image feature extractors) as source, by
browser or shell. They are compiled, checked and judged in boxes, and ranked
on boards with pages and an API.")

if(python IN_LIST components)
  # A compiled module is loaded by the minor version that it is made for, and no other.
  execute_process(COMMAND ${Python_EXECUTABLE} -c "from sys import version_info as v
print(f'python3 (>= {v.major}.{v.minor}), python3 (<< {v.major}.{v.minor + 1})')"
                  OUTPUT_VARIABLE python_versions OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-mash)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${python_versions}, python3-numpy, mash ${same_version}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-sklearn, python3-pandas")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "MASH's features and models in Python
Extracts the features of heuristics from NumPy images, trains within
scikit-learn, predicts with MASH's models and reads its records.")
include(CPack)
