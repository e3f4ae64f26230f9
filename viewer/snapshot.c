// A copy of what a scene looks like, and the messages made of it. An update in three steps:
//
//     1. find the item of the frame before by its key, or begin one
//     2. convert each array to single precision; it changed if a byte did
//     3. describe all items in one message, which is sent again when a byte of it changed
//
// SPDX-License-Identifier: Apache-2.0
#include "snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_IMAGE = 64 << 20 }; // bytes of a texture

void st_viewer_put_welcome(st_viewer_text *text, bool read_only) {
    st_viewer_text_clear(text);
    st_viewer_json_open(text, NULL, '{');
    st_viewer_json_text(text, "type", "welcome");
    st_viewer_json_count(text, "protocol", ST_VIEWER_PROTOCOL);
    st_viewer_json_text(text, "settee", st_version());
    st_viewer_json_bool(text, "readOnly", read_only);
    st_viewer_json_close(text, '}');
}

static void free_item(st_viewer_item *item) {
    for (int part = 0; part < ST_VIEWER_PARTS; part++) free(item->parts[part].data);
    free(item->texture);
}

void st_viewer_snapshot_free(st_viewer_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->count; i++) free_item(&snapshot->items[i]);
    free(snapshot->items);
    st_viewer_text_free(&snapshot->list);
    st_viewer_text_free(&snapshot->scratch);
    *snapshot = (st_viewer_snapshot){0};
}

// ---------------------------------------------------------------------------------------------------
// Arrays
// ---------------------------------------------------------------------------------------------------

// Room for the numbers; a change of size is a change of the array.
static bool resize(st_viewer_array *array, size_t count, size_t width, uint32_t frame) {
    if (array->count == count && array->width == width) return true;
    const size_t numbers = count * width;
    if (numbers > array->capacity) {
        void *data = realloc(array->data, numbers * sizeof(float));
        if (!data) return false;
        array->data = data;
        array->capacity = numbers;
    }
    array->count = count;
    array->width = width;
    array->changed = frame;
    return true;
}

static bool store_reals(st_viewer_array *array, const st_real *from, size_t count, size_t width, uint32_t frame) {
    if (!resize(array, from ? count : 0, width, frame)) return false;
    float *to = array->data;
    bool changed = false;
    for (size_t i = 0; i < array->count * width; i++) {
        const float value = (float)from[i];
        changed |= memcmp(&to[i], &value, sizeof value) != 0; // a number that is not one is equal to itself
        to[i] = value;
    }
    if (changed) array->changed = frame;
    return true;
}

static bool store_words(st_viewer_array *array, const void *from, size_t count, size_t width, uint32_t frame) {
    if (!resize(array, from ? count : 0, width, frame)) return false;
    const size_t bytes = array->count * width * sizeof(float);
    if (bytes == 0 || memcmp(array->data, from, bytes) == 0) return true;
    memcpy(array->data, from, bytes);
    array->changed = frame;
    return true;
}

static bool store_bytes(st_viewer_array *array, const uint8_t *from, size_t count, uint32_t frame) {
    if (!resize(array, from ? count : 0, 1, frame)) return false;
    uint32_t *to = array->data;
    for (size_t i = 0; i < array->count; i++) {
        if (to[i] != from[i]) array->changed = frame;
        to[i] = from[i];
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Textures
// ---------------------------------------------------------------------------------------------------

// Only what begins as an image that browsers know leaves the machine: the path comes from the scene.
static bool is_image(const unsigned char *bytes, size_t length) {
    return length > 8 && (memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0 || memcmp(bytes, "\xff\xd8\xff", 3) == 0 ||
                          memcmp(bytes, "BM", 2) == 0);
}

// The words of the part, the number of bytes first; NULL: it cannot be read, or is no image. To be freed.
static uint32_t *read_image(const char *path, size_t *words) {
    FILE *file = fopen(path, "rb");
    struct stat about;
    uint32_t *data = NULL;
    const bool usable = file && fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
                        about.st_size <= MOST_IMAGE;

    // a file that changes while it is read is none
    if (usable) {
        const size_t bytes = (size_t)about.st_size;
        *words = 1 + (bytes + 3) / 4;
        data = calloc(*words, sizeof *data);
        if (data) data[0] = (uint32_t)bytes;
        if (data && (fread(data + 1, 1, bytes, file) != bytes || !is_image((unsigned char *)(data + 1), bytes))) {
            free(data);
            data = NULL;
        }
    }

    if (file) fclose(file);
    return data;
}

// The file is read when the path is new: an image that cannot be shown leaves the plain color.
static bool store_texture(st_viewer_item *item, const st_draw_item *from, uint32_t frame) {
    const char *path = from->texcoords ? from->texture : NULL;
    st_viewer_array *image = &item->parts[ST_VIEWER_IMAGE], *places = &item->parts[ST_VIEWER_TEXCOORDS];
    const bool same = path ? item->texture && strcmp(item->texture, path) == 0 : !item->texture;
    if (!same) {
        size_t words = 0;
        uint32_t *data = path ? read_image(path, &words) : NULL;
        const bool ok = store_words(image, data, words, 1, frame);
        free(data);
        free(item->texture);
        item->texture = path ? strdup(path) : NULL;
        if (!ok || (path && !item->texture)) return false;
    }
    return store_words(places, image->count ? from->texcoords : NULL, from->element_count, 6, frame);
}

// ---------------------------------------------------------------------------------------------------

static bool store(st_viewer_item *item, const st_draw_item *from, uint32_t frame) {
    st_viewer_array *parts = item->parts;
    const size_t points = from->point_count, elements = from->element_count;
    const size_t corners = from->kind == ST_DRAW_TRIANGLES ? 3 : 2;
    bool ok = true;

    // indices are compared only when their number has changed: they are many
    if (item->topology != from->topology || !parts[ST_VIEWER_INDICES].changed)
        ok = store_words(&parts[ST_VIEWER_INDICES], from->indices, elements, corners, frame);
    item->topology = from->topology;
    ok = ok && store_bytes(&parts[ST_VIEWER_SIDES], from->edges ? from->sides : NULL, elements, frame);

    ok = ok && store_texture(item, from, frame);
    ok = ok && store_reals(&parts[ST_VIEWER_POSITIONS], from->positions, points, 3, frame);
    ok = ok && store_words(&parts[ST_VIEWER_COLORS], from->colors, elements, 4, frame);
    ok = ok &&
         store_words(&parts[ST_VIEWER_SCALARS], from->scalars, from->scalars_per_element ? elements : points, 1, frame);
    ok = ok && store_reals(&parts[ST_VIEWER_VECTORS], from->vectors, points, 3, frame);
    ok = ok && store_reals(&parts[ST_VIEWER_QUATERNIONS], from->quaternion, points, 4, frame);
    return ok && store_reals(&parts[ST_VIEWER_RADII], from->radii, points, 1, frame);
}

// ---------------------------------------------------------------------------------------------------
// Items
// ---------------------------------------------------------------------------------------------------

// Most often the item is where it was in the frame before.
static st_viewer_item *find(st_viewer_snapshot *snapshot, uint64_t key, size_t hint) {
    for (size_t i = 0; i < snapshot->count; i++) {
        st_viewer_item *item = &snapshot->items[(hint + i) % snapshot->count];
        if (item->key == key) return item;
    }

    // a new one
    if (snapshot->count == snapshot->capacity) {
        const size_t capacity = 2 * snapshot->capacity + 16;
        st_viewer_item *items = realloc(snapshot->items, capacity * sizeof *items);
        if (!items) return NULL;
        snapshot->items = items;
        snapshot->capacity = capacity;
    }
    st_viewer_item *item = &snapshot->items[snapshot->count++];
    *item = (st_viewer_item){.key = key, .id = ++snapshot->next_id};
    return item;
}

static void drop_unused(st_viewer_snapshot *snapshot) {
    size_t kept = 0;
    for (size_t i = 0; i < snapshot->count; i++) {
        if (snapshot->items[i].used) snapshot->items[kept++] = snapshot->items[i];
        else free_item(&snapshot->items[i]);
    }
    snapshot->count = kept;
}

static void describe(st_viewer_text *text, uint32_t id, const st_draw_item *from) {
    static const char *const kinds[] = {"points", "spheres", "lines", "triangles", "arrows", "frames", "labels"};
    st_viewer_json_open(text, NULL, '{');
    st_viewer_json_count(text, "id", id);
    st_viewer_json_text(text, "kind", kinds[from->kind]);
    st_viewer_json_text(text, "show", st_show_name(from->show));
    st_viewer_json_text(text, "path", from->object ? st_object_path(from->object) : "");
    st_viewer_json_text(text, "class", from->object ? st_object_class_name(from->object) : "");

    // how it looks
    st_viewer_json_open(text, "color", '[');
    for (int k = 0; k < 4; k++) st_viewer_json_real(text, NULL, (double)from->color[k]);
    st_viewer_json_close(text, ']');
    st_viewer_json_real(text, "size", (double)from->size);
    st_viewer_json_bool(text, "edges", from->edges);
    st_viewer_json_bool(text, "flat", from->flat);
    st_viewer_json_bool(text, "perElement", from->scalars_per_element);

    if (from->labels) {
        st_viewer_json_open(text, "labels", '[');
        for (size_t i = 0; i < from->point_count; i++) st_viewer_json_text(text, NULL, from->labels[i]);
        st_viewer_json_close(text, ']');
    }
    st_viewer_json_close(text, '}');
}

static void put_vector(st_viewer_text *text, const char *name, const double v[3]) {
    st_viewer_json_open(text, name, '[');
    for (int k = 0; k < 3; k++) st_viewer_json_real(text, NULL, v[k]);
    st_viewer_json_close(text, ']');
}

static void begin_list(st_viewer_text *text, const st_drawing *drawing, st_scene *scene) {
    st_viewer_text_clear(text);
    st_viewer_json_open(text, NULL, '{');
    st_viewer_json_text(text, "type", "items");

    // the color bar, and the camera that the scene asks for
    const st_draw_legend legend = st_drawing_legend(drawing);
    if (legend.title) {
        st_viewer_json_open(text, "legend", '{');
        st_viewer_json_text(text, "title", legend.title);
        st_viewer_json_real(text, "low", legend.low);
        st_viewer_json_real(text, "high", legend.high);
        st_viewer_json_close(text, '}');
    }

    const st_draw_camera camera = st_scene_camera(scene);
    if (camera.given) {
        st_viewer_json_open(text, "camera", '{');
        put_vector(text, "eye", camera.eye);
        put_vector(text, "target", camera.target);
        put_vector(text, "up", camera.up);
        st_viewer_json_real(text, "fieldOfView", camera.field_of_view);
        st_viewer_json_close(text, '}');
    }
    st_viewer_json_open(text, "items", '[');
}

bool st_viewer_snapshot_update(st_viewer_snapshot *snapshot, const st_drawing *drawing, st_scene *scene) {
    const uint32_t frame = ++snapshot->frame;
    bool ok = true;
    snapshot->time = (double)st_scene_time(scene);
    for (size_t i = 0; i < snapshot->count; i++) snapshot->items[i].used = false;

    // items, described on the way
    begin_list(&snapshot->scratch, drawing, scene);
    for (size_t i = 0; ok && i < st_drawing_count(drawing); i++) {
        const st_draw_item *from = st_drawing_item(drawing, i);
        st_viewer_item *item = find(snapshot, from->key, i);
        ok = item && store(item, from, frame);
        if (!item) break;
        item->used = true;
        describe(&snapshot->scratch, item->id, from);
    }
    st_viewer_json_close(&snapshot->scratch, ']');
    st_viewer_json_close(&snapshot->scratch, '}');
    drop_unused(snapshot);

    // the list counts as changed when it reads otherwise
    st_viewer_text *list = &snapshot->list, *now = &snapshot->scratch;
    if (list->length != now->length || memcmp(list->data, now->data, now->length) != 0) {
        const st_viewer_text old = *list;
        *list = *now;
        *now = old;
        snapshot->list_changed = frame;
    }
    return ok && !list->failed;
}

// ---------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------

typedef struct frame_header {
    uint8_t magic, kind, version, flags;
    uint32_t number;
    double time;
} frame_header;

typedef struct record_header {
    uint32_t item;
    uint16_t part, width;
    uint32_t count;
    uint32_t bytes; // of what follows, a multiple of 4
} record_header;

static void put_record(st_viewer_text *message, uint32_t id, int part, const st_viewer_array *array, size_t bytes) {
    const record_header header = {id, (uint16_t)part, (uint16_t)array->width, (uint32_t)array->count, (uint32_t)bytes};
    st_viewer_text_append(message, &header, sizeof header);
}

// Positions in 16 bits a coordinate, relative to their box: off by at most 1/131070 of its side. What is not finite is
// put at the lower end.
static void put_quantized(st_viewer_text *message, uint32_t id, const st_viewer_array *array) {
    const float *x = array->data;
    float least[3] = {0}, most[3] = {0}, step[3];
    for (int k = 0; k < 3; k++) {
        bool some = false;
        for (size_t i = k; i < 3 * array->count; i += 3) {
            if (!isfinite(x[i])) continue;
            if (!some || x[i] < least[k]) least[k] = x[i];
            if (!some || x[i] > most[k]) most[k] = x[i];
            some = true;
        }
        step[k] = (most[k] - least[k]) / 65535;
    }

    // padded to whole words
    const size_t numbers = 3 * array->count, padded = (numbers + 1) / 2 * 2;
    put_record(message, id, ST_VIEWER_QUANTIZED, array, sizeof least + sizeof step + padded * sizeof(uint16_t));
    st_viewer_text_append(message, least, sizeof least);
    st_viewer_text_append(message, step, sizeof step);
    char *room = st_viewer_text_extend(message, padded * sizeof(uint16_t));
    for (size_t i = 0; room && i < padded; i++) {
        const bool good = i < numbers && isfinite(x[i]) && step[i % 3] > 0;
        const uint16_t q = good ? (uint16_t)lrintf((x[i] - least[i % 3]) / step[i % 3]) : 0;
        memcpy(room + i * sizeof q, &q, sizeof q);
    }
}

void st_viewer_snapshot_frame(const st_viewer_snapshot *snapshot, uint32_t seen, bool quantized,
                              st_viewer_text *message) {
    const frame_header header = {'S', 1, ST_VIEWER_PROTOCOL, 0, snapshot->frame, snapshot->time};
    st_viewer_text_append(message, &header, sizeof header);

    for (size_t i = 0; i < snapshot->count; i++) {
        const st_viewer_item *item = &snapshot->items[i];
        for (int part = 0; part < ST_VIEWER_PARTS; part++) {
            const st_viewer_array *array = &item->parts[part];
            const size_t bytes = array->count * array->width * sizeof(float);
            if (array->changed <= seen || bytes > UINT32_MAX) continue;

            if (quantized && part == ST_VIEWER_POSITIONS) put_quantized(message, item->id, array);
            else {
                put_record(message, item->id, part, array, bytes);
                st_viewer_text_append(message, array->data, bytes);
            }
        }
    }
}
