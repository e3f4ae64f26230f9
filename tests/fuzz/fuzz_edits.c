// Sequences of edits, made of bytes: elements and points removed, added, divided, renumbered, with numbers that do not
// exist, twice, or all of them, on a container of each kind and everything that follows it; steps and resets in between.
// After each edit vertices are points, states fit their meshes, and declared numbers exist.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_fuzz.h"

#include "plan/edits.h"
#include "scene/field_reader.h"
#include "settee/plugin/change.h"
#include "topology/edit.h"

static const char *const scenes[] = {
    "<EdgeSetTopologyContainer name='mesh' edges='0 1  1 2  2 3  3 4  4 5' position='0 0 0 1 0 0 2 0 0 3 0 0 4 0 0 5 0 "
    "0'/>"
    "<EdgeSetTopologyModifier/><MechanicalObject name='dofs'/><UniformMass totalMass='1'/>"
    "<MeshSpringForceField stiffness='5'/><FixedProjectiveConstraint indices='0 5'/>"
    "<Node><MechanicalObject/><SubsetMapping indices='1 4'/></Node>",
    "<TriangleSetTopologyContainer name='mesh' position='0 0 0  2 0 0  2 2 0  0 2 0  1 1 0' "
    "triangles='0 1 4  1 2 4  2 3 4  3 0 4'/><TriangleSetTopologyModifier/><MechanicalObject name='dofs'/>"
    "<DiagonalMass massDensity='1'/><TriangularBendingSprings stiffness='1'/><TriangleFEMForceField youngModulus='5'/>"
    "<TrianglePressureForceField triangleList='0 2' pressure='0 0 1'/><TriangleCollisionModel/>"
    "<Node><EdgeSetTopologyContainer name='mesh'/><EdgeSetTopologyModifier/>"
    "<Triangle2EdgeTopologicalMapping input='@../mesh' output='@mesh'/></Node>"
    "<Node><MechanicalObject position='1 0.5 0  0.5 1 0'/><BarycentricMapping/></Node>",
    "<QuadSetTopologyContainer name='mesh' position='0 0 0  1 0 0  2 0 0  0 1 0  1 1 0  2 1 0' "
    "quads='0 1 4 3  1 2 5 4'/><QuadSetTopologyModifier/><MechanicalObject name='dofs'/><UniformMass totalMass='1'/>"
    "<QuadBendingSprings stiffness='1'/><QuadPressureForceField quadList='1' pressure='0 0 1'/>"
    "<Node><TriangleSetTopologyContainer name='mesh'/><TriangleSetTopologyModifier/>"
    "<Quad2TriangleTopologicalMapping input='@../mesh' output='@mesh'/><OglModel/></Node>",
    "<TetrahedronSetTopologyContainer name='mesh' position='0 0 0  1 0 0  0 1 0  0 0 1  1 1 1  2 1 1' "
    "tetrahedra='0 1 2 3  1 2 3 4  1 2 4 5'/><TetrahedronSetTopologyModifier/><MechanicalObject name='dofs'/>"
    "<MeshMatrixMass massDensity='1' computeMassOnRest='1'/><TetrahedronFEMForceField youngModulus='5' "
    "plasticMaxThreshold='0.1'/>"
    "<FixedProjectiveConstraint indices='0 5'/><Node><TriangleSetTopologyContainer name='mesh'/>"
    "<TriangleSetTopologyModifier/><Tetra2TriangleTopologicalMapping input='@../mesh' output='@mesh'/>"
    "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/><Node><OglModel/><IdentityMapping/></Node>"
    "</Node><Node><MechanicalObject position='0.2 0.2 0.2  1 1 0.9'/><BarycentricMapping/></Node>",
    "<HexahedronSetTopologyContainer name='mesh' position='0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1  "
    "0 0 2  1 0 2  1 1 2  0 1 2' hexahedra='0 1 2 3 4 5 6 7  4 5 6 7 8 9 10 11'/><HexahedronSetTopologyModifier/>"
    "<MechanicalObject name='dofs'/><DiagonalMass massDensity='1'/><HexahedronFEMForceField youngModulus='5'/>"
    "<Node><QuadSetTopologyContainer name='mesh'/><QuadSetTopologyModifier/>"
    "<Hexa2QuadTopologicalMapping input='@../mesh' output='@mesh'/></Node>",
};

enum { LARGEST = 64 };

// ---------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------

static void check_mesh(const st_topology *topology) {
    const size_t points = st_topology_points(topology);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < topology->elements[kind].count * st_element_size[kind]; i++)
            if (topology->elements[kind].data[i] >= points) abort();
}

// Declared numbers of points, of components beside the mesh.
static void check_numbers(st_object *object, size_t points) {
    for (uint32_t i = 0; i < st_field_count(object); i++) {
        const st_field *field = st_fields(object)[i];
        if (field->mesh != ST_INDICES(ST_POINT) || !field->type->list || field->type->width != 1) continue;
        const st_uints *list = st_member(object, field);
        for (size_t k = 0; k < list->count; k++)
            if (list->data[k] >= points) abort();
    }
}

static void check_scene(st_scene *scene) {
    const st_topology *mesh = (const st_topology *)st_scene_find(scene, "/body/mesh");
    const st_state *dofs = (const st_state *)st_scene_find(scene, "/body/dofs");
    st_object *object;
    if (!mesh || !dofs) return;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++) {
        if (object->type->topology) check_mesh((const st_topology *)object);
        if (object->node == mesh->object.node) check_numbers(object, st_topology_points(mesh));
    }
    if (dofs->size != st_topology_points(mesh)) abort();
}

// ---------------------------------------------------------------------------------------------------
// Edits
// ---------------------------------------------------------------------------------------------------

static st_element largest_kind(const st_topology *mesh) {
    for (int kind = ST_HEXAHEDRON; kind > ST_EDGE; kind--)
        if (st_topology_holds(mesh, (st_element)kind)) return (st_element)kind;
    return ST_EDGE;
}

// A few numbers, some of which may not exist.
static size_t take_numbers(fuzz_bytes *bytes, uint32_t *ids, size_t limit) {
    const size_t count = 1 + fuzz_byte(bytes) % 4;
    for (size_t i = 0; i < count; i++) ids[i] = fuzz_byte(bytes) % (uint32_t)(limit + limit / 8 + 1);
    return count;
}

static void add_point(st_topology *mesh, fuzz_bytes *bytes) {
    const size_t points = st_topology_points(mesh);
    if (points == 0 || points >= LARGEST) return;
    const uint32_t starts[2] = {0, 2};
    const uint32_t from[2] = {fuzz_byte(bytes) % (uint32_t)points, fuzz_byte(bytes) % (uint32_t)points};
    const st_real weights[2] = {(st_real)0.5, (st_real)0.5};
    st_edit_add_points(mesh, 1, &(st_origin){starts, from, weights}, true);
}

// Vertices that are all different, as the meshes of scenes have them.
static void add_element(st_topology *mesh, st_element kind, fuzz_bytes *bytes) {
    const size_t points = st_topology_points(mesh), size = st_element_size[kind];
    uint32_t v[8];
    if (points < size || mesh->elements[kind].count >= LARGEST) return;
    for (size_t i = 0; i < size; i++) v[i] = fuzz_byte(bytes) % (uint32_t)points;
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < i; k++)
            if (v[i] == v[k]) return;
    st_edit_add(mesh, kind, v, 1, NULL);
}

static void renumber(st_topology *mesh, fuzz_bytes *bytes) {
    uint32_t order[2 * LARGEST];
    const size_t points = st_topology_points(mesh), shift = fuzz_byte(bytes);
    if (points == 0 || points > 2 * LARGEST) return;
    for (size_t i = 0; i < points; i++) order[i] = (uint32_t)((i + shift) % points);
    if (shift == 255) order[0] = order[points - 1]; // one twice: it is refused
    st_edit_renumber_points(mesh, order, true);
}

static void edit(st_scene *scene, st_topology *mesh, fuzz_bytes *bytes) {
    const st_element kind = largest_kind(mesh);
    const unsigned choice = fuzz_byte(bytes);
    uint32_t ids[4];

    switch (choice % 8) {
    case 0:
    case 1: {
        const size_t count = take_numbers(bytes, ids, mesh->elements[kind].count);
        st_edit_remove(mesh, kind, ids, count, choice & 64 ? false : true, choice & 128 ? false : true);
        break;
    }
    case 2: {
        const size_t count = take_numbers(bytes, ids, st_topology_points(mesh));
        st_edit_remove_points(mesh, ids, count, true);
        break;
    }
    case 3: add_point(mesh, bytes); break;
    case 4: add_element(mesh, kind, bytes); break;
    case 5: renumber(mesh, bytes); break;
    case 6:
        st_finish_edits(scene);
        st_scene_step(scene, 0);
        break;
    default:
        st_finish_edits(scene);
        if (choice & 128) st_scene_reset(scene);
    }
}

static void quiet(void *user, const st_diagnostic *message) { (void)user, (void)message; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes bytes = {data, size};
    char text[4096];
    st_config config = st_default_config();
    config.log = quiet;
    st_scene *scene = st_scene_create(&config);
    if (!scene) return 0;
    snprintf(text, sizeof text, "<Node><DefaultAnimationLoop/><Node name='body'><EulerExplicitSolver/>%s</Node></Node>",
             scenes[fuzz_byte(&bytes) % (sizeof scenes / sizeof *scenes)]);
    if (!st_succeeded(st_scene_load_text(scene, text, strlen(text), NULL))) abort();
    st_scene_init(scene);

    st_topology *mesh = (st_topology *)st_scene_find(scene, "/body/mesh");
    if (!mesh) abort();
    while (bytes.size) {
        edit(scene, mesh, &bytes);
        check_scene(scene);
    }

    // the end of a step, and back
    st_finish_edits(scene);
    st_scene_step(scene, 0);
    st_scene_reset(scene);
    check_scene(scene);
    st_scene_destroy(scene);
    return 0;
}
