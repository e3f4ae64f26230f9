// UniformMass: the same mass m on each of its degrees of freedom.
//
//     M = m on the diagonal blocks of `indices`        f_i += m g
//
// Either m is given (vertexMass) or the sum over the indices (totalMass), which takes precedence. A rigid has an
// inertia J per unit mass as well, used in world axes, without gyroscopic term. Without any of both it has no inertia,
// but its weight is still applied, with mass 1.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mass/rigid_file.h"
#include "mass/rigid_mass.h"
#include "scene/scene.h"
#include "settee/plugin/change.h"
#include "settee/plugin/physics.h"
#include "state/local_range.h"

typedef struct uniform_mass {
    st_mass base;
    st_real vertex_mass[ST_MASS_WIDTH_MAX];
    st_real total_mass;
    char *filename;
    st_uints indices;
    int32_t local_range[2];
    bool preserve_total_mass;
    st_object *topology;
    bool compute_mapping_inertia;
    bool show_gravity_center, show_initial_gravity_center, show_x0;
    st_real show_axis_size;

    st_dof_mass value; // vertexMass with what is derived from it
    bool has_inertia;  // a mass was given, and it can be used
    bool use_total;    // vertexMass follows from totalMass, else the other way round
    bool all;          // indices were not given: every DOF
} uniform_mass;

static const st_field fields[] = {
    ST_FIELD(uniform_mass, vertex_mass, "vertexMass", st_type_mass, ST_MASS_DEFAULT,
             "mass of each DOF; of a rigid: mass, volume, inertia per unit mass", .flags = ST_FIELD_TRACKED,
             .mesh = ST_WITH_MESH),
    ST_FIELD(uniform_mass, total_mass, "totalMass", st_type_real, "1",
             "mass of all its DOFs together; takes precedence over vertexMass", .flags = ST_FIELD_TRACKED,
             .mesh = ST_WITH_MESH),
    ST_FIELD(uniform_mass, filename, "filename", st_type_file, "unused", ".rigid file with mass and inertia (Rigid3)"),
    ST_FIELD(uniform_mass, indices, "indices", st_type_indices, NULL, "the DOFs that have the mass; all when empty",
             .flags = ST_FIELD_TRACKED, .mesh = ST_INDICES(ST_POINT)),
    ST_FIELD(uniform_mass, local_range, "localRange", st_type_int2, "-1 -1",
             "first and last index, instead of indices; the last must not be the last DOF"),
    ST_FIELD(uniform_mass, preserve_total_mass, "preserveTotalMass", st_type_bool, "0",
             "when the mesh changes keep totalMass, not vertexMass"),
    ST_FIELD(uniform_mass, topology, "topology", st_type_link, NULL, "the mesh whose changes the indices follow",
             .role = ST_ROLE(topology)),
    ST_FIELD(uniform_mass, compute_mapping_inertia, "compute_mapping_inertia", st_type_bool, "0", "",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(uniform_mass, show_gravity_center, "showGravityCenter", st_type_bool, "0", "show the center of mass",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(uniform_mass, show_initial_gravity_center, "showInitialCenterOfGravity", st_type_bool, "0",
             "show the initial center of mass", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(uniform_mass, show_x0, "showX0", st_type_bool, "0", "show the rest positions", .flags = ST_FIELD_DISPLAY),
    ST_FIELD(uniform_mass, show_axis_size, "showAxisSizeFactor", st_type_real, "1", "size of the axes of rigids",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_status uniform_mass_construct(st_object *object) {
    st_dof_mass_init(&((uniform_mass *)object)->value, object->dof);
    return ST_OK;
}

static st_status uniform_mass_parse(st_object *object) {
    uniform_mass *mass = (uniform_mass *)object;
    st_dof_mass_set(&mass->value, mass->vertex_mass);
    return ST_OK;
}

// True when a file was named, whether it could be read or not.
static bool load_file(uniform_mass *mass) {
    st_object *object = &mass->base.force.object;

    if (!st_is_set(object, &mass->filename) || !mass->filename || !*mass->filename) return false;
    if (object->dof != &st_rigid3) {
        st_message(object, ST_ERROR, "filename is for template Rigid3 only; it is ignored");
        return false;
    }

    st_rigid_file content = {0};
    const bool had_mass = st_is_set(object, mass->vertex_mass);
    if (!st_rigid_file_read(object, mass->filename, &content))
        st_message(object, ST_ERROR, "cannot read the rigid file \"%s\"", mass->filename);

    // what the file says takes precedence over vertexMass; its mass over a totalMass, unless vertexMass was given
    if (content.has_inertia) st_mat3_copy(mass->vertex_mass + 2, content.inertia);
    if (content.has_volume) mass->vertex_mass[1] = content.volume;
    if (content.has_mass) mass->vertex_mass[0] = content.mass;
    if (content.has_mass && !had_mass) st_unset(object, &mass->total_mass);

    st_touch(object, mass->vertex_mass);
    st_dof_mass_set(&mass->value, mass->vertex_mass);
    return true;
}

static st_status set_range(uniform_mass *mass, uint32_t first, size_t count) {
    if (!st_resize_member(&mass->base.force.object, &mass->indices, count)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) mass->indices.data[i] = first + (uint32_t)i;
    return ST_OK;
}

static void drop_missing_indices(uniform_mass *mass) {
    const size_t size = mass->base.force.state->size;
    size_t kept = 0;

    for (size_t i = 0; i < mass->indices.count; i++)
        if (mass->indices.data[i] < size) mass->indices.data[kept++] = mass->indices.data[i];

    // one message for all
    if (kept < mass->indices.count)
        st_message(&mass->base.force.object, ST_WARNING,
                   "%zu of %zu indices are not below the number of DOFs, %zu: "
                   "they are left out",
                   mass->indices.count - kept, mass->indices.count, size);
    mass->indices.count = kept;
}

static st_status select_indices(uniform_mass *mass) {
    const int64_t size = (int64_t)mass->base.force.state->size;
    const int32_t *range = mass->local_range;
    const st_object *object = &mass->base.force.object;
    const bool given = st_is_set(object, &mass->indices);
    const bool none = mass->indices.count == 0 && !st_became_empty(object, &mass->indices);
    mass->all = (mass->all && !given) || none;

    // a range, all DOFs, or the listed ones
    if (range[0] >= 0 && range[1] > 0 && (int64_t)range[1] + 1 < size)
        return set_range(mass, (uint32_t)range[0], range[1] >= range[0] ? (size_t)(range[1] - range[0]) + 1 : 0);
    if (mass->all) return set_range(mass, 0, (size_t)size);
    drop_missing_indices(mass);
    return ST_OK;
}

// Computes the one of totalMass and vertexMass that follows from the other; false when there is no usable mass.
static bool balance(uniform_mass *mass) {
    st_object *object = &mass->base.force.object;
    const st_real count = (st_real)mass->indices.count;
    const st_real given = mass->use_total ? mass->total_mass : mass->vertex_mass[0];

    if (given < 0) {
        st_message(object, ST_ERROR, "%s = %g is negative: it has no inertia",
                   mass->use_total ? "totalMass" : "vertexMass", (double)given);
        return false;
    }

    // m = total / count, or total = m count
    if (mass->use_total && mass->indices.count) mass->vertex_mass[0] = mass->total_mass / count;
    if (!mass->use_total) mass->total_mass = mass->vertex_mass[0] * count;

    if (object->dof == &st_rigid2 && mass->vertex_mass[0] * mass->vertex_mass[2] == 0) {
        st_message(object, ST_ERROR, "a Rigid2 must have a mass and an inertia other than 0: it has no inertia");
        return false;
    }

    st_dof_mass_set(&mass->value, mass->vertex_mass);
    return true;
}

static st_status uniform_mass_init(st_object *object) {
    uniform_mass *mass = (uniform_mass *)object;
    st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    // after a change of the mesh one of both masses stays, whichever was given at first
    const bool again = st_why_init(object) != ST_INIT_FIRST && mass->has_inertia;
    const bool from_file = !again && load_file(mass);

    st_check_local_range(object, mass->local_range);
    status = select_indices(mass);
    if (status != ST_OK) return status;

    if (again) {
        if (st_why_init(object) == ST_INIT_CHANGED) mass->use_total = mass->preserve_total_mass;
        mass->has_inertia = balance(mass);
        return ST_OK;
    }

    const bool vertex = st_is_set(object, mass->vertex_mass), total = st_is_set(object, &mass->total_mass);
    mass->has_inertia = false;
    if (!vertex && !total && !from_file) {
        // not an invalid component: that would take away its weight, too
        st_message(object, ST_ERROR, "neither totalMass nor vertexMass is given: it has no inertia");
        return ST_OK;
    }

    if (vertex && total) st_message(object, ST_WARNING, "totalMass and vertexMass are both given: totalMass is used");

    mass->use_total = total;
    mass->has_inertia = balance(mass);
    return ST_OK;
}

static void uniform_mass_changed(st_object *object) {
    uniform_mass *mass = (uniform_mass *)object;
    if (!mass->base.force.state || !mass->has_inertia) return;
    mass->has_inertia = select_indices(mass) == ST_OK && balance(mass);
    object->scene->structure++; // other places in matrices, perhaps
}

// ---------------------------------------------------------------------------------------------------
// Weight
// ---------------------------------------------------------------------------------------------------

static void uniform_mass_add_force(st_force *force, const st_params *params) {
    const uniform_mass *mass = (const uniform_mass *)force;
    if (mass->base.separate_gravity || !force->state) return;

    const st_dof *dof = st_state_dof(force->state);
    const size_t width = dof->deriv, linear = st_position_scalars(dof);
    st_real *f = st_f(force->state, params), weight[6];

    // m g, the same for all
    st_gravity(&force->object, dof, weight);
    for (size_t j = 0; j < linear; j++) weight[j] = weight[j] * mass->value.mass;

    for (size_t i = 0; i < mass->indices.count; i++) {
        const size_t index = mass->indices.data[i];
        if (index >= force->state->size) continue;
        for (size_t j = 0; j < linear; j++) f[index * width + j] += weight[j];
    }
}

// -Σ m g.x
static st_real uniform_mass_potential(st_force *force, const st_params *params) {
    const uniform_mass *mass = (const uniform_mass *)force;
    if (!force->state) return 0;

    const st_dof *dof = st_state_dof(force->state);
    const st_real *x = st_x(force->state, params);
    st_real g[6], energy = 0;

    st_gravity(&force->object, dof, g);

    // -Σ m g·x
    for (size_t i = 0; i < mass->indices.count; i++) {
        const size_t index = mass->indices.data[i];
        if (index >= force->state->size) continue;
        for (size_t j = 0; j < dof->spatial; j++) energy -= g[j] * mass->value.mass * x[index * dof->coord + j];
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------------
// Inertia
// ---------------------------------------------------------------------------------------------------

static bool uniform_mass_is_usable(const uniform_mass *mass) { return mass->base.force.state && mass->has_inertia; }

static bool uniform_mass_is_diagonal(const st_mass *mass) {
    (void)mass;
    return true;
}

static void uniform_mass_matrix(st_mass *base, st_inertia inertia) {
    const uniform_mass *mass = (const uniform_mass *)base;
    if (!uniform_mass_is_usable(mass)) return;

    const st_state *state = base->force.state;
    const size_t n = st_state_dof(state)->deriv;
    st_sink *sink = st_inertia_of(inertia, state);

    // points: m on the diagonal, by many threads
    if (mass->all && !st_state_dof(state)->rigid && mass->indices.count <= state->size) {
        const st_diagonals points = {mass->indices.count, n, mass->indices.data, &mass->value.mass, .same = true};
        st_add_diagonals(sink, base->force.object.scene->pool, &points);
        return;
    }

    // some of them, or rigids: m and J
    st_real block[36];
    st_dof_mass_block(&mass->value, block);
    for (size_t i = 0; i < mass->indices.count; i++) {
        const size_t row = (size_t)mass->indices.data[i] * n;
        if (mass->indices.data[i] < state->size) sink->add(sink, row, row, n, n, block);
    }
}

static void uniform_mass_product(st_mass *base, const st_params *params, st_real factor) {
    const uniform_mass *mass = (const uniform_mass *)base;
    if (!uniform_mass_is_usable(mass)) return;

    const st_state *state = base->force.state;
    const size_t n = st_state_dof(state)->deriv;
    const st_real *dx = st_dx(state, params);
    st_real *df = st_df(state, params), r[6];

    const st_dof_mass scaled = factor == 1 ? mass->value : st_dof_mass_scaled(&mass->value, factor);
    for (size_t i = 0; i < mass->indices.count; i++) {
        const size_t at = (size_t)mass->indices.data[i] * n;
        if (mass->indices.data[i] >= state->size) continue;

        // r = factor M dx
        st_dof_mass_multiply(&scaled, r, dx + at);
        for (size_t j = 0; j < n; j++) df[at + j] += r[j];
    }
}

static void uniform_mass_acceleration(st_mass *base, st_deriv_id a, st_const_deriv_id f) {
    const uniform_mass *mass = (const uniform_mass *)base;
    if (!uniform_mass_is_usable(mass)) return;

    const st_state *state = base->force.state;
    const size_t n = st_state_dof(state)->deriv;
    st_real *result = st_dx_of(state, a);
    const st_real *force = st_force_of(state, (st_deriv_id){f.index});

    // a = M⁻¹ f
    for (size_t i = 0; i < mass->indices.count; i++) {
        const size_t at = (size_t)mass->indices.data[i] * n;
        if (mass->indices.data[i] < state->size) st_dof_mass_divide(&mass->value, result + at, force + at);
    }
}

static st_real uniform_mass_kinetic(st_mass *base, const st_params *params) {
    const uniform_mass *mass = (const uniform_mass *)base;
    if (!uniform_mass_is_usable(mass)) return 0;

    const st_state *state = base->force.state;
    const size_t n = st_state_dof(state)->deriv;
    const st_real *v = st_v(state, params);
    st_real energy = 0, momentum[6] = {0};

    for (size_t i = 0; i < mass->indices.count; i++) {
        const size_t at = (size_t)mass->indices.data[i] * n;
        if (mass->indices.data[i] >= state->size) continue;

        // ½ v·(M v)
        st_dof_mass_multiply(&mass->value, momentum, v + at);
        for (size_t j = 0; j < n; j++) energy += v[at + j] * momentum[j];
    }
    return energy / 2;
}

static st_real uniform_mass_element_mass(const st_mass *mass, size_t index) {
    (void)index;
    return ((const uniform_mass *)mass)->value.mass;
}

static const st_force_ops force_ops = {.add_force = uniform_mass_add_force, .potential = uniform_mass_potential};
static const st_mass_ops mass_ops = {
    .is_diagonal = uniform_mass_is_diagonal,
    .matrix = uniform_mass_matrix,
    .product = uniform_mass_product,
    .acceleration = uniform_mass_acceleration,
    .kinetic = uniform_mass_kinetic,
    .element_mass = uniform_mass_element_mass,
};

const st_class st_uniform_mass_class = {
    .name = "UniformMass",
    .help = "the same mass on every degree of freedom",
    .parent = &st_mass_class,
    .templates = "Vec1 Vec2 Vec3 Vec6 Rigid2 Rigid3",
    .fields = fields,
    .size = sizeof(uniform_mass),
    .example = "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1\"/>\n"
               "<UniformMass vertexMass=\"2 1 0.1 0 0 0 0.2 0 0 0 0.3\"/>",
    .construct = uniform_mass_construct,
    .parse = uniform_mass_parse,
    .flags = ST_CLASS_PRODUCT_BY_MATRIX,
    .init = uniform_mass_init,
    .changed = uniform_mass_changed,
    .force = &force_ops,
    .mass = &mass_ops,
};
