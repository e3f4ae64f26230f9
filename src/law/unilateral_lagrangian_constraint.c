// UnilateralLagrangianConstraint: contacts between points of two objects, with or without friction.
//
// A contact joins P of object2 and Q of object1 by the normal n, which points from object1 to object2:
//
//     d_n = (P − Q)·n − D ≥ 0
//
// With friction there are also rows along t and s, normal to n, which say how far the points have slid since they
// touched: during the time of the step after the instant at which d_n passed zero. With t₀ = (n_z, n_x, n_y), or
// another direction when that is parallel to n, s = n × t₀ / |n × t₀| and t = −n × s.
//
// Contacts come from a collision response (st_add_contact), or from the scene: first_point, second_point and normals
// name contacts that are checked in each step.
//
// AugmentedLagrangianConstraint has the same geometry; with friction it takes steps ε d instead of d / W.
//
// SPDX-License-Identifier: Apache-2.0
#include "law/unilateral.h"
#include "settee/plugin/change.h"

typedef st_unilateral unilateral;
typedef st_contact_frame frame;

static const st_field fields[] = {
    ST_FIELD(unilateral, first, "first_point", st_type_indices, NULL,
             "DOFs of object1 that the scene puts into contact", .mesh = ST_ROWS_OF_FIRST),
    ST_FIELD(unilateral, second, "second_point", st_type_indices, NULL, "DOFs of object2, one for each of the first",
             .mesh = ST_ROWS_OF_SECOND),
    ST_FIELD(unilateral, normals, "normals", st_type_vec3s, NULL,
             "directions from object1 to object2; the last one holds for the rest", .mesh = ST_ROWS),
    ST_FIELD(unilateral, distances, "contactDistances", st_type_reals, NULL,
             "distances at which they touch; the last one holds for the rest, 0 without any", .mesh = ST_ROWS),
    ST_FIELD(unilateral, mu, "mu", st_type_real, "0", "friction of the contacts that the scene names"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------

static unilateral *as_unilateral(st_law *law) {
    return st_is_a(&law->object, &st_unilateral_lagrangian_constraint_class) ? (unilateral *)law : NULL;
}

bool st_add_contact(st_law *law, const st_contact *contact) {
    unilateral *self = as_unilateral(law);
    return self && st_list_push(&self->contacts, *contact);
}

void st_clear_contacts(st_law *law) {
    unilateral *self = as_unilateral(law);
    if (self) self->contacts.count = 0;
}

static size_t scene_count(const unilateral *self) {
    if (self->normals.count == 0) return 0;
    return self->first.count < self->second.count ? self->first.count : self->second.count;
}

// Lists that are too short repeat their last value.
static st_contact scene_contact(const unilateral *self, size_t i) {
    const size_t normal = i < self->normals.count ? i : self->normals.count - 1;
    const size_t distance = i < self->distances.count ? i : self->distances.count - 1;

    // contacts of the scene count down from -1: those of the collision response have ids from 0
    st_contact c = {
        .first = self->first.data[i], .second = self->second.data[i], .friction = self->mu, .id = -1 - (int64_t)i};
    st_vec3_copy(c.normal, self->normals.data + 3 * normal);
    const st_real length = st_vec3_norm(c.normal);
    if (length > 0) st_vec3_scale(c.normal, c.normal, 1 / length);

    if (self->distances.count) c.distance = self->distances.data[distance];
    return c;
}

static bool unilateral_is_usable(const unilateral *self, const st_contact *c) {
    return c->first < self->law.state->size && c->second < self->law.other->size && st_vec3_norm(c->normal) > 0;
}

static frame unilateral_frame_of(const st_real n[3]) {
    frame f;
    st_real t0[3] = {n[2], n[0], n[1]}, s[3];

    st_vec3_copy(f.n, n);
    st_vec3_cross(s, n, t0);
    if (st_vec3_norm(s) < ST_R(1e-6)) { // n along (1, 1, 1)
        t0[0] = -n[2];
        st_vec3_cross(s, n, t0);
    }
    st_vec3_divide(f.s, s, st_vec3_norm(s));
    st_vec3_cross(f.t, f.s, n);
    return f;
}

// The contacts of this step that are usable, with their frames: those of the scene, then those of the code.
static bool unilateral_collect(unilateral *self) {
    const size_t named = scene_count(self);
    self->all.count = self->frames.count = 0;

    for (size_t i = 0; i < named + self->contacts.count; i++) {
        const st_contact c = i < named ? scene_contact(self, i) : self->contacts.data[i - named];

        // a contact that cannot be used has no rows
        if (unilateral_is_usable(self, &c)) {
            if (!st_list_push(&self->all, c) || !st_list_push(&self->frames, unilateral_frame_of(c.normal)))
                return false;
            continue;
        }
        st_message_once(&self->law.object, "index", ST_ERROR,
                        "a contact of DOF %u of %zu with DOF %u of %zu, or one without a normal, is ignored",
                        (unsigned)c.first, self->law.state->size, (unsigned)c.second, self->law.other->size);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------

static void unilateral_add_row(unilateral *self, const st_contact *c, size_t row, const st_real direction[3]) {
    st_law_add_direction(self->law.state, row, c->first, direction, -1);
    st_law_add_direction(self->law.other, row, c->second, direction, 1);
}

static size_t unilateral_build(st_law *law, size_t first) {
    unilateral *self = (unilateral *)law;
    size_t row = first;
    if (!unilateral_collect(self)) law->state->constraint.failed = true;

    for (size_t i = 0; i < self->frames.count; i++) {
        const st_contact *c = &self->all.data[i];

        // one row, or three
        unilateral_add_row(self, c, row++, self->frames.data[i].n);

        if (!(c->friction > 0)) continue;
        unilateral_add_row(self, c, row++, self->frames.data[i].t);
        unilateral_add_row(self, c, row++, self->frames.data[i].s);
    }
    return row - first;
}

// Where the points touched first within the step: a fraction of it, or −1 when they do not touch.
static st_real contact_instant(st_real before, st_real after, st_real way) {
    // they touch all the time
    if (fabs(before) < ST_R(1e-5) * way && fabs(after) < ST_R(1e-5) * way) return 0;

    if (fabs(before - after) > ST_R(0.001) * before) {
        const st_real u = before / (before - after);
        if (u > 0 && u < 1) return u;
        return after < 0 ? 0 : -1;
    }
    return 0;
}

static st_real unilateral_distance(const st_real a[3], const st_real b[3]) {
    st_real d[3];
    st_vec3_sub(d, a, b);
    return st_vec3_norm(d);
}

static void contact_violation(const unilateral *self, size_t i, const st_constraint_params *params, st_real *d) {
    const st_contact *c = &self->all.data[i];
    const frame *f = &self->frames.data[i];

    // P and Q at the beginning of the step and as the parameters have them
    const st_real *p = st_law_now(self->law.other, c->second), *q = st_law_now(self->law.state, c->first);
    const st_real *p1 = st_law_x(self->law.other, params, c->second), *q1 = st_law_x(self->law.state, params, c->first);
    st_real now[3], then[3], slid[3];

    st_vec3_sub(now, p, q);
    st_vec3_sub(then, p1, q1);
    d[0] = st_vec3_dot(then, f->n) - c->distance;
    if (!(c->friction > 0)) return;

    // when did they touch within the step?
    const st_real before = st_vec3_dot(now, f->n) - c->distance;
    const st_real u = contact_instant(before, d[0], unilateral_distance(p1, p) + unilateral_distance(q1, q));
    d[1] = d[2] = 0;
    if (u < 0) return;

    // how far they have slid since then
    for (int k = 0; k < 3; k++)
        slid[k] = (p1[k] - (p[k] * (1 - u) + p1[k] * u)) - (q1[k] - (q[k] * (1 - u) + q1[k] * u));
    d[1] = st_vec3_dot(slid, f->t);
    d[2] = st_vec3_dot(slid, f->s);
}

static void unilateral_violation(st_law *law, const st_constraint_params *params, st_real *d) {
    const unilateral *self = (unilateral *)law;
    for (size_t i = 0; i < self->frames.count; i++) {
        contact_violation(self, i, params, d);
        d += self->all.data[i].friction > 0 ? 3 : 1;
    }
}

static void unilateral_resolutions(st_law *law, st_resolutions *to) {
    const unilateral *self = (unilateral *)law;
    for (size_t i = 0; i < self->frames.count; i++) {
        const st_contact *c = &self->all.data[i];

        // one row, or a block of three
        st_resolution *block = !(c->friction > 0) ? st_add_unilateral(to)
                               : self->augmented  ? st_add_augmented_friction(to, c->friction, self->epsilon)
                                                  : st_add_friction(to, c->friction);
        if (block && c->friction > 0) block->tolerance = c->tolerance;
    }
}

// ---------------------------------------------------------------------------------------------------
// First guesses
// ---------------------------------------------------------------------------------------------------

static void unilateral_store(st_law *law, const st_real *f) {
    unilateral *self = (unilateral *)law;
    if (!st_list_set_count(&self->guesses, self->frames.count, 1)) return;

    for (size_t i = 0; i < self->frames.count; i++) {
        const size_t rows = self->all.data[i].friction > 0 ? 3 : 1;
        self->guesses.data[i] = (st_contact_guess){.id = self->all.data[i].id};
        st_copy_reals(self->guesses.data[i].f, f, rows);
        f += rows;
    }
}

// Where the guess of an id is, or would be.
static uint32_t *place_of_guess(const unilateral *self, int64_t id) {
    const size_t mask = self->places.count - 1;
    size_t at = ((uint64_t)id * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (self->places.data[at] && self->guesses.data[self->places.data[at] - 1].id != id) at = (at + 1) & mask;
    return &self->places.data[at];
}

// Of several contacts with one id the last one is found.
static bool number_guesses(unilateral *self) {
    size_t slots = 16;
    while (slots < 2 * self->guesses.count) slots *= 2;
    self->places.count = 0; // new ones are zero
    if (self->guesses.count > UINT32_MAX / 4 || !st_list_set_count(&self->places, slots, 1)) return false;
    for (size_t k = 0; k < self->guesses.count; k++)
        *place_of_guess(self, self->guesses.data[k].id) = (uint32_t)(k + 1);
    return true;
}

// The force that the contact of the same id had in the last step.
static void unilateral_recall(st_law *law, st_real *f) {
    unilateral *self = (unilateral *)law;
    if (!self->guesses.count || !number_guesses(self)) return;

    for (size_t i = 0; i < self->frames.count; i++) {
        const size_t rows = self->all.data[i].friction > 0 ? 3 : 1;
        const uint32_t place = *place_of_guess(self, self->all.data[i].id);
        if (place) st_copy_reals(f, self->guesses.data[place - 1].f, rows);
        f += rows;
    }
}

static void unilateral_reset(st_object *object) { st_unilateral_forget((unilateral *)object); }

static void unilateral_destroy(st_object *object) {
    unilateral *self = (unilateral *)object;
    st_list_free(&self->contacts);
    st_list_free(&self->all);
    st_list_free(&self->frames);
    st_list_free(&self->guesses);
    st_list_free(&self->places);
}

static const st_law_ops ops = {.build = unilateral_build,
                               .violation = unilateral_violation,
                               .resolutions = unilateral_resolutions,
                               .store = unilateral_store,
                               .guess = unilateral_recall};

const st_class st_unilateral_lagrangian_constraint_class = {
    .name = "UnilateralLagrangianConstraint",
    .help = "contacts between points of two objects, with or without friction",
    .parent = &st_pair_law_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(unilateral),
    .example = "<MechanicalObject position='0 0 0  0 0.1 0'/><UniformMass totalMass='2'/>"
               "<UncoupledConstraintCorrection defaultCompliance='1'/>"
               "<UnilateralLagrangianConstraint first_point='0' second_point='1' normals='0 1 0' mu='0.3'/>",
    .reset = unilateral_reset,
    .destroy = unilateral_destroy,
    .law = &ops,
};

static st_status unilateral_construct_augmented(st_object *object) {
    ((unilateral *)object)->augmented = true;
    return ST_OK;
}

static const st_field augmented_fields[] = {
    ST_FIELD(unilateral, epsilon, "epsilon", st_type_real, "0", "step of the forces per violation"),
    ST_FIELDS_END,
};

const st_class st_augmented_lagrangian_constraint_class = {
    .name = "AugmentedLagrangianConstraint",
    .help = "contacts with friction solved by an augmented Lagrangian",
    .parent = &st_unilateral_lagrangian_constraint_class,
    .templates = "Vec3",
    .fields = augmented_fields,
    .size = sizeof(unilateral),
    .construct = unilateral_construct_augmented,
};
