// Writable arrays that Python code may hold: who has written there is found by comparing sums of the memory.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PYTHON_LENT_H
#define SETTEE_PYTHON_LENT_H

#include "binding.h"

bool lent_add(scene_object *scene, st_object *object, const char *field, PyObject *array);
// Before a call that computes: what was written is announced. Arrays that nobody holds are forgotten.
void lent_take_up(scene_object *scene);
// After it: the memory as the engine has left it.
void lent_remember(scene_object *scene);
void lent_clear(scene_object *scene);

#endif
