// FrictionContactConstraint and AugmentedLagrangianResponseConstraint: contacts held apart by Lagrange multipliers, with
// friction.
//
// Each is the law of contacts (UnilateralLagrangianConstraint, AugmentedLagrangianConstraint) between the contact points
// of two models. It acts with a loop that solves constraints; elsewhere it is there and does nothing. What happens to
// the detections of a step:
//
//     1. those that repeat an earlier one, both points within 1e-4 of each other, are ignored
//     2. the mappers get a contact point for each side; their places, velocities and free motion are computed. The free
//        position is the mapping of the parent's free position, so that arms of rigid frames are those of the free motion
//     3. the law gets a contact: normal and D = contactDistance + d1 + d2 + r1 + r2, with the skins d and radii r of both
//
// A contact has the id of its detection, so that a solver that starts from the forces of the last step finds it again.
// In the first step of a pair ids are negative: what is stored then is not found in the second one. So is it in SOFA.
//
// SPDX-License-Identifier: Apache-2.0
#include <tgmath.h>

#include "collision/contact_pair.h"
#include "law/unilateral.h"
#include "math/real.h"
#include "scene/scene.h"
#include "settee/contact.h"

typedef struct contact_law {
    st_unilateral base;
    st_real tolerance;
    bool fresh; // its contacts were never asked for since the models came together
} contact_law;

static void friction_contact_connect(st_contact_pair *pair) {
    contact_law *self = (contact_law *)pair->response;
    self->base.law.state = pair->mapper[0].state;
    self->base.law.other = pair->mapper[1].state;
    self->fresh = true;
    st_unilateral_forget(&self->base);
}

static void friction_contact_clear(st_contact_pair *pair) { st_clear_contacts((st_law *)pair->response); }

static bool add_contact(contact_law *self, st_contact_pair *pair, const st_intersection *method,
                        const st_detection *d) {
    const st_collision_model *a = pair->model[0], *b = pair->model[1];
    st_contact contact = {.first = st_contact_pair_add(pair, 0, d->element[0], d->point[0]),
                          .second = st_contact_pair_add(pair, 1, d->element[1], d->point[1]),
                          .friction = self->base.mu,
                          .tolerance = self->tolerance,
                          .id = self->fresh ? -1 - d->id : 1 + d->id};
    if (contact.first == ST_INVALID_INDEX || contact.second == ST_INVALID_INDEX) return false;

    // D: distances and radii of both sides
    st_copy_reals(contact.normal, d->normal, 3);
    contact.distance =
        st_contact_of(method, a, b) + st_element_radius(a, d->element[0]) + st_element_radius(b, d->element[1]);
    return st_add_contact(&self->base.law, &contact);
}

static st_status friction_contact_fill(st_contact_pair *pair, const st_intersection *method,
                                       const st_detections *found) {
    contact_law *self = (contact_law *)pair->response;
    st_clear_contacts(&self->base.law);

    // SOFA's way to turn contacts of a model off
    if (pair->model[0]->contact_stiffness == 0 || pair->model[1]->contact_stiffness == 0) {
        st_message_once(pair->response, "stiffness", ST_ERROR,
                        "contactStiffness of one of its models is 0: they do not touch");
        return ST_OK;
    }

    bool ok = st_contact_pair_keep_distinct(pair, found, false) && st_contact_pair_begin(pair);
    for (size_t k = 0; ok && k < pair->kept.count; k++)
        ok = add_contact(self, pair, method, &found->list.data[pair->kept.data[k]]);
    if (ok && st_contact_pair_end(pair) && st_contact_pair_move_freely(pair)) {
        self->fresh = false;
        return ST_OK;
    }

    st_clear_contacts(&self->base.law);
    st_message(pair->response, ST_ERROR, "out of memory: %zu contacts", found->list.count);
    return ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Report
// ---------------------------------------------------------------------------------------------------

// The coefficient that was solved with: that of a solver which has its own, else the contact's.
static st_real friction_of(const st_contact_pair *pair, const st_contact *contact) {
    const st_object *solver = st_find(pair->response->scene->root, ST_ROLE(constraint_solver), ST_DOWN);
    const int index = solver ? st_field_index(solver, "mu") : -1;
    const st_field *field = index < 0 ? NULL : st_fields(solver)[index];
    if (!field || st_is_added(field)) return contact->friction;
    return *(const st_real *)st_member(solver, field);
}

static bool friction_contact_report(const st_contact_pair *pair, size_t i, st_contact_report *r) {
    const st_unilateral *law = (const st_unilateral *)pair->response;
    const st_state *one = law->law.state, *two = law->law.other;
    if (i >= law->contacts.count || !one || !two) return false;
    const st_contact *contact = &law->contacts.data[i];
    if (contact->first >= one->size || contact->second >= two->size) return false;

    // where it is now
    st_real apart[3];
    st_copy_reals(r->point[0], one->coord[ST_COORD_POSITION].data + 3 * (size_t)contact->first, 3);
    st_copy_reals(r->point[1], two->coord[ST_COORD_POSITION].data + 3 * (size_t)contact->second, 3);
    st_copy_reals(r->normal, contact->normal, 3);
    st_vec3_sub(apart, r->point[1], r->point[0]);
    r->gap = st_vec3_dot(apart, r->normal) - contact->distance;

    // what the last solution gave it: f / dt along n, t and s
    if (i >= law->guesses.count || i >= law->frames.count || law->guesses.data[i].id != contact->id) return true;
    const st_real *f = law->guesses.data[i].f, dt = pair->response->scene->root->dt;
    const st_contact_frame *frame = &law->frames.data[i];
    for (int k = 0; k < 3 && dt > 0; k++)
        r->force[k] = (f[0] * frame->n[k] + f[1] * frame->t[k] + f[2] * frame->s[k]) / dt;
    const st_real slip = sqrt(f[1] * f[1] + f[2] * f[2]), most = friction_of(pair, contact) * f[0];
    r->motion = !(f[0] > 0) ? ST_CONTACT_OPEN : slip >= most * (1 - ST_R(1e-6)) ? ST_CONTACT_SLIDES : ST_CONTACT_STICKS;
    return true;
}

static const st_response_ops ops = {.connect = friction_contact_connect,
                                    .fill = friction_contact_fill,
                                    .clear = friction_contact_clear,
                                    .report = friction_contact_report};

// ---------------------------------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------------------------------

#define FIELDS(mu_)                                                                                                    \
    ST_FIELD(contact_law, base.mu, "mu", st_type_real, mu_,                                                            \
             "friction: the tangential force is at most mu times the "                                                 \
             "normal one; 0: none"),                                                                                   \
        ST_FIELD(contact_law, tolerance, "tol", st_type_real, "0",                                                     \
                 "tolerance of each contact with friction; 0: that of the solver"),                                    \
        ST_FIELDS_END

static const st_field friction_fields[] = {FIELDS("0.8")};
static const st_field augmented_fields[] = {FIELDS("0")};

#define EXAMPLE(name, parameters)                                                                                      \
    "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='100' tolerance='1e-6'/>\n"             \
    "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>\n"                                                   \
    "<NewProximityIntersection alarmDistance='0.2' contactDistance='0.1'/>\n"                                          \
    "<CollisionResponse response='" name "' responseParams='" parameters "'/>\n"                                       \
    "<Node name='floor'>\n"                                                                                            \
    "    <MeshTopology position='-1 0 -1  1 0 -1  1 0 1  -1 0 1' triangles='0 2 1  0 3 2'/>\n"                         \
    "    <MechanicalObject/><TriangleCollisionModel simulated='0' moving='0'/>\n"                                      \
    "</Node>\n"                                                                                                        \
    "<Node name='ball'>\n"                                                                                             \
    "    <EulerImplicitSolver/><CGLinearSolver iterations='20' tolerance='1e-9' threshold='1e-9'/>\n"                  \
    "    <MechanicalObject position='0 0.15 0'/><UniformMass totalMass='1'/>\n"                                        \
    "    <UncoupledConstraintCorrection defaultCompliance='1'/><SphereCollisionModel radius='0.05'/>\n"                \
    "</Node>"

const st_class st_friction_contact_constraint_class = {
    .name = "FrictionContactConstraint",
    .help = "collision response: contacts with friction by Lagrange multipliers",
    .parent = &st_unilateral_lagrangian_constraint_class,
    .templates = "Vec3",
    .fields = friction_fields,
    .size = sizeof(contact_law),
    .example = EXAMPLE("FrictionContactConstraint", "mu=0.5"),
    .response = &ops,
};

const st_class st_augmented_lagrangian_response_constraint_class = {
    .name = "AugmentedLagrangianResponseConstraint",
    .help = "collision response: contacts with friction by an augmented Lagrangian",
    .parent = &st_augmented_lagrangian_constraint_class,
    .templates = "Vec3",
    .fields = augmented_fields,
    .size = sizeof(contact_law),
    .example = EXAMPLE("AugmentedLagrangianResponseConstraint", "mu=0.5&amp;epsilon=10"),
    .response = &ops,
};
