// Materials: libraries beside OBJ files, and the color in which a visual model is drawn.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

#include "io/mtl_file.h"
#include "settee/plugin/draw.h"

static const char library[] = "# two of them\nnewmtl skin\nKd 1 0.5 0.25\nKa 0.1 0.2 0.3\nNs 20\nillum 2\nd 0.5\n"
                              "newmtl bone\nKs 1 1\nKe 0 0 1\nTr 0.25\n";
static const char surface[] =
    "mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    "usemtl skin\nf 1 2 3\nusemtl bone\nf 1 2 4\nusemtl skin\nf 1 3 4\nusemtl unknown\nf 2 3 4\n";

static void files(bool there) {
    loader_file("paint.mtl", library, sizeof library - 1);
    loader_file("paint.obj", surface, sizeof surface - 1);
    if (there) return;
    remove(loader_file("paint.mtl", "", 0));
    remove(loader_file("paint.obj", "", 0));
}

static void libraries_are_read(void **state) {
    (void)state;
    st_materials m = {0};
    st_mesh_file file = st_mesh_file_of_text(library, sizeof library - 1);
    assert_true(st_mtl_read(&m, &file));
    assert_int_equal(m.list.count, 2);
    assert_int_equal(file.problems, 1); // Ks has two numbers
    const st_material *skin = st_materials_find(&m, "skin"), *bone = st_materials_find(&m, "bone");
    assert_reals(skin->color[ST_MATERIAL_DIFFUSE], 4, (st_real[]){1, 0.5, 0.25, 0.5}, 0);
    assert_true(skin->has[ST_MATERIAL_AMBIENT] && !skin->has[ST_MATERIAL_SPECULAR] && skin->shininess == 20);
    assert_true(bone->has[ST_MATERIAL_EMISSIVE] && !bone->has[ST_MATERIAL_SPECULAR] && !bone->has_shininess);
    assert_reals(bone->color[ST_MATERIAL_EMISSIVE], 4, (st_real[]){0, 0, 1, 0.75}, 0);
    assert_null(st_materials_find(&m, "hair"));
    char *text = st_material_text(skin);
    st_real color[4];
    assert_true(st_material_color(text, "Diffuse", color));
    assert_reals(color, 4, (st_real[]){1, 0.5, 0.25, 0.5}, 0);
    assert_false(st_material_color(text, "Specular", color));
    assert_true(st_material_color(" myDiffuse Diffuse 1 0.5 0 0 1", "Diffuse", color)); // not the name
    assert_near(color[0], 0.5, 0);
    assert_false(st_material_color("Diffuse", "Diffuse", color));
    st_string_free(text);
    st_materials_free(&m);
}

static void loaders_list_materials(void **state) {
    (void)state;
    files(true);
    physics_scene *test = loader_load("MeshOBJLoader", loader_file("paint.obj", surface, sizeof surface - 1), "");
    assert_field(test, "/loader", "material",
                 "skin Diffuse 1 1 0.5 0.25 0.5 Ambient 1 0.1 0.2 0.3 0.5 Specular 0 1 1 1 0.5 Emissive 0 0 0 0 0.5 "
                 "Shininess 1 20");
    char *all = st_object_get(physics_find(test, "/loader"), "materials", 6);
    assert_non_null(strstr(all, "bone Diffuse 0"));
    assert_non_null(strstr(all, "unknown"));
    st_string_free(all);
    physics_free(test);
    test = loader_load("MeshOBJLoader", loader_file("paint.obj", surface, sizeof surface - 1), "loadMaterial='0'");
    assert_field(test, "/loader", "material", "skin");
    physics_free(test);
    files(false);
}

typedef struct probe {
    st_canvas canvas;
    st_rgba color; // of the first triangles
    size_t runs, triangles;
} probe;

static void see(st_canvas *canvas, size_t count, const uint32_t *corners, const st_real *x, size_t points, int stride,
                st_rgba color) {
    (void)corners, (void)x, (void)points, (void)stride;
    probe *p = (probe *)canvas;
    if (p->runs++ == 0) p->color = color;
    p->triangles += count;
}

static void assert_color(const char *xml, size_t runs, float r, float g, float b) {
    physics_scene *test = physics_load(xml);
    probe p = {.canvas = {.triangles = see}};
    st_object *model = physics_find(test, "/model");
    model->type->draw(model, &p.canvas);
    assert_true(p.color.r == r && p.color.g == g && p.color.b == b);
    assert_int_equal(p.runs, runs);
    assert_int_equal(p.triangles, 4);
    physics_free(test);
}

static void models_have_colors(void **state) {
    (void)state;
    char text[1024], path[512];
    files(true);
    snprintf(path, sizeof path, "%s", loader_file("paint.obj", surface, sizeof surface - 1));
    snprintf(text, sizeof text, "<MeshOBJLoader name='l' filename='%s'/><OglModel name='model' src='@l'/>", path);
    assert_color(text, 4, 1, 0.5f, 0.25f);
    snprintf(text, sizeof text,
             "<MeshOBJLoader name='l' filename='%s'/><OglModel name='model' src='@l' color='0 0 1'/>", path);
    assert_color(text, 1, 0, 0, 1);
    snprintf(text, sizeof text,
             "<MeshOBJLoader name='l' filename='%s'/><OglModel name='model' src='@l' material='m Diffuse 1 0 1 0 1'/>",
             path);
    assert_color(text, 1, 0, 1, 0);
    snprintf(text, sizeof text, "<OglModel name='model' filename='%s'/>", path);
    assert_color(text, 1, 1, 0.5f, 0.25f);
    snprintf(text, sizeof text, "<OglModel name='model' filename='%s' material='m Diffuse 1 0 1 0 1'/>", path);
    assert_color(text, 1, 0, 1, 0);
    files(false);
}

// A library is looked for beside the mesh and nowhere else.
static void names_that_lead_away(void **state) {
    (void)state;
    static const char away[] = "mtllib ../paint.mtl /etc/passwd . nowhere.mtl\nv 0 0 0\nusemtl skin\nf 1 1 1\n";
    physics_scene *test = loader_load("MeshOBJLoader", loader_file("away.obj", away, sizeof away - 1), "");
    assert_int_equal(test->count[ST_WARNING] + test->count[ST_ERROR], 0);
    assert_field(test, "/loader", "material", "skin");
    physics_free(test);
    remove(loader_file("away.obj", "", 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_are_read),
        cmocka_unit_test(loaders_list_materials),
        cmocka_unit_test(models_have_colors),
        cmocka_unit_test(names_that_lead_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
