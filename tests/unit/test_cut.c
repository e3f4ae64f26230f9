// Cuts through triangles and tetrahedra: random boxes by random planes, and by walls and bodies of
// triangles. Volume or area stays, no element is turned over or
// thin, facets conform, both sides are apart and have the right shape (Euler's characteristic).
//
// labels: double-only
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "base/array.h"
#include "math/vec3.h"
#include "topology/cut/cut.h"
#include "topology/cut/cut_surface.h"
#include "topology/tables.h"

// With sanitizers a part of the boxes is enough.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { PART = 20 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
enum { PART = 20 };
#else
enum { PART = 1 };
#endif
#else
enum { PART = 1 };
#endif

static uint64_t seed;
static st_real random_real(st_real low, st_real high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (st_real)(seed >> 40) / ST_R(16777216.0);
}

// ---------------------------------------------------------------------------------------------------
// Meshes
// ---------------------------------------------------------------------------------------------------

typedef struct mesh {
    st_element kind;
    size_t n[3]; // cells
    st_uints elements;
    st_reals x;
} mesh;

static uint32_t lattice(const mesh *m, size_t x, size_t y, size_t z) {
    return (uint32_t)(x + (m->n[0] + 1) * (y + (m->n[1] + 1) * z));
}

static void add_cell(mesh *m, size_t x, size_t y, size_t z) {
    uint32_t v[8];
    for (int i = 0; i < 8; i++)
        v[i] = lattice(m, x + (size_t)st_hexahedron_corners[i][0], y + (size_t)st_hexahedron_corners[i][1],
                       m->kind == ST_TRIANGLE ? 0 : z + (size_t)st_hexahedron_corners[i][2]);
    static const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const size_t size = st_element_size[m->kind];
    for (int t = 0; t < (m->kind == ST_TRIANGLE ? 2 : 6); t++) {
        assert_true(st_list_set_count(&m->elements, m->elements.count + 1, size));
        for (size_t k = 0; k < size; k++)
            m->elements.data[(m->elements.count - 1) * size + k] =
                v[m->kind == ST_TRIANGLE ? triangles[t][k] : st_hexahedron_tetrahedra[t][k]];
    }
}

// A box of cells, its points moved by a part of a cell; it stays a box.
static mesh make_box(st_element kind, const size_t n[3], st_real shake) {
    mesh m = {.kind = kind, .n = {n[0], n[1], kind == ST_TRIANGLE ? 0 : n[2]}};
    for (size_t z = 0; z <= m.n[2]; z++)
        for (size_t y = 0; y <= n[1]; y++)
            for (size_t x = 0; x <= n[0]; x++) {
                const size_t at[3] = {x, y, z};
                for (int k = 0; k < 3; k++) {
                    const bool inside = at[k] > 0 && at[k] < m.n[k];
                    assert_true(st_list_push(&m.x, (st_real)at[k] + (inside ? random_real(-shake, shake) : 0)));
                }
            }
    for (size_t z = 0; z < (kind == ST_TRIANGLE ? 1 : n[2]); z++)
        for (size_t y = 0; y < n[1]; y++)
            for (size_t x = 0; x < n[0]; x++) add_cell(&m, x, y, z);
    return m;
}

static void mesh_free(mesh *m) {
    st_list_free(&m->elements);
    st_list_free(&m->x);
}

static st_points points_of(const mesh *m) { return (st_points){m->x.data, m->x.count / 3, 3, 3}; }

// Signed volume, or area as seen from above.
static st_real size_of(const mesh *m, size_t e) {
    const size_t n = st_element_size[m->kind];
    const uint32_t *v = m->elements.data + e * n;
    st_real a[3], b[3], c[3], cross[3];
    st_vec3_sub(a, m->x.data + 3 * v[1], m->x.data + 3 * v[0]);
    st_vec3_sub(b, m->x.data + 3 * v[2], m->x.data + 3 * v[0]);
    st_vec3_cross(cross, a, b);
    if (m->kind == ST_TRIANGLE) return cross[2] / 2;
    st_vec3_sub(c, m->x.data + 3 * v[3], m->x.data + 3 * v[0]);
    return st_vec3_dot(cross, c) / 6;
}

// The mesh after the cut; elements that are gone left out.
static mesh after(const st_cut *cut, const mesh *before) {
    mesh m = {.kind = before->kind};
    for (size_t i = 0; i < before->x.count; i++) assert_true(st_list_push(&m.x, before->x.data[i]));
    for (size_t i = 0; i + 1 < cut->starts.count; i++)
        for (size_t k = 0; k < 3; k++) {
            st_real sum = 0;
            for (uint32_t a = cut->starts.data[i]; a < cut->starts.data[i + 1]; a++)
                sum += cut->weights.data[a] * before->x.data[3 * cut->ancestors.data[a] + k];
            assert_true(st_list_push(&m.x, sum));
        }
    for (size_t e = 0; e < cut->vertices.count / cut->size; e++) {
        if (e < cut->elements && cut->gone.data[e]) continue;
        assert_true(st_list_set_count(&m.elements, m.elements.count + 1, cut->size));
        memcpy(m.elements.data + (m.elements.count - 1) * cut->size, cut->vertices.data + e * cut->size,
               cut->size * sizeof(uint32_t));
    }
    return m;
}

// ---------------------------------------------------------------------------------------------------
// What must hold
// ---------------------------------------------------------------------------------------------------

typedef struct shape {
    size_t pieces; // that share no facet
    long euler;    // points - edges + faces - volumes
    st_real total, least;
    size_t shared; // points of two pieces
} shape;

static uint32_t root(uint32_t *up, uint32_t i) {
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
}

// Every face and edge once; at most two elements at a facet.
static shape measure(const mesh *m) {
    const size_t n = st_element_size[m->kind], count = m->elements.count;
    st_element_set sets[4] = {{0}};
    uint32_t *up = malloc(count * sizeof *up), *used = calloc(m->x.count / 3, sizeof *used);
    bool *point = calloc(m->x.count / 3, sizeof *point);
    shape s = {.least = ST_R(1e30)};
    for (uint32_t e = 0; e < count; e++) up[e] = e;

    for (uint32_t e = 0; e < count; e++) {
        const uint32_t *v = m->elements.data + e * n;
        const st_real size = size_of(m, e);
        s.total += size;
        s.least = st_min(s.least, size);
        for (size_t i = 0; i < n; i++) {
            assert_true(v[i] < m->x.count / 3);
            point[v[i]] = true;
            for (size_t k = 0; k < i; k++) st_element_set_add(&sets[0], (uint32_t[]){v[i], v[k]}, 2, 0);
            uint32_t facet[3], k = 0;
            for (size_t j = 0; j < n; j++)
                if (j != i) facet[k++] = v[j];
            const uint32_t known = st_element_set_find(&sets[1], facet, (int)n - 1);
            if (known == ST_INVALID_INDEX) st_element_set_add(&sets[1], facet, (int)n - 1, e);
            else {
                assert_int_equal(st_element_set_add(&sets[2], facet, (int)n - 1, e), ST_SET_ADDED); // never a third
                up[root(up, e)] = root(up, known);
            }
        }
    }

    // pieces, and points that hold two of them together
    for (uint32_t e = 0; e < count; e++) s.pieces += root(up, e) == e;
    for (uint32_t e = 0; e < count; e++)
        for (size_t i = 0; i < n; i++) {
            uint32_t *piece = &used[m->elements.data[e * n + i]];
            s.shared += *piece && *piece != root(up, e) + 1;
            *piece = root(up, e) + 1;
        }
    for (size_t i = 0; i < m->x.count / 3; i++) s.euler += point[i];
    s.euler += -(long)sets[0].count + (n == 4 ? (long)sets[1].count - (long)count : (long)count);
    for (int i = 0; i < 4; i++) st_element_set_free(&sets[i]);
    free(up);
    free(used);
    free(point);
    return s;
}

// No element reaches from one side to the other by more than the part of an edge that snapping allows.
static void check_sides(const mesh *m, const st_plane_knife *plane) {
    const size_t n = st_element_size[m->kind];
    for (size_t e = 0; e < m->elements.count; e++) {
        st_real low = 0, high = 0;
        for (size_t i = 0; i < n; i++) {
            const st_real d = st_vec3_dot(plane->normal, m->x.data + 3 * m->elements.data[e * n + i]) - plane->offset;
            low = st_min(low, d);
            high = st_max(high, d);
        }
        assert_true(st_min(-low, high) <= ST_R(0.1) * ST_R(2.3));
    }
}

static void random_boxes(st_element kind, size_t runs, st_real shake, bool through_points) {
    size_t parted = 0, pieces = 0;
    for (size_t run = 0; run < runs / PART; run++) {
        size_t n[3];
        st_real normal[3], point[3];
        for (int k = 0; k < 3; k++) n[k] = 1 + (size_t)random_real(0, ST_R(3.99));
        mesh m = make_box(kind, n, shake);
        for (int k = 0; k < 3; k++) {
            normal[k] = through_points && random_real(0, 1) < ST_R(0.4) ? 0 : random_real(-1, 1);
            point[k] = random_real(0, (st_real)n[k]);
            if (through_points) point[k] = floor(point[k]);
        }
        if (kind == ST_TRIANGLE) normal[2] = 0;
        st_plane_knife plane;
        if (!st_plane_knife_make(&plane, normal, point)) {
            mesh_free(&m);
            continue;
        }

        const shape before = measure(&m);
        const st_points points = points_of(&m);
        st_cut cut = {0};
        assert_true(st_cut_find(&cut, kind, &m.elements, &points, points.count, &plane.knife, ST_R(0.1)));
        mesh made = after(&cut, &m);
        const shape s = measure(&made);

        assert_near(s.total, before.total, ST_R(1e-12) / ST_R(2.2e-16) * ST_REAL_EPSILON * before.total);
        if (!(s.least > ST_R(1e-4) * before.least))
            print_message("run %zu: %g of %g\n", run, (double)s.least, (double)before.least);
        assert_true(s.least > ST_R(1e-4) * before.least);
        if (s.pieces > 2 || s.euler != (long)s.pieces)
            print_message("run %zu: %zu pieces, Euler %ld\n", run, s.pieces, s.euler);
        assert_true(s.pieces <= 2);
        assert_int_equal(s.euler, s.pieces); // a ball or a disk each
        assert_int_equal(s.shared, 0);
        check_sides(&made, &plane);
        if (cut.split + cut.doubled == 0) assert_int_equal(s.pieces, 1);
        parted += s.pieces == 2;
        pieces++;
        st_cut_free(&cut);
        mesh_free(&made);
        mesh_free(&m);
    }
    assert_true(parted > pieces / 2);
}

static void boxes_of_tetrahedra(void **state) {
    (void)state;
    seed = 1;
    random_boxes(ST_TETRAHEDRON, 7000, ST_R(0.12), false);
}

static void boxes_cut_through_their_points(void **state) {
    (void)state;
    seed = 2;
    random_boxes(ST_TETRAHEDRON, 3000, 0, true);
}

static void membranes(void **state) {
    (void)state;
    seed = 3;
    random_boxes(ST_TRIANGLE, 5000, ST_R(0.15), false);
    random_boxes(ST_TRIANGLE, 2000, 0, true);
}

// ---------------------------------------------------------------------------------------------------
// Surfaces
// ---------------------------------------------------------------------------------------------------

static shape cut_by_surface(const mesh *m, const st_real *corners, size_t points, const uint32_t *triangles,
                            size_t count, size_t *doubled) {
    const st_points surface_points = {corners, points, 3, 3}, mesh_points = points_of(m);
    st_surface_knife surface;
    assert_int_equal(st_surface_knife_make(&surface, &surface_points, triangles, count, NULL), ST_OK);
    st_cut cut = {0};
    assert_true(st_cut_find(&cut, m->kind, &m->elements, &mesh_points, mesh_points.count, &surface.knife, ST_R(0.1)));
    mesh made = after(&cut, m);
    const shape s = measure(&made), before = measure(m);
    assert_near(s.total, before.total, ST_R(1e-12) / ST_R(2.2e-16) * ST_REAL_EPSILON * before.total);
    assert_true(s.least > ST_R(1e-4) * before.least);
    assert_int_equal(s.shared, 0);
    *doubled = cut.doubled;
    st_cut_free(&cut);
    mesh_free(&made);
    st_surface_knife_free(&surface);
    return s;
}

// A wall of two triangles across the box at x = a + b z, up to the height y.
static shape cut_by_wall(const mesh *m, st_real a, st_real b, st_real y, size_t *doubled) {
    const st_real c[12] = {a - b, -1, -1, a + 6 * b, -1, 6, a + 6 * b, y, 6, a - b, y, -1};
    return cut_by_surface(m, c, 4, (uint32_t[]){0, 1, 2, 0, 2, 3}, 2, doubled);
}

static void a_wall_parts_and_half_a_wall_cracks(void **state) {
    (void)state;
    seed = 4;
    for (int run = 0; run < 300 / PART; run++)
        for (int kind = 0; kind < 2; kind++) {
            mesh m = make_box(kind ? ST_TRIANGLE : ST_TETRAHEDRON, (size_t[]){4, 4, 2}, ST_R(0.12));
            const st_real a = random_real(1, 3), b = random_real(ST_R(-0.1), ST_R(0.1));
            size_t doubled;

            // through all of it
            shape s = cut_by_wall(&m, a, b, 6, &doubled);
            assert_int_equal(s.pieces, 2);
            assert_int_equal(s.euler, 2);

            // a crack is no hole: one ball, open at its side
            s = cut_by_wall(&m, a, b, random_real(ST_R(1.5), ST_R(2.5)), &doubled);
            assert_int_equal(s.pieces, 1);
            assert_int_equal(s.euler, 1);
            assert_true(doubled > 0);
            mesh_free(&m);
        }
}

static void an_octahedron_is_cut_out(void **state) {
    (void)state;
    static const uint32_t faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    seed = 5;
    for (int run = 0; run < 100 / PART; run++) {
        mesh m = make_box(ST_TETRAHEDRON, (size_t[]){6, 6, 6}, ST_R(0.12));
        st_real c[18], r = random_real(ST_R(2.1), ST_R(2.6));
        for (int i = 0; i < 18; i++) c[i] = 3 + ST_R(0.013) * (st_real)(i % 3);
        for (int i = 0; i < 6; i++) c[3 * i + i / 2] += i % 2 ? -r : r;
        size_t doubled;
        const shape s = cut_by_surface(&m, c, 6, faces, 8, &doubled);

        // a ball, and a body with a hole of that size: 1 + 2
        assert_int_equal(s.pieces, 2);
        assert_int_equal(s.euler, 3);
        mesh_free(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_of_tetrahedra),
        cmocka_unit_test(boxes_cut_through_their_points),
        cmocka_unit_test(membranes),
        cmocka_unit_test(a_wall_parts_and_half_a_wall_cracks),
        cmocka_unit_test(an_octahedron_is_cut_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
