// Contacts of the last step: who touches whom, where, and with what force.
//
//     st_contact_report contacts[100];
//     size_t count = st_scene_contacts(scene, contacts, 100);
//     for (size_t i = 0; i < count && i < 100; i++)
//         printf("%s: %g N\n", st_object_path(contacts[i].model[0]), contacts[i].normal_force);
//
// Forces are those of the step, impulses by Lagrange multipliers divided by its length. A force acts on the second model,
// and its opposite on the first.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_CONTACT_H
#define SETTEE_CONTACT_H

#include "settee/settee.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum st_contact_motion {
    ST_CONTACT_OPEN,   // near, but without a force
    ST_CONTACT_STICKS, // its force is inside of the cone of friction
    ST_CONTACT_SLIDES, // its force is on the cone; without friction always
} st_contact_motion;

typedef struct st_contact_report {
    const st_object *model[2]; // collision models; a force that finds contacts by itself, and the state that it acts on
    uint32_t element[2];       // of them; of a state a DOF
    st_real point[2][3];       // on each, as they are now
    st_real normal[3];         // of length 1, from the first to the second
    st_real gap;               // along the normal, beyond the distance that contacts keep; below 0: they overlap
    st_real force[3];          // on the second model
    st_real normal_force;      // along the normal: positive when it pushes
    st_real tangential_force;  // length of the rest
    st_contact_motion motion;
} st_contact_report;

// All contacts, in the order of the pairs of models; `most` of them are written. Returns how many there are.
ST_API size_t st_scene_contacts(st_scene *scene, st_contact_report *contacts, size_t most);

// As CSV: a line for each contact of the step, with a line of names before the first one when `header` is set.
ST_API st_status st_scene_write_contacts(st_scene *scene, size_t step, bool header, const st_writer *writer);

// Looks for what often goes wrong with contacts, at the present positions of an initialized scene: distances that do not
// fit, surfaces turned inwards or with holes, models that overlap, bodies without a constraint correction. Each problem is
// a warning in the log. Returns how many there are. Detection runs for it: ask before the first step, or at the end.
ST_API size_t st_scene_check_contacts(st_scene *scene);

// As VTK (legacy, ASCII): a cloud of the points on the second models, with normal, force, point1, gap, normal_force,
// tangential_force, motion (0, 1, 2 as above), element1, element2, model1 and model2 as arrays.
ST_API st_status st_scene_write_contacts_vtk(st_scene *scene, size_t step, const st_writer *writer);

// "open", "sticks" or "slides".
ST_API const char *st_contact_motion_name(st_contact_motion motion);

#ifdef __cplusplus
}
#endif
#endif
