// A derivative K = ∂f/∂x is checked along random directions d:
//
//     (f(x ⊕ h d) − f(x ⊕ −h d)) / 2h   against   K d,
//
// which costs a few evaluations for any size. Where a component declares a gap (its velocity part is explicit, its
// tangent holds at rest only) the check is made where the derivative is exact, and says so. A force that does nothing at
// the present state is looked for elsewhere: with its points moved at random, and together along the axes. So is one that has
// a kink at the present state, such as a spring of length 0 or a contact that begins: differences from both sides differ
// there, and neither is the derivative. What is never active and smooth is reported as untested, by an error that is NaN.
//
// A potential energy E is checked at rest by (E(x ⊕ h d) − E(x ⊕ −h d)) / 2h against −f · d.
//
// SPDX-License-Identifier: Apache-2.0
#include "check/derivative_check.h"

#include "math/real.h"
#include "plan/plan.h"
#include "scene/scene.h"

enum { DIRECTIONS = 3, VECTORS = 6, PLACES = 12 };

// Vectors of the check on the one or two states of a force.
typedef struct trial {
    st_force *force;
    st_state *states[2];
    int state_count;
    st_coord_id x;       // displaced positions
    st_deriv_id v;       // displaced velocities
    st_deriv_id f, plus; // forces at both ends of a difference
    st_deriv_id direction, product;
    st_deriv_id offset; // from the present state to that of the check
    uint64_t random;
    bool at_rest; // velocities taken as zero
} trial;

static st_real next_random(trial *t) { // xorshift, in [-1, 1]
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    return (st_real)((double)(t->random >> 11) / 4503599627370496.0 - 1.0);
}

static size_t derivative_check_scalars(const st_state *s) { return s->size * st_state_dof(s)->deriv; }
static st_real *derivative_check_vector(const st_state *s, st_deriv_id id) {
    return st_deriv_list(s, id.index, ST_DERIV_DX)->data;
}

static bool derivative_check_prepare(trial *t, st_force *force) {
    st_scene *scene = force->object.scene;
    *t = (trial){.force = force, .random = 88172645463325252ULL, .states = {force->state}, .state_count = 1};
    if (force->other && force->other != force->state) t->states[t->state_count++] = force->other;

    // ids of its own: the vectors of the state stay as they are
    t->x.index = ST_COORD_DYNAMIC + scene->coord_ids++;
    st_deriv_id *ids[] = {&t->v, &t->f, &t->plus, &t->direction, &t->product, &t->offset};
    bool ok = true;
    for (size_t k = 0; k < VECTORS; k++) ids[k]->index = ST_DERIV_DYNAMIC + scene->deriv_ids++;

    for (int i = 0; ok && i < t->state_count; i++) {
        ok = st_state_make_coord(t->states[i], t->x);
        for (size_t k = 0; ok && k < VECTORS; k++) ok = st_state_make_deriv(t->states[i], *ids[k]);
    }

    return ok;
}

// The ids go back: nobody else took one meanwhile. What was never made is not there to be freed.
static void derivative_check_finish(trial *t) {
    st_scene *scene = t->force->object.scene;
    scene->coord_ids--;
    scene->deriv_ids -= VECTORS;

    for (int i = 0; i < t->state_count; i++) {
        st_state *s = t->states[i];
        st_state_free_further(&s->more_coord, t->x.index, 1);
        st_state_free_further(&s->more_deriv, t->v.index, VECTORS);
    }
}

static st_params params_of(const trial *t, st_deriv_id f) {
    st_params p = st_default_params();
    p.dt = t->force->object.node->dt;
    p.x = st_read_coord(t->x);
    p.v = st_read_deriv(t->v);
    p.f = f;
    p.dx = st_read_deriv(t->direction);
    p.df = t->product;
    return p;
}

static void derivative_check_clear(trial *t, st_deriv_id id) {
    for (int i = 0; i < t->state_count; i++)
        memset(derivative_check_vector(t->states[i], id), 0, derivative_check_scalars(t->states[i]) * sizeof(st_real));
}

// x and v displaced by k times the direction.
static void derivative_check_displace(trial *t, st_real k, bool positions) {
    for (int i = 0; i < t->state_count; i++) {
        const st_state *s = t->states[i];
        const st_dof *dof = st_state_dof(s);
        st_real *x = st_coord_list(s, t->x.index, ST_COORD_POSITION)->data, *v = derivative_check_vector(s, t->v);
        const st_real *d = derivative_check_vector(s, t->direction), *o = derivative_check_vector(s, t->offset);

        // the present positions and velocities
        st_copy_reals(x, s->coord[ST_COORD_POSITION].data, s->size * dof->coord);
        if (t->at_rest || s->deriv[ST_DERIV_VELOCITY].count != s->size)
            memset(v, 0, derivative_check_scalars(s) * sizeof(st_real));
        else st_copy_reals(v, s->deriv[ST_DERIV_VELOCITY].data, derivative_check_scalars(s));

        // x ⊕ offset ⊕ k d, or v + k d
        for (size_t n = 0; n < s->size; n++) st_dof_add(dof, x + n * dof->coord, o + n * dof->deriv, 1);
        if (positions)
            for (size_t n = 0; n < s->size; n++) st_dof_add(dof, x + n * dof->coord, d + n * dof->deriv, k);
        else
            for (size_t n = 0; n < derivative_check_scalars(s); n++) v[n] += k * d[n];
    }
}

static void derivative_check_evaluate(trial *t, st_deriv_id f) {
    const st_params p = params_of(t, f);
    derivative_check_clear(t, f);
    t->force->object.type->force->add_force(t->force, &p);
}

static st_real length_scale(const trial *t) {
    st_real largest = 0;
    for (int i = 0; i < t->state_count; i++) {
        const st_state *s = t->states[i];
        const size_t n = s->size * st_state_dof(s)->coord;
        for (size_t k = 0; k < n; k++) largest = fmax(largest, fabs(s->coord[ST_COORD_POSITION].data[k]));
    }

    return largest > 0 ? largest : 1;
}

// Product of the blocks (own = false) or of the component's own product with the direction.
static void derivative_check_multiply(trial *t, st_real k, st_real b, bool own) {
    st_params p = params_of(t, t->f);
    p.k = k;
    p.b = b;

    derivative_check_clear(t, t->product);
    const st_force_ops *ops = t->force->object.type->force;
    if (own) ops->product(t->force, &p, k, b);
    else st_force_multiply_blocks(t->force, &p, k, b);
}

typedef struct difference {
    st_real error, size;
} difference;

static void derivative_check_compare(const trial *t, st_deriv_id a, st_deriv_id b, difference *result) {
    for (int i = 0; i < t->state_count; i++) {
        const st_real *x = derivative_check_vector(t->states[i], a), *y = derivative_check_vector(t->states[i], b);
        for (size_t k = 0; k < derivative_check_scalars(t->states[i]); k++) {
            const st_real error = fabs(x[k] - y[k]);
            result->error = error > result->error || isnan(error) ? error : result->error;
            result->size = fmax(result->size, fmax(fabs(x[k]), fabs(y[k])));
        }
    }
}

static st_real derivative_check_relative(difference d) { return d.size > 0 ? d.error / d.size : d.error; }

static void random_direction(trial *t) {
    for (int i = 0; i < t->state_count; i++)
        for (size_t k = 0; k < derivative_check_scalars(t->states[i]); k++)
            derivative_check_vector(t->states[i], t->direction)[k] = next_random(t);
}

// plus := (f(+h) − f(−h)) / 2h
static void central_difference(trial *t, st_real h, bool positions) {
    derivative_check_displace(t, h, positions);
    derivative_check_evaluate(t, t->plus);
    derivative_check_displace(t, -h, positions);
    derivative_check_evaluate(t, t->f);

    for (int i = 0; i < t->state_count; i++) {
        st_real *plus = derivative_check_vector(t->states[i], t->plus);
        const st_real *minus = derivative_check_vector(t->states[i], t->f);
        for (size_t k = 0; k < derivative_check_scalars(t->states[i]); k++) plus[k] = (plus[k] - minus[k]) / (2 * h);
    }

    derivative_check_displace(t, 0, positions);
    derivative_check_evaluate(t, t->f); // the linearization of the point itself
}

// The error of a central difference is h² + ε/h, least at the third root of ε.
static st_real step_of_differences(const trial *t) { return cbrt(ST_REAL_EPSILON) * length_scale(t) / 4; }

static difference check_direction(trial *t, bool positions) {
    const st_real h = step_of_differences(t);
    difference d = {0};

    for (int n = 0; n < DIRECTIONS; n++) {
        random_direction(t);
        central_difference(t, h, positions);
        derivative_check_multiply(t, positions ? 1 : 0, positions ? 0 : 1, false);
        derivative_check_compare(t, t->plus, t->product, &d);
    }

    return d;
}

// The next place of those where the force may act: points moved at random, then all together along the axes, by a length
// that brings no corner of a grid to a plane.
static void move_to(trial *t, int place) {
    const st_real scale = length_scale(t) * (place < 6 ? ST_R(0.02) * (st_real)(1 << place) : ST_R(0.7317));
    for (int i = 0; i < t->state_count; i++) {
        const size_t width = st_state_dof(t->states[i])->deriv;
        st_real *o = derivative_check_vector(t->states[i], t->offset);
        for (size_t k = 0; k < derivative_check_scalars(t->states[i]); k++) {
            const int axis = (place - 6) / 2;
            if (place < 6) o[k] = scale * next_random(t);
            else o[k] = i == 0 && (int)(k % width) == axis ? (place % 2 ? -scale : scale) : 0;
        }
    }
}

// Does it give a force, or would it if points moved?
static bool is_active(trial *t) {
    difference d = {0};
    random_direction(t);
    derivative_check_displace(t, 0, true);
    derivative_check_evaluate(t, t->f);
    derivative_check_multiply(t, 1, 1, false);
    derivative_check_clear(t, t->plus);

    derivative_check_compare(t, t->f, t->plus, &d);
    derivative_check_compare(t, t->product, t->plus, &d);
    return d.size > 0 && isfinite(d.size);
}

// Does ∂f/∂x exist? Where it does, f(+h) − f(0) and f(0) − f(−h) differ by the order of h² alone.
static bool is_smooth(trial *t) {
    const st_real most = ST_R(0.05), h = step_of_differences(t);
    const uint64_t random = t->random; // what is tested later does not depend on this
    difference sides = {0};

    for (int n = 0; n < DIRECTIONS; n++) {
        random_direction(t);
        derivative_check_displace(t, 0, true);
        derivative_check_evaluate(t, t->product);
        derivative_check_displace(t, h, true);
        derivative_check_evaluate(t, t->plus);
        derivative_check_displace(t, -h, true);
        derivative_check_evaluate(t, t->f);

        // one side each
        for (int i = 0; i < t->state_count; i++) {
            const st_real *middle = derivative_check_vector(t->states[i], t->product);
            st_real *plus = derivative_check_vector(t->states[i], t->plus);
            st_real *minus = derivative_check_vector(t->states[i], t->f);
            for (size_t k = 0; k < derivative_check_scalars(t->states[i]); k++) {
                plus[k] -= middle[k];
                minus[k] = middle[k] - minus[k];
            }
        }
        derivative_check_compare(t, t->plus, t->f, &sides);
    }

    t->random = random;
    return derivative_check_relative(sides) < most;
}

// Finds a state at which the force is not 0, and smooth where that is asked; false: none was found, the present state is
// kept.
static bool move_into_action(trial *t, bool smooth) {
    for (int place = 0; place < PLACES; place++) {
        move_to(t, place);
        if (is_active(t) && (!smooth || is_smooth(t))) return true;
    }
    derivative_check_clear(t, t->offset);
    return false;
}

// −f · d against the difference of the energy.
// NaN: there is no energy for this type of DOF.
static st_real check_potential(trial *t) {
    const st_force_ops *ops = t->force->object.type->force;
    const st_params p = params_of(t, t->f);
    const st_real h = step_of_differences(t);
    difference d = {0};
    bool known = false;

    for (int n = 0; n < DIRECTIONS; n++) {
        // E at both ends, after the force there: some keep what it computes
        st_real energy[2], work = 0, size = 0;
        random_direction(t);
        for (int side = 0; side < 2; side++) {
            derivative_check_displace(t, side ? h : -h, true);
            derivative_check_evaluate(t, t->f);
            energy[side] = ops->potential(t->force, &p);
            known = known || energy[side] != 0;
        }

        derivative_check_displace(t, 0, true);
        derivative_check_evaluate(t, t->f);
        for (int i = 0; i < t->state_count; i++)
            for (size_t k = 0; k < derivative_check_scalars(t->states[i]); k++) {
                const st_real part = derivative_check_vector(t->states[i], t->f)[k] *
                                     derivative_check_vector(t->states[i], t->direction)[k];
                work += part;
                size += fabs(part);
            }

        const st_real error = fabs((energy[1] - energy[0]) / (2 * h) + work);
        d.error = error > d.error || isnan(error) ? error : d.error;
        // near rest the force vanishes, but not the energy of the displacement
        d.size = fmax(d.size, fmax(size, (fabs(energy[0]) + fabs(energy[1])) / h));
    }
    return known ? derivative_check_relative(d) : (st_real)NAN;
}

static st_real check_product(trial *t) {
    difference d = {0};
    for (int n = 0; n < DIRECTIONS; n++) {
        random_direction(t);
        derivative_check_displace(t, 0, true);
        derivative_check_evaluate(t, t->f);

        // by its own product, with factors that keep K and B apart
        derivative_check_multiply(t, (st_real)0.75, (st_real)-0.5, true);
        for (int i = 0; i < t->state_count; i++)
            st_copy_reals(derivative_check_vector(t->states[i], t->plus),
                          derivative_check_vector(t->states[i], t->product), derivative_check_scalars(t->states[i]));

        // by the blocks
        derivative_check_multiply(t, (st_real)0.75, (st_real)-0.5, false);
        derivative_check_compare(t, t->plus, t->product, &d);
    }

    return derivative_check_relative(d);
}

// A mass: its own product against its blocks, and M a = f where it gives accelerations.
static st_real check_mass(trial *t) {
    st_mass *mass = (st_mass *)t->force;
    const st_mass_ops *ops = t->force->object.type->mass;
    st_params p = params_of(t, t->f);
    difference d = {0};

    // M d by the blocks
    random_direction(t);
    derivative_check_clear(t, t->product);
    st_mass_multiply_blocks(mass, &p, 1);

    // by its own product
    if (ops->product) {
        p.df = t->plus;
        derivative_check_clear(t, t->plus);
        ops->product(mass, &p, 1);
        derivative_check_compare(t, t->plus, t->product, &d);
    }

    if (ops->acceleration &&
        (!ops->is_diagonal || ops->is_diagonal(mass))) { // M⁻¹ (M d) = d; DOFs without mass keep what is there
        st_copy_reals(derivative_check_vector(t->states[0], t->plus),
                      derivative_check_vector(t->states[0], t->direction), derivative_check_scalars(t->states[0]));
        ops->acceleration(mass, t->plus, st_read_deriv(t->product));
        derivative_check_compare(t, t->plus, t->direction, &d);
    }

    return derivative_check_relative(d);
}

static void report_one(st_derivative_report *report, void *user, const st_force *force, const char *what, st_real error,
                       bool exact, const char *note) {
    report(user, &(st_derivative_check){
                     .object = &force->object, .what = what, .error = error, .exact_by_design = exact, .note = note});
}

static void check_forces(trial *t, st_derivative_report *report, void *user) {
    const unsigned flags = t->force->object.type->flags;
    const st_force_ops *ops = t->force->object.type->force;
    if (!ops->add_force) return;
    const bool none = (flags & ST_CLASS_NO_TANGENT) != 0, rest = (flags & ST_CLASS_TANGENT_AT_REST) != 0;
    const bool approximate = (flags & ST_CLASS_APPROXIMATE_TANGENT) != 0;

    // somewhere it must do something, to be tested, and have a derivative, where it says to give it exactly
    const bool exact = !none && !approximate, active = is_active(t), kink = active && exact && !is_smooth(t);
    const bool moved = (!active || kink) && move_into_action(t, exact);
    if ((!active || kink) && !moved) {
        report_one(report, user, t->force, "stiffness", (st_real)NAN, false,
                   kink ? "untested: the force has a kink here and near this state"
                        : "untested: it gives no force here nor near this state");
        return;
    }

    // ∂f/∂x, where the class says that it is exact
    t->at_rest = rest;
    const st_real stiffness = derivative_check_relative(check_direction(t, true));
    report_one(report, user, t->force, "stiffness", stiffness, exact,
               none          ? "no derivative by design: integrated explicitly"
               : approximate ? "leaves out terms on purpose"
               : kink        ? "moved, since the force has a kink here"
               : rest        ? "at rest"
               : moved       ? "moved to where it acts"
                             : "");

    // f = −∂E/∂x, at rest; a kink of the force is none of the energy
    if (kink) derivative_check_clear(t, t->offset);
    t->at_rest = true;
    const st_real potential = ops->potential ? check_potential(t) : 0;
    if (ops->potential)
        report_one(report, user, t->force, "potential", potential, !approximate && !isnan(potential),
                   isnan(potential) ? "untested: it gives no energy here"
                   : approximate    ? "the force leaves out how frames of elements turn"
                                    : "at rest");

    // ∂f/∂v
    t->at_rest = false;
    const bool explicit_damping = none || (flags & ST_CLASS_EXPLICIT_DAMPING) != 0;
    const st_real damping = derivative_check_relative(check_direction(t, false));
    report_one(report, user, t->force, "damping", damping, !explicit_damping,
               explicit_damping ? "velocity part integrated explicitly by design" : "");

    // its own product, and the state as it was
    if (ops->product) report_one(report, user, t->force, "product", check_product(t), true, "");
    derivative_check_clear(t, t->offset);
    derivative_check_displace(t, 0, true);
    derivative_check_evaluate(t, t->f);
}

st_status st_check_force(st_force *force, st_derivative_report *report, void *user) {
    trial t;
    if (!force->state || !st_is_valid(&force->object)) return ST_OK;
    if (force->state->size == 0 || (force->other && force->other->size == 0)) return ST_OK; // there is nothing to move

    const bool ok = derivative_check_prepare(&t, force);
    if (ok) {
        check_forces(&t, report, user);
        if (force->object.type->mass) report_one(report, user, force, "mass", check_mass(&t), true, "");
    } else {
        st_message(&force->object, ST_ERROR, "out of memory: vectors for the check of derivatives");
    }

    derivative_check_finish(&t);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}
