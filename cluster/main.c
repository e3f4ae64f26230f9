// settee-mpi: runs a scene on the ranks of MPI.
//
//     mpirun -n 64 settee-mpi run organ.scn -n 100 --vtk out -pc_type hypre
//
// Options of one dash other than -n are PETSc's. Rank 0 speaks. What any rank finds wrong ends all of them, with one
// message and a code.
//
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <petscksp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "results.h"
#include "scene_parts.h"

typedef struct run_options {
    const char *scene, *vtk, *states, *checkpoint, *restart;
    size_t steps, every;
    double dt;
    bool matrix_free, quiet, help, version;
    char petsc[4096]; // options for PETSc, as one text
} run_options;

static const char help[] =
    "usage: mpirun -n RANKS settee-mpi run SCENE [OPTIONS] [PETSC OPTIONS]\n\n"
    "  -n STEPS               number of steps (100)\n"
    "  --dt SECONDS           size of a step, instead of the scene's\n"
    "  --vtk FOLDER           .pvtu files with a piece of each rank, for ParaView\n"
    "  --dump-states FILE     positions of all points after the last step; - is standard output\n"
    "  --checkpoint FILE      what a later run goes on from\n"
    "  --every STEPS          write --vtk and --checkpoint after so many steps, not only at the end\n"
    "  --restart FILE         go on from a checkpoint, on any number of ranks\n"
    "  --matrix-free          solve by products, without a matrix\n"
    "  --quiet                no progress and no summary\n"
    "  -NAME [VALUE]          options of PETSc, such as -pc_type hypre, -ksp_monitor, -log_view\n\n"
    "docs/cluster.md says which scenes can be spread, and what helps.\n";

// --- the command line --------------------------------------------------------------------------------------

static size_t read_number(const char *option, const char *text) {
    char *end = NULL;
    const unsigned long long number = text ? strtoull(text, &end, 10) : 0;
    if (!text || end == text || *end || *text == '-')
        st_end_all(ST_MPI_USAGE, "%s needs a number, not '%s'", option, text ? text : "");
    return (size_t)number;
}

static void add_petsc_option(run_options *o, const char *word) {
    const size_t length = strlen(o->petsc);
    if (length + strlen(word) + 2 > sizeof o->petsc) st_end_all(ST_MPI_USAGE, "the options of PETSc are too long");
    snprintf(o->petsc + length, sizeof o->petsc - length, "%s ", word);
}

static bool is_value(const char *word) { return word && (*word != '-' || (word[1] >= '0' && word[1] <= '9')); }

static void parse_words(run_options *o, int count, char **words) {
    const struct {
        const char *name;
        const char **text;
    } texts[] = {{"--vtk", &o->vtk},
                 {"--dump-states", &o->states},
                 {"--checkpoint", &o->checkpoint},
                 {"--restart", &o->restart}};

    // one word, with its value where it has one
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *next = i + 1 < count ? words[i + 1] : NULL;
        bool taken = false;
        for (size_t k = 0; k < sizeof texts / sizeof *texts && !taken; k++)
            if (strcmp(word, texts[k].name) == 0) {
                if (!next) st_end_all(ST_MPI_USAGE, "%s needs a name", word);
                *texts[k].text = words[++i];
                taken = true;
            }

        if (taken) continue;
        if (strcmp(word, "-n") == 0) o->steps = read_number(word, next), i++;
        else if (strcmp(word, "--every") == 0) o->every = read_number(word, next), i++;
        else if (strcmp(word, "--dt") == 0) {
            char *end = NULL;
            o->dt = next ? strtod(next, &end) : 0;
            if (!next || *end || !(o->dt > 0)) st_end_all(ST_MPI_USAGE, "--dt needs a time above 0");
            i++;
        } else if (strcmp(word, "--matrix-free") == 0) o->matrix_free = true;
        else if (strcmp(word, "--quiet") == 0) o->quiet = true;
        else if (strcmp(word, "--help") == 0) o->help = true;
        else if (strcmp(word, "--version") == 0) o->version = true;
        else if (strncmp(word, "--", 2) == 0)
            st_end_all(ST_MPI_USAGE, "unknown option '%s'; see settee-mpi --help", word);
        else if (*word == '-') {
            add_petsc_option(o, word);
            if (is_value(next) && !(next && strcmp(next, "run") == 0)) add_petsc_option(o, words[++i]);
        } else if (i > 1 && !o->scene) o->scene = word;
        else if (i > 1 || strcmp(word, "run") != 0)
            st_end_all(ST_MPI_USAGE, "unknown word '%s'; see settee-mpi --help", word);
    }

    if (!o->help && !o->version && !o->scene) st_end_all(ST_MPI_USAGE, "no scene is given; see settee-mpi --help");
}

// Ranks are what runs in parallel: threads of BLAS in each of them would fight for the cores.
static void one_thread_in_blas(void) {
    void (*set)(int) = NULL;
    *(void **)&set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    if (set) set(1);
}

// --- steps -------------------------------------------------------------------------------------------------

// A step that failed: on all ranks, or on this one while the others wait for it.
static _Noreturn void end_step(const st_scene_part *part, size_t step, st_status status) {
    MPI_Request all;
    const struct timespec moment = {0, 10000000};
    int here = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    for (int i = 0; i < 200 && !here; i++) {
        MPI_Test(&all, &here, MPI_STATUS_IGNORE);
        if (!here) nanosleep(&moment, NULL);
    }

    const char *why = part->errors ? part->last_error : st_status_text(status);
    if (here) st_end_all(ST_MPI_FAILED, "step %zu failed: %s", step, why);
    st_end_rank(ST_MPI_FAILED, "step %zu failed: %s", step, why);
}

// The way from the own points of a rank to all that it holds.
typedef struct ghost_way {
    Vec own, held;
    VecScatter scatter;
} ghost_way;

static void check_exchange(PetscErrorCode error) {
    if (error) st_end_rank(ST_MPI_FAILED, "PETSc cannot bring values to the ghosts (error %d)", (int)error);
}

static ghost_way make_way(const st_part *part) {
    ghost_way way;
    IS places;
    check_exchange(ISCreateBlock(PETSC_COMM_SELF, 3, (PetscInt)part->count, part->places, PETSC_COPY_VALUES, &places));
    check_exchange(VecCreateMPI(PETSC_COMM_WORLD, (PetscInt)(3 * part->own), PETSC_DETERMINE, &way.own));
    check_exchange(VecCreateSeq(PETSC_COMM_SELF, (PetscInt)(3 * part->count), &way.held));
    check_exchange(VecScatterCreate(way.own, places, way.held, NULL, &way.scatter));
    check_exchange(ISDestroy(&places));
    return way;
}

static void free_way(ghost_way *way) {
    VecDestroy(&way->own);
    VecDestroy(&way->held);
    VecScatterDestroy(&way->scatter);
}

static void bring_vector(const ghost_way *way, const st_part *part, st_real *vector) {
    PetscScalar *values;

    // own points in the order of their places
    check_exchange(VecGetArray(way->own, &values));
    for (size_t i = 0; i < part->count; i++)
        for (size_t c = 0; c < 3 && st_part_owns(part, i); c++)
            values[3 * (size_t)(part->places[i] - part->first) + c] = (PetscScalar)vector[3 * i + c];
    check_exchange(VecRestoreArray(way->own, &values));

    // and from there to all
    check_exchange(VecScatterBegin(way->scatter, way->own, way->held, INSERT_VALUES, SCATTER_FORWARD));
    check_exchange(VecScatterEnd(way->scatter, way->own, way->held, INSERT_VALUES, SCATTER_FORWARD));
    check_exchange(VecGetArray(way->held, &values));
    for (size_t i = 0; i < 3 * part->count; i++) vector[i] = (st_real)values[i];
    check_exchange(VecRestoreArray(way->held, &values));
}

// Explicit integrators move ghosts by forces that are not whole: they get the values of their own ranks.
static void bring_to_ghosts(const st_scene_part *part, const ghost_way *way) {
    bring_vector(way, &part->spread.part, st_position_of(part->state, ST_POSITION));
    bring_vector(way, &part->spread.part, st_velocity_of(part->state, ST_VELOCITY));
    st_object_touch(&part->state->object, "position");
    st_object_touch(&part->state->object, "velocity");
}

static void write_frame(const st_scene_part *part, const run_options *o, size_t step, bool *is_first) {
    if (o->vtk) st_write_pieces(part, o->vtk, step, *is_first);
    *is_first = false;
    if (o->checkpoint) st_write_checkpoint(part, o->checkpoint, step);
}

static size_t make_steps(st_scene_part *part, const run_options *o, size_t done) {
    const bool progress = !o->quiet && st_rank == 0 && isatty(2);
    ghost_way way = make_way(&part->spread.part);
    bool is_first = !o->restart; // a run from a checkpoint keeps the earlier frames
    if (o->vtk && o->every) write_frame(part, o, done, &is_first);

    for (size_t step = 1; step <= o->steps; step++) {
        const st_status status = st_scene_step(part->scene, (st_real)o->dt);
        if (status != ST_OK) end_step(part, done + step, status);
        if (part->explicit_) bring_to_ghosts(part, &way);
        if (progress) fprintf(stderr, "\rstep %zu of %zu", step, o->steps);
        if (o->every && step % o->every == 0 && step < o->steps) write_frame(part, o, done + step, &is_first);
    }

    if (progress) fputc('\n', stderr);
    write_frame(part, o, done + o->steps, &is_first);
    free_way(&way);
    return done + o->steps;
}

// --- the summary -------------------------------------------------------------------------------------------

static void print_range(const char *name, double value, const char *unit) {
    double least, most, sum;
    MPI_Reduce(&value, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (st_rank == 0) printf("%-12s %.6g to %.6g %s per rank, mean %.6g\n", name, least, most, unit, sum / st_ranks);
}

static void print_summary(const st_scene_part *part, size_t steps, double seconds) {
    const st_spread *spread = &part->spread;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const double energy = st_kinetic_energy(part);
    const size_t ghosts = spread->part.count - spread->part.own;

    // of the whole model
    if (st_rank == 0) {
        int64_t iterations = 0;
        printf("scene        %s\nranks        %d\nunknowns     %zu\nsteps        %zu\nsimulated    %.6g s\n",
               part->file, st_ranks, 3 * spread->points, steps, (double)st_scene_time(part->scene));
        printf("wall time    %.3g s\nenergy       kinetic %.6g\n", seconds, energy);
        if (part->solver && st_object_get_integers(part->solver, "lastIterations", &iterations, 1) == 1)
            printf("iterations   %d in the last solve\n", (int)iterations);
    }

    // of the ranks
    print_range("points", (double)spread->part.own, "own");
    print_range("ghosts", (double)ghosts, "points");
    print_range("exchange", 24 * (double)ghosts, "bytes received for each vector");
    print_range("memory", (double)usage.ru_maxrss / 1024, "MiB");
}

int main(int argc, char **argv) {
    // PETSc takes its own options from a table; those of this program are none of them
    static run_options o = {.steps = 100};
    int one = 1;
    if (PetscOptionsSetValue(NULL, "-no_signal_handler", "1") || PetscInitialize(&one, &argv, NULL, NULL))
        return ST_MPI_FAILED;
    MPI_Comm_rank(PETSC_COMM_WORLD, &st_rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &st_ranks);
    PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL);
    parse_words(&o, argc, argv);
    one_thread_in_blas();

    if (o.help || o.version) {
        if (st_rank == 0) printf("%s%s", o.version ? st_build_info() : help, o.version ? "\n" : "");
        PetscFinalize();
        return ST_MPI_OK;
    }
    // the way of making coarse matrices that adds messages in a fixed order
    if (st_ranks > 1) PetscOptionsSetValue(NULL, "-matptap_via", "allatonce");
    if (PetscOptionsInsertString(NULL, o.petsc))
        st_end_all(ST_MPI_USAGE, "the options of PETSc cannot be read: %s", o.petsc);

    // the scene, its steps, its results
    st_scene_part part = {.file = o.scene, .matrix_free = o.matrix_free, .options = o.petsc};
    st_scene_part_load(&part);
    const double start = MPI_Wtime();
    const size_t before = o.restart ? st_read_checkpoint(&part, o.restart) : 0;
    const size_t steps = make_steps(&part, &o, before);
    if (o.states) st_write_states(&part, o.states, steps);
    if (!o.quiet && !(o.states && strcmp(o.states, "-") == 0)) print_summary(&part, steps, MPI_Wtime() - start);

    // components of the scene may still have something to say
    int errors = part.errors > 0;
    MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    st_scene_part_free(&part);
    PetscFinalize();
    return errors ? ST_MPI_ERRORS : ST_MPI_OK;
}
