// To be included first by a file of loops over packs: short loops with a fixed count are unrolled, so that packs stay
// in registers. (At -O2 gcc keeps such loops, and the packs in memory.) Clang does this by itself.
//
// SPDX-License-Identifier: Apache-2.0
#if !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC optimize("O3")
#endif
