// A user's program, compiled against the installed headers and library.
//
// SPDX-License-Identifier: Apache-2.0
#include <settee/types.h>
#include <stdio.h>

int main(void) {
    printf("settee %s, %zu bytes a real\n", SETTEE_VERSION, sizeof(st_real));
    return 0;
}
