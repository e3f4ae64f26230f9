// INCISE of change files: incisions along points, given by the file or kept in triangles since the beginning.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_CHANGE_INCISION_H
#define SETTEE_IO_CHANGE_INCISION_H

#include "topology/cut/incision.h"

// Lines of a file, each point as a triangle with weights, so that they follow the surface as it moves.
typedef struct st_kept_incisions {
    ST_LIST(struct st_kept_line {
        st_real time;
        size_t first; // of points
        size_t count;
    })
    lines;
    ST_LIST(struct st_kept_point {
        uint32_t triangle;
        st_real w[3];
    })
    points;
    ST_LIST(struct st_kept_point) first; // as they were read, for a reset
} st_kept_incisions;

// The points of a line: count times "triangle x y z" or "x y z". False: with a message; nothing can be made of it.
typedef struct st_incision_points {
    st_uints triangles; // empty: to be searched
    st_reals places;    // three numbers each
} st_incision_points;
bool st_incision_points_read(st_incision_points *points, const st_object *object, const char *file, size_t line,
                             const char *text, size_t count);
void st_incision_points_free(st_incision_points *points);

// One line of a file, from point to point.
st_status st_incise_points(const st_object *object, st_topology *topology, const st_incision_points *points);

// Reads all incisions of a file; those of one time are joined.
st_status st_keep_incisions(st_kept_incisions *kept, const st_object *object, st_topology *topology, const char *path);
// All lines of a time.
st_status st_incise_kept(st_kept_incisions *kept, const st_object *object, st_topology *topology, st_real time,
                         st_real snap_path, st_real snap_border);
// Numbers of triangles follow a change that was not made by st_incise_kept.
void st_kept_incisions_edited(st_kept_incisions *kept, const st_edits *edits);
void st_kept_incisions_reset(st_kept_incisions *kept);
void st_kept_incisions_free(st_kept_incisions *kept);

#endif
