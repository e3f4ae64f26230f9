// What a scene writes of itself: dumps, pictures, VTK files. The work is done in io/ and visual/.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/dump.h"
#include "io/vtk_writer.h"
#include "scene/scene.h"
#include "visual/scene_picture.h"

st_status st_scene_dump_states(st_scene *scene, size_t step, const st_writer *writer) {
    return st_dump_states(scene, step, writer);
}

st_status st_scene_dump_topology(st_scene *scene, size_t step, const st_writer *writer) {
    return st_dump_topology(scene, step, writer);
}

st_picture_options st_default_picture_options(void) { return (st_picture_options){.width = 1280, .height = 960}; }

st_status st_scene_write_png(st_scene *scene, const char *path, const st_picture_options *options) {
    const st_picture_options defaults = st_default_picture_options();
    return st_write_picture(scene, path, options ? options : &defaults);
}

st_status st_scene_draw_pixels(st_scene *scene, uint8_t *pixels, const st_picture_options *options) {
    const st_picture_options defaults = st_default_picture_options();
    return st_draw_pixels(scene, pixels, options ? options : &defaults);
}

const char *st_scene_written_file(const st_scene *scene, size_t index) {
    return scene && index < scene->written.count ? scene->written.data[index] : NULL;
}

st_status st_scene_write_vtk(st_scene *scene, const char *directory, size_t number, size_t *files) {
    return st_write_vtk_frame(scene, directory, number, files);
}
