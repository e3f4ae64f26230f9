// VoxelGridLoader: a mesh of hexahedra from the voxels of a raw image, one byte each, x fastest, then y, then z.
//
// A voxel is active when dataValue has its value, or, when dataValue is empty, when bgValue has not. Active voxels
// inside the region of interest become hexahedra; their corners, in the order z, y, x, are the points (i, j, k)
// voxelSize. Without generateHexa each active voxel is one point. idxInRegularGrid is the number i + nx (j + ny k) of
// each active voxel in the image.
//
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "settee/plugin/change.h"
#include "topology/file/mesh.h"
#include "topology/sparse_grid.h"

typedef struct voxel_grid_loader {
    st_voxel_loader base;
    char *filename;
    int32_t region[6]; // first and last voxel of each axis
    int32_t header, segmentation_header;
    st_ints background, data;
    bool generate_hexahedra;
    // Outputs
    st_reals position;
    st_uints hexahedra;
} voxel_grid_loader;

static const st_type region_type = {"6 integers", ST_SCALAR_INT, 6, false, ST_SYNTAX_PLAIN};

#define SETTING(member, name, type, value, help, ...)                                                                  \
    ST_FIELD(voxel_grid_loader, member, name, type, value, help, .flags = ST_FIELD_NO_SRC, ##__VA_ARGS__)
#define OUTPUT(member, name, type, help, ...)                                                                          \
    ST_FIELD(voxel_grid_loader, member, name, type, NULL, help, .flags = ST_FIELD_OUTPUT, ##__VA_ARGS__)

static const st_field fields[] = {
    ST_FIELD(voxel_grid_loader, filename, "filename", st_type_file, NULL, "the image, whose name ends in .raw",
             .aliases = "segmentationFile", .flags = ST_FIELD_REQUIRED | ST_FIELD_NO_SRC),
    SETTING(base.resolution, "resolution", st_type_int3, NULL, "number of voxels along each axis"),
    SETTING(base.voxel_size, "voxelSize", st_type_vec3, "1 1 1", "size of a voxel"),
    SETTING(region, "ROI", region_type, "0 0 0 65535 65535 65535", "first and last voxel that are used, both included"),
    SETTING(header, "header", st_type_int, "0", "bytes before the voxels"),
    SETTING(segmentation_header, "segmentationHeader", st_type_int, "0",
            "bytes before the voxels, when header is not given"),
    SETTING(background, "bgValue", st_type_ints, NULL, "values of voxels that are not active", .mesh = ST_NO_INDEX),
    SETTING(data, "dataValue", st_type_ints, NULL, "values of voxels that are active", .mesh = ST_NO_INDEX),
    SETTING(generate_hexahedra, "generateHexa", st_type_bool, "1",
            "make hexahedra, otherwise one point for each voxel"),
    OUTPUT(position, "position", st_type_vec3s, "points"),
    OUTPUT(hexahedra, "hexahedra", st_type_hexahedra, "hexahedra", .aliases = "hexas"),
    OUTPUT(base.index_in_grid, "idxInRegularGrid", st_type_indices, "number of each active voxel in the image"),
    ST_FIELDS_END,
};

// What is read, with everything checked.
typedef struct image {
    const unsigned char *voxels;
    size_t n[3];
    size_t first[3], end[3]; // of the region
    bool active[256];        // by value
} image;

// ---------------------------------------------------------------------------------------------------
// The image
// ---------------------------------------------------------------------------------------------------

static void mark_values(const voxel_grid_loader *self, image *im) {
    const st_ints *values = self->data.count ? &self->data : &self->background;

    // values that are listed are active, or all but those of the background
    memset(im->active, self->data.count == 0, sizeof im->active);
    for (size_t i = 0; i < values->count; i++)
        if (values->data[i] >= 0 && values->data[i] < 256) im->active[values->data[i]] = self->data.count > 0;
}

static bool find_voxels(voxel_grid_loader *self, const st_mesh_file *file, image *im) {
    const int32_t *n = self->base.resolution;
    const size_t size = (size_t)(file->end - file->begin);
    const int32_t header = st_is_set(&self->base.object, &self->header) ? self->header : self->segmentation_header;

    // n0 n1 n2 may overflow: it is compared with the size of the file factor by factor
    bool sound = n[0] > 0 && n[1] > 0 && n[2] > 0 && header >= 0;
    uint64_t count = 1;
    for (int i = 0; sound && i < 3; i++) {
        sound = count <= size / (size_t)n[i];
        count *= (uint64_t)n[i];
        im->n[i] = (size_t)n[i];
    }

    if (sound && (size_t)header <= size && count <= size - (size_t)header) {
        im->voxels = (const unsigned char *)file->begin + header;
        for (int i = 0; i < 3; i++) self->base.n[i] = n[i];
        return true;
    }

    st_message(&self->base.object, ST_ERROR,
               "%s: byte %zu: the file ends before the voxels of resolution = %d %d %d after a header of %d bytes",
               self->filename, size, n[0], n[1], n[2], header);
    return false;
}

static void find_region(const voxel_grid_loader *self, image *im) {
    for (int i = 0; i < 3; i++) {
        // clipped to the image
        const int32_t first = self->region[i], last = self->region[i + 3];
        im->first[i] = first > 0 ? (size_t)first : 0;
        im->end[i] = last < 0 ? 0 : (size_t)last + 1;
        if (im->end[i] > im->n[i]) im->end[i] = im->n[i];
    }
}

static size_t number_of(const image *im, size_t i, size_t j, size_t k) { return i + im->n[0] * (j + im->n[1] * k); }

static bool voxel_grid_loader_is_active(const image *im, size_t i, size_t j, size_t k) {
    return i >= im->first[0] && i < im->end[0] && j >= im->first[1] && j < im->end[1] && k >= im->first[2] &&
           k < im->end[2] && im->active[im->voxels[number_of(im, i, j, k)]];
}

// Is a corner used by any of the eight voxels around it? Below zero the numbers wrap around and are not active.
static bool is_corner(const image *im, size_t i, size_t j, size_t k) {
    for (size_t c = 0; c < 8; c++)
        if (voxel_grid_loader_is_active(im, i - (c & 1), j - (c >> 1 & 1), k - (c >> 2))) return true;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// The mesh
// ---------------------------------------------------------------------------------------------------

static bool voxel_grid_loader_add_point(voxel_grid_loader *self, size_t i, size_t j, size_t k) {
    const size_t at = self->position.count;
    if (!st_list_set_count(&self->position, at + 1, 3)) return false;

    const size_t p[3] = {i, j, k};
    for (int a = 0; a < 3; a++) self->position.data[3 * at + (size_t)a] = (st_real)p[a] * self->base.voxel_size[a];
    return true;
}

// The corners of one layer, and their numbers among the points.
static bool add_layer(voxel_grid_loader *self, const image *im, size_t k, uint32_t *numbers) {
    bool ok = true;
    for (size_t j = 0; ok && j <= im->n[1]; j++)
        for (size_t i = 0; ok && i <= im->n[0]; i++) {
            if (!is_corner(im, i, j, k)) continue;
            numbers[j * (im->n[0] + 1) + i] = (uint32_t)self->position.count;
            ok = voxel_grid_loader_add_point(self, i, j, k);
        }

    return ok;
}

static bool add_hexahedron(voxel_grid_loader *self, const image *im, size_t i, size_t j, const uint32_t *low,
                           const uint32_t *high) {
    const size_t row = im->n[0] + 1, c = j * row + i, at = self->hexahedra.count;
    if (!st_list_set_count(&self->hexahedra, at + 1, 8)) return false;

    const size_t corners[4] = {c, c + 1, c + row + 1, c + row};
    for (int v = 0; v < 4; v++) {
        self->hexahedra.data[8 * at + (size_t)v] = low[corners[v]];
        self->hexahedra.data[8 * at + 4 + (size_t)v] = high[corners[v]];
    }
    return true;
}

static bool add_voxels(voxel_grid_loader *self, const image *im, size_t k, const uint32_t *low, const uint32_t *high) {
    bool ok = true;
    for (size_t j = 0; ok && j < im->n[1]; j++)
        for (size_t i = 0; ok && i < im->n[0]; i++) {
            if (!voxel_grid_loader_is_active(im, i, j, k)) continue;
            const size_t number = number_of(im, i, j, k);
            ok = st_list_push(&self->base.index_in_grid, (uint32_t)number) &&
                 st_list_push(&self->base.values, im->voxels[number]) &&
                 (low ? add_hexahedron(self, im, i, j, low, high) : voxel_grid_loader_add_point(self, i, j, k));
        }

    return ok;
}

// Layer by layer: only the corners of two of them are needed at a time.
static bool make_hexahedra(voxel_grid_loader *self, const image *im) {
    const size_t layer = (im->n[0] + 1) * (im->n[1] + 1);
    uint32_t *numbers = st_alloc(layer, 2 * sizeof *numbers);
    bool ok = numbers && add_layer(self, im, 0, numbers);

    // the layers change places from one k to the next
    for (size_t k = 0; ok && k < im->n[2]; k++) {
        uint32_t *low = numbers + (k % 2) * layer, *high = numbers + ((k + 1) % 2) * layer;
        ok = add_layer(self, im, k + 1, high) && add_voxels(self, im, k, low, high);
    }

    st_free(numbers);
    return ok;
}

static bool voxel_grid_loader_make_points(voxel_grid_loader *self, const image *im) {
    bool ok = true;
    for (size_t k = 0; ok && k < im->n[2]; k++) ok = add_voxels(self, im, k, NULL, NULL);
    return ok;
}

static bool voxel_grid_loader_make(voxel_grid_loader *self, const st_mesh_file *file) {
    image im = {0};
    if (!find_voxels(self, file, &im)) return false;

    // the region of interest and the values, then the mesh
    find_region(self, &im);
    mark_values(self, &im);

    if (self->generate_hexahedra ? make_hexahedra(self, &im) : voxel_grid_loader_make_points(self, &im)) return true;
    st_message(&self->base.object, ST_ERROR, "%s: there is not enough memory for the mesh", self->filename);
    return false;
}

static void clear_mesh(voxel_grid_loader *self) {
    self->position.count = self->hexahedra.count = self->base.index_in_grid.count = self->base.values.count = 0;
}

static st_status voxel_grid_loader_parse(st_object *object) {
    voxel_grid_loader *self = (voxel_grid_loader *)object;
    st_mesh_file file;

    st_pull(object);
    clear_mesh(self);

    if (self->filename && *self->filename && !st_text_ends_with(self->filename, ".raw"))
        return st_invalid(object, "%s: the name of an image must end in .raw", self->filename);

    if (!st_mesh_file_open(&file, object, self->filename)) return ST_INVALID;
    const bool ok = voxel_grid_loader_make(self, &file);
    st_mesh_file_close(&file);

    // half a mesh is worse than none
    if (!ok) clear_mesh(self);
    st_touch(object, &self->position);
    st_touch(object, &self->hexahedra);
    st_touch(object, &self->base.index_in_grid);
    return ok ? ST_OK : ST_INVALID;
}

const st_class st_voxel_grid_loader_class = {
    .name = "VoxelGridLoader",
    .help = "makes hexahedra of the voxels of a raw image",
    .kind = "loader",
    .parent = &st_voxel_loader_class,
    .fields = fields,
    .size = sizeof(voxel_grid_loader),
    .example = "<VoxelGridLoader name=\"loader\" filename=\"image.raw\" resolution=\"64 64 32\" bgValue=\"0\"/>",
    .parse = voxel_grid_loader_parse,
};
