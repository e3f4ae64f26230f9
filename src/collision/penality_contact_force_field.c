// PenalityContactForceField: springs that push contact points apart, as long as they are too near.
//
// A contact has a normal n, from its point in object1 to that in object2, a distance D and a stiffness k. With the
// penetration p = D - (x2 - x1)·n,
//
//     p > 0:   f1 -= k p n,   f2 += k p n       K11 = K22 = -k n nᵀ,  K12 = K21 = k n nᵀ       energy k p² / 2
//
// n is fixed for the step; which contacts are pressed is fixed by the last evaluation of the force.
//
// It is also the collision response of this name. Of the detections with one id it keeps the nearest. With the
// distances and stiffness of the two models and radii of spheres, D = contactDistance + d1 + d2 + r1 + r2 and
// k = k1 k2 / D.
//
// SPDX-License-Identifier: Apache-2.0
#include "collision/contact_pair.h"
#include "math/vec3.h"
#include "settee/contact.h"
#include "state/sink.h"

typedef struct spring {
    uint32_t first, second; // DOFs
    st_real normal[3], distance, stiffness;
    bool pressed;
} spring;

typedef struct penalty {
    st_force base;
    st_reals given; // of the scene
    ST_LIST(spring) springs;
} penalty;

enum { WIDTH = 7 };
static const st_type contacts_type = {
    .name = "list of contacts: index index normal distance stiffness",
    .scalar = ST_SCALAR_REAL,
    .width = WIDTH,
    .list = true,
    .syntax = ST_SYNTAX_PLAIN,
};

static const st_field fields[] = {
    ST_FIELD(penalty, given, "contacts", contacts_type, NULL,
             "contacts: DOF of object1, DOF of object2, normal of length 1, distance, stiffness; a collision response "
             "brings its own"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static bool exists(const st_force *base, const spring *s) {
    return s->first < base->state->size && s->second < base->other->size;
}

static st_real penetration(const spring *s, const st_real *x1, const st_real *x2) {
    st_real d[3];
    st_vec3_sub(d, x2 + 3 * (size_t)s->second, x1 + 3 * (size_t)s->first);
    return s->distance - st_vec3_dot(d, s->normal);
}

static void penality_contact_add_force(st_force *base, const st_params *params) {
    penalty *self = (penalty *)base;
    const st_real *x1 = st_x(base->state, params), *x2 = st_x(base->other, params);
    st_real *f1 = st_f(base->state, params), *f2 = st_f(base->other, params);

    for (size_t c = 0; c < self->springs.count; c++) {
        spring *s = &self->springs.data[c];
        const st_real p = exists(base, s) ? penetration(s, x1, x2) : 0;

        s->pressed = p > 0;
        if (!s->pressed) continue;

        // f = k p n
        st_real f[3];
        st_vec3_scale(f, s->normal, s->stiffness * p);
        st_vec3_sub(f1 + 3 * (size_t)s->first, f1 + 3 * (size_t)s->first, f);
        st_vec3_add(f2 + 3 * (size_t)s->second, f2 + 3 * (size_t)s->second, f);
    }
}

static void penality_contact_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    const penalty *self = (const penalty *)base;
    const st_state *one = base->state, *two = base->other;

    st_sink *k11 = st_stiffness_between(k, one, one), *k12 = st_stiffness_between(k, one, two);
    st_sink *k21 = st_stiffness_between(k, two, one), *k22 = st_stiffness_between(k, two, two);

    for (size_t c = 0; c < self->springs.count; c++) {
        const spring *s = &self->springs.data[c];
        if (!s->pressed || !exists(base, s)) continue;

        // k n nᵀ between the two, −k n nᵀ on each
        const size_t i = 3 * (size_t)s->first, j = 3 * (size_t)s->second;

        // ∂f1/∂x2 = k n nᵀ
        st_real block[9], opposite[9];
        for (int e = 0; e < 9; e++) {
            block[e] = s->stiffness * s->normal[e / 3] * s->normal[e % 3];
            opposite[e] = -block[e];
        }

        st_add_3x3(k11, i, i, opposite);
        st_add_3x3(k12, i, j, block);
        st_add_3x3(k21, j, i, block);
        st_add_3x3(k22, j, j, opposite);
    }
}

// df1 = k n (n·(dx2 - dx1)), df2 = -df1. The order of the factors is SOFA's: scenes of many contacts are chaotic, and
// show it.
static void penality_contact_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    const penalty *self = (const penalty *)base;
    const st_real *dx1 = st_dx(base->state, params), *dx2 = st_dx(base->other, params);
    st_real *df1 = st_df(base->state, params), *df2 = st_df(base->other, params);

    for (size_t c = 0; c < self->springs.count; c++) {
        const spring *s = &self->springs.data[c];
        if (!s->pressed || !exists(base, s)) continue;

        const size_t i = 3 * (size_t)s->first, j = 3 * (size_t)s->second;
        st_real d[3];
        st_vec3_sub(d, dx2 + j, dx1 + i);
        st_vec3_scale(d, s->normal, st_vec3_dot(d, s->normal) * s->stiffness * k);

        // the opposite on the second
        st_vec3_add(df1 + i, df1 + i, d);
        st_vec3_sub(df2 + j, df2 + j, d);
    }
}

static st_real penality_contact_potential(st_force *base, const st_params *params) {
    const penalty *self = (const penalty *)base;
    st_real sum = 0;

    for (size_t c = 0; c < self->springs.count; c++) {
        const spring *s = &self->springs.data[c];
        if (!exists(base, s)) continue;
        const st_real p = penetration(s, st_x(base->state, params), st_x(base->other, params));
        if (p > 0) sum += s->stiffness * p * p / 2;
    }

    return sum;
}

// ---------------------------------------------------------------------------------------------------
// Contacts of the scene
// ---------------------------------------------------------------------------------------------------

static bool is_index(st_real value, size_t size) { return value >= 0 && value < (st_real)size; }

// When all states have their sizes.
static st_status penality_contact_bwd_init(st_object *object) {
    penalty *self = (penalty *)object;
    const st_state *one = self->base.state, *two = self->base.other;
    if (!st_list_set_count(&self->springs, self->given.count, 1))
        return st_invalid(object, "out of memory: its contacts");

    // an entry: the two DOFs, normal, distance, stiffness
    for (size_t c = 0; c < self->given.count; c++) {
        const st_real *g = self->given.data + WIDTH * c;
        if (!is_index(g[0], one->size) || !is_index(g[1], two->size))
            return st_invalid(object, "contact %zu is between DOFs %g and %g, but there are %zu and %zu", c,
                              (double)g[0], (double)g[1], one->size, two->size);

        self->springs.data[c] = (spring){.first = (uint32_t)g[0],
                                         .second = (uint32_t)g[1],
                                         .normal = {g[2], g[3], g[4]},
                                         .distance = g[5],
                                         .stiffness = g[6]};
    }
    return ST_OK;
}

static void penality_contact_destroy(st_object *object) { st_list_free(&((penalty *)object)->springs); }

// ---------------------------------------------------------------------------------------------------
// Contacts of a collision response
// ---------------------------------------------------------------------------------------------------

static void penality_contact_connect(st_contact_pair *pair) {
    st_force *force = (st_force *)pair->response;
    force->state = pair->mapper[0].state;
    force->other = pair->mapper[1].state;
}

static void penality_contact_clear(st_contact_pair *pair) { ((penalty *)pair->response)->springs.count = 0; }

static bool add_spring(penalty *self, st_contact_pair *pair, const st_intersection *method, const st_detection *d) {
    const st_collision_model *a = pair->model[0], *b = pair->model[1];
    spring s = {.first = st_contact_pair_add(pair, 0, d->element[0], d->point[0]),
                .second = st_contact_pair_add(pair, 1, d->element[1], d->point[1])};

    if (s.first == ST_INVALID_INDEX || s.second == ST_INVALID_INDEX) return false;
    st_vec3_copy(s.normal, d->normal);

    // D and k = k1 k2 / D
    s.distance =
        st_contact_of(method, a, b) + st_element_radius(a, d->element[0]) + st_element_radius(b, d->element[1]);
    s.stiffness = a->contact_stiffness * b->contact_stiffness;
    if (s.distance != 0) s.stiffness /= s.distance;

    return st_list_push(&self->springs, s);
}

static st_status penality_contact_fill(st_contact_pair *pair, const st_intersection *method,
                                       const st_detections *found) {
    penalty *self = (penalty *)pair->response;
    self->springs.count = 0;

    // the nearest detection of each id
    bool ok = st_contact_pair_keep_nearest(pair, found) && st_contact_pair_begin(pair);
    for (size_t k = 0; ok && k < pair->kept.count; k++)
        ok = add_spring(self, pair, method, &found->list.data[pair->kept.data[k]]);

    if (ok && st_contact_pair_end(pair)) return ST_OK;

    self->springs.count = 0;
    st_message(pair->response, ST_ERROR, "out of memory: %zu contacts", found->list.count);
    return ST_OUT_OF_MEMORY;
}

static const st_force_ops force_ops = {.add_force = penality_contact_add_force,
                                       .stiffness = penality_contact_stiffness,
                                       .product = penality_contact_product,
                                       .potential = penality_contact_potential};
static bool penality_contact_report(const st_contact_pair *pair, size_t i, st_contact_report *r) {
    const penalty *self = (const penalty *)pair->response;
    const st_state *one = self->base.state, *two = self->base.other;
    if (i >= self->springs.count || !one || !two || !exists(&self->base, &self->springs.data[i])) return false;
    const spring *s = &self->springs.data[i];
    const st_real *x1 = one->coord[ST_COORD_POSITION].data, *x2 = two->coord[ST_COORD_POSITION].data;

    st_vec3_copy(r->point[0], x1 + 3 * (size_t)s->first);
    st_vec3_copy(r->point[1], x2 + 3 * (size_t)s->second);
    st_vec3_copy(r->normal, s->normal);
    r->gap = -penetration(s, x1, x2);
    if (r->gap < 0) st_vec3_scale(r->force, s->normal, -s->stiffness * r->gap);
    r->motion = r->gap < 0 ? ST_CONTACT_SLIDES : ST_CONTACT_OPEN;
    return true;
}

static const st_response_ops response_ops = {.connect = penality_contact_connect,
                                             .fill = penality_contact_fill,
                                             .clear = penality_contact_clear,
                                             .report = penality_contact_report};

const st_class st_penality_contact_force_field_class = {
    .name = "PenalityContactForceField",
    .help = "springs between contact points that are too near; as a collision response it makes them itself",
    .parent = &st_pair_force_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(penalty),
    .example = "<Node name=\"above\"><MechanicalObject name=\"dofs\" position=\"0 0.3 0  1 0.4 0.1\"/></Node>\n"
               "<Node name=\"below\"><MechanicalObject name=\"dofs\" position=\"0 0 0  1 0.1 0\"/></Node>\n"
               "<PenalityContactForceField object1=\"@below/dofs\" object2=\"@above/dofs\" "
               "contacts=\"0 0  0 1 0  0.5 20   1 1  0.6 0.8 0  0.4 30\"/>",
    .bwd_init = penality_contact_bwd_init,
    .destroy = penality_contact_destroy,
    .force = &force_ops,
    .response = &response_ops,
};
