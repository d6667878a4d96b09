# libthrong_gpu (drawing by Vulkan) and the viewer, where what they need is installed:
# libvulkan-dev, libvulkan-volk-dev and glslc. Without them `throng view` says so.

option(THRONG_VIEW "Build libthrong_gpu and the viewer where Vulkan's headers and glslc are" ON)
set(THRONG_HAS_GPU OFF)
if(NOT THRONG_VIEW)
    return()
endif()
find_program(THRONG_GLSLC glslc)
find_path(THRONG_VOLK volk.h)
find_path(THRONG_VULKAN vulkan/vulkan.h)
mark_as_advanced(THRONG_GLSLC THRONG_VOLK THRONG_VULKAN)
if(NOT THRONG_GLSLC OR NOT THRONG_VOLK OR NOT THRONG_VULKAN)
    message(STATUS "throng: no viewer: libvulkan-dev, libvulkan-volk-dev or glslc is missing")
    return()
endif()
set(THRONG_HAS_GPU ON)

# Shaders become lists of numbers that pipelines.c includes.
file(GLOB shader_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gpu/shaders/*.vert
    ${PROJECT_SOURCE_DIR}/gpu/shaders/*.frag ${PROJECT_SOURCE_DIR}/gpu/shaders/*.comp)
set(shader_folder ${PROJECT_BINARY_DIR}/shaders)
file(MAKE_DIRECTORY ${shader_folder})
set(shader_outputs "")
foreach(file IN LISTS shader_sources)
    get_filename_component(name ${file} NAME)
    set(output ${shader_folder}/shader_${name}.inc)
    add_custom_command(OUTPUT ${output}
        COMMAND ${THRONG_GLSLC} -O -mfmt=num --target-env=vulkan1.2 -MD -MF ${output}.d
            ${file} -o ${output}
        DEPENDS ${file} DEPFILE ${output}.d VERBATIM)
    list(APPEND shader_outputs ${output})
endforeach()

file(GLOB gpu_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gpu/*.c)
add_library(throng_gpu STATIC ${gpu_sources} ${shader_outputs})
target_include_directories(throng_gpu PRIVATE ${PROJECT_SOURCE_DIR}/gpu ${shader_folder}
    ${THRONG_VOLK} ${THRONG_VULKAN})
target_link_libraries(throng_gpu PUBLIC throng_static PRIVATE throng_flags ${CMAKE_DL_LIBS})
if(THRONG_MATH)
    target_link_libraries(throng_gpu PRIVATE m)
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/gpu/volk.c PROPERTIES COMPILE_OPTIONS "-w")

file(GLOB view_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/view/*.c)

# The window: SDL2, and Dear ImGui behind one file of C++.
find_package(PkgConfig REQUIRED)
include(CheckLanguage)
pkg_check_modules(THRONG_SDL IMPORTED_TARGET sdl2)
pkg_check_modules(THRONG_IMGUI imgui)
check_language(CXX)
set(THRONG_HAS_WINDOW OFF)
if(THRONG_SDL_FOUND AND THRONG_IMGUI_FOUND AND CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(THRONG_HAS_WINDOW ON)
    list(REMOVE_ITEM view_sources ${PROJECT_SOURCE_DIR}/view/no_window.c)
    list(APPEND view_sources ${PROJECT_SOURCE_DIR}/view/window_ui.cpp)
else()
    list(FILTER view_sources EXCLUDE REGEX "/view/window")
    message(STATUS "throng: a viewer without a window: libsdl2-dev or libimgui-dev is missing")
endif()
