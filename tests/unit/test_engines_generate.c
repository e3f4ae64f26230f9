// Engines that generate meshes: counts and orders of points and elements, closed surfaces, positive volumes, closed
// forms.
//
// SPDX-License-Identifier: Apache-2.0
#include "engine_scene.h"

#include "engine/bcc_lattice.h"

enum { ROOM = 200000 };

static double *numbers(physics_scene *test, const char *path, const char *field, size_t *count) {
    double *values = malloc(ROOM * sizeof *values);
    assert_non_null(values);
    *count = engine_numbers(test, path, field, values, ROOM);
    return values;
}

// ---------------------------------------------------------------------------------------------------
// Checks of meshes
// ---------------------------------------------------------------------------------------------------

static double six_volumes(const double *p, const double *v) {
    double e[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) e[i][k] = p[3 * (size_t)v[i + 1] + (size_t)k] - p[3 * (size_t)v[0] + (size_t)k];
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

// All tetrahedra are turned the same way and none is flat; the sum of their volumes.
static double solid_volume(physics_scene *test, const char *points, const char *tetrahedra) {
    size_t n, m;
    double *p = numbers(test, "/e", points, &n), *t = numbers(test, "/e", tetrahedra, &m), sum = 0;
    assert_true(m > 0 && m % 4 == 0);
    for (size_t i = 0; i < m; i++) assert_true(t[i] < (double)(n / 3));
    for (size_t i = 0; i < m; i += 4) {
        const double volume = six_volumes(p, t + i) / 6;
        assert_true(volume != 0);
        assert_true(sum == 0 || (volume > 0) == (sum > 0));
        sum += volume;
    }
    free(p);
    free(t);
    return sum;
}

// The volume inside triangles that look outward; each directed edge has its opposite exactly once.
static double closed_volume(physics_scene *test, const char *points, const char *triangles) {
    size_t n, m;
    double *p = numbers(test, "/e", points, &n), *t = numbers(test, "/e", triangles, &m), sum = 0;
    for (size_t i = 0; i < m; i += 3) {
        for (size_t k = 0; k < 3; k++) {
            int opposite = 0;
            for (size_t j = 0; j < m; j++)
                opposite += t[j] == t[i + (k + 1) % 3] && t[j - j % 3 + (j + 1) % 3] == t[i + k];
            assert_int_equal(opposite, 1);
        }
        const double *a = p + 3 * (size_t)t[i], *b = p + 3 * (size_t)t[i + 1], *c = p + 3 * (size_t)t[i + 2];
        sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                a[2] * (b[0] * c[1] - b[1] * c[0])) /
               6;
    }
    free(p);
    free(t);
    return sum;
}

static void assert_count(physics_scene *test, const char *field, size_t expected) {
    size_t count;
    free(numbers(test, "/e", field, &count));
    assert_int_equal(count, expected);
}

// ---------------------------------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------------------------------

static void grids(void **state) {
    (void)state;
    physics_scene *test = engine_load("<GenerateGrid name='e' min='0 0 0' max='2 1 1' resolution='2 1 1'/>");
    assert_field(test, "/e", "position", "0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0 0 0 1 1 0 1 2 0 1 0 1 1 1 1 1 2 1 1");
    assert_field(test, "/e", "hexahedra", "0 1 4 3 6 7 10 9 1 2 5 4 7 8 11 10");
    assert_near((st_real)fabs(solid_volume(test, "position", "tetrahedra")), 2, (st_real)1e-6);
    assert_field(test, "/e", "quads", "");
    physics_free(test);
    test = engine_load("<GenerateGrid name='e' max='1 1 0' resolution='1 1 0'/>");
    assert_field(test, "/e", "quads", "0 1 3 2");
    assert_field(test, "/e", "triangles", "0 1 2 2 1 3");
    physics_free(test);
    test = engine_load("<GenerateGrid name='e' template='Vec2' min='1 2' max='3 4' resolution='1 1 5'/>");
    assert_field(test, "/e", "output_position", "1 2 3 2 1 4 3 4");
    physics_free(test);
    test = physics_load("<GenerateGrid name='e' max='1 1 1' resolution='0 1 0'/>"
                        "<GenerateGrid name='f' resolution='2000000000 2000000000 2000000000'/>");
    assert_field(test, "/e", "quads", "0 1 3 2");
    assert_field(test, "/f", "position", "");
    assert_says(test, "resolution along x is 0: 1 is used");
    assert_says(test, "too large");
    physics_free(test);
}

// A prism with T sides and circumradius r has the base area T r^2 sin(2 pi/T) / 2.
static void cylinders(void **state) {
    (void)state;
    const double area = 6 * 0.2 * 0.2 * sin(3.14159265358979323846 / 3) / 2;
    physics_scene *test = engine_load("<GenerateCylinder name='e'/>");
    assert_count(test, "position", 3 * 5 * 19);
    assert_count(test, "tetrahedra", 4 * 4 * 6 * (3 + 2 * 6));
    assert_count(test, "output_TrianglesPosition", 3 * 5 * 6);
    assert_count(test, "triangles", 3 * 4 * 6 * 2);
    assert_near((st_real)fabs(solid_volume(test, "position", "tetrahedra")), (st_real)area, (st_real)1e-5);
    physics_free(test);
    test = engine_load("<GenerateCylinder name='e' openSurface='0' height='2' origin='5 5 5'/>");
    assert_count(test, "output_TrianglesPosition", 3 * (5 * 6 + 2 * (1 + 2 * 6)));
    assert_near((st_real)closed_volume(test, "output_TrianglesPosition", "triangles"), (st_real)(2 * area),
                (st_real)1e-4);
    physics_free(test);
    test =
        engine_load("<GenerateCylinder name='e' openSurface='0' resRadial='1' resHeight='2' resCircumferential='3'/>");
    assert_true(closed_volume(test, "output_TrianglesPosition", "triangles") > 0);
    physics_free(test);
    test = physics_load("<GenerateCylinder name='e' resHeight='1'/>");
    assert_field(test, "/e", "position", "");
    assert_says(test, "at least 3, 1 and 2 are needed");
    physics_free(test);
}

// Euler: V - E + F = 2 for a sphere; the faces of the icosahedron look inward, those of the others outward; the volume
// tends to 4/3 pi r^3 from below.
static void spheres(void **state) {
    (void)state;
    static const struct {
        const char *solid;
        int vertices, edges, faces;
    } solids[] = {{"icosahedron", 12, 30, 20}, {"tetrahedron", 4, 6, 4}, {"octahedron", 6, 12, 8}};
    for (int s = 0; s < 3; s++)
        for (int n = 1; n <= 5; n++) {
            char text[160];
            snprintf(text, sizeof text,
                     "<GenerateSphere name='e' radius='2' platonicSolid='%s' tessellationDegree='%d'/>",
                     solids[s].solid, n);
            physics_scene *test = engine_load(text);
            const int points = solids[s].vertices + solids[s].edges * (n - 1) + solids[s].faces * (n - 1) * (n - 2) / 2;
            const int triangles = solids[s].faces * n * n;
            assert_count(test, "output_TrianglesPosition", 3 * (size_t)points);
            assert_count(test, "triangles", 3 * (size_t)triangles);
            assert_int_equal(points - 3 * triangles / 2 + triangles, 2);
            const double volume = fabs(closed_volume(test, "output_TrianglesPosition", "triangles"));
            assert_true(volume > 0 && volume < 4.0 / 3 * 3.14159265358979323846 * 8);
            assert_near((st_real)fabs(solid_volume(test, "position", "tetrahedra")), (st_real)volume, (st_real)1e-4);
            physics_free(test);
        }
    physics_scene *test = engine_load("<GenerateSphere name='e' radius='1' tessellationDegree='16'/>");
    assert_near((st_real)fabs(closed_volume(test, "output_TrianglesPosition", "triangles")), (st_real)4.18879,
                (st_real)0.03);
    physics_free(test);
}

static void unknown_solids(void **state) {
    (void)state;
    physics_scene *test = physics_load("<GenerateSphere name='e' platonicSolid='cube'/>"
                                       "<GenerateSphere name='f' tessellationDegree='4000000000'/>");
    assert_field(test, "/e", "triangles", "");
    assert_field(test, "/f", "triangles", "");
    assert_says(test, "platonicSolid \"cube\" is not known");
    assert_says(test, "must be between 1 and");
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Putting together
// ---------------------------------------------------------------------------------------------------

static void merged_meshes(void **state) {
    (void)state;
    physics_scene *test = engine_load("<MergeMeshes name='e' nbMeshes='3' position1='0 0 0 1 0 0' edges1='0 1' "
                                      "position2='2 0 0' position3='3 0 0 4 0 0' edges3='1 0'/>");
    assert_field(test, "/e", "position", "0 0 0 1 0 0 2 0 0 3 0 0 4 0 0");
    assert_field(test, "/e", "edges", "0 1 4 3");
    assert_field(test, "/e", "npoints", "5");
    physics_free(test);
    assert_engine("<MergeMeshes name='e' template='Rigid3' position2='1 2 3 0 0 0 1'/>", "position", "1 2 3 0 0 0 1");
    test = physics_load("<MergeMeshes name='e' nbMeshes='4000000000' position1='1 2 3'/>");
    assert_field(test, "/e", "position", "1 2 3");
    assert_says(test, "the first 20 are used");
    physics_free(test);
}

static void merged_lists(void **state) {
    (void)state;
    assert_engine("<MergeVectors name='e' nbInputs='3' input1='1 2' input3='3'/>", "output", "1 2 3");
    assert_engine("<MergeVectors name='e' template='vector&lt;Vec3d>' input1='1 2 3' input2='4 5 6'/>", "output",
                  "1 2 3 4 5 6");
    static const struct {
        const char *op, *result;
    } sets[] = {{"union", "1 2 3 4"}, {"intersection", "2 3"}, {"difference", "1"}, {"symmetric_difference", "1 4"}};
    for (int i = 0; i < 4; i++) {
        char text[128];
        snprintf(text, sizeof text, "<MergeSets name='e' op='%s' in1='3 1 2 2' in2='2 4 3'/>", sets[i].op);
        assert_engine(text, "out", sets[i].result);
    }
}

static void merged_points(void **state) {
    (void)state;
    const char *points = "position1='1 0 0 2 0 0' position2='8 0 0 9 0 0'";
    char text[256];
    snprintf(text, sizeof text, "<MergePoints name='e' %s/>", points);
    assert_engine(text, "points", "1 0 0 2 0 0 8 0 0 9 0 0");
    assert_engine(text, "indices2", "2 3");
    snprintf(text, sizeof text, "<MergePoints name='e' %s mappingX2='3 1'/>", points);
    assert_engine(text, "points", "1 0 0 9 0 0 2 0 0 8 0 0");
    assert_engine(text, "indices1", "0 2");
    snprintf(text, sizeof text, "<MergePoints name='e' %s mappingX2='2 2'/>", points);
    physics_scene *test = physics_load(text);
    assert_field(test, "/e", "points", "1 0 0 2 0 0 8 0 0");
    assert_says(test, "no free place");
    physics_free(test);
    assert_engine("<JoinPoints name='e' distance='1' points='0 0 0 5 0 0 0.6 0 0 0.3 0 0'/>", "mergedPoints",
                  "0.3 0 0 5 0 0");
}

// ---------------------------------------------------------------------------------------------------
// Extrusions
// ---------------------------------------------------------------------------------------------------

static void extruded_quads(void **state) {
    (void)state;
    physics_scene *test =
        engine_load("<ExtrudeQuadsAndGenerateHexas name='e' surfaceVertices='0 0 0 1 0 0 1 1 0 0 1 0' "
                    "surfaceQuads='0 1 2 3 0 1 2 77' thicknessIn='1' thicknessOut='3' "
                    "numberOfSlices='2' scale='2 1 1'/>");
    assert_field(test, "/e", "extrudedVertices",
                 "0 0 -1 0 0 1 0 0 3 2 0 -1 2 0 1 2 0 3 2 1 -1 2 1 1 2 1 3 0 1 -1 0 1 1 0 1 3");
    assert_field(test, "/e", "extrudedHexas", "9 6 3 0 10 7 4 1 10 7 4 1 11 8 5 2");
    assert_count(test, "extrudedQuads", 4 * 11);
    assert_count(test, "extrudedSurfaceQuads", 4 * 10);
    physics_free(test);
}

static void extruded_edges(void **state) {
    (void)state;
    physics_scene *test = engine_load("<ExtrudeEdgesAndGenerateQuads name='e' curveVertices='0 0 0 0 1 0' "
                                      "curveEdges='0 1' extrudeDirection='2 0 0' thicknessIn='1' thicknessOut='1'/>");
    assert_field(test, "/e", "extrudedVertices", "-2 0 0 -2 1 0 0 0 0 0 1 0");
    assert_field(test, "/e", "extrudedQuads", "0 1 3 2");
    assert_field(test, "/e", "extrudedEdges", "0 1 2 3 0 2 1 3");
    physics_free(test);
}

static void extruded_surfaces(void **state) {
    (void)state;
    physics_scene *test = engine_load("<ExtrudeSurface name='e' position='0 0 0 9 9 9 1 0 0 0 1 0 1 1 0' "
                                      "surfaceTriangles='0 2 3 2 4 3 0 1 2' triangles='0 1 5' heightFactor='2'/>");
    assert_count(test, "extrusionVertices", 3 * 8);
    assert_near((st_real)closed_volume(test, "extrusionVertices", "extrusionTriangles"), 2, (st_real)1e-6);
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Surfaces
// ---------------------------------------------------------------------------------------------------

static void normals(void **state) {
    (void)state;
    assert_engine("<NormalsFromPoints name='e' position='0 0 0 1 0 0 0 1 0 5 5 5' triangles='0 1 2 0 9 8'/>", "normals",
                  "0 0 1 0 0 1 0 0 1 0 0 0");
    assert_engine("<NormalsFromPoints name='e' position='0 0 0 1 0 0 1 1 0 0 1 0' quads='0 1 2 3' invertNormals='1' "
                  "useAngles='1'/>",
                  "normals", "-0 -0 -1 -0 -0 -1 -0 -0 -1 -0 -0 -1");
    assert_engine("<NormEngine name='e' input='3 4 0 0 0 -2'/>", "output", "5 2");
    assert_engine("<NormEngine name='e' input='3 4 0' normType='-1'/>", "output", "4");
    assert_engine("<NormEngine name='e' input='3 -4 0' normType='1'/>", "output", "7");
    assert_engine("<NormEngine name='e' input='3 -4 0' normType='0'/>", "output", "2");
}

static void holes_are_closed(void **state) {
    (void)state;
    physics_scene *test = engine_load("<GenerateCylinder name='c'/><MeshClosingEngine name='e' "
                                      "inputPosition='@c.output_TrianglesPosition' inputTriangles='@c.triangles'/>");
    assert_near((st_real)closed_volume(test, "position", "triangles"),
                (st_real)(6 * 0.2 * 0.2 * sin(3.14159265358979323846 / 3) / 2), (st_real)1e-5);
    assert_count(test, "closingPosition", 3 * 14);
    assert_count(test, "indices", 14);
    physics_free(test);
}

#define BLOCK                                                                                                          \
    "position='1 1 1 3 1 1 3 5 1 1 5 1 1 1 7 3 1 7 3 5 7 1 5 7' "                                                      \
    "quads='0 3 2 1 4 5 6 7 0 1 5 4 1 2 6 5 2 3 7 6 3 0 4 7'"

// A block of 2 x 4 x 6: inertia about its center m (b^2 + c^2) / 12.
static void mass_of_a_block(void **state) {
    (void)state;
    physics_scene *test = engine_load("<GenerateRigidMass name='e' density='2' " BLOCK "/>");
    assert_numbers(test, "/e", "volume", NUMBERS(48));
    assert_numbers(test, "/e", "mass", NUMBERS(96));
    assert_numbers(test, "/e", "massCenter", NUMBERS(2, 3, 4));
    assert_numbers(test, "/e", "centerToOrigin", NUMBERS(-2, -3, -4));
    assert_numbers(test, "/e", "inertiaMatrix", NUMBERS(52. / 12, 0, 0, 0, 40. / 12, 0, 0, 0, 20. / 12));
    assert_numbers(test, "/e", "rigidMass", NUMBERS(96, 48, 52. / 12, 0, 0, 0, 40. / 12, 0, 0, 0, 20. / 12));
    physics_free(test);
}

static void volumes(void **state) {
    (void)state;
    assert_engine("<VolumeFromTriangles name='e' " BLOCK "/>", "volume", "48");
    physics_scene *test =
        engine_load("<VolumeFromVolumetricElements name='e' position='1 1 1 3 1 1 3 5 1 1 5 1 1 1 7 3 1 7 3 5 7 1 5 7' "
                    "hexahedra='0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 99'/>");
    assert_numbers(test, "/e", "volume", NUMBERS(48));
    physics_free(test);
    test = engine_load("<VolumeFromVolumetricElements name='e' position='0 0 0 1 0 0 0 1 0 0 0 1 1 0 1 0 1 1' "
                       "prisms='0 1 2 3 4 5' pyramids='0 1 4 3 2' tetrahedra='0 1 2 3'/>");
    assert_numbers(test, "/e", "volume", NUMBERS(0.5 + 1. / 3 * -1 + 1. / 6));
    physics_free(test);
}

static void random_points(void **state) {
    (void)state;
    const char *text = "<GenerateSphere name='s' radius='1' tessellationDegree='3'/>"
                       "<RandomPointDistributionInSurface name='e' vertices='@s.output_TrianglesPosition' "
                       "triangles='@s.triangles' numberOfInPoints='20' numberOfTests='100' randomSeed='7'/>";
    physics_scene *test = engine_load(text);
    double first[60], again[60];
    assert_int_equal(engine_numbers(test, "/e", "inPoints", first, 60), 60);
    for (int i = 0; i < 60; i += 3) assert_true(first[i] * first[i] + first[i + 1] * first[i + 1] < 1);
    physics_free(test);
    test = engine_load(text);
    engine_numbers(test, "/e", "inPoints", again, 60);
    assert_memory_equal(first, again, sizeof first);
    physics_free(test);
}

static void points_in_tetrahedra(void **state) {
    (void)state;
    physics_scene *test = engine_load("<MeshTopology name='m' position='0 0 0 1 0 0 0 1 0 0 0 1 0 0 -1' "
                                      "tetrahedra='0 1 2 3 0 2 1 4'/><MeshBarycentricMapperEngine name='e' "
                                      "InputMeshName='m' InputPositions='0.1 0.2 0.3 0.1 0.2 -0.3'/>");
    assert_field(test, "/e", "TableElements", "0 1");
    assert_numbers(test, "/e", "BarycentricPositions", NUMBERS(0.1, 0.2, 0.3, 0.2, 0.1, 0.3));
    physics_free(test);
}

#define BALL                                                                                                           \
    "<GenerateSphere name='s' radius='1' platonicSolid='octahedron' tessellationDegree='12'/>"                         \
    "<MeshTetraStuffing name='e' inputPoints='@s.output_TrianglesPosition' inputTriangles='@s.triangles' size='-8' "

typedef struct face {
    double v[3]; // sorted
} face;

static int compare_faces(const void *a, const void *b) {
    const face *f = a, *g = b;
    for (int i = 0; i < 3; i++)
        if (f->v[i] != g->v[i]) return f->v[i] < g->v[i] ? -1 : 1;
    return 0;
}

static face face_of(const double *tetrahedron, int opposite) {
    face f;
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (i == opposite) continue;
        int k = n++;
        for (; k > 0 && f.v[k - 1] > tetrahedron[i]; k--) f.v[k] = f.v[k - 1];
        f.v[k] = tetrahedron[i];
    }
    return f;
}

// Faces of one tetrahedron only have all their vertices on the unit sphere: inside, tetrahedra join face to face.
static void assert_joined_inside_the_sphere(physics_scene *test) {
    size_t n, m;
    double *p = numbers(test, "/e", "outputPoints", &n), *t = numbers(test, "/e", "outputTetrahedra", &m);
    face *faces = malloc(m * sizeof *faces);
    assert_non_null(faces);
    for (size_t i = 0; i < m; i++) faces[i] = face_of(t + i - i % 4, (int)(i % 4));
    qsort(faces, m, sizeof *faces, compare_faces);
    for (size_t i = 0; i < m; i++) {
        if (i + 1 < m && compare_faces(&faces[i], &faces[i + 1]) == 0) {
            i++;
            continue;
        }
        for (int k = 0; k < 3; k++) {
            const double *x = p + 3 * (size_t)faces[i].v[k];
            assert_near((st_real)sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 1, (st_real)0.03);
        }
    }
    free(faces);
    free(p);
    free(t);
}

// The length of the arc from the center is |x|, and y is the distance from the spiral.
static void spirals(void **state) {
    (void)state;
    physics_scene *test =
        engine_load("<Spiral name='e' curvature='0.3' rest_position='0 0 0 0.7 0 1 2 0 2 -2 0 3 2 0.1 4 0.05 0.1 0'/>");
    size_t n;
    double *p = numbers(test, "/e", "position", &n);
    const double a = 0.3, lengths[] = {0, 0.7, 2};
    assert_int_equal(n, 18);
    for (int i = 0; i < 3; i++) {
        const double r = hypot(p[3 * i], p[3 * i + 1]), t = r / a;
        assert_near((st_real)(a / 2 * (t * sqrt(1 + t * t) + asinh(t))), (st_real)lengths[i], 100 * ST_REAL_EPSILON);
        assert_near((st_real)p[3 * i], (st_real)(r * cos(t)), 100 * ST_REAL_EPSILON);
        assert_near((st_real)p[3 * i + 2], (st_real)i, 0);
    }
    for (int k = 0; k < 2; k++) assert_near((st_real)p[9 + k], (st_real)-p[6 + k], 100 * ST_REAL_EPSILON);
    assert_near((st_real)hypot(p[12] - p[6], p[13] - p[7]), (st_real)0.1, 100 * ST_REAL_EPSILON);

    // near the center the normal is held: (-0.6, 0.8)
    physics_scene *flat = engine_load("<Spiral name='e' curvature='0.3' rest_position='0.05 0 0'/>");
    double *q = numbers(flat, "/e", "position", &n);
    assert_near((st_real)(p[15] - q[0]), (st_real)-0.06, (st_real)1e-7);
    assert_near((st_real)(p[16] - q[1]), (st_real)0.08, (st_real)1e-7);
    free(p);
    free(q);
    physics_free(test);
    physics_free(flat);
    test = physics_load("<Spiral name='e' curvature='0'/>");
    assert_says(test, "curvature is 0");
    physics_free(test);
}

static void moduli_of_groups(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        // by name; "other" is not named and the last entry has no semicolon
        {"groups='soft m 0 0 2  hard m 1 3 2  other m 2 5 1' mapGroupModulus='hard 700; soft 20;other 3' "
         "defaultYoungModulus='5'",
         "20 20 5 700 700"},
        {"groups='soft m 0 2' primitives='9 9 9 9' mapGroupModulus='soft 20;nobody 3;soft -1; ;' "
         "defaultYoungModulus='5'",
         "20 20 5 5"},
        // by number: appended, whatever their first element
        {"groups='soft m 0 7 2 hard m 0 0 1 other m 0 0 2' groupModulus='4 6' defaultYoungModulus='5'", "4 4 6 5 5"},
        // groups of elements; 1 is missing in the map and below the largest number, 9 is beyond it
        {"elementsGroup='2 0 1 9' mapGroupModulus='0 10;2 30;' defaultYoungModulus='5'", "30 10 0 5"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "<GroupFilterYoungModulus name='e' %s/>", cases[i][0]);
        physics_scene *test = physics_load(text);
        assert_field(test, "/e", "youngModulus", cases[i][1]);
        assert_int_equal(test->count[ST_ERROR], i == 1 ? 3 : 0);
        physics_free(test);
    }
    physics_scene *test = physics_load("<GroupFilterYoungModulus name='e' groups='a b 0 4000000000'/>"
                                       "<GroupFilterYoungModulus name='f' groups='a b'/>");
    assert_field(test, "/e", "youngModulus", "");
    assert_field(test, "/f", "youngModulus", "");
    assert_int_equal(test->count[ST_ERROR], 2);
    physics_free(test);
}

// Distances along the fourteen edges, in their lengths, to the walls of a box, and 0 where the line meets none.
static void lattice_in_a_box(void **state) {
    (void)state;
    static const st_real corners[24] = {-1.2, -1.3, -1.4, 1.2, -1.3, -1.4, 1.2, 1.3, -1.4, -1.2, 1.3, -1.4,
                                        -1.2, -1.3, 1.4,  1.2, -1.3, 1.4,  1.2, 1.3, 1.4,  -1.2, 1.3, 1.4};
    static const uint32_t quads[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};
    static const st_real box[6] = {-1.2, -1.3, -1.4, 1.2, 1.3, 1.4};
    const st_surface surface = {.points = corners, .point_count = 8, .quads = quads, .quad_count = 6};
    st_bcc_lattice l;
    assert_true(st_bcc_create(&l, box, 1));
    assert_true(st_bcc_classify(&l, &surface));
    for (size_t i = 0; i < l.count; i++) {
        st_real p[3], q[3];
        st_bcc_point(&l, i, p);
        const bool inside = fabs(p[0]) < box[3] && fabs(p[1]) < box[4] && fabs(p[2]) < box[5];
        assert_int_equal(l.inside[i], inside ? 1 : -1);
        for (int e = 0; e < ST_BCC_EDGES; e++) {
            const size_t to = st_bcc_neighbor(&l, i, e);
            if (to == SIZE_MAX) continue;
            assert_true(st_bcc_neighbor(&l, to, e ^ 1) == i);
            assert_true(((i < l.grid_count) == (to < l.grid_count)) == (e < ST_BCC_LONG));
            if (!inside) continue;
            st_bcc_point(&l, to, q);
            st_real t = ST_REAL_MAX; // the first wall on the way
            for (int a = 0; a < 3; a++)
                if (q[a] != p[a]) t = fmin(t, ((q[a] > p[a] ? box[3 + a] : box[a]) - p[a]) / (q[a] - p[a]));
            assert_near(*st_bcc_distance(&l, i, e), t, 100 * ST_REAL_EPSILON);
        }
    }
    assert_true(*st_bcc_distance(&l, 0, 1) == 0); // far from the box, along x
    st_bcc_free(&l);
}

// A ball of volume 4.19: whole cells cover it; cut at the surface they fill it. All tetrahedra have positive volume.
static void stuffed_ball(void **state) {
    (void)state;
    physics_scene *test = engine_load(BALL "/>");
    const double covering = solid_volume(test, "outputPoints", "outputTetrahedra");
    assert_true(covering > 4.19 && covering < 8);
    physics_free(test);
    static const char *const ways[] = {"splitTetras='1'/>", "splitTetras='1' snapPoints='1'/>"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", BALL, ways[i]);
        test = engine_load(text);
        assert_near((st_real)solid_volume(test, "outputPoints", "outputTetras"), (st_real)4.1, (st_real)0.1);
        assert_joined_inside_the_sphere(test);
        physics_free(test);
    }
    test = physics_load("<MeshTetraStuffing name='e' inputPoints='0 0 0 1 1 1' inputTriangles='0 1 9' size='1e-9'/>"
                        "<MeshTetraStuffing name='f'/>");
    assert_field(test, "/e", "outputPoints", "");
    assert_field(test, "/f", "outputPoints", "");
    assert_says(test, "nothing is made");
    physics_free(test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids),           cmocka_unit_test(cylinders),
        cmocka_unit_test(spheres),         cmocka_unit_test(unknown_solids),
        cmocka_unit_test(merged_meshes),   cmocka_unit_test(merged_lists),
        cmocka_unit_test(merged_points),   cmocka_unit_test(extruded_quads),
        cmocka_unit_test(extruded_edges),  cmocka_unit_test(extruded_surfaces),
        cmocka_unit_test(normals),         cmocka_unit_test(holes_are_closed),
        cmocka_unit_test(mass_of_a_block), cmocka_unit_test(volumes),
        cmocka_unit_test(random_points),   cmocka_unit_test(points_in_tetrahedra),
        cmocka_unit_test(stuffed_ball),    cmocka_unit_test(lattice_in_a_box),
        cmocka_unit_test(spirals),         cmocka_unit_test(moduli_of_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
