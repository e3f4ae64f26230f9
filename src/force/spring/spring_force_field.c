// SpringForceField: springs listed in the scene, in one state or between two. The formulas are in spring.h.
//
// Springs come from `spring` and the file, five numbers each; else from the lists of end points, stiffnesses, dampings
// and lengths, where a list that is too short goes on with its last value. Whichever is written last counts.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/spring.h"
#include "scene/scene.h"
#include "settee/plugin/change.h"
#include "topology/xsp.h"

static const char *const draw_modes[] = {"Line", "Cylinder", "Arrow", NULL};

static const st_field fields[] = {
    ST_FIELD(st_spring_force, spring, "spring", st_type_springs, NULL,
             "springs: index in object1, index in object2, stiffness, damping, rest length", .flags = ST_FIELD_TRACKED,
             .mesh = ST_WITH_MESH),
    ST_FIELD(st_spring_force, indices1, "springsIndices1", st_type_indices, NULL,
             "first ends, when spring is not given", .aliases = "indices1", .flags = ST_FIELD_TRACKED,
             .mesh = ST_ROWS_OF_FIRST),
    ST_FIELD(st_spring_force, indices2, "springsIndices2", st_type_indices, NULL, "second ends", .aliases = "indices2",
             .flags = ST_FIELD_TRACKED, .mesh = ST_ROWS_OF_SECOND),
    ST_FIELD(st_spring_force, stiffness, "stiffness", st_type_reals, "100", "one per spring, or one for all",
             .flags = ST_FIELD_TRACKED, .mesh = ST_ROWS),
    ST_FIELD(st_spring_force, damping, "damping", st_type_reals, "5", "one per spring, or one for all",
             .flags = ST_FIELD_TRACKED, .mesh = ST_ROWS),
    ST_FIELD(st_spring_force, lengths, "lengths", st_type_reals, NULL, "rest lengths; 0 when not given",
             .aliases = "length", .flags = ST_FIELD_TRACKED, .mesh = ST_ROWS),
    ST_FIELD(st_spring_force, elongation_only, "elongationOnly", st_type_bools, "0",
             "the spring does not resist compression; one per spring, or one for all", .flags = ST_FIELD_TRACKED,
             .mesh = ST_ROWS),
    ST_FIELD(st_spring_force, enabled, "enabled", st_type_bools, "1", "one per spring, or one for all",
             .flags = ST_FIELD_TRACKED, .mesh = ST_ROWS),
    ST_FIELD(st_spring_force, file, "fileSprings", st_type_file, NULL, "Xsp file with further springs"),
    ST_FIELD(st_spring_force, arrow_size, "showArrowSize", st_type_real, "0.01", "size of what is drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(st_spring_force, draw_mode, "drawMode", st_type_option, "0", "how springs are drawn",
             .flags = ST_FIELD_DISPLAY, .options = draw_modes),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// From five numbers each
// ---------------------------------------------------------------------------------------------------

static st_status append_file(st_spring_force *force) {
    st_object *object = &force->base.object;
    if (!force->file || !*force->file) return ST_OK;

    st_xsp xsp = {0};
    st_status status = ST_OK;
    st_xsp_read(object, force->file, &xsp);

    // appended to those of the scene
    const size_t first = force->spring.count;
    if (!st_resize_member(object, &force->spring, first + xsp.springs.count)) status = ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < xsp.springs.count && status == ST_OK; i++) {
        const st_xsp_spring *s = &xsp.springs.data[i];
        const st_real five[5] = {(st_real)s->a, (st_real)s->b, s->stiffness, s->damping, s->length};
        for (size_t j = 0; j < 5; j++) force->spring.data[5 * (first + i) + j] = five[j];
    }

    st_touch(object, &force->spring);
    st_xsp_free(&xsp);
    return status;
}

// A number that is no index becomes one that is out of range, and is reported as such when the spring is used.
static uint32_t to_index(st_real value) {
    return value >= 0 && value < (st_real)4294967295.0 ? (uint32_t)value : ST_INVALID_INDEX;
}

// The other lists show the same springs.
static bool fill_lists(st_spring_force *force) {
    st_object *object = &force->base.object;
    const size_t n = force->spring.count;

    // all lists get the same length
    if (!st_resize_member(object, &force->indices1, n) || !st_resize_member(object, &force->indices2, n) ||
        !st_resize_member(object, &force->stiffness, n) || !st_resize_member(object, &force->damping, n) ||
        !st_resize_member(object, &force->lengths, n) || !st_resize_member(object, &force->elongation_only, n) ||
        !st_resize_member(object, &force->enabled, n))
        return false;

    // index, index, stiffness, damping, length
    for (size_t i = 0; i < n; i++) {
        const st_real *five = force->spring.data + 5 * i;
        force->indices1.data[i] = to_index(five[0]);
        force->indices2.data[i] = to_index(five[1]);
        force->stiffness.data[i] = five[2];
        force->damping.data[i] = five[3];
        force->lengths.data[i] = five[4];
        force->elongation_only.data[i] = false;
        force->enabled.data[i] = true;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// From lists
// ---------------------------------------------------------------------------------------------------

// Makes the list n long by repeating its last value, `empty_value` when it has none. Reported when the scene gave it.
#define EXTEND(force, list, n, name, empty_value)                                                                      \
    do {                                                                                                               \
        const size_t had = (list)->count;                                                                              \
        if (had != (n) && st_is_set(&(force)->base.object, (list))) report_size((force), (name), had, (n));            \
        if (!st_resize_member(&(force)->base.object, (list), (n))) return false;                                       \
        for (size_t i_ = had; i_ < (n); i_++) (list)->data[i_] = had ? (list)->data[had - 1] : (empty_value);          \
    } while (0)

static void report_size(const st_spring_force *force, const char *name, size_t had, size_t n) {
    st_message(&force->base.object, ST_WARNING, "%s has %zu values for %zu springs: %s", name, had, n,
               had < n ? "the last one is repeated" : "the surplus is ignored");
}

static bool extend_lists(st_spring_force *force) {
    const size_t n = force->indices1.count;
    if (n == 0) return true;

    EXTEND(force, &force->stiffness, n, "stiffness", 0);
    EXTEND(force, &force->damping, n, "damping", 0);
    EXTEND(force, &force->lengths, n, "lengths", 0);
    EXTEND(force, &force->elongation_only, n, "elongationOnly", false);
    EXTEND(force, &force->enabled, n, "enabled", true);
    return true;
}

static bool spring_make_springs(st_spring_force *force) {
    force->kernel.springs.count = 0;

    for (size_t i = 0; i < force->indices1.count; i++) {
        const st_spring spring = {.a = force->indices1.data[i],
                                  .b = force->indices2.data[i],
                                  .stiffness = force->stiffness.data[i],
                                  .damping = force->damping.data[i],
                                  .length = force->lengths.data[i],
                                  .elongation_only = force->elongation_only.data[i],
                                  .enabled = force->enabled.data[i]};

        if (!st_springs_add(&force->kernel, spring)) return false;
    }
    return true;
}

st_status st_springs_from_fields(st_spring_force *force) {
    force->kernel.springs.count = 0;

    // numbers that were written since the last time take precedence over the lists
    const uint32_t count = st_change_count(&force->base.object, &force->spring);
    if (count != force->spring_seen && !fill_lists(force)) return ST_OUT_OF_MEMORY;
    force->spring_seen = count;

    if (force->indices1.count != force->indices2.count) {
        st_message(&force->base.object, ST_ERROR,
                   "springsIndices1 has %zu values and springsIndices2 %zu: there are no "
                   "springs",
                   force->indices1.count, force->indices2.count);
        return ST_OK;
    }

    return extend_lists(force) && spring_make_springs(force) ? ST_OK : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------------

static st_status spring_init(st_object *object) {
    st_spring_force *force = (st_spring_force *)object;
    st_status status = st_pair_force_class.init(object);
    if (status == ST_OK && !force->file_read) status = append_file(force);
    force->file_read = true;
    if (status == ST_OK) status = st_springs_from_fields(force);
    return status;
}

// The lists follow their points by declaration; five numbers a spring would bring the former points back.
static void spring_edited(st_object *object, const st_edits *edits) {
    st_spring_force *force = (st_spring_force *)object;
    if (!st_edits_move_points(edits, force->base.state) && !st_edits_move_points(edits, force->base.other)) return;
    force->spring.count = 0;
    if (!spring_make_springs(force)) st_message(object, ST_ERROR, "out of memory: springs");
}

static void spring_changed(st_object *object) {
    if (st_is_valid(object)) st_springs_from_fields((st_spring_force *)object);
}

static void spring_add_force(st_force *base, const st_params *params) {
    st_springs_evaluate(&((st_spring_force *)base)->kernel, &base->object, base->state, base->other, params);
}

static void spring_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_springs_blocks(&((st_spring_force *)base)->kernel, base->state, base->other, k);
}

static void spring_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    st_springs_multiply(&((st_spring_force *)base)->kernel, base->state, base->other, params, k);
}

static st_real spring_potential(st_force *base, const st_params *params) {
    return st_springs_energy(&((st_spring_force *)base)->kernel, base->state, base->other, params);
}

static void spring_draw(st_object *object, st_canvas *canvas) {
    const st_spring_force *force = (const st_spring_force *)object;
    st_springs_show(&force->kernel, force->base.state, force->base.other, canvas);
}

static void spring_destroy(st_object *object) { st_springs_free(&((st_spring_force *)object)->kernel); }

static const st_force_ops force_ops = {
    .add_force = spring_add_force,
    .stiffness = spring_stiffness,
    .product = spring_product,
    .potential = spring_potential,
};

const st_class st_spring_force_field_class = {
    .name = "SpringForceField",
    .help = "linear springs with dampers between pairs of degrees of freedom",
    .parent = &st_pair_force_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid3",
    .fields = fields,
    .size = sizeof(st_spring_force),
    .example = "<MechanicalObject position=\"0 0 0  1.2 0.1 0  1 1 0.3\"/>\n"
               "<SpringForceField springsIndices1=\"0 1 0\" springsIndices2=\"1 2 2\" stiffness=\"100 80 50\"\n"
               "    damping=\"2 1 0\" lengths=\"1 1.1 1.2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
    .init = spring_init,
    .edited = spring_edited,
    .changed = spring_changed,
    .draw = spring_draw,
    .destroy = spring_destroy,
    .force = &force_ops,
};

const st_field st_parallel_spring_fields[] = {
    ST_FIELD(st_spring_force, threads, "nbThreads", st_type_int, "0", "a hint to threads", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(st_spring_force, task_scheduler, "taskSchedulerType", st_type_string, NULL, "a hint to threads",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

// In SOFA the variant with threads, which changes the order of sums only.
const st_class st_parallel_spring_force_field_class = {
    .name = "ParallelSpringForceField",
    .help = "linear springs with dampers between pairs of degrees of freedom; same as SpringForceField",
    .parent = &st_spring_force_field_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid3",
    .fields = st_parallel_spring_fields,
    .size = sizeof(st_spring_force),
    .example = "<MechanicalObject position=\"0 0 0  1.2 0.1 0  1 1 0.3\"/>\n"
               "<ParallelSpringForceField springsIndices1=\"0 1 0\" springsIndices2=\"1 2 2\" stiffness=\"100 80 50\"\n"
               "    damping=\"2 1 0\" lengths=\"1 1.1 1.2\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_TANGENT_AT_REST,
};
