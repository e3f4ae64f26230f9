// Sparse grids: which cells are kept, their order and weights, finer levels, ramification, and the search for cells.
//
// SPDX-License-Identifier: Apache-2.0
#include "loader_scene.h"

#include "math/vec3.h"
#include "topology/lattice_visit.h"
#include "topology/sparse_grid.h"

// Corners of a cube from `low` to `high`, moved along x.
static void cube_points(char *text, size_t size, double low, double high, double shift) {
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    size_t at = strlen(text);
    for (int i = 0; i < 8; i++)
        at += (size_t)snprintf(text + at, size - at, "%g %g %g ", corner[i][0] ? high + shift : low + shift,
                               corner[i][1] ? high : low, corner[i][2] ? high : low);
}

static void cube_triangles(char *text, size_t size, int first) {
    static const int triangles[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                      3, 7, 6, 3, 6, 2, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};
    size_t at = strlen(text);
    for (int i = 0; i < 36; i++) at += (size_t)snprintf(text + at, size - at, "%d ", first + triangles[i]);
}

// A grid over one cube, or over two side by side along x.
static physics_scene *load_cubes(const char *type, int cubes, double high, double shift, const char *attributes) {
    char points[1024] = "", triangles[1024] = "", text[4096];
    for (int i = 0; i < cubes; i++) {
        cube_points(points, sizeof points, 0, high, i * shift);
        cube_triangles(triangles, sizeof triangles, 8 * i);
    }
    snprintf(text, sizeof text, "<%s name='mesh' position='%s' triangles='%s' %s/>", type, points, triangles,
             attributes);
    return physics_load(text);
}

static st_sparse_grid *grid_of(physics_scene *test) { return (st_sparse_grid *)physics_find(test, "/mesh"); }
static size_t hexahedra(physics_scene *test) {
    return st_topology_elements(&grid_of(test)->mesh.topology, ST_HEXAHEDRON)->count;
}
static size_t points(physics_scene *test) { return st_topology_points(&grid_of(test)->mesh.topology); }

static size_t of_type(const st_sparse_level *level, st_cell_type type) {
    size_t count = 0;
    for (size_t i = 0; i < level->type.count; i++) count += level->type.data[i] == type;
    return count;
}

// Cells of size 1 from -½ to 3½: the faces of the cube from 0 to 3 run through the outer layer, 8 cells are inside.
static void cube_in_a_grid(void **state) {
    (void)state;
    physics_scene *test = load_cubes("SparseGridTopology", 1, 3, 0, "n='5 5 5' min='-0.5 -0.5 -0.5' max='3.5 3.5 3.5'");
    const st_sparse_level *level = st_sparse_grid_level(grid_of(test));
    assert_int_equal(hexahedra(test), 64);
    assert_int_equal(points(test), 125);
    assert_int_equal(of_type(level, ST_CELL_BOUNDARY), 56);
    for (size_t i = 0; i < 64; i++) { // boundary first
        assert_int_equal(level->type.data[i], i < 56 ? ST_CELL_BOUNDARY : ST_CELL_INSIDE);
        assert_true(level->stiffness.data[i] == (i < 56 ? 0.5f : 1.0f));
    }
    // points in the order of x, then y, then z
    const st_real *x = grid_of(test)->mesh.topology.position.data;
    assert_reals(x, 3, (st_real[]){-0.5, -0.5, -0.5}, 0);
    assert_reals(x + 3, 3, (st_real[]){-0.5, -0.5, 0.5}, 0);
    assert_reals(x + 15, 3, (st_real[]){-0.5, 0.5, -0.5}, 0);
    // the lists of the surface are gone: their numbers are not those of the grid
    assert_int_equal(st_topology_elements(&grid_of(test)->mesh.topology, ST_TRIANGLE)->count, 0);
    physics_free(test);
}

static void only_inside_cells(void **state) {
    (void)state;
    physics_scene *test = load_cubes("SparseGridTopology", 1, 3, 0,
                                     "n='5 5 5' min='-0.5 -0.5 -0.5' max='3.5 3.5 3.5' onlyInsideCells='1'");
    assert_int_equal(hexahedra(test), 8);
    assert_int_equal(points(test), 27);
    physics_free(test);
}

// The box of the surface is wider by 1 % on each side.
static void box_of_the_surface(void **state) {
    (void)state;
    physics_scene *test = load_cubes("SparseGridTopology", 1, 2, 0, "n='2 2 2'");
    const st_sparse_grid *grid = grid_of(test);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs((double)grid->min[i] + 0.02) < 1e-6);
        assert_true(fabs((double)grid->max[i] - 2.02) < 1e-6);
    }
    physics_free(test);
}

// Without a weight for the boundary, and with finer levels, a coefficient is the part of the cell that is kept.
static void finer_levels_weigh_cells(void **state) {
    (void)state;
    physics_scene *test = load_cubes("SparseGridTopology", 1, 1.9, 0,
                                     "n='3 3 3' min='-1 -1 -1' max='5 5 5' nbVirtualFinerLevels='2' fillWeighted='0'");
    const st_sparse_grid *grid = grid_of(test);
    assert_int_equal(grid->level_count, 3);
    for (size_t i = 0; i + 1 < grid->level_count; i++) {
        double fine = 0, coarse = 0;
        for (size_t h = 0; h < grid->levels[i].cell.count; h++) fine += (double)grid->levels[i].stiffness.data[h];
        for (size_t h = 0; h < grid->levels[i + 1].cell.count; h++)
            coarse += 8 * (double)grid->levels[i + 1].stiffness.data[h];
        assert_true(fabs(fine - coarse) < 1e-5);
        assert_int_equal(grid->levels[i].parent.count, grid->levels[i].cell.count);
    }
    assert_int_equal(hexahedra(test), 1); // the cube lies in the first of eight cells
    physics_free(test);
}

// Two cubes of size 1 in one cell of size 4, apart by more than a fine cell: two hexahedra in the same place.
static size_t find(const st_sparse_grid *grid, const st_real p[3], st_real local[3]) {
    st_sparse_search search = st_sparse_search_of(grid);
    size_t hexahedron = SIZE_MAX;
    assert_true(st_sparse_search_find(&search, p, &hexahedron, local));
    st_sparse_search_free(&search);
    return hexahedron;
}

static void pieces_become_hexahedra(void **state) {
    (void)state;
    physics_scene *test =
        load_cubes("SparseGridRamificationTopology", 2, 1, 2.5,
                   "n='2 2 2' min='-0.2 -0.2 -0.2' max='3.8 3.8 3.8' nbVirtualFinerLevels='3' finestConnectivity='0'");
    assert_int_equal(hexahedra(test), 2);
    assert_int_equal(points(test), 16);
    const st_sparse_level *level = st_sparse_grid_level(grid_of(test));
    for (size_t c = 0; c < 8; c++)
        assert_reals(level->points.data + 3 * level->hexahedra.data[8 + c], 3,
                     level->points.data + 3 * level->hexahedra.data[c], 0);
    // a point belongs to the piece that it is in
    st_real local[3];
    assert_int_equal(find(grid_of(test), (st_real[]){0.5, 0.5, 0.5}, local), 0);
    assert_int_equal(find(grid_of(test), (st_real[]){3, 0.5, 0.5}, local), 1);
    physics_free(test);

    test = load_cubes("SparseGridTopology", 2, 1, 2.5,
                      "n='2 2 2' min='-0.2 -0.2 -0.2' max='3.8 3.8 3.8' nbVirtualFinerLevels='3'");
    assert_int_equal(hexahedra(test), 1);
    physics_free(test);
}

// Off the compatibility table a part has the coefficients of all its children.
static void parts_have_all_children(void **state) {
    (void)state;
    double sum[2] = {0, 0};
    for (int compat = 0; compat < 2; compat++) {
        char corners[1024] = "", triangles[1024] = "", text[4096];
        for (int i = 0; i < 2; i++) {
            cube_points(corners, sizeof corners, 0, 1.7, i * 3.5);
            cube_triangles(triangles, sizeof triangles, 8 * i);
        }
        snprintf(text, sizeof text,
                 "<SparseGridRamificationTopology name='mesh' position='%s' triangles='%s' n='2 2 2' min='-0.2 -1.5 "
                 "-0.2' max='5.4 4.1 5.4' nbVirtualFinerLevels='3' finestConnectivity='0' fillWeighted='0'/>",
                 corners, triangles);
        physics_scene *test = physics_load_with(text, !compat);
        const st_sparse_level *level = st_sparse_grid_level(grid_of(test));
        for (size_t i = 0; i < level->cell.count; i++) sum[compat] += (double)level->stiffness.data[i];
        if (!compat) assert_true(fabs(sum[0] - (double)grid_of(test)->levels[0].cell.count / 512) < 1e-6);
        physics_free(test);
    }
    assert_true(sum[1] < sum[0]);
}

static void cells_of_points(void **state) {
    (void)state;
    physics_scene *test = load_cubes("SparseGridTopology", 1, 3, 0, "n='5 5 5' min='-0.5 -0.5 -0.5' max='3.5 3.5 3.5'");
    const st_sparse_grid *grid = grid_of(test);
    const st_sparse_level *level = st_sparse_grid_level(grid);
    st_real local[3];
    size_t h = find(grid, (st_real[]){1, 1.25, 2}, local);
    assert_int_equal(level->type.data[h], ST_CELL_INSIDE);
    assert_reals(local, 3, (st_real[]){0.5, 0.75, 0.5}, 1e-6);
    // outside: the nearest boundary cell, with coordinates beyond it
    h = find(grid, (st_real[]){-2.5, 0, 0}, local);
    assert_reals(level->points.data + 3 * level->hexahedra.data[8 * h], 3, (st_real[]){-0.5, -0.5, -0.5}, 0);
    assert_reals(local, 3, (st_real[]){-2, 0.5, 0.5}, 1e-6);
    physics_free(test);
}

// Outside: the first of the boundary cells with the nearest middle, as single precision sees it. Among the points are
// those of a lattice, where many are as near, and some so far away that nearly all are.
static void nearest_cells(void **state) {
    (void)state;
    physics_scene *test =
        load_cubes("SparseGridTopology", 2, 3, 5, "n='17 12 12' min='-0.5 -0.5 -0.5' max='8.5 3.5 3.5'");
    const st_sparse_grid *grid = grid_of(test);
    const st_sparse_level *level = st_sparse_grid_level(grid);
    st_sparse_search search = st_sparse_search_of(grid);
    unsigned seed = 4711;
    for (int i = 0; i < 600; i++) {
        st_real p[3], local[3];
        size_t found, expected = SIZE_MAX;
        float best = 99999999.0f;
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            p[k] = (st_real)((seed >> 8) % 2001) / 100 - 10;
            if (i % 3 == 0) p[k] = floor(p[k]) - ST_R(0.5);
            if (i % 7 == 0) p[k] *= 500;
        }
        if (st_lattice_find(&level->lattice, p, local) != SIZE_MAX) continue;
        for (size_t h = 0; h < level->hexahedra.count; h++) {
            const uint32_t *v = level->hexahedra.data + 8 * h;
            st_real d[3];
            if (level->type.data[h] != ST_CELL_BOUNDARY) continue;
            for (size_t k = 0; k < 3; k++)
                d[k] = p[k] - (level->points.data[3 * v[0] + k] + level->points.data[3 * v[6] + k]) / 2;
            const float distance = (float)st_vec3_norm2(d);
            if (distance < best) best = distance, expected = h;
        }
        assert_true(st_sparse_search_find(&search, p, &found, local));
        assert_int_equal(found, expected);
    }
    st_sparse_search_free(&search);
    physics_free(test);
}

static void triangles_touch_cubes(void **state) {
    (void)state;
    static const struct {
        float corners[3][3];
        bool touches;
    } cases[] = {
        {{{0.4f, 0, 0}, {5, 0, 0}, {5, 1, 0}}, true},                          // a corner inside
        {{{0.5f, 0, 0}, {5, 0, 0}, {5, 1, 0}}, true},                          // a corner on a face
        {{{0.6f, 0, 0}, {5, 0, 0}, {5, 1, 0}}, false},                         // beyond a face
        {{{-2, -2, 0}, {2, 2, 0}, {2, 2, 3}}, true},                           // an edge through it
        {{{-9, -9, 0.2f}, {9, -9, 0.2f}, {0, 9, 0.2f}}, true},                 // around it
        {{{-9, -9, 0.6f}, {9, -9, 0.6f}, {0, 9, 0.6f}}, false},                // above it
        {{{1.2f, 0, 0}, {0, 1.2f, 0}, {0.6f, 0.6f, 3}}, false},                // beyond an edge
        {{{1.6f, 0, 0}, {0, 1.6f, 0}, {0, 0, 1.6f}}, false},                   // beyond a corner
        {{{1.4f, 0, 0}, {0, 1.4f, 0}, {0, 0, 1.4f}}, true},                    // cuts off a corner
        {{{0.7f, 0.7f, 0.7f}, {0.7f, 0.7f, 0.7f}, {0.7f, 0.7f, 0.7f}}, false}, // a point
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(st_triangle_touches_cube(cases[i].corners), cases[i].touches);
}

static void mark(void *context, const int32_t at[3]) { ((int *)context)[at[0] + 16 * (at[1] + 16 * at[2])]++; }

// Every cell that a triangle touches is visited once, and of the others only those near it.
static void cells_near_a_triangle(void **state) {
    (void)state;
    const st_lattice lattice = {{17, 17, 17}, {-1, 2, 0}, {0.5, (st_real)0.25, 2}};
    uint32_t seed = 1;
    for (int t = 0; t < 200; t++) {
        st_real p[3][3];
        for (int i = 0; i < 9; i++) {
            seed = seed * 1664525u + 1013904223u;
            const st_real u = (st_real)(seed >> 8) / (st_real)(1 << 24) * 16; // in cells
            p[i / 3][i % 3] = lattice.p0[i % 3] + lattice.step[i % 3] * (t % 4 == 3 && i >= 6 ? u / 100 : u);
        }
        if (t % 4 == 2)
            for (int i = 0; i < 3; i++) p[2][i] = p[1][i]; // a segment
        static int visits[16 * 16 * 16];
        memset(visits, 0, sizeof visits);
        st_lattice_visit(&lattice, (const st_real(*)[3])p, (int32_t[]){0, 0, 0}, (int32_t[]){15, 15, 15}, mark, visits);
        size_t visited = 0, touched = 0;
        for (int cell = 0; cell < 16 * 16 * 16; cell++) {
            const int at[3] = {cell % 16, cell / 16 % 16, cell / 256};
            float unit[3][3];
            for (int i = 0; i < 9; i++)
                unit[i / 3][i % 3] = (float)((p[i / 3][i % 3] - lattice.p0[i % 3]) / lattice.step[i % 3] -
                                             (st_real)at[i % 3] - (st_real)0.5);
            const bool touches = st_triangle_touches_cube((const float(*)[3])unit);
            assert_true(visits[cell] <= 1 && (!touches || visits[cell] == 1));
            visited += (size_t)visits[cell];
            touched += touches;
        }
        assert_true(visited <= 2 * touched + 4); // those within a thousandth of a cell
    }
}

static void several_surfaces(void **state) {
    (void)state;
    static const char cube[] = "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 0 0 3\nv 3 0 3\nv 3 3 3\nv 0 3 3\n"
                               "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    char path[2][512], text[2048];
    for (int i = 0; i < 2; i++) {
        char name[32];
        snprintf(name, sizeof name, "sparse_%d.obj", i);
        snprintf(path[i], sizeof path[i], "%s", loader_file(name, cube, sizeof cube - 1));
    }
    snprintf(text, sizeof text,
             "<SparseGridMultipleTopology name='mesh' n='5 5 5' min='-0.5 -0.5 -0.5' max='3.5 3.5 3.5' "
             "finestConnectivity='0' fileTopologies='%s %s' stiffnessCoefs='4 8' massCoefs='2'/>",
             path[0], path[1]);
    physics_scene *test = physics_load(text);
    assert_int_equal(test->count[ST_WARNING], 1); // a mass is missing
    const st_sparse_level *level = st_sparse_grid_level(grid_of(test));
    assert_int_equal(hexahedra(test), 64);
    for (size_t i = 0; i < 64; i++) {
        const bool inside = level->type.data[i] == ST_CELL_INSIDE;
        assert_true(level->stiffness.data[i] == (inside ? 8.0f : 5.0f)); // ((0 + 4) / 2 + 8) / 2
        assert_true(level->mass.data[i] == (inside ? 1.0f : 1.0f));      // ((0 + 2) / 2 + 1) / 2
    }
    physics_free(test);
    for (int i = 0; i < 2; i++) remove(path[i]);
}

// A file that is not there is left out, and the others keep their coefficients; `filename` alone joins boundary cells.
static void surfaces_that_are_missing_or_join(void **state) {
    (void)state;
    static const char cube[] = "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 0 0 3\nv 3 0 3\nv 3 3 3\nv 0 3 3\n"
                               "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    static const char away[] = "v 90 90 90\nv 91 90 90\nv 90 91 90\nf 1 2 3\n"; // crosses no cell
    char path[2][512], text[2048];
    snprintf(path[0], sizeof path[0], "%s", loader_file("sparse_0.obj", cube, sizeof cube - 1));
    snprintf(path[1], sizeof path[1], "%s", loader_file("sparse_1.obj", away, sizeof away - 1));

    snprintf(text, sizeof text,
             "<SparseGridMultipleTopology name='mesh' n='5 5 5' min='-0.5 -0.5 -0.5' max='3.5 3.5 3.5' "
             "finestConnectivity='0' fileTopologies='absent.obj %s' stiffnessCoefs='4 8' massCoefs='2 6'/>",
             path[0]);
    physics_scene *test = physics_load(text);
    const st_sparse_level *level = st_sparse_grid_level(grid_of(test));
    assert_true(test->count[ST_ERROR] > 0);
    for (size_t i = 0; i < 64; i++) {
        const bool inside = level->type.data[i] == ST_CELL_INSIDE;
        assert_true(level->stiffness.data[i] == (inside ? 8.0f : 4.0f) &&
                    level->mass.data[i] == (inside ? 6.0f : 3.0f));
    }
    physics_free(test);

    size_t count[3];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text,
                 "<SparseGridMultipleTopology name='mesh' n='5 5 5' min='-0.5 -0.5 -0.5' max='3.5 3.5 3.5' %s%s%s "
                 "fileTopologies='%s' stiffnessCoefs='4' massCoefs='2'/>",
                 i ? "filename='" : "", i ? path[i - 1] : "", i ? "'" : "", path[0]);
        test = physics_load(text);
        count[i] = points(test);
        physics_free(test);
    }
    assert_int_equal(count[0], count[1]);
    assert_true(count[2] > count[1]);
    for (int i = 0; i < 2; i++) remove(path[i]);
}

// Two equal cubes: the cells of the second are joined as those of the first.
static void every_surface_joins_its_cells(void **state) {
    (void)state;
    char path[2][512], text[2048];
    for (int i = 0; i < 2; i++) {
        char name[32], cube[512];
        const int a = 6 * i, b = 6 * i + 3;
        snprintf(name, sizeof name, "sparse_%d.obj", i);
        const int length = snprintf(cube, sizeof cube,
                                    "v %d 0 0\nv %d 0 0\nv %d 3 0\nv %d 3 0\nv %d 0 3\nv %d 0 3\nv %d 3 3\nv %d 3 3\n"
                                    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
                                    a, b, b, a, a, b, b, a);
        snprintf(path[i], sizeof path[i], "%s", loader_file(name, cube, (size_t)length));
    }
    snprintf(text, sizeof text,
             "<SparseGridMultipleTopology name='mesh' n='11 5 5' min='-0.5 -0.5 -0.5' max='9.5 3.5 3.5' "
             "fileTopologies='%s %s' stiffnessCoefs='1 1' massCoefs='1 1'/>",
             path[0], path[1]);
    physics_scene *test = physics_load(text);
    const st_reals *x = &grid_of(test)->mesh.topology.position;
    size_t sides[2] = {0};
    for (size_t i = 0; i < points(test); i++) sides[x->data[3 * i] > ST_R(4.5)]++;
    assert_int_equal(hexahedra(test), 128);
    assert_true(sides[0] > 0);
    assert_int_equal(sides[0], sides[1]);
    physics_free(test);
    for (int i = 0; i < 2; i++) remove(path[i]);
}

// The image of a loader has the size that it had when the file was read.
static void voxels_of_a_loader(void **state) {
    (void)state;
    static const char *const later[] = {"2 2 2", "1 1 1", "-1 0 7", "2000000000 2000000000 2000000000"};
    static const unsigned char image[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < 4; i++) {
        physics_scene *test = calloc(1, sizeof *test);
        assert_non_null(test);
        st_config config = st_default_config();
        config.log = physics_log;
        config.log_user = test;
        test->scene = st_scene_create(&config);
        char text[1024];
        snprintf(text, sizeof text,
                 "<Node><VoxelGridLoader name='loader' filename='%s' resolution='2 2 2' bgValue='0'/>"
                 "<SparseGridTopology name='mesh' n='3 3 3'/></Node>",
                 loader_file("loaded.raw", image, sizeof image));
        assert_true(st_succeeded(st_scene_load_text(test->scene, text, strlen(text), NULL)));
        remove(loader_file("loaded.raw", "", 0));
        assert_int_equal(st_object_set(physics_find(test, "/loader"), "resolution", later[i]), ST_OK);
        st_scene_init(test->scene);
        assert_int_equal(st_topology_elements((st_topology *)physics_find(test, "/mesh"), ST_HEXAHEDRON)->count, 8);
        physics_free(test);
    }
}

static void voxel_files(void **state) {
    (void)state;
    static const char text[] = "2 1 1  3 2 2  1 0";
    physics_scene *test = physics_load("<Node/>");
    physics_free(test);
    char scene[1024];
    snprintf(scene, sizeof scene, "<SparseGridTopology name='mesh' filename='%s'/>",
             loader_file("image.voxel", text, sizeof text - 1));
    test = physics_load(scene);
    assert_int_equal(hexahedra(test), 1);
    assert_reals(grid_of(test)->mesh.topology.position.data + 21, 3, (st_real[]){3, 2, 2}, 0);
    physics_free(test);
    remove(loader_file("image.voxel", "", 0));

    static const char raw[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    snprintf(scene, sizeof scene,
             "<SparseGridTopology name='mesh' n='2 2 3' dataResolution='2 2 2' voxelSize='1 1 2' filename='%s'/>",
             loader_file("image.raw", raw, sizeof raw));
    test = physics_load(scene);
    assert_int_equal(hexahedra(test), 1);
    assert_reals(grid_of(test)->mesh.topology.position.data, 3, (st_real[]){0, 0, 2}, 0);
    physics_free(test);
    remove(loader_file("image.raw", "", 0));
}

static void refuse(const char *xml, const char *what) {
    physics_scene *test = physics_load(xml);
    if (!test->count[ST_ERROR] || !strstr(test->log, what)) fail_msg("no \"%s\" in: %s", what, test->log);
    assert_int_equal(physics_find(test, "/mesh")->validity, ST_BROKEN);
    assert_int_equal(points(test), 0);
    assert_int_equal(hexahedra(test), 0);
    physics_free(test);
}

static void what_makes_no_sense(void **state) {
    (void)state;
    refuse("<SparseGridTopology name='mesh'/>", "no surface");
    refuse("<SparseGridTopology name='mesh' position='0 0 0  1 0 0  0 1 0'/>", "no volume");
    refuse("<SparseGridTopology name='mesh' position='0 0 0  1 1 1' n='100000 100000 100000'/>", "cells");
    refuse("<SparseGridTopology name='mesh' position='0 0 0  1 1 1' nbVirtualFinerLevels='99'/>", "between 0 and");
    refuse("<SparseGridTopology name='mesh' position='0 0 0  1 1 1' nbVirtualFinerLevels='-1'/>", "between 0 and");
    refuse("<SparseGridTopology name='mesh' position='0 0 0  1 1 1' cellWidth='1e-12'/>", "is more than");
    refuse("<SparseGridTopology name='mesh' position='0 0 0  1 1 1' cellWidth='-1'/>", "must not be negative");
    refuse("<SparseGridTopology name='mesh' filename='nowhere.obj'/>", "not found");
    refuse("<SparseGridTopology name='mesh' filename='nowhere.msh'/>", ".obj or a .trian");
    refuse("<SparseGridMultipleTopology name='mesh'/>", "names no surface");
    refuse("<SparseGridMultipleTopology name='mesh' fileTopologies='absent.obj' stiffnessCoefs='1' massCoefs='1'/>",
           "could be read");
    physics_scene *test = physics_load("<SparseGridTopology name='mesh' position='0 0 0  1 1 1' triangles='0 1 7'/>");
    assert_non_null(strstr(test->log, "beyond its 2 points"));
    physics_free(test);
    test = physics_load("<SparseGridTopology name='mesh' position='0 0 0  1 1 1' facets='[]'/>"); // no corners
    assert_int_equal(test->count[ST_ERROR], 0);
    physics_free(test);
}

// A state that comes before the grid gets its points all the same.
static void state_before_the_grid(void **state) {
    (void)state;
    physics_scene *test = physics_load(
        "<MechanicalObject name='dofs'/><SparseGridTopology name='mesh' n='3 3 3' position='0 0 0  1 1 1'/>");
    assert_int_equal(((st_state *)physics_find(test, "/dofs"))->size, points(test));
    assert_true(points(test) > 1);
    physics_free(test);
}

// What SOFA makes of its own meshes.
static void known_meshes(void **state) {
    (void)state;
    static const struct {
        const char *type, *file, *attributes;
        size_t points, hexahedra, boundary;
    } cases[] = {
        {"SparseGridTopology", "dragon.obj", "n='6 5 4'", 110, 50, 50},
        {"SparseGridTopology", "dragon.obj", "n='12 9 6'", 434, 238, 234},
        {"SparseGridTopology", "dragon.obj", "n='25 20 9'", 2061, 1291, 1123},
        {"SparseGridRamificationTopology", "c.obj", "n='5 2 2' nbVirtualFinerLevels='3' finestConnectivity='0'", 32, 7,
         7},
        {"SparseGridRamificationTopology", "c.obj", "n='5 3 3' finestConnectivity='1'", 54, 16, 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, "<%s name='mesh' filename='%s' %s/>", cases[i].type, loader_shared(cases[i].file),
                 cases[i].attributes);
        physics_scene *test = physics_load(text);
        assert_int_equal(points(test), cases[i].points);
        assert_int_equal(hexahedra(test), cases[i].hexahedra);
        assert_int_equal(of_type(st_sparse_grid_level(grid_of(test)), ST_CELL_BOUNDARY), cases[i].boundary);
        physics_free(test);
    }
}

static void known_levels(void **state) {
    (void)state;
    char text[1024];
    snprintf(text, sizeof text,
             "<SparseGridRamificationTopology name='mesh' filename='%s' n='5 2 2' nbVirtualFinerLevels='3' "
             "finestConnectivity='0'/>",
             loader_shared("c.obj"));
    physics_scene *test = physics_load(text);
    static const size_t cells[4] = {1116, 152, 32, 7}, corners[4] = {0, 365, 102, 32};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(grid_of(test)->levels[i].cell.count, cells[i]);
        if (i) assert_int_equal(grid_of(test)->levels[i].points.count, corners[i]);
    }
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_in_a_grid),
        cmocka_unit_test(only_inside_cells),
        cmocka_unit_test(box_of_the_surface),
        cmocka_unit_test(finer_levels_weigh_cells),
        cmocka_unit_test(pieces_become_hexahedra),
        cmocka_unit_test(parts_have_all_children),
        cmocka_unit_test(cells_of_points),
        cmocka_unit_test(nearest_cells),
        cmocka_unit_test(triangles_touch_cubes),
        cmocka_unit_test(cells_near_a_triangle),
        cmocka_unit_test(several_surfaces),
        cmocka_unit_test(surfaces_that_are_missing_or_join),
        cmocka_unit_test(every_surface_joins_its_cells),
        cmocka_unit_test(voxel_files),
        cmocka_unit_test(voxels_of_a_loader),
        cmocka_unit_test(what_makes_no_sense),
        cmocka_unit_test(state_before_the_grid),
        cmocka_unit_test(known_meshes),
        cmocka_unit_test(known_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
