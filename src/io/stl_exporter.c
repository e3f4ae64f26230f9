// STLExporter: triangles (quads as two each) as an STL file, binary or text.
//
// A binary file is a header of 80 bytes, the number of triangles, and for each its normal, its corners (floats, least
// byte first) and two bytes of zero.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "io/exporter.h"
#include "io/mesh_write.h"
#include "math/vec3.h"
#include "settee/plugin/change.h"
#include "settee/plugin/state.h"

typedef struct stl_exporter {
    st_exporter exporter;
    bool binary;
    st_reals position;
    st_uints triangles, quads;
    st_state *state; // where positions that are not given come from
    st_topology *topology;
} stl_exporter;

static const st_field fields[] = {
    ST_FIELD(stl_exporter, binary, "binaryformat", st_type_bool, "1", "a binary file, not text"),
    ST_FIELD(stl_exporter, position, "position", st_type_vec3s, NULL,
             "the points; with the faces, those of the node's visual model, else of its topology, when not given"),
    ST_FIELD(stl_exporter, triangles, "triangle", st_type_triangles, NULL, "the triangles", .aliases = "triangles",
             .mesh = ST_NO_INDEX),
    ST_FIELD(stl_exporter, quads, "quad", st_type_quads, NULL, "the quads, where there are no triangles",
             .aliases = "quads", .mesh = ST_NO_INDEX),
    ST_FIELDS_END,
};

static void put_vector(FILE *out, const st_real v[3]) {
    for (int i = 0; i < 3; i++) st_output_put_float(out, (float)v[i]);
}

static void put_triangle(FILE *out, const st_mesh_view *view, uint32_t a, uint32_t b, uint32_t c) {
    const st_real *pa = view->points + 3 * (size_t)a, *pb = view->points + 3 * (size_t)b,
                  *pc = view->points + 3 * (size_t)c;
    st_real ab[3], ac[3], normal[3];

    // the unit normal; 0 where the corners are on one line
    st_vec3_sub(ab, pb, pa);
    st_vec3_sub(ac, pc, pa);
    st_vec3_cross(normal, ab, ac);
    if (!st_vec3_normalize(normal, normal)) st_vec3_zero(normal);

    put_vector(out, normal);
    put_vector(out, pa);
    put_vector(out, pb);
    put_vector(out, pc);

    // attributes: none
    fputc(0, out);
    fputc(0, out);
}

static st_status put_binary(FILE *out, const void *what) {
    const st_mesh_view *view = what;
    static const char header[80] = "settee";
    const size_t triangles = view->elements[ST_TRIANGLE].count, quads = view->elements[ST_QUAD].count;

    fwrite(header, 1, sizeof header, out);
    st_output_put_u32(out, (uint32_t)(triangles + 2 * quads));

    for (size_t i = 0; i < triangles; i++) {
        const uint32_t *t = st_mesh_view_element(view, ST_TRIANGLE, i);
        put_triangle(out, view, t[0], t[1], t[2]);
    }

    for (size_t i = 0; i < quads; i++) {
        const uint32_t *q = st_mesh_view_element(view, ST_QUAD, i);
        put_triangle(out, view, q[0], q[1], q[2]);
        put_triangle(out, view, q[0], q[2], q[3]);
    }
    return ST_OK;
}

// Elements whose points exist; triangles, or quads where there are none.
static bool find_view(const stl_exporter *self, st_mesh_view *view) {
    const bool given = st_is_set(&self->exporter.object, &self->position);
    const st_reals *points = given || !self->state ? &self->position : &self->state->coord[ST_COORD_POSITION];
    const st_uints *lists[2] = {&self->triangles, &self->quads};

    // faces that are not given come from the topology
    for (int i = 0; i < 2 && self->topology; i++)
        if (!st_is_set(&self->exporter.object, lists[i]))
            lists[i] = st_topology_elements(self->topology, i ? ST_QUAD : ST_TRIANGLE);

    *view = (st_mesh_view){.points = points->data, .point_count = points->count};
    const int kind = lists[0]->count ? ST_TRIANGLE : ST_QUAD;
    view->elements[kind].vertices = lists[kind == ST_QUAD]->data;
    view->elements[kind].count = lists[kind == ST_QUAD]->count;

    // nothing is written of a mesh that names points it does not have
    const size_t words = view->elements[kind].count * st_element_size[kind];
    for (size_t i = 0; i < words; i++) {
        if (view->elements[kind].vertices[i] < view->point_count) continue;
        st_message(&self->exporter.object, ST_ERROR, "a face names the point %u of %zu: nothing is written",
                   view->elements[kind].vertices[i], view->point_count);
        return false;
    }
    return true;
}

static st_status put_text(FILE *out, const void *view) {
    st_mesh_write_stl(out, view);
    return ST_OK;
}

static bool stl_exporter_write(st_exporter *exporter) {
    stl_exporter *self = (stl_exporter *)exporter;
    st_mesh_view view;

    // nothing is written when the faces are not sound
    char *base = find_view(self, &view) ? st_exporter_numbered_base(exporter, ".stl") : NULL;

    if (!base) return false;
    char *path = st_string_format("%s.stl", base);
    st_free(base);
    return st_output_write(&exporter->object, path, self->binary ? put_binary : put_text, &view);
}

// The visual model of the node, whose lists are linked; else its topology with the points of its state.
static st_status stl_exporter_init(st_object *object) {
    stl_exporter *self = (stl_exporter *)object;

    if (!st_is_set(object, &self->position)) {
        // the visual model is the state that is not mechanical
        st_object *found = NULL;
        for (size_t i = 0; i < object->node->objects.count && !found; i++) {
            st_object *other = object->node->objects.data[i];
            if (st_has_role(other, ST_ROLE(state)) && !((st_state *)other)->mechanical) found = other;
        }

        self->topology = found ? NULL : (st_topology *)st_find(object->node, ST_ROLE(topology), ST_LOCAL);
        if (!found && !self->topology)
            return st_invalid(object, "there is neither a visual model nor a topology in its node: nothing is written");

        // points and faces of what was found
        self->state = (st_state *)(found ? found : st_find(object->node, ST_ROLE(state), ST_LOCAL));
        if (self->state && self->state->object.dof != &st_vec3) self->state = NULL;
        if (found && !st_is_set(object, &self->triangles)) st_link_field(object, &self->triangles, found, "triangles");
        if (found && !st_is_set(object, &self->quads)) st_link_field(object, &self->quads, found, "quads");

        if (!self->state && !self->topology)
            return st_invalid(object, "the points of %s are not 3D: nothing is written", found->name);
        if (!self->state) st_link_field(object, &self->position, &self->topology->object, "position");
    }

    return st_exporter_init(object, stl_exporter_write);
}

const st_class st_stl_exporter_class = {
    .name = "STLExporter",
    .help = "writes a surface as an STL file",
    .parent = &st_exporter_class,
    .fields = fields,
    .size = sizeof(stl_exporter),
    .example = "<MeshTopology position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\"/>\n"
               "<MechanicalObject/>\n"
               "<STLExporter filename=\"surface\" exportEveryNumberOfSteps=\"10\"/>",
    .init = stl_exporter_init,
};
