// MeshGmshLoader: a mesh from a Gmsh file. Missing faces and edges are made unless createSubelements says otherwise;
// flipNormals changes nothing.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_loader.h"
#include "io/mesh_reader.h"

static st_status gmsh_loader_parse(st_object *object) {
    st_mesh_loader *loader = (st_mesh_loader *)object;
    st_mesh_file file;
    st_mesh mesh = {0};

    // SOFA's loader makes them by default
    if (!st_is_set(object, &loader->create_subelements)) loader->create_subelements = true;
    if (!st_mesh_loader_begin(loader, &file)) return ST_INVALID;
    const bool ok = st_gmsh_read(&mesh, &file);
    return st_mesh_loader_take(&mesh, loader, &file, ok);
}

const st_class st_mesh_gmsh_loader_class = {
    .name = "MeshGmshLoader",
    .help = "reads a mesh from a Gmsh file (1, 2 or 4.1, as text)",
    .parent = &st_mesh_loader_class,
    .size = sizeof(st_mesh_loader),
    .example = "<MeshGmshLoader name=\"loader\" filename=\"mesh/liver.msh\"/>",
    .parse = gmsh_loader_parse,
};
