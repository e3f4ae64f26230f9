// Filling shapes in a z-buffer.
//
// A triangle is filled row by row. Its corners are rounded to 1/256 of a sample and its three edge functions
//
//     E(p) = (b - a) x (p - a)
//
// are evaluated in integers, exactly; a sample on an edge belongs to one of the two triangles that share it and never
// to both, so meshes have neither gaps nor doubled samples. In a row each E is linear in x, which gives the covered
// span by three divisions instead of a test per sample. Depth, normal and distance to the sides are linear as well.
//
// A triangle in four steps:
//
//     1. round its corners, and turn it around if it is clockwise
//     2. find the samples that it may cover, and its edge functions at the first one
//     3. prepare what is interpolated: depth, normal, distance to the sides
//     4. per row, find the covered span; per sample, test the depth, shade, blend
//
// Sides of triangles are drawn while the triangle is filled, by darkening the samples that are near to a marked side.
// Lines drawn afterward would compete with the surface for depth; these do not.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/raster.h"

#include <tgmath.h>

#include "base/array.h"
#include "visual/paint.h"

enum { SUBSAMPLE = 256 }; // steps per sample to which triangle corners are rounded

bool st_raster_init(st_raster *raster, int32_t width, int32_t height) {
    const size_t count = (size_t)width * (size_t)height;
    *raster = (st_raster){width, height, st_alloc(count, sizeof(uint32_t)), st_alloc(count, sizeof(float))};

    if (raster->color && raster->depth) return true;
    st_raster_free(raster);
    return false;
}

void st_raster_free(st_raster *raster) {
    st_free(raster->color);
    st_free(raster->depth);
    *raster = (st_raster){0};
}

static float clamp01(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; } // NaN gives 0

void st_raster_color(float linear[3], float red, float green, float blue) {
    linear[0] = clamp01(red) * clamp01(red);
    linear[1] = clamp01(green) * clamp01(green);
    linear[2] = clamp01(blue) * clamp01(blue);
}

static uint32_t pack(float red, float green, float blue) {
    const uint32_t r = (uint32_t)(255.0f * sqrt(clamp01(red)) + 0.5f);
    const uint32_t g = (uint32_t)(255.0f * sqrt(clamp01(green)) + 0.5f);
    const uint32_t b = (uint32_t)(255.0f * sqrt(clamp01(blue)) + 0.5f);
    return r | g << 8 | b << 16;
}

static uint32_t mix(uint32_t below, uint32_t above, float alpha) {
    const uint32_t weight = (uint32_t)(256.0f * clamp01(alpha) + 0.5f);
    uint32_t result = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const uint32_t from = below >> shift & 255, to = above >> shift & 255;
        result |= (from * (256 - weight) + to * weight + 128) >> 8 << shift;
    }
    return result;
}

// A key light from the upper left, a weak fill light from the right, light from above and a small highlight:
//     I = ambient + sky n_y + key max(0, n.k) + fill max(0, n.f),   plus (n.h)^32 for the highlight,
// where h lies halfway between the key light and the viewer. `scale` darkens the surface.
static uint32_t shade(const float color[3], float nx, float ny, float nz, float scale) {
    static const float key[3] = {-0.46f, 0.62f, 0.635f}, fill[3] = {0.78f, 0.10f, 0.618f};
    static const float half[3] = {-0.2544f, 0.3429f, 0.9043f};

    // the interpolated normal, made a unit vector
    const float square = nx * nx + ny * ny + nz * nz;
    const float inverse = square > 0 ? 1.0f / sqrt(square) : 0.0f;
    nx *= inverse, ny *= inverse, nz *= inverse;

    // cosines to the lights; the highlight to the power of 32
    const float to_key = nx * key[0] + ny * key[1] + nz * key[2];
    const float to_fill = nx * fill[0] + ny * fill[1] + nz * fill[2];
    float shine = nx * half[0] + ny * half[1] + nz * half[2];
    shine = shine > 0 ? shine : 0;
    for (int i = 0; i < 5; i++) shine *= shine;

    const float light = 0.20f + 0.06f * ny + 0.78f * (to_key > 0 ? to_key : 0) + 0.26f * (to_fill > 0 ? to_fill : 0);
    const float gain = light * scale, gloss = 0.10f * shine * scale;
    return pack(color[0] * gain + gloss, color[1] * gain + gloss, color[2] * gain + gloss);
}

static uint32_t style_color(const st_raster_style *style, float nx, float ny, float nz, float scale) {
    if (style->lit) return shade(style->color, nx, ny, nz, scale);
    return pack(style->color[0] * scale, style->color[1] * scale, style->color[2] * scale);
}

static void raster_put(st_raster *raster, size_t at, float depth, uint32_t color, float alpha) {
    // what is transparent does not hide what comes behind it
    if (alpha < 1) {
        raster->color[at] = mix(raster->color[at], color, alpha);
    } else {
        raster->color[at] = color;
        raster->depth[at] = depth;
    }
}

void st_raster_background(st_raster *raster, const float top[3], const float bottom[3]) {
    for (int32_t y = 0; y < raster->height; y++) {
        const float t = ((float)y + 0.5f) / (float)raster->height;

        uint32_t color = 0;
        for (int c = 0; c < 3; c++) {
            const float level = clamp01(top[c]) + t * (clamp01(bottom[c]) - clamp01(top[c]));
            color |= (uint32_t)(255.0f * level + 0.5f) << (8 * c);
        }

        const size_t row = (size_t)y * (size_t)raster->width;
        for (size_t x = 0; x < (size_t)raster->width; x++) raster->color[row + x] = color, raster->depth[row + x] = 0;
    }
}

// ---- triangles

enum { DEPTH, NORMAL_X, NORMAL_Y, NORMAL_Z, PAINT_0, PAINT_1, SIDE_0, SIDE_1, SIDE_2, CHANNELS };

// A triangle made ready: edge functions at sample (left, top), their steps, and what is interpolated.
typedef struct setup {
    int32_t left, top, right, bottom; // covered samples, right and bottom excluded
    int64_t edge[3], step_x[3], step_y[3];
    int64_t bias[3];           // 0 when samples on the edge belong to the triangle, else 1
    int64_t area;              // twice the area: the sum of the three edge functions at any point
    double value[CHANNELS][3]; // at the corners
    float gradient[CHANNELS];  // along x
    float edge_width, edge_opacity;
    unsigned edges;
} setup;

static int64_t to_fixed(double x) {
    const double limit = ST_RASTER_MAX_COORDINATE;
    x = x > -limit ? (x < limit ? x : limit) : -limit;
    return (int64_t)floor(x * SUBSAMPLE + 0.5);
}

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static int64_t raster_smallest(const int64_t v[3]) {
    const int64_t m = v[0] < v[1] ? v[0] : v[1];
    return m < v[2] ? m : v[2];
}

static int64_t raster_largest(const int64_t v[3]) {
    const int64_t m = v[0] > v[1] ? v[0] : v[1];
    return m > v[2] ? m : v[2];
}

// Sample s has its center at 256 s + 128; the samples inside [low, high] are first to last - 1.
static bool sample_range(int64_t low, int64_t high, int32_t limit, int32_t *first, int32_t *last) {
    const int64_t a = floor_divide(low + SUBSAMPLE / 2 - 1, SUBSAMPLE);
    const int64_t b = floor_divide(high - SUBSAMPLE / 2, SUBSAMPLE) + 1;

    *first = (int32_t)(a > 0 ? a : 0);
    *last = (int32_t)(b < limit ? b : limit);
    return *first < *last;
}

static bool prepare_edges(setup *s, const st_raster *raster, const int64_t x[3], const int64_t y[3]) {
    if (!sample_range(raster_smallest(x), raster_largest(x), raster->width, &s->left, &s->right)) return false;
    if (!sample_range(raster_smallest(y), raster_largest(y), raster->height, &s->top, &s->bottom)) return false;

    // edge functions at the center of the first sample, and how they change along x and y
    const int64_t px = (int64_t)s->left * SUBSAMPLE + SUBSAMPLE / 2, py = (int64_t)s->top * SUBSAMPLE + SUBSAMPLE / 2;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const int64_t dx = x[j] - x[i], dy = y[j] - y[i];
        s->edge[i] = dx * (py - y[i]) - dy * (px - x[i]);
        s->step_x[i] = -dy * SUBSAMPLE;
        s->step_y[i] = dx * SUBSAMPLE;
        s->bias[i] = dy > 0 || (dy == 0 && dx > 0) ? 0 : 1;
    }

    return true;
}

// The weight of a corner is the edge function of the side opposite to it.
static double raster_interpolate(const double value[3], const double edge[3], double area) {
    return (edge[1] * value[0] + edge[2] * value[1] + edge[0] * value[2]) / area;
}

static void prepare_values(setup *s, const st_raster_vertex *const corner[3], const int64_t x[3], const int64_t y[3]) {
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;

        s->value[DEPTH][i] = corner[i]->depth;
        for (int k = 0; k < 3; k++) s->value[NORMAL_X + k][i] = corner[i]->normal[k];
        for (int k = 0; k < 2; k++) s->value[PAINT_0 + k][i] = corner[i]->paint[k];

        const double dx = (double)(x[j] - x[i]), dy = (double)(y[j] - y[i]), length = sqrt(dx * dx + dy * dy);

        // Side i runs from corner i to corner j: its distance is zero at both and the height at the third corner.
        for (int k = 0; k < 3; k++) s->value[SIDE_0 + i][k] = 0;
        s->value[SIDE_0 + i][(i + 2) % 3] = length > 0 ? (double)s->area / length / SUBSAMPLE : 0;
        longest = length > longest ? length : longest;
    }

    // Sides of triangles that are only a few samples high would cover them wholly: they fade out.
    const double height = (double)s->area / longest / SUBSAMPLE;
    s->edge_opacity *= clamp01((float)(height / (8.0 * s->edge_width) - 0.25));
    if (!(s->edge_opacity > 0)) s->edges = 0;

    // how each value changes from one sample of a row to the next
    const double step[3] = {(double)s->step_x[0], (double)s->step_x[1], (double)s->step_x[2]};
    for (int c = 0; c < CHANNELS; c++) s->gradient[c] = (float)raster_interpolate(s->value[c], step, (double)s->area);
}

static bool raster_prepare(setup *s, const st_raster *raster, const st_raster_vertex v[3],
                           const st_raster_style *style) {
    const st_raster_vertex *corner[3] = {&v[0], &v[1], &v[2]};

    int64_t x[3], y[3];

    for (int i = 0; i < 3; i++) x[i] = to_fixed(v[i].x), y[i] = to_fixed(v[i].y);
    s->area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);

    s->edges = style->edges & 7;
    s->edge_width = style->edge_width > 0.25f ? style->edge_width : 0.25f;
    s->edge_opacity = style->edge_opacity;

    // without area nothing is covered; clockwise triangles are turned around
    if (s->area == 0) return false;
    if (s->area < 0) {
        // Turn it around: sides 0-1, 1-2, 2-0 become 0-2, 2-1, 1-0.
        const int64_t tx = x[1], ty = y[1];
        x[1] = x[2], y[1] = y[2], x[2] = tx, y[2] = ty;
        corner[1] = &v[2], corner[2] = &v[1];
        s->area = -s->area;
        s->edges = (s->edges & 2) | (s->edges & 1) << 2 | s->edges >> 2;
    }

    if (!prepare_edges(s, raster, x, y)) return false;
    prepare_values(s, corner, x, y);
    return true;
}

// How dark the sides make a sample: 1 leaves it alone.
static float side_scale(const setup *s, const float value[CHANNELS]) {
    // the nearest side that is drawn
    float nearest = 1e30f;
    for (int i = 0; i < 3; i++)
        if (s->edges >> i & 1 && value[SIDE_0 + i] < nearest) nearest = value[SIDE_0 + i];

    return 1.0f - 0.85f * s->edge_opacity * clamp01(s->edge_width + 0.5f - nearest);
}

static void fill_span(st_raster *raster, const setup *s, size_t start, int64_t first, int64_t last,
                      const double edge[3], const st_raster_style *style) {
    float base[CHANNELS], value[CHANNELS];
    const int channels = s->edges ? CHANNELS : SIDE_0;

    // values at the first sample of the row
    for (int c = 0; c < channels; c++) base[c] = (float)raster_interpolate(s->value[c], edge, (double)s->area);

    // each sample that is nearer than what was drawn there
    for (int64_t k = first; k <= last; k++) {
        const float t = (float)k;
        const size_t at = start + (size_t)k;
        const float depth = base[DEPTH] + t * s->gradient[DEPTH];

        if (depth <= raster->depth[at]) continue;
        for (int c = NORMAL_X; c < channels; c++) value[c] = base[c] + t * s->gradient[c];

        // what was divided by w is multiplied by it
        const float scale = s->edges ? side_scale(s, value) : 1.0f;
        st_raster_style here = *style;
        if (style->paint == ST_PAINT_SCALAR) st_paint_scalar(here.color, value[PAINT_0] / depth);
        if (style->paint == ST_PAINT_TEXTURE)
            here.alpha *= st_paint_texture(here.color, style->texture, value[PAINT_0] / depth, value[PAINT_1] / depth);
        raster_put(raster, at, depth, style_color(&here, value[NORMAL_X], value[NORMAL_Y], value[NORMAL_Z], scale),
                   here.alpha);
    }
}

void st_raster_triangle(st_raster *raster, const st_raster_vertex corners[3], const st_raster_style *style) {
    setup s;
    if (!raster_prepare(&s, raster, corners, style)) return;

    for (int32_t y = s.top; y < s.bottom; y++) {
        // All samples k of the row with edge + k step >= bias, for the three edges at once.
        int64_t first = 0, last = s.right - s.left - 1;
        double edge[3];
        for (int i = 0; i < 3; i++) {
            const int64_t here = s.edge[i] - s.bias[i], step = s.step_x[i];
            if (step > 0) {
                const int64_t k = here < 0 ? (-here + step - 1) / step : 0;
                first = k > first ? k : first;
            } else if (here < 0) {
                last = -1;
            } else if (step < 0) {
                const int64_t k = here / -step;
                last = k < last ? k : last;
            }
            edge[i] = (double)s.edge[i];
            s.edge[i] += s.step_y[i];
        }

        const size_t start = (size_t)y * (size_t)raster->width + (size_t)s.left;
        fill_span(raster, &s, start, first, last, edge, style);
    }
}

// ---- lines and spheres

// The x at which low <= offset + slope x <= high, intersected with the range; false when nothing is left.
static bool intersect(double range[2], double offset, double slope, double low, double high) {
    if (fabs(slope) < 1e-9) return offset >= low && offset <= high;

    const double a = (low - offset) / slope, b = (high - offset) / slope;
    range[0] = fmax(range[0], fmin(a, b));
    range[1] = fmin(range[1], fmax(a, b));
    return range[0] <= range[1];
}

static void add_disc(double range[2], double x, double y, double radius) {
    const double square = radius * radius - y * y;

    if (square < 0) return;
    range[0] = fmin(range[0], x - sqrt(square));
    range[1] = fmax(range[1], x + sqrt(square));
}

// A segment with round ends is convex, so a row cuts it in one interval: the hull of what it cuts from the two
// discs and the rectangle. y is relative to the start of the segment, which points along (dx, dy), a unit vector.
static void capsule_row(double range[2], double y, double dx, double dy, double length, double radius) {
    range[0] = 1e30, range[1] = -1e30;

    // the two round ends
    add_disc(range, 0, y, radius);
    add_disc(range, dx * length, y - dy * length, radius);

    // the rectangle between them
    double inside[2] = {-1e30, 1e30};
    if (intersect(inside, y * dy, dx, 0, length) && intersect(inside, y * dx, -dy, -radius, radius)) {
        range[0] = fmin(range[0], inside[0]);
        range[1] = fmax(range[1], inside[1]);
    }
}

// First sample center at or after x, kept within [0, limit].
static int32_t sample_from(double x, int32_t limit) {
    const double s = ceil(x - 0.5);
    return s > 0 ? (s < limit ? (int32_t)s : limit) : 0;
}

void st_raster_line(st_raster *raster, const st_raster_vertex *a, const st_raster_vertex *b, double half_width,
                    const st_raster_style *style) {
    double dx = b->x - a->x, dy = b->y - a->y;
    const double length = sqrt(dx * dx + dy * dy);
    if (length > 0) dx /= length, dy /= length;
    else dx = 1, dy = 0;

    // row by row
    const int32_t bottom = sample_from(fmax(a->y, b->y) + half_width, raster->height);
    for (int32_t y = sample_from(fmin(a->y, b->y) - half_width, raster->height); y < bottom; y++) {
        const double ry = y + 0.5 - a->y;
        double range[2];
        capsule_row(range, ry, dx, dy, length, half_width);

        const int32_t right = sample_from(a->x + range[1], raster->width);
        for (int32_t x = sample_from(a->x + range[0], raster->width); x < right; x++) {
            // depth is linear along the line
            const double rx = x + 0.5 - a->x;
            const float t = length > 0 ? clamp01((float)((rx * dx + ry * dy) / length)) : 0.0f;
            const float depth = a->depth + t * (b->depth - a->depth);
            const size_t at = (size_t)y * (size_t)raster->width + (size_t)x;
            if (depth <= raster->depth[at]) continue;

            // Across the line a tube's normal turns from one side to the other; the screen's y points down.
            const float across = (float)fmax(-1, fmin(1, (ry * dx - rx * dy) / half_width));
            const float nz = sqrt(1.0f - across * across);
            raster_put(raster, at, depth, style_color(style, -(float)dy * across, -(float)dx * across, nz, 1.0f),
                       style->alpha);
        }
    }
}

void st_raster_sphere(st_raster *raster, const st_raster_vertex *center, double radius, double bulge,
                      const st_raster_style *style) {
    const int32_t bottom = sample_from(center->y + radius, raster->height);
    for (int32_t y = sample_from(center->y - radius, raster->height); y < bottom; y++) {
        const double ny = (y + 0.5 - center->y) / radius;

        // what the row cuts out of the disc
        const double half = radius * sqrt(fmax(0, 1 - ny * ny));
        const int32_t right = sample_from(center->x + half, raster->width);
        for (int32_t x = sample_from(center->x - half, raster->width); x < right; x++) {
            const double nx = (x + 0.5 - center->x) / radius;
            const double nz = sqrt(fmax(0, 1 - nx * nx - ny * ny));

            // The surface is nz radii nearer than the center: 1 / (w - nz bulge w).
            const float depth = (float)(center->depth / fmax(1e-3, 1 - nz * bulge));
            const size_t at = (size_t)y * (size_t)raster->width + (size_t)x;

            if (depth <= raster->depth[at]) continue;
            raster_put(raster, at, depth, style_color(style, (float)nx, (float)-ny, (float)nz, 1.0f), style->alpha);
        }
    }
}

void st_raster_resolve(const st_raster *raster, uint32_t samples, st_image *image) {
    const uint32_t count = samples * samples;
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            uint32_t sum[3] = {0, 0, 0};
            for (uint32_t j = 0; j < samples; j++) {
                const uint32_t *from =
                    raster->color + (size_t)(y * samples + j) * (size_t)raster->width + (size_t)x * samples;
                for (uint32_t i = 0; i < samples; i++)
                    for (int c = 0; c < 3; c++) sum[c] += from[i] >> (8 * c) & 255;
            }

            // rounded mean
            uint8_t *pixel = image->pixels + ((size_t)y * image->width + x) * 3;
            for (int c = 0; c < 3; c++) pixel[c] = (uint8_t)((sum[c] + count / 2) / count);
        }
    }
}
