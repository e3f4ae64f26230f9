// Where a scene moves otherwise than in SOFA: affected scenes are named, others are not, and the page on compatibility
// has every component that is named. What SOFA's core has and settee lacks.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

typedef struct found {
    char text[4096];
    const char *page; // docs/compatibility.md
} found;

// The page may leave the kind of component out.
static bool is_on_page(const char *page, const char *name) {
    static const char *const kinds[] = {"ForceFieldAndMass", "ForceField", "ProjectiveConstraint", "Mapping", ""};
    char stem[128];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(name), kind = strlen(kinds[i]);
        if (length < kind || strcmp(name + length - kind, kinds[i]) != 0) continue;
        snprintf(stem, sizeof stem, "%.*s", (int)(length - kind), name);
        if (strstr(page, stem)) return true;
    }
    return false;
}

static void note(void *user, const st_difference *d) {
    found *f = user;
    const size_t used = strlen(f->text);
    snprintf(f->text + used, sizeof f->text - used, "%s: %s\n", st_object_class_name(d->object), d->what);
    if (!is_on_page(f->page, st_object_class_name(d->object)))
        print_error("%s is not in docs/compatibility.md\n", st_object_class_name(d->object));
    assert_true(is_on_page(f->page, st_object_class_name(d->object)));
}

static char *read_page(void) {
    FILE *file = fopen(SETTEE_SOURCE "/docs/compatibility.md", "rb");
    assert_non_null(file);
    char *page = calloc(1, 1 << 20);
    assert_non_null(page);
    assert_true(fread(page, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return page;
}

#define MATRIX "<EulerImplicitSolver/><SparseLDLSolver/>"
#define PRODUCTS "<EulerImplicitSolver/><CGLinearSolver/>"
#define POINTS "<MechanicalObject name='dofs' position='0 0 0  1 0 0  1 1 0  0 1 0'/><UniformMass/>"
#define FRAMES "<MechanicalObject name='dofs' template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1'/><UniformMass/>"
#define SQUARE "<MeshTopology quads='0 1 2 3'/>" POINTS

static void affected_scenes_are_named(void **state) {
    (void)state;
    static const struct {
        const char *scene, *expected; // NULL: nothing
    } cases[] = {
        {SQUARE MATRIX "<SurfacePressureForceField pressure='1'/>", "SurfacePressureForceField: the derivative leaves"},
        {"<MeshTopology triangles='0 1 2'/>" POINTS MATRIX "<SurfacePressureForceField pressure='1'/>", NULL},
        {FRAMES MATRIX "<FixedTranslationProjectiveConstraint indices='0'/>", "rotations are fixed, too"},
        {FRAMES MATRIX "<FixedTranslationProjectiveConstraint indices='0'/>", "it is missing from the matrix"},
        {FRAMES PRODUCTS "<OscillatorProjectiveConstraint/>", NULL},
        {"<RegularGridTopology n='2 2 2' min='0 0 0' max='1 1 1'/><MechanicalObject/><UniformMass/>" MATRIX
         "<RegularGridSpringForceField/>",
         "RegularGridSpringForceField: the matrix lacks"},
        {"<RegularGridTopology n='2 2 2' min='0 0 0' max='1 1 1'/><MechanicalObject/><UniformMass/>" PRODUCTS
         "<RegularGridSpringForceField/>",
         NULL},
        {POINTS MATRIX "<LinearVelocityProjectiveConstraint keyTimes='1' velocities='1 0 0' continueAfterEnd='1'/>",
         "after a single key"},
        {POINTS MATRIX "<LinearVelocityProjectiveConstraint keyTimes='1' velocities='1 0 0'/>", NULL},
        {POINTS MATRIX
         "<ParabolicProjectiveConstraint indices='0 1' P1='0 0 0' P2='1 1 0' P3='2 0 0' BeginTime='0' EndTime='1'/>",
         "only the first point"},
        {POINTS "<EulerImplicitSolver/><AsyncSparseLDLSolver/>", "here on delay"},
        {POINTS "<EulerImplicitSolver/><SSORPreconditioner template='CompressedRowSparseMatrixMat3x3d' omega='1.5'/>",
         "2 - omega"},
        {POINTS "<EulerImplicitSolver/><SSORPreconditioner omega='1.5'/>", NULL},
        {"<Node name='a'>" POINTS MATRIX "</Node><Node name='b'>" POINTS MATRIX
         "<AttachProjectiveConstraint object1='@../a/dofs' object2='@dofs' indices1='0' indices2='0'/></Node>",
         "AttachProjectiveConstraint: rows of the first state"},
        {"<MeshTopology triangles='0 1 2'/>" POINTS PRODUCTS
         "<CorotationalFEMForceField template='Vec3,Triangle' rotationMethod='triangle'/>",
         "forces at rest"},
        {"<MeshTopology triangles='0 1 2'/>" POINTS PRODUCTS "<CorotationalFEMForceField template='Vec3,Triangle'/>",
         NULL},
        {FRAMES PRODUCTS "<JointSpringForceField spring='BEGIN_SPRING 0 1 REST_T 1 0 0 END_SPRING'/>",
         "rest translations are replaced"},
        {FRAMES PRODUCTS "<JointSpringForceField spring='BEGIN_SPRING 0 1 END_SPRING'/>", NULL},
        {POINTS "<StaticSolver relative_residual_tolerance_threshold='1e-5'/><SparseLDLSolver/>",
         "sets the threshold of the estimate"},
        {POINTS "<StaticSolver/><SparseLDLSolver/>", NULL},
        {SQUARE "<STLExporter filename='a' binaryformat='0' exportAtEnd='1'/>", "binaryformat is inverted"},
        {SQUARE "<STLExporter filename='a' exportAtEnd='1'/>", NULL},
        {SQUARE "<MeshExporter filename='a' exportAtEnd='1'/>", "MeshExporter: files have wrong offsets"},
        {FRAMES MATRIX "<Node name='skin'><MechanicalObject position='1 0 0'/><UniformMass/><RigidMapping/></Node>",
         "Jacobian of the first assembly"},
        {FRAMES PRODUCTS "<Node name='skin'><MechanicalObject position='1 0 0'/><UniformMass/><RigidMapping/></Node>",
         NULL},
    };
    found f = {.page = read_page()};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        physics_scene *test = physics_load(cases[i].scene);
        f.text[0] = 0;
        st_scene_differences(test->scene, note, &f);
        const bool right = cases[i].expected ? strstr(f.text, cases[i].expected) != NULL : f.text[0] == 0;
        if (!right) print_error("%s\ngives: %s", cases[i].scene, f.text);
        assert_true(right);
        physics_free(test);
    }
    free((char *)f.page);
}

// In order, none of them known, and each with its reason on the page.
static void missing_components_have_a_reason(void **state) {
    (void)state;
    char *page = read_page();
    const char *name, *before = "", *suggestion, *explanation;
    for (size_t i = 0; (name = st_describe_missing(i)); i++, before = name) {
        assert_true(strcmp(before, name) < 0);
        assert_null(st_class_by_any_name(name, &suggestion, &explanation));
        if (!strstr(page, name)) print_error("%s has no reason in docs/compatibility.md\n", name);
        assert_non_null(strstr(page, name));
    }
    free(page);
}

// Files are looked for in the folders of AddDataRepository, after it.
static void folders_are_added(void **state) {
    (void)state;
    physics_scene *test = physics_load("<MeshOBJLoader name='before' filename='oloid_of_a_test.obj'/>"
                                       "<AddDataRepository path='" SETTEE_SOURCE "/examples'/>"
                                       "<AddResourceRepository path='/no/such/folder'/>");
    assert_non_null(strstr(test->log, "there is no folder \"/no/such/folder\""));
    assert_int_equal(test->count[ST_ERROR] > 0, 1);
    physics_free(test);

    test = physics_load("<AddDataRepository path='" SETTEE_SOURCE "'/><AddDataRepository path='examples'/>");
    assert_int_equal(test->count[ST_ERROR], 0); // the second one is found in the first
    physics_free(test);
}

// Components of pictures and of other programs load without an error, and do nothing.
static void what_only_a_window_shows_is_inert(void **state) {
    (void)state;
    physics_scene *test = physics_load("<DataDisplay name='a'/><OglShaderVisualModel name='b'/>");
    assert_int_equal(test->count[ST_ERROR], 0);
    assert_true(st_object_is_inert(st_scene_find(test->scene, "/a")));
    assert_true(st_object_is_inert(st_scene_find(test->scene, "/b")));
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affected_scenes_are_named),
        cmocka_unit_test(missing_components_have_a_reason),
        cmocka_unit_test(folders_are_added),
        cmocka_unit_test(what_only_a_window_shows_is_inert),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
