// Any bytes as a .trian file, in both forms of the format.
//
// SPDX-License-Identifier: Apache-2.0
#include "mesh_check.h"

static bool read_both(st_mesh *mesh, st_mesh_file *file) {
    st_mesh other = {0};
    st_mesh_file copy = *file;
    const bool second = st_trian_read(&other, &copy, true, true, NULL);
    check_mesh(&other, &copy, second);
    st_trian_border border = {0};
    const bool ok = st_trian_read(mesh, file, false, false, &border);
    if (ok && border.neighbors.count != mesh->elements[ST_TRIANGLE].count) abort();
    st_list_free(&border.neighbors);
    st_list_free(&border.edges);
    st_list_free(&border.triangles);
    return ok;
}

FUZZ_MESH(read_both(&mesh, &file))
