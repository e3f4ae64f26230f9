// Every finite element, found in the class list: the patch test on distorted meshes, no force after a rigid motion, and
// input that makes no sense. The attributes are those of the class's example; the meshes are tried until one fits. A
// new element is tested without a line here.
//
// SPDX-License-Identifier: Apache-2.0
#include "physics_scene.h"

#include "api/classes.h"
#include "math/real.h"
#include "scene/scene.h"

enum { SIDE = 3, TEXT = 8192 };

// ---------------------------------------------------------------------------------------------------
// Classes and meshes
// ---------------------------------------------------------------------------------------------------

// Elastic bodies of points. (Beams have frames and a test of their own.)
static bool is_element(const st_class *type) {
    if (type->flags & ST_CLASS_ABSTRACT || !type->example) return false;
    if (strstr(type->name, "Diffusion") || strstr(type->name, "Beam") || strstr(type->name, "Mapping")) return false;
    const bool named =
        strstr(type->name, "FEMForceField") || strstr(type->name, "Corotational") || strstr(type->name, "TensorMass");
    for (; type; type = type->parent)
        if (type->force) return named;
    return false;
}

// Only small displacements: a rigid motion is a deformation to them.
static bool is_linear(const st_class *type) {
    return strstr(type->name, "SmallStrain") || strstr(type->name, "TensorMass") || strstr(type->name, "QuadBending");
}

// Its formula is that of rectangles, whatever the quad.
static bool is_rectangular(const st_class *type) { return strstr(type->name, "QuadBending"); }

typedef enum mesh { HEXAHEDRA, TETRAHEDRA, TRIANGLES, QUADS, OF_THE_EXAMPLE, MESHES } mesh;
typedef enum shape { USUAL, REGULAR, FLAT, INSIDE_OUT, BEYOND } shape; // BEYOND: a vertex that is not there

static int node(int x, int y, int z) { return x + SIDE * (y + SIDE * z); }

static void write_cell(char *text, int x, int y, int z, mesh kind) {
    static const int corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int tetrahedra[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                         {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
    static const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    char *end = text + strlen(text);
    int n[8];
    for (int i = 0; i < 8; i++) n[i] = node(x + corners[i][0], y + corners[i][1], z + corners[i][2]);
    if (kind == TETRAHEDRA)
        for (int i = 0; i < 24; i++) end += sprintf(end, "%d ", n[tetrahedra[i / 4][i % 4]]);
    else if (kind == TRIANGLES)
        for (int i = 0; i < 6; i++) end += sprintf(end, "%d ", n[triangles[i / 3][i % 3]]);
    else
        for (int i = 0; i < (kind == QUADS ? 4 : 8); i++) end += sprintf(end, "%d ", n[i]);
}

// Two cells along each axis, the points moved a little from their places.
static void write_mesh(char *text, mesh kind, shape form) {
    static const char *const lists[] = {"hexahedra", "tetrahedra", "triangles", "quads"};
    const int layers = kind == TRIANGLES || kind == QUADS ? 1 : SIDE;
    sprintf(text, "<MeshTopology %s='", lists[kind]);
    for (int z = 0; z < (layers > 1 ? 2 : 1); z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 2; x++) write_cell(text, x, y, z, kind);
    if (form == BEYOND) sprintf(text + strlen(text), "0 1 2 900 %s", kind == HEXAHEDRA ? "4 5 6 7" : "");
    if (form == BEYOND && kind == TRIANGLES) sprintf(text + strlen(text), " 0 1");
    strcat(text, "'/><MechanicalObject name='dofs' position='");
    unsigned seed = 7;
    for (int i = 0; i < SIDE * SIDE * layers; i++) {
        double p[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int k = 0; k < (layers > 1 ? 3 : 2); k++) {
            seed = seed * 1103515245u + 12345u;
            if (form != REGULAR) p[k] += 0.2 * ((double)(seed >> 16 & 1023u) / 1023 - 0.5);
        }
        if (form == FLAT) p[1] = p[2] = p[0];
        if (form == INSIDE_OUT) p[0] = -p[0];
        sprintf(text + strlen(text), "%.6f %.6f %.6f ", p[0], p[1], p[2]);
    }
    strcat(text, "'/>");
}

// The component as its example has it.
static void write_force(char *text, const st_class *type) {
    char opening[128];
    snprintf(opening, sizeof opening, "<%s ", type->name);
    const char *begin = strstr(type->example, opening);
    if (!begin) fail_msg("the example of %s does not hold it", type->name);
    const char *end = strstr(begin, "/>");
    assert_non_null(end);
    sprintf(text, "%.*s/>", (int)(end - begin), begin);
}

// Replaces an attribute, or adds it.
static void set_attribute(char *text, const char *name, const char *value) {
    char head[64], tail[TEXT];
    snprintf(head, sizeof head, " %s=\"", name);
    char *at = strstr(text, head);
    if (at) {
        at += strlen(head);
        strcpy(tail, strchr(at, '"'));
        sprintf(at, "%s%s", value, tail);
    } else {
        at = strstr(text, "/>");
        sprintf(at, " %s=\"%s\"/>", name, value);
    }
}

static physics_scene *load(const st_class *type, mesh kind, shape form, const char *force) {
    static char text[4 * TEXT];
    text[0] = 0;
    if (kind == OF_THE_EXAMPLE) strcpy(text, type->example);
    else {
        write_mesh(text, kind, form);
        strcat(text, force);
    }
    return physics_load(text);
}

static st_force *find_force(physics_scene *test, const st_class *type) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(test->scene, i)); i++)
        if (strcmp(object->type->name, type->name) == 0) return (st_force *)object;
    return NULL;
}

static bool is_active(st_force *force) { return force && st_is_valid(&force->object) && force->state; }

static st_real *force_at(st_force *force) {
    const st_params params = st_default_params();
    st_real *f = physics_set(force->state, ST_FORCE, NULL);
    assert_true(st_state_make_deriv(force->state, ST_VELOCITY));
    force->object.type->force->add_force(force, &params);
    // Elements with mass have weight, which is no matter here.
    if (!st_has_role(&force->object, ST_ROLE(mass))) return f;
    const st_mass_ops *mass = force->object.type->mass;
    for (size_t n = 0; n < force->state->size; n++) f[3 * n + 1] += 10 * mass->element_mass((st_mass *)force, n);
    return f;
}

static st_real largest(const st_real *values, size_t count) {
    st_real most = 0;
    for (size_t i = 0; i < count; i++) most = isfinite(values[i]) ? fmax(most, fabs(values[i])) : ST_REAL_MAX;
    return most;
}

// Is the mesh of the example of that kind? Faces of a volume are triangles, too: where the example has a list, it
// decides.
static bool may_fit(const st_class *type, mesh kind) {
    static const char *const lists[] = {"hexahedra=", "tetrahedra=", "triangles=", "quads="};
    int named = MESHES;
    for (int i = 0; i < 4; i++)
        if (strstr(type->example, lists[i])) named = i;
    if (strstr(type->example, "SparseGrid") || strstr(type->example, "Multilevel")) named = OF_THE_EXAMPLE;
    return named == MESHES || (mesh)named == kind;
}

// The mesh that the class takes: one that makes a force where it is stretched.
static physics_scene *load_usual(const st_class *type, st_force **force, mesh *kind) {
    char text[TEXT];
    write_force(text, type);
    for (*kind = 0; *kind < MESHES; ++*kind) {
        if (!may_fit(type, *kind)) continue;
        physics_scene *test = load(type, *kind, is_rectangular(type) ? REGULAR : USUAL, text);
        *force = find_force(test, type);
        if (is_active(*force) && test->count[ST_ERROR] == 0) {
            st_real *x = (*force)->state->coord[ST_COORD_POSITION].data;
            const size_t count = st_state_scalars((*force)->state);
            for (size_t i = 0; i < count; i++) x[i] *= ST_R(1.001);
            const bool works = largest(force_at(*force), count) > 0;
            memcpy(x, (*force)->state->coord[ST_COORD_REST].data, count * sizeof *x);
            if (works) return test;
        }
        physics_free(test);
    }
    fail_msg("no mesh fits %s", type->name);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Patch test and rigid motions
// ---------------------------------------------------------------------------------------------------

// x <- X + A X + t
static void move(st_state *state, const st_real a[9], const st_real t[3]) {
    for (size_t n = 0; n < state->size; n++) {
        const st_real *rest = state->coord[ST_COORD_REST].data + 3 * n;
        for (int r = 0; r < 3; r++)
            state->coord[ST_COORD_POSITION].data[3 * n + (size_t)r] =
                rest[r] + a[3 * r] * rest[0] + a[3 * r + 1] * rest[1] + a[3 * r + 2] * rest[2] + t[r];
    }
}

// Is the point inside of the box around all, along the axes that the mesh has?
static bool is_inside(const st_state *state, size_t n, bool sheet) {
    const st_real *x = state->coord[ST_COORD_REST].data;
    for (int k = 0; k < (sheet ? 2 : 3); k++) {
        st_real low = x[k], high = x[k];
        for (size_t i = 0; i < state->size; i++) {
            low = fmin(low, x[3 * i + (size_t)k]);
            high = fmax(high, x[3 * i + (size_t)k]);
        }
        const st_real margin = (high - low) / 4, p = x[3 * n + (size_t)k];
        if (p < low + margin || p > high - margin) return false;
    }
    return true;
}

// Points inside of a body that is strained evenly are in balance. The strain is small: elements that turn differ by its
// square.
static void patch_test(void **state) {
    (void)state;
    const st_real e = sizeof(st_real) == sizeof(float) ? ST_R(1e-3) : ST_R(1e-6);
    const st_real volume[9] = {2 * e, e, -e, e, -e, e / 2, -e, e / 2, e}, zero[3] = {0};
    const st_real plane[9] = {2 * e, e, 0, e, -e, 0, 0, 0, 0};
    size_t checked = 0;
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        st_force *force;
        mesh kind;
        if (!is_element(*type)) continue;
        physics_scene *test = load_usual(*type, &force, &kind);
        if (kind == OF_THE_EXAMPLE) { // cells of a sparse grid differ in stiffness: test_condensation.c has them
            physics_free(test);
            continue;
        }
        const bool sheet = kind == TRIANGLES || kind == QUADS;
        move(force->state, sheet ? plane : volume, zero);
        const st_real *f = force_at(force), most = largest(f, st_state_scalars(force->state));
        size_t inside = 0;
        for (size_t n = 0; n < force->state->size; n++) {
            if (!is_inside(force->state, n, sheet)) continue;
            const st_real left = largest(f + 3 * n, 3);
            if (!(left <= (sizeof e == sizeof(float) ? ST_R(0.02) : 1e-4) * most))
                fail_msg("%s: a force of %g inside, %g at the surface", (*type)->name, (double)left, (double)most);
            inside++;
        }
        if (inside == 0 || !(most > 0)) fail_msg("%s: nothing to check", (*type)->name);
        physics_free(test);
        checked++;
    }
    print_message("%zu elements\n", checked);
    assert_true(checked >= 20);
}

static void rigid_motion_makes_no_force(void **state) {
    (void)state;
    // A turn by 1.2 about (1, 2, 2) / 3, minus 1.
    const st_real c = cos(ST_R(1.2)), s = sin(ST_R(1.2)), u[3] = {ST_R(1.0) / 3, ST_R(2.0) / 3, ST_R(2.0) / 3};
    const st_real cross[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0}, t[3] = {5, -3, 2};
    st_real turn[9], shift[9] = {0}, stretch[9] = {ST_R(0.1), 0, 0, 0, ST_R(0.1), 0, 0, 0, ST_R(0.1)};
    for (int i = 0; i < 9; i++) turn[i] = (c - 1) * (i % 4 == 0) + s * cross[i] + (1 - c) * u[i / 3] * u[i % 3];
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        st_force *force;
        mesh kind;
        if (!is_element(*type)) continue;
        physics_scene *test = load_usual(*type, &force, &kind);
        const size_t count = st_state_scalars(force->state);
        move(force->state, stretch, t);
        const st_real scale = largest(force_at(force), count);
        move(force->state, is_linear(*type) ? shift : turn, t);
        const st_real left = largest(force_at(force), count);
        if (!(left <= 5e3 * ST_REAL_EPSILON * scale))
            fail_msg("%s: a force of %g after a rigid motion, %g after a stretch", (*type)->name, (double)left,
                     (double)scale);
        physics_free(test);
    }
}

// ---------------------------------------------------------------------------------------------------
// Input that makes no sense
// ---------------------------------------------------------------------------------------------------

// Force and product are numbers, whatever was reported.
static void assert_finite(const st_class *type, physics_scene *test, const char *what) {
    const st_params params = st_default_params();
    st_force *force = find_force(test, type);
    if (!is_active(force)) return;
    const size_t count = st_state_scalars(force->state);
    st_real *dx = physics_set(force->state, ST_DX, NULL), *df = physics_set(force->state, ST_DFORCE, NULL);
    for (size_t i = 0; i < count; i++) dx[i] = (st_real)(i % 5) / 5;
    const st_real *f = force_at(force);
    if (force->object.type->force->product) force->object.type->force->product(force, &params, 1, 0);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(f[i]) || !isfinite(df[i])) fail_msg("%s: not a number with %s", type->name, what);
}

static void check_input(const st_class *type, mesh kind, shape form, const char *name, const char *value, bool told) {
    char text[TEXT], what[128];
    write_force(text, type);
    snprintf(what, sizeof what, "shape %d, %s %s", form, name ? name : "", value ? value : "");
    if (name) set_attribute(text, name, value);
    physics_scene *test = load(type, kind, form, text);
    if (told && test->count[ST_WARNING] + test->count[ST_ERROR] == 0)
        fail_msg("%s: nothing is said of %s", type->name, what);
    assert_finite(type, test, what);
    physics_free(test);
}

static bool has_field(const st_class *type, const char *name) {
    for (; type; type = type->parent)
        for (const st_field *field = type->fields; field && field->name; field++)
            if (strcmp(field->name, name) == 0) return true;
    return false;
}

static void bad_input_is_told_and_makes_no_nan(void **state) {
    (void)state;
    // Plane stress knows Poisson ratios up to 1, and some elements negative ones.
    static const struct input {
        const char *name, *value;
        bool told;
    } inputs[] = {{"youngModulus", "-1", true},   {"youngModulus", "nan", true},  {"poissonRatio", "1.5", true},
                  {"poissonRatio", "-1.5", true}, {"poissonRatio", "0.5", false}, {"poissonRatio", "0.7", false},
                  {"poissonRatio", "-0.1", false}};
    for (const st_class *const *type = st_builtin_classes; *type; type++) {
        st_force *force;
        mesh kind;
        if (!is_element(*type)) continue;
        physics_free(load_usual(*type, &force, &kind));
        if (kind == OF_THE_EXAMPLE) continue; // sparse grids have neither flat cells nor wrong indices
        for (const struct input *i = inputs; i < inputs + sizeof inputs / sizeof *inputs; i++)
            if (has_field(*type, i->name)) check_input(*type, kind, USUAL, i->name, i->value, i->told);
        check_input(*type, kind, FLAT, NULL, NULL, false);
        check_input(*type, kind, INSIDE_OUT, NULL, NULL, false);
        check_input(*type, kind, BEYOND, NULL, NULL, true);
    }
}

// Without a mesh, or with one that has no element of the kind.
static void without_elements(void **state) {
    (void)state;
    static const char *const bodies[] = {"<MechanicalObject position='0 0 0  1 0 0  0 1 0'/>",
                                         "<MeshTopology/><MechanicalObject position='0 0 0  1 0 0  0 1 0'/>",
                                         "<MeshTopology edges='0 1'/><MechanicalObject position='0 0 0  1 0 0'/>",
                                         "<MeshTopology/><MechanicalObject/>"};
    for (const st_class *const *type = st_builtin_classes; *type; type++)
        for (size_t i = 0; is_element(*type) && i < sizeof bodies / sizeof *bodies; i++) {
            char text[TEXT], force[TEXT];
            write_force(force, *type);
            sprintf(text, "%s%s", bodies[i], force);
            physics_scene *test = physics_load(text);
            if (test->count[ST_WARNING] + test->count[ST_ERROR] == 0)
                fail_msg("%s: nothing is said of %s", (*type)->name, bodies[i]);
            assert_finite(*type, test, bodies[i]);
            physics_free(test);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patch_test),
        cmocka_unit_test(rigid_motion_makes_no_force),
        cmocka_unit_test(bad_input_is_told_and_makes_no_nan),
        cmocka_unit_test(without_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
