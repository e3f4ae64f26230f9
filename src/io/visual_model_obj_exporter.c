// VisualModelOBJExporter: all visual models below its node in one OBJ file, with their colors in an MTL file beside it.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "io/exporter.h"
#include "io/mesh_write.h"
#include "io/mtl_file.h"
#include "scene/scene.h"
#include "settee/plugin/state.h"

typedef struct obj_exporter {
    st_exporter exporter;
} obj_exporter;

static const st_field fields[] = {ST_FIELDS_END};

typedef struct writing {
    FILE *obj, *mtl;
    size_t number;
    size_t base; // vertices written so far
} writing;

// A list of elements by the name of its field; NULL: it has none.
static const st_uints *list_of(const st_object *object, const char *name) {
    const int index = st_field_index(object, name);
    if (index < 0 || st_fields(object)[index]->type->scalar != ST_SCALAR_UINT) return NULL;
    return st_member(object, st_fields(object)[index]);
}

static void put_word(FILE *out, const char *text) {
    for (const char *c = text; *c; c++) fputc((unsigned char)*c <= ' ' ? '_' : *c, out);
}

// The color that is drawn: the diffuse one of its material where no color is given.
static void find_color(st_object *model, st_real color[4]) {
    size_t count = 0, width = 0;
    const st_real *own = st_field_reals(model, "color", &count, &width);
    const int index = st_field_index(model, "material");

    // its own color, white by default
    for (int i = 0; i < 4; i++) color[i] = own && count * width >= 4 ? own[i] : 1;
    if (index < 0 || st_fields(model)[index]->type != &st_type_string || (own && st_is_set(model, own))) return;

    st_material_color(*(char *const *)st_member(model, st_fields(model)[index]), "Diffuse", color);
}

static void put_material(writing *w, st_object *model) {
    st_real color[4];
    find_color(model, color);

    // the material, in its file
    fprintf(w->mtl, "newmtl %zu_", w->number);
    put_word(w->mtl, model->name);
    fprintf(w->mtl, "\nKd ");
    st_mesh_put_point(w->mtl, color);
    char alpha[40];
    st_text_write_real(alpha, sizeof alpha, color[3], 6);
    fprintf(w->mtl, "\nd %s\n\n", alpha);

    // the faces that follow use it
    fprintf(w->obj, "usemtl %zu_", w->number);
    put_word(w->obj, model->name);
    fputc('\n', w->obj);
}

static bool faces_are_sound(const st_uints *list, size_t size, const st_uints *points, size_t count) {
    for (size_t i = 0; i < list->count * size; i++) {
        const uint32_t vertex = list->data[i];
        if (points->count ? vertex >= points->count || points->data[vertex] >= count : vertex >= count) return false;
    }
    return true;
}

// With seams the elements name vertices, and `points` has the point of each vertex.
static void put_faces(writing *w, const st_uints *list, size_t size, const st_uints *points) {
    for (size_t i = 0; i < list->count; i++) {
        fputc('f', w->obj);
        for (size_t k = 0; k < size; k++) {
            const uint32_t vertex = list->data[i * size + k];
            fprintf(w->obj, " %zu", w->base + 1 + (points->count ? points->data[vertex] : vertex));
        }
        fputc('\n', w->obj);
    }
}

static void put_model(writing *w, st_object *model) {
    static const st_uints none = {0};
    const st_state *state = (const st_state *)model;
    const st_reals *x = &state->coord[ST_COORD_POSITION];
    const st_uints *triangles = list_of(model, "triangles"), *quads = list_of(model, "quads");
    const st_uints *points = list_of(model, "vertPosIdx");

    if (!triangles) triangles = &none;
    if (!quads) quads = &none;
    if (!points) points = &none;

    if (!faces_are_sound(triangles, 3, points, x->count) || !faces_are_sound(quads, 4, points, x->count)) {
        st_message(model, ST_WARNING, "its faces name points that it does not have: it is not written");
        return;
    }

    // a group with its material, points and faces
    fprintf(w->obj, "g %zu_", w->number);
    put_word(w->obj, model->name);
    fputc('\n', w->obj);
    put_material(w, model);

    for (size_t i = 0; i < x->count; i++) {
        fputs("v ", w->obj);
        st_mesh_put_point(w->obj, x->data + 3 * i);
        fputc('\n', w->obj);
    }

    put_faces(w, triangles, 3, points);
    put_faces(w, quads, 4, points);

    // points are numbered through all models
    w->base += x->count;
    w->number++;
}

static bool visual_model_obj_exporter_visit(st_node *node, void *context) {
    for (size_t i = 0; i < node->objects.count; i++) {
        st_object *object = node->objects.data[i];
        if (st_has_role(object, ST_ROLE(state)) && !((st_state *)object)->mechanical && object->dof == &st_vec3 &&
            st_is_valid(object))
            put_model(context, object);
    }
    return true;
}

// Both files are made aside; the OBJ file, which names the other, is put in place last.
static bool write_both(const st_object *object, const char *obj, const char *mtl) {
    st_file obj_file, mtl_file;
    if (!st_output_open(object, &obj_file, obj)) return false;
    if (!st_output_open(object, &mtl_file, mtl)) {
        st_file_abandon(&obj_file);
        return false;
    }

    const char *slash = strrchr(mtl, '/');
    writing w = {.obj = obj_file.stream, .mtl = mtl_file.stream};
    fprintf(w.obj, "mtllib %s\n", slash ? slash + 1 : mtl);

    // all models of this node and those below
    st_visit(object->node, visual_model_obj_exporter_visit, &w);

    if (!st_output_close(object, &mtl_file)) {
        st_file_abandon(&obj_file);
        return false;
    }
    return st_output_close(object, &obj_file);
}

static bool visual_model_obj_exporter_write(st_exporter *exporter) {
    char *base = st_exporter_numbered_base(exporter, ".obj");
    char *obj = base ? st_string_format("%s.obj", base) : NULL, *mtl = base ? st_string_format("%s.mtl", base) : NULL;

    const bool ok = obj && mtl && write_both(&exporter->object, obj, mtl);

    st_free(obj);
    st_free(mtl);
    st_free(base);
    return ok;
}

static st_status visual_model_obj_exporter_init(st_object *object) {
    return st_exporter_init(object, visual_model_obj_exporter_write);
}

const st_class st_visual_model_obj_exporter_class = {
    .name = "VisualModelOBJExporter",
    .help = "writes all visual models below its node into one OBJ file",
    .parent = &st_exporter_class,
    .fields = fields,
    .size = sizeof(obj_exporter),
    .example = "<OglModel position=\"0 0 0  1 0 0  0 1 0\" triangles=\"0 1 2\"/>\n"
               "<VisualModelOBJExporter filename=\"models\" exportEveryNumberOfSteps=\"10\"/>",
    .init = visual_model_obj_exporter_init,
};
