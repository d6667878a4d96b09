# The flags that every file gets. Results may not depend on them, so they are set here only.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, RelWithDebInfo or Release" FORCE)
endif()

# THRONG_ASSERT is on in Debug and RelWithDebInfo.
string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_C_FLAGS_RELWITHDEBINFO}")

# A fused multiply-add rounds once where the sources round twice: it would change the state hash.
# sqrtf that may set errno is not vectorised; nobody reads that errno.
add_library(throng_flags INTERFACE)
target_compile_options(throng_flags INTERFACE -ffp-contract=off -fno-math-errno
    -Wall -Wextra -Wpedantic $<$<C_COMPILER_ID:GNU>:-Wno-psabi>)
# Strict C17 hides POSIX: threads, clocks and processes are asked for by this name.
target_compile_definitions(throng_flags INTERFACE _POSIX_C_SOURCE=200809L)

# Newer compilers find new things to warn about, and sanitizers make gcc see ghosts: neither may
# break a build.
if(THRONG_WERROR AND NOT THRONG_SANITIZE)
    if((CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 13)
       OR (CMAKE_C_COMPILER_ID MATCHES "Clang" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 15))
        target_compile_options(throng_flags INTERFACE -Werror)
    endif()
endif()

if(THRONG_SANITIZE STREQUAL "address")
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(THRONG_SANITIZE STREQUAL "thread")
    set(sanitizers -fsanitize=thread -fno-omit-frame-pointer)
elseif(THRONG_SANITIZE)
    message(FATAL_ERROR "THRONG_SANITIZE is '${THRONG_SANITIZE}'; it can be empty, address or thread")
endif()
if(THRONG_SANITIZE)
    add_compile_options(${sanitizers} -g)
    add_link_options(${sanitizers})
endif()

if(THRONG_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link) # the fuzzer follows the library's branches
endif()

# Kernels that are built once per instruction set say so in their names. Elsewhere than on x86-64
# they are compiled without flags and are empty. Never -mfma; AVX-512 brings its own fused
# instructions, which -ffp-contract=off keeps out and tools/check_fma.sh proves to be out.
function(throng_instruction_sets)
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
        return()
    endif()
    foreach(file IN LISTS ARGN)
        if(file MATCHES "_avx2\\.c$")
            set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "-mavx2")
        elseif(file MATCHES "_avx512\\.c$")
            set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS
                "-mavx512f;-mavx512vl;-mavx512bw;-mavx512dq;-mprefer-vector-width=256")
        endif()
    endforeach()
endfunction()
