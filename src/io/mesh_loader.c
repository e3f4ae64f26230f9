// The base of mesh loaders.
//
// After reading, in this order:
//
//     1. transform every point, x' = T R S x
//     2. split quads, on request
//     3. make the faces and edges that the file lacks, on request
//     4. drop the points that no element uses, on request
//     5. make the normals that the file lacks
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_loader.h"

#include <string.h>

#include "base/array.h"
#include "math/quat.h"
#include "scene/compat.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Fields
// ---------------------------------------------------------------------------------------------------

#define SETTING(member, name, type, value, help)                                                                       \
    ST_FIELD(st_mesh_loader, member, name, type, value, help, .flags = ST_FIELD_FIXED | ST_FIELD_NO_SRC)
#define OUTPUT(member, name, type, help, ...)                                                                          \
    ST_FIELD(st_mesh_loader, member, name, type, NULL, help, .flags = ST_FIELD_OUTPUT, ##__VA_ARGS__)
#define GROUPS(kind, name) OUTPUT(groups[kind], name, st_type_map, "runs of elements: name, material, first, count")

static const st_field fields[] = {
    ST_FIELD(st_mesh_loader, filename, "filename", st_type_file, NULL, "the file to read",
             .flags = ST_FIELD_FIXED | ST_FIELD_REQUIRED | ST_FIELD_NO_SRC),
    SETTING(translation, "translation", st_type_vec3, "0 0 0", "translation of the points, after the rotation"),
    SETTING(rotation, "rotation", st_type_vec3, "0 0 0", "rotation of the points in degrees: about x, then y, then z"),
    SETTING(scale3d, "scale3d", st_type_vec3, "1 1 1", "scale of the points, before the rotation"),
    ST_FIELD(st_mesh_loader, scale, "scale", st_type_float, "1", "factor of scale3d, read in single precision",
             .flags = ST_FIELD_SHORTHAND),
    SETTING(transformation, "transformation", st_type_mat4, "1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1",
            "when not the identity, replaces translation, rotation and scale3d"),
    SETTING(flip_normals, "flipNormals", st_type_bool, "0", "turn triangles and quads over as they are read"),
    SETTING(triangulate, "triangulate", st_type_bool, "0", "split quads into triangles"),
    SETTING(create_subelements, "createSubelements", st_type_bool, "0", "make the faces and edges that the file lacks"),
    SETTING(only_attached_points, "onlyAttachedPoints", st_type_bool, "0", "drop points that no element uses"),
    OUTPUT(position, "position", st_type_vec3s, "points"),
    OUTPUT(polylines, "polylines", st_type_map, "lines of several points"),
    OUTPUT(elements[ST_EDGE], "edges", st_type_edges, "edges"),
    OUTPUT(elements[ST_TRIANGLE], "triangles", st_type_triangles, "triangles"),
    OUTPUT(elements[ST_QUAD], "quads", st_type_quads, "quads"),
    OUTPUT(polygons, "polygons", st_type_map, "faces of more corners"),
    OUTPUT(elements[ST_TETRAHEDRON], "tetrahedra", st_type_tetrahedra, "tetrahedra", .aliases = "tetras"),
    OUTPUT(elements[ST_HEXAHEDRON], "hexahedra", st_type_hexahedra, "hexahedra", .aliases = "hexas"),
    OUTPUT(elements[ST_PRISM], "prisms", st_type_prisms, "prisms", .aliases = "pentas pentahedra"),
    OUTPUT(elements[ST_PYRAMID], "pyramids", st_type_pyramids, "pyramids"),
    OUTPUT(normals, "normals", st_type_vec3s, "a normal for each point"),
    OUTPUT(high_order[0], "highOrderEdgePositions", st_type_quads, "points inside of edges: point, edge, weights"),
    OUTPUT(high_order[1], "highOrderTrianglePositions", st_type_quads, "points inside of triangles"),
    OUTPUT(high_order[2], "highOrderQuadPositions", st_type_quads, "points inside of quads"),
    OUTPUT(high_order[3], "highOrderTetrahedronPositions", st_type_quads, "points inside of tetrahedra"),
    OUTPUT(high_order[4], "highOrderHexahedronPositions", st_type_quads, "points inside of hexahedra"),
    GROUPS(ST_EDGE, "edgesGroups"),
    GROUPS(ST_TRIANGLE, "trianglesGroups"),
    GROUPS(ST_QUAD, "quadsGroups"),
    GROUPS(ST_MESH_POLYGONS, "polygonsGroups"),
    GROUPS(ST_TETRAHEDRON, "tetrahedraGroups"),
    GROUPS(ST_HEXAHEDRON, "hexahedraGroups"),
    OUTPUT(groups[ST_PRISM], "prismsGroups", st_type_map, "runs of elements: name, material, first, count",
           .aliases = "pentahedraGroups"),
    GROUPS(ST_PYRAMID, "pyramidsGroups"),
    ST_FIELDS_END,
};

static void each_output(st_mesh_loader *loader, void (*action)(st_mesh_loader *, const st_field *, void *)) {
    const st_class *type = loader->object.type;
    for (size_t i = 0; i < st_resolved(type)->field_count; i++)
        if (st_resolved(type)->fields[i]->flags & ST_FIELD_OUTPUT)
            action(loader, st_resolved(type)->fields[i], (char *)loader + st_resolved(type)->fields[i]->offset);
}

static void empty_output(st_mesh_loader *loader, const st_field *field, void *member) {
    (void)loader;
    if (!field->type->list) return;
    if (field->type->scalar == ST_SCALAR_STRING) st_strings_free(member);
    else ((st_any_list *)member)->count = 0;
}

static void touch_output(st_mesh_loader *loader, const st_field *field, void *member) {
    (void)field;
    st_touch(&loader->object, member);
}

// ---------------------------------------------------------------------------------------------------
// Transformation
// ---------------------------------------------------------------------------------------------------

void st_mesh_transformation(st_real m[12], const st_real scale[3], const st_real degrees[3],
                            const st_real translation[3]) {
    st_real angles[3], q[4], r[9];
    for (int i = 0; i < 3; i++) angles[i] = degrees[i] * ST_PI / 180;

    st_quat_from_euler(q, angles);
    st_quat_to_matrix(r, q);

    // R diag(scale) | translation
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) m[4 * i + j] = r[3 * i + j] * scale[j];
        m[4 * i + 3] = translation[i];
    }
}

void st_mesh_transform(const st_real m[12], st_real *points, size_t count) {
    static const st_real identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    bool same = true;
    for (int i = 0; i < 12; i++) same = same && m[i] == identity[i];

    // the identity leaves every bit
    for (size_t i = 0; !same && i < count; i++) {
        st_real *x = points + 3 * i;
        const st_real p[3] = {x[0], x[1], x[2]};
        for (int k = 0; k < 3; k++) x[k] = st_vec3_dot(m + 4 * k, p) + m[4 * k + 3];
    }
}

// S⁻¹ Rᵀ | −S⁻¹ Rᵀ t; there is none for a scale of 0.
static bool transformation_back(st_real m[12], const st_mesh_loader *loader) {
    static const st_real one[3] = {1, 1, 1}, nowhere[3] = {0};
    st_real there[12], t[3];
    st_mesh_transformation(there, one, loader->rotation, nowhere);
    st_vec3_scale(t, loader->translation, -1);

    for (int i = 0; i < 3; i++) {
        if (!(fabs(loader->scale3d[i]) > 0)) return false;
        for (int j = 0; j < 3; j++) m[4 * i + j] = there[4 * j + i] / loader->scale3d[i];
        m[4 * i + 3] = st_vec3_dot(m + 4 * i, t);
    }
    return true;
}

static void mesh_loader_transform(st_mesh_loader *loader) {
    st_real m[12];
    bool given = false;
    for (int i = 0; i < 16; i++) given = given || loader->transformation[i] != (i % 5 == 0 ? 1 : 0);

    // a matrix that is given replaces translation, rotation and scale
    if (given) memcpy(m, loader->transformation, sizeof m);
    else st_mesh_transformation(m, loader->scale3d, loader->rotation, loader->translation);

    st_mesh_transform(m, loader->position.data, loader->position.count);

    // back and there again: the last bits decide which element carries a point that is on a face
    st_real back[12];
    if (given || !st_compat_on(loader->object.scene, ST_COMPAT_MESH_TRANSFORM)) return;
    if (!transformation_back(back, loader)) return;
    st_mesh_transform(back, loader->position.data, loader->position.count);
    st_mesh_transform(m, loader->position.data, loader->position.count);
}

static bool is_finite(const st_mesh_loader *loader) {
    for (size_t i = 0; i < 3 * loader->position.count; i++)
        if (!isfinite(loader->position.data[i])) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------------------------------

static void take_short_hand(st_mesh_loader *loader) {
    if (!st_is_set(&loader->object, &loader->scale)) return;

    for (int i = 0; i < 3; i++) loader->scale3d[i] *= loader->scale;

    // the shorthand is used up: it must not count again when the file is read again
    st_touch(&loader->object, loader->scale3d);
    st_unset(&loader->object, &loader->scale);
}

static void mesh_loader_start(st_mesh_loader *loader) {
    loader->kept.count = 0;

    st_pull(&loader->object);
    take_short_hand(loader);
    each_output(loader, empty_output);
}

void st_mesh_loader_begin_without_file(st_mesh_loader *loader) {
    mesh_loader_start(loader);
    st_touch(&loader->object, &loader->filename); // it is not missing: there is none
}

bool st_mesh_loader_begin(st_mesh_loader *loader, st_mesh_file *file) {
    mesh_loader_start(loader);
    return st_mesh_file_open(file, &loader->object, loader->filename);
}

static bool drop_points(st_mesh_loader *loader) {
    st_uints *kept = &loader->kept;
    const size_t old = loader->position.count;

    if (!st_mesh_keep_attached(&loader->position, loader->elements, kept)) return false;

    // the points that the file had normals for keep them
    if (kept->count == old) kept->count = 0;
    else if (loader->normals.count == old) st_mesh_keep_reals(&loader->normals, 3, kept);
    return true;
}

static bool mesh_loader_finish(st_mesh_loader *loader) {
    const char *name = loader->filename ? loader->filename : "mesh";

    // 1. the transformation, which may overflow
    mesh_loader_transform(loader);
    if (!is_finite(loader)) {
        st_message(&loader->object, ST_ERROR, "%s: a point is not finite after the transformation", name);
        return false;
    }

    // 2. to 4. elements and points
    bool ok = true;
    if (loader->triangulate) ok = st_mesh_triangulate(loader->elements);
    if (ok && loader->create_subelements) ok = st_mesh_create_subelements(loader->elements);
    if (ok && loader->only_attached_points) ok = drop_points(loader);

    // 5. normals that the file lacks
    if (ok && loader->normals.count != loader->position.count)
        ok = st_mesh_normals(&loader->normals, &loader->position, &loader->elements[ST_TRIANGLE],
                             &loader->elements[ST_QUAD]);

    if (!ok) st_message(&loader->object, ST_ERROR, "%s: there is not enough memory for the mesh", name);
    return ok;
}

st_status st_mesh_loader_end(st_mesh_loader *loader, st_mesh_file *file, bool ok) {
    st_mesh_file_close(file);
    ok = ok && mesh_loader_finish(loader);

    // half a mesh is worse than none
    if (!ok) each_output(loader, empty_output);

    each_output(loader, touch_output);
    return ok ? ST_OK : ST_INVALID;
}

static void mesh_loader_destroy(st_object *object) { st_list_free(&((st_mesh_loader *)object)->kept); }

// ---------------------------------------------------------------------------------------------------
// From a mesh
// ---------------------------------------------------------------------------------------------------

#define MOVE(to, from)                                                                                                 \
    do {                                                                                                               \
        st_list_free(to);                                                                                              \
        *(to) = *(from);                                                                                               \
        (from)->data = NULL;                                                                                           \
        (from)->count = (from)->capacity = 0;                                                                          \
    } while (0)

static void move_lists(st_mesh_loader *loader, st_mesh *mesh) {
    MOVE(&loader->position, &mesh->position);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) MOVE(&loader->elements[kind], &mesh->elements[kind]);
    MOVE(&loader->high_order[0], &mesh->edge_points);

    st_strings_free(&loader->polylines);
    MOVE(&loader->polylines, &mesh->polylines);

    for (int kind = 0; kind < ST_MESH_GROUP_KINDS; kind++) {
        st_strings_free(&loader->groups[kind]);
        MOVE(&loader->groups[kind], &mesh->groups[kind]);
    }
}

// The place of a number in an increasing list, or ST_INVALID_INDEX.
static uint32_t mesh_loader_find(const st_uints *list, uint32_t value) {
    size_t low = 0, high = list->count;
    while (low < high) {
        // binary search
        const size_t middle = low + (high - low) / 2;
        if (list->data[middle] < value) low = middle + 1;
        else high = middle;
    }

    return low < list->count && list->data[low] == value ? (uint32_t)low : ST_INVALID_INDEX;
}

// onlyAttachedPoints may have dropped points in the middle of edges, and renumbered the others.
static void keep_edge_points(st_mesh_loader *loader) {
    st_uints *records = &loader->high_order[0];
    size_t count = 0;

    if (loader->kept.count == 0) return;
    for (size_t i = 0; i < records->count; i++) {
        const uint32_t point = mesh_loader_find(&loader->kept, records->data[4 * i]);
        if (point == ST_INVALID_INDEX) continue;
        memmove(records->data + 4 * count, records->data + 4 * i, 4 * sizeof *records->data);
        records->data[4 * count++] = point;
    }

    records->count = count;
}

st_status st_mesh_loader_take(st_mesh *mesh, st_mesh_loader *loader, st_mesh_file *file, bool ok) {
    // the lists change hands, nothing is copied
    if (ok) move_lists(loader, mesh);
    st_mesh_free(mesh);

    const st_status status = st_mesh_loader_end(loader, file, ok);
    if (status == ST_OK) keep_edge_points(loader);
    return status;
}

const st_class st_mesh_loader_class = {
    .name = "MeshLoader",
    .help = "what every mesh loader has",
    .kind = "loader",
    .parent = &st_object_class,
    .fields = fields,
    .size = sizeof(st_mesh_loader),
    .flags = ST_CLASS_ABSTRACT,
    .destroy = mesh_loader_destroy,
};
