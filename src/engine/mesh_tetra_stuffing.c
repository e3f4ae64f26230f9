// MeshTetraStuffing: fills a closed surface with well-shaped tetrahedra cut out of a body-centered cubic lattice.
//
// Every edge of one grid and two neighbors of the other one around it make a tetrahedron; those with a vertex inside
// are kept. With snapPoints, a vertex that is nearer to a crossing of one of its edges with the surface than a fraction
// alpha of the edge moves there. With splitTetrahedra, what is left of the outside is cut off.
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
        st_copy_reals(box, engine->box.data, 6);
        st_box_sort(box);
    } else {
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
    for (int a = 0; a < 3; a++) largest = st_max(largest, box[3 + a] - box[a]);
    const st_real h = engine->size < 0 ? largest / -engine->size : engine->size;
    for (int a = 0; a < 3 && h > 0; a++) points *= (double)(box[3 + a] - box[a]) / (double)h + 6;
    if (h > 0 && points < ST_ENGINE_LARGEST / 16) return h;
    st_message(&engine->object, ST_ERROR, "size is %g for a surface of extent %g: nothing is made",
               (double)engine->size, (double)largest);
    return 0;
}

// ---------------------------------------------------------------------------------------------------
// Snapping
// ---------------------------------------------------------------------------------------------------

// The place of the crossing on the edge from a to b = next(a, edge), nearest to the end that is inside.
static st_real crossing(const st_bcc_lattice *l, size_t a, int edge) {
    const st_bcc_hit *hit = &l->hits[a * ST_BCC_EDGES + (size_t)edge];
    if (hit->first > hit->last) return ST_R(0.5);
    return l->inside[a] > 0 ? hit->first : hit->last;
}

typedef struct snap {
    st_real fraction; // of the edge
    st_real place[3];
} snap;

static void consider(const mesh_tetra_stuffing *engine, const st_tetra_cut *cut, const st_bcc_lattice *l, size_t a,
                     int edge, bool from_end, snap *best) {
    const size_t b = st_bcc_next(l, a, edge);
    if (b == SIZE_MAX || cut->signs.data[a] * cut->signs.data[b] >= 0) return;
    const st_real t = crossing(l, a, edge), fraction = from_end ? 1 - t : t;
    if (!(fraction < (edge < ST_BCC_AXES ? engine->alpha_long : engine->alpha_short)) || !(fraction < best->fraction))
        return;
    st_real pa[3], pb[3];
    st_bcc_point(l, a, pa);
    st_bcc_point(l, b, pb);
    best->fraction = fraction;
    for (int i = 0; i < 3; i++) best->place[i] = pa[i] + t * (pb[i] - pa[i]);
}

static void snap_points(const mesh_tetra_stuffing *engine, st_tetra_cut *cut, const st_bcc_lattice *l,
                        const uint32_t *before) {
    for (size_t i = 0; i < l->count; i++) {
        snap best = {.fraction = ST_REAL_MAX};
        for (int edge = 0; edge < ST_BCC_EDGES; edge++) {
            const size_t a = before[i * ST_BCC_EDGES + (size_t)edge];
            consider(engine, cut, l, i, edge, false, &best);
            if (a != ST_INVALID_INDEX) consider(engine, cut, l, a, edge, true, &best);
        }
        if (!(best.fraction < ST_REAL_MAX)) continue;
        st_vec3_copy(cut->points.data + 3 * i, best.place);
        cut->signs.data[i] = 0;
    }
}

static uint32_t *edges_before(const st_bcc_lattice *l) {
    uint32_t *before = st_alloc(l->count * ST_BCC_EDGES, sizeof *before);
    for (size_t i = 0; before && i < l->count * ST_BCC_EDGES; i++) before[i] = ST_INVALID_INDEX;
    for (size_t i = 0; before && i < l->count; i++)
        for (int edge = 0; edge < ST_BCC_EDGES; edge++) {
            const size_t next = st_bcc_next(l, i, edge);
            if (next != SIZE_MAX) before[next * ST_BCC_EDGES + (size_t)edge] = (uint32_t)i;
        }
    return before;
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
    uint32_t around[5];
    for (int k = 0; k < 5; k++) {
        size_t corner[3] = {at[0], at[1], at[2]};
        corner[u] += (size_t)ring[k][0];
        corner[v] += (size_t)ring[k][1];
        around[k] = (uint32_t)st_bcc_grid_index(l, true, corner);
    }
    for (int k = 0; k < 4; k++) {
        const uint32_t vertices[4] = {a, b, around[k], around[k + 1]};
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

// The crossing of a lattice edge, for cuts.
typedef struct stuffing_places {
    const st_bcc_lattice *lattice;
} stuffing_places;

static void place_of_cut(const void *context, uint32_t a, uint32_t b, st_real p[3]) {
    const st_bcc_lattice *l = ((const stuffing_places *)context)->lattice;
    st_real t = ST_R(0.5), pa[3], pb[3];
    size_t from = a, to = b;
    for (int edge = 0; edge < ST_BCC_EDGES; edge++) {
        if (st_bcc_next(l, a, edge) == b) t = crossing(l, a, edge);
        else if (st_bcc_next(l, b, edge) == a) {
            t = crossing(l, b, edge);
            from = b;
            to = a;
        } else continue;
        break;
    }
    st_bcc_point(l, from, pa);
    st_bcc_point(l, to, pb);
    for (int i = 0; i < 3; i++) p[i] = pa[i] + t * (pb[i] - pa[i]);
}

static bool stuff(mesh_tetra_stuffing *engine, st_bcc_lattice *l) {
    const st_surface surface = {engine->points.data,     engine->points.count, engine->triangles.data,
                                engine->triangles.count, engine->quads.data,   engine->quads.count};
    const stuffing_places places = {l};
    st_tetra_cut cut = {.place = place_of_cut, .context = &places};
    st_bcc_classify(l, &surface);
    bool ok = st_list_set_count(&cut.points, l->count, 3) && st_list_set_count(&cut.signs, l->count, 1);
    for (size_t i = 0; ok && i < l->count; i++) {
        st_bcc_point(l, i, cut.points.data + 3 * i);
        cut.signs.data[i] = l->inside[i];
    }
    if (ok && engine->snap) {
        uint32_t *before = edges_before(l);
        ok = before != NULL;
        if (ok) snap_points(engine, &cut, l, before);
        st_free(before);
    }
    ok = ok && add_tetrahedra(&cut, l, engine->split) &&
         st_tetra_cut_finish(&cut, &engine->output_points, &engine->tetrahedra);
    st_tetra_cut_free(&cut);
    return ok;
}

static void update(st_object *object) {
    mesh_tetra_stuffing *engine = (mesh_tetra_stuffing *)object;
    st_real box[6];
    engine->output_points.count = engine->tetrahedra.count = 0;
    const st_real h = choose_box(engine, box) ? cell_size(engine, box) : 0;
    bool ok = true;
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
    .update = update,
};
