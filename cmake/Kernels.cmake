# Kernels: files of loops (src/**/*_kernel.c) that are compiled once for each instruction set. The best one is chosen
# when the program runs.
#
#     settee_kernels(avx2 FLAGS -mavx2 SOURCES src/force/fem/beam/beam_kernel.c ...)
#
# compiles the files with these flags and ST_KERNEL_SET=avx2: ST_KERNEL(st_beam_kernels) of math/simd.h is then
# st_beam_kernels_avx2. Fused multiply-add changes results: only the dense kernels of the factorization use it
# always, the others in scenes that ask for speed (fast_...).
#
# SPDX-License-Identifier: Apache-2.0
function(settee_kernels set)
    cmake_parse_arguments(kernel "" "" "FLAGS;SOURCES" ${ARGN})
    add_library(settee_kernels_${set} OBJECT ${kernel_SOURCES})
    settee_library_objects(settee_kernels_${set})
    target_compile_definitions(settee_kernels_${set} PRIVATE ST_KERNEL_SET=${set})
    # -O3 unrolls short loops with a fixed count, so that packs stay in registers; at -O2 gcc keeps them in memory.
    target_compile_options(settee_kernels_${set} PRIVATE ${kernel_FLAGS} $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
endfunction()
