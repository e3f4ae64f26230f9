// Capturing a constraint problem, and solving it again for another place of the tool:
//
//     1. dx: from the free motion of the captured step to the asked positions
//     2. d = d_free + H_tool dx
//     3. sweeps of projected Gauss-Seidel over the blocks, starting from the f of the last call, until the error is below
//        a thousandth of the solver's tolerance, or time or iterations are over
//     4. F = H_toolᵀ f
//
// Whatever method the solver of the scene has, the sweeps here are Gauss-Seidel's: they have the same solution.
//
// SPDX-License-Identifier: Apache-2.0
#include "constraint/haptic_problem.h"

#include "base/clock.h"
#include "constraint/generic_solver.h"
#include "linalg/dense_rows.h"
#include "math/rigid.h"

extern const st_class st_lcp_constraint_solver_class, st_kkt_constraint_solver_class;

// ---------------------------------------------------------------------------------------------------
// Capture
// ---------------------------------------------------------------------------------------------------

// With as much room as the list that it is copied from: each of the copies grows when that one does, and no more.
static bool copy_list(st_reals *to, const st_reals *from) {
    if (!st_list_reserve(to, from->capacity, 1) || !st_list_set_count(to, from->count, 1)) return false;
    st_copy_reals(to->data, from->data, from->count);
    return true;
}

// W of the solver; of one that works without it, the sum of the compliances.
static st_status copy_compliance(st_haptic_problem *h, st_constraint_solver *solver) {
    st_constraint_problem *p = solver->problem;
    const bool assembled = p->assembled;
    if (!assembled && st_is_a(&solver->object, &st_kkt_constraint_solver_class)) return ST_INVALID;

    if (!assembled) {
        const st_status status = st_problem_gather_compliance(solver, &p->params);
        p->assembled = false; // the solver itself has none
        if (status != ST_OK) return status;
    }
    return copy_list(&h->w, &p->w) ? ST_OK : ST_OUT_OF_MEMORY;
}

// Blocks with copies of what they point at.
static bool copy_blocks(st_haptic_problem *h, const st_constraint_problem *p) {
    const size_t count = p->blocks.list.count;
    size_t memory = 0, largest = 0;
    for (size_t b = 0; b < count; b++) {
        const st_resolution *block = &p->blocks.list.data[b];
        memory += block->memory ? block->count : 0;
        if (block->count > largest) largest = block->count;
    }

    if (!st_list_reserve(&h->blocks.list, p->blocks.list.capacity, 1) ||
        !st_list_set_count(&h->blocks.list, count, 1) || !copy_list(&h->work, &p->work) ||
        !st_list_set_count(&h->memory, memory, 1) || !st_list_set_count(&h->visit, 2 * largest, 1))
        return false;

    // pointers into lists of the problem become pointers into the copies
    st_real *at = h->memory.data;
    for (size_t b = 0; b < count; b++) {
        st_resolution *block = &h->blocks.list.data[b];
        *block = p->blocks.list.data[b];
        if (block->work) block->work = h->work.data + (block->work - p->work.data);
        if (!block->memory) continue;

        st_copy_reals(at, block->memory, block->count);
        block->memory = at;
        at += block->count;
    }
    return true;
}

// The tool's rows of H and where its free motion has led.
static bool copy_tool(st_haptic_problem *h, const st_state *tool) {
    const st_dof *dof = st_state_dof(tool);
    const st_reals *free = &tool->coord[ST_COORD_FREE], *now = &tool->coord[ST_COORD_POSITION];
    const st_reals *x = free->count == tool->size ? free : now;
    const size_t width = dof->deriv + ST_ENTRY_HEAD;

    h->dof = dof;
    h->rows.count = 0;
    if (!st_list_reserve(&h->rows, tool->constraint.entries.capacity, width)) return false;
    if (x->count != tool->size) return true; // it has no positions at all

    // rows and DOFs are reals: compared before they become indices
    for (size_t e = 0; e < tool->constraint.entries.count; e++) {
        const st_real *entry = st_jacobian_entry(&tool->constraint, dof->deriv, e);
        if (!(entry[0] < (st_real)h->size && entry[1] < (st_real)tool->size)) continue;
        const size_t at = h->rows.count;
        if (!st_list_set_count(&h->rows, at + 1, width)) return false;
        st_copy_reals(h->rows.data + at * width, entry, width);
    }

    // d_free belongs to these places
    h->places.count = h->way.count = 0;
    if (!st_list_set_count(&h->places, tool->size, dof->coord) || !st_list_set_count(&h->way, tool->size, dof->deriv))
        return false;
    st_copy_reals(h->places.data, x->data, tool->size * dof->coord);
    return true;
}

static st_real tolerance_of(const st_constraint_solver *solver) {
    const bool contacts = st_is_a(&solver->object, &st_lcp_constraint_solver_class);
    if (!contacts && !st_is_a(&solver->object, &st_generic_solver_class)) return ST_R(1e-6); // of a plug-in

    const st_generic_solver *generic = (const st_generic_solver *)solver;
    const st_real thousandth = generic->tolerance * ST_R(0.001);
    if (contacts) return thousandth;
    return generic->scale_tolerance && !generic->all_verified ? thousandth * (st_real)solver->problem->size
                                                              : thousandth;
}

st_status st_haptic_problem_capture(st_haptic_problem *h, st_constraint_solver *solver, const st_state *tool) {
    const st_constraint_problem *p = solver->problem;
    const size_t n = p->size;
    st_haptic_problem_clear(h);

    // without rows there is nothing to solve; LCPConstraintSolver may have refused them
    if (n == 0 || p->blocks.list.count == 0) return copy_tool(h, tool) ? ST_OK : ST_OUT_OF_MEMORY;
    if (p->free.count != n || p->force.count != n) return ST_INVALID;

    // W, d_free, f and blocks
    st_status status = copy_compliance(h, solver);
    if (status == ST_OK && !(copy_list(&h->free, &p->free) && copy_list(&h->start, &p->force) &&
                             copy_list(&h->force, &p->force) && copy_list(&h->shifted, &p->free) && copy_blocks(h, p)))
        status = ST_OUT_OF_MEMORY;
    if (status != ST_OK) return status;

    // how it is solved, and whose rows count
    h->size = n;
    h->tolerance = tolerance_of(solver);
    h->by_contact = st_is_a(&solver->object, &st_lcp_constraint_solver_class);
    if (copy_tool(h, tool)) return ST_OK;
    st_haptic_problem_clear(h);
    return ST_OUT_OF_MEMORY;
}

void st_haptic_problem_clear(st_haptic_problem *h) {
    h->size = 0;
    h->rows.count = h->places.count = h->way.count = 0;
    h->blocks.list.count = 0;
}

void st_haptic_problem_free(st_haptic_problem *h) {
    st_list_free(&h->w);
    st_list_free(&h->free);
    st_list_free(&h->start);
    st_list_free(&h->force);
    st_list_free(&h->blocks.list);
    st_list_free(&h->work);
    st_list_free(&h->memory);
    st_list_free(&h->visit);
    st_list_free(&h->rows);
    st_list_free(&h->places);
    st_list_free(&h->shifted);
    st_list_free(&h->way);
}

// ---------------------------------------------------------------------------------------------------
// 1. and 2. where the tool is
// ---------------------------------------------------------------------------------------------------

// The rotation from p to q in world axes: R(p) θ with θ the rotation vector of p⁻¹ q, on the short way.
static void rotation_between(st_real r[3], const st_real p[4], const st_real q[4]) {
    st_real turn[4], vector[3];
    st_quat_difference(turn, q, p);
    st_quat_to_rotation_vector(vector, turn);
    st_quat_rotate(r, p, vector);
}

// DOFs that were not asked for count as being at the origin, as in SOFA.
static void find_way(st_haptic_problem *h, const st_haptic_limits *limits, const st_real *x, size_t count) {
    const size_t coord = h->dof->coord, deriv = h->dof->deriv;
    static const st_real origin[7] = {0, 0, 0, 0, 0, 0, 1};

    for (size_t i = 0; i < h->places.count; i++) {
        const st_real *from = h->places.data + i * coord, *to = i < count ? x + i * coord : origin;
        st_real *way = h->way.data + i * deriv;
        for (size_t k = 0; k < deriv; k++) way[k] = k < h->dof->spatial ? to[k] - from[k] : 0;
        if (h->dof->rigid && coord == 7 && limits->rotations) rotation_between(way + 3, from + 3, to + 3);
    }
}

static void shift(st_haptic_problem *h, const st_haptic_limits *limits) {
    const size_t deriv = h->dof->deriv, width = deriv + ST_ENTRY_HEAD;
    st_copy_reals(h->shifted.data, h->free.data, h->size);

    for (size_t e = 0; e < h->rows.count; e++) {
        const st_real *entry = h->rows.data + e * width;
        const st_real *way = h->way.data + (limits->one_frame ? 0 : st_entry_dof(entry)) * deriv;
        st_real sum = 0;
        for (size_t k = 0; k < deriv; k++) sum += entry[ST_ENTRY_HEAD + k] * way[k];
        h->shifted.data[st_entry_row(entry)] += sum;
    }
}

// ---------------------------------------------------------------------------------------------------
// 3. sweeps
// ---------------------------------------------------------------------------------------------------

// |w Δf| of one contact.
static st_real contact_error(const st_resolution *block, const st_real *w, size_t stride, const st_real *before,
                             const st_real *f) {
    st_real square = 0;
    for (size_t l = 0; l < block->count; l++) {
        st_real line = 0;
        for (size_t m = 0; m < block->count; m++) line += w[l * stride + m] * (f[m] - before[m]);
        square += line * line;
    }
    return sqrt(square);
}

// One sweep; false: the time is over.
static bool sweep(st_haptic_problem *h, double until, st_real *error) {
    const size_t n = h->size;
    bool verified = true;
    *error = 0;

    for (size_t b = 0; b < h->blocks.list.count; b++) {
        const st_resolution *block = &h->blocks.list.data[b];
        st_real *d = h->visit.data, *before = d + block->count, *f = h->force.data + block->row;
        const st_real *w = h->w.data + block->row * n + block->row;

        // d = d_free + W f with the forces as they are now
        st_copy_reals(d, h->shifted.data + block->row, block->count);
        st_dense_rows_product(block->count, h->w.data + block->row * n, n, h->force.data, n, d);
        st_copy_reals(before, f, block->count);
        block->ops->resolve(block, w, n, d, f);

        *error += h->by_contact ? contact_error(block, w, n, before, f)
                                : st_block_error(block, w, n, before, f, h->tolerance, &verified);
        if (h->by_contact && st_clock_seconds() > until) return false;
    }
    return true;
}

// Without a timeout LCPConstraintSolver ends after the first contact, the other solvers never: as SOFA does.
static void solve_again(st_haptic_problem *h, const st_haptic_limits *limits) {
    const double until = st_clock_seconds() + (double)limits->timeout;
    const bool endless = !h->by_contact && limits->timeout == 0;

    st_real error = 0;
    for (int32_t i = 0; i < limits->iterations; i++) {
        if (!sweep(h, until, &error) || error < h->tolerance) return;
        if (!h->by_contact && !endless && st_clock_seconds() > until) return;
    }
}

// ---------------------------------------------------------------------------------------------------
// 4. forces
// ---------------------------------------------------------------------------------------------------

static bool add_forces(const st_haptic_problem *h, const st_haptic_limits *limits, size_t count, st_real *forces) {
    const size_t deriv = h->dof->deriv, width = deriv + ST_ENTRY_HEAD;
    for (size_t e = 0; e < h->rows.count; e++) {
        const st_real *entry = h->rows.data + e * width;
        const size_t dof = limits->one_frame ? 0 : st_entry_dof(entry);
        const st_real f = h->force.data[st_entry_row(entry)];
        if (f == 0 || dof >= count) continue;
        for (size_t k = 0; k < deriv; k++) forces[dof * deriv + k] += entry[ST_ENTRY_HEAD + k] * f;
    }

    bool finite = true;
    for (size_t k = 0; k < count * deriv; k++) finite = finite && isfinite(forces[k]);
    for (size_t row = 0; row < h->size; row++) finite = finite && isfinite(h->force.data[row]);
    return finite;
}

bool st_haptic_problem_solve(st_haptic_problem *h, const st_haptic_limits *limits, const st_real *x, size_t count,
                             st_real *forces) {
    if (h->size == 0 || h->rows.count == 0) return true;

    find_way(h, limits, x, count);
    shift(h, limits);
    solve_again(h, limits);
    if (add_forces(h, limits, count, forces)) return true;

    // the next call starts again from the step
    memset(forces, 0, count * h->dof->deriv * sizeof *forces);
    st_copy_reals(h->force.data, h->start.data, h->size);
    return false;
}
