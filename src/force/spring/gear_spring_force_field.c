// GearSpringForceField: pairs of gears. Each gear, a child, turns about one axis of its support, its parent, and the
// turns of two gears are coupled by a ratio.
//
//     each side:   fT = kT (c_parent - c_child) + kd (v_parent - v_child)
//                  torque = kR_hard α + kd (ω_parent - ω_child),   α turns the axis of the child onto the parent's
//     coupling:    F = kR_soft (-θ1 ratio - θ2);   torque of child 1 += axis1 F,  of child 2 += axis2 F / ratio
//
// θ is the turn of a child about its axis, counted over whole turns. A gear that is its own parent is held in the frame
// that it has at the start. The derivative is kT, kR_hard across the axis, and the coupling about it, with frozen axes.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/spring/rigid_springs.h"
#include "force/spring/spring_records.h"
#include "math/quat.h"

enum { AXIS, KS_T = AXIS + 2, KS_R, KD = KS_R + 2, RATIO };

typedef struct gear {
    st_real start[2][7]; // frames of gears that are their own parents
    st_real angle[2];    // turns so far
    st_real axis[2][3];  // at the last evaluation
    st_real soft, ratio;
    uint32_t child[2];
    bool acts;
} gear;

typedef struct gear_springs {
    st_force base;
    char *text, *filename;
    st_real period, show_size;
    bool reinit;

    st_spring_records springs;
    ST_LIST(gear) gears;          // one for each spring
    st_rigid_springs supports[2]; // of the gears in either state
} gear_springs;

static const st_field fields[] = {
    ST_FIELD(gear_springs, text, "spring", st_type_string, NULL,
             "BEGIN_SPRING parent1 child1 parent2 child2 [AXIS a1 a2] [KS_T k] [KS_R soft hard] [KD d] [RATIO r] "
             "END_SPRING ..."),
    ST_FIELD(gear_springs, filename, "filename", st_type_string, NULL, "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(gear_springs, period, "period", st_type_real, "0", "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(gear_springs, reinit, "reinit", st_type_bool, "0", "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(gear_springs, show_size, "showFactorSize", st_type_real, "1", "size of what is drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static const st_record_keyword keywords[] = {{"AXIS", 2, AXIS}, {"KS_T", 1, KS_T},   {"KS_R", 2, KS_R},
                                             {"KD", 1, KD},     {"RATIO", 1, RATIO}, {NULL, 0, 0}};
static const st_real defaults[ST_RECORD_VALUES] = {
    [KS_T] = 10000, [KS_R] = 10000, [KS_R + 1] = 10000, [KD] = 10000, [RATIO] = 1};
static const st_record_grammar grammar = {.indices = 4, .keywords = keywords, .defaults = defaults};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool can_act(const st_force *base, const st_spring_record *s) {
    const size_t one = base->state->size, two = base->other->size;
    if (s->index[0] >= one || s->index[1] >= one || s->index[2] >= two || s->index[3] >= two) return false;

    for (int i = 0; i < 2; i++)
        if (!(s->values[AXIS + i] >= 0 && s->values[AXIS + i] < 3)) return false;
    return s->values[RATIO] != 0;
}

static st_status gear_spring_init(st_object *object) {
    gear_springs *force = (gear_springs *)object;
    const st_status status = st_pair_force_class.init(object);
    if (status != ST_OK) return status;

    if (!st_spring_records_read(object, force->text, &grammar, &force->springs)) return ST_OUT_OF_MEMORY;
    force->gears.count = 0;

    for (size_t i = 0; i < force->springs.count; i++) {
        const st_spring_record *s = &force->springs.data[i];
        gear g = {.soft = s->values[KS_R],
                  .ratio = s->values[RATIO],
                  .child = {s->index[1], s->index[3]},
                  .acts = can_act(&force->base, s)};

        // a gear that cannot act keeps its place in the list, and is skipped
        if (!g.acts)
            st_message(
                object, ST_ERROR,
                "gear %zu has DOFs that do not exist, an axis other than 0, 1 and 2, or ratio 0: it does not act", i);

        if (!st_list_push(&force->gears, g)) return ST_OUT_OF_MEMORY;
    }
    return ST_OK;
}

// Frames at the start; turns are counted from there.
static st_status gear_spring_bwd_init(st_object *object) {
    gear_springs *force = (gear_springs *)object;
    const st_state *states[2] = {force->base.state, force->base.other};

    for (size_t i = 0; i < force->gears.count; i++) {
        gear *g = &force->gears.data[i];
        for (int side = 0; side < 2 && g->acts; side++) {
            const st_real *x = states[side]->coord[ST_COORD_POSITION].data + 7 * (size_t)g->child[side];
            memcpy(g->start[side], x, sizeof g->start[side]);
            g->angle[side] = 0;
        }
    }
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Force
// ---------------------------------------------------------------------------------------------------

static void unit_axis(st_real u[3], const st_real q[4], int axis) {
    st_real e[3] = {0, 0, 0};
    e[axis] = 1;
    st_quat_rotate(u, q, e);
}

// The rotation vector that turns the unit vector a onto b.
static void turn_between(st_real turn[3], const st_real a[3], const st_real b[3]) {
    st_vec3_cross(turn, a, b);
    const st_real sine = st_vec3_norm(turn), angle = atan2(sine, st_vec3_dot(a, b));

    if (sine > ST_REAL_EPSILON) st_vec3_scale(turn, turn, angle / sine);
    else st_vec3_zero(turn);
}

// How far the child has turned about its axis: mean of the turns of its two other axes.
static st_real gear_spring_turned(const st_real parent[4], const st_real child[4], int axis, const st_real u[3]) {
    st_real sum = 0;
    for (int k = 1; k < 3; k++) {
        st_real a[3], b[3], turn[3];
        unit_axis(a, parent, (axis + k) % 3);
        unit_axis(b, child, (axis + k) % 3);
        turn_between(turn, a, b);

        // positive the way round that the axis has
        const st_real angle = st_vec3_norm(turn);
        sum += st_vec3_dot(turn, u) < 0 ? -angle : angle;
    }
    return sum / 2;
}

// Goes on counting where the angle jumps from one side of half a turn to the other.
static st_real unwrap(st_real angle, st_real last) { return angle - 2 * ST_PI * round((angle - last) / (2 * ST_PI)); }

// One gear on its support.
static void support(gear_springs *force, size_t i, int side, const st_params *params) {
    const st_spring_record *s = &force->springs.data[i];
    const st_state *state = side ? force->base.other : force->base.state;
    gear *g = &force->gears.data[i];
    const uint32_t parent = s->index[2 * side], child = s->index[2 * side + 1];
    const bool anchored = parent == child;
    const int axis = (int)s->values[AXIS + side];

    // frames and velocities of child and parent
    const st_real *xc = st_x(state, params) + 7 * (size_t)child, *vc = st_v(state, params) + 6 * (size_t)child;
    const st_real *xp = anchored ? g->start[side] : st_x(state, params) + 7 * (size_t)parent;
    const st_real *vp = st_v(state, params) + 6 * (size_t)parent;

    st_real push[6], u[3], hard[3], full[3];

    // the push of the support: kT along, kR_hard onto its axis, and the damper
    unit_axis(g->axis[side], xc + 3, axis);
    unit_axis(u, xp + 3, axis);
    turn_between(push + 3, g->axis[side], u);
    for (int j = 0; j < 3; j++) push[j] = (xp[j] - xc[j]) * s->values[KS_T];
    for (int j = 3; j < 6; j++) push[j] *= s->values[KS_R + 1];
    for (int j = 0; j < 6; j++) push[j] += ((anchored ? 0 : vp[j]) - vc[j]) * s->values[KD];

    for (int j = 0; j < 6; j++) st_f(state, params)[6 * (size_t)child + (size_t)j] += push[j];
    for (int j = 0; j < 6 && !anchored; j++) st_f(state, params)[6 * (size_t)parent + (size_t)j] -= push[j];

    g->angle[side] = unwrap(gear_spring_turned(xp + 3, xc + 3, axis, u), g->angle[side]);

    // the derivative: kT along all axes, kR_hard across the own one
    for (int j = 0; j < 3; j++) {
        hard[j] = j == axis ? 0 : s->values[KS_R + 1];
        full[j] = s->values[KS_T];
    }

    st_rigid_spring tangent = {.a = child, .b = parent, .anchored = anchored};
    st_mat3_diagonal(tangent.linear, full[0], full[1], full[2]);
    st_rigid_spring_matrix(tangent.angular, xc + 3, hard);
    force->supports[side].data[force->supports[side].count++] = tangent;
}

// F = kR_soft (-θ1 ratio - θ2)
static void gear_spring_couple(const gear *g, const st_state *one, const st_state *two, const st_params *params) {
    const st_real push = (-g->angle[0] * g->ratio - g->angle[1]) * g->soft;

    st_real *f1 = st_f(one, params) + 6 * (size_t)g->child[0] + 3,
            *f2 = st_f(two, params) + 6 * (size_t)g->child[1] + 3;

    st_vec3_add_scaled(f1, f1, g->axis[0], push);
    st_vec3_add_scaled(f2, f2, g->axis[1], push / g->ratio);
}

static bool gear_spring_in_range(const st_force *base, const gear *g) {
    return g->acts && g->child[0] < base->state->size && g->child[1] < base->other->size;
}

static void gear_spring_add_force(st_force *base, const st_params *params) {
    gear_springs *force = (gear_springs *)base;
    if (!base->state || !base->other) return;

    // as many as there are gears at most: no allocation once it was so many
    for (int side = 0; side < 2; side++) {
        force->supports[side].count = 0;
        if (!st_list_reserve(&force->supports[side], force->gears.count, 1)) return;
    }

    for (size_t i = 0; i < force->gears.count; i++) {
        if (!gear_spring_in_range(base, &force->gears.data[i]) || !can_act(base, &force->springs.data[i])) continue;
        support(force, i, 0, params);
        support(force, i, 1, params);
        gear_spring_couple(&force->gears.data[i], base->state, base->other, params);
    }
}

// ---------------------------------------------------------------------------------------------------
// Derivative
// ---------------------------------------------------------------------------------------------------

// Block of ∂(torque of child i)/∂(turn of child j): -soft c axis_i axis_jᵀ with c = r, 1; 1, 1/r.
static void coupling_block(const gear *g, int i, int j, st_real block[9]) {
    const st_real factor = i == j ? (i == 0 ? g->ratio : 1 / g->ratio) : 1;
    st_mat3_outer(block, g->axis[i], g->axis[j]);
    st_mat3_scale(block, block, -g->soft * factor);
}

static void gear_spring_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    const gear_springs *force = (const gear_springs *)base;
    const st_state *states[2] = {base->state, base->other};
    (void)params;
    if (!base->state || !base->other) return;

    for (int side = 0; side < 2; side++) st_rigid_springs_blocks(&force->supports[side], states[side], states[side], k);

    // the coupling, between all pairs of the two children
    for (size_t n = 0; n < force->gears.count; n++)
        for (int ij = 0; ij < 4 && gear_spring_in_range(base, &force->gears.data[n]); ij++) {
            const gear *g = &force->gears.data[n];
            const int i = ij / 2, j = ij % 2;
            st_real block[9];
            coupling_block(g, i, j, block);
            st_add_3x3(st_stiffness_between(k, states[i], states[j]), 6 * (size_t)g->child[i] + 3,
                       6 * (size_t)g->child[j] + 3, block);
        }
}

static void gear_spring_product(st_force *base, const st_params *params, st_real k, st_real b) {
    const gear_springs *force = (const gear_springs *)base;
    const st_state *states[2] = {base->state, base->other};
    (void)b;
    if (!base->state || !base->other) return;

    for (int side = 0; side < 2; side++)
        st_rigid_springs_product(&force->supports[side], states[side], states[side], params, k);

    for (size_t n = 0; n < force->gears.count; n++)
        for (int ij = 0; ij < 4 && gear_spring_in_range(base, &force->gears.data[n]); ij++) {
            const gear *g = &force->gears.data[n];
            const int i = ij / 2, j = ij % 2;
            st_real block[9], d[3], *df = st_df(states[i], params) + 6 * (size_t)g->child[i] + 3;

            coupling_block(g, i, j, block);
            st_mat3_times_vec(d, block, st_dx(states[j], params) + 6 * (size_t)g->child[j] + 3);
            st_vec3_add_scaled(df, df, d, k);
        }
}

static void gear_spring_destroy(st_object *object) {
    gear_springs *force = (gear_springs *)object;
    st_list_free(&force->springs);
    st_list_free(&force->gears);
    for (int side = 0; side < 2; side++) st_list_free(&force->supports[side]);
}

static const st_force_ops force_ops = {
    .add_force = gear_spring_add_force, .stiffness = gear_spring_stiffness, .product = gear_spring_product};

const st_class st_gear_spring_force_field_class = {
    .name = "GearSpringForceField",
    .help = "pairs of gears, as springs",
    .parent = &st_pair_force_class,
    .templates = "Rigid3",
    .fields = fields,
    .size = sizeof(gear_springs),
    .example = "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1\"/>\n"
               "<GearSpringForceField spring=\"BEGIN_SPRING 0 0 1 1 AXIS 1 1 KS_T 200 KS_R 50 100 KD 1 RATIO 2 "
               "END_SPRING\"/>",
    .flags = ST_CLASS_EXPLICIT_DAMPING | ST_CLASS_APPROXIMATE_TANGENT,
    .init = gear_spring_init,
    .bwd_init = gear_spring_bwd_init,
    .destroy = gear_spring_destroy,
    .force = &force_ops,
};
