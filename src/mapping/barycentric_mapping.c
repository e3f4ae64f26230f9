// BarycentricMapping: child points are carried by the elements of the parent's mesh.
//
//     p = sum_k w_k q_k        with weights w that are fixed at init from the point's coordinates f in its element:
//
//     edge         1-fx, fx                       triangle  1-fx-fy, fx, fy
//     quad         products of (1-fx, fx) and (1-fy, fy)
//     tetrahedron  1-fx-fy-fz, fx, fy, fz         hexahedron  products of (1-fx, fx), (1-fy, fy) and (1-fz, fz)
//
// Sums run over a quad's nodes as 0 1 3 2 and over a hexahedron's as 0 1 3 2 4 5 7 6. Coordinates are those of
// mapping/cell_search.h: exact for parallelepipeds, an affine approximation for other hexahedra and quads. A
// RegularGridTopology is searched by its own geometry, whatever was done to the parent's positions. Points outside of
// the mesh are extrapolated from the nearest element. A child frame (Rigid3) is carried by its center alone.
//
// The child does not move at init: the propagation that ends the scene's initialization does that.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/cell_search.h"
#include "math/vec3.h"
#include "settee/physics.h"
#include "topology/regular_grid.h"

enum { NODES_MAX = 8 };

typedef struct barycentric_mapping {
    st_mapping mapping;
    bool use_rest_position;
    st_object *mapper, *input_topology, *output_topology;
    // Row i of J: nodes and weights from start[i] to start[i + 1].
    st_uints start, nodes;
    st_reals weights;
    size_t parent_size; // every node is below it
} barycentric_mapping;

// ---------------------------------------------------------------------------------------------------
// A step: p = J q, v_p = J v_q, f_q += J^T f_p
// ---------------------------------------------------------------------------------------------------

static size_t row_count(const barycentric_mapping *self) { return self->start.count ? self->start.count - 1 : 0; }

// Vectors that do not exist, such as the velocities of a visual model, are left alone.
static void multiply(const barycentric_mapping *self, st_reals *to, int stride, const st_reals *from) {
    if (from->count < self->parent_size || to->count < row_count(self)) return;
    for (size_t i = 0; i < row_count(self); i++) {
        st_real sum[3] = {0, 0, 0};
        for (uint32_t k = self->start.data[i]; k < self->start.data[i + 1]; k++)
            st_vec3_add_scaled(sum, sum, from->data + 3 * (size_t)self->nodes.data[k], self->weights.data[k]);
        st_vec3_copy(to->data + i * (size_t)stride, sum);
    }
}

static void apply(st_mapping *mapping, st_coord_id out, st_const_coord_id in) {
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    st_state *child = st_mapping_out(mapping);
    if (self->start.count == 0) return; // before the search, or after one that failed
    if (child->size != row_count(self)) st_state_resize(child, row_count(self));
    multiply(self, st_coord_list(child, out.index, ST_COORD_POSITION), st_state_dof(child)->coord,
             st_coord_list(st_mapping_in(mapping), in.index, ST_COORD_POSITION));
}

static void apply_j(st_mapping *mapping, st_deriv_id out, st_const_deriv_id in) {
    const st_state *child = st_mapping_out(mapping);
    multiply((const barycentric_mapping *)mapping, st_deriv_list(child, out.index, ST_DERIV_VELOCITY),
             st_state_dof(child)->deriv, st_deriv_list(st_mapping_in(mapping), in.index, ST_DERIV_VELOCITY));
}

static void apply_jt(st_mapping *mapping, st_deriv_id in, st_const_deriv_id out) {
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    const st_state *child = st_mapping_out(mapping);
    const size_t stride = (size_t)st_state_dof(child)->deriv;
    const st_reals *from = st_deriv_list(child, out.index, ST_DERIV_FORCE);
    st_reals *to = st_deriv_list(st_mapping_in(mapping), in.index, ST_DERIV_FORCE);
    if (to->count < self->parent_size || from->count < row_count(self)) return;
    for (size_t i = 0; i < row_count(self); i++)
        for (uint32_t k = self->start.data[i]; k < self->start.data[i + 1]; k++) {
            st_real *f = to->data + 3 * (size_t)self->nodes.data[k];
            st_vec3_add_scaled(f, f, from->data + i * stride, self->weights.data[k]);
        }
}

static void jacobian(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    const barycentric_mapping *self = (const barycentric_mapping *)mapping;
    const size_t stride = (size_t)st_state_dof(st_mapping_out(mapping))->deriv;
    for (size_t i = 0; i < row_count(self); i++)
        for (uint32_t k = self->start.data[i]; k < self->start.data[i + 1]; k++) {
            const st_real w = self->weights.data[k];
            const st_real block[9] = {w, 0, 0, 0, w, 0, 0, 0, w};
            st_add_3x3(sink, i * stride, 3 * (size_t)self->nodes.data[k], block);
        }
}

// ---------------------------------------------------------------------------------------------------
// Weights
// ---------------------------------------------------------------------------------------------------

static const int summation_order[ST_ELEMENT_KINDS][NODES_MAX] = {
    [ST_EDGE] = {0, 1},
    [ST_TRIANGLE] = {0, 1, 2},
    [ST_TETRAHEDRON] = {0, 1, 2, 3},
    [ST_QUAD] = {0, 1, 3, 2},
    [ST_HEXAHEDRON] = {0, 1, 3, 2, 4, 5, 7, 6},
};

static void element_weights(st_element kind, const st_real f[3], st_real w[NODES_MAX]) {
    const st_real x = f[0], y = f[1], z = f[2];
    switch (kind) {
    case ST_EDGE: w[0] = 1 - x, w[1] = x; break;
    case ST_TRIANGLE: w[0] = 1 - x - y, w[1] = x, w[2] = y; break;
    case ST_QUAD: w[0] = (1 - x) * (1 - y), w[1] = x * (1 - y), w[2] = x * y, w[3] = (1 - x) * y; break;
    case ST_TETRAHEDRON: w[0] = 1 - x - y - z, w[1] = x, w[2] = y, w[3] = z; break;
    default:
        w[0] = (1 - x) * (1 - y) * (1 - z), w[1] = x * (1 - y) * (1 - z);
        w[2] = x * y * (1 - z), w[3] = (1 - x) * y * (1 - z);
        w[4] = (1 - x) * (1 - y) * z, w[5] = x * (1 - y) * z;
        w[6] = x * y * z, w[7] = (1 - x) * y * z;
    }
}

// Appends the row of the next point.
static st_status add_row(barycentric_mapping *self, st_element kind, const uint32_t *nodes, const st_real f[3]) {
    const int size = st_element_size[kind];
    const size_t old = self->nodes.count;
    st_real w[NODES_MAX];
    if (!isfinite(f[0] + f[1] + f[2]))
        return st_invalid(&self->mapping.object, "point %zu has no coordinates in its element: is the element flat?",
                          row_count(self));
    if (old + (size_t)size > UINT32_MAX || !st_list_set_count(&self->nodes, old + (size_t)size, 1) ||
        !st_list_set_count(&self->weights, old + (size_t)size, 1))
        return ST_OUT_OF_MEMORY;
    element_weights(kind, f, w);
    for (int k = 0; k < size; k++) {
        const int node = summation_order[kind][k];
        self->nodes.data[old + (size_t)k] = nodes[node];
        self->weights.data[old + (size_t)k] = w[node];
    }
    return st_list_push(&self->start, (uint32_t)(old + (size_t)size)) ? ST_OK : ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Which element carries a point
// ---------------------------------------------------------------------------------------------------

// What a search works on: points of the child, nodes of the parent.
typedef struct places {
    const st_real *points;
    size_t count, stride;
    const st_real *nodes;
    size_t node_count;
} places;

static st_status map_to_grid(barycentric_mapping *self, const st_regular_grid *grid, const places *at) {
    const size_t points = st_grid_points(&grid->grid);
    if (st_grid_cells(&grid->grid) == 0)
        return st_invalid(&self->mapping.object, "the grid of the parent has no cells: a flat one carries no points");
    if (points > at->node_count)
        return st_invalid(&self->mapping.object, "the grid has %zu points, but the parent state only %zu", points,
                          at->node_count);
    for (size_t i = 0; i < at->count; i++) {
        st_real f[3];
        uint32_t corners[8];
        st_grid_cell_corners(&grid->grid, st_regular_grid_find_nearest_cell(grid, at->points + i * at->stride, f),
                             corners);
        const st_status status = add_row(self, ST_HEXAHEDRON, corners, f);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

// The first edge on which the point has its foot, at whatever distance; the last edge when there is none.
static st_status map_to_edges(barycentric_mapping *self, const st_uints *edges, const places *at) {
    for (size_t i = 0; i < at->count; i++) {
        const uint32_t *nodes = NULL;
        st_real c = 0;
        for (size_t k = 0; k < edges->count; k++) {
            st_real direction[3], d[3];
            nodes = edges->data + 2 * k;
            const st_real *p0 = at->nodes + 3 * (size_t)nodes[0];
            st_vec3_sub(direction, at->nodes + 3 * (size_t)nodes[1], p0);
            const st_real length = st_vec3_norm(direction);
            st_vec3_normalize(direction, direction);
            st_vec3_sub(d, at->points + i * at->stride, p0);
            c = st_vec3_dot(direction, d) / length;
            if (c >= 0 && c <= 1) break;
        }
        const st_status status = add_row(self, ST_EDGE, nodes, (const st_real[3]){c, 0, 0});
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

static st_status map_to_cells(barycentric_mapping *self, const st_cell_search *search, const places *at) {
    for (size_t i = 0; i < at->count; i++) {
        st_real f[3] = {0, 0, 0};
        const size_t cell = st_cell_search_find(search, at->points + i * at->stride, f);
        if (cell == SIZE_MAX) return st_invalid(&self->mapping.object, "no element can be found for point %zu", i);
        const st_status status = add_row(self, search->cells.data[cell].kind, search->cells.data[cell].nodes, f);
        if (status != ST_OK) return status;
    }
    return ST_OK;
}

static st_status check_nodes(barycentric_mapping *self, const st_uints *elements, st_element kind, const places *at) {
    for (size_t i = 0; i < elements->count * (size_t)st_element_size[kind]; i++)
        if (elements->data[i] >= at->node_count)
            return st_invalid(&self->mapping.object, "the mesh uses point %u, but the parent state has only %zu",
                              elements->data[i], at->node_count);
    return ST_OK;
}

// Volumes where there are any, else surfaces, else edges.
static st_status map_to_mesh(barycentric_mapping *self, st_topology *topology, const places *at) {
    static const st_element kinds[3][2] = {{ST_TETRAHEDRON, ST_HEXAHEDRON}, {ST_TRIANGLE, ST_QUAD}, {ST_EDGE, ST_EDGE}};
    for (int level = 0; level < 3; level++) {
        const st_uints *lists[2];
        st_status status = ST_OK;
        for (int i = 0; i < 2; i++) {
            lists[i] = st_topology_elements(topology, kinds[level][i]);
            if (status == ST_OK) status = check_nodes(self, lists[i], kinds[level][i], at);
        }
        if (status != ST_OK) return status;
        if (lists[0]->count + lists[1]->count == 0) continue;
        if (kinds[level][0] == ST_EDGE) return map_to_edges(self, lists[0], at);
        st_cell_search search = {0};
        bool ok = true;
        for (int i = 0; i < 2; i++) ok = ok && st_cell_search_add(&search, kinds[level][i], lists[i], at->nodes);
        ok = ok && st_cell_search_finish(&search, at->nodes);
        status = ok ? map_to_cells(self, &search, at) : ST_OUT_OF_MEMORY;
        st_cell_search_free(&search);
        return status;
    }
    return st_invalid(&self->mapping.object, "the topology '%s' has no elements that could carry points",
                      topology->object.name ? topology->object.name : "");
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static const st_reals *places_of(const barycentric_mapping *self, const st_state *state) {
    const st_reals *rest = &state->coord[ST_COORD_REST];
    return self->use_rest_position && rest->count == state->size ? rest : &state->coord[ST_COORD_POSITION];
}

static bool all_finite(const st_reals *list, size_t stride) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < 3; k++)
            if (!isfinite(list->data[i * stride + k])) return false;
    return true;
}

static st_status make_rows(barycentric_mapping *self, st_topology *topology) {
    const st_state *parent = st_mapping_in(&self->mapping), *child = st_mapping_out(&self->mapping);
    const st_reals *nodes = places_of(self, parent), *points = places_of(self, child);
    const places at = {.points = points->data,
                       .count = points->count,
                       .stride = (size_t)st_state_dof(child)->coord,
                       .nodes = nodes->data,
                       .node_count = nodes->count};
    if (!all_finite(nodes, 3) || !all_finite(points, at.stride))
        return st_invalid(&self->mapping.object, "a position of its states is not finite");
    if (!st_list_push(&self->start, 0)) return ST_OUT_OF_MEMORY;
    self->parent_size = nodes->count;
    return st_is_a(&topology->object, &st_regular_grid_topology_class)
               ? map_to_grid(self, (const st_regular_grid *)topology, &at)
               : map_to_mesh(self, topology, &at);
}

static st_status init(st_object *object) {
    barycentric_mapping *self = (barycentric_mapping *)object;
    self->start.count = self->nodes.count = self->weights.count = 0;
    st_status status = st_mapping_init(object);
    if (status != ST_OK) return status;
    st_topology *topology = st_context_topology(st_mapping_in(&self->mapping)->object.node, self->input_topology);
    if (!topology) return st_invalid(object, "the parent state has no topology whose elements could carry points");
    status = make_rows(self, topology);
    if (status == ST_OK) return ST_OK;
    self->start.count = 0;
    return status == ST_OUT_OF_MEMORY ? st_invalid(object, "there is no memory for the coordinates") : status;
}

static void destroy(st_object *object) {
    barycentric_mapping *self = (barycentric_mapping *)object;
    st_list_free(&self->start);
    st_list_free(&self->nodes);
    st_list_free(&self->weights);
}

static const st_field fields[] = {
    ST_FIELD(barycentric_mapping, use_rest_position, "useRestPosition", st_type_bool, "0",
             "find the elements at the rest positions of both states"),
    ST_FIELD(barycentric_mapping, mapper, "mapper", st_type_link, NULL, "the search is always its own",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(barycentric_mapping, input_topology, "input_topology", st_type_link, NULL,
             "the mesh that carries the points; the parent state's when not given", .role = ST_ROLE(topology)),
    ST_FIELD(barycentric_mapping, output_topology, "output_topology", st_type_link, NULL, "the mesh of the child",
             .role = ST_ROLE(topology), .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_mapping_ops ops = {
    .apply = apply,
    .apply_j = apply_j,
    .apply_jt = apply_jt,
    .jacobian = jacobian,
};

const st_class st_barycentric_mapping_class = {
    .name = "BarycentricMapping",
    .help =
        "child points are carried by the elements of the parent's mesh: a RegularGridTopology with cells, or any mesh "
        "of tetrahedra and hexahedra, else triangles and quads, else edges; containers that change are not known to it",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3 Vec3,Rigid3",
    .default_template = "Vec3,Vec3",
    .fields = fields,
    .size = sizeof(barycentric_mapping),
    .example = "<MeshTopology position=\"0 0 0  1 0 0  0 1 0  0 0 1\" tetrahedra=\"0 1 2 3\"/>\n"
               "<MechanicalObject name=\"parent\"/>\n"
               "<Node name=\"points\">\n"
               "    <MechanicalObject name=\"child\" position=\"0.2 0.3 0.1  1 1 1\"/>\n"
               "    <BarycentricMapping input=\"@../parent\" output=\"@child\"/>\n"
               "</Node>",
    .init = init,
    .destroy = destroy,
    .mapping = &ops,
};
