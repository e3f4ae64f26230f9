// MeshTetraStuffing: fills a closed surface with well-shaped tetrahedra cut out of a body-centered cubic lattice.
//
//   1. The lattice fills the box of the surface, 1 % larger on each side, or the given one.
//   2. Its lines are met with the surface; the lines through each vertex vote whether it is inside (bcc_lattice.h).
//   3. With snapPoints, vertices with the surface within a fraction alpha of an edge that crosses it move onto it: outside
//      ones first, towards outside ones, which happens where a thin part of the body lies between them; then inside
//      ones, towards the outside. Each takes the shortest way. The order is SOFA's and decides the mesh.
//   4. With splitTetrahedra, edges that still cross get a point on the surface (tetra_cut.h).
//   5. Every edge of one grid and two neighbors of the other one around it make a tetrahedron; those with a vertex inside
//      are kept, and with splitTetrahedra what is outside of them is cut off.
//   6. Points that are used are numbered again, tetrahedra turned to positive volume.
//
//     F. Labelle and J. R. Shewchuk, Isosurface stuffing: fast tetrahedral meshes with good dihedral angles, 2007
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/bcc_lattice.h"
#include "engine/engine.h"
#include "engine/shapes.h"
#include "engine/tetra_cut.h"

typedef struct mesh_tetra_stuffing {
    st_object object;
    st_reals box; // two points, or none
    st_real size, alpha_long, alpha_short;
    bool snap, split, draw;
    st_reals points;
    st_uints triangles, quads;
    st_reals output_points;
    st_uints tetrahedra;
} mesh_tetra_stuffing;

static const st_field fields[] = {
    ST_INPUT(mesh_tetra_stuffing, box, "vbbox", st_type_vec3s, NULL,
             "box to fill, as two points; the surface's box, 1 % larger, when empty"),
    ST_INPUT(mesh_tetra_stuffing, size, "size", st_type_real, "-8",
             "size of a cell; negative: number of cells along the largest side"),
    ST_INPUT(mesh_tetra_stuffing, points, "inputPoints", st_type_vec3s, NULL, "points of the surface"),
    ST_INPUT(mesh_tetra_stuffing, triangles, "inputTriangles", st_type_triangles, NULL, "triangles of the surface"),
    ST_INPUT(mesh_tetra_stuffing, quads, "inputQuads", st_type_quads, NULL, "quads of the surface"),
    ST_INPUT(mesh_tetra_stuffing, alpha_long, "alphaLong", st_type_real, "0.24999",
             "fraction of an edge along the axes within which a vertex snaps"),
    ST_INPUT(mesh_tetra_stuffing, alpha_short, "alphaShort", st_type_real, "0.42978", "the same for diagonal edges"),
    ST_INPUT(mesh_tetra_stuffing, snap, "snapPoints", st_type_bool, "0", "move vertices near the surface onto it"),
    ST_INPUT(mesh_tetra_stuffing, split, "splitTetrahedra", st_type_bool, "0", "cut tetrahedra at the surface",
             .aliases = "splitTetras"),
    ST_SHOWN(mesh_tetra_stuffing, draw, "draw", st_type_bool, "0", "draw the mesh"),
    ST_OUTPUT(mesh_tetra_stuffing, output_points, "outputPoints", st_type_vec3s, "points of the mesh"),
    ST_OUTPUT(mesh_tetra_stuffing, tetrahedra, "outputTetrahedra", st_type_tetrahedra, "tetrahedra of the mesh",
              .aliases = "outputTetras"),
    ST_FIELDS_END,
};

// ---------------------------------------------------------------------------------------------------
// The lattice
// ---------------------------------------------------------------------------------------------------

static bool choose_box(const mesh_tetra_stuffing *engine, st_real box[6]) {
    if (engine->box.count >= 2 && engine->box.data[0] < engine->box.data[3]) {
        // the given box
        st_copy_reals(box, engine->box.data, 6);
        st_box_sort(box);
    } else {
        // the surface's, with 1 % of its size on each side
        st_box_of_points(box, engine->points.data, engine->points.count);
        for (int a = 0; a < 3; a++) {
            const st_real margin = (box[3 + a] - box[a]) / 100;
            box[a] -= margin;
            box[3 + a] += margin;
        }
    }

    return engine->points.count > 0;
}

static st_real cell_size(const mesh_tetra_stuffing *engine, const st_real box[6]) {
    st_real largest = 0;
    double points = 2;

    // a negative size is a number of cells along the longest side
    for (int a = 0; a < 3; a++) largest = st_max(largest, box[3 + a] - box[a]);
    const st_real h = engine->size < 0 ? largest / -engine->size : engine->size;

    // both grids, with their margins
    for (int a = 0; a < 3 && h > 0; a++) points *= (double)(box[3 + a] - box[a]) / (double)h + 6;
    if (h > 0 && 16 * points < ST_ENGINE_LARGEST) return h;

    st_message(&engine->object, ST_ERROR, "size is %g for a surface of extent %g: nothing is made",
               (double)engine->size, (double)largest);
    return 0;
}

// ---------------------------------------------------------------------------------------------------
// Snapping
// ---------------------------------------------------------------------------------------------------

typedef struct snapping {
    const mesh_tetra_stuffing *engine;
    st_tetra_cut *cut;
    const st_bcc_lattice *lattice;
    bool *violated; // too near to the surface on an edge that crosses it
} snapping;

// The fraction of an edge within which a vertex snaps.
static st_real alpha(const snapping *s, int edge) {
    return edge < ST_BCC_LONG ? s->engine->alpha_long : s->engine->alpha_short;
}

static bool is_near(const snapping *s, size_t i, int edge, st_real limit) {
    const st_real t = *st_bcc_distance(s->lattice, i, edge);
    return t > 0 && t < limit;
}

static void find_violated(snapping *s) {
    const signed char *sign = s->cut->signs.data;

    for (size_t i = 0; i < s->lattice->count; i++)
        for (int e = 0; e < ST_BCC_EDGES && !s->violated[i]; e++) {
            const size_t to = st_bcc_neighbor(s->lattice, i, e);
            s->violated[i] = to != SIZE_MAX && (sign[to] > 0) != (sign[i] > 0) && is_near(s, i, e, alpha(s, e));
        }
}

// Has an inside vertex still an edge to the outside that it may snap along? SOFA takes the limit of the edge to the
// vertex that moved.
static bool is_still_violated(const snapping *s, size_t i, st_real limit) {
    for (int e = 0; e < ST_BCC_EDGES; e++) {
        const size_t to = st_bcc_neighbor(s->lattice, i, e);
        if (to != SIZE_MAX && s->cut->signs.data[to] < 0 && is_near(s, i, e, limit)) return true;
    }
    return false;
}

// Moves a vertex onto the surface along one of its edges: no distance from or to it counts any more.
static void snap_along(snapping *s, size_t i, int edge, bool test_again) {
    const st_bcc_lattice *l = s->lattice;
    const size_t target = st_bcc_neighbor(l, i, edge);
    const st_real t = *st_bcc_distance(l, i, edge);
    st_real *p = s->cut->points.data + 3 * i, way[3];

    // onto the surface: p += t (q - p)
    st_vec3_sub(way, s->cut->points.data + 3 * target, p);
    st_vec3_add_scaled(p, p, way, t);
    s->cut->signs.data[i] = 0;
    s->violated[i] = false;

    // distances from and to it
    for (int e = 0; e < ST_BCC_EDGES; e++) {
        const size_t to = st_bcc_neighbor(l, i, e);
        *st_bcc_distance(l, i, e) = 0;
        if (to == SIZE_MAX) continue;

        *st_bcc_distance(l, to, e ^ 1) = 0;
        if (test_again && s->violated[to] && s->cut->signs.data[to] > 0)
            s->violated[to] = is_still_violated(s, to, alpha(s, e));
    }
}

// The shortest way to the surface along an edge to a vertex that `fits`; -1 when there is none. Squares of distances in
// half cells: long edges have 4, short ones 3.
static int best_edge(const snapping *s, size_t i, bool (*fits)(const snapping *, size_t)) {
    st_real least = ST_REAL_MAX;
    int best = -1;

    for (int e = 0; e < ST_BCC_EDGES; e++) {
        const size_t to = st_bcc_neighbor(s->lattice, i, e);
        if (to == SIZE_MAX || !fits(s, to) || !is_near(s, i, e, alpha(s, e))) continue;

        const st_real t = *st_bcc_distance(s->lattice, i, e), square = t * t * (e < ST_BCC_LONG ? 4 : 3);
        if (square < least) {
            least = square;
            best = e;
        }
    }
    return best;
}

static bool is_free_outside(const snapping *s, size_t i) { return s->cut->signs.data[i] <= 0 && !s->violated[i]; }
static bool is_outside(const snapping *s, size_t i) { return s->cut->signs.data[i] < 0; }

static bool snap_points(const mesh_tetra_stuffing *engine, st_tetra_cut *cut) {
    snapping s = {.engine = engine, .cut = cut, .lattice = cut->lattice};
    s.violated = st_alloc(s.lattice->count, sizeof *s.violated);
    if (!s.violated) return false;

    find_violated(&s);

    // outside vertices move where the surface passes twice between them and another outside one, until none does
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < s.lattice->count; i++) {
            if (!s.violated[i] || cut->signs.data[i] >= 0) continue;
            const int e = best_edge(&s, i, is_free_outside);
            if (e >= 0) snap_along(&s, i, e, true), moved = true;
        }
    }

    // inside vertices move outward
    size_t left = 0;
    for (size_t i = 0; i < s.lattice->count; i++) {
        if (!s.violated[i] || cut->signs.data[i] <= 0) continue;
        const int e = best_edge(&s, i, is_outside);
        if (e >= 0) snap_along(&s, i, e, false);
        else left++;
    }
    if (left) st_message(&engine->object, ST_ERROR, "%zu points near the surface find no edge to snap along", left);

    st_free(s.violated);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Tetrahedra
// ---------------------------------------------------------------------------------------------------

// The four around the edge from G(at) to the point before it along the axis.
static bool add_around(st_tetra_cut *cut, const st_bcc_lattice *l, const size_t at[3], int axis, bool split) {
    static const int ring[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    size_t before[3] = {at[0], at[1], at[2]};
    before[axis]--;
    const uint32_t a = (uint32_t)st_bcc_grid_index(l, false, at), b = (uint32_t)st_bcc_grid_index(l, false, before);

    // the ring of the other grid's points around the edge, closed by repeating the first
    uint32_t around[5];
    for (int k = 0; k < 5; k++) {
        size_t corner[3] = {at[0], at[1], at[2]};
        corner[u] += (size_t)ring[k][0];
        corner[v] += (size_t)ring[k][1];
        around[k] = (uint32_t)st_bcc_grid_index(l, true, corner);
    }

    for (int k = 0; k < 4; k++) {
        const uint32_t vertices[4] = {a, b, around[k + 1], around[k]}; // of positive volume before points snap
        if (!st_tetra_cut_add(cut, vertices, split)) return false;
    }
    return true;
}

static bool add_tetrahedra(st_tetra_cut *cut, const st_bcc_lattice *l, bool split) {
    size_t at[3];
    for (at[2] = 0; at[2] < l->n[2]; at[2]++)
        for (at[1] = 0; at[1] < l->n[1]; at[1]++)
            for (at[0] = 0; at[0] < l->n[0]; at[0]++)
                for (int axis = 0; axis < 3; axis++)
                    if (at[axis] > 0 && !add_around(cut, l, at, axis, split)) return false;
    return true;
}

static bool stuff(mesh_tetra_stuffing *engine, st_bcc_lattice *l) {
    const st_surface surface = {engine->points.data,     engine->points.count, engine->triangles.data,
                                engine->triangles.count, engine->quads.data,   engine->quads.count};

    st_tetra_cut cut = {.lattice = l};

    // inside or outside, and where edges cross the surface; all vertices where the lattice has them
    bool ok = st_bcc_classify(l, &surface) && st_list_set_count(&cut.points, l->count, 3) &&
              st_list_set_count(&cut.signs, l->count, 1);
    for (size_t i = 0; ok && i < l->count; i++) {
        st_bcc_point(l, i, cut.points.data + 3 * i);
        cut.signs.data[i] = l->inside[i];
    }

    // some of them move to the surface, or the edges are cut there
    if (ok && engine->snap) ok = snap_points(engine, &cut);
    if (ok && engine->split) ok = st_tetra_cut_edges(&cut);
    ok = ok && add_tetrahedra(&cut, l, engine->split) &&
         st_tetra_cut_finish(&cut, &engine->output_points, &engine->tetrahedra);
    if (cut.strange)
        st_message(&engine->object, ST_ERROR, "%zu tetrahedra could not be cut consistently with their neighbors",
                   cut.strange);

    st_tetra_cut_free(&cut);
    return ok;
}

static void mesh_tetra_stuffing_update(st_object *object) {
    mesh_tetra_stuffing *engine = (mesh_tetra_stuffing *)object;
    st_real box[6];

    engine->output_points.count = engine->tetrahedra.count = 0;

    const st_real h = choose_box(engine, box) ? cell_size(engine, box) : 0;
    bool ok = true;

    // a surface without points or with a wrong size leaves the outputs empty
    if (h > 0) {
        st_bcc_lattice lattice;
        ok = st_bcc_create(&lattice, box, h) && stuff(engine, &lattice);
        st_bcc_free(&lattice);
    }
    st_engine_done(object, ok);
}

const st_class st_mesh_tetra_stuffing_class = {
    .name = "MeshTetraStuffing",
    .help = "fills a closed surface with tetrahedra",
    .parent = &st_engine_class,
    .fields = fields,
    .size = sizeof(mesh_tetra_stuffing),
    .example = "<GenerateSphere name=\"sphere\" platonicSolid=\"octahedron\" tessellationDegree=\"8\" radius=\"1\"/>\n"
               "<MeshTetraStuffing name=\"ball\" inputPoints=\"@sphere.output_TrianglesPosition\" "
               "inputTriangles=\"@sphere.triangles\" size=\"-6\" snapPoints=\"1\" splitTetrahedra=\"1\"/>\n"
               "<MechanicalObject position=\"@ball.outputPoints\"/>\n"
               "<MeshTopology position=\"@ball.outputPoints\" tetrahedra=\"@ball.outputTetrahedra\"/>",
    .update = mesh_tetra_stuffing_update,
};
