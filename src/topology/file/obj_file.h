// Wavefront OBJ: points, texture coordinates, normals, and faces whose corners name one of each.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TOPOLOGY_FILE_OBJ_FILE_H
#define SETTEE_TOPOLOGY_FILE_OBJ_FILE_H

#include "topology/file/mesh_file.h"

// Indices from 0; -1: none.
typedef struct st_obj_corner {
    int32_t point, texcoord, normal;
} st_obj_corner;

typedef struct st_obj_face {
    uint32_t first, count; // in corners
    uint32_t group;
    int line;
} st_obj_face;

typedef struct st_obj_group {
    char *name, *material; // never NULL
} st_obj_group;

// Zero bytes are an empty one.
typedef struct st_obj {
    st_reals points, normals; // Vec3
    st_reals texcoords;       // Vec2
    ST_LIST(st_obj_corner) corners;
    ST_LIST(st_obj_face) faces; // every corner of every face has a point that exists
    ST_LIST(st_obj_group) groups;
    st_strings libraries; // of materials, as the file names them
} st_obj;

// Reads it all. False: an error was sent and the content is useless. Faces with corners that do not exist are left out,
// after an error.
bool st_obj_read(st_obj *obj, st_mesh_file *file);
void st_obj_free(st_obj *obj);

// One vertex for each distinct (texcoord, normal) with which faces use a point: points in order, pairs in increasing
// order. vertices[k] are the corners that define vertex k, of_corner[c] is the vertex of corner c. Points that no face
// uses have none. False: out of memory.
typedef struct st_obj_split {
    ST_LIST(st_obj_corner) vertices;
    st_uints of_corner;
} st_obj_split;
bool st_obj_split_create(st_obj_split *split, const st_obj *obj);
void st_obj_split_free(st_obj_split *split);

// Elements of a face list: 2 corners an edge (small vertex first), 4 a quad (unless `triangulate`), otherwise a fan of
// triangles. vertex_of maps corners to vertices. `flip` turns faces over.
typedef struct st_obj_elements {
    st_uints *edges, *triangles, *quads;
    bool triangulate, flip;
} st_obj_elements;
bool st_obj_add_face(const st_obj_elements *to, const st_obj_face *face, const uint32_t *vertex_of);

#endif
