// Writable arrays that Python code may hold: who has written there is found by comparing sums of the memory.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_PYTHON_LENT_H
#define SETTEE_PYTHON_LENT_H

#include "binding.h"

bool lent_add(scene_object *scene, st_object *object, const char *field, PyObject *array);
// Before a call that computes: what was written is announced. Arrays that nobody holds are forgotten. What was written
// into an array whose field has other memory is lost, with a warning; false: it is an exception.
bool lent_take_up(scene_object *scene);
// After it: the memory as the engine has left it.
void lent_remember(scene_object *scene);
// After a field was assigned, which can have got other memory.
void lent_notice(scene_object *scene);
void lent_clear(scene_object *scene);

#endif
