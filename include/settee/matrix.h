// The matrices of a scene: A, M, B and K of a linear system, of everything below a node, or of one component; J of a
// mapping; W and H of the constraints; b and x.
//
//     st_matrix_view a;
//     if (st_system_matrix(st_scene_system(scene, NULL), ST_MATRIX_A, &a) == ST_OK) ...
//
// Views are borrowed: no number is copied. A view of A stays until the next step; one of M, B or K, and one of a
// component, until the same is asked for again or the scene changes. docs/matrices.md has an example.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MATRIX_H
#define SETTEE_MATRIX_H

#include <stdio.h>

#include "settee/settee.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct st_system st_system; // settee/plugin/solver.h

typedef enum st_matrix_kind {
    ST_MATRIX_A, // the system's: m M + b B + k K with the factors of its last build, with constraints
    ST_MATRIX_M, // mass
    ST_MATRIX_B, // damping, ∂f/∂v
    ST_MATRIX_K, // stiffness, ∂f/∂x, with the geometric stiffness of mappings
    ST_MATRIX_J, // Jacobian of one mapping at its last positions: scalars of its outputs × scalars of its inputs
} st_matrix_kind;

// A matrix in square blocks by compressed rows. Blocks of row i are starts[i] to starts[i + 1] - 1; the block of slot s
// is in block column columns[s] and is values[block² s] and following, row-major. block = 1 is the usual CSR. It is a type
// of its own, and not the library's matrix: programs must not depend on how that one is kept, and it owns nothing.
typedef struct st_matrix_view {
    size_t rows, cols; // in scalars
    int block;
    const size_t *starts;
    const int32_t *columns; // increasing within a row
    const st_real *values;  // zeros may be stored
} st_matrix_view;

// --- systems ----------------------------------------------------------------------------------------

// The system at a path; without one that of the first integrator's linear solver. NULL: there is none.
ST_API st_system *st_scene_system(st_scene *scene, const char *path);
// A is what the system holds: ST_NOT_FOUND before its first build. A system without a matrix has one gathered for the
// view. M, B and K are free of factors and of constraints, at the state of the last force evaluation.
ST_API st_status st_system_matrix(st_system *system, st_matrix_kind which, st_matrix_view *view);
// M, B or K of what is integrated at a node, with or without a linear system.
ST_API st_status st_node_matrix(st_node *node, st_matrix_kind which, st_matrix_view *view);

// The part of the rows and columns that belongs to one state.
typedef struct st_matrix_part {
    const st_object *state;
    size_t first, count; // scalars
} st_matrix_part;
// Those of what is integrated at a node (of a system: st_object_node); `most` of them are written. Returns how many there
// are.
ST_API size_t st_node_matrix_parts(st_node *node, st_matrix_part *parts, size_t most);

typedef struct st_vector_view {
    size_t count;
    const st_real *values;
} st_vector_view;
// b and x, as the last solve left them. ST_NOT_FOUND before.
ST_API st_status st_system_rhs(const st_system *system, st_vector_view *view);
ST_API st_status st_system_solution(const st_system *system, st_vector_view *view);

// --- constraints ------------------------------------------------------------------------------------

typedef struct st_constraint_solver st_constraint_solver; // settee/plugin/constraint.h

// The constraint solver at a path; without one the first of the scene. NULL: there is none.
ST_API st_constraint_solver *st_scene_constraint_solver(st_scene *scene, const char *path);
// Of the last constraint problem, ST_NOT_FOUND before: the compliance W (rows × rows), gathered for the view where the
// solver does not assemble it, and the Jacobian H (rows × scalars of the independent states, in order of the scene).
ST_API st_status st_constraint_compliance(st_constraint_solver *solver, st_matrix_view *view);
ST_API st_status st_constraint_jacobian(st_constraint_solver *solver, st_matrix_view *view);
// The multipliers, and the violations of the free motion.
ST_API st_status st_constraint_multipliers(const st_constraint_solver *solver, st_vector_view *view);
ST_API st_status st_constraint_violations(const st_constraint_solver *solver, st_vector_view *view);

// --- components -------------------------------------------------------------------------------------

typedef enum st_matrix_space {
    ST_SPACE_OWN,    // rows and columns are the scalars of the component's own states (of a mapping: its inputs)
    ST_SPACE_PARENT, // those of the independent states: the component's part of the system, projected through mappings
} st_matrix_space;

// M of a mass, B or K of a force, the geometric stiffness K of a mapping, its J (own space only); A: all of it with the
// factors of the system above. ST_NOT_FOUND when the component has no such matrix.
ST_API st_status st_component_matrix(st_object *component, st_matrix_kind which, st_matrix_space space,
                                     st_matrix_view *view);

// --- files and figures ------------------------------------------------------------------------------

typedef enum st_matrix_format {
    ST_FORMAT_MTX, // Matrix Market, coordinates of the entries that are not 0
    ST_FORMAT_CSV, // all entries, one row a line
    ST_FORMAT_NPZ, // for NumPy: scipy.sparse.load_npz reads a matrix, numpy.load a vector (member "data")
    ST_FORMAT_PNG, // where the entries are, colored by their magnitude, with axes and a color bar; matrices only
    ST_FORMAT_TXT, // SOFA's text of GlobalSystemMatrixExporter
} st_matrix_format;
// By the name: "mtx", "csv", "npz", "png", "txt". False: it is none.
ST_API bool st_matrix_format_by_name(const char *name, st_matrix_format *format);

// Writes to a stream, numbers with so many digits (17 are exact). ST_INVALID when the format does not fit: a vector has
// no picture, and a matrix with more than 10^9 entries is too large for a format that has them all.
ST_API st_status st_matrix_write(const st_matrix_view *matrix, st_matrix_format format, int digits, FILE *stream);
ST_API st_status st_vector_write(const st_vector_view *vector, st_matrix_format format, int digits, FILE *stream);

// The picture of ST_FORMAT_PNG with lines between the states, and their names. Parts that do not fit to the number of rows
// or columns are not drawn there.
ST_API st_status st_matrix_write_picture(const st_matrix_view *matrix, const st_matrix_part *parts, size_t count,
                                         FILE *stream);

typedef struct st_matrix_summary {
    size_t rows, cols;
    size_t entries;         // that are not 0
    st_real norm;           // Frobenius
    st_real symmetry_error; // norm of A - Aᵀ relative to that of A; only of a square matrix
    bool symmetric;         // to rounding
    size_t bandwidth;       // largest distance of an entry from the diagonal
    size_t zero_rows;       // rows without an entry that is not 0
    // of a square matrix, by its factorization after ordering, LDLᵀ or else LU:
    bool factored;             // false: singular
    size_t positive, negative; // eigenvalues of each sign, of a symmetric matrix; both 0: not counted
    double condition;          // estimate of the largest over the smallest singular value; 0: unknown
    size_t factor_entries;     // of L with its diagonal; of L and U
} st_matrix_summary;
ST_API st_status st_matrix_summarize(const st_matrix_view *matrix, st_matrix_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
