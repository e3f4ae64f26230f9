# How every file of settee is compiled: the target settee_flags.
#
# Contraction of a*b+c and fast-math change results between machines, so both are off: the same input gives the same
# bits everywhere.
#
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_FLAGS_RELEASE "-O2 -g -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g")

add_library(settee_flags INTERFACE)
target_compile_definitions(settee_flags INTERFACE _XOPEN_SOURCE=700)
target_compile_options(settee_flags INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wno-psabi
    $<IF:$<BOOL:$<TARGET_PROPERTY:SETTEE_FUSED>>,-ffp-contract=fast,-ffp-contract=off> -fno-strict-aliasing -fvisibility=hidden)
target_link_options(settee_flags INTERFACE -Wl,--as-needed)
if(SETTEE_WERROR)
    target_compile_options(settee_flags INTERFACE -Werror)
endif()

# Constants such as 0.5 are double; in the single-precision build each of them would warn. The double build still checks
# every other conversion.
if(SETTEE_REAL STREQUAL float)
    target_compile_options(settee_flags INTERFACE -Wno-float-conversion
        $<$<C_COMPILER_ID:Clang>:-Wno-implicit-float-conversion>)
endif()

set(sanitizers ${SETTEE_SANITIZE})
if(SETTEE_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
        message(FATAL_ERROR "SETTEE_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
    endif()
    list(APPEND sanitizers fuzzer-no-link)
endif()
if(sanitizers)
    list(JOIN sanitizers "," joined)
    # Sanitized code at -O0 is too slow to test with; -O1 keeps the stack traces readable.
    target_compile_options(settee_flags INTERFACE
        -fsanitize=${joined} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1)
    target_link_options(settee_flags INTERFACE -fsanitize=${joined})
endif()
if(SETTEE_COVERAGE)
    target_compile_options(settee_flags INTERFACE --coverage)
    target_link_options(settee_flags INTERFACE --coverage)
endif()
