// All contacts of a scene: those of every pair of models in contact, and those that forces find by themselves.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_COLLISION_CONTACT_REPORTS_H
#define SETTEE_COLLISION_CONTACT_REPORTS_H

#include "settee/contact.h"

// Each contact in turn, complete; false ends the visit. Returns how many were visited.
typedef bool st_contact_visitor(void *user, const st_contact_report *report);
size_t st_visit_contacts(const st_scene *scene, st_contact_visitor *visitor, void *user);

#endif
