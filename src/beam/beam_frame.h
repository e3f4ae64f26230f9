// Frames of beams, as SOFA's beam adapter has them: the pair F = (q, o), o being the origin of the parent as seen from
// the child.
//
// For unit quaternions this is an ordinary frame with the origin t = -q<o>. Scenes have quaternions such as
// 0.707 0 0.707 0, which nothing normalizes; results then depend on the way in which frames are stored, so that it is
// part of the definition:
//
//     make      frame(t, q) = (q, -q'<t>)                       q<v> turns v, q'<v> turns it back
//     origin    -q<o>                                           t only where |q| = 1
//     product   (q1, o1) (q2, o2) = (q1 q2, o2 + q2'<o1>)
//     inverse   (conjugate(q) / |q|, -q<o>)
//     adjoint   [ R, R O; 0, R ], O a = a x o                   linear part first
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BEAM_BEAM_FRAME_H
#define SETTEE_BEAM_BEAM_FRAME_H

#include "math/quat.h"

typedef struct st_beam_frame {
    st_real q[4], o[3];
} st_beam_frame;

static inline st_beam_frame st_beam_frame_make(const st_real t[3], const st_real q[4]) {
    st_beam_frame f;
    st_quat_copy(f.q, q);
    st_quat_inverse_rotate(f.o, q, t);
    st_vec3_negate(f.o, f.o);
    return f;
}

static inline void st_beam_frame_origin(st_real t[3], const st_beam_frame *f) {
    st_quat_rotate(t, f->q, f->o);
    st_vec3_negate(t, t);
}

static inline st_beam_frame st_beam_frame_multiply(const st_beam_frame *a, const st_beam_frame *b) {
    st_beam_frame f;
    st_quat_multiply(f.q, a->q, b->q);
    st_quat_inverse_rotate(f.o, b->q, a->o);
    st_vec3_add(f.o, b->o, f.o);
    return f;
}

static inline st_beam_frame st_beam_frame_inverse(const st_beam_frame *a) {
    st_beam_frame f;
    st_quat_inverse(f.q, a->q);
    st_beam_frame_origin(f.o, a);
    return f;
}

// Place and rotation vector as one displacement: (origin, rotation vector).
static inline void st_beam_frame_spatial(st_real s[6], const st_beam_frame *f) {
    st_beam_frame_origin(s, f);
    st_quat_to_rotation_vector(s + 3, f->q);
}

static inline void st_beam_frame_adjoint(st_real ad[36], const st_beam_frame *f) {
    st_real r[9], ro[9];
    const st_real o[9] = {0, f->o[2], -f->o[1], -f->o[2], 0, f->o[0], f->o[1], -f->o[0], 0};
    st_quat_to_matrix(r, f->q);
    st_mat3_multiply(ro, r, o);

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            ad[6 * i + j] = ad[6 * (i + 3) + j + 3] = r[3 * i + j];
            ad[6 * i + j + 3] = ro[3 * i + j];
            ad[6 * (i + 3) + j] = 0;
        }
}

#endif
