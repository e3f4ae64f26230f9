// How much faster than SOFA are whole steps?
//
//     scenes [--scale] [NAME]...
//
// Runs the scenes for which SOFA's times are known (../shared/bench/sofa.tsv, with --scale
// ../shared/bench/scale/sofa.tsv), all or those whose name contains one of the given words, on one core, each in a
// process of its own. SOFA's median time of a step is carried over to this machine and moment as the README beside
// these files says: by the time of small matrix products for scenes that compute (`compute`), by the bandwidth for
// scenes that stream (`stream`). The yardsticks are measured before and after each scene. Times are of the one thread
// that works: other users of the machine disturb them little, and so do the idle threads of OpenBLAS, which spin for a
// tenth of a second after they were started. Best of three runs; at the end the geometric means.
//
// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE
#include "sofa_times.h"

int main(int argc, char **argv) {
    const bool scale = argc > 1 && strcmp(argv[1], "--scale") == 0;
    return compare_with_sofa(scale, argc - 1 - scale, argv + 1 + scale) ? EXIT_SUCCESS : EXIT_FAILURE;
}
