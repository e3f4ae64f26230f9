// Tags of an XML file, one after the other, without a tree: just enough for VTK's files, whose raw data are no XML.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_IO_VTK_TAG_H
#define SETTEE_IO_VTK_TAG_H

#include "topology/file/mesh_file.h"

typedef struct st_vtk_text {
    const char *data; // not terminated
    size_t length;
} st_vtk_text;

typedef struct st_vtk_tag {
    st_vtk_text name;
    st_vtk_text attributes;
    bool closing; // </name>
    bool empty;   // <name/>
    int line;
} st_vtk_tag;

// The next tag after the cursor, which moves past it; comments and instructions are skipped. False: there is
// none, and the cursor is at the end; or one does not end, and the cursor is at its beginning.
bool st_vtk_tag_next(st_mesh_file *file, st_vtk_tag *tag);
bool st_vtk_tag_is(const st_vtk_tag *tag, const char *name);
st_vtk_text st_vtk_tag_attribute(const st_vtk_tag *tag, const char *name); // empty: it is absent
bool st_vtk_tag_has(const st_vtk_tag *tag, const char *name, const char *value);
bool st_vtk_tag_number(const st_vtk_tag *tag, const char *name, size_t *value);

#endif
