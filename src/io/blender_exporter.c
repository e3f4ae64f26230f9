// BlenderExporter: positions and velocities of a state as a point cache of Blender, name_00.bphys.
//
// "BPHYSICS", the kind of cache, the number of points, what is stored of each, then from the last point to the first
// three floats of the position and three of the velocity; for hair, three of the rest position, too. Least byte first.
//
// SPDX-License-Identifier: Apache-2.0
#include "base/array.h"
#include "io/exporter.h"
#include "state/find_state.h"

typedef struct blender_exporter {
    st_exporter exporter;
    char *path, *base_name;
    int32_t kind;
    int32_t step, points_by_hair;
    st_state *state;
} blender_exporter;

enum { SOFT_BODY, PARTICLES, CLOTH, HAIR };
static const char *const kinds[] = {"0", "1", "2", "3", NULL};

static const st_field fields[] = {
    ST_FIELD(blender_exporter, path, "path", st_type_string, NULL, "folder of the files"),
    ST_FIELD(blender_exporter, base_name, "baseName", st_type_string, NULL,
             "name of the files; filename takes precedence"),
    ST_FIELD(blender_exporter, kind, "simulationType", st_type_option, "0", "0 soft body, 1 particles, 2 cloth, 3 hair",
             .options = kinds),
    ST_FIELD(blender_exporter, step, "step", st_type_int, "2",
             "steps between two files when exportEveryNumberOfSteps is not given"),
    ST_FIELD(blender_exporter, points_by_hair, "nbPtsByHair", st_type_int, "20", "number of points of a hair",
             .flags = ST_FIELD_NO_EFFECT),
    ST_FIELDS_END,
};

static bool blender_exporter_accepts(st_object *object) { return st_accept_state(object, "", NULL); }

static void put_floats(FILE *out, const st_reals *list, size_t width, size_t point) {
    for (size_t k = 0; k < 3; k++)
        st_output_put_float(out, point < list->count ? (float)list->data[point * width + k] : 0.0f);
}

static st_status put_points(FILE *out, const void *what) {
    const blender_exporter *self = what;
    const st_state *s = self->state;
    const st_dof *dof = st_state_dof(s);
    const bool hair = self->kind == HAIR;

    // header: kind of cache, number of points, bits of what is stored of each
    fputs("BPHYSICS", out);
    st_output_put_u32(out, hair ? 2 : (uint32_t)self->kind);
    st_output_put_u32(out, (uint32_t)s->size);
    st_output_put_u32(out, hair ? 22 : 6);

    // Blender counts points from the last to the first
    for (size_t i = s->size; i-- > 0;) {
        put_floats(out, &s->coord[ST_COORD_POSITION], dof->coord, i);
        put_floats(out, &s->deriv[ST_DERIV_VELOCITY], dof->deriv, i);
        if (hair) put_floats(out, &s->coord[ST_COORD_REST], dof->coord, i);
    }

    return ST_OK;
}

static bool blender_exporter_write(st_exporter *exporter) {
    const blender_exporter *self = (blender_exporter *)exporter;
    const char *folder = self->path && *self->path ? self->path : NULL;
    const char *name = self->base_name && *self->base_name ? self->base_name : exporter->object.name;
    const bool named = exporter->filename && *exporter->filename;

    // filename takes precedence; else path/baseName
    char *own = named ? st_exporter_base(exporter, ".bphys")
                      : st_string_format("%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    if (!own && !named) st_output_failed(&exporter->object, name, "out of memory");
    if (!own) return false;

    // the number of the frame in five digits, then that of the cache
    char *path = exporter->period ? st_string_format("%s_%05u_00.bphys", own, exporter->steps / exporter->period)
                                  : st_string_format("%s_00.bphys", own);
    st_free(own);

    return st_output_write(&exporter->object, path, put_points, self);
}

static st_status blender_exporter_init(st_object *object) {
    blender_exporter *self = (blender_exporter *)object;
    self->state = st_matching_state(object, NULL);
    if (!self->state) return st_invalid(object, "there is no state of points or frames in its node or above");

    // a file every `step` steps where no attribute says when to write
    st_exporter *exporter = &self->exporter;
    const bool asked = exporter->period || exporter->at_begin || exporter->at_end;
    if (!asked && self->step > 0) exporter->period = (uint32_t)self->step;
    return st_exporter_init(object, blender_exporter_write);
}

const st_class st_blender_exporter_class = {
    .name = "BlenderExporter",
    .help = "writes positions and velocities as a point cache of Blender",
    .parent = &st_exporter_class,
    .templates = "Vec3 Rigid3",
    .fields = fields,
    .size = sizeof(blender_exporter),
    .example = "<MechanicalObject position=\"0 0 0  1 0 0\"/>\n"
               "<BlenderExporter filename=\"cache\" exportEveryNumberOfSteps=\"10\"/>",
    .accepts = blender_exporter_accepts,
    .init = blender_exporter_init,
};
