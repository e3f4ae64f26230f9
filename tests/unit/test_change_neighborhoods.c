// Neighborhoods of a mesh that loses elements and points: after each change every table equals one made from scratch, row
// by row and in order, whichever tables were asked for before. Edge pressures, collision models, normals and topological
// mappings rely on these orders.
//
// SPDX-License-Identifier: Apache-2.0
#include "changing_mesh.h"

#include "topology/adjacency.h"

typedef struct tables {
    st_uints in[ST_ELEMENT_KINDS][ST_ELEMENT_KINDS];
    st_uints around[ST_ELEMENT_KINDS][ST_ELEMENT_KINDS + 1]; // each row: its length, then its elements
} tables;

static void tables_free(tables *t) {
    for (int upper = 0; upper < ST_ELEMENT_KINDS; upper++) {
        for (int lower = 0; lower < ST_ELEMENT_KINDS; lower++) st_list_free(&t->in[upper][lower]);
        for (int lower = 0; lower <= ST_ELEMENT_KINDS; lower++) st_list_free(&t->around[upper][lower]);
    }
}

static bool is_asked(int upper, int lower, uint32_t choice) { return choice >> ((upper * 3 + lower) % 8) & 1; }

// Copies of those tables that the choice asks for.
static void read_tables(st_topology *topology, uint32_t choice, tables *t) {
    for (int upper = ST_EDGE; upper <= ST_HEXAHEDRON; upper++)
        for (int lower = 0; lower <= ST_ELEMENT_KINDS; lower++) {
            if (lower < ST_ELEMENT_KINDS && lower > ST_HEXAHEDRON) continue;
            if (!is_asked(upper, lower, choice) || topology->elements[upper].count == 0) continue;
            const bool parts = lower < ST_ELEMENT_KINDS;
            const size_t width = parts ? (size_t)st_element_parts((st_element)upper, (st_element)lower).parts : 0;
            if (parts && width == 0) continue;

            const uint32_t *in = parts ? st_topology_in(topology, (st_element)upper, (st_element)lower) : NULL;
            for (size_t i = 0; in && i < width * topology->elements[upper].count; i++)
                assert_true(st_list_push(&t->in[upper][lower], in[i]));
            const st_around around = st_topology_around(topology, (st_element)upper, lower);
            for (size_t i = 0; i < around.count; i++) {
                const st_shell shell = st_shell_of(around, i);
                assert_true(st_list_push(&t->around[upper][lower], (uint32_t)shell.count));
                for (size_t k = 0; k < shell.count; k++)
                    assert_true(st_list_push(&t->around[upper][lower], shell.ids[k]));
            }
        }
}

static void assert_same_list(const st_uints *a, const st_uints *b) {
    assert_int_equal(a->count, b->count);
    if (a->count) assert_memory_equal(a->data, b->data, a->count * sizeof *a->data);
}

static void assert_same_tables(const tables *a, const tables *b) {
    for (int upper = 0; upper < ST_ELEMENT_KINDS; upper++) {
        for (int lower = 0; lower < ST_ELEMENT_KINDS; lower++)
            assert_same_list(&a->in[upper][lower], &b->in[upper][lower]);
        for (int lower = 0; lower <= ST_ELEMENT_KINDS; lower++)
            assert_same_list(&a->around[upper][lower], &b->around[upper][lower]);
    }
}

static physics_scene *load_mesh(const mesh *m) {
    static text t;
    t.length = 0;
    put(&t, "<Node name='body'>");
    put_first_mesh(&t, m);
    put(&t, "<MechanicalObject name='dofs'/></Node>");
    return physics_load(t.data);
}

static void check(const mesh *m, uint32_t choice) {
    physics_scene *test = load_mesh(m);
    st_topology *topology = (st_topology *)physics_find(test, "/body/mesh");
    uint64_t seed = 31 + choice;

    for (int i = 0; i < 12; i++) {
        tables before = {0}, now = {0}, fresh = {0};
        read_tables(topology, choice, &before);
        edit_once(test, topology, m->kind, &seed);
        read_tables(topology, choice, &now);
        st_adjacency_drop(topology);
        read_tables(topology, choice, &fresh);
        assert_same_tables(&now, &fresh);
        tables_free(&before);
        tables_free(&now);
        tables_free(&fresh);
    }
    physics_free(test);
}

// The same without making them from scratch in between: tables that have followed go on to follow.
static void check_long(const mesh *m) {
    physics_scene *test = load_mesh(m);
    st_topology *topology = (st_topology *)physics_find(test, "/body/mesh");
    uint64_t seed = 77;
    tables now = {0}, fresh = {0}, first = {0};
    read_tables(topology, 255, &first);
    while (topology->elements[m->kind].count > 1) {
        const uint32_t id = below(&seed, topology->elements[m->kind].count);
        assert_int_equal(st_edit_remove(topology, m->kind, &id, 1, true, true), ST_OK);
        st_finish_edits(test->scene);
    }
    read_tables(topology, 255, &now);
    st_adjacency_drop(topology);
    read_tables(topology, 255, &fresh);
    assert_same_tables(&now, &fresh);
    tables_free(&first);
    tables_free(&now);
    tables_free(&fresh);
    physics_free(test);
}

static void tables_follow(void **state) {
    (void)state;
    static const uint32_t choices[] = {255, 1, 2, 4, 8, 16, 32, 64, 128, 0x55, 0xaa};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++)
        for (size_t k = 0; k < sizeof choices / sizeof *choices; k++) check(&meshes[i], choices[k]);
}

static void tables_follow_to_the_last_element(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) check_long(&meshes[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_follow),
        cmocka_unit_test(tables_follow_to_the_last_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
