// PetscLinearSolver: A x = b by PETSc, on one process or, in settee-mpi, for the points of all ranks.
//
// Before the first solve of a matrix
//
//  1. its own rows go to a matrix of PETSc, block by block; the places are made again only where the pattern has changed,
//  2. the rigid motions of the points are given as what the matrix nearly takes to zero, which multigrid needs,
//  3. the solver of PETSc is set up: conjugate gradients with algebraic multigrid (GAMG), or a factorization by MUMPS.
//
// A solve copies the own rows of b, and brings x to the own points and the ghosts.
//
// A rank has every element at its own points, so that the rows of these are whole: nothing is added up between ranks. Rows
// of ghosts are not, and are left out.
//
// A system without a matrix (template GraphScattered) is multiplied by its own product. Options of PETSc's command line
// are taken from `options`. PETSc is one in a process, and not made for threads: scenes wait for each other.
//
// SPDX-License-Identifier: Apache-2.0
#include "petsc_linear_solver.h"

#include <petscksp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "settee/matrix.h"

enum { CONJUGATE_GRADIENTS, DIRECT };

typedef struct petsc_solver {
    st_linear_solver solver;
    int32_t method;
    st_real tolerance;
    uint32_t iterations;
    char *options;
    uint32_t last_iterations;
    st_real last_residual;

    const st_part *part; // NULL: all points are here
    const char *more;    // further options
    char prefix[32];     // of its options in PETSc's table
    uint64_t pattern;    // of the matrix
    bool free;           // matrix-free
    size_t block;        // scalars of a block row
    Mat matrix;
    Vec rhs, solution, held; // held: x of the points held
    Vec ghosted;             // work of a product: p of the points held
    st_real *work;           // of a product: p and A p of the points held
    VecScatter scatter;      // from the own points to those held
    KSP ksp;
} petsc_solver;

// --- PETSc in this process -------------------------------------------------------------------------------

// PETSc keeps its state in global variables: so does this file, behind one lock.
static pthread_mutex_t petsc_lock = PTHREAD_MUTEX_INITIALIZER;
static char petsc_trouble[256]; // the first message of the error that PETSc is in
static unsigned petsc_solvers;  // made so far: numbers the prefixes

static PetscErrorCode remember_trouble(MPI_Comm comm, int line, const char *function, const char *file,
                                       PetscErrorCode code, PetscErrorType type, const char *message, void *context) {
    (void)comm, (void)line, (void)function, (void)file, (void)context;
    if (type == PETSC_ERROR_INITIAL) snprintf(petsc_trouble, sizeof petsc_trouble, "%s", message ? message : "");
    return code;
}

static void petsc_stop(void) {
    int finished = 0;
    MPI_Finalized(&finished);
    if (!finished) PetscFinalize();
}

bool st_petsc_start(void) {
    PetscBool started = PETSC_FALSE;
    PetscInitialized(&started);
    if (started) return true;

    // signals belong to the program
    if (PetscOptionsSetValue(NULL, "-no_signal_handler", "1") || PetscOptionsSetValue(NULL, "-skip_petscrc", "1") ||
        PetscInitializeNoArguments())
        return false;

    PetscPushErrorHandler(remember_trouble, NULL);
    atexit(petsc_stop);
    return true;
}

// The calls of PETSc after a failed one are left out.
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if (!error) error = (call);                                                                                    \
    } while (0)

static st_status petsc_failed(const petsc_solver *self, const char *what, PetscErrorCode error) {
    const char *text = NULL;
    PetscErrorMessage(error, &text, NULL);
    st_message(&self->solver.object, ST_ERROR, "PETSc cannot %s: %s%s%s", what, text ? text : "unknown error",
               *petsc_trouble ? ": " : "", petsc_trouble);

    petsc_trouble[0] = 0;
    return error == PETSC_ERR_MEM ? ST_OUT_OF_MEMORY : ST_FAILED;
}

// --- what is spread ----------------------------------------------------------------------------------------

static MPI_Comm comm_of(const petsc_solver *self) { return self->part ? self->part->comm : PETSC_COMM_SELF; }

// Number of a block row in PETSc's matrix, and whether it is the rank's own.
static PetscInt place_of(const petsc_solver *self, size_t row) {
    return self->part ? self->part->places[row] : (PetscInt)row;
}
static bool is_own(const petsc_solver *self, size_t row) { return !self->part || st_part_owns(self->part, row); }

static size_t own_rows(const petsc_solver *self) {
    return self->part ? self->part->own : self->solver.system->size / self->block;
}

// --- making and giving up ----------------------------------------------------------------------------------

static void petsc_forget(petsc_solver *self) {
    KSPDestroy(&self->ksp);
    MatDestroy(&self->matrix);
    VecDestroy(&self->rhs);
    VecDestroy(&self->solution);
    VecDestroy(&self->held);
    VecDestroy(&self->ghosted);
    VecScatterDestroy(&self->scatter);
    free(self->work);
    self->work = NULL;
    self->pattern = 0;
}

// Rigid motions at the present positions, where every point has three scalars.
static PetscErrorCode give_rigid_motions(petsc_solver *self) {
    st_system *system = self->solver.system;
    st_matrix_part states[64];
    const size_t count = system->at ? st_node_matrix_parts(system->at, states, 64) : 0;
    if (self->block != 3 || count == 0 || count > 64) return 0;
    for (size_t i = 0; i < count; i++)
        if (((const st_state *)states[i].state)->object.dof != &st_vec3) return 0;

    // coordinates of the own points, in the order of the rows
    PetscErrorCode error = 0;
    Vec places = NULL;
    MatNullSpace motions = NULL;
    PetscScalar *x = NULL;
    TRY(VecDuplicate(self->rhs, &places));
    TRY(VecSetBlockSize(places, 3));
    TRY(VecGetArray(places, &x));
    for (size_t i = 0; !error && i < count; i++) {
        const st_real *position = st_position_of((const st_state *)states[i].state, ST_POSITION);
        const size_t first = states[i].first / 3;

        for (size_t k = 0; k < states[i].count / 3; k++) {
            if (!is_own(self, first + k)) continue;
            const size_t to = (size_t)(place_of(self, first + k) - (self->part ? self->part->first : 0));
            for (size_t c = 0; c < 3; c++) x[3 * to + c] = (PetscScalar)position[3 * k + c];
        }
    }

    TRY(VecRestoreArray(places, &x));
    TRY(MatNullSpaceCreateRigidBody(places, &motions));
    TRY(MatSetNearNullSpace(self->matrix, motions));
    MatNullSpaceDestroy(&motions);
    VecDestroy(&places);
    return error;
}

// Vectors of PETSc for the own rows, and the way to the points held.
static PetscErrorCode make_vectors(petsc_solver *self) {
    const PetscInt b = (PetscInt)self->block, rows = (PetscInt)(self->solver.system->size / self->block);
    PetscErrorCode error = 0;
    IS from = NULL;
    PetscInt *identity = NULL;

    // b and x of the own rows, x of the points held
    TRY(VecCreate(comm_of(self), &self->rhs));
    TRY(VecSetSizes(self->rhs, (PetscInt)own_rows(self) * b, PETSC_DETERMINE));
    TRY(VecSetBlockSize(self->rhs, b));
    TRY(VecSetFromOptions(self->rhs));
    TRY(VecDuplicate(self->rhs, &self->solution));
    TRY(VecCreateSeq(PETSC_COMM_SELF, rows * b, &self->held));
    TRY(VecDuplicate(self->held, &self->ghosted));

    // without ranks all rows are held
    if (!self->part) {
        TRY(PetscMalloc1((size_t)rows + 1, &identity));
        for (PetscInt i = 0; !error && i < rows; i++) identity[i] = i;
    }

    TRY(ISCreateBlock(PETSC_COMM_SELF, b, rows, self->part ? self->part->places : identity, PETSC_COPY_VALUES, &from));
    TRY(VecScatterCreate(self->solution, from, self->held, NULL, &self->scatter));
    ISDestroy(&from);
    PetscFree(identity);
    return error;
}

static PetscErrorCode make_solver(petsc_solver *self) {
    PetscErrorCode error = 0;
    PC preconditioner = NULL;
    const bool direct = self->method == DIRECT;

    TRY(KSPCreate(comm_of(self), &self->ksp));
    TRY(KSPSetOptionsPrefix(self->ksp, self->prefix));
    TRY(KSPSetErrorIfNotConverged(self->ksp, PETSC_FALSE));
    TRY(KSPGetPC(self->ksp, &preconditioner));
    TRY(KSPSetType(self->ksp, direct ? KSPPREONLY : KSPCG));
    TRY(PCSetType(preconditioner, direct ? PCLU : self->free ? PCNONE : PCGAMG));
    if (direct) TRY(PCFactorSetMatSolverType(preconditioner, MATSOLVERMUMPS));
    // levels are kept from step to step
    else if (!self->free) TRY(PCGAMGSetReuseInterpolation(preconditioner, PETSC_TRUE));

    TRY(KSPSetTolerances(self->ksp, (PetscReal)self->tolerance, 0, PETSC_DEFAULT, (PetscInt)self->iterations));
    TRY(KSPSetOperators(self->ksp, self->matrix, self->matrix));
    TRY(KSPSetFromOptions(self->ksp));

    // the norm that the tolerance means, where the method has it
    PetscBool is_cg = PETSC_FALSE, given = PETSC_FALSE;
    TRY(PetscObjectTypeCompare((PetscObject)self->ksp, KSPCG, &is_cg));
    TRY(PetscOptionsHasName(NULL, self->prefix, "-ksp_norm_type", &given));
    if (is_cg && !given) TRY(KSPSetNormType(self->ksp, KSP_NORM_UNPRECONDITIONED));
    return error;
}

// --- products without a matrix -----------------------------------------------------------------------------

// q = A p: p is brought to the ghosts, and the own rows of the product are kept.
static PetscErrorCode petsc_multiply(Mat matrix, Vec p, Vec q) {
    PetscErrorCode error = 0;
    petsc_solver *self = NULL;
    PetscScalar *held, *to;
    TRY(MatShellGetContext(matrix, &self));
    if (error) return error;

    st_system *system = self->solver.system;
    st_real *work = self->work;

    // p of the points held
    TRY(VecScatterBegin(self->scatter, p, self->ghosted, INSERT_VALUES, SCATTER_FORWARD));
    TRY(VecScatterEnd(self->scatter, p, self->ghosted, INSERT_VALUES, SCATTER_FORWARD));
    TRY(VecGetArray(self->ghosted, &held));
    for (size_t i = 0; !error && i < system->size; i++) work[i] = (st_real)held[i];
    TRY(VecRestoreArray(self->ghosted, &held));
    if (!error && system->object.type->system->multiply(system, work, work + system->size) != ST_OK)
        error = PETSC_ERR_USER;

    // own rows of the product
    TRY(VecGetArray(q, &to));
    const PetscInt first = self->part ? self->part->first : 0;
    const size_t b = self->block;
    for (size_t i = 0; !error && i < system->size / b; i++)
        for (size_t k = 0; k < b && is_own(self, i); k++)
            to[(size_t)(place_of(self, i) - first) * b + k] = (PetscScalar)work[system->size + i * b + k];
    TRY(VecRestoreArray(q, &to));
    return error;
}

static PetscErrorCode make_shell(petsc_solver *self) {
    const PetscInt own = (PetscInt)(own_rows(self) * self->block);
    PetscErrorCode error = 0;
    self->work = malloc((2 * self->solver.system->size + 1) * sizeof *self->work);
    if (!self->work) error = PETSC_ERR_MEM;
    TRY(MatCreateShell(comm_of(self), own, own, PETSC_DETERMINE, PETSC_DETERMINE, self, &self->matrix));
    TRY(MatShellSetOperation(self->matrix, MATOP_MULT, (void (*)(void))petsc_multiply));
    TRY(make_vectors(self));
    TRY(make_solver(self));
    return error;
}

// --- the matrix ----------------------------------------------------------------------------------------------

// FNV-1a of the places of the blocks.
static uint64_t pattern_of(const st_matrix_view *a) {
    const size_t rows = a->rows / (size_t)a->block;
    uint64_t hash = 14695981039346656037u ^ a->rows;
    for (size_t i = 0; i <= rows; i++) hash = (hash ^ a->starts[i]) * 1099511628211u;
    for (size_t s = 0; s < a->starts[rows]; s++) hash = (hash ^ (uint32_t)a->columns[s]) * 1099511628211u;
    return hash;
}

static PetscErrorCode make_matrix(petsc_solver *self, const st_matrix_view *a) {
    const PetscInt b = a->block, own = (PetscInt)own_rows(self), first = self->part ? self->part->first : 0;
    PetscInt *near = NULL, *far = NULL; // blocks of each own row in columns of the rank's own and of other points
    PetscErrorCode error = 0;

    TRY(PetscCalloc2((size_t)own + 1, &near, (size_t)own + 1, &far));
    for (size_t i = 0; !error && i < a->rows / (size_t)b; i++) {
        if (!is_own(self, i)) continue;
        for (size_t s = a->starts[i]; s < a->starts[i + 1]; s++)
            (is_own(self, (size_t)a->columns[s]) ? near : far)[place_of(self, i) - first]++;
    }

    TRY(MatCreate(comm_of(self), &self->matrix));
    TRY(MatSetSizes(self->matrix, own * b, own * b, PETSC_DETERMINE, PETSC_DETERMINE));
    TRY(MatSetBlockSize(self->matrix, b));
    TRY(MatSetType(self->matrix, MATAIJ));
    TRY(MatSetOptionsPrefix(self->matrix, self->prefix));
    TRY(MatSetFromOptions(self->matrix));
    TRY(MatXAIJSetPreallocation(self->matrix, b, near, far, NULL, NULL));
    TRY(MatSetOption(self->matrix, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_TRUE));
    PetscFree2(near, far);

    TRY(make_vectors(self));
    TRY(give_rigid_motions(self));
    TRY(make_solver(self));
    return error;
}

static PetscErrorCode fill_matrix(petsc_solver *self, const st_matrix_view *a) {
    const size_t b = (size_t)a->block;
    size_t most = 0;
    for (size_t i = 0; i < a->rows / b; i++) {
        const size_t count = a->starts[i + 1] - a->starts[i];
        most = count > most ? count : most;
    }

    // one block row at a time: its columns by their places, its values row by row
    PetscErrorCode error = 0;
    PetscInt *columns = NULL;
    PetscScalar *values = NULL;
    TRY(PetscMalloc2(most + 1, &columns, most * b * b + 1, &values));

    for (size_t i = 0; !error && i < a->rows / b; i++) {
        if (!is_own(self, i)) continue;
        const size_t begin = a->starts[i], count = a->starts[i + 1] - begin;
        const PetscInt row = place_of(self, i);

        for (size_t s = 0; s < count; s++) {
            columns[s] = place_of(self, (size_t)a->columns[begin + s]);
            for (size_t r = 0; r < b; r++)
                for (size_t c = 0; c < b; c++)
                    values[(r * count + s) * b + c] = (PetscScalar)a->values[((begin + s) * b + r) * b + c];
        }
        TRY(MatSetValuesBlocked(self->matrix, 1, &row, (PetscInt)count, columns, values, INSERT_VALUES));
    }

    PetscFree2(columns, values);
    TRY(MatAssemblyBegin(self->matrix, MAT_FINAL_ASSEMBLY));
    TRY(MatAssemblyEnd(self->matrix, MAT_FINAL_ASSEMBLY));
    return error;
}

// Has the answer changed on any rank?
static bool on_any_rank(const petsc_solver *self, bool answer) {
    int any = answer;
    if (self->part) MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, self->part->comm);
    return any;
}

static st_status petsc_assemble(petsc_solver *self) {
    st_matrix_view a;
    const st_status status = st_system_matrix(self->solver.system, ST_MATRIX_A, &a);
    if (status != ST_OK) return status;

    if (self->part && (a.block != 3 || a.rows != 3 * self->part->count)) {
        st_message(&self->solver.object, ST_ERROR, "the matrix has %zu rows in blocks of %d, but %zu points are held",
                   a.rows, a.block, self->part->count);
        return ST_FAILED;
    }

    // 1., 2. and the solver, where the pattern is another one
    PetscErrorCode error = 0;
    const uint64_t pattern = pattern_of(&a);
    if (on_any_rank(self, !self->matrix || pattern != self->pattern)) {
        petsc_forget(self);
        self->block = (size_t)a.block;
        self->free = false;
        error = make_matrix(self, &a);
    }

    TRY(fill_matrix(self, &a));
    if (error) {
        petsc_forget(self);
        return petsc_failed(self, "hold the matrix", error);
    }

    self->pattern = pattern;
    return ST_OK;
}

// --- options -----------------------------------------------------------------------------------------------

// A scene may come from anywhere: its options name no file that PETSc would write, read or load, and leave the prefix.
static bool options_name_a_file(const char *options) {
    static const char *const words[] = {":",      "/",    "-prefix_", "-options_", "python", "tmpdir", "dll",
                                        "binary", "hdf5", "matlab",   "vtk",       "socket", "saws"};
    for (const char *at = options ? options : ""; *at; at++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strncasecmp(at, words[i], strlen(words[i])) == 0) return true;
    return false;
}

static PetscErrorCode give_options(petsc_solver *self) {
    PetscErrorCode error = 0;
    TRY(PetscOptionsPrefixPush(NULL, self->prefix));
    if (self->options && *self->options) TRY(PetscOptionsInsertString(NULL, self->options));
    if (self->more && *self->more) TRY(PetscOptionsInsertString(NULL, self->more));
    PetscOptionsPrefixPop(NULL);
    return error;
}

static bool is_unused(const char *name, char **names, PetscInt count) {
    for (PetscInt i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

// Options that nobody has asked for: misspelled, or of another method.
static void warn_of_unused(const petsc_solver *self) {
    PetscInt count = 0;
    char **names = NULL, **values = NULL;
    if (!st_first_time(&self->solver.object, "options") || PetscOptionsLeftGet(NULL, &count, &names, &values)) return;

    // on the command line of settee-mpi they may mean something else than the solver, such as the partitioning
    const size_t length = strlen(self->prefix);
    for (PetscInt i = 0; i < count; i++)
        if (strncmp(names[i], self->prefix, length) == 0 && (!self->more || is_unused(names[i] + length, names, count)))
            st_message(&self->solver.object, ST_WARNING,
                       "the option -%s has no effect: PETSc does not know it, or this method does not use it",
                       names[i] + length);
    PetscOptionsLeftRestore(NULL, &count, &names, &values);
}

// --- the solver --------------------------------------------------------------------------------------------

static bool is_matrix_free(const petsc_solver *self) {
    const char *template_ = self->solver.object.template_;
    return template_ && strcmp(template_, "GraphScattered") == 0;
}

static st_status petsc_prepare(petsc_solver *self) {
    if (!is_matrix_free(self)) return petsc_assemble(self);
    st_system *system = self->solver.system;
    if (!on_any_rank(self, !self->matrix || self->pattern != system->size)) return ST_OK;

    // a product needs no more than the number of rows
    petsc_forget(self);
    self->block = self->part ? 3 : 1;
    self->free = true;
    const PetscErrorCode error = make_shell(self);
    if (error) return petsc_failed(self, "set up the solver", error);
    self->pattern = system->size;
    return ST_OK;
}

static st_status petsc_invert(st_linear_solver *solver) {
    petsc_solver *self = (petsc_solver *)solver;
    if (self->method == DIRECT && is_matrix_free(self)) {
        st_message(&solver->object, ST_ERROR,
                   "method=\"direct\" needs a matrix: leave template=\"GraphScattered\" out");
        return ST_INVALID;
    }

    pthread_mutex_lock(&petsc_lock);
    st_status status = petsc_prepare(self);

    // 3. levels or factors; a matrix-free product is the same function of another matrix
    PetscErrorCode error = 0;
    if (status == ST_OK) {
        TRY(KSPSetOperators(self->ksp, self->matrix, self->matrix));
        TRY(KSPSetUp(self->ksp));
        if (error) status = petsc_failed(self, "set up the solver", error);
    }
    pthread_mutex_unlock(&petsc_lock);
    return status;
}

static PetscErrorCode petsc_copy_rhs(petsc_solver *self) {
    const st_system *system = self->solver.system;
    const PetscInt first = self->part ? self->part->first : 0;
    PetscErrorCode error = 0;
    PetscScalar *b;
    TRY(VecGetArray(self->rhs, &b));

    for (size_t i = 0; !error && i < system->size / self->block; i++)
        for (size_t k = 0; k < self->block && is_own(self, i); k++)
            b[(size_t)(place_of(self, i) - first) * self->block + k] = (PetscScalar)system->rhs[i * self->block + k];

    TRY(VecRestoreArray(self->rhs, &b));
    return error;
}

static PetscErrorCode petsc_take_solution(petsc_solver *self) {
    st_system *system = self->solver.system;
    const PetscScalar *x;
    PetscErrorCode error = 0;
    TRY(VecScatterBegin(self->scatter, self->solution, self->held, INSERT_VALUES, SCATTER_FORWARD));
    TRY(VecScatterEnd(self->scatter, self->solution, self->held, INSERT_VALUES, SCATTER_FORWARD));
    TRY(VecGetArrayRead(self->held, &x));

    for (size_t i = 0; !error && i < system->size; i++) system->solution[i] = (st_real)x[i];
    TRY(VecRestoreArrayRead(self->held, &x));
    return error;
}

// Why it ended. Too many iterations leave a solution that may be good enough; anything else none.
static st_status petsc_judge(petsc_solver *self) {
    st_object *object = &self->solver.object;
    KSPConvergedReason reason = 0;
    PetscInt iterations = 0;
    PetscReal residual = 0;
    KSPGetConvergedReason(self->ksp, &reason);
    KSPGetIterationNumber(self->ksp, &iterations);
    KSPGetResidualNorm(self->ksp, &residual);

    // for who reads the fields
    self->last_iterations = (uint32_t)iterations;
    self->last_residual = (st_real)residual;
    st_touch(object, &self->last_iterations);
    st_touch(object, &self->last_residual);
    if (reason > 0) return ST_OK;

    if (reason == KSP_DIVERGED_ITS) {
        st_message_once(object, "iterations", ST_WARNING,
                        "not converged to tolerance %g after %u iterations: the residual is %g",
                        (double)self->tolerance, self->last_iterations, (double)residual);
        return ST_OK;
    }

    st_message(object, ST_ERROR,
               "PETSc found no solution (%s) after %u iterations: the matrix may be singular, or not "
               "positive definite; method=\"direct\" takes any that is not singular",
               KSPConvergedReasons[reason], self->last_iterations);
    return ST_FAILED;
}

static st_status petsc_solve(st_linear_solver *solver) {
    petsc_solver *self = (petsc_solver *)solver;
    pthread_mutex_lock(&petsc_lock);

    PetscErrorCode error = 0;
    TRY(petsc_copy_rhs(self));
    TRY(KSPSolve(self->ksp, self->rhs, self->solution));
    TRY(petsc_take_solution(self));
    const st_status status = error ? petsc_failed(self, "solve", error) : petsc_judge(self);
    if (status == ST_OK) warn_of_unused(self);

    pthread_mutex_unlock(&petsc_lock);
    return status;
}

// --- life --------------------------------------------------------------------------------------------------

void st_petsc_linear_solver_spread(st_object *object, const st_part *part, const char *options) {
    ((petsc_solver *)object)->part = part;
    ((petsc_solver *)object)->more = options;
}

static st_status petsc_init(st_object *object) {
    petsc_solver *self = (petsc_solver *)object;
    if (!(self->tolerance > 0 && self->tolerance < 1))
        return st_invalid(object, "tolerance is %g: it must be between 0 and 1", (double)self->tolerance);

    if (options_name_a_file(self->options))
        return st_invalid(object, "options=\"%s\" names a file, a prefix or a library: only a command line may",
                          self->options);

    // once: the options stay in PETSc's table
    pthread_mutex_lock(&petsc_lock);
    const bool started = st_petsc_start();
    PetscErrorCode error = 0;
    if (started && !*self->prefix) {
        snprintf(self->prefix, sizeof self->prefix, "solver%u_", petsc_solvers++);
        error = give_options(self);
    }
    pthread_mutex_unlock(&petsc_lock);

    if (!started) return st_invalid(object, "PETSc cannot be started in this process");
    if (error) return st_invalid(object, "options=\"%s\" cannot be read: write -name value -name value", self->options);
    return st_linear_solver_class.init(object);
}

static void petsc_reset(st_object *object) {
    petsc_solver *self = (petsc_solver *)object;
    pthread_mutex_lock(&petsc_lock);
    petsc_forget(self);
    pthread_mutex_unlock(&petsc_lock);
    st_linear_solver_class.reset(object);
}

static void petsc_destroy(st_object *object) {
    int finished = 0;
    MPI_Finalized(&finished);
    if (finished) return;

    pthread_mutex_lock(&petsc_lock);
    petsc_forget((petsc_solver *)object);
    pthread_mutex_unlock(&petsc_lock);
}

static const char *const methods[] = {"cg", "direct", NULL};

static const st_field fields[] = {
    ST_FIELD(petsc_solver, method, "method", st_type_option, "cg",
             "cg: conjugate gradients with algebraic multigrid; direct: a factorization by MUMPS", .options = methods,
             .flags = ST_FIELD_FIXED),
    ST_FIELD(petsc_solver, tolerance, "tolerance", st_type_real, "1e-10",
             "of cg: stop when |residual| / |b| is below it", .flags = ST_FIELD_FIXED),
    ST_FIELD(petsc_solver, iterations, "iterations", st_type_uint, "1000", "of cg: largest number of iterations",
             .flags = ST_FIELD_FIXED),
    ST_FIELD(petsc_solver, options, "options", st_type_string, "",
             "options as on PETSc's command line, such as \"-pc_type hypre -ksp_monitor\"", .flags = ST_FIELD_FIXED),
    ST_FIELD(petsc_solver, last_iterations, "lastIterations", st_type_uint, NULL, "iterations of the last solve",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELD(petsc_solver, last_residual, "lastResidual", st_type_real, NULL, "|residual| at its end",
             .flags = ST_FIELD_OUTPUT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = petsc_invert, .solve = petsc_solve};

const st_class st_petsc_linear_solver_class = {
    .name = "PetscLinearSolver",
    .help = "linear solvers of the library PETSc",
    .parent = &st_linear_solver_class,
    .templates = "CompressedRowSparseMatrixd CompressedRowSparseMatrixMat3x3d GraphScattered",
    .default_template = "CompressedRowSparseMatrixMat3x3d",
    .fields = fields,
    .size = sizeof(petsc_solver),
    .init = petsc_init,
    .reset = petsc_reset,
    .destroy = petsc_destroy,
    .linear_solver = &ops,
};
