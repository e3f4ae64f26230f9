// Meshes changed by a program (settee/edit.h) and by MeshCutter: what is cut keeps its mass and goes on moving, both sides
// part, mistakes are reported and change nothing, a reset brings the first mesh back, random changes never break anything.
//
// labels: double-only
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "math/vec3.h"
#include "scene/scene.h"
#include "settee/edit.h"

#define BODY_OF(n, more)                                                                                               \
    "<RegularGridTopology name='grid' n='" n "' min='0 0 0' max='3 1 1'/><Node name='body'>"                           \
    "<EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-9' threshold='1e-12'/>"                       \
    "<MechanicalObject name='dofs' position='@../grid.position'/>"                                                     \
    "<TetrahedronSetTopologyContainer name='mesh'/><TetrahedronSetTopologyModifier name='modifier'/>"                  \
    "<Hexa2TetraTopologicalMapping input='@../grid' output='@mesh'/>"                                                  \
    "<DiagonalMass name='mass' massDensity='2'/><TetrahedronFEMForceField youngModulus='5000' poissonRatio='0.3'/>"    \
    "<FixedProjectiveConstraint name='fix' indices='0'/>" more                                                         \
    "<Node name='surface'><TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"                   \
    "<Tetra2TriangleTopologicalMapping input='@../mesh' output='@mesh'/><TriangleCollisionModel name='model'/>"        \
    "</Node></Node>"
#define BODY(more) BODY_OF("7 3 3", more)

#define CLOTH(more)                                                                                                    \
    "<RegularGridTopology name='grid' n='7 4 1' min='0 0 0' max='3 1 0'/><Node name='body'>"                           \
    "<EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-9' threshold='1e-12'/>"                       \
    "<MechanicalObject name='dofs' position='@../grid.position'/>"                                                     \
    "<TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier name='modifier'/>"                        \
    "<Quad2TriangleTopologicalMapping input='@../grid' output='@mesh'/>"                                               \
    "<DiagonalMass name='mass' massDensity='2'/><TriangularFEMForceField youngModulus='5000' "                         \
    "poissonRatio='0.3'/>" more "</Node>"

static st_topology *mesh_of(physics_scene *test) { return (st_topology *)physics_find(test, "/body/mesh"); }

static st_real total_mass(physics_scene *test) {
    st_real value = 0;
    char *text = st_object_get(physics_find(test, "/body/mass"), "vertexMass", 17);
    assert_non_null(text);
    for (char *at = text, *end; *at; at = end) {
        value += (st_real)strtod(at, &end);
        if (end == at) break;
    }
    st_string_free(text);
    return value;
}

// Of all elements, at rest or now; none is turned over.
static st_real content(physics_scene *test, size_t coord) {
    const st_topology *mesh = mesh_of(test);
    const st_element kind = mesh->elements[ST_TETRAHEDRON].count ? ST_TETRAHEDRON : ST_TRIANGLE;
    const size_t n = st_element_size[kind];
    const st_state *state = physics_state(test, "/body/dofs");
    const st_real *x = state->coord[coord].data;
    st_real sum = 0;
    assert_int_equal(state->size, st_topology_points(mesh));
    for (size_t e = 0; e < mesh->elements[kind].count; e++) {
        const uint32_t *v = mesh->elements[kind].data + n * e;
        for (size_t i = 0; i < n; i++) assert_true(v[i] < state->size);
        st_real a[3], b[3], c[3], cross[3];
        st_vec3_sub(a, x + 3 * v[1], x + 3 * v[0]);
        st_vec3_sub(b, x + 3 * v[2], x + 3 * v[0]);
        st_vec3_cross(cross, a, b);
        if (n == 4) st_vec3_sub(c, x + 3 * v[3], x + 3 * v[0]);
        sum += n == 4 ? fabs(st_vec3_dot(cross, c)) / 6 : st_vec3_norm(cross) / 2;
    }
    return sum;
}

// Connected by elements.
static size_t pieces(physics_scene *test) {
    const st_topology *mesh = mesh_of(test);
    const st_element kind = mesh->elements[ST_TETRAHEDRON].count ? ST_TETRAHEDRON : ST_TRIANGLE;
    const size_t n = st_element_size[kind], points = st_topology_points(mesh);
    uint32_t *label = malloc(points * sizeof *label);
    bool *used = calloc(points, sizeof *used), changed = true;
    for (uint32_t i = 0; i < points; i++) label[i] = i;
    while (changed) {
        changed = false;
        for (size_t e = 0; e < mesh->elements[kind].count; e++)
            for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < n; k++) {
                    uint32_t *a = &label[mesh->elements[kind].data[n * e + i]];
                    const uint32_t b = label[mesh->elements[kind].data[n * e + k]];
                    used[mesh->elements[kind].data[n * e + i]] = true;
                    if (b < *a) *a = b, changed = true;
                }
    }
    size_t count = 0;
    for (uint32_t i = 0; i < points; i++) count += used[i] && label[i] == i;
    free(label);
    free(used);
    return count;
}

#define ROUNDING (ST_R(1e-12) / ST_R(2.2e-16) * ST_REAL_EPSILON)

// ---------------------------------------------------------------------------------------------------
// Cuts
// ---------------------------------------------------------------------------------------------------

static void steps(physics_scene *test, int count) {
    for (int i = 0; i < count; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
}

static void a_plane_parts_a_body(void **state) {
    (void)state;
    physics_scene *test = physics_load(BODY(""));
    const st_real mass = total_mass(test), rest = content(test, ST_COORD_REST);
    steps(test, 3);
    const st_real now = content(test, ST_COORD_POSITION);
    st_real momentum = 0;
    assert_int_equal(pieces(test), 1);

    assert_int_equal(st_cut_by_plane(physics_find(test, "/body/mesh"), (st_real[]){1, ST_R(0.2), 0},
                                     (st_real[]){ST_R(1.6), 0, 0}, ST_R(0.1)),
                     ST_OK);
    assert_int_equal(pieces(test), 2);
    assert_near(total_mass(test), mass, ROUNDING * mass);
    assert_near(content(test, ST_COORD_REST), rest, ROUNDING * rest);
    assert_near(content(test, ST_COORD_POSITION), now, ROUNDING * now);

    // both fall apart: the fixed side hangs, the other one falls freely
    for (int i = 0; i < 30; i++) assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    const st_state *dofs = physics_state(test, "/body/dofs");
    for (size_t i = 0; i < dofs->size; i++) momentum = st_min(momentum, dofs->deriv[ST_DERIV_VELOCITY].data[3 * i + 1]);
    assert_true(momentum < ST_R(-2.9)); // 10 m/s² for 0.33 s
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
}

static void velocities_are_interpolated(void **state) {
    (void)state;
    physics_scene *test = physics_load(BODY(""));
    st_state *dofs = physics_state(test, "/body/dofs");
    st_state_make_deriv(dofs, ST_VELOCITY);
    for (size_t i = 0; i < dofs->size; i++) // a field that is linear in place
        for (size_t k = 0; k < 3; k++)
            dofs->deriv[ST_DERIV_VELOCITY].data[3 * i + k] =
                2 * dofs->coord[ST_COORD_POSITION].data[3 * i + (k + 1) % 3];
    st_cut_by_plane(physics_find(test, "/body/mesh"), (st_real[]){1, 2, 3},
                    (st_real[]){ST_R(1.4), ST_R(0.5), ST_R(0.5)}, ST_R(0.1));
    assert_true(dofs->size > 63);
    for (size_t i = 0; i < dofs->size; i++)
        for (size_t k = 0; k < 3; k++)
            assert_near(dofs->deriv[ST_DERIV_VELOCITY].data[3 * i + k],
                        2 * dofs->coord[ST_COORD_POSITION].data[3 * i + (k + 1) % 3], 64 * ST_REAL_EPSILON);
    physics_free(test);
}

static void a_surface_cracks_a_cloth(void **state) {
    (void)state;
    physics_scene *test = physics_load(CLOTH(""));
    const st_real area = content(test, ST_COORD_POSITION);
    const st_real wall[12] = {ST_R(1.3), -1, -1, ST_R(1.3), ST_R(0.5), -1, ST_R(1.3), ST_R(0.5), 1, ST_R(1.3), -1, 1};
    assert_int_equal(
        st_cut_by_surface(physics_find(test, "/body/mesh"), wall, 4, (uint32_t[]){0, 1, 2, 0, 2, 3}, 2, ST_R(0.1)),
        ST_OK);
    assert_int_equal(pieces(test), 1);
    assert_true(physics_state(test, "/body/dofs")->size > 28);
    assert_near(content(test, ST_COORD_POSITION), area, ROUNDING * area);
    steps(test, 3);
    physics_free(test);
}

static void fixed_points_stay_fixed_on_both_sides(void **state) {
    (void)state;
    physics_scene *test = physics_load(BODY("<BoxROI name='left' box='-1 -1 -1 0.01 2 2'/>"
                                            "<FixedProjectiveConstraint name='wall' indices='@left.indices'/>"));
    assert_int_equal(st_cut_by_plane(physics_find(test, "/body/mesh"), (st_real[]){0, 1, ST_R(0.3)},
                                     (st_real[]){0, ST_R(0.4), 0}, ST_R(0.1)),
                     ST_OK);
    assert_int_equal(pieces(test), 2);
    steps(test, 20);
    const st_state *dofs = physics_state(test, "/body/dofs");
    for (size_t i = 0; i < dofs->size; i++)
        if (dofs->coord[ST_COORD_REST].data[3 * i] < ST_R(1e-9))
            assert_near(dofs->coord[ST_COORD_POSITION].data[3 * i + 1], dofs->coord[ST_COORD_REST].data[3 * i + 1],
                        ST_R(1e-9));
    physics_free(test);
}

static void pictures_follow(void **state) {
    (void)state;
    physics_scene *test = physics_load(CLOTH("<Node name='visual'><OglModel name='skin'/>"
                                             "<IdentityMapping input='@../dofs' output='@skin'/></Node>"));
    const st_real normal[3] = {1, 0, 0}, point[3] = {ST_R(1.3), 0, 0};
    for (int cut = 0; cut < 2; cut++) {
        char *drawn = st_object_get(physics_find(test, "/body/visual/skin"), "triangles", 6);
        char *meant = st_object_get(physics_find(test, "/body/mesh"), "triangles", 6);
        assert_string_equal(drawn, meant);
        st_string_free(drawn);
        st_string_free(meant);
        assert_int_equal(physics_state(test, "/body/visual/skin")->size, physics_state(test, "/body/dofs")->size);
        st_cut_by_plane(physics_find(test, "/body/mesh"), normal, point, ST_R(0.1));
    }
    physics_free(test);
}

static void a_cut_twice_changes_nothing_more(void **state) {
    (void)state;
    physics_scene *test = physics_load(BODY(""));
    st_object *mesh = physics_find(test, "/body/mesh");
    const st_real normal[3] = {1, 0, 0}, point[3] = {ST_R(1.5), 0, 0};
    assert_int_equal(st_cut_by_plane(mesh, normal, point, ST_R(0.1)), ST_OK);
    const size_t points = st_topology_points(mesh_of(test));
    assert_int_equal(points, 63 + 9); // along faces of the mesh: points are doubled, nothing is split
    assert_int_equal(pieces(test), 2);
    assert_int_equal(st_cut_by_plane(mesh, normal, point, ST_R(0.1)), ST_OK);
    assert_int_equal(st_topology_points(mesh_of(test)), points);
    assert_non_null(strstr(test->log, "nothing is cut: the knife does not part any tetrahedron of mesh"));
    physics_free(test);
}

static void a_cutter_cuts_at_its_time(void **state) {
    (void)state;
    physics_scene *test = physics_load(BODY("<MeshCutter normal='1 0 0' point='1.3 0 0' time='0.03'/>"));
    steps(test, 3);
    assert_int_equal(pieces(test), 1);
    steps(test, 1);
    assert_int_equal(pieces(test), 2);
    steps(test, 3);
    assert_int_equal(pieces(test), 2);

    // and again after a reset
    assert_int_equal(st_scene_reset(test->scene), ST_OK);
    assert_int_equal(st_topology_points(mesh_of(test)), 63);
    assert_int_equal(pieces(test), 1);
    steps(test, 4);
    assert_int_equal(pieces(test), 2);
    physics_free(test);

    // by a surface, which may move
    test = physics_load("<Node name='blade'><MeshTopology name='mesh' position='1.3 -9 -9  1.3 9 -9  1.3 0 9' "
                        "triangles='0 1 2'/><MechanicalObject/></Node>" BODY("<MeshCutter surface='@/blade/mesh'/>"));
    steps(test, 2);
    assert_int_equal(pieces(test), 2);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Other changes
// ---------------------------------------------------------------------------------------------------

static void edges_are_split(void **state) {
    (void)state;
    physics_scene *test = physics_load(BODY(""));
    const st_real rest = content(test, ST_COORD_REST), mass = total_mass(test);
    st_object *mesh = physics_find(test, "/body/mesh");
    assert_int_equal(st_split_mesh_edges(mesh, (uint32_t[]){0, 17, 40, 41, 42}, NULL, 5), ST_OK);
    assert_int_equal(physics_state(test, "/body/dofs")->size >= 68, true);
    assert_near(content(test, ST_COORD_REST), rest, ROUNDING * rest);
    assert_near(total_mass(test), mass, ROUNDING * mass);
    assert_int_equal(pieces(test), 1);

    // a third of the way
    const uint32_t edge[2] = {mesh_of(test)->elements[ST_EDGE].data[6], mesh_of(test)->elements[ST_EDGE].data[7]};
    const size_t last = physics_state(test, "/body/dofs")->size;
    assert_int_equal(st_split_mesh_edges(mesh, (uint32_t[]){3}, (st_real[]){ST_R(0.25)}, 1), ST_OK);
    const st_real *x = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data;
    for (size_t k = 0; k < 3; k++)
        assert_near(x[3 * last + k], ST_R(0.75) * x[3 * edge[0] + k] + ST_R(0.25) * x[3 * edge[1] + k], ROUNDING);
    steps(test, 3);
    physics_free(test);
}

static void what_was_cut_is_sutured(void **state) {
    (void)state;
    physics_scene *test = physics_load(BODY(""));
    st_object *mesh = physics_find(test, "/body/mesh");
    const st_real mass = total_mass(test);
    assert_int_equal(st_cut_by_plane(mesh, (st_real[]){1, 0, 0}, (st_real[]){ST_R(1.5), 0, 0}, ST_R(0.1)), ST_OK);
    assert_int_equal(pieces(test), 2);

    // each copy with its former
    uint32_t pairs[18];
    const st_real *x = physics_state(test, "/body/dofs")->coord[ST_COORD_POSITION].data;
    for (uint32_t i = 0; i < 9; i++) {
        pairs[2 * i + 1] = 63 + i;
        for (uint32_t k = 0; k < 63; k++)
            if (st_vec3_distance(x + 3 * k, x + 3 * (63 + i)) < ST_R(1e-9)) pairs[2 * i] = k;
    }
    assert_int_equal(st_suture(mesh, pairs, 9), ST_OK);
    assert_int_equal(pieces(test), 1);
    assert_int_equal(st_topology_points(mesh_of(test)), 63);
    assert_near(total_mass(test), mass, ROUNDING * mass);
    steps(test, 3);
    physics_free(test);
}

static void elements_come_go_and_are_picked(void **state) {
    (void)state;
    physics_scene *test = physics_load(BODY(""));
    st_object *mesh = physics_find(test, "/body/mesh");
    const size_t count = mesh_of(test)->elements[ST_TETRAHEDRON].count;
    size_t removed;
    assert_int_equal(st_remove_elements(mesh, (uint32_t[]){0, 5}, 2), ST_OK);
    assert_int_equal(mesh_of(test)->elements[ST_TETRAHEDRON].count, count - 2);
    assert_int_equal(st_remove_picked_elements(physics_find(test, "/body/surface/model"), (uint32_t[]){4}, 1, &removed),
                     ST_OK);
    assert_int_equal(removed, 1);
    assert_int_equal(mesh_of(test)->elements[ST_TETRAHEDRON].count, count - 3);

    // a point between two others, and an element with it
    const st_ancestry middle = {(uint32_t[]){0, 2}, (uint32_t[]){1, 2}, (st_real[]){ST_R(0.5), ST_R(0.5)}};
    const uint32_t point = (uint32_t)physics_state(test, "/body/dofs")->size;
    assert_int_equal(st_add_points(mesh, 1, &middle), ST_OK);
    assert_int_equal(st_add_elements(mesh, ST_TETRAHEDRON, (uint32_t[]){10, 11, 20, point}, 1), ST_OK);
    assert_int_equal(mesh_of(test)->elements[ST_TETRAHEDRON].count, count - 2);
    assert_int_equal(st_move_points(mesh, &point, 1, &middle), ST_OK);
    assert_int_equal(st_remove_points(mesh, &point, 1), ST_OK);
    assert_int_equal(mesh_of(test)->elements[ST_TETRAHEDRON].count, count - 3);

    // points of no element yet are at the origin
    assert_int_equal(st_add_free_points(mesh, 2), ST_OK);
    assert_int_equal(physics_state(test, "/body/dofs")->size, point + 2);
    size_t width;
    const st_real *x = st_object_reals(physics_find(test, "/body/dofs"), "position", &removed, &width);
    assert_int_equal(removed, point + 2);
    for (size_t i = 0; i < 6; i++) assert_true(x[3 * (size_t)point + i] == 0);
    assert_int_equal(st_remove_points(mesh, (uint32_t[]){point, point + 1}, 2), ST_OK);
    steps(test, 2);
    physics_free(test);
}

static void a_moved_point_keeps_the_mass_right(void **state) {
    (void)state;
    physics_scene *test = physics_load(CLOTH(""));
    const st_ancestry out = {(uint32_t[]){0, 2}, (uint32_t[]){6, 5}, (st_real[]){3, -2}};
    assert_int_equal(st_move_points(physics_find(test, "/body/mesh"), (uint32_t[]){6}, 1, &out), ST_OK);
    assert_near(physics_state(test, "/body/dofs")->coord[ST_COORD_REST].data[18], 4, ROUNDING);
    const st_real area = content(test, ST_COORD_REST);
    assert_true(area > ST_R(3.1));
    assert_near(total_mass(test), 2 * area, ROUNDING * area);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Mistakes
// ---------------------------------------------------------------------------------------------------

static void expect(physics_scene *test, st_status status, const char *message) {
    if (!strstr(test->log, message)) print_message("no \"%s\" in\n%s", message, test->log);
    assert_non_null(strstr(test->log, message));
    assert_int_equal(status, ST_INVALID);
    test->log[0] = 0;
    assert_int_equal(st_topology_points(mesh_of(test)), 63);
}

static void mistakes_change_nothing(void **state) {
    (void)state;
    physics_scene *test = physics_load(BODY(""));
    st_object *mesh = physics_find(test, "/body/mesh");
    const st_real zero[3] = {0, 0, 0}, x[3] = {1, 0, 0}, bad[3] = {(st_real)NAN, 0, 0},
                  far[3] = {(st_real)INFINITY, 0, 0};
    const st_real corners[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    const uint32_t triangle[3] = {0, 1, 2}, beyond[3] = {0, 1, 3};

    expect(test, st_cut_by_plane(mesh, zero, x, ST_R(0.1)), "makes no plane");
    expect(test, st_cut_by_plane(mesh, bad, x, ST_R(0.1)), "makes no plane");
    expect(test, st_cut_by_plane(mesh, x, far, ST_R(0.1)), "makes no plane");
    expect(test, st_cut_by_plane(mesh, x, NULL, ST_R(0.1)), "no normal and point");
    expect(test, st_cut_by_plane(mesh, x, x, ST_R(0.5)), "the distance of snapping is 0.5");
    expect(test, st_cut_by_plane(mesh, x, x, (st_real)NAN), "the distance of snapping is nan");
    expect(test, st_cut_by_surface(mesh, corners, 3, triangle, 0, ST_R(0.1)), "no triangle with an area (0 triangles)");
    expect(test, st_cut_by_surface(mesh, corners, 3, triangle, 1, ST_R(0.1)), "no triangle with an area (1 triangles)");
    expect(test, st_cut_by_surface(mesh, corners, 3, beyond, 1, ST_R(0.1)), "point 3, which is not there");
    expect(test, st_cut_by_surface(mesh, bad, 1, (uint32_t[]){0, 0, 0}, 1, ST_R(0.1)), "point 0, which is not finite");
    expect(test, st_cut_along(mesh, corners, 3), "is no TriangleSetTopologyContainer");
    expect(test, st_cut_by_plane(physics_find(test, "/body/surface/mesh"), x, x, ST_R(0.1)), "cut that instead");
    expect(test, st_cut_by_plane(physics_find(test, "/grid"), x, x, ST_R(0.1)), "it must be a container");
    expect(test, st_cut_by_plane(physics_find(test, "/body/mass"), x, x, ST_R(0.1)), "it must be a container");
    expect(test, st_split_mesh_edges(mesh, (uint32_t[]){99999}, NULL, 1), "edge 99999 of");
    expect(test, st_split_mesh_edges(mesh, (uint32_t[]){1, 1}, NULL, 2), "split twice");
    expect(test, st_split_mesh_edges(mesh, (uint32_t[]){1}, x, 1), "at 1 of its length");
    expect(test, st_suture(mesh, (uint32_t[]){0, 99}, 1), "there are fewer points");
    expect(test, st_suture(mesh, (uint32_t[]){3, 3}, 1), "they are one point");
    expect(test, st_suture(mesh, (uint32_t[]){0, 60, 60, 2}, 2), "in another pair");
    expect(test, st_suture(mesh, (uint32_t[]){0, 1}, 1), "they are in one element");
    expect(test, st_add_elements(mesh, ST_TETRAHEDRON, (uint32_t[]){0, 1, 2, 99}, 1), "vertex 99 of tetrahedron 0");
    expect(test, st_add_elements(mesh, ST_TETRAHEDRON, (uint32_t[]){0, 1, 2, 1}, 1), "there twice");
    expect(test, st_add_elements(mesh, ST_HEXAHEDRON, (uint32_t[]){0, 1, 2, 1}, 1), "holds no elements of kind 4");
    expect(test, st_add_elements(mesh, (st_element)77, NULL, 0), "holds no elements of kind 77");
    const st_ancestry gone = {(uint32_t[]){0, 1}, (uint32_t[]){99}, (st_real[]){1}},
                      none = {(uint32_t[]){0, 0}, triangle, x};
    expect(test, st_add_points(mesh, 1, &gone), "ancestor 99");
    expect(test, st_add_points(mesh, 1, &none), "has no ancestors");
    expect(test, st_add_points(mesh, 1, NULL), "no ancestors are given");
    expect(test, st_move_points(mesh, (uint32_t[]){63}, 1, &(st_ancestry){(uint32_t[]){0, 1}, triangle, x}),
           "point 63 cannot move");
    expect(test, st_remove_picked_elements(mesh, triangle, 1, NULL), "no collision model");
    expect(test, st_remove_elements(mesh, NULL, 1), "no numbers");
    assert_int_equal(st_cut_by_plane(NULL, x, x, 0), ST_INVALID);
    assert_int_equal(st_remove_elements(mesh, (uint32_t[]){77777}, 1), ST_OK); // a warning, as documented
    assert_non_null(strstr(test->log, "there is no tetrahedron 77777 to remove"));
    steps(test, 1);
    physics_free(test);
}

static void an_empty_mesh_is_not_cut(void **state) {
    (void)state;
    physics_scene *test =
        physics_load("<Node name='body'><TetrahedronSetTopologyContainer name='mesh'/>"
                     "<TetrahedronSetTopologyModifier/><MechanicalObject name='dofs' position='0 0 0'/>"
                     "<MeshCutter/></Node>");
    const st_real x[3] = {1, 0, 0};
    assert_int_equal(st_cut_by_plane(physics_find(test, "/body/mesh"), x, x, ST_R(0.1)), ST_OK);
    assert_non_null(strstr(test->log, "nothing is cut: mesh has 0 elements"));
    st_scene_step(test->scene, 0);
    physics_free(test);

    static const char *const bad[][2] = {{"normal='0 0 0'", "makes no plane"},
                                         {"snap='0.7'", "snap is 0.7"},
                                         {"snap='-1'", "snap is -1"},
                                         {"surface='@mesh'", "cannot cut itself"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/><MeshCutter %s/>",
                 bad[i][0]);
        test = physics_load(text);
        assert_non_null(strstr(test->log, bad[i][1]));
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// At random
// ---------------------------------------------------------------------------------------------------

static uint64_t seed = 21;
static uint32_t any(size_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return below ? (uint32_t)((seed >> 33) % below) : 0;
}
static st_real real_between(st_real low, st_real high) {
    return low + (high - low) * (st_real)any(1 << 20) / (1 << 20);
}

static void change_at_random(st_object *mesh, bool cloth) {
    const st_topology *topology = (const st_topology *)mesh;
    const size_t points = st_topology_points(topology), edges = topology->elements[ST_EDGE].count;
    st_real a[3], b[3], corners[9];
    for (int k = 0; k < 3; k++) a[k] = real_between(-1, 1), b[k] = real_between(0, k ? 1 : 3);
    for (int k = 0; k < 9; k++) corners[k] = real_between(-1, k % 3 ? 2 : 4);
    const uint32_t id = any(16) ? any(edges) : any(UINT32_MAX), pair[2] = {any(points + 1), any(points + 1)};
    const st_ancestry from = {(uint32_t[]){0, 2}, pair, (st_real[]){ST_R(0.5), ST_R(0.5)}};

    switch (any(8)) {
    case 0: st_cut_by_plane(mesh, a, b, real_between(0, ST_R(0.5))); break;
    case 1: st_cut_by_surface(mesh, corners, 3, (uint32_t[]){0, 1, 2}, 1, ST_R(0.1)); break;
    case 2: st_split_mesh_edges(mesh, &id, NULL, 1); break;
    case 3: st_suture(mesh, pair, 1); break;
    case 4: st_remove_elements(mesh, &id, 1); break;
    case 5: st_add_points(mesh, 1, &from); break;
    case 6:
        if (cloth) st_cut_along(mesh, corners, 2);
        else st_add_elements(mesh, ST_TETRAHEDRON, (uint32_t[]){pair[0], pair[1], any(points), any(points)}, 1);
        break;
    default: st_remove_points(mesh, pair, 1); break;
    }
}

static void nothing_breaks(void **state) {
    (void)state;
    for (int run = 0; run < 80; run++) {
        physics_scene *test = run % 2 ? physics_load(CLOTH("")) : physics_load(BODY_OF("4 2 2", ""));
        st_object *mesh = physics_find(test, "/body/mesh");
        const size_t points = st_topology_points(mesh_of(test));
        for (int i = 0; i < 30; i++) {
            test->log[0] = 0;
            if (st_topology_points(mesh_of(test)) < 1500) change_at_random(mesh, run % 2);
            content(test, ST_COORD_POSITION); // no vertex that is not there
            if (i % 7 == 0) st_scene_step(test->scene, 0);
        }
        assert_true(st_succeeded(st_scene_reset(test->scene)));
        assert_int_equal(st_topology_points(mesh_of(test)), points);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_parts_a_body),
        cmocka_unit_test(velocities_are_interpolated),
        cmocka_unit_test(a_surface_cracks_a_cloth),
        cmocka_unit_test(fixed_points_stay_fixed_on_both_sides),
        cmocka_unit_test(pictures_follow),
        cmocka_unit_test(a_cut_twice_changes_nothing_more),
        cmocka_unit_test(a_cutter_cuts_at_its_time),
        cmocka_unit_test(edges_are_split),
        cmocka_unit_test(what_was_cut_is_sutured),
        cmocka_unit_test(elements_come_go_and_are_picked),
        cmocka_unit_test(a_moved_point_keeps_the_mass_right),
        cmocka_unit_test(mistakes_change_nothing),
        cmocka_unit_test(an_empty_mesh_is_not_cut),
        cmocka_unit_test(nothing_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
