// FEMMass: the consistent mass matrix of linear elements, by numerical integration.
//
//     M_ij = Σ over elements and points q:  w_q ρ(q) |J(q)| N_i(q) N_j(q),      ρ(q) = Σ N_i(q) ρ_i
//
// J is the derivative of the rest position by the reference coordinates; |J| is its volume, √det(JᵀJ), where the
// element has fewer dimensions than space. Shape functions and points are those of force/fem/generic/shape.h; ρ_i comes
// from a NodalMassDensity. One number for each pair of vertices is kept, in rows.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "force/fem/generic/generic.h"
#include "force/fem/generic/shape.h"
#include "mass/nodal_mass_density.h"
#include "math/mat3.h"
#include "topology/topology.h"

typedef struct fem_mass {
    st_mass base;
    st_object *topology, *density;

    size_t rows;
    uint32_t *starts; // rows + 1
    st_uints columns; // increasing in each row
    st_reals values;
} fem_mass;

static const st_field fields[] = {
    ST_FIELD(fem_mass, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(fem_mass, density, "nodalMassDensity", st_type_link, NULL,
             "the NodalMassDensity; that of the context when not given"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Element
// ---------------------------------------------------------------------------------------------------

// The volume that the columns of J (3 × dim) span.
static st_real volume_of(const st_real j[3][3], size_t dim) {
    st_real c[3][3], normal[3];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) c[k][i] = j[i][k];

    if (dim == 1) return st_vec3_norm(c[0]);
    st_vec3_cross(normal, c[0], c[1]);
    return dim == 2 ? st_vec3_norm(normal) : fabs(st_vec3_dot(normal, c[2]));
}

typedef struct element_input {
    st_element kind;
    size_t nodes;
    st_real x[ST_SHAPE_NODES][3];
    st_real density[ST_SHAPE_NODES];
} element_input;

static void element_matrix(const element_input *e, st_real *matrix) {
    const st_quadrature *rule = st_shape_quadrature(e->kind);
    const size_t n = e->nodes, dim = st_shape_dimension(e->kind);

    for (size_t i = 0; i < n * n; i++) matrix[i] = 0;
    for (size_t q = 0; q < rule->count; q++) {
        st_real shape[ST_SHAPE_NODES], gradient[ST_SHAPE_NODES][3], jacobian[3][3] = {{0}}, density = 0;
        st_shape_values(e->kind, rule->point[q], shape);
        st_shape_gradients(e->kind, rule->point[q], gradient);

        // ρ(q) = Σ N_i ρ_i and J = Σ x_i ∇N_iᵀ
        for (size_t i = 0; i < n; i++) {
            density += shape[i] * e->density[i];
            for (int r = 0; r < 3; r++)
                for (size_t c = 0; c < dim; c++) jacobian[r][c] += e->x[i][r] * gradient[i][c];
        }

        // w ρ |J| N_i N_j
        const st_real factor = rule->weight * density * volume_of((const st_real(*)[3])jacobian, dim);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) matrix[i * n + j] += factor * shape[i] * shape[j];
    }
}

// ---------------------------------------------------------------------------------------------------
// Matrix
// ---------------------------------------------------------------------------------------------------

// Pairs of each row, before equal columns are joined.
typedef struct gathering {
    size_t *next; // rows + 1: where the next entry of a row goes
    uint32_t *columns;
    st_real *values;
} gathering;

// Stable, so that equal columns are summed in the order of elements.
static void sort_row(uint32_t *columns, st_real *values, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const uint32_t column = columns[i];
        const st_real value = values[i];
        size_t k = i;

        // moves the larger ones up
        for (; k > 0 && columns[k - 1] > column; k--) {
            columns[k] = columns[k - 1];
            values[k] = values[k - 1];
        }

        columns[k] = column;
        values[k] = value;
    }
}

// Sorts each row by column and adds up what several elements put at the same place.
static bool fem_mass_compress(fem_mass *mass, gathering *g, size_t total) {
    if (!st_list_reserve(&mass->columns, total, 1) || !st_list_reserve(&mass->values, total, 1)) return false;

    mass->columns.count = mass->values.count = 0;
    size_t begin = 0;

    for (size_t r = 0; r < mass->rows; r++) {
        const size_t end = g->next[r], first = mass->columns.count;

        // equal columns follow each other now
        sort_row(g->columns + begin, g->values + begin, end - begin);
        mass->starts[r] = (uint32_t)first;

        for (size_t i = begin; i < end; i++) {
            const size_t last = mass->columns.count;
            if (last > first && mass->columns.data[last - 1] == g->columns[i]) {
                mass->values.data[last - 1] += g->values[i];
                continue;
            }
            mass->columns.data[mass->columns.count++] = g->columns[i];
            mass->values.data[mass->values.count++] = g->values[i];
        }

        begin = end;
    }

    mass->starts[mass->rows] = (uint32_t)mass->columns.count;
    return true;
}

static void fem_mass_read_element(const fem_mass *mass, element_input *e, const uint32_t *v) {
    const st_state *state = mass->base.force.state;
    const st_real *rest = state->coord[ST_COORD_REST].data;
    const size_t d = st_state_dof(state)->coord;

    for (size_t i = 0; i < e->nodes; i++) {
        for (size_t k = 0; k < 3; k++) e->x[i][k] = k < d ? rest[v[i] * d + k] : 0;
        e->density[i] = st_nodal_mass_density_at(mass->density, v[i]);
    }
}

static void fem_mass_gather(const fem_mass *mass, gathering *g, const st_uints *elements, element_input *e) {
    st_real matrix[ST_SHAPE_NODES * ST_SHAPE_NODES];
    for (size_t n = 0; n < elements->count; n++) {
        const uint32_t *v = elements->data + n * e->nodes;
        fem_mass_read_element(mass, e, v);
        element_matrix(e, matrix);

        // each row has its own range, filled from its beginning
        for (size_t i = 0; i < e->nodes; i++)
            for (size_t j = 0; j < e->nodes; j++) {
                const size_t place = g->next[v[i]]++;
                g->columns[place] = v[j];
                g->values[place] = matrix[i * e->nodes + j];
            }
    }
}

static bool fem_mass_assemble(fem_mass *mass, const st_uints *elements, st_element kind) {
    element_input e = {.kind = kind, .nodes = st_element_size[kind]};
    const size_t per = (e.nodes * e.nodes), total = elements->count * per;
    gathering g = {.next = st_alloc(mass->rows + 1, sizeof *g.next),
                   .columns = st_alloc(total, sizeof *g.columns),
                   .values = st_alloc(total, sizeof *g.values)};

    st_free(mass->starts);
    mass->starts = st_alloc(mass->rows + 1, sizeof *mass->starts);

    bool ok = g.next && g.columns && g.values && mass->starts && total < UINT32_MAX;

    // next[r]: where row r begins, from the number of entries of each row
    for (size_t i = 0; ok && i < elements->count * e.nodes; i++) g.next[elements->data[i] + 1] += e.nodes;
    for (size_t r = 0; ok && r < mass->rows; r++) g.next[r + 1] += g.next[r];

    if (ok) fem_mass_gather(mass, &g, elements, &e);
    ok = ok && fem_mass_compress(mass, &g, total);

    st_free(g.next);
    st_free(g.columns);
    st_free(g.values);
    return ok;
}

static st_status fem_mass_init(st_object *object) {
    fem_mass *mass = (fem_mass *)object;
    const st_status status = st_force_class.init(object);
    mass->rows = 0;
    if (status != ST_OK) return status;

    // the mesh
    st_topology *topology = st_context_topology(object->node, mass->topology);
    if (!topology) return st_invalid(object, "there is no mesh in its node or above: it has no mass");

    // the densities
    if (!mass->density) mass->density = st_find_class(object->node, &st_nodal_mass_density_class, ST_UP);
    if (!mass->density || !st_is_a(mass->density, &st_nodal_mass_density_class))
        return st_invalid(object, "there is no NodalMassDensity in its node or above: it has no mass");

    // its elements, whose vertices must be DOFs
    const st_element kind = st_generic_fem_kind(object);
    const st_uints *elements = st_topology_elements(topology, kind);
    const st_state *state = mass->base.force.state;
    const size_t points =
        state->coord[ST_COORD_REST].count < state->size ? state->coord[ST_COORD_REST].count : state->size;

    if (!elements->count) st_message(object, ST_WARNING, "the mesh has no elements of its kind: it has no mass");
    for (size_t i = 0; i < elements->count * st_element_size[kind]; i++)
        if (elements->data[i] >= points)
            return st_invalid(object, "the mesh has a vertex %u, but there are %zu DOFs: it has no mass",
                              elements->data[i], points);

    mass->rows = points;
    if (fem_mass_assemble(mass, elements, kind)) return ST_OK;
    mass->rows = 0;
    return ST_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------
// Weight and inertia
// ---------------------------------------------------------------------------------------------------

static size_t rows_of(const fem_mass *mass) {
    const st_state *state = mass->base.force.state;
    return state && mass->rows <= state->size ? mass->rows : 0;
}

static void fem_mass_add_force(st_force *force, const st_params *params) {
    const fem_mass *mass = (const fem_mass *)force;
    const size_t rows = rows_of(mass);
    if (mass->base.separate_gravity || !rows) return;

    const st_dof *dof = st_state_dof(force->state);
    const size_t n = dof->deriv;
    st_real *f = st_f(force->state, params), g[6];

    st_gravity(&force->object, dof, g);

    // f_r += Σ_c M_rc g
    for (size_t r = 0; r < rows; r++)
        for (uint32_t e = mass->starts[r]; e < mass->starts[r + 1]; e++)
            for (size_t j = 0; j < n; j++) f[r * n + j] += g[j] * mass->values.data[e];
}

// -Σ M_ij g.x_i
static st_real fem_mass_potential(st_force *force, const st_params *params) {
    const fem_mass *mass = (const fem_mass *)force;
    const size_t rows = rows_of(mass);
    if (!rows) return 0;

    const st_dof *dof = st_state_dof(force->state);
    const size_t n = dof->deriv;
    const st_real *x = st_x(force->state, params);
    st_real g[6], energy = 0;

    // -Σ M_rc g·x_r
    st_gravity(&force->object, dof, g);
    for (size_t r = 0; r < rows; r++)
        for (uint32_t e = mass->starts[r]; e < mass->starts[r + 1]; e++)
            for (size_t j = 0; j < n; j++) energy -= mass->values.data[e] * g[j] * x[r * n + j];
    return energy;
}

static bool fem_mass_is_diagonal(const st_mass *mass) {
    (void)mass;
    return false;
}

static void fem_mass_matrix(st_mass *base, st_inertia inertia) {
    const fem_mass *mass = (const fem_mass *)base;
    const size_t rows = rows_of(mass);
    if (!rows) return;

    const size_t n = st_state_dof(base->force.state)->deriv;
    st_sink *sink = st_inertia_of(inertia, base->force.state);

    // M_rc on the diagonal of each block
    for (size_t r = 0; r < rows; r++)
        for (uint32_t e = mass->starts[r]; e < mass->starts[r + 1]; e++)
            st_add_diagonal(sink, r * n, mass->columns.data[e] * n, (int)n, mass->values.data[e]);
}

// Row by row, the sums of a row in registers; n is a constant at the calls that matter.
static inline void fem_mass_multiply(const fem_mass *mass, size_t rows, size_t n, st_real factor, const st_real *dx,
                                     st_real *df) {
    for (size_t r = 0; r < rows; r++) {
        st_real sum[6];

        // starts from what is there: the sum has the same order as adding one by one
        for (size_t j = 0; j < n; j++) sum[j] = df[r * n + j];
        for (uint32_t e = mass->starts[r]; e < mass->starts[r + 1]; e++) {
            const st_real m = factor * mass->values.data[e], *from = dx + mass->columns.data[e] * n;
            for (size_t j = 0; j < n; j++) sum[j] += m * from[j];
        }

        for (size_t j = 0; j < n; j++) df[r * n + j] = sum[j];
    }
}

static void fem_mass_product(st_mass *base, const st_params *params, st_real factor) {
    const fem_mass *mass = (const fem_mass *)base;
    const size_t rows = rows_of(mass);
    if (!rows) return;

    const size_t n = st_state_dof(base->force.state)->deriv;
    const st_real *dx = st_dx(base->force.state, params);
    st_real *df = st_df(base->force.state, params);

    // a constant 3 lets the loops unroll
    if (n == 3) fem_mass_multiply(mass, rows, 3, factor, dx, df);
    else fem_mass_multiply(mass, rows, n, factor, dx, df);
}

// ½ vᵀ M v
static st_real fem_mass_kinetic(st_mass *base, const st_params *params) {
    const fem_mass *mass = (const fem_mass *)base;
    const size_t rows = rows_of(mass);
    if (!rows) return 0;

    const size_t n = st_state_dof(base->force.state)->deriv;
    const st_real *v = st_v(base->force.state, params);
    st_real energy = 0;

    // ½ Σ M_rc v_r·v_c
    for (size_t r = 0; r < rows; r++)
        for (uint32_t e = mass->starts[r]; e < mass->starts[r + 1]; e++)
            for (size_t j = 0; j < n; j++)
                energy += mass->values.data[e] * v[r * n + j] * v[mass->columns.data[e] * n + j];
    return energy / 2;
}

// The sum of a row: what the vertex weighs.
static st_real fem_mass_element_mass(const st_mass *base, size_t index) {
    const fem_mass *mass = (const fem_mass *)base;
    st_real sum = 0;

    for (uint32_t e = index < rows_of(mass) ? mass->starts[index] : 0;
         index < rows_of(mass) && e < mass->starts[index + 1]; e++)
        sum += mass->values.data[e];
    return sum;
}

static void fem_mass_destroy(st_object *object) {
    fem_mass *mass = (fem_mass *)object;
    st_free(mass->starts);
    st_list_free(&mass->columns);
    st_list_free(&mass->values);
}

static const st_force_ops force_ops = {.add_force = fem_mass_add_force, .potential = fem_mass_potential};
static const st_mass_ops mass_ops = {
    .is_diagonal = fem_mass_is_diagonal,
    .matrix = fem_mass_matrix,
    .product = fem_mass_product,
    .kinetic = fem_mass_kinetic,
    .element_mass = fem_mass_element_mass,
};

const st_class st_fem_mass_class = {
    .name = "FEMMass",
    .help = "the consistent mass matrix of linear elements",
    .parent = &st_mass_class,
    .templates = "Vec3,Tetrahedron Vec3,Hexahedron Vec3,Prism Vec3,Pyramid Vec1,Edge Vec2,Edge Vec3,Edge Vec2,Triangle "
                 "Vec3,Triangle Vec2,Quad Vec3,Quad",
    .fields = fields,
    .size = sizeof(fem_mass),
    .example = "<RegularGridTopology n=\"2 2 3\" min=\"0 0 0\" max=\"1 1 2\"/>\n"
               "<MechanicalObject/>\n"
               "<NodalMassDensity property=\"2 3\"/>\n"
               "<FEMMass template=\"Vec3,Hexahedron\"/>",
    .flags = ST_CLASS_PRODUCT_BY_MATRIX,
    .init = fem_mass_init,
    .destroy = fem_mass_destroy,
    .force = &force_ops,
    .mass = &mass_ops,
};
