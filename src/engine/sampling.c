// Farthest-point sampling and Lloyd's relaxation; distances along edges by Dijkstra's algorithm with a binary heap.
//
//   1. samples, each the farthest point from those before it; every point belongs to the nearest sample
//   2. centers of the regions
//   3. each sample moves to the point of its region that is nearest to the center
//   4. regions again, and back to 2 until nothing moves
//
// SPDX-License-Identifier: Apache-2.0
#include "engine/sampling.h"

#include "engine/engine.h"

// ---------------------------------------------------------------------------------------------------
// The cloud
// ---------------------------------------------------------------------------------------------------

static bool sampling_usable(const uint32_t *edge, size_t count) { return edge[0] < count && edge[1] < count; }

static bool make_neighbors(st_cloud *cloud, const st_uints *edges) {
    cloud->starts = st_alloc(cloud->count + 2, sizeof *cloud->starts);
    cloud->neighbors = st_alloc(2 * edges->count, sizeof *cloud->neighbors);

    if (!cloud->starts || !cloud->neighbors) return false;

    // starts[i + 2] = number of neighbors of i, then running sums
    for (size_t e = 0; e < edges->count; e++)
        for (int k = 0; k < 2 && sampling_usable(edges->data + 2 * e, cloud->count); k++)
            cloud->starts[edges->data[2 * e + (size_t)k] + 2]++;
    for (size_t i = 2; i < cloud->count + 2; i++) cloud->starts[i] += cloud->starts[i - 1];

    // starts[i + 1] walks from the begin to the end of row i, which leaves it where row i + 1 begins
    for (size_t e = 0; e < edges->count; e++)
        for (int k = 0; k < 2 && sampling_usable(edges->data + 2 * e, cloud->count); k++)
            cloud->neighbors[cloud->starts[edges->data[2 * e + (size_t)k] + 1]++] = edges->data[2 * e + 1 - (size_t)k];

    return true;
}

bool st_cloud_create(st_cloud *cloud, const st_real *points, size_t count, const st_uints *edges) {
    *cloud = (st_cloud){.points = points, .count = count};
    cloud->distance = st_alloc(count, sizeof *cloud->distance);
    cloud->owner = st_alloc(count, sizeof *cloud->owner);

    if (!cloud->distance || !cloud->owner) return false;
    return edges->count == 0 || make_neighbors(cloud, edges);
}

void st_cloud_free(st_cloud *cloud) {
    st_free(cloud->starts);
    st_free(cloud->neighbors);
    st_free(cloud->distance);
    st_free(cloud->owner);
    *cloud = (st_cloud){0};
}

// ---------------------------------------------------------------------------------------------------
// Distances
// ---------------------------------------------------------------------------------------------------

typedef struct entry {
    st_real distance;
    uint32_t point;
} entry;

typedef ST_LIST(entry) heap;

static bool before(entry a, entry b) {
    return a.distance < b.distance || (a.distance == b.distance && a.point < b.point);
}

static bool heap_push(heap *h, entry e) {
    if (!st_list_push(h, e)) return false;

    // up, as long as it comes before its parent
    for (size_t i = h->count - 1; i > 0 && before(h->data[i], h->data[(i - 1) / 2]); i = (i - 1) / 2) {
        const entry swap = h->data[i];
        h->data[i] = h->data[(i - 1) / 2];
        h->data[(i - 1) / 2] = swap;
    }

    return true;
}

static entry heap_pop(heap *h) {
    // the last entry takes the place of the top and sinks
    const entry top = h->data[0];

    h->data[0] = h->data[--h->count];

    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < h->count; child++)
            if (before(h->data[child], h->data[least])) least = child;

        if (least == i) return top;

        const entry swap = h->data[i];
        h->data[i] = h->data[least];
        h->data[least] = swap;
        i = least;
    }
}

static bool along_edges(const st_cloud *cloud, uint32_t from, st_real *distance) {
    heap h = {0};

    // Dijkstra: the nearest point that is not final becomes final
    for (size_t i = 0; i < cloud->count; i++) distance[i] = ST_REAL_MAX;
    distance[from] = 0;
    bool ok = heap_push(&h, (entry){0, from});

    while (ok && h.count) {
        const entry here = heap_pop(&h);

        // an entry that a shorter way has overtaken
        if (here.distance > distance[here.point]) continue;

        for (uint32_t k = cloud->starts[here.point]; k < cloud->starts[here.point + 1] && ok; k++) {
            const uint32_t next = cloud->neighbors[k];
            const st_real d = here.distance + st_vec3_distance(cloud->points + 3 * (size_t)here.point,
                                                               cloud->points + 3 * (size_t)next);

            if (!(d < distance[next])) continue;
            distance[next] = d;
            ok = heap_push(&h, (entry){d, next});
        }
    }

    st_list_free(&h);
    return ok;
}

bool st_cloud_distances(const st_cloud *cloud, uint32_t from, st_real *distance) {
    if (cloud->starts) return along_edges(cloud, from, distance);
    for (size_t i = 0; i < cloud->count; i++)
        distance[i] = st_vec3_distance(cloud->points + 3 * i, cloud->points + 3 * (size_t)from);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Samples
// ---------------------------------------------------------------------------------------------------

static bool add_region(st_cloud *cloud, uint32_t sample, uint32_t place, st_real *scratch) {
    if (!st_cloud_distances(cloud, sample, scratch)) return false;

    // points that are nearer to the new sample than to any before change their region
    for (size_t i = 0; i < cloud->count; i++)
        if (scratch[i] < cloud->distance[i]) {
            cloud->distance[i] = scratch[i];
            cloud->owner[i] = place;
        }

    return true;
}

static void sampling_forget(st_cloud *cloud) {
    for (size_t i = 0; i < cloud->count; i++) {
        cloud->distance[i] = ST_REAL_MAX;
        cloud->owner[i] = ST_INVALID_INDEX;
    }
}

static uint32_t farthest(const st_cloud *cloud) {
    size_t best = 0;

    for (size_t i = 1; i < cloud->count; i++)
        if (cloud->distance[i] > cloud->distance[best]) best = i;
    return (uint32_t)best;
}

static bool sampling_spread(st_cloud *cloud, st_uints *samples, size_t wanted, st_real *scratch) {
    sampling_forget(cloud);

    for (size_t k = 0; k < wanted; k++) {
        const uint32_t next = k == 0 ? 0 : farthest(cloud);
        if (k > 0 && !(cloud->distance[next] > 0)) return true; // every point is a sample already

        if (!st_list_push(samples, next) || !add_region(cloud, next, (uint32_t)k, scratch)) return false;
    }
    return true;
}

// Centers of the regions (Vec3 by sample) and their numbers of points.
static void find_centers(const st_cloud *cloud, size_t n, st_real *centers, st_real *counts) {
    memset(centers, 0, 3 * n * sizeof *centers);
    memset(counts, 0, n * sizeof *counts);

    // sums over the regions
    for (size_t i = 0; i < cloud->count; i++)
        if (cloud->owner[i] < n) {
            st_real *c = centers + 3 * (size_t)cloud->owner[i];
            st_vec3_add(c, c, cloud->points + 3 * i);
            counts[cloud->owner[i]] += 1;
        }

    for (size_t k = 0; k < n; k++)
        if (counts[k] > 0) st_vec3_divide(centers + 3 * k, centers + 3 * k, counts[k]);
}

// Each sample goes to the point of its region that is nearest to the center; `best` has room for all samples.
static bool move_samples(const st_cloud *cloud, st_uints *samples, st_real *centers, st_real *best) {
    const size_t n = samples->count;

    find_centers(cloud, n, centers, best);

    // a sample stays where it is unless a point of its region is nearer to the center
    for (size_t k = 0; k < n; k++)
        best[k] = st_vec3_distance(cloud->points + 3 * (size_t)samples->data[k], centers + 3 * k);
    bool moved = false;

    for (size_t i = 0; i < cloud->count; i++) {
        const size_t k = cloud->owner[i];
        if (k >= n) continue;

        const st_real d = st_vec3_distance(cloud->points + 3 * i, centers + 3 * k);
        if (!(d < best[k])) continue;

        best[k] = d;
        samples->data[k] = (uint32_t)i;
        moved = true;
    }
    return moved;
}

static bool assign(st_cloud *cloud, const st_uints *samples, st_real *scratch) {
    sampling_forget(cloud);

    for (size_t k = 0; k < samples->count; k++)
        if (!add_region(cloud, samples->data[k], (uint32_t)k, scratch)) return false;
    return true;
}

bool st_cloud_sample(st_cloud *cloud, st_uints *samples, size_t wanted, size_t iterations) {
    samples->count = 0;

    if (wanted > cloud->count) wanted = cloud->count;
    if (wanted == 0) return true;

    // 1. farthest points; 2. until nothing moves: samples to the centers of their regions, then the regions again
    st_real *scratch = st_alloc(cloud->count, sizeof *scratch), *regions = st_alloc(4 * wanted, sizeof *regions);
    bool ok = scratch && regions && sampling_spread(cloud, samples, wanted, scratch);
    for (size_t i = 0; i < iterations && ok; i++) {
        if (!move_samples(cloud, samples, regions, regions + 3 * wanted)) break;
        ok = assign(cloud, samples, scratch);
    }

    st_free(scratch);
    st_free(regions);
    return ok;
}
