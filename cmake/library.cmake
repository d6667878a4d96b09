# libthrong, static and shared, from one set of objects. It needs the C library and threads only.

file(GLOB_RECURSE library_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)
throng_instruction_sets(${library_sources})

add_library(throng_objects OBJECT ${library_sources})
target_include_directories(throng_objects PRIVATE ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(throng_objects PRIVATE THRONG_BUILD)
target_link_libraries(throng_objects PRIVATE throng_flags Threads::Threads)

find_library(THRONG_MATH m) # for sqrtf where the compiler makes a call of it
mark_as_advanced(THRONG_MATH)

foreach(kind IN ITEMS static shared)
    string(TOUPPER ${kind} upper)
    add_library(throng_${kind} ${upper} $<TARGET_OBJECTS:throng_objects>)
    target_include_directories(throng_${kind} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(throng_${kind} PRIVATE Threads::Threads)
    if(THRONG_MATH)
        target_link_libraries(throng_${kind} PRIVATE m)
    endif()
    set_target_properties(throng_${kind} PROPERTIES
        OUTPUT_NAME throng
        LINKER_LANGUAGE C
        ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endforeach()
target_compile_definitions(throng_shared INTERFACE THRONG_SHARED)
set_target_properties(throng_static PROPERTIES EXPORT_NAME throng)
add_library(throng::throng ALIAS throng_static)
add_library(throng::throng_shared ALIAS throng_shared)
