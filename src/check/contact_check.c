// What often goes wrong in scenes with contacts. Nothing here is an error: each may be meant, and is a warning with the
// numbers and the cure.
//
//   1. methods: the contact distance is above the alarm distance, so that contacts begin where they already overlap
//   2. surfaces: neighbors turned against each other; closed with the normals inwards; nearly closed with holes
//   3. bodies that Lagrange multipliers are to push, without a constraint correction or without an integrator
//   4. models that overlap: triangles that cross, spheres, boxes and capsules closer than they may be
//
// SPDX-License-Identifier: Apache-2.0
#include "check/contact_check.h"

#include <stdio.h>
#include <stdlib.h>

#include "collision/collision_response.h"
#include "collision/sub_collision_pipeline.h"
#include "constraint/problem.h"
#include "math/vec3.h"
#include "plan/plan.h"

enum { MOST_PAIRS = 50000000 }; // of triangles whose boxes are compared: more take too long to be a check

typedef struct contact_check {
    st_scene *scene;
    st_plan *plan;
    st_collision_models models;
    ST_LIST(st_object *) pipelines, methods, phases, managers;
    st_pointer_table corrected; // states that a correction moves
    size_t problems;
    bool failed; // out of memory
} contact_check;

#define REPORT(check, object, ...) ((check)->problems++, st_message(object, ST_WARNING, __VA_ARGS__))

// ---------------------------------------------------------------------------------------------------
// Who is there
// ---------------------------------------------------------------------------------------------------

static bool enter_corrected(contact_check *c, const st_correction *correction) {
    for (size_t k = 0; k < correction->states.count; k++)
        if (!st_pointer_table_put(&c->corrected, correction->states.data[k], NULL, k)) return false;
    return true;
}

static void gather_objects(contact_check *c, const st_node *node) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *o = node->objects.data[i];
        bool ok = true;
        if (o->validity != ST_VALID) continue;

        // one object may play several roles
        if (st_has_role(o, ST_ROLE(collision_pipeline))) ok = st_list_push(&c->pipelines, o);
        if (st_has_role(o, ST_ROLE(intersection))) ok = ok && st_list_push(&c->methods, o);
        if (st_has_role(o, ST_ROLE(narrow_phase))) ok = ok && st_list_push(&c->phases, o);
        if (st_has_role(o, ST_ROLE(contact_manager))) ok = ok && st_list_push(&c->managers, o);
        if (st_has_role(o, ST_ROLE(correction))) ok = ok && enter_corrected(c, (const st_correction *)o);
        if (st_has_role(o, ST_ROLE(collision_model)) && st_collision_model_is_active((st_collision_model *)o))
            ok = ok && st_list_push(&c->models, (st_collision_model *)o);
        if (!ok) c->failed = true;
    }

    for (size_t i = 0; i < node->children.count; i++) gather_objects(c, node->children.data[i]);
}

// ---------------------------------------------------------------------------------------------------
// Methods
// ---------------------------------------------------------------------------------------------------

static void check_methods(contact_check *c) {
    for (size_t i = 0; i < c->methods.count; i++) {
        const st_intersection *m = (const st_intersection *)c->methods.data[i];
        if (m->sweep == ST_SWEEP_NONE && m->contact > m->alarm)
            REPORT(c, &m->object,
                   "contactDistance %g is above alarmDistance %g: contacts are found when they already overlap by the "
                   "difference, and push with a jerk; make the alarm distance larger",
                   (double)m->contact, (double)m->alarm);
    }
}

// ---------------------------------------------------------------------------------------------------
// Surfaces
// ---------------------------------------------------------------------------------------------------

typedef struct side {
    uint32_t low, high;
    bool forward; // from low to high
} side;

static int side_order(const void *a, const void *b) {
    const side *s = a, *t = b;
    if (s->low != t->low) return s->low < t->low ? -1 : 1;
    return s->high < t->high ? -1 : s->high > t->high;
}

typedef struct surface_sums {
    size_t borders, turned;
    bool twice; // edges with more than two triangles: a face has two, as in a grid with triangles and quads
    st_real volume, area, flux[3]; // Σ of the vectors of areas: 0 for a closed surface
} surface_sums;

static bool count_sides(const st_collision_model *m, surface_sums *sums) {
    side *sides = st_alloc(3 * m->count, sizeof *sides);
    if (!sides) return false;

    for (size_t i = 0; i < m->count; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t a = (uint32_t)st_corner(m, i, k), b = (uint32_t)st_corner(m, i, (k + 1) % 3);
            sides[3 * i + (size_t)k] = (side){a < b ? a : b, a < b ? b : a, a < b};
        }

    // equal edges next to each other
    qsort(sides, 3 * m->count, sizeof *sides, side_order);

    // alone: a border; two in the same direction: neighbors turned against each other
    for (size_t i = 0, end; i < 3 * m->count; i = end) {
        for (end = i + 1; end < 3 * m->count && side_order(&sides[i], &sides[end]) == 0;) end++;
        if (end - i == 1) sums->borders++;
        if (end - i > 2) sums->twice = true;
        if (end - i == 2 && sides[i].forward == sides[i + 1].forward) sums->turned++;
    }

    st_free(sides);
    return true;
}

static void add_areas(const st_collision_model *m, surface_sums *sums) {
    const st_real *origin = st_corner_position(m, 0, 0);
    for (size_t i = 0; i < m->count; i++) {
        st_real a[3], b[3], c[3], u[3], v[3], n[3];
        st_vec3_sub(a, st_corner_position(m, i, 0), origin);
        st_vec3_sub(b, st_corner_position(m, i, 1), origin);
        st_vec3_sub(c, st_corner_position(m, i, 2), origin);

        st_vec3_sub(u, b, a);
        st_vec3_sub(v, c, a);

        // n: twice the vector of the area; a·(b × c): six times the volume of the cone to the origin
        st_vec3_cross(n, u, v);
        sums->area += st_vec3_norm(n) / 2;
        for (int k = 0; k < 3; k++) sums->flux[k] += n[k] / 2;
        st_vec3_cross(n, b, c);
        sums->volume += st_vec3_dot(a, n) / 6;
    }
}

static void check_surface(contact_check *c, const st_collision_model *m) {
    if (m->primitive != ST_PRIMITIVE_TRIANGLE || m->count == 0) return;

    surface_sums sums = {0};
    if (!count_sides(m, &sums)) {
        c->failed = true;
        return;
    }
    add_areas(m, &sums);
    if (!isfinite(sums.area) || sums.twice || m->both_sides) return;

    if (sums.turned)
        REPORT(c, &m->object,
               "%zu edges have neighbors that are turned against each other: the normals of the surface "
               "point to both sides; turn the triangles, or give it bothSide=\"1\"",
               sums.turned);
    else if (!sums.borders && sums.volume < ST_R(-1e-6) * sums.area * sqrt(sums.area))
        REPORT(c, &m->object,
               "the normals of this closed surface point inwards (volume %g): right for a container; what "
               "touches a body from outside goes through. Use flipNormals of the loader",
               (double)sums.volume);

    // open, but going around: a sheet has areas that add up, a body with holes has not; those of turned triangles say nothing
    if (sums.borders && !sums.turned && st_vec3_norm(sums.flux) < ST_R(0.3) * sums.area)
        REPORT(c, &m->object,
               "the surface goes around a volume but has holes, %zu border edges: what comes through a hole "
               "is inside; close the mesh, or merge points at the same place",
               sums.borders);
}

// ---------------------------------------------------------------------------------------------------
// Corrections
// ---------------------------------------------------------------------------------------------------

static bool is_lagrangian(const contact_check *c, const char *response) {
    char name[64];

    if (!response || !*response) return false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(response, "?"), response);
    const st_class *type = st_registry_find(c->scene, name);
    return type && type->response && type->law;
}

static bool is_pushed_by_multipliers(const contact_check *c, const st_collision_model *m) {
    // its own response takes precedence over those of the managers
    if (m->contact_response && *m->contact_response) return is_lagrangian(c, m->contact_response);

    for (size_t i = 0; i < c->managers.count; i++)
        if (st_is_a(c->managers.data[i], &st_collision_response_class) &&
            is_lagrangian(c, ((const st_collision_response *)c->managers.data[i])->response))
            return true;
    return false;
}

static bool has_output(const st_mapping *mapping, const st_state *state) {
    for (size_t k = 0; k < mapping->output.count; k++)
        if ((const st_state *)mapping->output.data[k] == state) return true;
    return false;
}

// The independent states that carry a state, by the mappings above it: no mapping is met twice on the way up.
static void check_carriers(contact_check *c, const st_collision_model *m, const st_state *state, size_t depth) {
    bool mapped = false;

    // up through every mapping that moves it
    for (size_t i = 0; i < c->plan->all_mappings.count && depth < 64; i++) {
        const st_mapping *mapping = c->plan->all_mappings.data[i];
        if (!has_output(mapping, state)) continue;
        mapped = true;
        for (size_t k = 0; k < mapping->input.count; k++)
            if (mapping->input.data[k]) check_carriers(c, m, (const st_state *)mapping->input.data[k], depth + 1);
    }
    if (mapped || st_pointer_table_get(&c->corrected, state, NULL) != SIZE_MAX) return;

    // an independent state that no correction moves: integrated without one, or not at all
    if (st_find_slot(state->object.node, ST_ROLE(integrator)))
        REPORT(c, &m->object,
               "contacts are to push it by Lagrange multipliers, but %s has no constraint correction: add "
               "UncoupledConstraintCorrection or LinearSolverConstraintCorrection to its node",
               st_path(&state->object));
    else
        REPORT(c, &m->object, "nothing moves %s, which has no integrator: make it an obstacle with simulated=\"0\"",
               st_path(&state->object));
}

// ---------------------------------------------------------------------------------------------------
// Overlaps
// ---------------------------------------------------------------------------------------------------

typedef struct bounds {
    st_real low[3], high[3];
} bounds;

static bounds triangle_bounds(const st_collision_model *m, size_t i) {
    bounds b = {{ST_REAL_MAX, ST_REAL_MAX, ST_REAL_MAX}, {-ST_REAL_MAX, -ST_REAL_MAX, -ST_REAL_MAX}};
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++) {
            const st_real x = st_corner_position(m, i, k)[axis];
            b.low[axis] = st_min(b.low[axis], x);
            b.high[axis] = st_max(b.high[axis], x);
        }
    return b;
}

static bool bounds_meet(const bounds *a, const bounds *b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

static bounds model_bounds(const st_collision_model *m) {
    bounds all = triangle_bounds(m, 0);

    for (size_t i = 1; i < m->count; i++) {
        const bounds b = triangle_bounds(m, i);
        for (int k = 0; k < 3; k++) {
            all.low[k] = st_min(all.low[k], b.low[k]);
            all.high[k] = st_max(all.high[k], b.high[k]);
        }
    }
    return all;
}

// Does the segment p q go through the inside of triangle i? q - p = d, p + t d = a + u (b - a) + v (c - a).
static bool goes_through(const st_real p[3], const st_real q[3], const st_collision_model *m, size_t i) {
    const st_real *a = st_corner_position(m, i, 0), small = ST_R(1e-9);
    st_real d[3], e[3], f[3], h[3], s[3], g[3];

    // parallel to the plane, or without extent: no
    st_vec3_sub(d, q, p);
    st_vec3_sub(e, st_corner_position(m, i, 1), a);
    st_vec3_sub(f, st_corner_position(m, i, 2), a);
    st_vec3_cross(h, d, f);
    const st_real det = st_vec3_dot(e, h);
    if (!(fabs(det) > small * st_vec3_norm(d) * st_vec3_norm(e) * st_vec3_norm(f))) return false;

    // Cramer's rule
    st_vec3_sub(s, p, a);
    const st_real u = st_vec3_dot(s, h) / det;
    st_vec3_cross(g, s, e);
    const st_real v = st_vec3_dot(d, g) / det, t = st_vec3_dot(f, g) / det;

    return u > small && v > small && u + v < 1 - small && t > small && t < 1 - small;
}

static bool triangles_cross(const st_collision_model *a, size_t i, const st_collision_model *b, size_t j) {
    for (int k = 0; k < 3; k++)
        if (goes_through(st_corner_position(a, i, k), st_corner_position(a, i, (k + 1) % 3), b, j) ||
            goes_through(st_corner_position(b, j, k), st_corner_position(b, j, (k + 1) % 3), a, i))
            return true;
    return false;
}

// Triangles of a model that reach into a box.
static bool list_within(const st_collision_model *m, const bounds *box, st_uints *list) {
    for (size_t i = 0; i < m->count; i++) {
        const bounds b = triangle_bounds(m, i);
        if (bounds_meet(&b, box) && !st_list_push(list, (uint32_t)i)) return false;
    }
    return true;
}

static void check_crossing(contact_check *c, const st_collision_model *a, const st_collision_model *b) {
    const bounds box[2] = {model_bounds(a), model_bounds(b)};
    st_uints list[2] = {{0}, {0}};

    // only what reaches into the box of the other model
    if (!bounds_meet(&box[0], &box[1])) return;
    if (!list_within(a, &box[1], &list[0]) || !list_within(b, &box[0], &list[1])) c->failed = true;

    // the first pair that crosses is enough
    bool found = c->failed || (list[1].count && list[0].count > MOST_PAIRS / list[1].count);
    for (size_t i = 0; i < list[0].count && !found; i++) {
        const bounds one = triangle_bounds(a, list[0].data[i]);
        for (size_t j = 0; j < list[1].count && !found; j++) {
            const bounds other = triangle_bounds(b, list[1].data[j]);
            found = bounds_meet(&one, &other) && triangles_cross(a, list[0].data[i], b, list[1].data[j]);
            if (found)
                REPORT(c, &a->object,
                       "it starts inside of %s: triangle %u goes through triangle %u there; move them apart",
                       st_path(&b->object), (unsigned)list[0].data[i], (unsigned)list[1].data[j]);
        }
    }

    st_list_free(&list[0]);
    st_list_free(&list[1]);
}

static bool can_touch(const st_collision_model *a, const st_collision_model *b) {
    return (a->simulated || b->simulated) && st_models_can_collide(a, b);
}

// Elements with an inside: the detection knows how deep they are in each other.
static bool has_inside(const st_collision_model *m) {
    return m->primitive == ST_PRIMITIVE_SPHERE || m->primitive == ST_PRIMITIVE_RIGID_SPHERE ||
           m->primitive == ST_PRIMITIVE_BOX || m->primitive == ST_PRIMITIVE_CAPSULE ||
           m->primitive == ST_PRIMITIVE_RIGID_CAPSULE || m->primitive == ST_PRIMITIVE_RIGID_GRID;
}

// Of what the detection finds: value = distance - contact distance - radii.
static void check_detections(contact_check *c, const st_intersection *method, const st_model_detections *pair) {
    const st_collision_model *a = pair->model[0], *b = pair->model[1];
    if (!has_inside(a) && !has_inside(b)) return;

    // gap = value + contact distance: below 0 the bodies themselves overlap
    const st_real skin = st_contact_of(method, a, b);
    st_real deepest = 0;
    size_t count = 0;
    for (size_t i = 0; i < pair->found.list.count; i++) {
        const st_real gap = pair->found.list.data[i].value + skin;
        if (!(gap < ST_R(-1e-9))) continue;
        deepest = st_min(deepest, gap);
        count++;
    }

    if (count)
        REPORT(c, &a->object, "it starts inside of %s: %zu contacts overlap, by up to %g; move them apart",
               st_path(&b->object), count, (double)-deepest);
}

static st_status check_overlaps(contact_check *c) {
    // surfaces by their triangles
    for (size_t i = 0; i < c->models.count; i++)
        for (size_t j = 0; j < i; j++) {
            const st_collision_model *a = c->models.data[i], *b = c->models.data[j];
            if (a->primitive == ST_PRIMITIVE_TRIANGLE && b->primitive == ST_PRIMITIVE_TRIANGLE && a->count &&
                b->count && can_touch(a, b))
                check_crossing(c, a, b);
        }

    // spheres, boxes and capsules by what the detection found; with several methods it is not known whose it is
    for (size_t i = 0; i < c->phases.count && c->methods.count == 1; i++) {
        const st_narrow_phase *phase = (const st_narrow_phase *)c->phases.data[i];
        const st_intersection *method = (const st_intersection *)c->methods.data[0];
        for (size_t k = 0; k < phase->outputs.count && method->sweep == ST_SWEEP_NONE; k++)
            check_detections(c, method, phase->outputs.data[k]);
    }
    return c->failed ? ST_OUT_OF_MEMORY : ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// All
// ---------------------------------------------------------------------------------------------------

static st_status check_scene(contact_check *c) {
    // the elements and contacts of this moment
    for (size_t i = 0; i < c->pipelines.count; i++) {
        const st_status status = c->pipelines.data[i]->type->collision_pipeline->detect(c->pipelines.data[i]);
        if (status != ST_OK) return status;
    }

    // what it is made of, then what is in each other
    check_methods(c);
    for (size_t i = 0; i < c->models.count; i++) {
        const st_collision_model *m = c->models.data[i];
        check_surface(c, m);
        if (m->simulated && m->state && is_pushed_by_multipliers(c, m)) check_carriers(c, m, m->state, 0);
    }
    return check_overlaps(c);
}

st_status st_check_contacts(st_scene *scene, size_t *problems) {
    contact_check c = {.scene = scene, .plan = scene->root ? st_plan_of(scene->root) : NULL};
    *problems = 0;
    if (!c.plan) return ST_INVALID;

    // without a pipeline nothing touches
    gather_objects(&c, scene->root);
    st_status status = c.failed ? ST_OUT_OF_MEMORY : ST_OK;
    if (status == ST_OK && c.pipelines.count) status = check_scene(&c);
    *problems = c.problems;

    st_list_free(&c.models);
    st_list_free(&c.pipelines);
    st_list_free(&c.methods);
    st_list_free(&c.phases);
    st_list_free(&c.managers);
    st_pointer_table_free(&c.corrected);
    return status;
}
