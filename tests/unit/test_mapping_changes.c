// Topological mappings that follow changes: random edits of the input, then the same scene built from scratch on the final
// mesh. Elements, tables, mapped points and their positions must be the same. In both directions where SOFA does.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/array.h"
#include "plan/edits.h"
#include "scene/scene.h"
#include "topology/edit.h"
#include "topology/mapping/topological_mapping.h"

typedef struct text {
    char data[1 << 16];
    size_t length;
} text;

static void put(text *t, const char *format, ...) ST_PRINTF(2, 3);
static void put(text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    t->length += (size_t)vsnprintf(t->data + t->length, sizeof t->data - t->length, format, list);
    va_end(list);
    assert_true(t->length < sizeof t->data);
}

static uint32_t below(uint64_t *seed, size_t limit) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % (limit ? limit : 1));
}

static st_topology *mesh_of(physics_scene *test, const char *path) { return (st_topology *)physics_find(test, path); }

// ---------------------------------------------------------------------------------------------------
// Scenes: a body with a mesh, and below it what is made from it
// ---------------------------------------------------------------------------------------------------

static const char *const names[] = {"edges", "triangles", "quads", "tetrahedra", "hexahedra"};

typedef struct kind_of_scene {
    const char *container; // of the input
    st_element kind;
    const char *template; // of its state
    const char *below;    // the child node's components
    bool adds;            // elements come back, too
} kind_of_scene;

// The mesh as it is, with the child that belongs to it.
static physics_scene *load_like(const kind_of_scene *k, const st_topology *mesh, const st_state *state) {
    static text t;
    t.length = 0;
    put(&t, "<Node name='body'><%sSetTopologyContainer name='mesh' position='", k->container);
    const size_t width = st_state_dof(state)->coord;
    for (size_t i = 0; i < state->size; i++)
        for (size_t a = 0; a < 3; a++) put(&t, "%.17g ", (double)state->coord[ST_COORD_POSITION].data[i * width + a]);
    put(&t, "'");
    for (int kind = 0; kind <= ST_HEXAHEDRON; kind++) {
        if (mesh->elements[kind].count) put(&t, " %s='", names[kind]);
        for (size_t i = 0; i < mesh->elements[kind].count * st_element_size[kind]; i++)
            put(&t, "%u ", mesh->elements[kind].data[i]);
        if (mesh->elements[kind].count) put(&t, "'");
    }
    put(&t, "/><%sSetTopologyModifier name='modifier'/><MechanicalObject name='dofs' template='%s' position='",
        k->container, k->template);
    for (size_t i = 0; i < width * state->size; i++) put(&t, "%.17g ", (double)state->coord[ST_COORD_POSITION].data[i]);
    put(&t, "'/><Node name='out'>%s</Node></Node>", k->below);
    return physics_load(t.data);
}

// A grid of hexahedra, tetrahedra or a line, as the first scene.
static physics_scene *load_first(const kind_of_scene *k) {
    static const int tetrahedra[6][4] = {{0, 5, 1, 6}, {0, 1, 3, 6}, {1, 3, 6, 2},
                                         {6, 3, 0, 7}, {6, 7, 0, 5}, {7, 5, 4, 0}};
    static text t;
    t.length = 0;
    put(&t, "<MeshTopology name='mesh' %s='", names[k->kind]);
    if (k->kind == ST_EDGE) put(&t, "0 1 1 2 2 3 3 4 4 5 2 6 6 7");
    for (size_t c = 0; k->kind != ST_EDGE && c < 12; c++) {
        const size_t o = c % 3 + 4 * (c / 3 % 2) + 12 * (c / 6);
        const size_t v[8] = {o, o + 1, o + 5, o + 4, o + 12, o + 13, o + 17, o + 16};
        for (int i = 0; k->kind == ST_HEXAHEDRON && i < 8; i++) put(&t, "%zu ", v[i]);
        for (int i = 0; k->kind == ST_TETRAHEDRON && i < 24; i++) put(&t, "%zu ", v[tetrahedra[i / 4][i % 4]]);
    }
    put(&t, "'/><MechanicalObject name='dofs' template='%s' position='", k->template);
    for (size_t i = 0; i < (k->kind == ST_EDGE ? 8u : 36u); i++)
        if (k->kind == ST_EDGE) put(&t, "%zu %zu 0 0 0 0.6 0.8 ", i, i * i % 5);
        else put(&t, "%zu %zu %zu ", i % 4, i / 4 % 3, i / 12);
    put(&t, "'/>");
    physics_scene *grid = physics_load(t.data);
    physics_scene *first = load_like(k, mesh_of(grid, "/mesh"), physics_state(grid, "/dofs"));
    physics_free(grid);
    return first;
}

// One or two elements go; sometimes one comes that has the vertices of another one, with a new point in the first place.
static void edit_once(const kind_of_scene *k, physics_scene *test, uint64_t *seed) {
    st_topology *mesh = mesh_of(test, "/body/mesh");
    const size_t count = mesh->elements[k->kind].count, size = st_element_size[k->kind];
    const uint32_t ids[2] = {below(seed, count), below(seed, count)};

    if (k->adds && below(seed, 3) == 0) {
        uint32_t v[8];
        const uint32_t starts[2] = {0, 2};
        const st_real halves[2] = {ST_R(0.5), ST_R(0.5)};
        memcpy(v, mesh->elements[k->kind].data + ids[0] * size, size * sizeof *v);
        const st_origin origin = {starts, v, halves};
        assert_int_equal(st_edit_add_points(mesh, 1, &origin, true), ST_OK);
        v[0] = (uint32_t)st_topology_points(mesh) - 1;
        assert_int_equal(st_edit_add(mesh, k->kind, v, 1, NULL), ST_OK);
    } else if (count > 3) {
        const bool two = ids[0] != ids[1];
        assert_int_equal(st_edit_remove_items((st_modifier *)physics_find(test, "/body/modifier"), ids, two ? 2 : 1),
                         ST_OK);
    }
    st_finish_edits(test->scene);
}

// ---------------------------------------------------------------------------------------------------
// What is compared
// ---------------------------------------------------------------------------------------------------

static int compare_points(const void *a, const void *b) {
    const st_real *p = a, *q = b;
    for (int i = 0; i < 3; i++)
        if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
    return 0;
}

// The points of each element, or of no element, by their positions: numbers of points may differ.
static void list_places(physics_scene *test, const char *mesh_path, const char *state_path, int kind, st_reals *out) {
    const st_topology *mesh = mesh_of(test, mesh_path);
    const st_state *state = physics_state(test, state_path);
    const size_t count = kind == ST_POINT ? state->size : mesh->elements[kind].count * st_element_size[kind];
    assert_true(st_list_set_count(out, count, 3));
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = kind == ST_POINT ? (uint32_t)i : mesh->elements[kind].data[i];
        assert_true(at < state->size);
        for (size_t a = 0; a < 3; a++) out->data[3 * i + a] = state->coord[ST_COORD_POSITION].data[3 * (size_t)at + a];
    }
    if (kind == ST_POINT && count) qsort(out->data, count, 3 * sizeof(st_real), compare_points);
}

static void assert_same_places(physics_scene *a, physics_scene *b, const char *mesh, const char *state, int kind) {
    st_reals x = {0}, y = {0};
    list_places(a, mesh, state, kind, &x);
    list_places(b, mesh, state, kind, &y);
    assert_int_equal(x.count, y.count);
    assert_reals(x.data, 3 * x.count, y.data, 1e3 * ST_REAL_EPSILON);
    st_list_free(&x);
    st_list_free(&y);
}

// The order of elements may differ, too: their vertices' sums, which are exact here.
static void assert_same_set(physics_scene *a, physics_scene *b, const char *mesh, const char *state, int kind) {
    physics_scene *tests[2] = {a, b};
    st_reals sums[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        st_reals places = {0};
        const size_t size = st_element_size[kind];
        list_places(tests[k], mesh, state, kind, &places);
        assert_true(st_list_set_count(&sums[k], places.count / size, 3));
        for (size_t i = 0; i < 3 * sums[k].count; i++) {
            sums[k].data[i] = 0;
            for (size_t v = 0; v < size; v++) sums[k].data[i] += places.data[3 * (i / 3 * size + v) + i % 3];
        }
        qsort(sums[k].data, sums[k].count, 3 * sizeof(st_real), compare_points);
        st_list_free(&places);
    }
    assert_int_equal(sums[0].count, sums[1].count);
    assert_reals(sums[0].data, 3 * sums[0].count, sums[1].data, 0);
    st_list_free(&sums[0]);
    st_list_free(&sums[1]);
}

// Random edits, then elements and points against the scene from scratch, then the way back.
static void check_scene(const kind_of_scene *k, st_element made, const char *state) {
    for (uint64_t sequence = 1; sequence <= 4; sequence++) {
        physics_scene *test = load_first(k);
        uint64_t seed = sequence;
        if (test->count[ST_ERROR]) fail_msg("%s", test->log);
        const size_t first = mesh_of(test, "/body/out/mesh")->elements[made].count;

        for (int i = 0; i < 6; i++) {
            edit_once(k, test, &seed);
            physics_scene *fresh = load_like(k, mesh_of(test, "/body/mesh"), physics_state(test, "/body/dofs"));
            assert_int_equal(st_topology_points(mesh_of(test, "/body/out/mesh")),
                             st_topology_points(mesh_of(fresh, "/body/out/mesh")));
            assert_same_places(test, fresh, "/body/out/mesh", state, (int)made);
            assert_same_places(test, fresh, "/body/out/mesh", state, ST_POINT);
            physics_free(fresh);
        }
        if (test->count[ST_ERROR] || strstr(test->log, "made again")) fail_msg("%s", test->log);

        assert_int_equal(st_scene_reset(test->scene), ST_OK);
        assert_int_equal(mesh_of(test, "/body/out/mesh")->elements[made].count, first);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// The mappings
// ---------------------------------------------------------------------------------------------------

static void tetrahedra_of_hexahedra(void **state) {
    (void)state;
    check_scene(&(kind_of_scene){"Hexahedron", ST_HEXAHEDRON, "Vec3",
                                 "<TetrahedronSetTopologyContainer name='mesh'/><TetrahedronSetTopologyModifier/>"
                                 "<Hexa2TetraTopologicalMapping input='@../mesh' output='@mesh'/>",
                                 true},
                ST_TETRAHEDRON, "/body/dofs");
}

static void skin_of_a_beam(void **state) {
    (void)state;
    check_scene(&(kind_of_scene){"Edge", ST_EDGE, "Rigid3",
                                 "<QuadSetTopologyContainer name='mesh'/><QuadSetTopologyModifier/>"
                                 "<MechanicalObject name='skin'/><Edge2QuadTopologicalMapping "
                                 "nbPointsOnEachCircle='5' radius='0.2' input='@../mesh' output='@mesh'/>",
                                 true},
                ST_QUAD, "/body/out/skin");
}

static void centers(void **state) {
    (void)state;
    const kind_of_scene k = {"Hexahedron", ST_HEXAHEDRON, "Vec3",
                             "<PointSetTopologyContainer name='mesh'/><PointSetTopologyModifier/>"
                             "<MechanicalObject name='centers'/>"
                             "<CenterPointTopologicalMapping input='@../mesh' output='@mesh'/>",
                             true};
    physics_scene *test = load_first(&k);
    const st_topology *hexahedra = mesh_of(test, "/body/mesh"), *points = mesh_of(test, "/body/out/mesh");
    st_state *dofs = physics_state(test, "/body/out/centers");
    uint64_t seed = 5;

    // a mark for each center, which stays with its hexahedron
    for (size_t i = 0; i < dofs->size; i++) dofs->coord[ST_COORD_POSITION].data[3 * i] = (st_real)i;
    const uint32_t corner = hexahedra->elements[ST_HEXAHEDRON].data[8 * 11 + 6];
    assert_int_equal(corner, 35);
    assert_int_equal(st_edit_remove_items((st_modifier *)physics_find(test, "/body/modifier"), (uint32_t[]){3}, 1),
                     ST_OK);
    st_finish_edits(test->scene);
    assert_int_equal(dofs->size, 11);
    assert_near(dofs->coord[ST_COORD_POSITION].data[9], 11, 0);
    for (int i = 0; i < 8; i++) edit_once(&k, test, &seed);
    assert_int_equal(st_topology_points(points), hexahedra->elements[ST_HEXAHEDRON].count);
    assert_int_equal(dofs->size, hexahedra->elements[ST_HEXAHEDRON].count);
    physics_free(test);
}

static void points_of_a_mesh(void **state) {
    (void)state;
    check_scene(&(kind_of_scene){"Tetrahedron", ST_TETRAHEDRON, "Vec3",
                                 "<TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"
                                 "<MechanicalObject name='points'/><Mesh2PointTopologicalMapping input='@../mesh' "
                                 "output='@mesh' pointBaryCoords='0 0 0.1  0 0.1 0' edgeBaryCoords='0.3 0 0' "
                                 "triangleBaryCoords='0.2 0.3 0' tetraBaryCoords='0.1 0.2 0.3  0.3 0.2 0.1' "
                                 "copyTriangles='1'/>"
                                 "<Mesh2PointMechanicalMapping input='@../dofs' output='@points'/>",
                                 true},
                ST_TRIANGLE, "/body/out/points");
}

static void points_of_hexahedra(void **state) {
    (void)state;
    check_scene(&(kind_of_scene){"Hexahedron", ST_HEXAHEDRON, "Vec3",
                                 "<PointSetTopologyContainer name='mesh'/><PointSetTopologyModifier/>"
                                 "<MechanicalObject name='points'/><Mesh2PointTopologicalMapping input='@../mesh' "
                                 "output='@mesh' quadBaryCoords='0.2 0.3 0' hexaBaryCoords='0.5 0.5 0.5'/>"
                                 "<Mesh2PointMechanicalMapping input='@../dofs' output='@points'/>",
                                 true},
                ST_EDGE, "/body/out/points");
}

static const kind_of_scene divided = {
    "Tetrahedron", ST_TETRAHEDRON, "Vec3",
    "<TetrahedronSetTopologyContainer name='mesh'/><TetrahedronSetTopologyModifier name='modifier'/>"
    "<SimpleTesselatedTetraTopologicalMapping name='map' input='@../mesh' output='@mesh'/>"
    "<MechanicalObject name='fine'/><SimpleTesselatedTetraMechanicalMapping input='@../dofs' output='@fine'/>",
    true};

static void divided_tetrahedra(void **state) {
    (void)state;
    check_scene(&divided, ST_TETRAHEDRON, "/body/out/fine");
}

// An input tetrahedron goes with the last of its eight, not before.
static void parts_take_their_whole_with_them(void **state) {
    (void)state;
    physics_scene *test = load_first(&divided);
    const st_topological_mapping *map = (const st_topological_mapping *)physics_find(test, "/body/out/map");
    const st_topology *coarse = mesh_of(test, "/body/mesh"), *fine = mesh_of(test, "/body/out/mesh");
    st_modifier *modifier = (st_modifier *)physics_find(test, "/body/out/modifier");
    const size_t count = coarse->elements[ST_TETRAHEDRON].count;

    for (size_t left = 8; left-- > 0;) {
        uint32_t id = ST_INVALID_INDEX;
        for (size_t k = 0; id == ST_INVALID_INDEX && k < 8; k++) id = map->glob_to_loc.data[8 * 4 + k];
        assert_int_equal(st_edit_remove_items(modifier, &id, 1), ST_OK);
        st_finish_edits(test->scene);
        assert_int_equal(coarse->elements[ST_TETRAHEDRON].count, left ? count : count - 1);
        assert_int_equal(map->loc_to_glob.count, fine->elements[ST_TETRAHEDRON].count);
        assert_int_equal(physics_state(test, "/body/out/fine")->size, st_topology_points(fine));
    }
    assert_int_equal(fine->elements[ST_TETRAHEDRON].count, 8 * (count - 1));

    physics_scene *fresh = load_like(&divided, coarse, physics_state(test, "/body/dofs"));
    assert_same_set(test, fresh, "/body/out/mesh", "/body/out/fine", ST_TETRAHEDRON);
    physics_free(fresh);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Subset
// ---------------------------------------------------------------------------------------------------

#define SQUARES                                                                                                        \
    "<Node name='body'><TriangleSetTopologyContainer name='mesh' position='0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0' "      \
    "triangles='0 1 3  1 4 3  1 2 4  2 5 4'/><TriangleSetTopologyModifier name='modifier'/>"                           \
    "<MechanicalObject name='dofs'/><Node name='out'><TriangleSetTopologyContainer name='mesh' "                       \
    "position='1 0 0 2 0 0 1 1 0 2 1 0' triangles='0 1 2  1 3 2'/><TriangleSetTopologyModifier name='modifier'/>"      \
    "<MechanicalObject name='part'/>"                                                                                  \
    "<SubsetTopologicalMapping name='map' handleTriangles='1' handleEdges='%d' input='@../mesh' output='@mesh'/>"      \
    "<SubsetMapping input='@../dofs' output='@part' indices='@map.pointD2S'/></Node></Node>"

static physics_scene *load_squares(int edges) {
    char scene[2048];
    snprintf(scene, sizeof scene, SQUARES, edges);
    physics_scene *test = physics_load(scene);
    if (test->count[ST_ERROR]) fail_msg("%s", test->log);
    return test;
}

static const st_uints *table_of(physics_scene *test, const char *name) {
    const st_object *map = physics_find(test, "/body/out/map");
    return st_member(map, st_fields(map)[st_field_index(map, name)]);
}

// Each element of the subset is the one that its table names, and its points are where the source's are.
static void assert_subset(physics_scene *test, size_t triangles) {
    const st_topology *whole = mesh_of(test, "/body/mesh"), *part = mesh_of(test, "/body/out/mesh");
    const st_state *x = physics_state(test, "/body/dofs"), *y = physics_state(test, "/body/out/part");
    const st_uints *points = table_of(test, "pointD2S"), *from = table_of(test, "triangleD2S");
    assert_int_equal(points->count, st_topology_points(part));
    assert_int_equal(y->size, st_topology_points(part));
    for (size_t i = 0; i < 3 * points->count; i++)
        assert_near(y->coord[ST_COORD_POSITION].data[i],
                    x->coord[ST_COORD_POSITION].data[3 * (size_t)points->data[i / 3] + i % 3], 0);

    assert_int_equal(part->elements[ST_TRIANGLE].count, triangles);
    assert_int_equal(from->count, triangles);
    for (size_t i = 0; i < 3 * triangles; i++)
        assert_int_equal(points->data[part->elements[ST_TRIANGLE].data[i]],
                         whole->elements[ST_TRIANGLE].data[3 * (size_t)from->data[i / 3] + i % 3]);
}

static void a_part_follows_its_whole(void **state) {
    (void)state;
    for (int edges = 0; edges < 2; edges++) {
        physics_scene *test = load_squares(edges);
        st_topology *whole = mesh_of(test, "/body/mesh");
        st_modifier *modifier = (st_modifier *)physics_find(test, "/body/modifier");
        assert_subset(test, 2);

        // outside of the part: only the tables change
        assert_int_equal(st_edit_remove_items(modifier, (uint32_t[]){0}, 1), ST_OK);
        st_finish_edits(test->scene);
        assert_subset(test, 2);

        // a triangle with a point in the middle of the part, and one that has a point outside
        const st_origin origin = {(uint32_t[]){0, 2}, (uint32_t[]){1, 4}, (st_real[]){ST_R(0.5), ST_R(0.5)}};
        assert_int_equal(st_edit_add_points(whole, 1, &origin, true), ST_OK);
        const uint32_t added = (uint32_t)st_topology_points(whole) - 1;
        assert_int_equal(st_edit_add(whole, ST_TRIANGLE, (uint32_t[]){1, 2, added, 1, 4, 3}, 2, NULL), ST_OK);
        st_finish_edits(test->scene);
        assert_subset(test, 3);

        // inside, by the whole and by somebody else
        assert_int_equal(st_edit_remove_items(modifier, (uint32_t[]){1, 2}, 2), ST_OK);
        st_finish_edits(test->scene);
        const size_t left = mesh_of(test, "/body/out/mesh")->elements[ST_TRIANGLE].count;
        assert_true(left < 3);
        assert_subset(test, left);
        if (left)
            assert_int_equal(
                st_edit_remove_items((st_modifier *)physics_find(test, "/body/out/modifier"), (uint32_t[]){0}, 1),
                ST_OK);
        st_finish_edits(test->scene);
        assert_int_equal(mesh_of(test, "/body/out/mesh")->elements[ST_TRIANGLE].count, left ? left - 1 : 0);
        if (test->count[ST_ERROR]) fail_msg("%s", test->log);

        assert_int_equal(st_scene_reset(test->scene), ST_OK);
        assert_subset(test, 2);
        physics_free(test);
    }
}

static void a_part_follows_new_numbers(void **state) {
    (void)state;
    physics_scene *test = load_squares(1);
    assert_int_equal(st_edit_renumber_points(mesh_of(test, "/body/mesh"), (uint32_t[]){5, 4, 3, 2, 1, 0}, true), ST_OK);
    st_finish_edits(test->scene);
    assert_field(test, "/body/out/map", "pointD2S", "4 3 1 0");
    assert_subset(test, 2);
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tetrahedra_of_hexahedra),
        cmocka_unit_test(skin_of_a_beam),
        cmocka_unit_test(centers),
        cmocka_unit_test(points_of_a_mesh),
        cmocka_unit_test(points_of_hexahedra),
        cmocka_unit_test(divided_tetrahedra),
        cmocka_unit_test(parts_take_their_whole_with_them),
        cmocka_unit_test(a_part_follows_its_whole),
        cmocka_unit_test(a_part_follows_new_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
