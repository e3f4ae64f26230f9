// Springs across the inner edges of a surface: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/spring/bending_springs.h"

#include "base/array.h"
#include "math/vec3.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

// ---------------------------------------------------------------------------------------------------
// Inner edges
// ---------------------------------------------------------------------------------------------------

typedef struct walk {
    const uint32_t *in; // edges of each element
    const uint32_t *vertices, *edges;
    size_t parts, size;
    st_around around;
} walk;

static int bending_springs_place_of(const walk *w, uint32_t element, uint32_t edge) {
    for (size_t j = 0; j < w->parts; j++)
        if (w->in[element * w->parts + j] == edge) return (int)j;
    return 0;
}

static bool visit_edge(const walk *w, uint32_t mine, size_t j, uint32_t edge,
                       bool (*visit)(void *context, const st_inner_edge *edge), void *context) {
    const st_shell shell = st_shell_of(w->around, edge);

    // inner: between exactly two elements
    if (shell.count != 2 || shell.ids[0] == shell.ids[1]) return true;
    const uint32_t other = shell.ids[shell.ids[0] == mine];
    const st_inner_edge inner = {.edge = edge,
                                 .ends = w->edges + 2 * (size_t)edge,
                                 .mine = w->vertices + mine * w->size,
                                 .other = w->vertices + other * w->size,
                                 .in_mine = (int)j,
                                 .in_other = bending_springs_place_of(w, other, edge)};
    return visit(context, &inner);
}

static bool all_below(const st_uints *elements, size_t size, size_t points) {
    for (size_t i = 0; i < elements->count * size; i++)
        if (elements->data[i] >= points) return false;
    return true;
}

bool st_visit_inner_edges(st_topology *topology, st_element kind, size_t points, bool once,
                          bool (*visit)(void *context, const st_inner_edge *edge), void *context) {
    const st_uints *elements = st_topology_elements(topology, kind);
    const st_uints *edges = st_topology_elements(topology, ST_EDGE);
    const walk w = {.in = st_topology_in(topology, kind, ST_EDGE),
                    .vertices = elements->data,
                    .edges = edges->data,
                    .parts = (size_t)st_element_parts(kind, ST_EDGE).parts,
                    .size = st_element_size[kind],
                    .around = st_topology_around(topology, kind, ST_EDGE)};

    bool *seen = st_alloc(edges->count, sizeof *seen);

    // marks edges that were met
    bool ok = seen && w.in && w.around.starts && all_below(elements, w.size, points);

    for (size_t i = 0; ok && i < elements->count * w.parts; i++) {
        const uint32_t edge = w.in[i];
        if (edge >= edges->count || (once && seen[edge])) continue;
        seen[edge] = true;
        ok = visit_edge(&w, (uint32_t)(i / w.parts), i % w.parts, edge, visit, context);
    }

    st_free(seen);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Springs
// ---------------------------------------------------------------------------------------------------

static void warn_negative(const st_object *object, const char *name, st_real value) {
    if (value < 0) st_message(object, ST_WARNING, "%s = %g is negative", name, (double)value);
}

st_status st_bending_init(st_bending_springs *force, st_element kind, size_t per_edge, st_topology **topology) {
    st_object *object = &force->base.object;
    const st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    force->kernel.springs.count = 0;
    *topology = st_context_topology(object->node, force->topology);
    if (!*topology) return st_invalid(object, "there is no mesh in its node or above: there are no springs");

    // all elements must be usable, since an edge belongs to two of them
    const st_uints *elements = st_topology_elements(*topology, kind);
    const char *name = kind == ST_QUAD ? "quads" : "triangles";
    if (!elements->count) return st_invalid(object, "the mesh has no %s: there are no springs", name);
    if (!all_below(elements, st_element_size[kind], force->base.state->size))
        return st_invalid(object, "the mesh has %s with vertices beyond the %zu DOFs: there are no springs", name,
                          force->base.state->size);

    warn_negative(object, "stiffness", force->stiffness);
    warn_negative(object, "damping", force->damping);
    force->kernel.shortest = ST_R(1e-4);

    const size_t count = per_edge * st_topology_elements(*topology, ST_EDGE)->count;
    return st_list_set_count(&force->kernel.springs, count, 1) ? ST_OK : ST_OUT_OF_MEMORY;
}

void st_bending_set(st_bending_springs *force, size_t place, uint32_t a, uint32_t b) {
    const st_real *rest = force->base.state->coord[ST_COORD_REST].data;
    force->kernel.springs.data[place] =
        (st_spring){.a = a,
                    .b = b,
                    .stiffness = force->stiffness,
                    .damping = force->damping,
                    .length = st_vec3_distance(rest + 3 * (size_t)a, rest + 3 * (size_t)b),
                    .enabled = true};
}

static void bending_springs_add_force(st_force *base, const st_params *params) {
    st_springs_evaluate(&((st_bending_springs *)base)->kernel, &base->object, base->state, base->state, params);
}

static void bending_springs_stiffness(st_force *base, const st_params *params, st_stiffness k) {
    (void)params;
    st_springs_blocks(&((st_bending_springs *)base)->kernel, base->state, base->state, k);
}

static void bending_springs_product(st_force *base, const st_params *params, st_real k, st_real b) {
    (void)b;
    st_springs_multiply(&((st_bending_springs *)base)->kernel, base->state, base->state, params, k);
}

static st_real bending_springs_potential(st_force *base, const st_params *params) {
    return st_springs_energy(&((st_bending_springs *)base)->kernel, base->state, base->state, params);
}

const st_force_ops st_bending_force_ops = {
    .add_force = bending_springs_add_force,
    .stiffness = bending_springs_stiffness,
    .product = bending_springs_product,
    .potential = bending_springs_potential,
};

void st_bending_draw(st_object *object, st_canvas *canvas) {
    const st_bending_springs *force = (const st_bending_springs *)object;
    if (force->show_springs) st_springs_show(&force->kernel, force->base.state, force->base.state, canvas);
}

void st_bending_destroy(st_object *object) { st_springs_free(&((st_bending_springs *)object)->kernel); }
