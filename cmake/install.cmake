# Headers, libraries of both levels, pkg-config files and the CMake package. The installed folder may
# be moved as a whole.
include(CMakePackageConfigHelpers)

# Targets have the same names in the package and through add_subdirectory.
set_target_properties(oxbow-checked PROPERTIES EXPORT_NAME checked)
set_target_properties(oxbow-checked-shared PROPERTIES EXPORT_NAME checked-shared)
add_library(oxbow::oxbow-shared ALIAS oxbow-shared)
add_library(oxbow::checked-shared ALIAS oxbow-checked-shared)

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS oxbow oxbow-shared oxbow-checked oxbow-checked-shared EXPORT oxbow-targets)

set(OX_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/oxbow)
install(EXPORT oxbow-targets NAMESPACE oxbow:: DESTINATION ${OX_PACKAGE_DIR})
configure_package_config_file(cmake/oxbow-config.cmake.in oxbow-config.cmake
    INSTALL_DESTINATION ${OX_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
# Before 1.0, a minor version may change the API.
write_basic_package_version_file(oxbow-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/oxbow-config.cmake ${PROJECT_BINARY_DIR}/oxbow-config-version.cmake
    DESTINATION ${OX_PACKAGE_DIR})

# Programs of 0.1 are rewritten with it.
install(FILES tools/rename_0_2.py docs/renames_0_2.md DESTINATION ${CMAKE_INSTALL_DATADIR}/oxbow)

# Paths relative to the .pc file, also where the folders were given as absolute paths.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE OX_PC_PREFIX)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR
    BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE OX_PC_LIBDIR)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR
    BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE OX_PC_INCLUDEDIR)
foreach(OX_PC_NAME oxbow oxbow-checked)
    configure_file(cmake/oxbow.pc.in ${OX_PC_NAME}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${OX_PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
