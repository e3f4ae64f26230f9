// The sum of contributions as a sparse matrix. See matrix_sum.h.
//
// This is where assembly is read from top to bottom. The main operations are as follows:
//
//     structure, when the scene or a size changed (st_matrix_sum_refresh)
//     1. contributions of the plan (contribution.h), cross terms (cross_terms.h)
//     2. which mapped matrices they need, and the products that carry these up to the independent states (mapped.h)
//
//     pattern, when the stream of additions is not known or does not fit any more (matrix_sum_record)
//     3. every contribution leaves the places of its blocks: component → sink (matrix_sink.h) → pattern (assembly.h)
//     4. so does the geometric stiffness of the mappings
//     5. products of mapped matrices are planned; what they come to leaves its places, too
//     6. the places become the matrix, and the slots of the stream
//
//     numbers, at every build (matrix_sum_add)
//     7. zero; Jacobians
//     8. every contribution: component → sink → slot of the matrix or of a mapped matrix
//     9. the geometric stiffness
//    10. products of mapped matrices, and what they come to into the matrix
//    11. where an addition found no place: again from 3
//
// SPDX-License-Identifier: Apache-2.0
#include "assembly/matrix_sum.h"

#include <string.h>

#include "assembly/cross_terms.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/pool.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// What the matrix is made of
// ---------------------------------------------------------------------------------------------------

// Where the blocks of a contribution go.
static st_contribution_target target_of(const st_matrix_sum *sum, const st_contribution *c) {
    unsigned target = 0;
    for (size_t i = 0; i < c->pair_count; i++) {
        const struct st_contribution_pair *pair = &c->pairs[i];
        if (st_pair_is_independent(pair)) target |= ST_INTO_MATRIX;
        else if (pair->mapped != SIZE_MAX) target |= st_mapped_target(&sum->mapped, pair->mapped);
    }

    // A cross term runs alone: the component is asked for its own contribution in the lanes.
    return (st_contribution_target)(target && c->is_cross_term ? ST_INTO_BOTH : target);
}

// The mapped matrices that the contributions need.
static bool plan_mapped(st_matrix_sum *sum, const st_plan *plan) {
    bool ok = true;
    st_mapped_free(&sum->mapped);
    if (sum->scope > ST_SUM_INDEPENDENT) ok = st_mapped_begin(&sum->mapped, plan);

    // a pair with a mapped state has a matrix of its own
    for (size_t i = 0; i < sum->contributions.count; i++) {
        st_contribution *c = &sum->contributions.data[i];
        for (size_t p = 0; p < c->pair_count; p++) {
            struct st_contribution_pair *pair = &c->pairs[p];
            pair->mapped = SIZE_MAX;
            if (ok && sum->scope >= ST_SUM_ALL && pair->at_row)
                pair->mapped = st_mapped_pair_of(&sum->mapped, pair->at_row, pair->at_col, &ok);
        }
    }

    // the products that carry them up, and where each contribution goes
    if (ok && sum->scope > ST_SUM_INDEPENDENT) ok = st_mapped_end(&sum->mapped);
    for (size_t i = 0; ok && i < sum->contributions.count; i++)
        sum->contributions.data[i].target = target_of(sum, &sum->contributions.data[i]);
    return ok;
}

static bool matrix_sum_collect(st_matrix_sum *sum, const st_plan *plan,
                               bool (*takes)(const st_plan *plan, const st_force *force)) {
    st_contributions *list = &sum->contributions;
    if (!st_contributions_make(list, plan)) return false;

    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!takes || takes(plan, list->data[i].force)) list->data[kept++] = list->data[i];
    list->count = kept;

    if (sum->scope == ST_SUM_CROSSED && !st_add_cross_terms(list, plan)) return false;

    return plan_mapped(sum, plan);
}

static bool same_offsets(const st_matrix_sum *sum, const st_plan *plan) {
    const size_t count = plan->independent.count + 1;
    return sum->offsets.count == count && memcmp(sum->offsets.data, plan->offsets, count * sizeof *plan->offsets) == 0;
}

static bool has_mapped(const st_matrix_sum *sum) { return sum->mapped.pairs.count || sum->mapped.geometric.count; }

// Do the same components add blocks between the same independent states?
static bool same_contributions(const st_contributions *a, const st_contributions *b) {
    if (a->count != b->count) return false;

    for (size_t i = 0; i < a->count; i++) {
        const st_contribution *c = &a->data[i], *d = &b->data[i];
        if (c->kind != d->kind || c->force != d->force || c->pair_count != d->pair_count ||
            c->is_cross_term != d->is_cross_term)
            return false;
        for (size_t p = 0; p < c->pair_count; p++)
            if (c->pairs[p].at_row != d->pairs[p].at_row || c->pairs[p].at_col != d->pairs[p].at_col ||
                c->pairs[p].row_index != d->pairs[p].row_index || c->pairs[p].col_index != d->pairs[p].col_index)
                return false;
    }
    return true;
}

bool st_matrix_sum_refresh(st_matrix_sum *sum, const st_plan *plan, st_sum_scope scope,
                           bool (*takes)(const st_plan *plan, const st_force *force)) {
    const bool same_plan = sum->plan == plan && sum->plan_version == plan->version && sum->scope == scope;
    const bool same_sizes = same_offsets(sum, plan) && (!has_mapped(sum) || !st_mapped_sizes_changed(&sum->mapped));
    if (same_plan && same_sizes) return true;

    // what can be the same although the plan is not
    const bool comparable = !same_plan && sum->plan == plan && sum->scope == scope && same_sizes && !has_mapped(sum);
    if (!same_plan) {
        const st_contributions spare = sum->former;
        sum->former = sum->contributions;
        sum->contributions = spare;
    }

    // sizes changed, or all of it
    const size_t count = plan->independent.count + 1;
    sum->plan = NULL;
    if (!st_list_set_count(&sum->offsets, count, 1)) return false;
    memcpy(sum->offsets.data, plan->offsets, count * sizeof *plan->offsets);
    sum->scope = scope;

    if (!same_plan && !matrix_sum_collect(sum, plan, takes)) return false;
    sum->plan = plan;
    sum->plan_version = plan->version;
    const bool same = comparable && !has_mapped(sum) && same_contributions(&sum->former, &sum->contributions);
    if (!same) st_assembly_forget(&sum->assembly);

    return true;
}

// ---------------------------------------------------------------------------------------------------
// One contribution
// ---------------------------------------------------------------------------------------------------

// One pass over all contributions.
typedef struct sum_pass {
    st_matrix_sum *sum;
    const st_sum_request *request;
} sum_pass;

// The sinks of one contribution, one for each pair of its states.
typedef struct part_sinks {
    st_pair_accumulator pairs;
    st_matrix_sink matrix[ST_PAIRS];
    st_mapped_sink mapped[ST_PAIRS];
    st_check_sink check[ST_PAIRS];
} part_sinks;

// Where the blocks of one pair go; the window says how many rows and columns there are.
static st_sink *sink_of_pair(st_matrix_sum *sum, size_t part, const struct st_contribution_pair *pair, st_real factor,
                             st_matrix_sink *matrix, st_mapped_sink *mapped) {
    const size_t *offsets = sum->plan->offsets;
    *matrix = (st_matrix_sink){0};
    *mapped = (st_mapped_sink){0};

    if (st_pair_is_independent(pair)) {
        const st_window window = {offsets[pair->row_index], offsets[pair->col_index], st_state_scalars(pair->at_row),
                                  st_state_scalars(pair->at_col)};
        st_matrix_sink_init(matrix, &sum->assembly, window, factor);
        return &matrix->sink;
    }

    if (pair->mapped == SIZE_MAX) return NULL;
    return st_mapped_open(&sum->mapped, pair->mapped, part, &sum->assembly, factor, mapped);
}

// Under which errors about its additions are sent, once. What is wrong with a cross term is said of the contribution
// that it was made from: NULL.
static const char *key_of(const st_contribution *c) {
    static const char *const keys[ST_CONTRIBUTION_KINDS] = {"refused stiffness", "refused mass", "refused damping"};
    return c->is_cross_term ? NULL : keys[c->kind];
}

static void make_sinks(const sum_pass *pass, size_t part, st_real factor, part_sinks *sinks) {
    st_contribution *c = &pass->sum->contributions.data[part];
    st_pair_accumulator_init(&sinks->pairs);

    for (size_t i = 0; i < c->pair_count; i++) {
        const struct st_contribution_pair *pair = &c->pairs[i];
        st_sink *sink = sink_of_pair(pass->sum, part, pair, factor, &sinks->matrix[i], &sinks->mapped[i]);
        if (pass->request->check && sink) {
            st_check_sink_init(&sinks->check[i], sink, &c->force->object, st_contribution_name(c->kind),
                               st_state_scalars(pair->row), st_state_scalars(pair->col), pass->request->finite,
                               key_of(c));
            sink = &sinks->check[i].sink;
        }

        st_pair_accumulator_put(&sinks->pairs, pair->row, pair->col, sink ? sink : st_null_sink());
    }
}

// What was refused of one pair, and of which window; NULL: nothing.
static const st_refusals *refusals_of(const part_sinks *sinks, size_t pair, st_window *window) {
    // a pair has one of the two sinks
    if (sinks->matrix[pair].refusals.count == 0) return st_mapped_refusals(&sinks->mapped[pair], window);
    *window = sinks->matrix[pair].window;
    return &sinks->matrix[pair].refusals;
}

static void matrix_sum_report(const st_contribution *c, const part_sinks *sinks) {
    const st_object *object = &c->force->object;
    const char *name = st_contribution_name(c->kind), *key = key_of(c);
    if (!key) return;

    // out of the window of a pair
    for (size_t i = 0; i < c->pair_count; i++) {
        st_window window;
        const st_refusals *refusals = refusals_of(sinks, i, &window);
        if (refusals && st_first_time(object, key)) st_report_refusals(object, name, &window, refusals);
    }

    // between states of others
    if (sinks->pairs.dropped > 0)
        st_message_once(object, key, ST_ERROR,
                        "asks for the %s between states that are not its own; that part is left out", name);
}

static void run_part(const sum_pass *pass, size_t part) {
    st_contribution *c = &pass->sum->contributions.data[part];
    const st_sum_request *request = pass->request;
    const st_real factor = st_contribution_factor(c, &request->params);
    if (!request->kinds[c->kind] || factor == 0 || !c->target) return;
    if (request->only && request->only != &c->force->object) return;

    // one sink for each pair of its states; the component writes into them
    part_sinks sinks;
    make_sinks(pass, part, factor, &sinks);
    if (c->target & ST_INTO_MATRIX) st_assembly_part(&pass->sum->assembly, part);
    const double began = st_profile_is_detailed(pass->sum->plan->scene) ? st_clock_seconds() : 0;
    st_contribution_call(c, &request->params, &sinks.pairs.accumulator);

    // a recording and the addition that follows it count as one call
    if (began > 0) {
        if (c->took == 0) c->began = began;
        c->took += st_clock_seconds() - began;
    }

    // what they refused
    c->refused = false;
    for (size_t i = 0; i < c->pair_count; i++) c->refused |= refusals_of(&sinks, i, &(st_window){0}) != NULL;
    if (!request->silent) matrix_sum_report(c, &sinks);
}

static void add_geometric(const sum_pass *pass) {
    st_matrix_sum *sum = pass->sum;
    const st_geometric_request request = {.project = sum->scope >= ST_SUM_ALL,
                                          .check = pass->request->check,
                                          .finite = pass->request->finite,
                                          .only = pass->request->only};

    if (pass->request->geometric && sum->scope > ST_SUM_INDEPENDENT)
        st_mapped_add_geometric(&sum->mapped, &sum->assembly, &pass->request->params, sum->contributions.count,
                                &request);
}

// ---------------------------------------------------------------------------------------------------
// Recording
// ---------------------------------------------------------------------------------------------------

// Parts of the stream: the contributions, the mappings with a geometric stiffness, the mapped matrices.
static size_t first_mapped_part(const st_matrix_sum *sum) {
    return sum->contributions.count + sum->mapped.geometric.count;
}

static st_status matrix_sum_record(const sum_pass *pass, bool keep) {
    st_matrix_sum *sum = pass->sum;
    const size_t mapped = first_mapped_part(sum);

    int32_t block = pass->request->block ? pass->request->block : st_plan_block(sum->plan);
    if (block == 6 && sum->mapped.pairs.count > 0) block = 3; // what is mapped comes in blocks of 3

    st_status status =
        st_assembly_begin_record(&sum->assembly, block, sum->plan->size, mapped + sum->mapped.pairs.count, keep);
    if (status == ST_OK) status = st_mapped_begin_record(&sum->mapped, mapped, keep);
    if (status != ST_OK) return status;

    // the stream: contributions, geometric stiffness, what the mapped matrices come to
    for (size_t i = 0; i < sum->contributions.count; i++) run_part(pass, i);
    add_geometric(pass);
    status = st_mapped_end_record(&sum->mapped, &sum->assembly, mapped);

    return status == ST_OK ? st_assembly_end_record(&sum->assembly) : status;
}

// ---------------------------------------------------------------------------------------------------
// Adding, in two lanes
// ---------------------------------------------------------------------------------------------------

// Contributions [begin, end), of which none writes into both. The first stretch of a pass begins with 0, the last one
// ends with the list; either may be empty.
typedef struct stretch {
    const sum_pass *pass;
    size_t begin, end;
} stretch;

static void run_lane(const stretch *s, st_contribution_target lane) {
    st_matrix_sum *sum = s->pass->sum;
    const bool first = s->begin == 0, last = s->end == sum->contributions.count;

    // zero, Jacobians
    if (first && lane == ST_INTO_MATRIX) st_assembly_begin_add(&sum->assembly, sum->plan->scene->pool);
    if (first && lane == ST_INTO_MAPPED) st_mapped_begin_add(&sum->mapped);

    for (size_t i = s->begin; i < s->end; i++)
        if (sum->contributions.data[i].target == lane) run_part(s->pass, i);

    if (last && lane == ST_INTO_MAPPED && sum->mapped.geometric.count == 0) st_mapped_multiply(&sum->mapped);
}

static void run_lanes(void *context, size_t begin, size_t end) {
    for (size_t lane = begin; lane < end; lane++) run_lane(context, lane == 0 ? ST_INTO_MATRIX : ST_INTO_MAPPED);
}

static void run_stretch(const stretch *s) {
    st_scene *scene = s->pass->sum->plan->scene;
    if (s->pass->sum->mapped.pairs.count == 0) {
        run_lane(s, ST_INTO_MATRIX);
        return;
    }

    // two lanes, whose messages come in the order of one thread
    st_hold_messages(scene);
    st_parallel_for(scene->pool, 2, 1, run_lanes, (void *)s);
    st_release_messages(scene);
}

static void matrix_sum_add(const sum_pass *pass) {
    st_matrix_sum *sum = pass->sum;
    const size_t count = sum->contributions.count;

    // contributions, in stretches between those that write into both
    for (stretch s = {.pass = pass};; s.begin = s.end + 1) {
        for (s.end = s.begin; s.end < count && sum->contributions.data[s.end].target != ST_INTO_BOTH;) s.end++;
        run_stretch(&s);
        if (s.end == count) break;
        run_part(pass, s.end);
    }

    if (sum->mapped.geometric.count > 0) {
        add_geometric(pass);
        st_mapped_multiply(&sum->mapped);
    }

    st_mapped_pass_on(&sum->mapped, &sum->assembly, first_mapped_part(sum));
}

// Records where the stream is not known, adds, and does both again where an addition found no place.
static st_status record_and_add(const sum_pass *pass) {
    st_matrix_sum *sum = pass->sum;
    st_assembly *assembly = &sum->assembly;

    for (int attempt = 0; attempt < ST_ASSEMBLY_ATTEMPTS; attempt++) {
        if (!assembly->recorded) {
            const st_status status = matrix_sum_record(pass, assembly->keep);
            if (status != ST_OK) {
                st_assembly_forget(assembly);
                return status;
            }
            assembly->recordings++;
        }

        matrix_sum_add(pass);
        const bool grown = assembly->grown || st_mapped_has_grown(&sum->mapped);
        assembly->keep = true;

        // A stale stream is complete, but better recorded again before the next build.
        assembly->recorded = !grown && !st_assembly_is_stale(assembly) && !st_mapped_is_stale(&sum->mapped);
        if (!grown) return ST_OK;
    }

    return ST_FAILED;
}

// They may have been called by other threads: they are counted afterwards.
static void count_contributions(st_matrix_sum *sum) {
    for (size_t i = 0; i < sum->contributions.count; i++) {
        st_contribution *c = &sum->contributions.data[i];
        if (c->took > 0) st_profile_count(&c->force->object, c->target == ST_INTO_MAPPED, c->began, c->took, 0);
        c->took = 0;
    }
}

st_status st_matrix_sum_assemble(st_matrix_sum *sum, const st_sum_request *request) {
    const sum_pass pass = {.sum = sum, .request = request};
    const st_status status = record_and_add(&pass);
    if (st_profile_is_detailed(sum->plan->scene)) count_contributions(sum);
    sum->refused = 0;
    for (size_t i = 0; i < sum->contributions.count; i++) sum->refused += sum->contributions.data[i].refused;

    // a pattern that is half recorded is not kept
    if (status != ST_OK) sum->plan = NULL;
    return status;
}

void st_matrix_sum_free(st_matrix_sum *sum) {
    st_list_free(&sum->offsets);
    st_list_free(&sum->contributions);
    st_list_free(&sum->former);
    st_mapped_free(&sum->mapped);
    st_assembly_free(&sum->assembly);
    *sum = (st_matrix_sum){0};
}
