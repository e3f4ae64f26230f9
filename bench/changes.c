// What does it cost to remove one tetrahedron of 10^5, compared to making the scene?
//
//     changes [CELLS]        cells along each side of a cube, 26 when not given; 6 tetrahedra each
//
// A body of tetrahedra that gets more and more to carry: masses, elements, a surface that collides and is seen, embedded
// points, an assembled matrix. Printed are the time to make the scene (its text is a grid), the mean time of a removal in
// milliseconds, of which the edit itself (mesh, states, declared lists) and the rest (whoever is initialized again), and
// the share of the whole in the time to make the scene, in percent: the goal is 1. Then a thousand steps, each with a
// removal: the mean times of the first and the last hundred, and how much memory they have added. Times of the processor, one
// thread.
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plan/edits.h"
#include "settee/settee.h"
#include "topology/edit.h"

enum { REMOVALS = 20, STEPS = 1000, SHARE = 100 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double held(void) {
    const struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}

// ---------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------

#define FEM " youngModulus='1e4' poissonRatio='0.3' method='large'/>"
#define SURFACE                                                                                                        \
    "<Node><TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"                                  \
    "<Tetra2TriangleTopologicalMapping input='@../mesh' output='@mesh'/>"

static const struct {
    const char *name, *solver, *content;
} bodies[] = {
    {"mesh and state", "", ""},
    {"DiagonalMass", "", "<DiagonalMass massDensity='1'/>"},
    {"MeshMatrixMass", "", "<MeshMatrixMass massDensity='1'/>"},
    {"MeshMatrixMass at rest", "", "<MeshMatrixMass massDensity='1' computeMassOnRest='1'/>"},
    {"TetrahedronFEM", "", "<TetrahedronFEMForceField" FEM},
    {"TetrahedralCorotational", "", "<TetrahedralCorotationalFEMForceField" FEM},
    {"fixed end", "", "<FixedProjectiveConstraint indices='0-99'/>"},
    {"surface", "", SURFACE "</Node>"},
    {"surface, collision", "", SURFACE "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/></Node>"},
    {"surface, picture", "", SURFACE "<Node><OglModel/><IdentityMapping/></Node></Node>"},
    {"embedded points", "",
     "<Node><RegularGridTopology name='grid' n='20 20 20' min='0.01 0.01 0.01' max='0.99 0.99 0.99'/>"
     "<MechanicalObject position='@grid.position'/><BarycentricMapping/></Node>"},
    {"all, matrix-free", "<EulerImplicitSolver/><CGLinearSolver iterations='5' tolerance='1e-9' threshold='1e-9'/>",
     "<DiagonalMass massDensity='1'/><TetrahedronFEMForceField" FEM
     "<FixedProjectiveConstraint indices='0-99'/>" SURFACE
     "<TriangleCollisionModel/><Node><OglModel/><IdentityMapping/></Node></Node>"},
    {"all, assembled",
     "<EulerImplicitSolver/><CGLinearSolver template='CompressedRowSparseMatrixMat3x3d' iterations='5' "
     "tolerance='1e-9' "
     "threshold='1e-9'/>",
     "<DiagonalMass massDensity='1'/><TetrahedronFEMForceField" FEM
     "<FixedProjectiveConstraint indices='0-99'/>" SURFACE
     "<TriangleCollisionModel/><Node><OglModel/><IdentityMapping/></Node></Node>"},
};

static st_scene *make_scene(int cells, size_t body) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    fprintf(out,
            "<Node dt='0.01' gravity='0 -1 0'><DefaultAnimationLoop/><RegularGridTopology name='grid' n='%d %d %d' "
            "min='0 0 0' max='1 1 1'/><Node name='body'>%s<TetrahedronSetTopologyContainer name='mesh'/>"
            "<TetrahedronSetTopologyModifier name='modifier'/><MechanicalObject name='dofs' "
            "position='@../grid.position'/><Hexa2TetraTopologicalMapping input='@../grid' output='@mesh'/>%s</Node>"
            "</Node>",
            cells + 1, cells + 1, cells + 1, bodies[body].solver, bodies[body].content);
    fclose(out);

    st_scene *scene = st_scene_create(NULL);
    const bool ok = scene && st_scene_load_text(scene, text, length, NULL) == ST_OK && st_scene_init(scene) == ST_OK;
    free(text);
    if (ok) return scene;
    st_scene_destroy(scene);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Removals
// ---------------------------------------------------------------------------------------------------

typedef struct removal {
    double edit, finish; // seconds
} removal;

static bool remove_one(st_scene *scene, uint64_t *seed, removal *times) {
    st_modifier *modifier = (st_modifier *)st_scene_find(scene, "/body/modifier");
    const st_topology *mesh = (const st_topology *)st_scene_find(scene, "/body/mesh");
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    const uint32_t id = (uint32_t)((*seed >> 33) % mesh->elements[ST_TETRAHEDRON].count);

    const double begin = now();
    if (st_edit_remove_items(modifier, &id, 1) != ST_OK) return false;
    const double middle = now();
    st_finish_edits(scene);
    times->edit += middle - begin;
    times->finish += now() - middle;
    return true;
}

static bool measure(int cells, size_t body) {
    const bool steps = *bodies[body].solver != 0;
    const double begin = now();
    st_scene *scene = make_scene(cells, body);
    if (!scene) return false;
    if (steps && st_scene_step(scene, 0) != ST_OK) return false;
    const double made = now() - begin;

    // the first removal keeps what a reset goes back to
    uint64_t seed = 5;
    removal first = {0}, mean = {0};
    bool ok = remove_one(scene, &seed, &first);
    for (int i = 0; ok && i < REMOVALS; i++) ok = remove_one(scene, &seed, &mean);

    const double all = (mean.edit + mean.finish) / REMOVALS;
    printf("%-26s %8.0f %9.2f %8.2f %8.2f %8.2f\n", bodies[body].name, 1e3 * made, 1e3 * all,
           1e3 * mean.edit / REMOVALS, 1e3 * mean.finish / REMOVALS, 100 * all / made);
    fflush(stdout);
    st_scene_destroy(scene);
    return ok;
}

static bool run_long(int cells, size_t body) {
    st_scene *scene = make_scene(cells, body);
    if (!scene) return false;
    double ends[2] = {0, 0}, before = 0;
    uint64_t seed = 7;

    for (int i = 0; i < STEPS; i++) {
        removal times = {0};
        const double begin = now();
        if (!remove_one(scene, &seed, &times) || st_scene_step(scene, 0) != ST_OK) return false;
        if (i < SHARE) ends[0] += now() - begin;
        if (i >= STEPS - SHARE) ends[1] += now() - begin;
        if (i == SHARE) before = held();
    }
    printf("%-26s %8.2f %8.2f ms a step, %+.0f KiB\n", bodies[body].name, 1e3 * ends[0] / SHARE, 1e3 * ends[1] / SHARE,
           (held() - before) / 1024);
    st_scene_destroy(scene);
    return true;
}

int main(int count, char **arguments) {
    const int cells = count > 1 ? atoi(arguments[1]) : 26;
    bool ok = cells > 1 && cells < 200;

    printf("%d tetrahedra            made, ms   removal     edit     rest  %% of made\n", 6 * cells * cells * cells);
    for (size_t i = 0; ok && i < sizeof bodies / sizeof *bodies; i++) ok = measure(cells, i);

    printf("\n%d steps of %d tetrahedra, the first and the last %d\n", STEPS, 6 * 8 * 8 * 8, SHARE);
    for (size_t i = 0; ok && i < sizeof bodies / sizeof *bodies; i++)
        if (*bodies[i].solver) ok = run_long(8, i);
    if (!ok) fprintf(stderr, "usage: changes [CELLS], from 2 to 199\n");
    return !ok;
}
