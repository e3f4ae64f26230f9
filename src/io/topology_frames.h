// Frames of a topology file, one line after another:
//
//     T= 0.1
//       Edges= 2
//     0 1 1 2
//       Triangles= 0
//
// and so on for Quads, Tetrahedra and Hexahedra; the line of indices is empty where there are none.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_TOPOLOGY_FRAMES_H
#define SETTEE_IO_TOPOLOGY_FRAMES_H

#include "io/frame_player.h"
#include "settee/plugin/topology.h"

enum { ST_FRAME_KINDS = ST_HEXAHEDRON + 1 };
extern const char *const st_frame_kind_names[ST_FRAME_KINDS]; // "Edges", ...

typedef struct st_topology_frames {
    st_real time;
    int kind;       // whose indices come next; -1: none
    size_t claimed; // number of elements in its header
    bool read[ST_FRAME_KINDS];
    st_uints indices[ST_FRAME_KINDS]; // counted in indices
    bool damaged;                     // a list of this frame: it is not used
    bool bad;                         // any of the frames was damaged
} st_topology_frames;

// Takes one line. True: a frame begins, and `time` is its own.
bool st_topology_frames_line(st_topology_frames *frames, const char *line, size_t length);
void st_topology_frames_end(st_topology_frames *frames);   // the frame is complete: forgets it where it is damaged
void st_topology_frames_clear(st_topology_frames *frames); // nothing read
void st_topology_frames_free(st_topology_frames *frames);

// --- ReadTopology, which CompareTopology derives from

typedef struct st_read_topology {
    st_object object;
    st_frame_player player;
    st_object *topology;
    st_topology_frames frames;
} st_read_topology;

extern const st_class st_read_topology_class;
// Reads all lines whose time is not after `target`; the frames hold the last frame. False: nothing new.
bool st_read_topology_until(st_read_topology *self, st_real target);
void st_read_topology_restart(st_read_topology *self);

#endif
