// A user's program, compiled against the installed headers and library: a point falls for ten steps.
//
// SPDX-License-Identifier: Apache-2.0
#include <settee/settee.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "<Node name='root' gravity='0 -10 0' dt='0.01'>"
                           "<DefaultAnimationLoop/><EulerExplicitSolver/>"
                           "<MechanicalObject name='dofs' position='1 2 3'/><UniformMass totalMass='1'/>"
                           "</Node>";

static void print_error(void *user, const st_diagnostic *diagnostic) {
    (void)user;
    if (diagnostic->severity >= ST_ERROR) fprintf(stderr, "%s: %s\n", diagnostic->component, diagnostic->text);
}

static bool falls(st_scene *scene) {
    if (st_scene_load_text(scene, text, strlen(text), NULL) != ST_OK || st_scene_init(scene) != ST_OK) return false;
    for (int i = 0; i < 10; i++)
        if (st_scene_step(scene, 0) != ST_OK) return false;
    size_t count = 0, width = 0;
    st_object *dofs = st_scene_find(scene, "/dofs");
    const st_real *x = dofs ? st_object_reals(dofs, "position", &count, &width) : NULL;
    if (!x || count != 1 || width != 3) return false;
    printf("y = %g\n", (double)x[1]);
    // symplectic Euler: g dt^2 (1 + 2 + ... + 10) = 0.055 below 2
    return x[0] == 1 && x[2] == 3 && x[1] > 1.9449 && x[1] < 1.9451;
}

int main(void) {
    printf("settee %s, %zu bytes a real\n", st_version(), sizeof(st_real));
    if (strcmp(st_version(), SETTEE_VERSION) != 0) return 1;
    st_config config = st_default_config();
    config.log = print_error;
    st_scene *scene = st_scene_create(&config);
    const bool ok = scene && falls(scene);
    st_scene_destroy(scene);
    return ok ? 0 : 1;
}
