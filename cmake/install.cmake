# What `cmake --install` leaves: headers, libraries, the program, and two ways to be found.

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/throng)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS throng_static throng_shared EXPORT throng_targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT throng_targets NAMESPACE throng:: FILE throng_targets.cmake
    DESTINATION ${package_directory})

# The pkg-config files find the rest from where they lie: the prefix may still change.
file(RELATIVE_PATH THRONG_LIB_TO_INCLUDE ${CMAKE_INSTALL_FULL_LIBDIR}
    ${CMAKE_INSTALL_FULL_INCLUDEDIR})

set(THRONG_HAS_IO OFF)
if(THRONG_PROGRAMS AND io_sources)
    set(THRONG_HAS_IO ON)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng_io
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(TARGETS throng_io EXPORT throng_io_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT throng_io_targets NAMESPACE throng:: FILE throng_io_targets.cmake
        DESTINATION ${package_directory})
    configure_file(cmake/throng_io.pc.in throng_io.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/throng_io.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(TARGET throng_cli)
    install(TARGETS throng_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/throng-config.cmake.in throng-config.cmake
    INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(throng-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/throng-config.cmake
    ${PROJECT_BINARY_DIR}/throng-config-version.cmake DESTINATION ${package_directory})
configure_file(cmake/throng.pc.in throng.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/throng.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/throng)
