// Hexahedra with the stiffness and mass of finer cells. See non_uniform_hexahedron.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/hexahedron/non_uniform_hexahedron.h"

#include "base/array.h"
#include "math/mat3.h"
#include "scene/compat.h"
#include "topology/topology.h"

enum { MAX_ONE_STEP = 3 };

// ---------------------------------------------------------------------------------------------------
// Levels
// ---------------------------------------------------------------------------------------------------

// The grid and how many of its levels are used; without any it is an ordinary hexahedral force.
static void find_levels(st_non_uniform_hexahedron *self, bool composite) {
    const st_elastic *elastic = &self->mass.fem.elastic;
    const st_object *object = &elastic->force.object;
    const st_sparse_grid *grid = st_sparse_grid_of(st_context_topology(object->node, elastic->topology));
    const size_t virtual_levels = grid ? grid->level_count - 1 : 0;
    self->condensed = false;

    // as many levels as the grid has
    if (self->levels <= 0) {
        if (!composite || self->levels < 0)
            st_message(object, ST_ERROR, "nbVirtualFinerLevels is %d: finer levels are needed, there are none",
                       (int)self->levels);
        return;
    }

    // more than the grid has, or none to take them from
    if (!grid || (size_t)self->levels > virtual_levels) {
        st_message(object, ST_ERROR, "nbVirtualFinerLevels is %d: %s; finer levels are not used", (int)self->levels,
                   grid ? "the sparse grid has fewer" : "the mesh is no sparse grid");
        return;
    }

    // the matrix of one step is dense: 37 MB for each thread with 3 levels, two gigabytes with 4
    const bool one_step = composite && self->finest_to_coarse && self->levels <= MAX_ONE_STEP;
    if (composite && self->finest_to_coarse && !one_step)
        st_message(object, ST_WARNING,
                   "finestToCoarse takes at most %d levels at once: the %d levels follow one another", MAX_ONE_STEP,
                   (int)self->levels);

    self->condensed = true;
    self->condensation = (st_condensation){
        .grid = grid,
        .finest = virtual_levels - (size_t)self->levels,
        .composite = composite,
        .crossed = self->complete_interpolation,
        .ramified = composite && self->use_ramification && !self->finest_to_coarse && grid->ramified,
        .one_step = one_step,
        .rounded_filling = st_compat_on(object->scene, ST_COMPAT_COMPOSITE_FILLING),
        .mass_by_stiffness = st_compat_on(object->scene, ST_COMPAT_CONDENSED_MASS),
        .poisson = st_elastic_poisson(elastic, 0),
    };
}

// ---------------------------------------------------------------------------------------------------
// Stiffness
// ---------------------------------------------------------------------------------------------------

// One material for all: that of the first element.
static void law_stiffness(const void *user, size_t e, const st_real *nodes, st_real *k) {
    const st_non_uniform_hexahedron *self = user;
    st_condensed result = {{0}, {0}};
    if (!st_condense(&self->condensation, e, nodes, st_hexahedron_fem_hooke(&self->mass.fem, 0), &result))
        *self->out_of_memory = true;
    memcpy(k, result.k, sizeof result.k);
}

static bool keep_start(st_non_uniform_hexahedron *self) {
    const st_reals *x = &self->mass.fem.elastic.force.state->coord[ST_COORD_POSITION];
    const st_reals *given = &self->mass.fem.initial_points;

    // initialPoints of the scene take precedence over the positions
    if (st_is_set(&self->mass.fem.elastic.force.object, given) && given->count == x->count) x = given;

    if (!st_list_set_count(&self->start, x->count, 3)) return false;
    st_copy_reals(self->start.data, x->data, 3 * x->count);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Mass
// ---------------------------------------------------------------------------------------------------

static bool condense_mass(st_non_uniform_hexahedron *self) {
    st_hexahedron_mass *mass = &self->mass;
    const size_t count = mass->fem.model.mesh.count;
    st_condensation *c = &self->condensation;
    const st_real cells = (st_real)((uint64_t)1 << (3 * (uint32_t)self->levels));
    st_real *patterns = st_alloc(count, ST_MASS_PATTERN * sizeof *patterns);
    if (!patterns) return false;

    // the masses of the cells are in the pattern of each element
    st_hexahedron_mass_pattern(mass->fem.elastic.force.object.scene, c->pattern);
    bool ok = true;
    for (size_t e = 0; ok && e < count; e++) {
        st_real nodes[24];
        st_condensed result;
        st_pack_take(mass->fem.model.rest, 24, e, nodes); // in the frame of the element
        c->mass = mass->density * st_hexahedron_box_volume(nodes) / cells;
        ok = st_condense(c, e, nodes, st_hexahedron_fem_hooke(&mass->fem, 0), &result);
        memcpy(patterns + e * ST_MASS_PATTERN, result.m, sizeof result.m);
        mass->scale[e] = 1;
    }

    st_free(mass->pattern);
    mass->pattern = patterns;
    mass->pattern_each = true;
    return ok && st_hexahedron_mass_lump(mass, true);
}

// The same mass at every point: the total over the number of elements, not of points, as SOFA has it.
static void spread_mass(st_non_uniform_hexahedron *self) {
    st_hexahedron_mass *mass = &self->mass;
    const st_real each = self->total_mass / (st_real)mass->fem.model.mesh.count;
    mass->lumped_mass = true;

    for (size_t n = 0; n < mass->weight.count; n++) {
        mass->weight.data[n] = each;
        for (size_t k = 0; k < 3; k++) mass->lumped.data[3 * n + k] = each;
    }
}

// ---------------------------------------------------------------------------------------------------

st_status st_non_uniform_hexahedron_init(st_object *object, bool composite) {
    st_non_uniform_hexahedron *self = (st_non_uniform_hexahedron *)object;
    st_hexahedron_mass *mass = &self->mass;
    st_status status = st_elastic_class.init(object);
    if (status != ST_OK) return status;

    if (!keep_start(self) || !st_hexahedron_fem_use_grid(&mass->fem, &mass->fem.stiffness_part, false) ||
        !st_hexahedron_fem_use_grid(&mass->fem, &mass->mass_part, true))
        return st_invalid(object, "out of memory for %zu points", self->start.count);

    // stiffness, with the shape at the start
    find_levels(self, composite);
    mass->fem.law = self->condensed ? (st_element_law){law_stiffness, NULL, self} : st_hexahedron_fem_law(&mass->fem);
    mass->fem.update_stiffness_matrix = false; // the shape that counts is that at the start
    bool out_of_memory = false;
    self->out_of_memory = &out_of_memory;
    status = st_hexahedron_fem_build(&mass->fem, &self->start, false);
    self->out_of_memory = NULL;
    if (out_of_memory) return st_invalid(object, "out of memory for the stiffness of finer cells");
    if (status == ST_OK) status = st_hexahedron_mass_build(mass, self->start.data);
    if (status != ST_OK) return status;

    if (!self->use_mass) spread_mass(self);
    else if (self->condensed && !condense_mass(self)) return st_invalid(object, "out of memory for the masses");
    return ST_OK;
}

void st_non_uniform_hexahedron_destroy(st_object *object) {
    st_list_free(&((st_non_uniform_hexahedron *)object)->start);
    st_hexahedron_mass_destroy(object);
}

bool st_non_uniform_hexahedron_weights(const st_non_uniform_hexahedron *self, size_t e, st_condensation_take *take,
                                       void *user) {
    st_real nodes[24];
    st_pack_take(self->mass.fem.model.rest, 24, e, nodes); // in the frame of the element
    return st_condensation_weights(&self->condensation, e, nodes, st_hexahedron_fem_hooke(&self->mass.fem, 0), take,
                                   user);
}
