// Any bytes as a material library: it is read to its end, and every material has finite colors that its text gives
// back.
//
// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "io/mtl_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const st_material *material) {
    static const char *const words[ST_MATERIAL_COLORS] = {" Diffuse", " Ambient", " Specular", " Emissive"};
    char *text = st_material_text(material);
    if (!text) abort();
    for (int part = 0; part < ST_MATERIAL_COLORS; part++) {
        st_real color[4];
        for (int i = 0; i < 4; i++)
            if (!isfinite(material->color[part][i])) abort();
        if (st_material_color(text, words[part], color) && !isfinite(color[0])) abort();
    }
    st_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    st_materials materials = {0};
    st_mesh_file file = st_mesh_file_of_text((const char *)data, size);
    if (!st_mtl_read(&materials, &file)) abort();
    for (size_t i = 0; i < materials.list.count && i < 100; i++) check(&materials.list.data[i]);
    st_materials_free(&materials);
    return 0;
}
