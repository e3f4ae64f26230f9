// Frames that turn with the tetrahedra that carry them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MAPPING_BARYCENTRIC_FRAMES_H
#define SETTEE_MAPPING_BARYCENTRIC_FRAMES_H

#include "mapping/barycentric_rows.h"
#include "mapping/geometric.h"

// Zero bytes are no frames. Of each frame:
typedef struct st_barycentric_frames {
    st_reals axes;  // N, 9 reals
    st_reals turn;  // R of the last apply, 9 reals
    st_reals edges; // D N of the last apply, 9 reals; zero where the frame does not turn
    st_reals arms;  // ∂ω/∂v of the four nodes at the last apply, 36 reals
} st_barycentric_frames;

// The rows have four nodes each. `nodes` are places of the parent's points, `coordinates` those of the child's frames.
// False: out of memory.
bool st_barycentric_frames_make(st_barycentric_frames *frames, const st_barycentric_rows *rows, const st_real *nodes,
                                const st_real *coordinates);
void st_barycentric_frames_free(st_barycentric_frames *frames);

// The angular part of what mapping/barycentric_rows.h does for the centers. The transpose does both parts. The parent
// must have every node of the rows.
void st_barycentric_frames_apply(st_barycentric_frames *frames, const st_barycentric_rows *rows, st_mapping *mapping,
                                 st_coord_id out, st_const_coord_id in);
void st_barycentric_frames_apply_j(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                   st_mapping *mapping, st_deriv_id out, st_const_deriv_id in);
void st_barycentric_frames_apply_jt(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                    st_mapping *mapping, st_deriv_id in, st_const_deriv_id out);
void st_barycentric_frames_add_curvature(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                         st_mapping *mapping, st_deriv_id a, st_const_deriv_id v);
void st_barycentric_frames_jacobian(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                    const st_mapping *mapping, st_sink *sink);
void st_barycentric_frames_geometric(const st_barycentric_frames *frames, const st_barycentric_rows *rows,
                                     const st_mapping *mapping, int32_t option, const st_params *params,
                                     st_stiffness stiffness);

#endif
