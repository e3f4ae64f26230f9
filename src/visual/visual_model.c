// OglModel and VisualModelImpl: surfaces to be drawn, moved by mappings.
//
// A visual model is a state without mechanics: mappings see its positions, rest positions and normals, and nothing
// else. A mesh with seams (vertPosIdx) has more vertices than points, because a point has one vertex for each texture
// coordinate and normal; mappings see the points, elements name the vertices.
//
// Where the mesh comes from, first match: position and triangles or quads (given, or linked by src); filename; the
// topology of the node or of the nearest one above. At init, x' = T R S x.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "io/mesh_loader.h"
#include "io/mtl_file.h"
#include "math/real.h"
#include "settee/plugin/change.h"
#include "settee/plugin/draw.h"
#include "settee/plugin/state.h"
#include "topology/file/obj_file.h"
#include "topology/topology.h"
#include "visual/drawing.h"

enum { SWITCHES = 16, TEXTS = 8 };

typedef struct visual_model {
    st_state state; // position, restPosition; its normals are deriv[ST_DERIV_NORMAL]
    st_uints edges, triangles, quads;
    st_reals vertices;     // Vec3, with seams
    st_uints vert_pos_idx; // point of each vertex
    st_uints vert_norm_idx;
    st_reals texcoords; // Vec2
    char *filename;
    st_object *topology;
    bool init_rest_positions, use_normals, keep_lines, enabled;
    st_real translation[3], rotation[3], scale[3];
    st_real uniform_scale, s[3], r[3], d[3]; // shorthands
    st_real color[4];
    char *material;
    st_strings materials;
    // only drawn by SOFA's own window
    bool switches[SWITCHES];
    char *texts[TEXTS];
    char *texture_name;
    st_real sizes[2], texture[4], texture_scale[2], texture_translation[2];
    // what is drawn, as points
    st_uints corners, lines;
    // groups of faces with materials of their own: "name material first count"
    st_strings triangle_groups, quad_groups;
    st_uints drawn_vertices; // with texture coordinates: the vertex of each corner, while `corners` names its point
    ST_LIST(uint8_t) sides;  // of each drawn triangle that are sides of a face
    st_uints paint;          // material of each drawn triangle; empty: all have the same
    bool own_material;       // the scene gives it one
    bool from_topology, points_from_topology;
    st_real moved[12]; // the transformation of the first init
} visual_model;

// ---------------------------------------------------------------------------------------------------
// Fields
// ---------------------------------------------------------------------------------------------------

#define FIELD(member, name, type, value, help, ...)                                                                    \
    ST_FIELD(visual_model, member, name, type, value, help, ##__VA_ARGS__)
#define SHORT(member, name)                                                                                            \
    FIELD(member, name, st_type_float, NULL, "shorthand, read in single precision", .flags = ST_FIELD_SHORTHAND)
#define SHOW(member, name, type, value, help)                                                                          \
    FIELD(member, name, type, value, help, .flags = ST_FIELD_DISPLAY | ST_FIELD_NO_EFFECT)
#define SWITCH(i, name, value, help) SHOW(switches[i], name, st_type_bool, value, help)
#define TEXT(i, name, help) SHOW(texts[i], name, st_type_string, NULL, help)

// clang-format off
static const st_field fields[] = {
    FIELD(state.coord[ST_COORD_POSITION], "position", st_type_coords, NULL, "positions of the points, as mappings move them", .flags = ST_FIELD_STEPPED),
    FIELD(state.coord[ST_COORD_REST], "restPosition", st_type_coords, NULL, "rest positions of the points"),
    FIELD(state.deriv[ST_DERIV_NORMAL], "normal", st_type_derivs, NULL, "normals of the points at init", .aliases = "normals", .flags = ST_FIELD_STEPPED),
    FIELD(edges, "edges", st_type_edges, NULL, "edges", .flags = ST_FIELD_NO_SRC, .mesh = ST_WITH_MESH),
    FIELD(triangles, "triangles", st_type_triangles, NULL, "triangles, as vertices", .mesh = ST_WITH_MESH),
    FIELD(quads, "quads", st_type_quads, NULL, "quads, as vertices", .mesh = ST_WITH_MESH),
    FIELD(vertices, "vertices", st_type_vec3s, NULL, "with seams: the vertices at init"),
    FIELD(vert_pos_idx, "vertPosIdx", st_type_indices, NULL, "with seams: the point of each vertex", .mesh = ST_WITH_MESH),
    FIELD(vert_norm_idx, "vertNormIdx", st_type_indices, NULL, "with seams: the normal of each vertex", .mesh = ST_NO_INDEX),
    FIELD(texcoords, "texcoords", st_type_vec2s, NULL, "texture coordinates"),
    FIELD(filename, "filename", st_type_file, NULL, "an OBJ file; better is a MeshOBJLoader, linked by src", .flags = ST_FIELD_DEPRECATED),
    FIELD(topology, "topology", st_type_link, NULL, "where the mesh is taken from when none is given", .role = ST_ROLE(topology)),
    FIELD(init_rest_positions, "initRestPositions", st_type_bool, "1", "rest positions that are not given are the positions at init"),
    FIELD(use_normals, "useNormals", st_type_bool, "1", "normals of the file make seams"),
    FIELD(keep_lines, "keepLines", st_type_bool, "0", "faces of two corners in the file are edges"),
    FIELD(translation, "translation", st_type_vec3, "0 0 0", "translation of the points at init", .flags = ST_FIELD_NO_SRC),
    FIELD(rotation, "rotation", st_type_vec3, "0 0 0", "rotation of the points at init in degrees: about x, then y, then z", .flags = ST_FIELD_NO_SRC),
    FIELD(scale, "scale3d", st_type_vec3, "1 1 1", "scale of the points at init", .flags = ST_FIELD_NO_SRC),
    SHORT(uniform_scale, "scale"), SHORT(s[0], "sx"), SHORT(s[1], "sy"), SHORT(s[2], "sz"),
    SHORT(r[0], "rx"), SHORT(r[1], "ry"), SHORT(r[2], "rz"), SHORT(d[0], "dx"), SHORT(d[1], "dy"), SHORT(d[2], "dz"),
    SHORT(texture[0], "su"), SHORT(texture[1], "sv"), SHORT(texture[2], "du"), SHORT(texture[3], "dv"),
    FIELD(enabled, "isEnabled", st_type_bool, "1", "draw it", .flags = ST_FIELD_DISPLAY),
    FIELD(color, "color", st_type_color, "0.75 0.75 0.75 1", "its color", .flags = ST_FIELD_DISPLAY),
    FIELD(material, "material", st_type_string, NULL, "name Diffuse 1 r g b a Ambient ...: the diffuse color is used where color is not given", .flags = ST_FIELD_DISPLAY),
    FIELD(texture_name, "texturename", st_type_file, NULL, "file of a texture: PNG, BMP or JPEG", .flags = ST_FIELD_DISPLAY),
    FIELD(materials, "materials", st_type_map, NULL, "materials of the groups of faces, each as material", .flags = ST_FIELD_DISPLAY),
    FIELD(triangle_groups, "trianglesGroups", st_type_map, NULL, "runs of triangles: name material first count", .flags = ST_FIELD_DISPLAY),
    FIELD(quad_groups, "quadsGroups", st_type_map, NULL, "runs of quads: name material first count", .flags = ST_FIELD_DISPLAY),
    TEXT(2, "groups", "groups of faces; not drawn"),
    FIELD(texture_scale, "scaleTex", st_type_vec2, "1 1", "scale of the texture coordinates", .flags = ST_FIELD_DISPLAY),
    FIELD(texture_translation, "translationTex", st_type_vec2, "0 0", "translation of the texture coordinates", .flags = ST_FIELD_DISPLAY),
    SWITCH(0, "putOnlyTexCoords", "0", "texture coordinates without a texture; not drawn"),
    SWITCH(1, "computeTangents", "0", "tangents for shaders; not drawn"),
    SWITCH(2, "updateNormals", "1", "the picture always has the normals of the moment"),
    SWITCH(3, "fixMergedUVSeams", "1", "seams of textures; not drawn"),
    SWITCH(4, "handleDynamicTopology", "1", "topologies do not change here"),
    SWITCH(5, "srgbTexturing", "0", "colors of textures in sRGB; not drawn"),
    SWITCH(6, "isToPrint", "0", "not written with the scene"),
    ST_FIELDS_END,
};

static const st_field ogl_fields[] = {
    SHOW(sizes[0], "lineWidth", st_type_real, "1", "width of lines"),
    SHOW(sizes[1], "pointSize", st_type_real, "1", "size of points"),
    SWITCH(7, "lineSmooth", "0", "smooth lines"),
    SWITCH(8, "pointSmooth", "0", "smooth points"),
    SWITCH(9, "alphaBlend", "0", "blending of transparent faces"),
    SWITCH(10, "depthTest", "1", "hides what is behind"),
    SWITCH(11, "writeZTransparent", "0", "depth of transparent faces"),
    SWITCH(12, "useVBO", "1", "buffers of the graphics card"),
    SHOW(texts[3], "primitiveType", st_type_string, "DEFAULT", "how triangles are given to the graphics card"),
    TEXT(4, "blendEquation", "blending"),
    TEXT(5, "sfactor", "blending of the source"),
    TEXT(6, "dfactor", "blending of the destination"),
    TEXT(7, "cullFace", "side of faces that is not drawn"),
    ST_FIELDS_END,
};
// clang-format on

static st_status visual_model_construct(st_object *object) {
    object->dof = &st_vec3;
    return ST_OK;
}

// If any of a triple is given the whole triple counts, the missing ones being `missing`.
static void take_triple(st_object *object, const st_real given[3], st_real to[3], st_real missing) {
    bool any = false;
    for (int i = 0; i < 3; i++) any = any || st_is_set(object, &given[i]);

    for (int i = 0; any && i < 3; i++) to[i] = st_is_set(object, &given[i]) ? given[i] : missing;
    if (any) st_touch(object, to);
}

static st_status visual_model_parse(st_object *object) {
    visual_model *self = (visual_model *)object;
    for (int i = 0; i < 3 && st_is_set(object, &self->uniform_scale); i++) self->scale[i] = self->uniform_scale;

    // a triple takes precedence over the uniform scale
    take_triple(object, self->s, self->scale, 1);
    take_triple(object, self->r, self->rotation, 0);
    take_triple(object, self->d, self->translation, 0);

    for (int k = 0; k < 2; k++) {
        if (st_is_set(object, &self->texture[k])) self->texture_scale[k] = self->texture[k];
        if (st_is_set(object, &self->texture[2 + k])) self->texture_translation[k] = self->texture[2 + k];
    }
    self->own_material = st_attribute(object, "material") != NULL;
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Meshes: from vertices with seams
// ---------------------------------------------------------------------------------------------------

static st_reals *visual_model_positions(visual_model *self) { return &self->state.coord[ST_COORD_POSITION]; }

static bool copy_list(st_reals *to, const st_reals *from) {
    if (!st_list_set_count(to, from->count, 3)) return false;
    st_copy_reals(to->data, from->data, 3 * from->count);
    return true;
}

// A loader with seams gives vertices; the points are found through vertPosIdx.
static st_status merge_seams(visual_model *self) {
    const st_uints *point_of = &self->vert_pos_idx;
    st_object *object = &self->state.object;
    if (point_of->count != visual_model_positions(self)->count) {
        st_message(object, ST_WARNING, "vertPosIdx has %zu entries for %zu positions: it is not used", point_of->count,
                   visual_model_positions(self)->count);
        self->vert_pos_idx.count = 0;
        return ST_OK;
    }

    // the points are numbered up to the largest index
    size_t points = 0;
    for (size_t i = 0; i < point_of->count; i++)
        if (point_of->data[i] >= points) points = (size_t)point_of->data[i] + 1;

    // numbers far beyond those of a mesh are a mistake, and memory would be wasted on them
    if (points > 1000 * point_of->count)
        return st_invalid(object, "vertPosIdx names point %zu, but there are only %zu vertices", points - 1,
                          point_of->count);

    // vertices of one point are all at its place: the last one counts
    if (!copy_list(&self->vertices, visual_model_positions(self))) return ST_OUT_OF_MEMORY;
    visual_model_positions(self)->count = 0;
    if (!st_list_set_count(visual_model_positions(self), points, 3)) return ST_OUT_OF_MEMORY;
    for (size_t i = 0; i < point_of->count; i++)
        st_copy_reals(visual_model_positions(self)->data + 3 * (size_t)point_of->data[i], self->vertices.data + 3 * i,
                      3);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Meshes: from a file of its own
// ---------------------------------------------------------------------------------------------------

// Faces of fewer than three corners only count as lines, and normals only with useNormals.
static void filter_faces(const visual_model *self, st_obj *obj) {
    size_t kept = 0;
    for (size_t i = 0; i < obj->faces.count; i++)
        if (obj->faces.data[i].count >= 3 || self->keep_lines) obj->faces.data[kept++] = obj->faces.data[i];

    obj->faces.count = kept;
    for (size_t i = 0; !self->use_normals && i < obj->corners.count; i++) obj->corners.data[i].normal = 0;
}

static bool take_split(visual_model *self, const st_obj *obj, const st_obj_split *split) {
    const size_t count = split->vertices.count;
    if (!st_list_set_count(&self->vertices, count, 3) || !st_list_set_count(&self->vert_pos_idx, count, 1))
        return false;

    for (size_t i = 0; i < count; i++) {
        const size_t point = (size_t)split->vertices.data[i].point;
        self->vert_pos_idx.data[i] = (uint32_t)point;
        st_copy_reals(self->vertices.data + 3 * i, obj->points.data + 3 * point, 3);
    }

    return true;
}

// One for each vertex, or for each point where there are no seams.
static bool take_texcoords(visual_model *self, const st_obj *obj, const st_obj_split *split, bool seams) {
    const size_t count = seams ? split->vertices.count : obj->points.count;
    if (!obj->texcoords.count || self->texcoords.count) return true;
    if (!st_list_set_count(&self->texcoords, count, 2)) return false;

    for (size_t i = 0; i < (seams ? count : obj->corners.count); i++) {
        const st_obj_corner *corner = seams ? &split->vertices.data[i] : &obj->corners.data[i];
        const size_t to = seams ? i : (size_t)corner->point, from = (size_t)corner->texcoord;
        if (corner->texcoord >= 0 && from < obj->texcoords.count && to < count)
            st_copy_reals(self->texcoords.data + 2 * to, obj->texcoords.data + 2 * from, 2);
    }
    return true;
}

// With as many vertices as points there are no seams.
static bool take_mesh(visual_model *self, st_obj *obj) {
    const st_obj_elements to = {&self->edges, &self->triangles, &self->quads, false, false};
    st_obj_split split = {0};

    filter_faces(self, obj);
    bool ok = st_obj_split_create(&split, obj) && copy_list(visual_model_positions(self), &obj->points);

    // without seams corners name points, with them vertices
    const bool seams = split.vertices.count != obj->points.count;
    if (ok && seams) ok = take_split(self, obj, &split);
    ok = ok && take_texcoords(self, obj, &split, seams);
    for (size_t i = 0; ok && !seams && i < obj->corners.count; i++)
        split.of_corner.data[i] = (uint32_t)obj->corners.data[i].point;

    for (size_t i = 0; ok && i < obj->faces.count; i++)
        ok = st_obj_add_face(&to, &obj->faces.data[i], split.of_corner.data);

    st_obj_split_free(&split);
    return ok;
}

// The first material that faces use, when none is given.
static bool take_material(visual_model *self, const st_obj *obj) {
    st_object *object = &self->state.object;
    st_materials known = {0};
    const st_material *found = NULL;
    bool ok = true;

    if (st_is_set(object, &self->material) || st_is_set(object, self->color)) return true;

    // the first material that a library describes
    for (size_t i = 0; ok && i < obj->libraries.count; i++)
        ok = st_mtl_read_beside(&known, object, self->filename, obj->libraries.data[i]);
    for (size_t i = 0; i < obj->groups.count && !found; i++)
        found = st_materials_find(&known, obj->groups.data[i].material);

    if (ok && found) {
        st_free(self->material);
        self->material = st_material_text(found);
        ok = self->material != NULL;
    }

    st_materials_free(&known);
    return ok;
}

static st_status load_file(visual_model *self) {
    st_mesh_file file;
    st_obj obj = {0};
    if (!st_mesh_file_open(&file, &self->state.object, self->filename)) return ST_INVALID;

    st_status status = st_obj_read(&obj, &file) ? ST_OK : ST_INVALID;
    if (status == ST_OK && !(take_mesh(self, &obj) && take_material(self, &obj))) status = ST_OUT_OF_MEMORY;

    st_obj_free(&obj);
    st_mesh_file_close(&file);
    return status;
}

// ---------------------------------------------------------------------------------------------------
// Meshes: from a topology
// ---------------------------------------------------------------------------------------------------

static bool copy_elements(st_uints *to, const st_uints *from, int size) {
    if (!st_list_set_count(to, from->count, size)) return false;
    st_copy_bytes(to->data, from->data, from->count * (size_t)size * sizeof *from->data);
    return true;
}

// The topology's own coordinates, or those of the state beside it.
static bool take_points(visual_model *self, const st_topology *topology) {
    st_real p[3];
    const size_t count = st_topology_points(topology);
    const st_state *state = (const st_state *)st_find_slot(topology->object.node, ST_ROLE(state));

    if (count > 0 && !st_topology_point(topology, 0, p)) {
        if (!state || state == &self->state || st_state_dof(state) != &st_vec3) return true;
        return copy_list(visual_model_positions(self), &state->coord[ST_COORD_POSITION]);
    }

    if (!st_list_set_count(visual_model_positions(self), count, 3)) return false;
    for (size_t i = 0; i < count; i++) st_topology_point(topology, i, visual_model_positions(self)->data + 3 * i);
    return true;
}

static st_status take_topology(visual_model *self) {
    st_topology *topology = st_context_topology(self->state.object.node, self->topology);
    if (!topology) {
        if (visual_model_positions(self)->count == 0)
            st_message(&self->state.object, ST_WARNING, "there is neither a mesh nor a topology to draw");
        return ST_OK;
    }

    // positions that are given stay; faces come from the topology
    const bool first = st_why_init(&self->state.object) == ST_INIT_FIRST;
    if (first) self->points_from_topology = visual_model_positions(self)->count == 0;
    self->from_topology = true;
    bool ok = !self->points_from_topology || take_points(self, topology);
    if (!first && self->points_from_topology)
        st_mesh_transform(self->moved, visual_model_positions(self)->data, visual_model_positions(self)->count);
    ok = ok && copy_elements(&self->triangles, st_topology_elements(topology, ST_TRIANGLE), 3) &&
         copy_elements(&self->quads, st_topology_elements(topology, ST_QUAD), 4);

    return ok ? ST_OK : ST_OUT_OF_MEMORY;
}

static st_status find_mesh(visual_model *self) {
    // faces of a topology that has changed, or is back, are taken again
    if (st_why_init(&self->state.object) != ST_INIT_FIRST) {
        if (self->from_topology) self->state.deriv[ST_DERIV_NORMAL].count = 0;
        return self->from_topology ? take_topology(self) : ST_OK;
    }

    if (visual_model_positions(self)->count == 0 && self->filename && *self->filename) return load_file(self);

    if (self->vert_pos_idx.count) {
        const st_status status = merge_seams(self);
        if (status != ST_OK) return status;
    }

    return self->triangles.count + self->quads.count == 0 ? take_topology(self) : ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Init
// ---------------------------------------------------------------------------------------------------

static void visual_model_transform(visual_model *self) {
    st_real m[12];
    st_mesh_transformation(m, self->scale, self->rotation, self->translation);

    st_mesh_transform(m, visual_model_positions(self)->data, visual_model_positions(self)->count);
    st_mesh_transform(m, self->vertices.data, self->vert_pos_idx.count ? self->vertices.count : 0);
    if (st_why_init(&self->state.object) == ST_INIT_FIRST) memcpy(self->moved, m, sizeof m);

    // the positions hold it now: it must not be applied again
    for (int i = 0; i < 3; i++) {
        self->scale[i] = 1;
        self->rotation[i] = self->translation[i] = 0;
    }
}

// The point that a vertex shows; ST_INVALID_INDEX when there is none.
static uint32_t point_of(const visual_model *self, uint32_t vertex) {
    const st_uints *table = &self->vert_pos_idx;
    if (table->count) vertex = vertex < table->count ? table->data[vertex] : ST_INVALID_INDEX;
    return vertex < self->state.coord[ST_COORD_POSITION].count ? vertex : ST_INVALID_INDEX;
}

// ---------------------------------------------------------------------------------------------------
// What is drawn
// ---------------------------------------------------------------------------------------------------

// Appends an element as points, or nothing when one of them does not exist.
static bool add_drawn(visual_model *self, st_uints *list, const uint32_t *vertices, const int *which, int count) {
    const size_t old = list->count;
    if (!st_list_set_count(list, old + (size_t)count, 1)) return false;

    for (int i = 0; i < count; i++) {
        list->data[old + (size_t)i] = point_of(self, vertices[which[i]]);
        if (list->data[old + (size_t)i] != ST_INVALID_INDEX) continue;
        list->count = old;
        return true;
    }
    return true;
}

// The same for a triangle, with its vertices and those of its sides that are sides of the face.
static bool add_triangle(visual_model *self, const uint32_t *vertices, const int *which, uint8_t sides) {
    const size_t before = self->corners.count;
    if (!add_drawn(self, &self->corners, vertices, which, 3)) return false;
    if (self->corners.count == before) return true;
    for (int i = 0; i < 3; i++)
        if (!st_list_push(&self->drawn_vertices, vertices[which[i]])) return false;
    return st_list_push(&self->sides, sides);
}

// The place of a material among those of the mesh; ST_INVALID_INDEX when there is none.
static uint32_t find_material(const visual_model *self, const char *name, size_t length) {
    for (size_t i = 0; i < self->materials.count; i++) {
        const char *text = self->materials.data[i];
        if (strncmp(text, name, length) == 0 && (text[length] == ' ' || text[length] == 0)) return (uint32_t)i;
    }
    return ST_INVALID_INDEX;
}

// The last words of "name material first count", before `end`; the word's begin, and `end` moves before it.
static const char *last_word(const char *begin, const char **end) {
    while (*end > begin && st_text_is_blank((*end)[-1])) --*end;

    const char *at = *end;
    while (at > begin && !st_text_is_blank(at[-1])) at--;
    return at;
}

// paint[face] = material of its group. The list has room for `count` faces.
static void paint_groups(const visual_model *self, const st_strings *groups, uint32_t *paint, size_t count) {
    for (size_t i = 0; i < groups->count; i++) {
        const char *line = groups->data[i], *end = line + strlen(line), *word[3];
        st_real numbers[2] = {0, 0};
        size_t length = 0;

        // from the end, since the name may hold blanks: count, first, material
        for (int k = 2; k >= 0; k--) {
            word[k] = last_word(line, &end);
            length = (size_t)(end - word[k]);
            if (k) st_mesh_file_reals(&(const char *){word[k]}, end, &numbers[k - 1], 1);
            end = word[k];
        }

        // runs beyond the faces are ignored
        if (!(numbers[0] >= 0 && numbers[1] >= 0 && numbers[0] + numbers[1] <= (st_real)count)) continue;

        const uint32_t material = find_material(self, word[0], length);
        for (size_t f = (size_t)numbers[0]; f < (size_t)(numbers[0] + numbers[1]); f++) paint[f] = material;
    }
}

// Several materials are shown only where neither a color nor a material is asked for.
static bool has_groups(visual_model *self) {
    return self->materials.count > 1 && self->triangle_groups.count + self->quad_groups.count > 0 &&
           !st_is_set(&self->state.object, self->color) && !self->own_material;
}

// The materials of all triangles, then of all quads; NULL when there is one for all.
static uint32_t *make_paint(visual_model *self) {
    const size_t triangles = self->triangles.count, quads = self->quads.count;
    if (!has_groups(self)) return NULL;

    // faces in no group have the color of the model
    uint32_t *paint = st_alloc(triangles + quads, sizeof *paint);
    for (size_t i = 0; paint && i < triangles + quads; i++) paint[i] = ST_INVALID_INDEX;

    if (paint) {
        paint_groups(self, &self->triangle_groups, paint, triangles);
        paint_groups(self, &self->quad_groups, paint + triangles, quads);
    }

    return paint;
}

// Triangles that the last face has added get its material.
static bool paint_face(visual_model *self, const uint32_t *paint, size_t face) {
    const size_t before = self->paint.count, after = self->corners.count / 3;
    if (!paint) return true;

    if (!st_list_set_count(&self->paint, after, 1)) return false;
    for (size_t i = before; i < after; i++) self->paint.data[i] = paint[face];
    return true;
}

static bool make_drawn(visual_model *self) {
    static const int first[3] = {0, 1, 2}, second[3] = {0, 2, 3};
    uint32_t *paint = make_paint(self);
    bool ok = true;

    // triangles, quads as two each
    self->corners.count = self->lines.count = self->paint.count = 0;
    self->drawn_vertices.count = self->sides.count = 0;
    for (size_t i = 0; ok && i < self->triangles.count; i++)
        ok = add_triangle(self, self->triangles.data + 3 * i, first, 7) && paint_face(self, paint, i);

    for (size_t i = 0; ok && i < self->quads.count; i++)
        ok = add_triangle(self, self->quads.data + 4 * i, first, 3) &&
             add_triangle(self, self->quads.data + 4 * i, second, 6) &&
             paint_face(self, paint, self->triangles.count + i);

    // edges only where there are no faces
    for (size_t i = 0; ok && self->corners.count == 0 && i < self->edges.count; i++)
        ok = add_drawn(self, &self->lines, self->edges.data + 2 * i, first, 2);

    st_free(paint);
    return ok;
}

static bool make_normals(visual_model *self) {
    const st_uints drawn = {self->corners.data, self->corners.count / 3, self->corners.capacity}, none = {0};
    st_reals *normals = &self->state.deriv[ST_DERIV_NORMAL];
    return normals->count == visual_model_positions(self)->count ||
           st_mesh_normals(normals, visual_model_positions(self), &drawn, &none);
}

static bool make_rest(visual_model *self) {
    st_reals *rest = &self->state.coord[ST_COORD_REST];
    if (!self->init_rest_positions || rest->count) return true;

    if (!copy_list(rest, visual_model_positions(self))) return false;
    st_touch(&self->state.object, rest);
    return true;
}

static st_status visual_model_init(st_object *object) {
    visual_model *self = (visual_model *)object;
    st_status status = find_mesh(self);
    if (status == ST_OK) visual_model_transform(self);

    self->state.size = visual_model_positions(self)->count;
    if (status == ST_OK && !(make_rest(self) && make_drawn(self) && make_normals(self))) status = ST_OUT_OF_MEMORY;

    st_touch(object, visual_model_positions(self));
    return status == ST_OUT_OF_MEMORY ? st_invalid(object, "there is not enough memory for its mesh") : status;
}

// ---------------------------------------------------------------------------------------------------
// Changes
// ---------------------------------------------------------------------------------------------------

// Faces whose points are all there follow them; the others go.
static void renumber_faces(st_uints *list, size_t width, const st_edits *edits) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        bool stays = true;
        for (size_t k = 0; k < width; k++) {
            const uint32_t number = st_edits_number(edits, ST_POINT, list->data[i * width + k]);
            list->data[kept * width + k] = number;
            stays = stays && number != ST_INVALID_INDEX;
        }
        kept += stays;
    }
    list->count = kept;
}

// Its points are those of the mesh one by one when it has the same number of them, by an IdentityMapping or in the node of
// the mesh. With seams the table of vertices names them.
static void visual_model_edited(st_object *object, const st_edits *edits) {
    visual_model *self = (visual_model *)object;
    if (!st_edits_move_points(edits, &self->state) || self->state.size != st_topology_points(edits->topology)) return;

    for (size_t i = 0; i < self->vert_pos_idx.count; i++)
        self->vert_pos_idx.data[i] = st_edits_number(edits, ST_POINT, self->vert_pos_idx.data[i]);
    if (self->vert_pos_idx.count) return;
    renumber_faces(&self->edges, 2, edits);
    renumber_faces(&self->triangles, 3, edits);
    renumber_faces(&self->quads, 4, edits);
}

static st_status visual_model_resize(st_state *state, size_t count) {
    if (!st_list_set_count(&state->coord[ST_COORD_POSITION], count, 3) ||
        !st_list_set_count(&state->coord[ST_COORD_REST], count, 3) ||
        !st_list_set_count(&state->deriv[ST_DERIV_NORMAL], count, 3))
        return ST_OUT_OF_MEMORY;

    state->size = count;
    return make_drawn((visual_model *)state) ? ST_OK : ST_OUT_OF_MEMORY;
}

static void visual_model_destroy(st_object *object) {
    visual_model *self = (visual_model *)object;
    st_list_free(&self->corners);
    st_list_free(&self->lines);
    st_list_free(&self->paint);
    st_list_free(&self->drawn_vertices);
    st_list_free(&self->sides);
    st_state_class.destroy(object);
}

// ---------------------------------------------------------------------------------------------------
// Drawing
// ---------------------------------------------------------------------------------------------------

static st_rgba rgba_of(const st_real c[4]) { return (st_rgba){(float)c[0], (float)c[1], (float)c[2], (float)c[3]}; }

static st_rgba color_of(const visual_model *self) {
    st_real rgba[4];
    if (st_is_set(&self->state.object, self->color) || !st_material_color(self->material, "Diffuse", rgba))
        return rgba_of(self->color);
    return rgba_of(rgba);
}

// Texture coordinates of the corners of triangles [first, last): those of their vertices, scaled and moved.
static const float *texcoords_of(const visual_model *self, st_drawing *d, size_t first, size_t last) {
    const size_t vertices = self->texcoords.count;
    float *uv = vertices ? st_drawing_alloc(d, 6 * (last - first), sizeof *uv) : NULL;
    for (size_t i = 0; uv && i < 3 * (last - first); i++) {
        const size_t v = self->drawn_vertices.data[3 * first + i];
        for (size_t k = 0; k < 2 && v < vertices; k++)
            uv[2 * i + k] =
                (float)(self->texcoords.data[2 * v + k] * self->texture_scale[k] + self->texture_translation[k]);
    }
    return uv;
}

// Triangles [first, last) of one color. Points are not copied: they live as long as the model.
static void draw_run(const visual_model *self, st_canvas *canvas, size_t first, size_t last, st_rgba color,
                     const char *texture) {
    const st_reals *x = &self->state.coord[ST_COORD_POSITION];
    st_drawing *d = st_drawing_of_canvas(canvas);
    if (!d) {
        canvas->triangles(canvas, last - first, self->corners.data + 3 * first, x->data, x->count, 3, color);
        return;
    }

    // with what only a drawing can hold: texture, sides of faces
    const bool textured = texture && *texture && self->texcoords.count;
    const float *uv = textured ? texcoords_of(self, d, first, last) : NULL;
    st_draw_item *item = st_drawing_add(d, ST_DRAW_TRIANGLES, color);
    if (!item) return;
    item->positions = x->data, item->point_count = x->count;
    item->indices = self->corners.data + 3 * first, item->element_count = last - first;
    item->sides = self->sides.data + first;
    if (uv) item->texcoords = uv, item->texture = texture;
}

// Runs of triangles of one material each.
static void draw_painted(const visual_model *self, st_canvas *canvas) {
    for (size_t i = 0, next; i < self->paint.count; i = next) {
        const uint32_t material = self->paint.data[i];
        for (next = i + 1; next < self->paint.count && self->paint.data[next] == material; next++) {}

        st_real rgba[4];
        const bool known =
            material < self->materials.count && st_material_color(self->materials.data[material], "Diffuse", rgba);
        draw_run(self, canvas, i, next, rgba_of(known ? rgba : self->color), self->texture_name);
    }
}

static void visual_model_draw(st_object *object, st_canvas *canvas) {
    visual_model *self = (visual_model *)object;
    const st_reals *x = visual_model_positions(self);
    if (!self->enabled || x->count < self->state.size) return;

    const st_rgba color = color_of(self);
    if (self->paint.count) draw_painted(self, canvas);
    else if (self->corners.count) draw_run(self, canvas, 0, self->corners.count / 3, color, self->texture_name);

    if (self->lines.count) canvas->lines(canvas, self->lines.count / 2, self->lines.data, x->data, x->count, 3, color);
}

// ---------------------------------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------------------------------

static const st_state_ops ops = {.resize = visual_model_resize};

const st_class st_visual_model_class = {
    .name = "VisualModelImpl",
    .help = "a surface to be drawn, moved by a mapping",
    .parent = &st_state_class,
    .aliases = "VisualModel",
    .fields = fields,
    .size = sizeof(visual_model),
    .example = "<VisualModelImpl position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\" color=\"orange\"/>",
    .construct = visual_model_construct,
    .parse = visual_model_parse,
    .init = visual_model_init,
    .edited = visual_model_edited,
    .draw = visual_model_draw,
    .destroy = visual_model_destroy,
    .state = &ops,
};

const st_class st_ogl_model_class = {
    .name = "OglModel",
    .help = "a surface to be drawn, moved by a mapping",
    .parent = &st_visual_model_class,
    .fields = ogl_fields,
    .size = sizeof(visual_model),
    .example = "<OglModel position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\" color=\"orange\"/>",
};
