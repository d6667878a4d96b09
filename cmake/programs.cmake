# libthrong_io (files, scenes, pictures), the command line with its benchmarks, and the samples.

find_package(PkgConfig REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(SQLite3 REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)

file(GLOB io_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/io/*.c)
file(GLOB benchmark_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*.c)
include(cmake/detour.cmake)
if(THRONG_HAS_DETOUR)
    list(REMOVE_ITEM benchmark_sources ${PROJECT_SOURCE_DIR}/benchmarks/detour_missing.c)
endif()
if(THRONG_HAS_GPU)
    list(REMOVE_ITEM benchmark_sources ${PROJECT_SOURCE_DIR}/benchmarks/draw_missing.c)
else()
    list(REMOVE_ITEM benchmark_sources ${PROJECT_SOURCE_DIR}/benchmarks/draw_bench.c)
endif()
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c)
file(GLOB sample_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/samples/*.c)

# An interface stands for a folder that has no source: what links to it need not know.
if(io_sources)
    add_library(throng_io STATIC ${io_sources})
    target_include_directories(throng_io PRIVATE ${PROJECT_SOURCE_DIR}/io)
    target_link_libraries(throng_io
        PUBLIC throng_static
        PRIVATE $<BUILD_INTERFACE:throng_flags> PkgConfig::JANSSON PkgConfig::YAML PNG::PNG ZLIB::ZLIB
            SQLite::SQLite3 Threads::Threads)
    if(THRONG_MATH)
        target_link_libraries(throng_io PRIVATE m)
    endif()
    set_target_properties(throng_io PROPERTIES
        EXPORT_NAME throng_io
        ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
else()
    add_library(throng_io INTERFACE)
    target_link_libraries(throng_io INTERFACE throng_static)
endif()
add_library(throng::throng_io ALIAS throng_io)

if(THRONG_HAS_GPU)
    add_library(throng_view STATIC ${view_sources})
    target_include_directories(throng_view PRIVATE ${PROJECT_SOURCE_DIR}/view)
    target_link_libraries(throng_view PUBLIC throng_gpu throng_io PRIVATE throng_flags)
    if(THRONG_HAS_WINDOW)
        target_compile_features(throng_view PRIVATE cxx_std_17)
        target_include_directories(throng_view SYSTEM PRIVATE ${THRONG_IMGUI_INCLUDE_DIRS})
        target_include_directories(throng_view PRIVATE ${THRONG_VULKAN})
        target_link_libraries(throng_view PRIVATE PkgConfig::THRONG_SDL ${THRONG_IMGUI_LDFLAGS})
    endif()
    if(THRONG_MATH)
        target_link_libraries(throng_view PRIVATE m)
    endif()
endif()

add_library(throng_benchmarks INTERFACE)
if(benchmark_sources)
    throng_instruction_sets(${benchmark_sources})
    add_library(throng_benchmark_objects OBJECT ${benchmark_sources})
    target_include_directories(throng_benchmark_objects PRIVATE ${PROJECT_SOURCE_DIR}/include
        ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/benchmarks)
    target_link_libraries(throng_benchmark_objects PRIVATE throng_flags Threads::Threads)
    target_sources(throng_benchmarks INTERFACE $<TARGET_OBJECTS:throng_benchmark_objects>)
    if(THRONG_HAS_GPU)
        target_link_libraries(throng_benchmarks INTERFACE throng_gpu)
    endif()
    if(THRONG_HAS_DETOUR)
        add_library(throng_detour STATIC ${PROJECT_SOURCE_DIR}/benchmarks/detour_crowd.cpp)
        target_include_directories(throng_detour PRIVATE ${PROJECT_SOURCE_DIR}/benchmarks)
        target_include_directories(throng_detour SYSTEM PRIVATE ${THRONG_DETOUR_INCLUDE})
        target_compile_features(throng_detour PRIVATE cxx_std_17)
        target_link_libraries(throng_detour PRIVATE ${THRONG_DETOUR_CROWD} ${THRONG_DETOUR})
        target_link_libraries(throng_benchmarks INTERFACE throng_detour)
    endif()
endif()

if(cli_sources)
    add_executable(throng_cli ${cli_sources})
    target_include_directories(throng_cli PRIVATE ${PROJECT_SOURCE_DIR}/cli
        ${PROJECT_SOURCE_DIR}/benchmarks ${PROJECT_SOURCE_DIR})
    target_link_libraries(throng_cli PRIVATE throng_flags throng_io throng_static
        throng_benchmarks Threads::Threads)
    if(THRONG_HAS_GPU)
        target_link_libraries(throng_cli PRIVATE throng_view)
        target_compile_definitions(throng_cli PRIVATE THRONG_HAS_VIEW)
    endif()
    if(THRONG_MATH)
        target_link_libraries(throng_cli PRIVATE m)
    endif()
    set_target_properties(throng_cli PROPERTIES
        OUTPUT_NAME throng
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()

set(sample_names "")
foreach(file IN LISTS sample_sources)
    get_filename_component(name ${file} NAME_WE)
    list(APPEND sample_names ${name})
    add_executable(sample_${name} ${file})
    target_link_libraries(sample_${name} PRIVATE throng_flags throng_io throng_static
        Threads::Threads)
    set_target_properties(sample_${name} PROPERTIES
        OUTPUT_NAME ${name}
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/samples)
endforeach()
