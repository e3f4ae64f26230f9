// Mesh loaders in a scene of their own: on files that the test writes, and on the meshes beside the project.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_TESTS_LOADER_SCENE_H
#define SETTEE_TESTS_LOADER_SCENE_H

#include "physics_scene.h"

#include "io/mesh_loader.h"

// A file in the build tree; its path is valid until the next call.
static inline const char *loader_file(const char *name, const void *content, size_t size) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", SETTEE_BUILD, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, size, file), size);
    fclose(file);
    return path;
}

// The loader is called /loader.
static inline physics_scene *loader_load(const char *type, const char *path, const char *attributes) {
    char text[1024];
    snprintf(text, sizeof text, "<%s name='loader' filename='%s' %s/>", type, path, attributes);
    return physics_load(text);
}

static inline st_mesh_loader *loader_of(physics_scene *test) { return (st_mesh_loader *)physics_find(test, "/loader"); }

// The scene of a sound file with this content.
static inline physics_scene *loader_read(const char *type, const char *name, const void *content, size_t size,
                                         const char *attributes) {
    physics_scene *test = loader_load(type, loader_file(name, content, size), attributes);
    remove(loader_file(name, "", 0));
    if (!st_is_valid(physics_find(test, "/loader"))) print_message("%s", test->log);
    assert_true(st_is_valid(physics_find(test, "/loader")));
    return test;
}

// A broken file: an error that names the place and what is wrong, nothing in the outputs, an invalid component, and a
// scene that goes on.
static inline void loader_refuses(const char *type, const char *name, const void *content, size_t size,
                                  const char *place, const char *what) {
    char expected[64];
    physics_scene *test = loader_load(type, loader_file(name, content, size), "");
    remove(loader_file(name, "", 0));
    st_mesh_loader *loader = loader_of(test);
    snprintf(expected, sizeof expected, "%s:%s", name, place);
    const bool told = test->count[ST_ERROR] > 0 && strstr(test->log, expected) && strstr(test->log, what);
    if (!told) print_message("no \"%s\" and \"%s\" in: %s", expected, what, test->log);
    assert_true(told);
    assert_int_equal(loader->object.validity, ST_BROKEN);
    assert_int_equal(loader->position.count, 0);
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++) assert_int_equal(loader->elements[kind].count, 0);
    assert_int_equal(st_scene_step(test->scene, 0), ST_OK);
    physics_free(test);
}

// points, edges, triangles, quads, tetrahedra, hexahedra
static inline void loader_counts(physics_scene *test, const size_t counts[6]) {
    const st_mesh_loader *loader = loader_of(test);
    assert_int_equal(loader->position.count, counts[0]);
    for (int kind = ST_EDGE; kind <= ST_HEXAHEDRON; kind++)
        assert_int_equal(loader->elements[kind].count, counts[kind + 1]);
}

static inline void loader_first(physics_scene *test, st_element kind, const uint32_t *expected, size_t elements) {
    const st_uints *list = &loader_of(test)->elements[kind];
    assert_true(list->count >= elements);
    for (size_t i = 0; i < elements * st_element_size[kind]; i++) assert_int_equal(list->data[i], expected[i]);
}

// The path of a mesh beside the project; the test is skipped where there is none.
static inline const char *loader_shared(const char *name) {
#ifdef SETTEE_SHARED
    static char path[512];
    snprintf(path, sizeof path, "%s/conformance/sofa/share/mesh/%s", SETTEE_SHARED, name);
    FILE *file = fopen(path, "rb");
    if (file) {
        fclose(file);
        return path;
    }
#endif
    print_message("%s is not there: skipped\n", name);
    skip();
    return "";
}

#define TEXT(content) (content), strlen(content)

// Files that a loader must refuse, with the place and the words of the error.
typedef struct broken_file {
    const char *content, *place, *what;
} broken_file;

static inline void refuse_all(const char *type, const char *name, const broken_file *broken, size_t count) {
    for (size_t i = 0; i < count; i++)
        loader_refuses(type, name, TEXT(broken[i].content), broken[i].place, broken[i].what);
}
#define REFUSE_ALL(type, name, broken) refuse_all(type, name, broken, sizeof(broken) / sizeof *(broken))

#endif
