// MeshMatrixMass on meshes that change: at rest it follows each edit alone. After every one of many random edits its lists
// are those of a mass that is spread from the total again, with the formula of the specification; a reset repeats them.
//
// SPDX-License-Identifier: Apache-2.0
#include "changing_mesh.h"

#include "math/real.h"

static const st_reals *list_of(physics_scene *test, const char *name) {
    st_object *mass = physics_find(test, "/it");
    return st_member(mass, st_fields(mass)[st_field_index(mass, name)]);
}

// A copy of a list, so that the next one can be compared with it.
static size_t copy_list(physics_scene *test, const char *name, st_real *values, size_t capacity) {
    const st_reals *list = list_of(test, name);
    assert_true(list->count <= capacity);
    for (size_t i = 0; i < list->count; i++) values[i] = list->data[i];
    return list->count;
}

static void assert_list(physics_scene *test, const char *name, const st_real *values, size_t count, double tolerance) {
    const st_reals *list = list_of(test, name);
    assert_int_equal(list->count, count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)(list->data[i] - values[i])) <= tolerance))
            fail_msg("%s %zu of %zu: %.17g, not %.17g", name, i, count, (double)list->data[i], (double)values[i]);
}

static physics_scene *load(const mesh *m, bool lumped) {
    static text t;
    t.length = 0;
    put_first_mesh(&t, m);
    put(&t,
        "<MechanicalObject name='dofs'/><MeshMatrixMass name='it' massDensity='2' computeMassOnRest='1' lumping='%d'/>",
        lumped);
    physics_scene *test = physics_load(t.data);
    assert_int_equal(test->count[ST_ERROR], 0);
    return test;
}

enum { EDITS = 25, MOST = 4096 };

static void rest_masses_follow_each_edit(void **state) {
    (void)state;
    const double tolerance = 1e3 * (double)ST_REAL_EPSILON;
    static st_real vertices[MOST], edges[MOST], again[MOST];

    for (size_t k = 1; k < sizeof meshes / sizeof *meshes; k++)
        for (int lumped = 0; lumped < 2; lumped++) {
            physics_scene *test = load(&meshes[k], lumped);
            st_topology *topology = (st_topology *)physics_find(test, "/mesh");

            for (int run = 0; run < 2; run++) {
                uint64_t seed = 100 * k + (uint64_t)lumped;
                size_t n = 0, m = 0;
                for (int i = 0; i < EDITS; i++) {
                    edit_once(test, topology, meshes[k].kind, &seed);
                    n = copy_list(test, "vertexMass", vertices, MOST);
                    m = copy_list(test, "edgeMass", edges, MOST);
                    assert_int_equal(n, st_topology_points(topology));

                    // writing the total spreads it over the whole mesh: in the first run only at its end, so that edits follow edits
                    if (run == 0 && i + 1 < EDITS) continue;
                    char *total = st_object_get(physics_find(test, "/it"), "totalMass", 17);
                    assert_int_equal(st_object_set(physics_find(test, "/it"), "totalMass", total), ST_OK);
                    st_string_free(total);
                    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
                    assert_list(test, "vertexMass", vertices, n, tolerance);
                    assert_list(test, "edgeMass", edges, m, tolerance);
                }

                // the same edits after a reset, in both runs to the same masses
                if (run == 0) memcpy(again, vertices, sizeof again);
                else assert_list(test, "vertexMass", again, n, tolerance);
                assert_int_equal(st_scene_reset(test->scene), ST_OK);
            }
            assert_int_equal(test->count[ST_ERROR], 0);
            physics_free(test);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rest_masses_follow_each_edit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
