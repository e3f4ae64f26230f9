// Results of all ranks. See results.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "results.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "settee/matrix.h"

enum { CHUNK = 1 << 16, PATH_SIZE = 2048 }; // points, bytes

static const st_real *positions_of(const st_scene_part *part) { return st_position_of(part->state, ST_POSITION); }
static const st_real *velocities_of(const st_scene_part *part) { return st_velocity_of(part->state, ST_VELOCITY); }

// Did it work on all ranks?
static void check_written(bool ok, const char *path) {
    int failed = ok ? 0 : errno ? errno : EIO, worst;
    MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (worst) st_end_all(ST_MPI_FAILED, "%s: cannot be written: %s", path, strerror(worst));
}

// --- by index of the mesh ----------------------------------------------------------------------------------

typedef struct point_record {
    uint32_t index;
    double x[3], v[3];
} point_record;

static int compare_records(const void *a, const void *b) {
    const uint32_t x = ((const point_record *)a)->index, y = ((const point_record *)b)->index;
    return (x > y) - (x < y);
}

// The points from `first` on, of a chunk, at rank 0 in order. `at` walks through the points held. To be freed.
static point_record *gather_chunk(const st_scene_part *part, size_t first, size_t *at, size_t *count) {
    const st_spread *spread = &part->spread;
    const st_real *x = positions_of(part), *v = velocities_of(part);
    st_post post = {.size = sizeof(point_record)};

    for (; *at < spread->part.count && spread->index[*at] < first + CHUNK; ++*at) {
        if (!st_part_owns(&spread->part, *at)) continue;
        point_record record = {.index = spread->index[*at]};
        for (size_t c = 0; c < 3; c++) {
            record.x[c] = (double)x[3 * *at + c];
            record.v[c] = v ? (double)v[3 * *at + c] : 0;
        }
        st_post_add(&post, 0, &record);
    }

    point_record *records = st_post_exchange(&post, count);
    qsort(records, *count, sizeof *records, compare_records);
    return records;
}

void st_write_states(const st_scene_part *part, const char *path, size_t step) {
    errno = 0;
    FILE *file = st_rank == 0 ? strcmp(path, "-") == 0 ? stdout : fopen(path, "w") : NULL;
    bool ok = st_rank != 0 || file;
    check_written(ok, path);

    // the line of the dump format, then a line for each point
    if (file)
        fprintf(file, "STEP %zu TIME %.17g STATE %s Vec3 %zu independent\n", step, (double)st_scene_time(part->scene),
                st_object_path(&part->state->object), part->spread.points);

    size_t at = 0;
    for (size_t first = 0; first < part->spread.points; first += CHUNK) {
        size_t count;
        point_record *records = gather_chunk(part, first, &at, &count);
        for (size_t i = 0; file && i < count; i++)
            fprintf(file, "%.17g %.17g %.17g\n", records[i].x[0], records[i].x[1], records[i].x[2]);
        free(records);
    }

    if (file) ok = fflush(file) == 0 && !ferror(file);
    if (file && file != stdout) ok = fclose(file) == 0 && ok;
    check_written(ok, path);
}

// --- checkpoints -------------------------------------------------------------------------------------------

typedef struct checkpoint {
    char magic[16];
    uint64_t points, step;
    double time;
} checkpoint;
static const char checkpoint_magic[16] = "settee-mpi 1";

void st_write_checkpoint(const st_scene_part *part, const char *path, size_t step) {
    char unfinished[PATH_SIZE];
    st_print_path(unfinished, sizeof unfinished, "%s.part", path);
    errno = 0;
    FILE *file = st_rank == 0 ? fopen(unfinished, "wb") : NULL;
    bool ok = st_rank != 0 || file;
    check_written(ok, path);

    checkpoint head = {.points = part->spread.points, .step = step, .time = (double)st_scene_time(part->scene)};
    memcpy(head.magic, checkpoint_magic, sizeof head.magic);
    if (file) ok = fwrite(&head, sizeof head, 1, file) == 1;

    // six numbers for each point, by index
    size_t at = 0;
    for (size_t first = 0; first < part->spread.points; first += CHUNK) {
        size_t count;
        point_record *records = gather_chunk(part, first, &at, &count);
        for (size_t i = 0; file && ok && i < count; i++)
            ok = fwrite(records[i].x, sizeof records[i].x, 1, file) == 1 &&
                 fwrite(records[i].v, sizeof records[i].v, 1, file) == 1;
        free(records);
    }

    // in place of the last one, once it is whole and on the disk
    if (file) ok = ok && fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (file) ok = fclose(file) == 0 && ok && rename(unfinished, path) == 0;
    check_written(ok, path);
}

size_t st_read_checkpoint(const st_scene_part *part, const char *path) {
    checkpoint head = {0};
    FILE *file = fopen(path, "rb");
    if (!file) st_end_rank(ST_MPI_INVALID, "%s: %s", path, strerror(errno));
    if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.magic, checkpoint_magic, sizeof head.magic) != 0)
        st_end_rank(ST_MPI_INVALID, "%s: is no checkpoint of settee-mpi", path);
    if (head.points != part->spread.points)
        st_end_rank(ST_MPI_INVALID, "%s: is of %llu points, and the scene has %zu", path,
                    (unsigned long long)head.points, part->spread.points);
    if (!isfinite(head.time)) st_end_rank(ST_MPI_INVALID, "%s: its time is not finite", path);
    struct stat size;
    const size_t needed = sizeof head + part->spread.points * 6 * sizeof(double);
    if (fstat(fileno(file), &size) != 0 || (size_t)size.st_size != needed)
        st_end_rank(ST_MPI_INVALID, "%s: %s", path,
                    (size_t)size.st_size < needed ? "ends too early" : "has more than its points");

    // each rank the points that it holds; neighbors in the file are often neighbors in the mesh
    st_real *x = st_position_of(part->state, ST_POSITION), *v = st_velocity_of(part->state, ST_VELOCITY);
    uint32_t next = UINT32_MAX;
    for (size_t i = 0; i < part->spread.part.count; i++) {
        const uint32_t index = part->spread.index[i];
        double values[6];
        if (index != next && fseek(file, (long)(sizeof head + (size_t)index * sizeof values), SEEK_SET) != 0)
            st_end_rank(ST_MPI_INVALID, "%s: %s", path, strerror(errno));
        if (fread(values, sizeof values, 1, file) != 1) st_end_rank(ST_MPI_INVALID, "%s: ends too early", path);
        next = index + 1;
        for (size_t c = 0; c < 6; c++)
            if (!isfinite(values[c])) st_end_rank(ST_MPI_INVALID, "%s: point %u is not finite", path, index);
        for (size_t c = 0; c < 3; c++) {
            x[3 * i + c] = (st_real)values[c];
            v[3 * i + c] = (st_real)values[3 + c];
        }
    }
    fclose(file);

    st_object_touch(&part->state->object, "position");
    st_object_touch(&part->state->object, "velocity");
    const st_real time = (st_real)head.time;
    st_object_set_reals(st_node_as_object(st_scene_root(part->scene)), "time", &time, 1, 1);
    return (size_t)head.step;
}

// --- pieces for ParaView -----------------------------------------------------------------------------------

static const int vtk_types[ST_ELEMENT_KINDS] = {[ST_TETRAHEDRON] = 10, [ST_HEXAHEDRON] = 12};

static bool is_of_piece(const st_spread *spread, int kind, size_t element) {
    return vtk_types[kind] && st_part_owns(&spread->part, spread->vertices[kind][element * st_element_size[kind]]);
}

static void put_vectors(FILE *file, const char *name, const st_real *values, size_t count) {
    fprintf(file, "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"3\" format=\"ascii\">\n", name);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%.9g %.9g %.9g\n", (double)values[3 * i], (double)values[3 * i + 1], (double)values[3 * i + 2]);
    fprintf(file, "</DataArray>\n");
}

// Vertices, ends and types of the cells of the piece, one list at a time.
static void put_cells(FILE *file, const st_spread *spread, const char *name) {
    fprintf(file, "<DataArray type=\"Int64\" Name=\"%s\" format=\"ascii\">\n", name);
    size_t end = 0;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < spread->count[kind]; i++) {
            if (!is_of_piece(spread, kind, i)) continue;
            const size_t size = st_element_size[kind];
            end += size;
            if (*name == 'o') fprintf(file, "%zu\n", end);
            else if (*name == 't') fprintf(file, "%d\n", vtk_types[kind]);
            else
                for (size_t v = 0; v < size; v++)
                    fprintf(file, "%u%c", spread->vertices[kind][i * size + v], v + 1 < size ? ' ' : '\n');
        }
    fprintf(file, "</DataArray>\n");
}

static bool write_piece(const st_scene_part *part, const char *path) {
    const st_spread *spread = &part->spread;
    FILE *file = fopen(path, "w");
    if (!file) return false;

    // each element is in one piece
    size_t cells = 0;
    for (int kind = 0; kind < ST_ELEMENT_KINDS; kind++)
        for (size_t i = 0; i < spread->count[kind]; i++) cells += is_of_piece(spread, kind, i);

    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">\n<UnstructuredGrid>\n"
            "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n<PointData Vectors=\"velocity\">\n",
            spread->part.count, cells);
    put_vectors(file, "velocity", velocities_of(part), spread->part.count);
    fprintf(file, "<DataArray type=\"Int64\" Name=\"index\" format=\"ascii\">\n");
    for (size_t i = 0; i < spread->part.count; i++) fprintf(file, "%u\n", spread->index[i]);

    fprintf(file, "</DataArray>\n</PointData>\n<Points>\n");
    put_vectors(file, "position", positions_of(part), spread->part.count);
    fprintf(file, "</Points>\n<Cells>\n");
    put_cells(file, spread, "connectivity");
    put_cells(file, spread, "offsets");
    put_cells(file, spread, "types");
    fprintf(file, "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");

    const bool ok = !ferror(file);
    return fclose(file) == 0 && ok;
}

static bool write_head(const char *path, size_t step) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"0.1\">\n"
                  "<PUnstructuredGrid GhostLevel=\"0\">\n<PPointData Vectors=\"velocity\">\n"
                  "<PDataArray type=\"Float64\" Name=\"velocity\" NumberOfComponents=\"3\"/>\n"
                  "<PDataArray type=\"Int64\" Name=\"index\"/>\n</PPointData>\n<PPoints>\n"
                  "<PDataArray type=\"Float64\" Name=\"position\" NumberOfComponents=\"3\"/>\n</PPoints>\n");
    for (int r = 0; r < st_ranks; r++) fprintf(file, "<Piece Source=\"part_%06zu_%06d.vtu\"/>\n", step, r);
    fprintf(file, "</PUnstructuredGrid>\n</VTKFile>\n");
    return fclose(file) == 0;
}

// Is it the line of an earlier frame?
static bool is_earlier(const char *line, size_t step) {
    const char *at = strstr(line, "file=\"part_");
    return at && strncmp(line, "<DataSet", 8) == 0 && strtoull(at + strlen("file=\"part_"), NULL, 10) < step;
}

// Grows with each frame, and is whole after each: frames of this step and later ones, of a run that ended, give way.
static bool write_series(const char *directory, size_t step, double time, bool is_first) {
    char path[PATH_SIZE], unfinished[PATH_SIZE], line[512];
    st_print_path(path, sizeof path, "%s/scene.pvd", directory);
    st_print_path(unfinished, sizeof unfinished, "%s/scene.pvd.part", directory);
    FILE *before = is_first ? NULL : fopen(path, "r"), *file = fopen(unfinished, "w");
    if (file) fprintf(file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");

    while (file && before && fgets(line, sizeof line, before))
        if (is_earlier(line, step)) fputs(line, file);
    if (before) fclose(before);
    if (!file) return false;

    fprintf(file, "<DataSet timestep=\"%.17g\" file=\"part_%06zu.pvtu\"/>\n</Collection>\n</VTKFile>\n", time, step);
    const bool ok = !ferror(file);
    return fclose(file) == 0 && ok && rename(unfinished, path) == 0;
}

void st_write_pieces(const st_scene_part *part, const char *directory, size_t step, bool is_first) {
    char path[PATH_SIZE];
    errno = 0;
    bool ok = st_rank != 0 || mkdir(directory, 0777) == 0 || errno == EEXIST;
    check_written(ok, directory);

    errno = 0;
    st_print_path(path, sizeof path, "%s/part_%06zu_%06d.vtu", directory, step, st_rank);
    ok = write_piece(part, path);
    st_print_path(path, sizeof path, "%s/part_%06zu.pvtu", directory, step);
    if (ok && st_rank == 0)
        ok = write_head(path, step) && write_series(directory, step, (double)st_scene_time(part->scene), is_first);
    check_written(ok, directory);
}

// --- energy ------------------------------------------------------------------------------------------------

double st_kinetic_energy(const st_scene_part *part) {
    st_matrix_view m;
    const st_real *v = velocities_of(part);
    double own = 0, sum = 0;

    // rows of the own points are whole
    if (v && st_node_matrix(part->state->object.node, ST_MATRIX_M, &m) == ST_OK) {
        const size_t b = (size_t)m.block;
        for (size_t row = 0; row < m.rows; row++) {
            if (!st_part_owns(&part->spread.part, row / 3)) continue;
            double q = 0;
            for (size_t s = m.starts[row / b]; s < m.starts[row / b + 1]; s++)
                for (size_t c = 0; c < b; c++)
                    q += (double)m.values[b * b * s + row % b * b + c] * (double)v[(size_t)m.columns[s] * b + c];
            own += q * (double)v[row] / 2;
        }
    }

    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}
