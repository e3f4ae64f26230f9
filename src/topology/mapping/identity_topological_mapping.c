// IdentityTopologicalMapping: two meshes that are the same already. It has nothing to do until one of them changes.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/mapping/topological_mapping.h"

const st_class st_identity_topological_mapping_class = {
    .name = "IdentityTopologicalMapping",
    .help = "keeps a mesh the same as another one; nothing happens before one of them changes",
    .parent = &st_topological_mapping_class,
    .size = sizeof(st_topological_mapping),
    .example = "<TriangleSetTopologyContainer name='one' triangles='0 1 2'/><Node name='child'>"
               "<TriangleSetTopologyContainer name='two' triangles='0 1 2'/>"
               "<IdentityTopologicalMapping input='@../one' output='@two'/></Node>",
};
