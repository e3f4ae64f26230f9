// Files that hold the inverse of a dense matrix from one run to the next: <node>-<n>-<dt>.comp, n² reals, row-major,
// in the byte order of the machine; .compf in single precision. The file is in the working directory.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_INVERSE_FILE_H
#define SETTEE_SOLVER_INVERSE_FILE_H

#include "system/system.h"

// The name of the file for a component with n unknowns; allocated, NULL: out of memory.
char *st_inverse_file_name(const st_object *object, size_t n);
// ST_NOT_FOUND when there is no such file; ST_INVALID, with a warning, when it has another size or holds numbers that
// are not finite.
st_status st_inverse_file_read(const st_object *object, const char *name, size_t n, st_real *values);
// Written aside and put in place when complete, unless the scene may not write. A failure is a warning.
void st_inverse_file_write(const st_object *object, const char *name, size_t n, const st_real *values);

// How the solution of the linear system enters the positions: the files of linear solvers hold A⁻¹ times this factor.
st_real st_inverse_file_factor(const st_object *object);
// Does A (inverse / factor) v = v hold for a test vector v? n: the unknowns of the system; work: 3 n.
bool st_inverse_fits(st_system *system, const st_real *inverse, st_real factor, st_real *work);
// The test vector's i-th number.
static inline st_real st_inverse_test(size_t i) { return 1 + (st_real)(i % 7) / 7; }
// Are they the same, up to half the digits?
bool st_inverse_same(size_t n, const st_real *found, const st_real *expected);

#endif
