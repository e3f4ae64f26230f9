// MeshMatrixMass: the mass matrix of linear elements on a mesh, one number per vertex and one per edge.
//
//     M_vv = Σ E α,   M_ab = Σ E α/2 along each edge a b,     E = density × measure of an element
//
//     element        α        λ
//     triangle       1/6      2
//     quad           1/8      2        sides only, no diagonals
//     tetrahedron    1/10     2.5
//     hexahedron     1/20     2.5      edges only
//     edge           0        0        no mass
//
// Lumped, only the diagonal λ M_vv remains. The weight is λ M_vv g either way. The masses come from totalMass, else
// from massDensity (one value, or one per element), else from vertexMass and edgeMass, which are then used as they are.
//
// When the mesh changes, what is left of the total is spread over what is left of the mesh, with one density, as in SOFA:
//
//     m' = m − Σ ρ measure(e) of the removed,   ρ' = m' / Σ measure(e) of the others
//
// In the current positions this takes a pass over all elements in each change. At rest (computeMassOnRest), where the
// measures stay, ρ' = ρ from the second change on, so that only vertices and edges of what comes and goes are summed again.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mass/mesh_mass.h"
#include "mass/point_masses.h"
#include "math/real.h"
#include "scene/scene.h"
#include "settee/plugin/change.h"
#include "topology/adjacency.h"

typedef struct matrix_mass {
    st_mass base;
    st_reals density, vertex_mass, edge_mass;
    st_real total;
    bool on_rest, lumping;
    st_object *topology, *geometry;
    bool print_mass;
    char *graph;
    bool show_gravity_center;
    st_real show_axis_size;

    st_mesh_mass mesh;
    st_real lambda;                          // weight of a vertex / its entry of the matrix
    bool lumped;                             // `lumping` when it was initialized
    uint32_t seen[4];                        // change counts of total, density, vertex_mass, edge_mass
    bool spread;                             // by a change: the density is one, and that of the total
    enum { NO_EDITS, FOLLOWED, LOST } edits; // since then
} matrix_mass;

static const st_field fields[] = {
    ST_FIELD(matrix_mass, density, "massDensity", st_type_reals, NULL,
             "mass per area or volume: one, or one per element", .flags = ST_FIELD_TRACKED, .mesh = ST_WITH_MESH),
    ST_FIELD(matrix_mass, total, "totalMass", st_type_real, "1", "mass of the whole mesh", .flags = ST_FIELD_TRACKED,
             .mesh = ST_WITH_MESH),
    ST_FIELD(matrix_mass, vertex_mass, "vertexMass", st_type_reals, NULL, "entry of the matrix at each vertex",
             .flags = ST_FIELD_REINIT | ST_FIELD_TRACKED, .mesh = ST_PER(ST_POINT)),
    ST_FIELD(matrix_mass, edge_mass, "edgeMass", st_type_reals, NULL, "entry of the matrix at each edge",
             .flags = ST_FIELD_REINIT | ST_FIELD_TRACKED, .mesh = ST_PER(ST_EDGE)),
    ST_FIELD(matrix_mass, on_rest, "computeMassOnRest", st_type_bool, "0",
             "elements are measured in the rest position, else in the current one"),
    ST_FIELD(matrix_mass, lumping, "lumping", st_type_bool, "0", "a diagonal matrix", .flags = ST_FIELD_TRACKED),
    ST_FIELD(matrix_mass, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(matrix_mass, geometry, "geometryState", st_type_link, NULL,
             "the state with the positions of the mesh; that of the mesh's node when not given",
             .role = ST_ROLE(state)),
    ST_FIELD(matrix_mass, print_mass, "printMass", st_type_bool, "0", "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(matrix_mass, graph, "graph", st_type_string, NULL, "", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(matrix_mass, show_gravity_center, "showGravityCenter", st_type_bool, "0", "show the center of mass",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(matrix_mass, show_axis_size, "showAxisSizeFactor", st_type_real, "1", "size of the axes drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static const struct share {
    st_real vertex, edge; // divisors of E
    st_real lambda;
} shares[ST_ELEMENT_KINDS] = {
    [ST_TRIANGLE] = {6, 12, 2},
    [ST_QUAD] = {8, 16, 2},
    [ST_TETRAHEDRON] = {10, 20, ST_R(2.5)},
    [ST_HEXAHEDRON] = {20, 40, ST_R(2.5)},
};

static st_object *object_of(matrix_mass *mass) { return &mass->base.force.object; }

// ---------------------------------------------------------------------------------------------------
// From the mesh
// ---------------------------------------------------------------------------------------------------

typedef struct spreading {
    matrix_mass *mass;
    const st_real *density; // one per element
    size_t densities;       // or one for all
    st_real *whole;         // mass of each element
    st_real sum;
    size_t missing;       // elements without positions
    size_t missing_edges; // of elements, not in the list of edges
} spreading;

static const uint32_t *vertices_of_element(const matrix_mass *mass, size_t e) {
    return mass->mesh.topology->elements[mass->mesh.kind].data + e * st_element_size[mass->mesh.kind];
}

static void weigh_elements(spreading *s) {
    const st_element kind = s->mass->mesh.kind;
    const st_points points = st_mesh_mass_points(&s->mass->mesh, s->mass->on_rest);
    const size_t count = st_topology_elements(s->mass->mesh.topology, kind)->count;

    for (size_t e = 0; e < count; e++) {
        const uint32_t *v = vertices_of_element(s->mass, e);
        const st_real density = s->densities == 1 ? s->density[0] : e < s->densities ? s->density[e] : 0;
        const bool there = st_has_points(&points, kind, v);
        s->whole[e] = there ? density * st_measure(&points, kind, v) : 0;
        s->missing += !there;
    }
}

static void spread_to_edges(spreading *s) {
    matrix_mass *mass = s->mass;
    const st_element kind = mass->mesh.kind;
    const st_uints *elements = st_topology_elements(mass->mesh.topology, kind);
    const int parts = st_element_parts(kind, ST_EDGE).parts;
    const uint32_t *in = st_topology_in(mass->mesh.topology, kind, ST_EDGE);

    for (size_t e = 0; in && e < elements->count; e++) {
        const st_real share = s->whole[e] / shares[kind].edge;
        int found = 0;

        // an element's edge that is not in the mesh's list has no place for its share
        for (int j = 0; j < parts; j++) {
            const uint32_t edge = in[e * (size_t)parts + (size_t)j];
            if (edge >= mass->edge_mass.count) continue;
            mass->edge_mass.data[edge] += share;
            found++;
        }

        s->missing_edges += (size_t)(parts - found);
        s->sum += 2 * share * (st_real)found;
    }
}

static void spread_to_vertices(spreading *s) {
    matrix_mass *mass = s->mass;
    const st_element kind = mass->mesh.kind;
    const size_t n = st_element_size[kind];
    const st_uints *elements = st_topology_elements(mass->mesh.topology, kind);

    for (size_t e = 0; e < elements->count; e++) {
        const uint32_t *v = vertices_of_element(mass, e);
        const st_real share = s->whole[e] / shares[kind].vertex;
        for (size_t i = 0; i < n; i++)
            if (v[i] < mass->vertex_mass.count) mass->vertex_mass.data[v[i]] += share;

        // what the matrix will hold: lumped, the diagonal alone has the whole mass
        s->sum += (st_real)n * share * (mass->lumped ? mass->lambda : 1);
    }
}

// Both lists with the given densities; their sum. Edges have no mass: the lists are then zero.
static st_real mesh_matrix_mass_spread(matrix_mass *mass, const st_real *density, size_t densities) {
    spreading s = {.mass = mass, .density = density, .densities = densities};

    const st_element kind = mass->mesh.kind;
    const size_t edges = st_topology_elements(mass->mesh.topology, ST_EDGE)->count;
    const size_t count = st_topology_elements(mass->mesh.topology, kind)->count;

    if (!st_resize_member(object_of(mass), &mass->vertex_mass, mass->base.force.state->size) ||
        !st_resize_member(object_of(mass), &mass->edge_mass, edges))
        return 0;
    if (!(s.whole = st_alloc(count, sizeof *s.whole))) {
        st_message(object_of(mass), ST_ERROR, "out of memory: %zu elements have no mass", count);
        return 0;
    }

    for (size_t i = 0; i < mass->vertex_mass.count; i++) mass->vertex_mass.data[i] = 0;
    for (size_t i = 0; i < mass->edge_mass.count; i++) mass->edge_mass.data[i] = 0;

    // the order of the sum: edges first
    if (kind != ST_EDGE) {
        weigh_elements(&s);
        if (!mass->lumped) spread_to_edges(&s);
        spread_to_vertices(&s);
    }
    st_free(s.whole);

    if (s.missing)
        st_message(object_of(mass), ST_ERROR, "%zu elements have vertices without a position: they have no mass",
                   s.missing);
    if (s.missing_edges)
        st_message(object_of(mass), ST_ERROR,
                   "%zu edges of elements are not among the edges of the mesh: they have no mass", s.missing_edges);
    return s.sum;
}

// What unit density weighs gives the density of the total.
static st_status from_total(matrix_mass *mass) {
    const st_real one = 1, sum = mesh_matrix_mass_spread(mass, &one, 1);
    const st_real ratio = sum > ST_REAL_EPSILON ? mass->total / sum : 1;
    const size_t count = st_topology_elements(mass->mesh.topology, mass->mesh.kind)->count;

    // the same density for all elements
    if (!st_resize_member(object_of(mass), &mass->density, count)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) mass->density.data[i] = ratio;

    // and masses in proportion
    for (size_t i = 0; i < mass->vertex_mass.count; i++) mass->vertex_mass.data[i] *= ratio;
    for (size_t i = 0; i < mass->edge_mass.count; i++) mass->edge_mass.data[i] *= ratio;
    return ST_OK;
}

static st_real sum_of(const st_reals *list) {
    st_real sum = 0;
    for (size_t i = 0; i < list->count; i++) sum += list->data[i];
    return sum;
}

static void from_density(matrix_mass *mass) {
    mesh_matrix_mass_spread(mass, mass->density.data, mass->density.count);
    mass->total = mass->lumped ? mass->lambda * sum_of(&mass->vertex_mass)
                               : sum_of(&mass->vertex_mass) + 2 * sum_of(&mass->edge_mass);
}

// The lists stay; total and density follow.
static st_status from_lists(matrix_mass *mass) {
    const st_real one = 1;

    // the computed lists are only needed for the volume
    st_reals vertices = mass->vertex_mass, edges = mass->edge_mass;
    mass->vertex_mass = (st_reals){0};
    mass->edge_mass = (st_reals){0};
    mesh_matrix_mass_spread(mass, &one, 1);

    const st_real volume = mass->lambda * sum_of(&mass->vertex_mass);
    st_list_free(&mass->vertex_mass);
    st_list_free(&mass->edge_mass);

    mass->vertex_mass = vertices;
    mass->edge_mass = edges;

    mass->total = sum_of(&vertices) + (mass->lumped ? 0 : sum_of(&edges));
    if (!st_resize_member(object_of(mass), &mass->density, 1)) return ST_OUT_OF_MEMORY;
    mass->density.data[0] = volume > ST_REAL_EPSILON ? mass->total / volume : 1;
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static bool check_list(matrix_mass *mass, const char *name, const st_reals *list, size_t wanted, bool or_one,
                       const char *effect) {
    // as many as wanted, none negative
    if (list->count != wanted && !(or_one && list->count == 1)) {
        st_message(object_of(mass), ST_WARNING, "%s has %zu values, not %zu: %s", name, list->count, wanted, effect);
        return false;
    }

    for (size_t i = 0; i < list->count; i++)
        if (!(list->data[i] >= 0)) {
            st_message(object_of(mass), ST_WARNING, "%s %zu is %g, which is negative or no number: %s", name, i,
                       (double)list->data[i], effect);
            return false;
        }
    return true;
}

static bool usable_density(matrix_mass *mass, const char *effect) {
    const size_t elements = st_topology_elements(mass->mesh.topology, mass->mesh.kind)->count;
    return check_list(mass, "massDensity", &mass->density, elements, true, effect);
}

static bool usable_lists(matrix_mass *mass, const char *effect) {
    st_object *object = object_of(mass);
    const size_t points = st_topology_points(mass->mesh.topology);
    const size_t edges = st_topology_elements(mass->mesh.topology, ST_EDGE)->count;

    if (!mass->lumped && !st_is_set(object, &mass->edge_mass)) {
        st_message(object, ST_ERROR, "vertexMass is given without edgeMass, and the matrix is not lumped: %s", effect);
        return false;
    }

    return check_list(mass, "vertexMass", &mass->vertex_mass, points, false, effect) &&
           (mass->lumped || check_list(mass, "edgeMass", &mass->edge_mass, edges, false, effect));
}

static st_status mesh_matrix_mass_compute(matrix_mass *mass) {
    st_object *object = object_of(mass);
    const char *effect = "totalMass is used";
    const st_mass_source source =
        st_mass_choose(object, st_is_set(object, &mass->total), st_is_set(object, &mass->density),
                       st_is_set(object, &mass->vertex_mass));

    // density or masses, where they make sense
    if (source == ST_MASS_FROM_DENSITY && usable_density(mass, effect)) {
        from_density(mass);
        return ST_OK;
    }
    if (source == ST_MASS_FROM_VERTICES && usable_lists(mass, effect)) return from_lists(mass);

    // else the total
    st_mass_check_total(object, &mass->total);
    return from_total(mass);
}

static void remember_counts(matrix_mass *mass) {
    const void *members[4] = {&mass->total, &mass->density, &mass->vertex_mass, &mass->edge_mass};
    for (int i = 0; i < 4; i++) mass->seen[i] = st_change_count(object_of(mass), members[i]);
}

// Lists that have followed all edits of the mesh stay; else what is left of the total is spread again.
static st_status mesh_matrix_mass_follow(matrix_mass *mass) {
    st_topology *topology = mass->mesh.topology;
    const bool fits = mass->vertex_mass.count == mass->base.force.state->size &&
                      mass->edge_mass.count == st_topology_elements(topology, ST_EDGE)->count;
    if (!mass->spread || mass->edits != FOLLOWED || !fits || mass->density.count == 0) return from_total(mass);

    // new elements have the same density
    const size_t had = mass->density.count, count = topology->elements[mass->mesh.kind].count;
    const st_real density = mass->density.data[0];
    if (!st_resize_member(object_of(mass), &mass->density, count)) return ST_OUT_OF_MEMORY;
    for (size_t i = had; i < count; i++) mass->density.data[i] = density;
    return ST_OK;
}

static st_status mesh_matrix_mass_init(st_object *object) {
    matrix_mass *mass = (matrix_mass *)object;
    st_status status = st_force_class.init(object);
    if (status == ST_OK) status = st_mesh_mass_find(&mass->mesh, object, mass->topology, mass->geometry);

    // without a mesh there are no masses
    if (status == ST_OK) {
        mass->lambda = shares[mass->mesh.kind].lambda;
        mass->lumped = mass->lumping;
        if (mass->mesh.kind == ST_EDGE)
            st_message(object, ST_WARNING,
                       "the mesh has only edges: they have no mass here (DiagonalMass gives them one)");
        // for a reset the lists are back already
        const st_init_reason why = object->validity == ST_VALID ? st_why_init(object) : ST_INIT_FIRST;
        if (why == ST_INIT_CHANGED) status = mesh_matrix_mass_follow(mass);
        if (why == ST_INIT_FIRST) status = mesh_matrix_mass_compute(mass);
        mass->spread = why == ST_INIT_CHANGED && mass->density.count > 0;
        mass->edits = NO_EDITS;
    } else {
        mass->vertex_mass.count = 0;
    }

    remember_counts(mass);
    return status;
}

static void mesh_matrix_mass_changed(st_object *object) {
    matrix_mass *mass = (matrix_mass *)object;
    const char *effect = "the masses stay as they are";

    if (!mass->mesh.geometry) return;

    if (mass->lumping != mass->lumped) {
        st_message(object, ST_ERROR, "lumping cannot be changed after the start");
        mass->lumping = mass->lumped;
    }

    // the first one that changed counts, in the order of precedence
    if (st_change_count(object, &mass->total) != mass->seen[0]) {
        if (mass->total >= 0) from_total(mass);
        else st_message(object, ST_ERROR, "totalMass = %g is not a mass: %s", (double)mass->total, effect);
    } else if (st_change_count(object, &mass->density) != mass->seen[1]) {
        if (usable_density(mass, effect)) from_density(mass);
    } else if (st_change_count(object, &mass->vertex_mass) != mass->seen[2] ||
               st_change_count(object, &mass->edge_mass) != mass->seen[3]) {
        if (usable_lists(mass, effect)) from_lists(mass);
    }

    mass->spread = false;
    remember_counts(mass);
}

// ---------------------------------------------------------------------------------------------------
// Changes of the mesh
// ---------------------------------------------------------------------------------------------------

// What an element has of the total, on its vertices and edges.
static st_real mass_in_total(const matrix_mass *mass, const st_points *points, uint32_t element) {
    const st_element kind = mass->mesh.kind;
    const st_uints *elements = &mass->mesh.topology->elements[kind];
    const uint32_t *v = vertices_of_element(mass, element);
    if (element >= elements->count || !st_has_points(points, kind, v) || mass->density.count == 0) return 0;

    const st_real density = mass->density.data[element < mass->density.count ? element : 0];
    const st_real whole = density * st_measure(points, kind, v), n = (st_real)st_element_size[kind];
    if (mass->lumped) return n * whole / shares[kind].vertex * mass->lambda;
    return n * whole / shares[kind].vertex +
           2 * (st_real)st_element_parts(kind, ST_EDGE).parts * whole / shares[kind].edge;
}

static bool is_among(const st_edit *edit, uint32_t id) {
    for (size_t i = 0; i < edit->count; i++)
        if (edit->ids[i] == id) return true;
    return false;
}

// Σ ρ measure / divisor over the elements around a vertex or an edge, but for those that go.
static st_real share_of(const matrix_mass *mass, const st_points *points, st_around around, uint32_t index,
                        st_real divisor, const st_edit *edit) {
    const st_element kind = mass->mesh.kind;
    const st_shell shell = st_shell_of(around, index);
    st_real sum = 0;

    for (size_t i = 0; i < shell.count; i++) {
        const uint32_t *v = vertices_of_element(mass, shell.ids[i]);
        if (edit->what == ST_EDIT_REMOVED && is_among(edit, shell.ids[i])) continue;
        if (st_has_points(points, kind, v)) sum += mass->density.data[0] * st_measure(points, kind, v) / divisor;
    }
    return sum;
}

// The entries of the vertices and edges of some elements; false: too many, or out of memory.
static bool sum_again(matrix_mass *mass, const st_points *points, const st_edit *edit) {
    enum { FEW = 16 };
    st_topology *topology = mass->mesh.topology;
    const st_element kind = mass->mesh.kind;
    const size_t n = st_element_size[kind], parts = mass->lumped ? 0 : (size_t)st_element_parts(kind, ST_EDGE).parts;
    if (edit->count > FEW || mass->density.count == 0) return false;

    // who is around them
    const st_around vertices = st_topology_around(topology, kind, ST_VERTEX);
    const st_around edges = parts ? st_topology_around(topology, kind, ST_EDGE) : vertices;
    const uint32_t *in = parts ? st_topology_in(topology, kind, ST_EDGE) : NULL;
    if (!vertices.starts || !edges.starts || (parts && !in)) return false;

    // M_vv and M_ab from all that have them
    for (size_t k = 0; k < edit->count; k++) {
        const uint32_t e = edit->ids[k], *v = vertices_of_element(mass, e);
        if (e >= topology->elements[kind].count) continue;
        for (size_t i = 0; i < n; i++)
            if (v[i] < mass->vertex_mass.count)
                mass->vertex_mass.data[v[i]] = share_of(mass, points, vertices, v[i], shares[kind].vertex, edit);
        for (size_t i = 0; i < parts; i++) {
            const uint32_t edge = in[e * parts + i];
            if (edge < mass->edge_mass.count)
                mass->edge_mass.data[edge] = share_of(mass, points, edges, edge, shares[kind].edge, edit);
        }
    }
    return true;
}

// The total follows the elements, and where the density stays what it is their vertices and edges do; else `init` spreads
// the total over what is left.
static void mesh_matrix_mass_edited(st_object *object, const st_edits *edits) {
    matrix_mass *mass = (matrix_mass *)object;
    if (edits->topology != mass->mesh.topology || mass->mesh.kind == ST_EDGE) return;
    const st_points points = st_mesh_mass_points(&mass->mesh, mass->on_rest);

    if (mass->edits == NO_EDITS) mass->edits = mass->spread && mass->on_rest ? FOLLOWED : LOST;
    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (edit->kind != (int)mass->mesh.kind) continue;
        const st_real sign = edit->what == ST_EDIT_REMOVED || edit->what == ST_EDIT_MOVING ? -1 : 1;
        for (size_t k = 0; k < edit->count; k++) mass->total += sign * mass_in_total(mass, &points, edit->ids[k]);
        if (mass->edits == FOLLOWED && edit->what != ST_EDIT_MOVING && !sum_again(mass, &points, edit))
            mass->edits = LOST;
    }
}

// ---------------------------------------------------------------------------------------------------
// Weight
// ---------------------------------------------------------------------------------------------------

static size_t vertices_of(const matrix_mass *mass) {
    const st_state *state = mass->base.force.state;

    if (!state) return 0;
    return mass->vertex_mass.count < state->size ? mass->vertex_mass.count : state->size;
}

// Entries of the matrix off the diagonal.
static size_t edges_of(const matrix_mass *mass) {
    if (mass->lumped || !vertices_of(mass)) return 0;
    const size_t count = mass->mesh.topology->elements[ST_EDGE].count;
    return mass->edge_mass.count < count ? mass->edge_mass.count : count;
}

static bool edge_ends(const matrix_mass *mass, size_t e, size_t *a, size_t *b) {
    const uint32_t *edges = mass->mesh.topology->elements[ST_EDGE].data;
    *a = edges[2 * e];
    *b = edges[2 * e + 1];
    return *a < mass->base.force.state->size && *b < mass->base.force.state->size;
}

// The diagonal as the weight has it: lumped in any case.
static st_point_masses mesh_matrix_mass_points_of(const st_mass *base) {
    const matrix_mass *mass = (const matrix_mass *)base;
    return (st_point_masses){mass->vertex_mass.data, vertices_of(mass), 1, mass->lambda};
}

static void mesh_matrix_mass_add_force(st_force *force, const st_params *params) {
    const st_point_masses points = mesh_matrix_mass_points_of((const st_mass *)force);
    st_point_masses_weigh(&points, (const st_mass *)force, params);
}

static st_real mesh_matrix_mass_potential(st_force *force, const st_params *params) {
    const st_point_masses points = mesh_matrix_mass_points_of((const st_mass *)force);
    return st_point_masses_potential(&points, (const st_mass *)force, params);
}

// ---------------------------------------------------------------------------------------------------
// Inertia
// ---------------------------------------------------------------------------------------------------

static bool mesh_matrix_mass_is_diagonal(const st_mass *mass) { return ((const matrix_mass *)mass)->lumped; }

static void mesh_matrix_mass_matrix(st_mass *base, st_inertia inertia) {
    const matrix_mass *mass = (const matrix_mass *)base;
    const size_t count = vertices_of(mass), edges = edges_of(mass);
    if (!count) return;
    const size_t n = st_state_dof(base->force.state)->deriv;
    const size_t width = n;
    const st_real factor = mass->lumped ? mass->lambda : 1;
    st_sink *sink = st_inertia_of(inertia, base->force.state);

    // the diagonal, by many threads where it is a plain list
    if (factor == 1) {
        const st_diagonals vertices = {.count = count, .n = n, .values = mass->vertex_mass.data};
        st_add_diagonals(sink, base->force.object.scene->pool, &vertices);
    } else {
        for (size_t i = 0; i < count; i++)
            st_add_diagonal(sink, i * width, i * width, n, mass->vertex_mass.data[i] * factor);
    }

    // the edges, both ways
    for (size_t e = 0; e < edges; e++) {
        size_t a, b;
        if (!edge_ends(mass, e, &a, &b)) continue;
        st_add_diagonal(sink, a * width, b * width, n, mass->edge_mass.data[e]);
        st_add_diagonal(sink, b * width, a * width, n, mass->edge_mass.data[e]);
    }
}

// The diagonal as the matrix has it.
static st_point_masses diagonal_of(const st_mass *base) {
    st_point_masses points = mesh_matrix_mass_points_of(base);
    if (!((const matrix_mass *)base)->lumped) points.factor = 1;
    return points;
}

static void mesh_matrix_mass_product(st_mass *base, const st_params *params, st_real factor) {
    const matrix_mass *mass = (const matrix_mass *)base;
    const st_point_masses diagonal = diagonal_of(base);
    const size_t edges = edges_of(mass);

    st_point_masses_multiply(&diagonal, base, params, factor);
    if (!edges) return;

    const size_t n = st_state_dof(base->force.state)->deriv;
    const st_real *dx = st_dx(base->force.state, params);
    st_real *df = st_df(base->force.state, params);

    // M_ab of each edge, both ways
    for (size_t e = 0; e < edges; e++) {
        size_t a, b;
        if (!edge_ends(mass, e, &a, &b)) continue;

        const st_real m = mass->edge_mass.data[e] * factor;
        for (size_t j = 0; j < n; j++) df[a * n + j] += dx[b * n + j] * m;
        for (size_t j = 0; j < n; j++) df[b * n + j] += dx[a * n + j] * m;
    }
}

// Lumped only; vertices without elements are left alone.
static void mesh_matrix_mass_acceleration(st_mass *base, st_deriv_id a, st_const_deriv_id f) {
    const st_point_masses points = mesh_matrix_mass_points_of(base);
    if (((const matrix_mass *)base)->lumped) st_point_masses_accelerate(&points, base, a, f);
}

// ½ vᵀ M v
static st_real mesh_matrix_mass_kinetic(st_mass *base, const st_params *params) {
    const matrix_mass *mass = (const matrix_mass *)base;
    const st_point_masses diagonal = diagonal_of(base);
    const size_t edges = edges_of(mass);
    st_real energy = st_point_masses_kinetic(&diagonal, base, params);
    if (!edges) return energy;

    const size_t n = st_state_dof(base->force.state)->deriv;
    const st_real *v = st_v(base->force.state, params);

    // 2 · ½ m v_a·v_b for each edge
    for (size_t e = 0; e < edges; e++) {
        size_t a, b;
        if (!edge_ends(mass, e, &a, &b)) continue;
        for (size_t j = 0; j < n; j++) energy += mass->edge_mass.data[e] * v[a * n + j] * v[b * n + j];
    }
    return energy;
}

static st_real mesh_matrix_mass_element_mass(const st_mass *base, size_t index) {
    const st_point_masses points = mesh_matrix_mass_points_of(base);
    return index < points.count ? points.data[index] * points.factor : 0;
}

static const st_force_ops force_ops = {.add_force = mesh_matrix_mass_add_force,
                                       .potential = mesh_matrix_mass_potential};
static const st_mass_ops mass_ops = {
    .is_diagonal = mesh_matrix_mass_is_diagonal,
    .matrix = mesh_matrix_mass_matrix,
    .product = mesh_matrix_mass_product,
    .acceleration = mesh_matrix_mass_acceleration,
    .kinetic = mesh_matrix_mass_kinetic,
    .element_mass = mesh_matrix_mass_element_mass,
};

const st_class st_mesh_matrix_mass_class = {
    .name = "MeshMatrixMass",
    .help = "the mass matrix of linear elements on a mesh",
    .parent = &st_mass_class,
    .templates = "Vec3 Vec2 Vec1 Vec3,Vec3 Vec2,Vec2 Vec2,Vec3 Vec1,Vec1 Vec1,Vec2 Vec1,Vec3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(matrix_mass),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<MeshMatrixMass massDensity=\"3 2\"/>",
    .accepts = st_mesh_mass_accepts,
    .flags = ST_CLASS_PRODUCT_BY_MATRIX,
    .init = mesh_matrix_mass_init,
    .changed = mesh_matrix_mass_changed,
    .edited = mesh_matrix_mass_edited,
    .force = &force_ops,
    .mass = &mass_ops,
};
