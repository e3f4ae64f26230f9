// What does one finite element cost? Nanoseconds per element for the force (with the rotation), the matrix-free product
// and the assembly into known slots, for each kind of element, from 10^3 to 10^6 elements, with one thread and with
// two.
//
// The bodies are regular grids, bent so that every element turns. The bytes in brackets are what a product must read
// and write at least, as a share of the bandwidth of the triad a[i] = b[i] + s c[i] on one core: near 100 % means that
// memory is the limit. Best of several tries.
//
//     fem_elements [largest number of elements]
//
// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "linalg/sink_assembly.h"
#include "scene/scene.h"
#include "settee/physics.h"

enum { TRIAD_COUNT = 4 << 20, MIN_TRIES = 5 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------------------------------
// What is measured
// ---------------------------------------------------------------------------------------------------

typedef struct subject {
    const char *name;
    const char *xml;      // the component; %s of the grid comes before it
    bool tetrahedra;      // needs a mesh of tetrahedra
    int per_cell;         // elements of a grid cell
    double product_bytes; // of an element
    size_t most;          // elements that fit into memory
} subject;

#define CORNERS(n) ((n) * (4 + 2 * 3 * sizeof(st_real))) // node number, gathered dx, added df
static const subject subjects[] = {
    {"TetrahedronFEM small", "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3' method='small'/>", false,
     6, 15 * sizeof(st_real) + CORNERS(4), 1u << 21},
    {"TetrahedronFEM large", "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3' method='large'/>", false,
     6, 24 * sizeof(st_real) + CORNERS(4), 1u << 21},
    {"TetrahedronFEM polar", "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3' method='polar'/>", false,
     6, 24 * sizeof(st_real) + CORNERS(4), 1u << 21},
    {"TetrahedronFEM svd", "<TetrahedronFEMForceField youngModulus='1000' poissonRatio='0.3' method='svd'/>", false, 6,
     24 * sizeof(st_real) + CORNERS(4), 1u << 21},
    {"FastTetrahedral qr", "<FastTetrahedralCorotationalForceField youngModulus='1000' poissonRatio='0.3'/>", true, 6,
     1.2 * (9 * sizeof(st_real) + CORNERS(2)), 1u << 21},
    {"Corotational tetra",
     "<CorotationalFEMForceField template='Vec3,Tetrahedron' youngModulus='1000' poissonRatio='0.3'/>", true, 6,
     (78 + 9) * sizeof(st_real) + CORNERS(4), 1u << 21},
    {"SmallStrain tetra",
     "<LinearSmallStrainFEMForceField template='Vec3,Tetrahedron' youngModulus='1000' poissonRatio='0.3'/>", true, 6,
     78 * sizeof(st_real) + CORNERS(4), 1u << 21},
    {"Corotational hexa",
     "<CorotationalFEMForceField template='Vec3,Hexahedron' youngModulus='1000' poissonRatio='0.3'/>", false, 1,
     9 * sizeof(st_real) + CORNERS(8), 1u << 20},
    {"HexahedronFEM large", "<HexahedronFEMForceField youngModulus='1000' poissonRatio='0.3'/>", false, 1,
     9 * sizeof(st_real) + CORNERS(8), 1u << 20},
    {"HexahedronFEM polar", "<HexahedronFEMForceField youngModulus='1000' poissonRatio='0.3' method='polar'/>", false, 1,
     9 * sizeof(st_real) + CORNERS(8), 1u << 20},
    {"Hyperelastic NeoHooke",
     "<TetrahedronHyperelasticityFEMForceField materialName='NeoHookean' ParameterSet='400 600'/>", true, 6,
     1.2 * (9 * sizeof(st_real) + CORNERS(2)), 1u << 20},
    {"Hyperelastic Mooney",
     "<TetrahedronHyperelasticityFEMForceField materialName='MooneyRivlin' ParameterSet='200 50 2000'/>", true, 6,
     1.2 * (9 * sizeof(st_real) + CORNERS(2)), 1u << 20},
    {"SmallStrain hexa",
     "<LinearSmallStrainFEMForceField template='Vec3,Hexahedron' youngModulus='1000' poissonRatio='0.3'/>", false, 1,
     CORNERS(8), 1u << 20},
};

static void report_errors(void *user, const st_diagnostic *d) {
    (void)user;
    if (d->severity >= ST_ERROR) fprintf(stderr, "%s: %s\n", d->component, d->text);
}

static st_scene *make_scene(const subject *s, int side, int threads) {
    char text[1024];
    snprintf(text, sizeof text,
             "<Node><DefaultAnimationLoop/><RegularGridTopology name='grid' n='%d %d %d' min='0 0 0' max='1 1 1'/>"
             "<MechanicalObject/>%s%s</Node>",
             side + 1, side + 1, side + 1,
             s->tetrahedra
                 ? "<TetrahedronSetTopologyContainer name='tetra'/><Hexa2TetraTopologicalMapping input='@grid' "
                   "output='@tetra' swapping='1'/>"
                 : "",
             s->xml);
    st_config config = st_default_config();
    config.log = report_errors;
    config.threads = threads;
    st_scene *scene = st_scene_create(&config);
    if (scene && st_scene_load_text(scene, text, strlen(text), NULL) == ST_OK && st_scene_init(scene) == ST_OK)
        return scene;
    st_scene_destroy(scene);
    return NULL;
}

static st_force *find_force(st_scene *scene) {
    st_object *object;
    for (size_t i = 0; (object = st_scene_object(scene, i)); i++)
        if (st_has_role(object, ST_ROLE(force))) return (st_force *)object;
    return NULL;
}

// Turned more and more along z, and stretched a little: no two elements have the same rotation.
static void bend(st_state *state) {
    st_real *x = state->coord[ST_COORD_POSITION].data;
    for (size_t n = 0; n < state->size; n++, x += 3) {
        const double a = 2 * (double)x[2], c = cos(a), s = sin(a), p = (double)x[0], q = (double)x[1];
        x[0] = (st_real)(1.1 * (c * p - s * q));
        x[1] = (st_real)(0.95 * (s * p + c * q));
    }
}

// ---------------------------------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------------------------------

typedef struct trial {
    st_force *force;
    st_params params;
    st_assembly assembly;
} trial;

static void run_force(trial *t) { t->force->object.type->force->add_force(t->force, &t->params); }
static void run_product(trial *t) { t->force->object.type->force->product(t->force, &t->params, (st_real)0.01, 0); }

static void run_stiffness(trial *t, bool adding) {
    const size_t size = st_state_scalars(t->force->state);
    st_matrix_sink sink;
    st_single_accumulator all;
    if (adding) st_assembly_begin_add(&t->assembly);
    st_matrix_sink_init(&sink, &t->assembly, (st_window){0, 0, size, size}, -1);
    st_single_accumulator_init(&all, &sink.sink);
    st_assembly_part(&t->assembly, 0);
    t->force->object.type->force->stiffness(t->force, &t->params, (st_stiffness){&all.accumulator});
}
static void run_assembly(trial *t) { run_stiffness(t, true); }

static double best_of(void (*run)(trial *), trial *t) {
    double best = 1e9, spent = 0;
    for (int i = 0; i < MIN_TRIES || (spent < 0.2 && i < 2000); i++) {
        const double begin = now();
        run(t);
        const double time = now() - begin;
        spent += time;
        if (time < best) best = time;
    }
    return best;
}

static double triad_gbs(void) {
    st_real *a = st_alloc(TRIAD_COUNT, sizeof *a), *b = st_alloc(TRIAD_COUNT, sizeof *b),
            *c = st_alloc(TRIAD_COUNT, sizeof *c);
    double best = 0;
    for (size_t i = 0; a && b && c && i < TRIAD_COUNT; i++) b[i] = 1, c[i] = 2;
    for (int k = 0; a && b && c && k < 9; k++) {
        const double begin = now();
        for (size_t i = 0; i < TRIAD_COUNT; i++) a[i] = b[i] + 3 * c[i];
        const double rate = 3.0 * sizeof *a * TRIAD_COUNT / (now() - begin) / 1e9;
        if (rate > best && a[TRIAD_COUNT / 2] == 7) best = rate;
    }
    st_free(a);
    st_free(b);
    st_free(c);
    return best;
}

typedef struct figures {
    size_t count;
    double force, product, assembly; // ns per element
} figures;

static bool measure(const subject *s, size_t elements, int threads, figures *f) {
    const int side = (int)lround(cbrt((double)elements / s->per_cell));
    st_scene *scene = make_scene(s, side, threads);
    if (!scene) return false;
    trial t = {.force = find_force(scene), .params = st_default_params()};
    st_state *state = t.force->state;
    f->count = (size_t)side * (size_t)side * (size_t)side * (size_t)s->per_cell;
    bool ok = st_state_make_deriv(state, ST_FORCE) && st_state_make_deriv(state, ST_DX) &&
              st_state_make_deriv(state, ST_DFORCE);
    if (ok) {
        bend(state);
        for (size_t i = 0; i < 3 * state->size; i++) state->deriv[ST_DERIV_DX].data[i] = (st_real)(i % 17) / 17;
        const double unit = 1e9 / (double)f->count;
        f->force = best_of(run_force, &t) * unit;
        f->product = best_of(run_product, &t) * unit;
        ok = st_assembly_begin_record(&t.assembly, 3, st_state_scalars(state), 1, false) == ST_OK;
        if (ok) run_stiffness(&t, false);
        ok = ok && st_assembly_end_record(&t.assembly) == ST_OK;
        if (ok) f->assembly = best_of(run_assembly, &t) * unit;
    }
    st_assembly_free(&t.assembly);
    st_scene_destroy(scene);
    return ok;
}

int main(int count, char **arguments) {
    const double largest = count > 1 ? atof(arguments[1]) : 1e6;
    const double triad = triad_gbs();
    printf("triad on one core: %.1f GB/s; figures are ns per element\n", triad);
    printf("%-22s %9s %8s %8s %13s %9s   %s\n", "element", "count", "force", "product", "(bandwidth)", "assembly",
           "2 threads: times as fast");
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        for (double n = 1e3; n <= largest * 1.01; n *= 10) {
            const subject *s = &subjects[i];
            figures one = {0}, two = {0};
            if (n > (double)s->most) continue;
            if (!measure(s, (size_t)n, 1, &one) || !measure(s, (size_t)n, 2, &two)) return EXIT_FAILURE;
            printf("%-22s %9zu %8.1f %8.1f %11.0f %% %9.1f   %6.2f %6.2f %6.2f\n", s->name, one.count, one.force,
                   one.product, 100 * s->product_bytes / one.product / triad, one.assembly, one.force / two.force,
                   one.product / two.product, one.assembly / two.assembly);
            fflush(stdout);
        }
    return EXIT_SUCCESS;
}
