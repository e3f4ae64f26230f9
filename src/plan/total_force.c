// Forces of mappings' geometric stiffness. See total_force.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "plan/total_force.h"

#include "plan/plan.h"
#include "scene/scene.h"
#include "state/sink.h"

bool st_set_constraint_force(st_node *node, st_deriv_id lambda) {
    st_scene *scene = node->object.scene;
    scene->constraint_force = lambda.index;

    // a work vector for sums on the mapped states
    st_plan *plan = st_plan_of(node);
    if (!plan) return false;
    if (scene->total_force == 0) scene->total_force = st_plan_new_deriv(plan).index;
    if (lambda.index == 0) return true;

    bool ok = true;
    for (size_t i = 0; ok && i < plan->graph_states.count; i++)
        ok = !plan->graph_states.data[i]->mapped ||
             st_state_make_deriv(plan->graph_states.data[i], (st_deriv_id){scene->total_force});
    return ok;
}

static const st_state *output_of(const st_mapping *mapping, size_t i) {
    return (const st_state *)mapping->output.data[i];
}

// The vector behind a dynamic id, only when the state has it.
static st_real *own_vector(const st_state *s, int index) {
    const st_reals *further = st_find_further(&s->more_deriv, index);
    return further && further->count == s->size ? further->data : NULL;
}

static bool has_constraint_force(const st_mapping *mapping) {
    const int lambda = mapping->object.scene->constraint_force;
    for (size_t i = 0; lambda && i < mapping->output.count; i++) {
        const st_state *s = output_of(mapping, i);
        const st_real *v = s->mechanical ? own_vector(s, lambda) : NULL;

        for (size_t k = 0; v && k < st_state_scalars(s); k++)
            if (v[k] != 0) return true;
    }

    return false;
}

st_params st_total_force(const st_mapping *mapping, const st_params *params) {
    const st_scene *scene = mapping->object.scene;
    st_params total = *params;
    if (!has_constraint_force(mapping)) return total;

    // f + λ on each output
    total.f.index = scene->total_force;
    for (size_t i = 0; i < mapping->output.count; i++) {
        const st_state *s = output_of(mapping, i);
        const st_real *lambda = own_vector(s, scene->constraint_force), *f = st_f(s, params);
        st_real *sum = own_vector(s, scene->total_force);
        if (!sum || !f || st_deriv_list(s, params->f.index, ST_DERIV_FORCE)->count != s->size) return *params;
        for (size_t k = 0; k < st_state_scalars(s); k++) sum[k] = f[k] + (lambda ? lambda[k] : 0);
    }

    return total;
}
