// A copy of what a scene looks like, in single precision, with the number of the frame in which each part changed last:
// a page that has seen frame n gets what is younger than n. Also the messages made of it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_SNAPSHOT_H
#define SETTEE_VIEWER_SNAPSHOT_H

#include "settee/drawing.h"
#include "text.h"

enum { ST_VIEWER_PROTOCOL = 1 };

// What a record of a frame holds; numbers of the protocol.
typedef enum st_viewer_part {
    ST_VIEWER_POSITIONS,   // float32 × 3 for each point
    ST_VIEWER_INDICES,     // uint32 × 2 or 3 for each element
    ST_VIEWER_COLORS,      // float32 × 4 for each element
    ST_VIEWER_SCALARS,     // float32 for each point or element
    ST_VIEWER_VECTORS,     // float32 × 3 for each point
    ST_VIEWER_QUATERNIONS, // float32 × 4 for each point
    ST_VIEWER_RADII,       // float32 for each point
    ST_VIEWER_SIDES,       // uint32 for each triangle: bit i: draw its side from corner i to i + 1
    ST_VIEWER_TEXCOORDS,   // float32 × 6 for each triangle: u and v of its corners
    ST_VIEWER_IMAGE,       // its texture, a PNG, JPEG or BMP file in words: first the number of its bytes
    ST_VIEWER_PARTS,
    ST_VIEWER_QUANTIZED = 16, // positions: float32 × 3 least, float32 × 3 step, then uint16 × 3 for each point
} st_viewer_part;

typedef struct st_viewer_array {
    void *data; // 4 bytes a number
    size_t count, width, capacity;
    uint32_t changed; // number of the frame
} st_viewer_array;

typedef struct st_viewer_item {
    uint64_t key, topology;
    uint32_t id;
    bool used;     // by the last update
    char *texture; // path of the image, NULL: none
    st_viewer_array parts[ST_VIEWER_PARTS];
} st_viewer_item;

typedef struct st_viewer_snapshot {
    st_viewer_item *items;
    size_t count, capacity;
    uint32_t frame; // 0: none yet
    uint32_t next_id;
    double time;
    st_viewer_text list, scratch; // the message "items"
    uint32_t list_changed;        // number of the frame
} st_viewer_snapshot;

// The message "welcome", the first one of a connection or recording.
void st_viewer_put_welcome(st_viewer_text *text, bool read_only);

void st_viewer_snapshot_free(st_viewer_snapshot *snapshot);
// The next frame. False: out of memory; the frame is incomplete, the next one may be whole again.
bool st_viewer_snapshot_update(st_viewer_snapshot *snapshot, const st_drawing *drawing, st_scene *scene);
// The binary message of what changed after frame `seen`; quantized: positions in 16 bits.
void st_viewer_snapshot_frame(const st_viewer_snapshot *snapshot, uint32_t seen, bool quantized,
                              st_viewer_text *message);

#endif
