// MeshTetraStuffing: fills a closed surface with well-shaped tetrahedra cut out of a body-centered cubic lattice.
//
//   1. The lattice fills the box of the surface, 1 % larger on each side, or the given one.
//   2. Its edges are crossed with the surface; the lines through each vertex vote whether it is inside (bcc_lattice.h).
//   3. With snapPoints, a vertex moves to the nearest crossing of one of its edges with the surface, if that is within a
//      fraction alpha of the edge and the other end is outside, with no crossing so near to itself. (Outside vertices
//      have such an edge where a thin part of the body lies between two of them.)
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
    if (engine->box.count >= 2) {
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

// Where the surface crosses an edge of the vertex, in its lengths; ST_REAL_MAX where it is not within the fraction
// alpha of the edge.
static st_real near_crossing(const mesh_tetra_stuffing *engine, const st_bcc_lattice *l, size_t i, int way) {
    const int edge = way / 2, direction = way % 2 ? 1 : -1;
    st_real t = ST_REAL_MAX;

    st_bcc_crossing(l, i, edge, direction, &t);
    return t < (edge < ST_BCC_AXES ? engine->alpha_long : engine->alpha_short) ? t : ST_REAL_MAX;
}

static bool is_near(const mesh_tetra_stuffing *engine, const st_bcc_lattice *l, size_t i) {
    for (int way = 0; way < ST_BCC_WAYS; way++)
        if (near_crossing(engine, l, i, way) < ST_REAL_MAX) return true;
    return false;
}

// Moves the vertex to the nearest of the crossings near it, on edges to the outside.
static void snap_point(const mesh_tetra_stuffing *engine, st_tetra_cut *cut, const bool *far_outside, size_t i) {
    const st_bcc_lattice *l = cut->lattice;
    st_real nearest = ST_REAL_MAX, a[3], b[3];

    st_bcc_point(l, i, a);

    for (int way = 0; way < ST_BCC_WAYS; way++) {
        // on long edges the lengths are 1 cell, on diagonals sqrt(3)/2
        const size_t to = st_bcc_neighbor(l, i, way / 2, way % 2 ? 1 : -1);
        const st_real t = near_crossing(engine, l, i, way);
        const st_real distance = t * (way / 2 < ST_BCC_AXES ? 1 : sqrt(ST_R(0.75))); // in cells
        if (to == SIZE_MAX || !far_outside[to] || !(t < ST_REAL_MAX) || !(distance < nearest)) continue;

        nearest = distance;
        st_bcc_point(l, to, b);
        for (int k = 0; k < 3; k++) cut->points.data[3 * i + (size_t)k] = a[k] + t * (b[k] - a[k]);

        cut->signs.data[i] = 0;
    }
}

static bool snap_points(const mesh_tetra_stuffing *engine, st_tetra_cut *cut) {
    const st_bcc_lattice *l = cut->lattice;
    bool *far_outside = st_alloc(l->count, sizeof *far_outside);

    // decided before any vertex moves
    for (size_t i = 0; far_outside && i < l->count; i++) far_outside[i] = l->inside[i] < 0 && !is_near(engine, l, i);
    for (size_t i = 0; far_outside && i < l->count; i++) snap_point(engine, cut, far_outside, i);

    st_free(far_outside);
    return far_outside != NULL;
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
        const uint32_t vertices[4] = {a, b, around[k + 1], around[k]}; // of positive volume
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

    // inside or outside, and where edges cross the surface
    st_bcc_classify(l, &surface);

    // all vertices where the lattice has them
    bool ok = st_list_set_count(&cut.points, l->count, 3) && st_list_set_count(&cut.signs, l->count, 1);
    for (size_t i = 0; ok && i < l->count; i++) {
        st_bcc_point(l, i, cut.points.data + 3 * i);
        cut.signs.data[i] = l->inside[i];
    }

    // some of them move to the surface, or the edges are cut there
    if (ok && engine->snap) ok = snap_points(engine, &cut);
    if (ok && engine->split) ok = st_tetra_cut_edges(&cut);
    ok = ok && add_tetrahedra(&cut, l, engine->split) &&
         st_tetra_cut_finish(&cut, &engine->output_points, &engine->tetrahedra);

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
