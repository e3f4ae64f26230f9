// Files of changes, whatever they hold, on a surface and on a volume with what lives on them: TopologicalChangeProcessor
// reports what is wrong and leaves the mesh whole.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_fuzz.h"

#include "settee/plugin/state.h"
#include "settee/plugin/topology.h"

// Every vertex is a point, and the state has as many DOFs as the mesh has points.
static void check_mesh(st_scene *scene, const char *mesh, const char *state) {
    const st_topology *topology = (const st_topology *)st_scene_find(scene, mesh);
    const st_state *dofs = (const st_state *)st_scene_find(scene, state);
    if (!topology || !dofs) return;

    const size_t points = st_topology_points(topology);
    if (dofs->size != points) abort();
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < topology->elements[kind].count * st_element_size[kind]; i++)
            if (topology->elements[kind].data[i] >= points) abort();
}

static void run(st_scene *scene) {
    for (int i = 0; i < 6; i++) {
        st_scene_step(scene, 0);
        check_mesh(scene, "/surface/mesh", "/surface/dofs");
        check_mesh(scene, "/volume/mesh", "/volume/dofs");
    }
    st_scene_reset(scene);
    check_mesh(scene, "/volume/mesh", "/volume/dofs");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char scene[4096];
    const int file = fuzz_file(data, size);
    if (file < 0) return 0;

    // the same file for both
    snprintf(
        scene, sizeof scene,
        "<DefaultAnimationLoop/><Node name='surface'><EulerExplicitSolver/><TriangleSetTopologyContainer name='mesh' "
        "position='0 0 0  2 0 0  2 2 0  0 2 0  1 1 0' triangles='0 1 4  1 2 4  2 3 4  3 0 4'/>"
        "<TriangleSetTopologyModifier/><TriangleSetGeometryAlgorithms/><MechanicalObject name='dofs'/>"
        "<UniformMass totalMass='1'/><TriangularBendingSprings stiffness='1'/>"
        "<TopologicalChangeProcessor filename='/proc/self/fd/%d'/></Node>"
        "<Node name='volume'><EulerExplicitSolver/><TetrahedronSetTopologyContainer name='mesh' "
        "position='0 0 0  1 0 0  0 1 0  0 0 1  1 1 1' tetrahedra='0 1 2 3  1 2 3 4'/>"
        "<TetrahedronSetTopologyModifier/><MechanicalObject name='dofs'/><DiagonalMass massDensity='1'/>"
        "<TetrahedronFEMForceField youngModulus='10' poissonRatio='0.3'/><FixedProjectiveConstraint indices='0 4'/>"
        "<TopologicalChangeProcessor filename='/proc/self/fd/%d'/></Node>",
        file, file);
    fuzz_scene(scene, run);
    close(file);
    return 0;
}
