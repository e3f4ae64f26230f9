// Points carried by rigid frames: what RigidMapping, SkinningMapping, LineSetSkinningMapping, BeamLinearMapping and
// TubularMapping share.
//
// Row i is a sum over entries k, each with a frame (c, R), a weight w and a local vector l (weighted already):
//
//     p = Σ w c + r,  r = R l        v_p = Σ w v + ω × r        f += w f_p,  τ += r × f_p
//
// and, for a constant f_p, the torque changes with the frame's turn δθ by −f_p × (δθ × r) = [f_p]× [r]× δθ: the
// geometric stiffness. In the plane the frame is (x, y, θ), r = R(θ) l, v_p = Σ w v + ω (−r_y, r_x),
// τ += r_x f_y − r_y f_x, ∂τ/∂θ = −f_p · r.
//
// While the frame turns, (dJ/dt) v = Σ ω × (ω × r), in the plane −Σ ω² r.
//
// The arms r are those of the last apply.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_CARRIED_ROWS_H
#define SETTEE_MAPPING_CARRIED_ROWS_H

#include "mapping/geometric.h"

// Zero bytes are no rows.
typedef struct st_carried_rows {
    bool plane;       // Rigid2 and Vec2, not Rigid3 and Vec3
    st_uints start;   // of each row, and the end
    st_uints frame;   // of each entry
    st_reals weight;  // of each entry
    st_reals local;   // three reals an entry, in the plane two of them
    st_reals arm;     // r of each entry at the last apply
    st_reals turning; // work: one 3×3 block a frame
    size_t frames;    // every frame is below it
    st_bools gone;    // of each row: a frame of it has left the mesh; the point stays in its place. Empty: none has
    st_reals left;    // where: coordinates of the child
} st_carried_rows;

static inline size_t st_carried_rows_count(const st_carried_rows *rows) {
    return rows->start.count ? rows->start.count - 1 : 0;
}

// Empties; then entries are added, each row is ended, and the whole is finished. False: out of memory.
bool st_carried_rows_begin(st_carried_rows *rows, bool plane);
bool st_carried_rows_add(st_carried_rows *rows, uint32_t frame, st_real weight, const st_real *local);
bool st_carried_rows_end(st_carried_rows *rows);
bool st_carried_rows_finish(st_carried_rows *rows);
void st_carried_rows_free(st_carried_rows *rows);

// The operations of a mapping with one input and one output whose child has a place in its first reals. They leave
// alone what does not fit the rows. apply sizes the child.
void st_carried_rows_apply(st_carried_rows *rows, st_mapping *mapping, st_coord_id out, st_const_coord_id in);
void st_carried_rows_apply_j(const st_carried_rows *rows, st_mapping *mapping, st_deriv_id out, st_const_deriv_id in);
void st_carried_rows_apply_jt(const st_carried_rows *rows, st_mapping *mapping, st_deriv_id in, st_const_deriv_id out);
void st_carried_rows_jacobian(const st_carried_rows *rows, const st_mapping *mapping, st_sink *sink);
void st_carried_rows_add_curvature(const st_carried_rows *rows, const st_mapping *mapping, st_deriv_id a,
                                   st_const_deriv_id v);
// With the option of mapping/geometric.h. Stabilized: each frame's block becomes its symmetric part without positive
// eigenvalues.
void st_carried_rows_geometric(st_carried_rows *rows, const st_mapping *mapping, int32_t option,
                               const st_params *params, st_stiffness stiffness);
// Rows of a class that declares them follow the parent's mesh: a table of `attached` has this line. After a change and for
// a reset st_carried_rows_follow takes over what became of them; false: out of memory, or there are none that fit.
#define ST_CARRIED_ATTACHED(owner, rows)                                                                               \
    {.offset = offsetof(owner, rows.frame), .bytes = sizeof(uint32_t), .mesh = ST_OF_PARENT},                          \
        {.offset = offsetof(owner, rows.start), .bytes = sizeof(uint32_t), .mesh = ST_WITH_MESH},                      \
        {.offset = offsetof(owner, rows.weight), .bytes = sizeof(st_real), .mesh = ST_WITH_MESH}, {                    \
        .offset = offsetof(owner, rows.local), .bytes = 3 * sizeof(st_real), .mesh = ST_WITH_MESH                      \
    }
bool st_carried_rows_follow(st_carried_rows *rows, const st_mapping *mapping);
static inline bool st_carried_row_is_gone(const st_carried_rows *rows, size_t row) {
    return row < rows->gone.count && rows->gone.data[row];
}

// Do rows and states fit together?
bool st_carried_rows_fit(const st_carried_rows *rows, const st_mapping *mapping);

// First member of a mapping that is made of such rows and nothing else, its operations, and its destroy hook.
typedef struct st_carried_mapping {
    st_mapping mapping;
    int32_t geometric_stiffness;
    st_carried_rows rows;
} st_carried_mapping;
extern const st_mapping_ops st_carried_ops;
void st_carried_destroy(st_object *object);

#endif
