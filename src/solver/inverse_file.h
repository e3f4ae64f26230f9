// Files that hold the inverse of a dense matrix from one run to the next: <node>-<n>-<dt>.comp, n² reals, row-major,
// in the byte order of the machine; .compf in single precision. The file stands in the working directory.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_SOLVER_INVERSE_FILE_H
#define SETTEE_SOLVER_INVERSE_FILE_H

#include "settee/component.h"

// The name of the file for a component with n unknowns; allocated, NULL when memory is out.
char *st_inverse_file_name(const st_object *object, size_t n);
// ST_NOT_FOUND when there is no such file; ST_INVALID, with a warning, when it has another size or holds numbers that
// are not finite.
st_status st_inverse_file_read(const st_object *object, const char *name, size_t n, st_real *values);
// Written aside and put in place when complete, unless the scene may not write. A failure is a warning.
void st_inverse_file_write(const st_object *object, const char *name, size_t n, const st_real *values);

#endif
