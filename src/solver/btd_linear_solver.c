// Direct solver for block tridiagonal matrices of 6 × 6 blocks, such as those of beams whose frames come in order.
//
// With A_i on the diagonal, B_i left and C_i right of it, the block Thomas algorithm is
//
//     α_i = A_i - B_i λ_{i-1},   λ_i = α_i⁻¹ C_i
//     y_i = α_i⁻¹ (b_i - B_i y_{i-1}),   x_i = y_i - λ_i x_{i+1}
//
// For constraints the blocks of the inverse are needed; A is taken for symmetric there:
//
//     M_{n,n} = α_n⁻¹,   M_{i,j} = -M_{i,j+1} λ_jᵀ for j < i,   M_{i-1,i-1} = α_{i-1}⁻¹ - λ_{i-1} M_{i,i-1}
//
// Entries of A that lie further from the diagonal are left out, with a warning.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <tgmath.h>

#include "base/array.h"
#include "math/dense.h"
#include "scene/scene.h"
#include "solver/linear_solver.h"

enum { B = 6, BB = B * B, MOST_INVERSE_BLOCKS = 256 };

typedef struct btd_solver {
    st_linear_solver solver;
    bool verbose, show_problem, verification, subpart_solve;
    uint32_t block_size;

    size_t blocks;    // of the factored matrix; 0: none
    st_reals band;    // three blocks a row: left, diagonal, right
    st_reals alpha;   // α⁻¹
    st_reals lambda;  // λ
    st_reals inverse; // M_{i,j}, j ≤ i, row by row of a triangle
    bool has_inverse;
} btd_solver;

// ---------------------------------------------------------------------------------------------------
// 6 × 6 blocks
// ---------------------------------------------------------------------------------------------------

// r = r + factor · a b
static void btd_add_product(st_real *r, st_real factor, const st_real *a, const st_real *b) {
    for (int i = 0; i < B; i++)
        for (int k = 0; k < B; k++)
            for (int j = 0; j < B; j++) r[i * B + j] += factor * a[i * B + k] * b[k * B + j];
}

// r = r + factor · a bᵀ
static void add_product_transposed(st_real *r, st_real factor, const st_real *a, const st_real *b) {
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < B; k++) r[i * B + j] += factor * a[i * B + k] * b[j * B + k];
}

// y = y + factor · a x
static void add_times(st_real *y, st_real factor, const st_real *a, const st_real *x) {
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) y[i] += factor * a[i * B + j] * x[j];
}

static bool btd_is_diagonal(const st_real *a) {
    for (int i = 0; i < B; i++)
        for (int j = i + 1; j < B; j++)
            if (!(fabs(a[i * B + j]) <= ST_R(1e-10) * a[i * B + i])) return false;
    return true;
}

// Scales of rows and columns with which the largest number of each row of a block is about 1.
static void find_scales(st_real *scales, const st_real *a) {
    for (int i = 0; i < B; i++) {
        st_real largest = 0;
        for (int j = 0; j < B; j++) largest = st_max(largest, fabs(a[i * B + j]));
        scales[i] = largest > 0 ? 1 / sqrt(largest) : 1;
    }
}

// As SOFA: a block that is diagonal to the right of its diagonal is inverted as such. A pivot that is rounding only,
// compared to the block of A that it comes from, is none.
static bool invert_block(st_real *inverse, const st_real *a, const st_real *scales) {
    const st_real tiny = 2 * ST_REAL_EPSILON;
    memset(inverse, 0, BB * sizeof *inverse);

    if (btd_is_diagonal(a)) {
        for (int i = 0; i < B; i++) {
            if (!(a[i * B + i] * scales[i] * scales[i] > tiny)) return false;
            inverse[i * B + i] = 1 / a[i * B + i];
        }
        return true;
    }

    // LU of the scaled block; its pivots are compared with 1
    st_real factors[BB];
    uint32_t pivots[B];
    for (int k = 0; k < BB; k++) factors[k] = a[k] * scales[k / B] * scales[k % B];
    if (!st_dense_factor(factors, pivots, B)) return false;
    for (int i = 0; i < B; i++)
        if (!(fabs(factors[i * B + i]) > tiny)) return false;

    // column by column, with the scales taken off again
    for (int j = 0; j < B; j++) {
        st_real column[B] = {0};
        column[j] = scales[j];
        st_dense_solve_factored(column, factors, pivots, B);
        for (int i = 0; i < B; i++) inverse[i * B + j] = column[i] * scales[i];
    }

    return true;
}

// ---------------------------------------------------------------------------------------------------
// The band
// ---------------------------------------------------------------------------------------------------

// Puts the entries of the band where they belong; gives how many lie outside.
static size_t fill_band(btd_solver *self, const st_bsr *a) {
    const size_t b = st_bsr_block(a);
    size_t outside = 0;

    for (size_t row = 0; row < (size_t)a->rows; row++)
        for (size_t s = a->starts[row]; s < a->starts[row + 1]; s++)
            for (size_t k = 0; k < b * b; k++) {
                // slot 3 i + (j - i + 1) of the band, in blocks
                const size_t i = row * b + k / b, j = (size_t)a->columns[s] * b + k % b;
                const bool inside = j / B <= i / B + 1 && i / B <= j / B + 1;
                const st_real value = a->values[s * b * b + k];
                if (inside) self->band.data[(2 * (i / B) + j / B + 1) * BB + i % B * B + j % B] += value;
                else outside += value != 0;
            }

    return outside;
}

static bool btd_reserve(btd_solver *self, size_t blocks) {
    if (!st_list_set_count(&self->band, 3 * blocks * BB, 1) || !st_list_set_count(&self->alpha, blocks * BB, 1) ||
        !st_list_set_count(&self->lambda, blocks * BB, 1))
        return false;

    memset(self->band.data, 0, self->band.count * sizeof *self->band.data);
    memset(self->lambda.data, 0, self->lambda.count * sizeof *self->lambda.data);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Factorization and solution
// ---------------------------------------------------------------------------------------------------

static st_status btd_factor(btd_solver *self, size_t blocks) {
    for (size_t i = 0; i < blocks; i++) {
        const st_real *band = self->band.data + 3 * i * BB;
        st_real *alpha = self->alpha.data + i * BB, *lambda = self->lambda.data + i * BB, diagonal[BB];
        st_real scales[B];
        find_scales(scales, band + BB);

        // α_i = A_i - B_i λ_{i-1}
        memcpy(diagonal, band + BB, sizeof diagonal);
        if (i > 0) btd_add_product(diagonal, -1, band, lambda - BB);
        if (!invert_block(alpha, diagonal, scales)) {
            st_linear_solver_report_row(&self->solver, ST_ERROR, i * B,
                                        "the matrix is singular: a diagonal block has no inverse");
            return ST_FAILED;
        }

        // λ_i = α_i⁻¹ C_i
        if (i + 1 < blocks) btd_add_product(lambda, 1, alpha, band + 2 * BB);
    }

    self->blocks = blocks;
    return ST_OK;
}

static st_status btd_invert(st_linear_solver *solver) {
    btd_solver *self = (btd_solver *)solver;
    const st_bsr *matrix = st_linear_solver_matrix(solver);

    self->blocks = 0;
    self->has_inverse = false;
    if (!matrix || !st_linear_solver_check_finite(solver, matrix)) return ST_FAILED;
    const size_t n = solver->system->size;

    if (n % B != 0) {
        st_message(&solver->object, ST_ERROR, "%zu unknowns are not a multiple of 6: it solves systems of frames", n);
        return ST_FAILED;
    }

    if (!btd_reserve(self, n / B)) {
        st_message(&solver->object, ST_ERROR, "out of memory for a band of %zu unknowns", n);
        return ST_OUT_OF_MEMORY;
    }

    // entries outside of the band
    const size_t outside = fill_band(self, matrix);
    if (outside > 0)
        st_message_once(&solver->object, "outside", ST_WARNING,
                        "the matrix is not block tridiagonal: %zu entries lie outside of the band, and the solution is "
                        "not that of the system. SparseLDLSolver solves it",
                        outside);

    return btd_factor(self, n / B);
}

static void solve_vector(const btd_solver *self, const st_real *b, st_real *x) {
    // y_i = α_i⁻¹ (b_i - B_i y_{i-1})
    for (size_t i = 0; i < self->blocks; i++) {
        st_real r[B];
        memcpy(r, b + i * B, sizeof r);
        if (i > 0) add_times(r, -1, self->band.data + 3 * i * BB, x + (i - 1) * B);
        memset(x + i * B, 0, sizeof r);
        add_times(x + i * B, 1, self->alpha.data + i * BB, r);
    }

    // x_i = y_i - λ_i x_{i+1}
    for (size_t i = self->blocks; i-- > 1;) add_times(x + (i - 1) * B, -1, self->lambda.data + (i - 1) * BB, x + i * B);
}

static void verify(const btd_solver *self) {
    const st_real *x = self->solver.system->solution, *b = self->solver.system->rhs;
    st_real difference = 0, norm = 0;

    for (size_t i = 0; i < self->blocks; i++) {
        st_real r[B];

        // r = b - A x
        memcpy(r, b + i * B, sizeof r);
        for (size_t k = 0; k < 3; k++)
            if (i + k >= 1 && i + k <= self->blocks)
                add_times(r, -1, self->band.data + (3 * i + k) * BB, x + (i + k - 1) * B);

        for (int c = 0; c < B; c++) {
            difference += r[c] * r[c];
            norm += b[i * B + (size_t)c] * b[i * B + (size_t)c];
        }
    }

    st_message(&self->solver.object, ST_NOTICE, "residual of the block tridiagonal system: %g, right-hand side: %g",
               (double)sqrt(difference), (double)sqrt(norm));
}

static st_status btd_solve(st_linear_solver *solver) {
    btd_solver *self = (btd_solver *)solver;
    if (self->blocks * B != solver->system->size) return ST_FAILED;
    solve_vector(self, solver->system->rhs, solver->system->solution);
    if (self->verification) verify(self);
    return ST_OK;
}

// ---------------------------------------------------------------------------------------------------
// Constraints
// ---------------------------------------------------------------------------------------------------

static st_real *inverse_block(const btd_solver *self, size_t i, size_t j) {
    return self->inverse.data + (i * (i + 1) / 2 + j) * BB;
}

static bool make_inverse(btd_solver *self) {
    const size_t n = self->blocks;
    if (self->has_inverse) return true;
    if (!st_list_set_count(&self->inverse, n * (n + 1) / 2 * BB, 1)) return false;

    memset(self->inverse.data, 0, self->inverse.count * sizeof *self->inverse.data);

    // from the last block up
    for (size_t i = n; i-- > 0;) {
        st_real *own = inverse_block(self, i, i);
        for (int k = 0; k < BB; k++) own[k] += self->alpha.data[i * BB + (size_t)k];

        // M_{i,i} = α_i⁻¹ - λ_i M_{i+1,i}
        if (i + 1 < n) btd_add_product(own, -1, self->lambda.data + i * BB, inverse_block(self, i + 1, i));

        // M_{i,j} = -M_{i,j+1} λ_jᵀ
        for (size_t j = i; j-- > 0;)
            add_product_transposed(inverse_block(self, i, j), -1, inverse_block(self, i, j + 1),
                                   self->lambda.data + j * BB);
    }

    self->has_inverse = true;
    return true;
}

static st_real inverse_entry(const btd_solver *self, size_t i, size_t j) {
    // only the lower triangle of blocks is stored
    if (i / B < j / B) return inverse_entry(self, j, i);
    return inverse_block(self, i / B, j / B)[i % B * B + j % B];
}

static st_status btd_compliance(st_linear_solver *solver, const st_sparse_rows *h, st_real factor_, st_real *w) {
    btd_solver *self = (btd_solver *)solver;
    if (self->blocks > MOST_INVERSE_BLOCKS) return st_linear_solver_compliance_by_rows(solver, h, factor_, w);
    if (!make_inverse(self)) return ST_OUT_OF_MEMORY;

    // W is symmetric: half of it is computed
    for (size_t r = 0; r < h->count; r++)
        for (size_t s = r; s < h->count; s++) {
            st_real sum = 0;
            for (size_t k = h->starts[r]; k < h->starts[r + 1]; k++)
                for (size_t l = h->starts[s]; l < h->starts[s + 1]; l++)
                    sum +=
                        h->values[k] * h->values[l] * inverse_entry(self, (size_t)h->columns[k], (size_t)h->columns[l]);
            w[r * h->count + s] += factor_ * sum;
            if (r != s) w[s * h->count + r] += factor_ * sum;
        }

    return ST_OK;
}

static void btd_destroy(st_object *object) {
    btd_solver *self = (btd_solver *)object;
    st_list_free(&self->band);
    st_list_free(&self->alpha);
    st_list_free(&self->lambda);
    st_list_free(&self->inverse);
}

static const st_field fields[] = {
    ST_FIELD(btd_solver, verbose, "verbose", st_type_bool, "0", "messages", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(btd_solver, show_problem, "showProblem", st_type_bool, "0", "messages", .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(btd_solver, verification, "verification", st_type_bool, "0", "tell the residual of each solve"),
    ST_FIELD(
        btd_solver, subpart_solve, "subpartSolve", st_type_bool, "0",
        "in SOFA, prepare solves of a part of the system; here the blocks of the inverse are made when they are needed",
        .flags = ST_FIELD_NO_EFFECT),
    ST_FIELD(btd_solver, block_size, "blockSize", st_type_uint, "6", "blocks are always of 6 x 6",
             .flags = ST_FIELD_DEPRECATED | ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static const st_linear_solver_ops ops = {.invert = btd_invert, .solve = btd_solve, .compliance = btd_compliance};

const st_class st_btd_linear_solver_class = {
    .name = "BTDLinearSolver",
    .help = "direct solver for block tridiagonal systems of 6 x 6 blocks, such as chains of beams",
    .parent = &st_linear_solver_class,
    .templates = "BTDMatrix6d",
    .default_template = "BTDMatrix6d",
    .fields = fields,
    .size = sizeof(btd_solver),
    .example = "<EulerImplicitSolver rayleighStiffness=\"0.1\"/>\n<BTDLinearSolver/>\n"
               "<MechanicalObject template=\"Rigid3\" position=\"0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1\"/>\n"
               "<MeshTopology edges=\"0 1 1 2\"/>\n"
               "<UniformMass totalMass=\"1\"/>\n"
               "<FixedProjectiveConstraint indices=\"0\"/>\n"
               "<BeamFEMForceField radius=\"0.1\" youngModulus=\"2000\" poissonRatio=\"0.3\"/>",
    .destroy = btd_destroy,
    .linear_solver = &ops,
};
