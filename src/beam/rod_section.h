// Sections of wires: a material, a circular cross section, and a rest shape along an abscissa.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_BEAM_ROD_SECTION_H
#define SETTEE_BEAM_ROD_SECTION_H

#include "beam/beam_interpolation.h"

typedef struct st_rod_section st_rod_section;
struct st_rod_section {
    st_object object;
    st_real poisson, young, density, radius, inner_radius, length;
    int32_t beams, edges_visual, edges_collision;
    // The frame at abscissa x of the wire, of a section that starts at `start`.
    st_beam_frame (*frame)(const st_rod_section *section, st_real x, st_real start);
};

extern const st_class st_rod_section_class; // abstract
extern const st_class st_wire_rest_shape_class;

// Checks the attributes that all sections have.
st_status st_rod_section_check(st_rod_section *section);

// --- the rest shape of a wire, made of sections from handle to tip

typedef struct st_wire_shape {
    st_object object;
    ST_LIST(st_object *) sections;
    st_object *topology;
    st_ints beams;       // of each section
    st_reals key_points; // where sections begin, and the end
} st_wire_shape;

st_real st_wire_length(const st_wire_shape *shape);
// The section at an abscissa.
const st_rod_section *st_wire_section(const st_wire_shape *shape, st_real x);
st_beam_frame st_wire_frame(const st_wire_shape *shape, st_real x);
// Parts for collisions, all of the same length.
size_t st_wire_collision_parts(const st_wire_shape *shape);

// --- beams that a controller puts on a wire

// The rest shape of a WireBeamInterpolation; NULL: it has none.
const st_wire_shape *st_wire_of(const st_beams *wire);
// From now on a controller says where the beams are.
void st_wire_control(st_beams *wire);
void st_wire_clear(st_beams *wire);
// A beam on an edge of the mesh from abscissa x0 to x1 of the wire, which is turned by an angle. False: out of memory.
bool st_wire_add_beam(st_beams *wire, uint32_t edge, st_real length, st_real x0, st_real x1, st_real angle);

#endif
