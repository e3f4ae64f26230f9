// MeshOBJLoader: a surface from a Wavefront OBJ file.
//
// Without seams the points are those of the file; each gets the normalized sum of the normals with which faces use it,
// and the texture coordinates of the first face that uses it. With handleSeams a point becomes one vertex for each
// distinct (texture coordinate, normal) with which faces use it, and points that no face uses disappear.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "io/mesh_loader.h"
#include "io/mtl_file.h"
#include "math/vec3.h"
#include "topology/file/obj_file.h"

typedef struct mesh_obj_loader {
    st_mesh_loader mesh;
    bool handle_seams, load_material, compute_material_faces;
    // Outputs
    st_strings materials;                                                    // as texts
    char *material;                                                          // the first of them
    st_reals texcoords;                                                      // Vec2
    st_ints face_list, texcoords_index, normals_index;                       // corners of all faces, -1 after each face
    st_reals positions_definition, texcoords_definition, normals_definition; // as in the file
    st_uints vert_pos_idx, vert_norm_idx;
} mesh_obj_loader;

#define SETTING(member, name, type, value, help, flag)                                                                 \
    ST_FIELD(mesh_obj_loader, member, name, type, value, help, .flags = flag)
#define OUTPUT(member, name, type, help)                                                                               \
    ST_FIELD(mesh_obj_loader, member, name, type, NULL, help, .flags = ST_FIELD_OUTPUT)

static const st_field fields[] = {
    SETTING(handle_seams, "handleSeams", st_type_bool, "0",
            "make one vertex for each texture coordinate and normal of a point", ST_FIELD_NO_SRC),
    SETTING(load_material, "loadMaterial", st_type_bool, "1",
            "read the material libraries beside the file; they only change what is drawn", ST_FIELD_NO_SRC),
    SETTING(compute_material_faces, "computeMaterialFaces", st_type_bool, "0",
            "nothing is made of the faces of each material", ST_FIELD_NO_EFFECT | ST_FIELD_NO_SRC),
    OUTPUT(texcoords, "texcoords", st_type_vec2s, "texture coordinates of the points"),
    OUTPUT(face_list, "faceList", st_type_ints, "points of each face, -1 after each"),
    OUTPUT(texcoords_index, "texcoordsIndex", st_type_ints,
           "texture coordinates of each face, -1 for none and after each"),
    OUTPUT(normals_index, "normalsIndex", st_type_ints, "normals of each face, -1 for none and after each"),
    OUTPUT(positions_definition, "positionsDefinition", st_type_vec3s, "points as in the file"),
    OUTPUT(texcoords_definition, "texcoordsDefinition", st_type_vec2s, "texture coordinates as in the file"),
    OUTPUT(normals_definition, "normalsDefinition", st_type_vec3s, "normals as in the file"),
    OUTPUT(vert_pos_idx, "vertPosIdx", st_type_indices, "with seams: the point of each vertex"),
    OUTPUT(vert_norm_idx, "vertNormIdx", st_type_indices,
           "with seams: the same number for vertices of one point and normal"),
    OUTPUT(materials, "materials", st_type_map, "the materials that faces use: name Diffuse 1 r g b a Ambient ..."),
    OUTPUT(material, "material", st_type_string, "the first material that a face uses"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------

static bool copy_list(st_reals *to, const st_reals *from, int width) {
    if (!st_list_set_count(to, from->count, width)) return false;
    st_copy_reals(to->data, from->data, from->count * (size_t)width);
    return true;
}

// Normals and texture coordinates where faces name them; without them the base makes normals, and no coordinates exist.
static bool make_point_values(mesh_obj_loader *self, const st_obj *obj) {
    const size_t count = obj->points.count;
    st_reals *normals = &self->mesh.normals, *texcoords = &self->texcoords;
    bool *has = st_alloc(count, sizeof *has);
    bool ok = has && (obj->normals.count == 0 || st_list_set_count(normals, count, 3)) &&
              (obj->texcoords.count == 0 || st_list_set_count(texcoords, count, 2));

    // sums of normals; the texture coordinates of the first face that has some
    for (size_t i = 0; ok && i < obj->faces.count; i++)
        for (uint32_t k = 0; k < obj->faces.data[i].count; k++) {
            const st_obj_corner *corner = &obj->corners.data[obj->faces.data[i].first + k];
            const size_t point = (size_t)corner->point;
            if (corner->normal >= 0) {
                st_real *sum = normals->data + 3 * point;
                st_vec3_add(sum, sum, obj->normals.data + 3 * (size_t)corner->normal);
            }

            if (corner->texcoord < 0 || has[point]) continue;
            st_copy_reals(texcoords->data + 2 * point, obj->texcoords.data + 2 * (size_t)corner->texcoord, 2);
            has[point] = true;
        }

    for (size_t i = 0; ok && i < normals->count; i++) st_vec3_normalize(normals->data + 3 * i, normals->data + 3 * i);

    st_free(has);
    return ok;
}

// The vertices of the split mesh and what they are made of.
static bool make_split_values(mesh_obj_loader *self, const st_obj *obj, const st_obj_split *split) {
    const size_t count = split->vertices.count;
    uint32_t normal_number = 0;
    if (!st_list_set_count(&self->mesh.position, count, 3) || !st_list_set_count(&self->vert_pos_idx, count, 1) ||
        !st_list_set_count(&self->vert_norm_idx, count, 1) ||
        (obj->normals.count && !st_list_set_count(&self->mesh.normals, count, 3)) ||
        (obj->texcoords.count && !st_list_set_count(&self->texcoords, count, 2)))
        return false;

    for (size_t i = 0; i < count; i++) {
        const st_obj_corner *corner = &split->vertices.data[i];
        st_vec3_copy(self->mesh.position.data + 3 * i, obj->points.data + 3 * (size_t)corner->point);
        if (corner->normal >= 0)
            st_vec3_copy(self->mesh.normals.data + 3 * i, obj->normals.data + 3 * (size_t)corner->normal);
        if (corner->texcoord >= 0)
            st_copy_reals(self->texcoords.data + 2 * i, obj->texcoords.data + 2 * (size_t)corner->texcoord, 2);

        // corners are sorted: vertices with the same point and normal follow each other
        if (i && (corner->point != corner[-1].point || corner->normal != corner[-1].normal)) normal_number++;
        self->vert_pos_idx.data[i] = (uint32_t)corner->point;
        self->vert_norm_idx.data[i] = normal_number;
    }

    return true;
}

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

// Notes the run of elements that was added to a list since `first` under the names of a group.
static bool end_group(mesh_obj_loader *self, const st_obj_group *group, st_element kind, size_t first) {
    const size_t count = self->mesh.elements[kind].count - first;
    if (count == 0) return true;

    // "name material first count", as SOFA's groups are printed
    char *line = st_string_format("%s %s %zu %zu", *group->name ? group->name : "default",
                                  *group->material ? group->material : "default", first, count);
    if (line && st_list_push(&self->mesh.groups[kind], line)) return true;
    st_free(line);
    return false;
}

static bool make_elements(mesh_obj_loader *self, const st_obj *obj, const uint32_t *vertex_of) {
    st_uints *elements = self->mesh.elements;
    const st_obj_elements to = {&elements[ST_EDGE], &elements[ST_TRIANGLE], &elements[ST_QUAD], self->mesh.triangulate,
                                self->mesh.flip_normals};
    size_t first[ST_QUAD + 1] = {0};
    bool ok = true;

    // a group ends where the next face has another one
    for (size_t i = 0; ok && i < obj->faces.count; i++) {
        const st_obj_face *face = &obj->faces.data[i];
        ok = st_obj_add_face(&to, face, vertex_of);

        if (i + 1 < obj->faces.count && obj->faces.data[i + 1].group == face->group) continue;
        for (int kind = ST_EDGE; ok && kind <= ST_QUAD; kind++) {
            ok = end_group(self, &obj->groups.data[face->group], (st_element)kind, first[kind]);
            first[kind] = elements[kind].count;
        }
    }

    return ok;
}

// The number of each corner's point, for faces without seams.
static bool number_corners(st_uints *vertex_of, const st_obj *obj) {
    if (!st_list_set_count(vertex_of, obj->corners.count, 1)) return false;
    for (size_t i = 0; i < obj->corners.count; i++) vertex_of->data[i] = (uint32_t)obj->corners.data[i].point;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// What the file held
// ---------------------------------------------------------------------------------------------------

static bool list_faces(mesh_obj_loader *self, const st_obj *obj) {
    bool ok = true;

    // every face, and -1 after it
    for (size_t i = 0; ok && i < obj->faces.count; i++) {
        const st_obj_face *face = &obj->faces.data[i];
        for (uint32_t k = 0; ok && k <= face->count; k++) {
            const bool end = k == face->count;
            const st_obj_corner corner = end ? (st_obj_corner){-1, -1, -1} : obj->corners.data[face->first + k];
            ok = st_list_push(&self->face_list, corner.point) &&
                 st_list_push(&self->texcoords_index, corner.texcoord) &&
                 st_list_push(&self->normals_index, corner.normal);
        }
    }

    return ok && copy_list(&self->positions_definition, &obj->points, 3) &&
           copy_list(&self->normals_definition, &obj->normals, 3) &&
           copy_list(&self->texcoords_definition, &obj->texcoords, 2);
}

// The text of a material, or its name alone when no library describes it.
static bool add_material(mesh_obj_loader *self, const st_materials *known, const char *name) {
    const st_material *material = st_materials_find(known, name);
    char *text = material ? st_material_text(material) : st_string_copy(name);
    if (text && st_list_push(&self->materials, text)) return true;
    st_free(text);
    return false;
}

static bool list_materials(mesh_obj_loader *self, const st_obj *obj) {
    st_materials known = {0};
    st_map listed = {0};
    bool ok = true;

    // what the libraries say
    for (size_t i = 0; ok && self->load_material && i < obj->libraries.count; i++)
        ok = st_mtl_read_beside(&known, &self->mesh.object, self->mesh.filename, obj->libraries.data[i]);

    // each material in the order in which faces use them
    for (size_t i = 0; ok && i < obj->groups.count; i++) {
        const char *name = obj->groups.data[i].material;
        if (*name && !st_map_has(&listed, name))
            ok = st_map_put(&listed, name, NULL) && add_material(self, &known, name);
    }

    if (ok && self->materials.count) {
        st_free(self->material);
        self->material = st_string_copy(self->materials.data[0]);
        ok = self->material != NULL;
    }

    st_materials_free(&known);
    st_map_free(&listed);
    return ok;
}

// ---------------------------------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------------------------------

static bool make_mesh(mesh_obj_loader *self, const st_obj *obj) {
    st_obj_split split = {0};
    bool ok;

    // points, with their normals and texture coordinates
    if (self->handle_seams) {
        ok = st_obj_split_create(&split, obj) && make_split_values(self, obj, &split);
    } else {
        ok = copy_list(&self->mesh.position, &obj->points, 3) && make_point_values(self, obj) &&
             number_corners(&split.of_corner, obj);
    }

    // faces, and what the file held
    ok = ok && make_elements(self, obj, split.of_corner.data) && list_faces(self, obj) && list_materials(self, obj);

    st_obj_split_free(&split);
    return ok;
}

// What onlyAttachedPoints left of the values that only this loader has.
static void drop_values(mesh_obj_loader *self) {
    const st_uints *kept = &self->mesh.kept;
    if (kept->count == 0) return;

    if (self->texcoords.count) st_mesh_keep_reals(&self->texcoords, 2, kept);
    for (size_t i = 0; i < kept->count && self->vert_pos_idx.count; i++) {
        self->vert_pos_idx.data[i] = self->vert_pos_idx.data[kept->data[i]];
        self->vert_norm_idx.data[i] = self->vert_norm_idx.data[kept->data[i]];
    }

    if (self->vert_pos_idx.count) self->vert_pos_idx.count = self->vert_norm_idx.count = kept->count;
}

static st_status mesh_obj_loader_parse(st_object *object) {
    mesh_obj_loader *self = (mesh_obj_loader *)object;
    st_mesh_file file;
    st_obj obj = {0};
    if (!st_mesh_loader_begin(&self->mesh, &file)) return ST_INVALID;

    bool ok = st_obj_read(&obj, &file);
    if (ok && !make_mesh(self, &obj)) {
        st_message(object, ST_ERROR, "%s: there is not enough memory for the mesh", self->mesh.filename);
        ok = false;
    }

    st_obj_free(&obj);
    const st_status status = st_mesh_loader_end(&self->mesh, &file, ok);
    if (status == ST_OK) drop_values(self);
    return status;
}

const st_class st_mesh_obj_loader_class = {
    .name = "MeshOBJLoader",
    .help = "reads a surface from a Wavefront OBJ file: faces of 4 corners are quads, of 2 edges, others a fan of "
            "triangles",
    .parent = &st_mesh_loader_class,
    .fields = fields,
    .size = sizeof(mesh_obj_loader),
    .example = "<MeshOBJLoader name=\"loader\" filename=\"mesh/liver-smooth.obj\" handleSeams=\"1\"/>",
    .parse = mesh_obj_loader_parse,
};
