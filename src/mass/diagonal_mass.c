// DiagonalMass: each element of a mesh gives its mass in equal shares to its vertices.
//
//     m_v = Σ ρ measure(e) / n  over the elements e of n vertices around v          M = diag(m_v)       f_v += m_v g
//
// Either the density ρ is given, or the sum of all masses (ρ follows from it), or the masses themselves: totalMass
// takes precedence over massDensity, and this over vertexMass. Rigids have only the masses that vertexMass (mass,
// volume, inertia per unit mass) or the file lists; nothing is computed from the mesh.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mass/mesh_mass.h"
#include "mass/point_masses.h"
#include "mass/rigid_mass.h"
#include "scene/scene.h"
#include "settee/plugin/change.h"
#include "topology/xsp.h"

typedef struct diagonal_mass {
    st_mass base;
    st_reals vertex_mass;
    st_real density, total;
    bool on_rest;
    st_object *topology, *geometry;
    char *filename;
    bool show_gravity_center;
    st_real show_axis_size;

    st_mesh_mass mesh;
    bool from_mesh;              // masses follow the attributes
    uint32_t seen[3];            // change counts of total, density, vertex_mass
    ST_LIST(st_dof_mass) rigids; // of rigids: vertexMass with what is derived from it
} diagonal_mass;

static const st_field fields[] = {
    ST_FIELD(diagonal_mass, vertex_mass, "vertexMass", st_type_masses, NULL,
             "mass of each vertex; the last one is repeated when there are too few", .flags = ST_FIELD_TRACKED,
             .mesh = ST_PER(ST_POINT)),
    ST_FIELD(diagonal_mass, density, "massDensity", st_type_real, "1", "mass per length, area or volume",
             .flags = ST_FIELD_TRACKED, .mesh = ST_WITH_MESH),
    ST_FIELD(diagonal_mass, total, "totalMass", st_type_real, "1", "mass of all vertices together",
             .flags = ST_FIELD_TRACKED, .mesh = ST_WITH_MESH),
    ST_FIELD(diagonal_mass, on_rest, "computeMassOnRest", st_type_bool, "1",
             "elements are measured in the rest position, else in the current one"),
    ST_FIELD(diagonal_mass, topology, "topology", st_type_link, NULL, "the mesh; the context's when not given",
             .role = ST_ROLE(topology)),
    ST_FIELD(diagonal_mass, geometry, "geometryState", st_type_link, NULL,
             "the state with the positions of the mesh; that of the mesh's node when not given",
             .role = ST_ROLE(state)),
    ST_FIELD(diagonal_mass, filename, "filename", st_type_file, NULL, "Xsp file with the masses",
             .aliases = "fileMass"),
    ST_FIELD(diagonal_mass, show_gravity_center, "showGravityCenter", st_type_bool, "0", "show the center of mass",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELD(diagonal_mass, show_axis_size, "showAxisSizeFactor", st_type_real, "1", "size of the axes drawn",
             .flags = ST_FIELD_DISPLAY),
    ST_FIELDS_END,
};

static st_object *object_of(diagonal_mass *mass) { return &mass->base.force.object; }

// ---------------------------------------------------------------------------------------------------
// Masses of a mesh
// ---------------------------------------------------------------------------------------------------

// Fills vertexMass for one density; the sum of what was given out.
static st_real diagonal_mass_spread(diagonal_mass *mass, st_real density) {
    const st_element kind = mass->mesh.kind;
    const size_t n = st_element_size[kind];
    const st_uints *elements = st_topology_elements(mass->mesh.topology, kind);
    const st_points points = st_mesh_mass_points(&mass->mesh, mass->on_rest);
    const size_t size = mass->base.force.state->size;
    st_real sum = 0;
    size_t missing = 0;

    if (!st_resize_member(object_of(mass), &mass->vertex_mass, size)) return 0;
    for (size_t i = 0; i < size; i++) mass->vertex_mass.data[i] = 0;

    // m_v += ρ measure(e) / n
    for (size_t e = 0; e < elements->count; e++) {
        const uint32_t *v = elements->data + e * n;
        const bool there = st_has_points(&points, kind, v);
        const st_real share = there ? density * st_measure(&points, kind, v) / (st_real)n : 0;

        missing += !there;
        for (size_t i = 0; i < n && there; i++) {
            if (v[i] < size) mass->vertex_mass.data[v[i]] += share;
            sum += share;
        }
    }

    if (missing)
        st_message(object_of(mass), ST_ERROR, "%zu elements have vertices without a position: they have no mass",
                   missing);
    return sum;
}

static st_real density_of(st_real total, st_real volume) { return volume < ST_REAL_EPSILON ? 1 : total / volume; }

static void from_total(diagonal_mass *mass) {
    mass->density = density_of(mass->total, diagonal_mass_spread(mass, 1));
    for (size_t i = 0; i < mass->vertex_mass.count; i++) mass->vertex_mass.data[i] *= mass->density;
}

static void from_density(diagonal_mass *mass) { mass->total = diagonal_mass_spread(mass, mass->density); }

// Keeps the masses; total and density follow.
static bool from_vertices(diagonal_mass *mass) {
    st_reals given = {0};
    const size_t count = mass->vertex_mass.count;
    if (!st_list_set_count(&given, count, 1)) return false;

    st_copy_reals(given.data, mass->vertex_mass.data, count);

    // ρ = m / V, where the volume V is what unit density would weigh
    mass->total = 0;
    for (size_t i = 0; i < count; i++) mass->total += given.data[i];
    mass->density = density_of(mass->total, diagonal_mass_spread(mass, 1));

    // vertexMass was overwritten on the way
    const bool ok = st_resize_member(object_of(mass), &mass->vertex_mass, count);
    if (ok) st_copy_reals(mass->vertex_mass.data, given.data, count);
    st_list_free(&given);
    return ok;
}

static bool check_vertices(diagonal_mass *mass, st_severity severity, const char *effect) {
    const size_t points = st_topology_points(mass->mesh.topology);

    // one for each point, none negative
    if (mass->vertex_mass.count != points) {
        st_message(object_of(mass), severity, "vertexMass has %zu values for %zu points: %s", mass->vertex_mass.count,
                   points, effect);
        return false;
    }

    for (size_t i = 0; i < points; i++)
        if (!(mass->vertex_mass.data[i] >= 0)) {
            st_message(object_of(mass), severity, "vertexMass %zu is %g, which is not a mass: %s", i,
                       (double)mass->vertex_mass.data[i], effect);
            return false;
        }
    return true;
}

static bool check_density(diagonal_mass *mass, st_severity severity, const char *effect) {
    if (mass->density >= 0) return true;
    st_message(object_of(mass), severity, "massDensity = %g is not a density: %s", (double)mass->density, effect);
    return false;
}

// Changes made by the component itself are not taken for changes by others.
static void remember_counts(diagonal_mass *mass) {
    const void *members[3] = {&mass->total, &mass->density, &mass->vertex_mass};
    for (int i = 0; i < 3; i++) mass->seen[i] = st_change_count(object_of(mass), members[i]);
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

// vertexMass shorter than the state: its last value holds for the others.
static bool repeat_last(diagonal_mass *mass) {
    const size_t had = mass->vertex_mass.count, size = mass->base.force.state->size;
    if (had == 0 || had >= size) return true;

    if (!st_resize_member(object_of(mass), &mass->vertex_mass, size)) return false;
    for (size_t i = had; i < size; i++) mass->vertex_mass.data[i] = mass->vertex_mass.data[had - 1];
    return true;
}

static st_status diagonal_mass_compute(diagonal_mass *mass) {
    st_object *object = object_of(mass);
    const char *effect = "totalMass is used";
    st_mass_source source = st_mass_choose(object, st_is_set(object, &mass->total), st_is_set(object, &mass->density),
                                           st_is_set(object, &mass->vertex_mass));

    // what makes no sense is replaced by totalMass
    if (source == ST_MASS_FROM_DENSITY && !check_density(mass, ST_WARNING, effect)) source = ST_MASS_FROM_TOTAL;
    if (source == ST_MASS_FROM_VERTICES && !check_vertices(mass, ST_WARNING, effect)) source = ST_MASS_FROM_TOTAL;

    if (source == ST_MASS_FROM_TOTAL) {
        st_mass_check_total(object, &mass->total);
        from_total(mass);
    } else if (source == ST_MASS_FROM_DENSITY) {
        from_density(mass);
    } else if (!from_vertices(mass)) {
        return ST_OUT_OF_MEMORY;
    }
    return ST_OK;
}

// Width of one entry of vertexMass.
static size_t width(const st_dof *dof) { return dof == &st_rigid3 ? 11 : dof == &st_rigid2 ? 3 : 1; }

// A rigid of the file has the unit inertia.
static st_status load_file(diagonal_mass *mass) {
    static const st_real unit[ST_MASS_WIDTH_MAX] = {1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    st_object *object = object_of(mass);
    const size_t n = width(object->dof);
    st_xsp xsp = {0};

    // the file lists masses; the other values of a rigid are 1
    st_xsp_read(object, mass->filename, &xsp);
    const bool ok = st_resize_member(object, &mass->vertex_mass, xsp.particles.count);

    for (size_t i = 0; ok && i < xsp.particles.count; i++)
        for (size_t j = 0; j < n; j++)
            mass->vertex_mass.data[i * n + j] = j == 0 ? xsp.particles.data[i].mass : unit[j];

    st_xsp_free(&xsp);
    st_message(object, ST_WARNING, "the masses are those of the file \"%s\"; the mesh is not used", mass->filename);
    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status derive_rigids(diagonal_mass *mass) {
    st_object *object = object_of(mass);
    const size_t n = width(object->dof);
    mass->rigids.count = 0;

    // J m and its inverse
    for (size_t i = 0; i < mass->vertex_mass.count; i++) {
        const st_real *value = mass->vertex_mass.data + i * n;
        st_dof_mass one;
        st_dof_mass_init(&one, object->dof);
        if (object->dof == &st_rigid2 && value[0] * value[2] == 0)
            return st_invalid(object, "a Rigid2 must have a mass and an inertia other than 0: there are no masses");

        st_dof_mass_set(&one, value);
        if (!st_list_push(&mass->rigids, one)) return ST_OUT_OF_MEMORY;
    }
    return ST_OK;
}

static st_status diagonal_mass_init(st_object *object) {
    diagonal_mass *mass = (diagonal_mass *)object;
    st_status status = st_force_class.init(object);
    if (status != ST_OK) return status;

    // the masses have followed the mesh already
    if (st_why_init(object) != ST_INIT_FIRST && object->validity == ST_VALID) {
        mass->vertex_mass.count = mass->vertex_mass.count < mass->base.force.state->size ? mass->vertex_mass.count
                                                                                         : mass->base.force.state->size;
        return object->dof->rigid ? derive_rigids(mass) : ST_OK;
    }

    const bool file = mass->filename && *mass->filename;
    mass->from_mesh = !object->dof->rigid && !file;

    // a file has precedence; rigids have only the masses that are listed
    if (file) status = load_file(mass);
    if (status == ST_OK && object->dof->rigid) return derive_rigids(mass);
    if (status != ST_OK || file) return status;

    // the mesh
    status = st_mesh_mass_find(&mass->mesh, object, mass->topology, mass->geometry);
    if (status != ST_OK) {
        mass->vertex_mass.count = 0;
        return status;
    }

    // total, density and vertex masses from whichever of them is given
    status = repeat_last(mass) ? diagonal_mass_compute(mass) : ST_OUT_OF_MEMORY;
    remember_counts(mass);

    st_message(object, ST_INFO, "total mass %g, density %g, %zu vertices", (double)mass->total, (double)mass->density,
               mass->vertex_mass.count);
    return status;
}

static void diagonal_mass_changed(st_object *object) {
    diagonal_mass *mass = (diagonal_mass *)object;

    // rigids: what is derived from vertexMass
    if (object->dof->rigid) derive_rigids(mass);
    if (!mass->from_mesh || !mass->mesh.geometry) return;

    const char *effect = "the masses stay as they are";

    // the first one that changed counts, in the order of precedence
    if (st_change_count(object, &mass->total) != mass->seen[0]) {
        if (mass->total >= 0) from_total(mass);
        else st_message(object, ST_ERROR, "totalMass = %g is not a mass: %s", (double)mass->total, effect);
    } else if (st_change_count(object, &mass->density) != mass->seen[1]) {
        if (check_density(mass, ST_ERROR, effect)) from_density(mass);
    } else if (st_change_count(object, &mass->vertex_mass) != mass->seen[2]) {
        if (repeat_last(mass) && check_vertices(mass, ST_ERROR, effect)) from_vertices(mass);
    }

    remember_counts(mass);
}

// ---------------------------------------------------------------------------------------------------
// Changes of the mesh
// ---------------------------------------------------------------------------------------------------

// Elements come or go with ρ measure / n on each vertex, measured at rest.
static void spread_edit(diagonal_mass *mass, const st_edit *edit, st_real sign) {
    const st_element kind = mass->mesh.kind;
    const size_t n = st_element_size[kind];
    const st_uints *elements = &mass->mesh.topology->elements[kind];
    const st_points points = st_mesh_mass_points(&mass->mesh, true);

    for (size_t k = 0; k < edit->count; k++) {
        const uint32_t *v = elements->data + edit->ids[k] * n;
        if (edit->ids[k] >= elements->count || !st_has_points(&points, kind, v)) continue;
        const st_real share = mass->density * st_measure(&points, kind, v) / (st_real)n;

        for (size_t i = 0; i < n; i++)
            if (v[i] < mass->vertex_mass.count) mass->vertex_mass.data[v[i]] += sign * share;
        mass->total += sign * share * (st_real)n;
    }
}

// The masses of points follow them by themselves; what a removed point still has leaves the total.
static void diagonal_mass_edited(st_object *object, const st_edits *edits) {
    diagonal_mass *mass = (diagonal_mass *)object;
    if (!mass->from_mesh || edits->topology != mass->mesh.topology) return;

    for (size_t i = 0; i < edits->count; i++) {
        const st_edit *edit = &edits->list[i];
        if (edit->kind != (int)mass->mesh.kind || edit->what == ST_EDIT_RENUMBERED) continue;
        spread_edit(mass, edit, edit->what == ST_EDIT_REMOVED || edit->what == ST_EDIT_MOVING ? -1 : 1);
    }
    st_touch(object, &mass->vertex_mass);
    remember_counts(mass);
    st_forget_changes(object);
}

// ---------------------------------------------------------------------------------------------------
// Weight
// ---------------------------------------------------------------------------------------------------

// DOFs that have a mass.
static size_t count_of(const diagonal_mass *mass) {
    const st_state *state = mass->base.force.state;
    if (!state) return 0;

    const size_t count = state->object.dof->rigid ? mass->rigids.count : mass->vertex_mass.count;
    return count < state->size ? count : state->size;
}

static st_point_masses diagonal_mass_points_of(const st_mass *base) {
    const diagonal_mass *mass = (const diagonal_mass *)base;
    return (st_point_masses){mass->vertex_mass.data, count_of(mass), width(base->force.object.dof), 1};
}

static void diagonal_mass_add_force(st_force *force, const st_params *params) {
    const st_point_masses points = diagonal_mass_points_of((const st_mass *)force);
    st_point_masses_weigh(&points, (const st_mass *)force, params);
}

static st_real diagonal_mass_potential(st_force *force, const st_params *params) {
    const st_point_masses points = diagonal_mass_points_of((const st_mass *)force);
    return st_point_masses_potential(&points, (const st_mass *)force, params);
}

// ---------------------------------------------------------------------------------------------------
// Inertia
// ---------------------------------------------------------------------------------------------------

static bool diagonal_mass_is_diagonal(const st_mass *mass) {
    (void)mass;
    return true;
}

static bool is_rigid(const st_mass *mass) { return mass->force.object.dof->rigid; }

static void diagonal_mass_matrix(st_mass *base, st_inertia inertia) {
    const diagonal_mass *mass = (const diagonal_mass *)base;
    const size_t count = count_of(mass);
    if (!count) return;
    const size_t n = st_state_dof(base->force.state)->deriv;
    st_sink *sink = st_inertia_of(inertia, base->force.state);

    // points: m on the diagonal
    if (!is_rigid(base)) {
        const st_diagonals points = {.count = count, .n = n, .values = mass->vertex_mass.data};
        st_add_diagonals(sink, base->force.object.scene->pool, &points);
        return;
    }

    // rigids: m and J
    for (size_t i = 0; i < count; i++) {
        st_real block[36];
        st_dof_mass_block(&mass->rigids.data[i], block);
        sink->add(sink, i * n, i * n, n, n, block);
    }
}

static void multiply_rigids(const diagonal_mass *mass, const st_params *params, st_real factor) {
    const st_state *state = mass->base.force.state;
    const size_t count = count_of(mass), n = st_state_dof(state)->deriv;
    if (!count) return;

    const st_real *dx = st_dx(state, params);
    st_real *df = st_df(state, params), r[6];

    for (size_t i = 0; i < count; i++) {
        // df += factor M dx
        st_dof_mass_multiply(&mass->rigids.data[i], r, dx + i * n);
        for (size_t j = 0; j < n; j++) df[i * n + j] += r[j] * factor;
    }
}

static void diagonal_mass_product(st_mass *base, const st_params *params, st_real factor) {
    const st_point_masses points = diagonal_mass_points_of(base);
    if (is_rigid(base)) multiply_rigids((const diagonal_mass *)base, params, factor);
    else st_point_masses_multiply(&points, base, params, factor);
}

static void accelerate_rigids(const diagonal_mass *mass, st_deriv_id a, st_const_deriv_id f) {
    const st_state *state = mass->base.force.state;
    const size_t count = count_of(mass), n = st_state_dof(state)->deriv;
    if (!count) return;

    st_real *result = st_dx_of(state, a);
    const st_real *force = st_force_of(state, (st_deriv_id){f.index});

    // a = M⁻¹ f; rigids without mass keep theirs
    for (size_t i = 0; i < count; i++)
        if (mass->rigids.data[i].mass != 0) st_dof_mass_divide(&mass->rigids.data[i], result + i * n, force + i * n);
}

static void diagonal_mass_acceleration(st_mass *base, st_deriv_id a, st_const_deriv_id f) {
    const st_point_masses points = diagonal_mass_points_of(base);
    if (is_rigid(base)) accelerate_rigids((const diagonal_mass *)base, a, f);
    else st_point_masses_accelerate(&points, base, a, f);
}

static st_real rigids_kinetic(const diagonal_mass *mass, const st_params *params) {
    const st_state *state = mass->base.force.state;
    const size_t count = count_of(mass), n = st_state_dof(state)->deriv;
    st_real energy = 0, momentum[6] = {0};
    if (!count) return 0;

    const st_real *v = st_v(state, params);
    for (size_t i = 0; i < count; i++) {
        // ½ v·(M v)
        st_dof_mass_multiply(&mass->rigids.data[i], momentum, v + i * n);
        for (size_t j = 0; j < n; j++) energy += v[i * n + j] * momentum[j];
    }
    return energy / 2;
}

static st_real diagonal_mass_kinetic(st_mass *base, const st_params *params) {
    const st_point_masses points = diagonal_mass_points_of(base);
    if (is_rigid(base)) return rigids_kinetic((const diagonal_mass *)base, params);
    return st_point_masses_kinetic(&points, base, params);
}

static st_real diagonal_mass_element_mass(const st_mass *base, size_t index) {
    const st_point_masses points = diagonal_mass_points_of(base);
    return index < points.count ? points.data[index * points.stride] : 0;
}

static void diagonal_mass_destroy(st_object *object) { st_list_free(&((diagonal_mass *)object)->rigids); }

static const st_force_ops force_ops = {.add_force = diagonal_mass_add_force, .potential = diagonal_mass_potential};
static const st_mass_ops mass_ops = {
    .is_diagonal = diagonal_mass_is_diagonal,
    .matrix = diagonal_mass_matrix,
    .product = diagonal_mass_product,
    .acceleration = diagonal_mass_acceleration,
    .kinetic = diagonal_mass_kinetic,
    .element_mass = diagonal_mass_element_mass,
};

const st_class st_diagonal_mass_class = {
    .name = "DiagonalMass",
    .help = "elements of a mesh give their mass to their vertices",
    .parent = &st_mass_class,
    .templates = "Vec3 Vec2 Vec1 Rigid3 Rigid2 Vec3,Vec3 Vec2,Vec2 Vec2,Vec3 Vec1,Vec1 Vec1,Vec2 Vec1,Vec3 "
                 "Rigid3,Rigid3 Rigid2,Rigid2 Rigid2,Rigid3",
    .default_template = "Vec3",
    .fields = fields,
    .size = sizeof(diagonal_mass),
    .example = "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"
               "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"
               "<DiagonalMass totalMass=\"3\"/>",
    .accepts = st_mesh_mass_accepts,
    .flags = ST_CLASS_PRODUCT_BY_MATRIX,
    .init = diagonal_mass_init,
    .changed = diagonal_mass_changed,
    .edited = diagonal_mass_edited,
    .destroy = diagonal_mass_destroy,
    .force = &force_ops,
    .mass = &mass_ops,
};
