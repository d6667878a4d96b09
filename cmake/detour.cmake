# DetourCrowd, a baseline of the benchmarks: Debian's librecast-dev, which has no pkg-config file.
# Where it or a C++ compiler is missing, the benchmarks say what to install. Nothing else of Throng
# is C++.

include(CheckLanguage)
find_path(THRONG_DETOUR_INCLUDE DetourCrowd.h PATH_SUFFIXES recastnavigation)
find_library(THRONG_DETOUR_CROWD DetourCrowd)
find_library(THRONG_DETOUR Detour)
set(THRONG_HAS_DETOUR FALSE)
if(THRONG_DETOUR_INCLUDE AND THRONG_DETOUR_CROWD AND THRONG_DETOUR)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
        enable_language(CXX)
        set(THRONG_HAS_DETOUR TRUE)
    endif()
endif()
