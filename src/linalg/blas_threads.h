// One thread in the BLAS that the libraries of direct solvers call.
//
// OpenBLAS uses every core by itself. On the small matrices of these solvers that costs more than it brings, and the
// sums would depend on the number of cores. Between begin and end it uses one thread.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_LINALG_BLAS_THREADS_H
#define SETTEE_LINALG_BLAS_THREADS_H

void st_blas_begin(void);
void st_blas_end(void);

#endif
