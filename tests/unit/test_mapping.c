// Mappings: what they accept, what they compute, and that J, its transpose and its blocks are the derivative of apply.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "mapping/cell_hash.h"
#include "mapping_check.h"
#include "math/mat3.h"
#include "scene/scene.h"

// ---------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------

static char last_error[512];

static void keep_error(void *user, const st_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->severity >= ST_ERROR) snprintf(last_error, sizeof last_error, "%s", diagnostic->text);
}

static st_scene *load(const char *body) {
    st_config config = st_default_config();
    config.log = keep_error;
    last_error[0] = '\0';
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    char *text = st_string_format("<Node name=\"root\"><DefaultAnimationLoop/>%s</Node>", body);
    assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
    st_free(text);
    st_scene_init(scene);
    return scene;
}

static st_object *find(st_scene *scene, const char *path) {
    st_object *object = st_scene_find(scene, path);
    if (!object) fail_msg("%s is not there: %s", path, last_error);
    return object;
}

// ---------------------------------------------------------------------------------------------------
// Derivatives
// ---------------------------------------------------------------------------------------------------

static void check_mapping(const char *body, const char *path) { mapping_check_scene(body, path, MAPPING_J); }

#define POINTS " position=\"0.2 0.3 0.1  0.9 0.8 0.7  0.5 0.5 0.5  -1 2 0.5  0 0 0\""
#define CUBE "position=\"0 0 0  1 0 0.1  1 1.2 0  0 1 0  0 0 1  1 0 1  1.1 1 1.3  0 1 1\""

static void test_derivatives(void **unused) {
    (void)unused;
    static const char *const meshes[] = {
        "tetrahedra=\"0 1 3 4  1 2 3 6  1 3 4 6  1 4 5 6  3 4 6 7\"",
        "hexahedra=\"0 1 2 3 4 5 6 7\"",
        "hexahedra=\"0 1 2 3 4 5 6 7\" tetrahedra=\"0 1 3 4\"",
        "triangles=\"0 1 2  0 2 3  4 5 6\"",
        "quads=\"0 1 2 3  4 5 6 7\"",
        "edges=\"0 1  1 2  5 6\"",
    };
    static const char *const templates[] = {"Vec3", "Rigid3"};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++)
        for (size_t k = 0; k < 2; k++) {
            const char *points = k ? " position=\"0.2 0.3 0.1 0 0 0 1  0.9 2 0.7 0.6 0 0 0.8\"" : POINTS;
            char *body = st_string_format("<MeshTopology " CUBE " %s/><MechanicalObject name=\"parent\" " CUBE "/>"
                                          "<Node name=\"c\"><MechanicalObject name=\"s\" template=\"%s\" %s/>"
                                          "<BarycentricMapping name=\"m\"/></Node>",
                                          meshes[i], templates[k], points);
            check_mapping(body, "/c/m");
            st_free(body);
        }
    check_mapping("<RegularGridTopology n=\"3 2 4\" min=\"0 0 0\" max=\"2 1 1\"/><MechanicalObject/>"
                  "<Node name=\"c\"><MechanicalObject" POINTS "/><BarycentricMapping name=\"m\"/></Node>",
                  "/c/m");
}

static void test_identity_derivatives(void **unused) {
    (void)unused;
    static const char *const pairs[][3] = {
        {"Vec3", "Vec3", "1 2 3 4 5 6"},
        {"Vec2", "Vec2", "1 2 3 4"},
        {"Vec1", "Vec1", "1 2 3"},
        {"Vec6", "Vec6", "1 2 3 4 5 6"},
        {"Vec6", "Vec3", "1 2 3 4 5 6"},
        {"Rigid3", "Rigid3", "1 2 3 0 0 0 1  1 0 0 0.6 0 0 0.8"},
        {"Rigid2", "Rigid2", "1 2 0.5 3 4 1"},
        {"Rigid3", "Vec3", "1 2 3 0 0 0 1  1 0 0 0.6 0 0 0.8"},
        {"Rigid2", "Vec2", "1 2 0.5 3 4 1"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *body = st_string_format("<MechanicalObject template=\"%s\" position=\"%s\"/><Node name=\"c\">"
                                      "<MechanicalObject template=\"%s\"/><IdentityMapping name=\"m\"/></Node>",
                                      pairs[i][0], pairs[i][2], pairs[i][1]);
        check_mapping(body, "/c/m");
        st_free(body);
    }
}

// ---------------------------------------------------------------------------------------------------
// Identity
// ---------------------------------------------------------------------------------------------------

static void test_identity_sizes_child(void **unused) {
    (void)unused;
    st_scene *scene =
        load("<MechanicalObject template=\"Rigid3\" position=\"1 2 3 0 0 0 1  4 5 6 0 0 0 1\"/><Node name=\"c\">"
             "<MechanicalObject name=\"s\" template=\"Vec3\"/><IdentityMapping name=\"m\"/></Node>");
    const st_state *child = (const st_state *)find(scene, "/c/s");
    const st_mapping *mapping = (const st_mapping *)find(scene, "/c/m");
    static const double expected[6] = {1, 2, 3, 4, 5, 6};
    assert_string_equal(mapping->object.template_, "Rigid3,Vec3");
    assert_int_equal(child->size, 2);
    for (int i = 0; i < 6; i++) assert_float_equal((double)child->coord[ST_COORD_POSITION].data[i], expected[i], 0);
    st_scene_destroy(scene);
}

static void test_flags(void **unused) {
    (void)unused;
    st_scene *scene = load("<MechanicalObject/><Node name=\"a\"><MechanicalObject/>"
                           "<IdentityMapping name=\"m\" isMechanical=\"0\"/></Node>"
                           "<Node name=\"b\"><MechanicalObject/>"
                           "<IdentityMapping name=\"m\" isMechanical=\"0\" mapForces=\"1\"/></Node>"
                           "<Node name=\"c\"><OglModel/><IdentityMapping name=\"m\"/></Node>");
    const st_mapping *a = (const st_mapping *)find(scene, "/a/m"), *b = (const st_mapping *)find(scene, "/b/m");
    const st_mapping *visual = (const st_mapping *)find(scene, "/c/m");
    assert_false(a->map_forces || a->map_constraints || a->map_masses);
    assert_true(b->map_forces && !b->map_constraints && !b->map_masses);
    assert_false(visual->map_forces || visual->map_constraints || visual->map_masses);
    assert_int_equal(st_mapping_out(visual)->size, 1);
    st_scene_destroy(scene);
}

static void test_rest_position(void **unused) {
    (void)unused;
    st_scene *scene =
        load("<MechanicalObject position=\"1 0 0\" rest_position=\"2 0 0\"/>"
             "<Node name=\"a\"><MechanicalObject name=\"s\"/><IdentityMapping/></Node>"
             "<Node name=\"b\"><MechanicalObject name=\"s\"/><IdentityMapping applyRestPosition=\"1\"/></Node>");
    const st_state *a = (const st_state *)find(scene, "/a/s"), *b = (const st_state *)find(scene, "/b/s");
    assert_float_equal((double)a->coord[ST_COORD_REST].data[0], 0, 0);
    assert_float_equal((double)b->coord[ST_COORD_REST].data[0], 2, 0);
    assert_float_equal((double)b->coord[ST_COORD_POSITION].data[0], 1, 0);
    st_scene_destroy(scene);
}

static void test_refusals(void **unused) {
    (void)unused;
    static const struct {
        const char *body, *why;
    } cases[] = {
        {"<MechanicalObject/><Node name=\"c\"><IdentityMapping name=\"m\"/></Node>", "same state"},
        {"<MechanicalObject name=\"s\"/><IdentityMapping input=\"@s\" output=\"@s\" name=\"m\"/>", "same state"},
        {"<Node name=\"c\"><MechanicalObject/><IdentityMapping name=\"m\"/></Node>", "no state"},
        {"<MechanicalObject/><Node name=\"c\"><MechanicalObject/><IdentityMapping input=\"@nobody\"/></Node>",
         "no state"},
        {"<MechanicalObject template=\"Rigid3\"/><Node name=\"c\"><MechanicalObject/><BarycentricMapping/></Node>",
         "of type Rigid3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        st_scene *scene = load(cases[i].body);
        if (!strstr(last_error, cases[i].why)) fail_msg("case %zu: \"%s\"", i, last_error);
        assert_null(st_scene_find(scene, "/c/m"));
        st_scene_destroy(scene);
    }
}

// ---------------------------------------------------------------------------------------------------
// Barycentric
// ---------------------------------------------------------------------------------------------------

static void test_broken_meshes(void **unused) {
    (void)unused;
    static const struct {
        const char *parent, *why;
    } cases[] = {
        {"<MechanicalObject/>", "no topology"},
        {"<MeshTopology/><MechanicalObject/>", "no elements"},
        {"<RegularGridTopology n=\"4 4 1\"/><MechanicalObject/>", "no cells"},
        {"<MeshTopology tetrahedra=\"0 1 2 9\"/><MechanicalObject position=\"0 0 0  1 0 0  0 1 0  0 0 1\"/>",
         "point 9"},
        {"<MeshTopology edges=\"0 0\"/><MechanicalObject position=\"0 0 0\"/>", "flat"},
        {"<RegularGridTopology n=\"2 2 2\" min=\"1 1 1\" max=\"1 1 1\"/><MechanicalObject/>", "flat"},
        {"<RegularGridTopology n=\"2 2 2\"/><MechanicalObject position=\"0 0 0  1 1 1\"/>", "only 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *body = st_string_format("%s<Node name=\"c\"><MechanicalObject name=\"s\"" POINTS
                                      "/><BarycentricMapping name=\"m\"/></Node>",
                                      cases[i].parent);
        st_scene *scene = load(body);
        if (!strstr(last_error, cases[i].why)) fail_msg("case %zu: \"%s\"", i, last_error);
        assert_false(st_is_valid(find(scene, "/c/m")));
        assert_int_equal(((const st_state *)find(scene, "/c/s"))->size, 5);
        st_free(body);
        st_scene_destroy(scene);
    }
}

// The grid is searched where it is, and the child follows the parent's positions, which were moved.
static void test_moved_grid(void **unused) {
    (void)unused;
    st_scene *scene = load("<RegularGridTopology n=\"3 3 3\" min=\"0 0 0\" max=\"2 2 2\"/>"
                           "<MechanicalObject translation=\"10 0 0\"/><Node name=\"c\">"
                           "<MechanicalObject name=\"s\" position=\"0.25 1.5 0.5  3 1 -1  2 2 2\"/>"
                           "<BarycentricMapping name=\"m\"/></Node>");
    static const double expected[9] = {10.25, 1.5, 0.5, 13, 1, -1, 12, 2, 2};
    const st_state *child = (const st_state *)find(scene, "/c/s");
    for (int i = 0; i < 9; i++) assert_float_equal((double)child->coord[ST_COORD_POSITION].data[i], expected[i], 1e-5);
    // weights of the first point: fx = 0.25, fy = 0.5, fz = 0.5 in the cell of corner (0, 1, 0)
    st_real *j = mapping_dense_jacobian((st_mapping *)find(scene, "/c/m"));
    assert_float_equal((double)j[3 * 3], 0.75 * 0.5 * 0.5, 1e-6);
    assert_float_equal((double)j[3 * 4], 0.25 * 0.5 * 0.5, 1e-6);
    assert_float_equal((double)j[3 * 0], 0, 0);
    free(j);
    st_scene_destroy(scene);
}

static void test_rest_search(void **unused) {
    (void)unused;
    st_scene *scene = load("<MeshTopology edges=\"0 1\"/>"
                           "<MechanicalObject position=\"0 0 0  4 0 0\" rest_position=\"0 0 0  2 0 0\"/>"
                           "<Node name=\"c\"><MechanicalObject name=\"s\" position=\"1 0 0\"/>"
                           "<BarycentricMapping useRestPosition=\"1\"/></Node>");
    assert_float_equal((double)((const st_state *)find(scene, "/c/s"))->coord[ST_COORD_POSITION].data[0], 2, 1e-6);
    st_scene_destroy(scene);
}

// The first edge that has the foot of the point, whatever the distance; else the last edge.
static void test_edges(void **unused) {
    (void)unused;
    st_scene *scene = load("<MeshTopology edges=\"0 1  1 2\"/><MechanicalObject position=\"0 0 0  1 0 0  1 1 0\"/>"
                           "<Node name=\"c\"><MechanicalObject name=\"s\" position=\"0.5 90 0  1 0.5 0  5 5 0\"/>"
                           "<BarycentricMapping name=\"m\"/></Node>");
    st_real *j = mapping_dense_jacobian((st_mapping *)find(scene, "/c/m"));
    assert_float_equal((double)j[0], 0.5, 1e-6);           // first edge
    assert_float_equal((double)j[3 * 9 + 3], 1, 1e-6);     // c = 1 on the first edge
    assert_float_equal((double)j[2 * 3 * 9 + 6], 5, 1e-6); // extrapolated on the last
    free(j);
    st_scene_destroy(scene);
}

// A container carries points by its largest elements; one of edges leaves the child without points.
static void test_containers(void **unused) {
    (void)unused;
    st_scene *probe = load("");
    const bool known = st_registry_find(probe, "TetrahedronSetTopologyContainer") != NULL;
    st_scene_destroy(probe);
    if (!known) skip();
    check_mapping(
        "<TetrahedronSetTopologyContainer " CUBE " tetrahedra=\"0 1 3 4  1 2 3 6  1 3 4 6  1 4 5 6  3 4 6 7\"/>"
        "<MechanicalObject/><Node name=\"c\"><MechanicalObject" POINTS "/><BarycentricMapping name=\"m\"/></Node>",
        "/c/m");
    check_mapping("<HexahedronSetTopologyContainer " CUBE " hexahedra=\"0 1 2 3 4 5 6 7\"/>"
                  "<MechanicalObject/><Node name=\"c\"><MechanicalObject" POINTS
                  "/><BarycentricMapping name=\"m\"/></Node>",
                  "/c/m");
    st_scene *scene = load("<EdgeSetTopologyContainer " CUBE " edges=\"0 1  1 2\"/><MechanicalObject " CUBE "/>"
                           "<Node name=\"c\"><MechanicalObject name=\"s\"" POINTS "/><BarycentricMapping/></Node>");
    assert_int_equal(((const st_state *)find(scene, "/c/s"))->size, 0);
    st_scene_destroy(scene);
}

static void test_visual_child(void **unused) {
    (void)unused;
    st_scene *scene =
        load("<MeshTopology position=\"0 0 0  1 0 0  0 1 0  0 0 1\" tetrahedra=\"0 1 2 3\"/>"
             "<MechanicalObject name=\"p\" velocity=\"1 0 0\"/><Node name=\"c\">"
             "<OglModel name=\"s\" position=\"0.25 0.25 0.25\" triangles=\"0 0 0\"/><BarycentricMapping name=\"m\"/>"
             "</Node>");
    st_mapping *mapping = (st_mapping *)find(scene, "/c/m");
    st_state *parent = (st_state *)find(scene, "/p"), *child = st_mapping_out(mapping);
    parent->coord[ST_COORD_POSITION].data[0] = 4;
    const st_mapping_ops *ops = mapping->object.type->mapping;
    ops->apply(mapping, ST_POSITION, st_read_coord(ST_POSITION));
    ops->apply_j(mapping, ST_VELOCITY, st_read_deriv(ST_VELOCITY));
    ops->apply_jt(mapping, ST_FORCE, st_read_deriv(ST_FORCE));
    assert_float_equal((double)child->coord[ST_COORD_POSITION].data[0], 1.25, 1e-6);
    assert_int_equal(child->deriv[ST_DERIV_VELOCITY].count, 0);
    st_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------
// The search against the rule, element by element
// ---------------------------------------------------------------------------------------------------

static double measure(const st_real *x, const uint32_t *n, st_element kind, const st_real p[3], bool transpose) {
    static const int ends[ST_ELEMENT_KINDS][3] = {
        [ST_TRIANGLE] = {1, 2, -1}, [ST_QUAD] = {1, 3, -1}, [ST_TETRAHEDRON] = {1, 2, 3}, [ST_HEXAHEDRON] = {1, 3, 4}};
    st_real rows[9], columns[9], inverse[9] = {0}, f[3], d[3], center[3] = {0};
    for (int i = 0; i < 3; i++)
        if (ends[kind][i] < 0) st_vec3_cross(rows + 6, rows, rows + 3);
        else st_vec3_sub(rows + 3 * i, x + 3 * n[ends[kind][i]], x + 3 * n[0]);
    st_mat3_transpose(columns, rows);
    if (!st_mat3_inverse_above(inverse, columns, (st_real)2.220446049250313e-16) && transpose)
        st_mat3_copy(inverse, rows);
    st_vec3_sub(d, p, x + 3 * n[0]);
    st_mat3_times_vec(f, inverse, d);
    st_real m = st_max(-f[0], -f[1]);
    if (kind == ST_TRIANGLE || kind == ST_QUAD) m = st_max(m, fabs(f[2]) - ST_R(0.01));
    else m = st_max(m, -f[2]);
    if (kind == ST_TRIANGLE) m = st_max(m, f[0] + f[1] - 1);
    if (kind == ST_TETRAHEDRON) m = st_max(m, f[0] + f[1] + f[2] - 1);
    if (kind == ST_QUAD || kind == ST_HEXAHEDRON) m = st_max(m, st_max(f[0] - 1, f[1] - 1));
    if (kind == ST_HEXAHEDRON) m = st_max(m, f[2] - 1);
    if (m <= 0) return (double)m;
    for (size_t i = 0; i < st_element_size[kind]; i++) st_vec3_add(center, center, x + 3 * n[i]);
    st_vec3_divide(center, center, (st_real)st_element_size[kind]);
    st_vec3_sub(d, p, center);
    return (double)st_vec3_norm2(d);
}

// Points inside, outside, and on the nodes.
static void random_point(st_real p[3], int i, const st_uints *elements, const st_real *x) {
    for (int k = 0; k < 3; k++) p[k] = (st_real)((i % 3 == 0 ? 3 : 1) * mapping_random());
    if (i % 5 == 0) st_vec3_copy(p, x + 3 * elements->data[(size_t)rand() % elements->count]);
}

static size_t loop_over_elements(st_element kind, const st_uints *elements, const st_real *x, const st_real p[3]) {
    size_t found = SIZE_MAX;
    double best = 1e30;
    for (size_t e = 0; e < elements->count; e++) {
        const double d = measure(x, elements->data + e * st_element_size[kind], kind, p, false);
        if (d < best) best = d, found = e;
    }
    return found;
}

static void compare_search(st_element kind, const st_uints *elements, const st_real *x, int points) {
    st_cell_search search = {0};
    assert_true(st_cell_search_add(&search, kind, elements, x) && st_cell_search_finish(&search, x));
    for (int i = 0; i < points; i++) {
        st_real p[3], local[3];
        random_point(p, i, elements, x);
        assert_int_equal(st_cell_search_find(&search, p, local), loop_over_elements(kind, elements, x, p));
    }
    st_cell_search_free(&search);
}

// Does the box of an element overlap the cube?
static bool overlaps(const st_real *x, const uint32_t *n, st_element kind, const double cube[3], st_real h) {
    for (int k = 0; k < 3; k++) {
        double low = 1e30, high = -1e30;
        for (size_t i = 0; i < st_element_size[kind]; i++) {
            low = fmin(low, (double)floor(x[3 * n[i] + (size_t)k] * (1 / h)));
            high = fmax(high, (double)floor(x[3 * n[i] + (size_t)k] * (1 / h)));
        }
        if (cube[k] < low || cube[k] > high) return false;
    }
    return true;
}

typedef struct hashed {
    double best;
    size_t element;
} hashed;

// Tries the elements of one cube, or all; how many were there?
static int try_cube(hashed *b, st_element kind, const st_uints *elements, const st_real *x, const st_real p[3],
                    const double *cube, st_real h) {
    int tried = 0;
    for (size_t e = 0; e < elements->count; e++) {
        const uint32_t *n = elements->data + e * st_element_size[kind];
        if (cube && !overlaps(x, n, kind, cube, h)) continue;
        const double d = measure(x, n, kind, p, true);
        if (d < b->best) *b = (hashed){d, e};
        tried++;
    }
    return tried;
}

// The rule of cubes, written down plainly. Returns how often the neighbors were asked.
static int compare_hash(st_element kind, const st_uints *elements, const st_real *x, int points) {
    const st_uints none = {0};
    st_cell_search search = {.transpose = true};
    int neighbors = 0;
    assert_true(st_cell_search_add(&search, kind, elements, x));
    const st_real h = st_cell_hash_side(&search, &none, x);
    assert_true(st_cell_search_divide(&search, h, x) && st_cell_search_finish(&search, x));
    for (int i = 0; i < points; i++) {
        st_real p[3], local[3];
        random_point(p, i, elements, x);
        const double own[3] = {(double)floor(p[0] * (1 / h)), (double)floor(p[1] * (1 / h)),
                               (double)floor(p[2] * (1 / h))};
        hashed b = {1e30, SIZE_MAX};
        const bool filled = try_cube(&b, kind, elements, x, p, own, h) > 0;
        if (!filled) {
            try_cube(&b, kind, elements, x, p, NULL, h);
        } else if (fabs(b.best) > (double)(h / 2)) {
            neighbors++;
            for (int k = 0; k < 27; k++) {
                const double other[3] = {own[0] + k / 9 - 1, own[1] + k / 3 % 3 - 1, own[2] + k % 3 - 1};
                try_cube(&b, kind, elements, x, p, other, h);
            }
        }
        assert_int_equal(st_cell_hash_find(&search, h, p, local), b.element);

        // by the elements near the point alone, wherever its cube has some
        uint32_t near = 0;
        st_real same[3];
        const bool is_near = st_cell_hash_find_near(kind, elements, x, h, p, same, &near) == ST_OK;
        assert_int_equal(is_near, filled);
        if (filled) assert_int_equal(near, b.element);
        if (filled) assert_memory_equal(same, local, sizeof local);
    }
    st_cell_search_free(&search);
    return neighbors;
}

// A distorted block of boxes, some of them flat or doubled; nodes are shared.
static void test_search(void **unused) {
    (void)unused;
    enum { N = 6 };
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int tetra[5][4] = {{0, 1, 3, 4}, {1, 2, 3, 6}, {1, 3, 4, 6}, {1, 4, 5, 6}, {3, 4, 6, 7}};
    int neighbors = 0;
    for (int flat = 0; flat < 2; flat++) {
        st_real x[3 * N * N * N];
        for (int i = 0; i < N * N * N; i++) {
            const int at[3] = {i % N, i / N % N, i / N / N};
            for (int k = 0; k < 3; k++)
                x[3 * i + k] = (st_real)(at[k] * 2.0 / (N - 1) - 1 + (flat ? 0 : 0.12 * mapping_random()));
        }
        st_uints lists[ST_ELEMENT_KINDS] = {0};
        for (int c = 0; c < (N - 1) * (N - 1) * (N - 1); c++) {
            uint32_t n[8];
            const int at[3] = {c % (N - 1), c / (N - 1) % (N - 1), c / (N - 1) / (N - 1)};
            for (int k = 0; k < 8; k++)
                n[k] = (uint32_t)(at[0] + corner[k][0] + N * (at[1] + corner[k][1] + N * (at[2] + corner[k][2])));
            for (int k = 0; k < 8; k++) st_list_push(&lists[ST_HEXAHEDRON], n[k]);
            for (int k = 0; k < 4; k++) st_list_push(&lists[ST_QUAD], n[k]);
            for (int k = 0; k < 3; k++) st_list_push(&lists[ST_TRIANGLE], n[k]);
            for (int t = 0; t < 5; t++)
                for (int k = 0; k < 4; k++) st_list_push(&lists[ST_TETRAHEDRON], n[tetra[t][k]]);
        }
        for (int kind = ST_TRIANGLE; kind <= ST_HEXAHEDRON; kind++) {
            lists[kind].count /= st_element_size[kind];
            if (flat == 1)
                lists[kind].data[st_element_size[kind] * 7 + 1] = lists[kind].data[st_element_size[kind] * 7];
            compare_search((st_element)kind, &lists[kind], x, 400);
            neighbors += compare_hash((st_element)kind, &lists[kind], x, 400);
        }
        for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) st_list_free(&lists[kind]);
    }
    assert_true(neighbors > 50);
}

// Tiny edges beside a huge element: its cubes are not listed, and the answer is the same.
static void test_uneven_mesh(void **unused) {
    (void)unused;
    enum { SMALL = 50 };
    st_real x[3 * (4 + SMALL * 4)] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    st_uints tetrahedra = {0};
    for (uint32_t i = 0; i < 4; i++) st_list_push(&tetrahedra, i);
    for (int t = 0; t < SMALL; t++)
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < 3; k++)
                x[3 * (4 + 4 * t + i) + k] = (st_real)(0.5 * sin(t + k)) + (i == k + 1 ? ST_R(0.001) : 0);
            st_list_push(&tetrahedra, (uint32_t)(4 + 4 * t + i));
        }
    tetrahedra.count /= 4;
    compare_hash(ST_TETRAHEDRON, &tetrahedra, x, 300);
    st_list_free(&tetrahedra);
}

// Needles, whose inverse is off by percents: a point a little beyond the tip can come out as inside, though the center
// of the small element beside it is nearer.
static void test_needles(void **unused) {
    (void)unused;
    enum { PAIRS = 6, NODES = 8 * PAIRS };
    size_t beyond = 0;
    for (int round = 0; round < 200; round++) {
        st_real x[3 * NODES];
        st_uints tetrahedra = {0};
        for (uint32_t i = 0; i < NODES; i++) st_list_push(&tetrahedra, i);
        tetrahedra.count /= 4;
        for (int pair = 0; pair < PAIRS; pair++) {
            st_real *needle = x + 24 * pair, *small = needle + 12, along[3];
            const st_real width = pow(ST_REAL_EPSILON, (st_real)(0.42 + 0.05 * mapping_random()));
            for (int k = 0; k < 3; k++) needle[k] = (st_real)mapping_random(), along[k] = (st_real)mapping_random();
            for (int i = 1; i < 4; i++)
                for (int k = 0; k < 3; k++)
                    needle[3 * i + k] =
                        needle[k] + along[k] * (i == 1 ? 1 : ST_R(0.5)) + width * (st_real)mapping_random();
            for (int i = 0; i < 4; i++)
                for (int k = 0; k < 3; k++) small[3 * i + k] = needle[3 + k] + ST_R(0.1) * (i == k + 1 ? 2 : 1);
        }
        st_cell_search search = {0};
        assert_true(st_cell_search_add(&search, ST_TETRAHEDRON, &tetrahedra, x) && st_cell_search_finish(&search, x));
        for (int i = 0; i < 20 * PAIRS; i++) {
            const st_real *needle = x + 24 * (i % PAIRS), reach = (st_real)(1 + pow(10, -3 + 1.5 * mapping_random()));
            st_real p[3], local[3];
            for (int k = 0; k < 3; k++) p[k] = needle[k] + reach * (needle[3 + k] - needle[k]);
            const size_t expected = loop_over_elements(ST_TETRAHEDRON, &tetrahedra, x, p);
            beyond += expected == 2 * (size_t)(i % PAIRS);
            assert_int_equal(st_cell_search_find(&search, p, local), expected);
        }
        st_cell_search_free(&search);
        st_list_free(&tetrahedra);
    }
    assert_true(beyond > 100);
}

// ---------------------------------------------------------------------------------------------------
// Blocks outside of the states
// ---------------------------------------------------------------------------------------------------

static void stay(st_mapping *mapping, st_coord_id out, st_const_coord_id in) { (void)mapping, (void)out, (void)in; }

static void stray(st_mapping *mapping, size_t out, size_t in, st_sink *sink) {
    (void)out, (void)in;
    st_add_scalar(sink, 0, 0, 1);
    st_add_scalar(sink, 0, 3 * st_mapping_in(mapping)->size, 1);
    st_add_scalar(sink, SIZE_MAX, 0, 1);
}

static const st_mapping_ops stray_ops = {.apply = stay, .jacobian = stray};
static const st_class stray_class = {
    .name = "StrayMapping",
    .parent = &st_mapping_class,
    .templates = "Vec3,Vec3",
    .size = sizeof(st_mapping),
    .mapping = &stray_ops,
};

static size_t strays;
static void count_strays(void *user, const st_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->severity == ST_ERROR && strstr(diagnostic->text, "Jacobian")) strays++;
}

// They are left out and reported once, whether there is a matrix or not.
static void test_stray_blocks(void **unused) {
    (void)unused;
    static const char *const solvers[] = {"<CGLinearSolver iterations='5' tolerance='1e-9' threshold='1e-9'/>",
                                          "<SparseLDLSolver/>"};
    for (int i = 0; i < 2; i++) {
        st_config config = st_default_config();
        config.log = count_strays;
        strays = 0;
        st_scene *scene = st_scene_create(&config);
        assert_int_equal(st_register_class(scene, &stray_class), ST_OK);
        char *text = st_string_format(
            "<Node><DefaultAnimationLoop/><Node name='p'><EulerImplicitSolver/>%s<MechanicalObject position='1 2 3'/>"
            "<UniformMass totalMass='1'/><Node name='c'><MechanicalObject/><StrayMapping/><UniformMass totalMass='1'/>"
            "</Node></Node></Node>",
            solvers[i]);
        assert_true(st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL)));
        st_free(text);
        st_scene_init(scene);
        for (int step = 0; step < 3; step++) assert_int_equal(st_scene_step(scene, 0), ST_OK);
        assert_int_equal(strays, 1);
        st_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),          cmocka_unit_test(test_identity_derivatives),
        cmocka_unit_test(test_identity_sizes_child), cmocka_unit_test(test_flags),
        cmocka_unit_test(test_rest_position),        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_broken_meshes),        cmocka_unit_test(test_moved_grid),
        cmocka_unit_test(test_rest_search),          cmocka_unit_test(test_edges),
        cmocka_unit_test(test_visual_child),         cmocka_unit_test(test_search),
        cmocka_unit_test(test_uneven_mesh),          cmocka_unit_test(test_containers),
        cmocka_unit_test(test_stray_blocks),         cmocka_unit_test(test_needles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
