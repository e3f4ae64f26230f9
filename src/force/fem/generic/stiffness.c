// The stiffness of one element. See stiffness.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/fem/generic/stiffness.h"

#include <string.h>

#include "force/fem/generic/shape.h"
#include "math/mat3.h"

// ---------------------------------------------------------------------------------------------------
// Jacobians
// ---------------------------------------------------------------------------------------------------

static st_real determinant(const st_real m[9], size_t size) {
    if (size == 1) return m[0];
    if (size == 2) return m[0] * m[4] - m[1] * m[3];
    // SOFA's order of the six products: where a solver stops early, the last bits of the stiffness show.
    return m[0] * m[4] * m[8] + m[3] * m[7] * m[2] + m[6] * m[1] * m[5] - m[0] * m[7] * m[5] - m[3] * m[1] * m[8] -
           m[6] * m[4] * m[2];
}

// Matrices are in the upper left corner of 3 x 3 ones. Refused when |det| is not above epsilon.
static bool stiffness_invert(st_real r[9], const st_real m[9], size_t size) {
    const st_real det = determinant(m, size);
    st_mat3_zero(r);
    if (!(fabs(det) > ST_REAL_EPSILON)) return false;

    // cofactors over the determinant
    if (size == 3) {
        st_mat3_cofactor(r, m);
        st_mat3_transpose(r, r);
        for (int i = 0; i < 9; i++) r[i] /= det;
        return true;
    }

    // in one and two dimensions by hand
    if (size == 1) {
        r[0] = 1 / m[0];
        return true;
    }

    r[0] = m[4] / det;
    r[1] = -m[1] / det;
    r[3] = -m[3] / det;
    r[4] = m[0] / det;
    return true;
}

bool st_spatial_gradients(st_element kind, const st_real q[3], const st_real *nodes, size_t d, st_real g[][3],
                          st_real *det) {
    st_real reference[ST_SHAPE_NODES][3], jacobian[9] = {0}, square[9], inverse[9];
    const size_t n = st_element_size[kind], dim = st_shape_dimension(kind);

    // Jac = Σ X_i ⊗ grad_ref N_i
    st_shape_gradients(kind, q, reference);
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < d; r++)
            for (size_t c = 0; c < dim; c++) jacobian[3 * r + c] += nodes[i * d + r] * reference[i][c];

    // its inverse; (Jacᵀ Jac)⁻¹ Jacᵀ where the element has fewer dimensions than space
    bool regular;
    if (dim == d) {
        *det = fabs(determinant(jacobian, d));
        regular = stiffness_invert(inverse, jacobian, d);
    } else {
        st_mat3_transpose_multiply(square, jacobian, jacobian);
        *det = sqrt(determinant(square, dim));
        regular = stiffness_invert(inverse, square, dim);
        st_mat3_multiply_transpose(inverse, inverse, jacobian);
    }

    // grad N_i = Jac⁻ᵀ grad_ref N_i
    for (size_t i = 0; i < n; i++)
        for (int r = 0; r < 3; r++) {
            g[i][r] = 0;
            for (size_t c = 0; c < dim; c++) g[i][r] += inverse[3 * c + r] * reference[i][c];
        }
    return regular;
}

// ---------------------------------------------------------------------------------------------------
// Bᵀ C B
// ---------------------------------------------------------------------------------------------------

// The component of strain in row s: its two axes.
static const int voigt_3[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
static const int voigt_2[3][2] = {{0, 0}, {1, 1}, {0, 1}};

typedef struct strain_matrix {
    size_t rows, cols;
    st_real b[6][ST_ELEMENT_SCALARS];
} strain_matrix;

static void set_strain_matrix(strain_matrix *m, size_t n, size_t d, st_real g[][3]) {
    const int(*voigt)[2] = d == 3 ? voigt_3 : voigt_2;
    m->rows = d * (d + 1) / 2;
    m->cols = n * d;
    memset(m->b, 0, sizeof m->b);

    // row s has the strain component (r, c): ∂u_r/∂x_c, for shears plus ∂u_c/∂x_r
    for (size_t s = 0; s < m->rows; s++)
        for (size_t i = 0; i < n; i++) {
            const int r = voigt[s][0], c = voigt[s][1];
            m->b[s][i * d + r] = g[i][c];
            m->b[s][i * d + c] = g[i][r];
        }
}

// C B: λ tr(strain) + 2 μ strain on the diagonal rows, μ times the engineering shear on the others.
static void hooke_times(strain_matrix *r, const strain_matrix *m, size_t d, st_lame lame) {
    *r = *m;
    for (size_t j = 0; j < m->cols; j++)
        for (size_t s = 0; s < m->rows; s++) {
            if (s >= d) {
                r->b[s][j] = lame.mu * m->b[s][j];
                continue;
            }

            // (λ + 2 μ) ε_ss + λ Σ ε_tt
            st_real sum = 0;
            for (size_t t = 0; t < d; t++) sum += (s == t ? lame.lambda + 2 * lame.mu : lame.lambda) * m->b[t][j];
            r->b[s][j] = sum;
        }
}

void st_element_stiffness(st_element kind, const st_real *nodes, size_t d, st_lame lame, st_real *k) {
    const st_quadrature *quadrature = st_shape_quadrature(kind);
    const size_t size = st_element_size[kind] * d;
    memset(k, 0, (size * size) * sizeof *k);
    for (size_t p = 0; p < quadrature->count; p++) {
        st_real g[ST_SHAPE_NODES][3], det;
        strain_matrix b, cb;

        // B and C B at this point; there is no strain where the element has no extent
        if (!st_spatial_gradients(kind, quadrature->point[p], nodes, d, g, &det)) continue;
        set_strain_matrix(&b, st_element_size[kind], d, g);
        hooke_times(&cb, &b, d, lame);

        // K += w |Jac| Bᵀ (C B)
        const st_real weight = quadrature->weight * det;
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j < size; j++) {
                st_real sum = 0;
                for (size_t s = 0; s < b.rows; s++) sum += b.b[s][i] * cb.b[s][j];
                k[i * size + j] += weight * sum;
            }
    }
}
