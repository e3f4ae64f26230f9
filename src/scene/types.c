// The types that a field can have: what its member holds and in which syntax its text is read.
//
// Positions and directions are rows of reals, elements of a mesh rows of indices; a width below zero follows the
// template of the object. An option is the index of its label, a color is red, green, blue and alpha between 0 and 1.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/plugin/component.h"

// clang-format off
#define VALUE(id, text, scalar_, width_, syntax_) \
    const st_type st_type_##id = { .name = text, .scalar = ST_SCALAR_##scalar_, .width = width_, .list = false, .syntax = ST_SYNTAX_##syntax_ }
#define SERIES(id, text, scalar_, width_, syntax_) \
    const st_type st_type_##id = { .name = text, .scalar = ST_SCALAR_##scalar_, .width = width_, .list = true, .syntax = ST_SYNTAX_##syntax_ }

// One value
VALUE(bool,       "bool",                   BOOL,   1, PLAIN);
VALUE(int,        "int",                    INT,    1, PLAIN);
VALUE(uint,       "unsigned int",           UINT,   1, PLAIN);
VALUE(real,       "real",                   REAL,   1, PLAIN);
VALUE(float,      "real, single precision", REAL,   1, FLOAT);
VALUE(string,     "text",                   STRING, 1, TEXT);
VALUE(file,       "file name",              STRING, 1, FILE);
VALUE(option,     "option",                 INT,    1, OPTION);
VALUE(select,     "option",                 INT,    1, SELECT);

// A fixed number of scalars
VALUE(bool3,      "3 bools",                BOOL,   3, PLAIN);
VALUE(int2,       "2 ints",                 INT,    2, PLAIN);
VALUE(int3,       "3 ints",                 INT,    3, PLAIN);
VALUE(uint2,      "2 unsigned ints",        UINT,   2, PLAIN);
VALUE(vec2,       "Vec2",                   REAL,   2, PLAIN);
VALUE(vec3,       "Vec3",                   REAL,   3, PLAIN);
VALUE(vec4,       "Vec4",                   REAL,   4, PLAIN);
VALUE(vec6,       "Vec6",                   REAL,   6, PLAIN);
VALUE(quat,       "quaternion x y z w",     REAL,   4, PLAIN);
VALUE(mat3,       "3x3 matrix",             REAL,   9, MATRIX);
VALUE(mat4,       "4x4 matrix",             REAL,  16, MATRIX);
VALUE(box,        "box",                    REAL,   6, PLAIN);
VALUE(color,      "color",                  REAL,   4, COLOR);

// By the template of the object
VALUE(coord,       "position",              REAL, ST_WIDTH_COORD, PLAIN);
VALUE(deriv,       "velocity or force",     REAL, ST_WIDTH_DERIV, PLAIN);
VALUE(deriv_flags, "bool per direction",    BOOL, ST_WIDTH_DERIV, PLAIN);
VALUE(mass,        "mass",                  REAL, ST_WIDTH_MASS,  MATRIX);
SERIES(coords,     "list of positions",            REAL, ST_WIDTH_COORD, PLAIN);
SERIES(derivs,     "list of velocities or forces", REAL, ST_WIDTH_DERIV, PLAIN);
SERIES(masses,     "list of masses",               REAL, ST_WIDTH_MASS,  MATRIX);
SERIES(entries,    "list of entries: row, DOF, velocity or force", REAL, ST_WIDTH_ENTRY, PLAIN);

// Lists
SERIES(reals,      "list of reals",         REAL,   1, PLAIN);
SERIES(ints,       "list of ints",          INT,    1, RANGES);
SERIES(bools,      "list of bools",         BOOL,   1, PLAIN);
SERIES(indices,    "list of indices",       UINT,   1, RANGES);
SERIES(index_set,  "set of indices",        UINT,   1, SET);
SERIES(words,      "list of words",         STRING, 1, WORDS);
SERIES(files,      "list of file names",    STRING, 1, BRACKETS);
SERIES(tags,       "tags",                  STRING, 1, TAGS);
SERIES(map,        "map",                   STRING, 1, MAP);
SERIES(vec2s,      "list of Vec2",          REAL,   2, PLAIN);
SERIES(vec3s,      "list of Vec3",          REAL,   3, PLAIN);
SERIES(vec4s,      "list of Vec4",          REAL,   4, PLAIN);
SERIES(vec6s,      "list of Vec6",          REAL,   6, PLAIN);
SERIES(quats,      "list of quaternions",   REAL,   4, PLAIN);
SERIES(boxes,      "list of boxes",         REAL,   6, PLAIN);
SERIES(springs,    "list of springs: index index stiffness damping length", REAL, 5, PLAIN);

// Elements of a mesh, as indices of points
SERIES(edges,      "list of edges",         UINT,   2, PLAIN);
SERIES(triangles,  "list of triangles",     UINT,   3, PLAIN);
SERIES(quads,      "list of quads",         UINT,   4, PLAIN);
SERIES(tetrahedra, "list of tetrahedra",    UINT,   4, PLAIN);
SERIES(hexahedra,  "list of hexahedra",     UINT,   8, PLAIN);
SERIES(prisms,     "list of prisms",        UINT,   6, PLAIN);
SERIES(pyramids,   "list of pyramids",      UINT,   5, PLAIN);

// Links
VALUE(link,        "link",                  LINK,   1, LINK);
SERIES(links,      "list of links",         LINK,   1, LINK);
// clang-format on
