// From packs back to single elements.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_FORCE_FEM_COMMON_PACK_LANES_H
#define SETTEE_FORCE_FEM_COMMON_PACK_LANES_H

#include "math/pack.h"

// From [entry][lane] to [lane][entry].
ST_PACK_INLINE void st_pack_separate(st_real *separate, const st_pack *packs, size_t count) {
    size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        const st_pack *p = packs + k;
        const st_pack a = __builtin_shufflevector(p[0], p[1], 0, 4, 2, 6);
        const st_pack b = __builtin_shufflevector(p[0], p[1], 1, 5, 3, 7);
        const st_pack c = __builtin_shufflevector(p[2], p[3], 0, 4, 2, 6);
        const st_pack d = __builtin_shufflevector(p[2], p[3], 1, 5, 3, 7);
        st_pack_store(separate + k, __builtin_shufflevector(a, c, 0, 1, 4, 5));
        st_pack_store(separate + count + k, __builtin_shufflevector(b, d, 0, 1, 4, 5));
        st_pack_store(separate + 2 * count + k, __builtin_shufflevector(a, c, 2, 3, 6, 7));
        st_pack_store(separate + 3 * count + k, __builtin_shufflevector(b, d, 2, 3, 6, 7));
    }
    for (; k < count; k++)
        for (size_t lane = 0; lane < ST_PACK_SIZE; lane++) separate[lane * count + k] = packs[k][lane];
}

#endif
