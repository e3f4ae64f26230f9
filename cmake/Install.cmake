# What `make install` puts where: public headers, both libraries, the program with its manual page and completion,
# scene macros, and the files by which pkg-config and CMake find settee. All of it can be moved as a whole: paths are
# relative to the files themselves.
#
# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/settee)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY include/settee DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_BINARY_DIR}/include/settee/config.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/settee)

install(TARGETS settee EXPORT settee LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS settee_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT settee FILE settee-config.cmake NAMESPACE settee:: DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/settee-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/settee-config-version.cmake DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/settee.pc.in settee.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/settee.pc DESTINATION ${pkgconfig_dir})

if(TARGET settee_cli)
    install(TARGETS settee_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    if(EXISTS ${PROJECT_SOURCE_DIR}/cli/completion.bash)
        install(FILES cli/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME settee)
    endif()
endif()
install(FILES ${new_plugin} DESTINATION ${CMAKE_INSTALL_DATADIR}/settee/new/plugin)
install(DIRECTORY examples docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(macros)
    install(FILES ${macros} DESTINATION ${CMAKE_INSTALL_DATADIR}/settee/Objects)
endif()
# Where they were built: `make cluster`, or `make`.
if(TARGET settee_mpi)
    install(TARGETS settee_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
    install(TARGETS petsc_plugin LIBRARY DESTINATION lib/settee/plugins OPTIONAL)
endif()
