// TetrahedronFEMForceField: the linear elastic tetrahedron that turns with its element (tetra_model.h has the
// formulas), with plasticity, von Mises stress and a stiffness per element.
//
// Plasticity, in each evaluation of the force and for each element, with e = Jᵀ D (6 V times the strain):
//
//     l = e - p
//     where |l| > plasticYieldThreshold: p += plasticCreep l
//     where |p| > plasticMaxThreshold:   p is shortened to that length
//
// and the force is that of e - p. The derivative leaves plasticity out, and the rotation of the element is frozen in it.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "force/fem/common/mesh_fits.h"
#include "force/fem/tetrahedron/hexa_split.h"
#include "force/fem/tetrahedron/tetra_fem.h"
#include "scene/scene.h"
#include "settee/plugin/change.h"

typedef struct tetra_fem {
    st_tetra_fem base;
    st_reals initial_points;
    bool update_stiffness;
    st_real plastic_max, plastic_yield, plastic_creep;
    int32_t von_mises_mode;
    st_reals von_mises_colors;
    char *gather_pt, *gather_bsize, *color_map;
    bool draw_heterogeneous, show_per_node, show_per_node_map, show_per_element;
    st_real alpha, gap_scale;
    int32_t threads;
    char *task_scheduler;

    st_uints split; // tetrahedra made from hexahedra
    bool moved;     // a force was computed since the stress was
} tetra_fem;

static tetra_fem *self_of(st_force *force) { return (tetra_fem *)force; }

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static st_tetra_method tetrahedron_fem_read_method(tetra_fem *self) {
    static const char *const names[] = {"small", "large", "polar", "svd"};
    const char *method = self->base.method ? self->base.method : "";

    for (int i = 0; i < 4; i++)
        if (strcmp(method, names[i]) == 0) return (st_tetra_method)i;

    st_message(&self->base.elastic.force.object, ST_ERROR,
               "unknown method \"%.40s\": it must be small, large, polar or svd; large is used", method);
    return ST_TETRA_LARGE;
}

static const st_uints *find_elements(tetra_fem *self, st_topology *topology) {
    const st_uints *tetrahedra = st_topology_elements(topology, ST_TETRAHEDRON);
    if (tetrahedra->count || st_topology_elements(topology, ST_HEXAHEDRON)->count == 0) return tetrahedra;
    return st_split_hexahedra(topology, &self->split) ? &self->split : NULL;
}

static st_tetra_update update_of(const tetra_fem *self, st_tetra_method method) {
    if (!self->base.update_stiffness_matrix || method == ST_TETRA_SMALL) return ST_TETRA_KEEP;
    return method == ST_TETRA_LARGE ? ST_TETRA_DIRECT : ST_TETRA_FULL;
}

static st_status tetrahedron_fem_build(tetra_fem *self) {
    st_object *object = &self->base.elastic.force.object;
    st_topology *topology = st_elastic_mesh(&self->base.elastic);
    if (!topology) return ST_INVALID;

    const st_uints *elements = find_elements(self, topology);
    if (!elements) return st_invalid(object, "out of memory for the tetrahedra of the hexahedra");
    if (elements->count == 0) return st_invalid(object, "the mesh has neither tetrahedra nor hexahedra");

    // how the elements turn and yield; set before they are taken
    const st_reals *rest = &self->base.elastic.force.state->coord[ST_COORD_REST];
    st_tetra_model *model = &self->base.model;
    model->method = tetrahedron_fem_read_method(self);
    model->update = update_of(self, model->method);
    model->explicit_matrix = self->base.compute_global_matrix && model->method <= ST_TETRA_LARGE;
    model->clear_zeros = model->explicit_matrix && model->method == ST_TETRA_LARGE;
    model->plastic_max = self->plastic_max;
    model->plastic_yield = self->plastic_yield;
    model->plastic_creep = self->plastic_creep;

    const st_status status = st_tetra_fem_make(&self->base, elements);
    if (status != ST_OK) return status;

    const bool changed = st_why_init(object) == ST_INIT_CHANGED;
    const bool kept = changed && model->plastic && model->plastic_count == model->mesh.count && self->plastic_max > 0;
    if ((!kept && !st_tetra_model_use_plasticity(model, self->plastic_max > 0, changed)) ||
        !st_list_set_count(&self->initial_points, rest->count, 3))
        return st_invalid(object, "out of memory for %zu tetrahedra", elements->count);
    st_copy_reals(self->initial_points.data, rest->data, 3 * rest->count);
    return ST_OK;
}

// Only what this mode computes is stored: a list that nobody asked for stays empty.
static st_status compute_von_mises(tetra_fem *self) {
    const st_real *x = self->base.elastic.force.state->coord[ST_COORD_POSITION].data;

    if (self->von_mises_mode == 0) return ST_OK;
    if (!st_tetra_fem_von_mises(&self->base, x, (st_strain_measure)self->von_mises_mode, false))
        return ST_OUT_OF_MEMORY;
    self->moved = false;
    return ST_OK;
}

static st_status start_von_mises(tetra_fem *self) {
    st_object *object = &self->base.elastic.force.object;
    if (self->von_mises_mode < 0 || self->von_mises_mode > 2) {
        st_message(object, ST_WARNING, "computeVonMisesStress is %d: it must be 0, 1 or 2", (int)self->von_mises_mode);
        return ST_INVALID;
    }

    if (self->von_mises_mode == ST_STRAIN_COROTATED && self->base.model.method == ST_TETRA_SMALL) {
        st_message(
            object, ST_WARNING,
            "computeVonMisesStress=\"1\" needs a rotated element and the method is small: no stress is computed; "
            "use 2");
        self->von_mises_mode = 0;
    }

    if (self->von_mises_mode != 0 || self->update_stiffness) object->listening = true;
    return compute_von_mises(self);
}

static st_status tetrahedron_fem_reinit(st_object *object) {
    tetra_fem *self = (tetra_fem *)object;
    const st_status status = tetrahedron_fem_build(self);
    return status == ST_OK ? start_von_mises(self) : status;
}

static st_status tetrahedron_fem_init(st_object *object) {
    const st_status status = st_elastic_class.init(object);
    return status == ST_OK ? tetrahedron_fem_reinit(object) : status;
}

static void tetrahedron_fem_reset(st_object *object) {
    tetra_fem *self = (tetra_fem *)object;
    if (self->base.model.plastic)
        memset(self->base.model.plastic, 0, self->base.model.mesh.packs * sizeof *self->base.model.plastic);
}

static void tetrahedron_fem_event(st_object *object, st_event *what) {
    tetra_fem *self = (tetra_fem *)object;
    if (!st_is_valid(object) || self->base.model.mesh.count == 0) return;
    st_tetra_fem_class.event(object, what);
    if (what->kind == ST_EVENT_ANIMATE_BEGIN && self->update_stiffness) st_tetra_fem_set_materials(&self->base);
    if (what->kind == ST_EVENT_ANIMATE_END && self->moved) compute_von_mises(self);
}

static void tetrahedron_fem_destroy(st_object *object) {
    st_list_free(&((tetra_fem *)object)->split);
    st_tetra_fem_class.destroy(object);
}

// ---------------------------------------------------------------------------------------------------
// Force and derivative
// ---------------------------------------------------------------------------------------------------

// SOFA's explicit matrix knows neither plasticity nor the polar methods: there is no force then, but the tangent stays.
static bool has_force(tetra_fem *self) {
    if (!self->base.compute_global_matrix) return true;
    const bool polar = self->base.model.method >= ST_TETRA_POLAR;
    if (!polar && !self->base.model.plastic) return true;
    st_tetra_fem_report_no_force(&self->base, polar ? "the methods polar and svd" : "plasticity");
    return false;
}

static void tetrahedron_fem_add_force(st_force *force, const st_params *params) {
    tetra_fem *self = self_of(force);
    st_tetra_model *model = &self->base.model;
    st_pool *pool = force->object.scene->pool;
    if (!st_mesh_fits(force, model->mesh.points)) return;

    // without a force the derivative still needs the rotations
    self->moved = true;
    if (has_force(self)) {
        st_tetra_model_add_force(model, pool, st_x(force->state, params), st_f(force->state, params));
    } else if (model->method != ST_TETRA_SVD) {
        st_tetra_model_update_frames(model, pool, st_x(force->state, params));
    }
    st_tetra_fem_report_flat(&self->base);
}

static bool tetrahedron_fem_rotations(st_force *force, st_real *rotations_of_points) {
    tetra_fem *self = self_of(force);
    if (self->base.model.mesh.points != force->state->size) return false;
    if (self->base.model.method == ST_TETRA_SMALL)
        st_message_once(&force->object, "no rotation", ST_WARNING, "its method is small: nothing turns");

    // Elements cut from hexahedra are not those of the mesh: the last one around a point decides.
    st_tetra_model_rotations(&self->base.model, self->split.count == 0, rotations_of_points);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// The class
// ---------------------------------------------------------------------------------------------------

#define DISPLAY(member, name, type, value, help)                                                                       \
    ST_FIELD(tetra_fem, member, name, type, value, help, .flags = ST_FIELD_DISPLAY)

static const st_field fields[] = {
    ST_FIELD(tetra_fem, initial_points, "initialPoints", st_type_vec3s, NULL, "positions at rest",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(tetra_fem, plastic_max, "plasticMaxThreshold", st_type_real, "0",
             "largest plastic strain times 6 V; 0: no plasticity", .flags = ST_FIELD_REINIT),
    ST_FIELD(tetra_fem, plastic_yield, "plasticYieldThreshold", st_type_real, "9.999999747378752e-05",
             "strain times 6 V beyond which the element yields", .flags = ST_FIELD_REINIT),
    ST_FIELD(tetra_fem, plastic_creep, "plasticCreep", st_type_real, "0.8999999761581421",
             "part of the elastic strain that becomes plastic in one evaluation", .flags = ST_FIELD_REINIT),
    ST_FIELD(tetra_fem, update_stiffness, "updateStiffness", st_type_bool, "0",
             "take the material from youngModulus and poissonRatio again in each step", .flags = ST_FIELD_REINIT),
    ST_FIELD(tetra_fem, von_mises_mode, "computeVonMisesStress", st_type_int, "0",
             "0: none, 1: from the strain in the rotated element, 2: from Green's strain", .flags = ST_FIELD_REINIT),
    ST_FIELD(tetra_fem, von_mises_colors, "vonMisesStressColors", st_type_vec4s, NULL, "colors of the stress",
             .flags = ST_FIELD_OUTPUT | ST_FIELD_DISPLAY),
    ST_FIELD(tetra_fem, gather_pt, "gatherPt", st_type_string, NULL, "a hint to graphics cards",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(tetra_fem, gather_bsize, "gatherBsize", st_type_string, NULL, "a hint to graphics cards",
             .flags = ST_FIELD_NO_EFFECT),
    DISPLAY(draw_heterogeneous, "drawHeterogeneousTetra", st_type_bool, "0", "color the elements by their stiffness"),
    DISPLAY(color_map, "showStressColorMap", st_type_string, "Blue to Red", "color map of the stress"),
    DISPLAY(alpha, "showStressAlpha", st_type_real, "1", "opacity of the stress"),
    DISPLAY(show_per_node, "showVonMisesStressPerNode", st_type_bool, "0", "draw points colored by stress"),
    DISPLAY(show_per_node_map, "showVonMisesStressPerNodeColorMap", st_type_bool, "0",
            "draw the elements colored by the stress of their nodes"),
    DISPLAY(show_per_element, "showVonMisesStressPerElement", st_type_bool, "0", "draw triangles colored by stress"),
    DISPLAY(gap_scale, "showElementGapScale", st_type_real, "0.333", "gap between the elements drawn"),
    ST_FIELDS_END,
};

static bool tetrahedron_fem_shows_stress(const st_force *force) {
    const tetra_fem *self = (const tetra_fem *)force;
    return self->show_per_node || self->show_per_node_map || self->show_per_element;
}

static const st_force_ops force_ops = {
    .add_force = tetrahedron_fem_add_force,
    .stiffness = st_tetra_fem_stiffness,
    .product = st_tetra_fem_product,
    .potential = st_tetra_fem_potential,
    .rotations = tetrahedron_fem_rotations,
    .shows_stress = tetrahedron_fem_shows_stress,
};

#define EXAMPLE(name)                                                                                                  \
    "<MeshTopology tetrahedra=\"0 1 2 3  1 2 3 4\"/>\n"                                                                \
    "<MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\"/>\n"                                             \
    "<" name " youngModulus=\"1000\" poissonRatio=\"0.3\" method=\"large\"/>"

const st_class st_tetrahedron_fem_force_field_class = {
    .name = "TetrahedronFEMForceField",
    .help = "linear elastic tetrahedra that turn with the body",
    .parent = &st_tetra_fem_class,
    .templates = "Vec3",
    .fields = fields,
    .size = sizeof(tetra_fem),
    .example = EXAMPLE("TetrahedronFEMForceField"),
    .flags = ST_CLASS_APPROXIMATE_TANGENT | ST_CLASS_PRODUCT_BY_MATRIX,
    .init = tetrahedron_fem_init,
    .reinit = tetrahedron_fem_reinit,
    .reset = tetrahedron_fem_reset,
    .event = tetrahedron_fem_event,
    .destroy = tetrahedron_fem_destroy,
    .force = &force_ops,
};

static const st_field parallel_fields[] = {
    ST_FIELD(tetra_fem, threads, "nbThreads", st_type_int, "0", "a hint to threads", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(tetra_fem, task_scheduler, "taskSchedulerType", st_type_string, NULL, "a hint to threads",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

// In SOFA the variant with threads. Here both use them and give the same bits.
const st_class st_parallel_tetrahedron_fem_force_field_class = {
    .name = "ParallelTetrahedronFEMForceField",
    .help = "linear elastic tetrahedra that turn with the body; same as TetrahedronFEMForceField",
    .parent = &st_tetrahedron_fem_force_field_class,
    .templates = "Vec3",
    .fields = parallel_fields,
    .size = sizeof(tetra_fem),
    .example = EXAMPLE("ParallelTetrahedronFEMForceField"),
    .flags = ST_CLASS_APPROXIMATE_TANGENT | ST_CLASS_PRODUCT_BY_MATRIX,
};
