// The list of what is drawn: which items a scene has, what switches them, their colors, and what stays the same from one
// update to the next.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"
#include "settee/drawing.h"

typedef struct fixture {
    physics_scene *test;
    st_drawing *drawing;
} fixture;

static fixture load(const char *children) {
    fixture f = {physics_load(children), st_drawing_create()};
    assert_non_null(f.drawing);
    return f;
}

static void done(fixture *f) {
    st_drawing_destroy(f->drawing);
    physics_free(f->test);
}

static st_status update(fixture *f, const char *show, const char *color) {
    st_draw_options options = st_default_draw_options();
    options.show_words = show;
    options.color = color;
    return st_drawing_update(f->drawing, f->test->scene, &options);
}

// The n-th item of a flag and kind; NULL: there are fewer.
static const st_draw_item *item(const fixture *f, unsigned show, st_draw_kind kind, size_t n) {
    const st_draw_item *found;
    for (size_t i = 0; (found = st_drawing_item(f->drawing, i)); i++)
        if (found->show == show && found->kind == kind && n-- == 0) return found;
    return NULL;
}

#define LINE "<MechanicalObject name='dofs' position='0 0 0  1 0 0  2 0 0'/>"
#define BEAM                                                                                                           \
    "<RegularGridTopology n='4 2 2' min='0 0 0' max='3 1 1'/><MechanicalObject name='dofs'/>"                          \
    "<HexahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.25'/>"

static void edges_springs_and_points_are_drawn(void **unused) {
    (void)unused;
    fixture f = load(LINE "<MeshTopology edges='0 1 1 2'/>");
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_int_equal(st_drawing_count(f.drawing), 1);
    const st_draw_item *edges = item(&f, ST_SHOW_VISUAL, ST_DRAW_LINES, 0);
    assert_int_equal(edges->element_count, 2);
    assert_int_equal(edges->indices[3], 2);
    done(&f);

    f = load(LINE "<SpringForceField spring='0 1 100 0 1  1 2 100 0 1'/>");
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_int_equal(item(&f, ST_SHOW_VISUAL, ST_DRAW_POINTS, 0)->point_count, 3);
    assert_int_equal(item(&f, ST_SHOW_VISUAL, ST_DRAW_LINES, 0)->element_count, 2);
    done(&f);

    // springs of a mesh that is seen only on request
    f = load(LINE "<MeshTopology edges='0 1 1 2'/><MeshSpringForceField stiffness='1'/>");
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_int_equal(st_drawing_count(f.drawing), 1);
    assert_int_equal(update(&f, "springs", NULL), ST_OK);
    assert_non_null(item(&f, ST_SHOW_FORCE_FIELDS, ST_DRAW_LINES, 0));
    done(&f);
}

static void a_pendulum_by_its_angle_is_drawn(void **unused) {
    (void)unused;
    fixture f = load("<MechanicalObject template='Vec1' name='angle' position='0.5'/>");
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    const st_draw_item *points = item(&f, ST_SHOW_VISUAL, ST_DRAW_POINTS, 0);
    assert_non_null(points); // nothing else is there: on the x axis
    assert_float_equal(points->positions[0], 0.5, 1e-12);
    assert_float_equal(points->positions[1], 0, 1e-12);
    done(&f);
}

static void each_word_switches_its_items(void **unused) {
    (void)unused;
    fixture f =
        load("<EulerExplicitSolver/>" LINE "<UniformMass totalMass='1'/>"
             "<FixedProjectiveConstraint indices='0 2'/><PointCollisionModel/><ConstantForceField totalForce='0 -3 0'/>"
             "<BoxROI box='-1 -1 -1 1.5 1 1'/><SphereROI centers='0 0 0' radii='1'/>");
    st_scene_step(f.test->scene, 0);
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_int_equal(st_drawing_count(f.drawing), 1);

    assert_int_equal(update(&f, "fixed,velocities,forces,boxes,labels,rois,collision", NULL), ST_OK);
    assert_int_equal(item(&f, ST_SHOW_FIXED, ST_DRAW_POINTS, 0)->point_count, 2);
    assert_int_equal(item(&f, ST_SHOW_COLLISION, ST_DRAW_POINTS, 0)->point_count, 3);
    assert_int_equal(item(&f, ST_SHOW_BOXES, ST_DRAW_LINES, 0)->element_count, 12);
    assert_string_equal(item(&f, ST_SHOW_LABELS, ST_DRAW_LABELS, 0)->labels[2], "2");
    assert_non_null(item(&f, ST_SHOW_FORCES, ST_DRAW_ARROWS, 0));
    const st_draw_item *velocity = item(&f, ST_SHOW_VELOCITIES, ST_DRAW_ARROWS, 0);
    assert_true(velocity->vectors[4] < 0);                         // the middle one falls
    assert_float_equal(velocity->vectors[1], 0, 1e-12);            // the fixed one does not
    assert_non_null(item(&f, ST_SHOW_VISUAL, ST_DRAW_SPHERES, 0)); // the region of the SphereROI

    assert_int_equal(update(&f, "none,labels", NULL), ST_OK);
    assert_int_equal(st_drawing_count(f.drawing), 1);
    done(&f);
}

static void frames_have_the_orientation_of_rigids(void **unused) {
    (void)unused;
    fixture f = load("<MechanicalObject template='Rigid3' position='1 2 3 0 0 1 0'/>");
    assert_int_equal(update(&f, "frames", NULL), ST_OK);
    const st_draw_item *frames = item(&f, ST_SHOW_FRAMES, ST_DRAW_FRAMES, 0);
    assert_float_equal(frames->quaternion[2], 1, 1e-12);
    assert_float_equal(frames->positions[2], 3, 1e-12);
    assert_true(frames->size > 0);
    done(&f);
}

static void flags_of_the_scene_are_the_beginning(void **unused) {
    (void)unused;
    fixture f = load("<VisualStyle displayFlags='showCollisionModels hideVisualModels'/>" LINE "<PointCollisionModel/>"
                     "<Node name='child'><VisualStyle displayFlags='hideCollisionModels showWireframe'/>"
                     "<MechanicalObject position='0 0 5'/><PointCollisionModel/></Node>");
    assert_int_equal(st_scene_show_flags(f.test->scene), ST_SHOW_COLLISION);
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_int_equal(st_drawing_count(f.drawing), 1); // not that of the child
    assert_int_equal(st_drawing_item(f.drawing, 0)->show, ST_SHOW_COLLISION);
    assert_int_equal(update(&f, "no-collision,visual", NULL), ST_OK);
    assert_int_equal(st_drawing_count(f.drawing), 2);
    assert_int_equal(st_drawing_item(f.drawing, 0)->show, ST_SHOW_VISUAL);
    done(&f);
}

static void wireframes_have_the_sides_of_quads(void **unused) {
    (void)unused;
    fixture f = load("<OglModel position='0 0 0  1 0 0  1 1 0  0 1 0' quads='0 1 2 3'/>");
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_int_equal(item(&f, ST_SHOW_VISUAL, ST_DRAW_TRIANGLES, 0)->element_count, 2);
    assert_int_equal(update(&f, "wireframe", NULL), ST_OK);
    assert_int_equal(item(&f, ST_SHOW_VISUAL, ST_DRAW_LINES, 0)->element_count, 4); // not the diagonal
    assert_int_equal(update(&f, "normals", NULL), ST_OK);
    const st_draw_item *normals = item(&f, ST_SHOW_NORMALS, ST_DRAW_ARROWS, 0);
    assert_true(normals->vectors[2] > 0);
    assert_float_equal(normals->vectors[0], 0, 1e-12);
    done(&f);
}

static void only_a_change_of_the_mesh_changes_the_topology(void **unused) {
    (void)unused;
    fixture f = load("<EulerExplicitSolver/>" BEAM "<UniformMass totalMass='1'/>");
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    const uint64_t key = st_drawing_item(f.drawing, 0)->key, topology = st_drawing_item(f.drawing, 0)->topology;
    st_scene_step(f.test->scene, 0);
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_true(st_drawing_item(f.drawing, 0)->key == key && st_drawing_item(f.drawing, 0)->topology == topology);
    assert_int_equal(update(&f, "wireframe", NULL), ST_OK);
    assert_true(st_drawing_item(f.drawing, 0)->topology != topology);
    done(&f);
}

static void trails_grow(void **unused) {
    (void)unused;
    fixture f = load("<EulerExplicitSolver/>" LINE "<UniformMass totalMass='1'/>");
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(update(&f, "trails", NULL), ST_OK);
        const st_draw_item *trail = item(&f, ST_SHOW_TRAILS, ST_DRAW_LINES, 0);
        assert_int_equal(trail ? trail->element_count : 0, 3 * i);
        st_scene_step(f.test->scene, 0);
    }
    for (size_t i = 0; i < 2500; i++) assert_int_equal(update(&f, "trails", NULL), ST_OK);
    assert_true(item(&f, ST_SHOW_TRAILS, ST_DRAW_LINES, 0)->element_count <= 3 * 1000); // bounded
    done(&f);
}

// A stretch of 10 % along x, free at the sides: the stress is E times the strain.
static void stretch(physics_scene *test) {
    size_t count, width;
    st_object *dofs = st_scene_find(test->scene, "/dofs");
    const st_real *x = st_object_reals(dofs, "position", &count, &width);
    st_real *moved = malloc(count * width * sizeof *moved);
    for (size_t i = 0; i < count; i++) {
        moved[3 * i] = ST_R(1.1) * x[3 * i];
        moved[3 * i + 1] = ST_R(0.975) * x[3 * i + 1]; // 1 - nu * 0.1
        moved[3 * i + 2] = ST_R(0.975) * x[3 * i + 2];
    }
    assert_int_equal(st_object_set_reals(dofs, "position", moved, count, width), ST_OK);
    free(moved);
}

static void expect_stress(const char *children, double expected) {
    fixture f = load(children);
    stretch(f.test);
    assert_int_equal(update(&f, NULL, "vonMises"), ST_OK);
    const st_draw_legend legend = st_drawing_legend(f.drawing);
    assert_string_equal(legend.title, "von Mises stress");
    assert_float_equal(legend.low, (float)expected, (float)(1e-3 * expected));
    assert_float_equal(legend.high, (float)expected, (float)(1e-3 * expected));
    const st_draw_item *body = st_drawing_item(f.drawing, 0);
    assert_non_null(body->scalars);
    assert_float_equal(body->scalars[0], (float)expected, (float)(1e-3 * expected));
    done(&f);
}

#define TETRA                                                                                                          \
    "<MeshTopology tetrahedra='0 1 2 3'/><MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0  0 0 1'/>"
#define FLAT "<MeshTopology triangles='0 1 2'/><MechanicalObject name='dofs' position='0 0 0  1 0 0  0 1 0'/>"

static void von_mises_of_all_elements_is_that_of_a_stretched_bar(void **unused) {
    (void)unused;
    expect_stress(BEAM, 100);
    expect_stress(TETRA "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.25'/>", 100);
    expect_stress(TETRA "<TetrahedralCorotationalFEMForceField youngModulus='1000' poissonRatio='0.25'/>", 100);
    expect_stress(TETRA "<FastTetrahedralCorotationalForceField youngModulus='1000' poissonRatio='0.25'/>", 100);
    expect_stress(FLAT "<TriangularFEMForceField youngModulus='1000' poissonRatio='0.25'/>", 100);
    expect_stress(FLAT "<TriangleFEMForceField youngModulus='1000' poissonRatio='0.25'/>", 100);

    // St. Venant-Kirchhoff: lambda = mu = 400; S by Green's strain, then F S F^T / J
    const double e = (1.1 * 1.1 - 1) / 2, s = (0.975 * 0.975 - 1) / 2, t = 400 * (e + 2 * s), j = 1.1 * 0.975 * 0.975;
    expect_stress(TETRA
                  "<TetrahedronHyperelasticityFEMForceField materialName='StVenantKirchhoff' ParameterSet='400 400'/>",
                  fabs(((800 * e + t) * 1.21 - (800 * s + t) * 0.975 * 0.975) / j));
}

static void turned_bodies_have_no_stress(void **unused) {
    (void)unused;
    fixture f = load(TETRA "<TetrahedronFEMForceField youngModulus='1000' method='small'/>");
    const st_real turned[] = {5, 0, 0, 5, 1, 0, 4, 0, 0, 5, 0, 1};
    assert_int_equal(st_object_set_reals(st_scene_find(f.test->scene, "/dofs"), "position", turned, 4, 3), ST_OK);
    assert_int_equal(update(&f, NULL, "strain"), ST_OK);
    assert_float_equal(st_drawing_legend(f.drawing).high, 0, 1e-6);
    assert_int_equal(update(&f, NULL, "youngModulus"), ST_OK);
    assert_float_equal(st_drawing_legend(f.drawing).high, 1000, 1e-6);
    done(&f);
}

static void any_field_gives_colors(void **unused) {
    (void)unused;
    fixture f = load("<OglModel position='0 0 0  1 0 0  1 1 0' triangles='0 1 2'/>"
                     "<Node name='body'>" BEAM "</Node>");
    assert_int_equal(update(&f, NULL, "/body/dofs.position"), ST_OK);
    assert_float_equal(st_drawing_legend(f.drawing).high, sqrt(11), 1e-6); // the farthest corner
    assert_int_equal(update(&f, NULL, "/body/fem.nothing"), ST_INVALID);
    assert_non_null(
        strstr(f.test->log, "'/body/fem.nothing' cannot color the picture: the component has no such field"));
    assert_int_equal(update(&f, NULL, "/nobody.position"), ST_INVALID);
    assert_non_null(strstr(f.test->log, "there is no such component"));
    assert_int_equal(update(&f, NULL, "vonMisse"), ST_INVALID);
    assert_non_null(strstr(f.test->log, "it is neither vonMises, strain or youngModulus"));
    assert_int_equal(update(&f, NULL, "/body/fem.youngModulus"), ST_INVALID);
    assert_non_null(strstr(f.test->log, "it has 1 values, the body has 16 points"));
    assert_int_equal(update(&f, NULL, "/body/dofs.name"), ST_INVALID);
    assert_int_equal(update(&f, "contcts", NULL), ST_INVALID);
    assert_non_null(strstr(f.test->log, "'contcts' cannot be shown: known are visual, "));
    done(&f);

    f = load(LINE);
    assert_int_equal(update(&f, NULL, "vonMises"), ST_INVALID);
    assert_non_null(strstr(f.test->log, "no force of the scene has it"));
    done(&f);
}

static void the_scene_can_ask_for_the_stress(void **unused) {
    (void)unused;
    fixture f = load(TETRA "<TetrahedronFEMForceField youngModulus='1000' showVonMisesStressPerNodeColorMap='1'/>");
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_non_null(st_drawing_legend(f.drawing).title);
    done(&f);
    f = load(TETRA "<TetrahedronFEMForceField youngModulus='1000'/>");
    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_null(st_drawing_legend(f.drawing).title);
    done(&f);
}

static void the_camera_of_the_scene_is_found(void **unused) {
    (void)unused;
    fixture f = load(LINE "<InteractiveCamera position='0 0 10' lookAt='1 0 0' fieldOfView='60' widthViewport='7'/>");
    const st_draw_camera camera = st_scene_camera(f.test->scene);
    assert_true(camera.given);
    assert_float_equal(camera.eye[2], 10, 1e-12);
    assert_float_equal(camera.target[0], 1, 1e-12);
    assert_float_equal(camera.field_of_view, 60, 1e-12);
    assert_int_equal(f.test->count[ST_WARNING], 0);
    done(&f);

    // turned by 90 degrees about y: it looks along -x
    f = load(LINE "<Camera position='9 0 0' orientation='0 0.7071067811865476 0 0.7071067811865476' distance='2'/>");
    const st_draw_camera turned = st_scene_camera(f.test->scene);
    assert_float_equal(turned.target[0], 7, 1e-6);
    assert_float_equal(turned.target[2], 0, 1e-6);
    done(&f);
    f = load(LINE "<Camera/>");
    assert_false(st_scene_camera(f.test->scene).given);
    done(&f);
}

static void places_that_are_not_finite_do_not_count(void **unused) {
    (void)unused;
    fixture f = load("<MechanicalObject name='dofs' position='0 0 0  1 2 3  0 0 0'/>");
    const st_real wild[] = {0, 0, 0, 1, 2, 3, NAN, INFINITY, 0};
    assert_int_equal(st_object_set_reals(st_scene_find(f.test->scene, "/dofs"), "position", wild, 3, 3), ST_OK);
    assert_int_equal(update(&f, "all", NULL), ST_OK);
    st_real box[6];
    assert_true(st_drawing_bounds(f.drawing, box));
    assert_float_equal(box[5], 3, 1e-6);
    st_drawing *nothing = st_drawing_create();
    st_scene *empty = st_scene_create(NULL);
    assert_false(st_drawing_bounds(nothing, box));
    assert_int_equal(st_drawing_update(nothing, NULL, NULL), ST_INVALID);
    st_scene_destroy(empty);
    st_drawing_destroy(nothing);
    done(&f);
}

// Mappings write to it, any attribute is accepted, and the mesh of the body is drawn instead.
static void a_model_of_a_shader_is_not_drawn(void **unused) {
    (void)unused;
    fixture f =
        load("<MeshTopology position='0 0 0  1 0 0  0 2 0' triangles='0 1 2'/><MechanicalObject/><Node name='c'>"
             "<OglShaderVisualModel name='v' triangles='0 1 2' shader='s'/><IdentityMapping/></Node>");
    assert_int_equal(f.test->count[ST_WARNING] + f.test->count[ST_ERROR], 0);
    st_object *model = st_scene_find(f.test->scene, "/c/v");
    assert_true(st_object_is_inert(model));
    assert_int_equal(st_object_element_count(model, "position"), 3);

    assert_int_equal(update(&f, NULL, NULL), ST_OK);
    assert_int_equal(st_drawing_count(f.drawing), 1);
    assert_ptr_not_equal(st_drawing_item(f.drawing, 0)->object, model);
    done(&f);
}

// From its point to point + scale * vector, as a line or an arrow; a vector without a point is not drawn.
static void vectors_are_drawn_as_long_as_they_are_scaled(void **unused) {
    (void)unused;
    for (int arrow = 0; arrow < 2; arrow++) {
        fixture f = load(
            arrow ? "<VisualVectorField drawMode='Arrow' position='1 0 0' vector='0 4 0  9 9 9' vectorScale='0.5'/>"
                  : "<VisualVectorField position='1 0 0' vector='0 4 0  9 9 9' vectorScale='0.5'/>");
        assert_int_equal(update(&f, NULL, NULL), ST_OK);
        assert_int_equal(st_drawing_count(f.drawing), 1);

        const st_draw_item *i = st_drawing_item(f.drawing, 0);
        assert_int_equal(i->kind, arrow ? ST_DRAW_ARROWS : ST_DRAW_LINES);
        assert_int_equal(i->element_count, 1);
        const st_real *end = arrow ? i->vectors : i->positions + 3;
        assert_float_equal(i->positions[0], 1, 1e-6);
        assert_float_equal(end[0], (arrow ? 0 : 1), 1e-6);
        assert_float_equal(end[1], 2, 1e-6);
        done(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_springs_and_points_are_drawn),
        cmocka_unit_test(vectors_are_drawn_as_long_as_they_are_scaled),
        cmocka_unit_test(a_pendulum_by_its_angle_is_drawn),
        cmocka_unit_test(each_word_switches_its_items),
        cmocka_unit_test(frames_have_the_orientation_of_rigids),
        cmocka_unit_test(flags_of_the_scene_are_the_beginning),
        cmocka_unit_test(wireframes_have_the_sides_of_quads),
        cmocka_unit_test(only_a_change_of_the_mesh_changes_the_topology),
        cmocka_unit_test(trails_grow),
        cmocka_unit_test(von_mises_of_all_elements_is_that_of_a_stretched_bar),
        cmocka_unit_test(turned_bodies_have_no_stress),
        cmocka_unit_test(any_field_gives_colors),
        cmocka_unit_test(the_scene_can_ask_for_the_stress),
        cmocka_unit_test(the_camera_of_the_scene_is_found),
        cmocka_unit_test(places_that_are_not_finite_do_not_count),
        cmocka_unit_test(a_model_of_a_shader_is_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
