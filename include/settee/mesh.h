// Mesh files outside of a scene: read, measured, written in another format.
//
//     st_mesh *mesh;
//     if (st_mesh_load(&mesh, "liver.msh", log, NULL) == ST_OK) {
//         st_mesh_report report;
//         st_mesh_measure(mesh, &report);
//         st_mesh_save(mesh, "liver.vtu", log, NULL);
//         st_mesh_destroy(mesh);
//     }
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_MESH_H
#define SETTEE_MESH_H

#include "settee/plugin/topology.h"
#include "settee/settee.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct st_mesh st_mesh;

// Reads a file; its suffix tells the format. On failure *mesh is NULL and the log says why, with file and line.
// `log` may be NULL.
ST_API st_status st_mesh_load(st_mesh **mesh, const char *path, st_log_function *log, void *user);
ST_API void st_mesh_destroy(st_mesh *mesh); // NULL is fine
// Writes a file; its suffix tells the format. It appears whole or not at all. What the format cannot hold is left out,
// with a warning; of volumes a format of surfaces gets the boundary.
ST_API st_status st_mesh_save(const st_mesh *mesh, const char *path, st_log_function *log, void *user);

// Borrowed: points of three numbers, elements of st_element_size[kind] vertices.
ST_API size_t st_mesh_points(const st_mesh *mesh, const st_real **positions);
ST_API size_t st_mesh_elements(const st_mesh *mesh, st_element kind, const uint32_t **vertices);

// The formats, one after the other; false past the end.
typedef struct st_mesh_format {
    const char *suffix; // without the dot
    const char *name;
    bool reads, writes;
} st_mesh_format;
ST_API bool st_describe_mesh_format(size_t index, st_mesh_format *format);

// Aspect ratio of an element, 1 at best: longest edge by the radius of the inscribed circle or sphere, relative to an
// equilateral triangle or regular tetrahedron; longest by shortest edge for quads, hexahedra, prisms and pyramids.
enum { ST_ASPECT_BINS = 7 };
extern ST_API const double st_aspect_limits[ST_ASPECT_BINS]; // upper ends of the bins; the last is infinite

typedef struct st_element_quality {
    size_t count;
    double total, least, most;                     // length, area or volume; volumes have a sign
    size_t inverted;                               // volumes that are negative, at a corner at least
    size_t flat;                                   // of no area or volume, relative to the longest edge
    double best_aspect, mean_aspect, worst_aspect; // mean of those that are finite; the worst may be infinite
    size_t worst;                                  // the element with the worst one
    size_t histogram[ST_ASPECT_BINS];
} st_element_quality;

typedef struct st_mesh_report {
    size_t points;
    size_t unused;          // points of no element
    double low[3], high[3]; // bounding box; 0 without points
    st_element_quality quality[ST_ELEMENT_KINDS];
    size_t components; // pieces that share no point
    // The boundary: faces that one volume has, or, without volumes, edges that one face has.
    size_t boundary_faces, boundary_edges;
    double boundary_area; // of boundary faces
    size_t shared_faces;  // that more than two volumes have
    size_t shared_edges;  // without volumes: that more than two faces have
    bool closed;          // a surface whose every edge has two faces, in opposite directions
    double enclosed;      // volume inside a closed surface, negative when it is inside out
} st_mesh_report;

ST_API st_status st_mesh_measure(const st_mesh *mesh, st_mesh_report *report);

#ifdef __cplusplus
}
#endif
#endif
