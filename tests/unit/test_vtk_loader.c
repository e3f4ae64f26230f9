// MeshVTKLoader: all encodings of a mesh give the same lists, every type of cell becomes the right element, and broken
// files are refused.
//
// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include "loader_scene.h"

// ---------------------------------------------------------------------------------------------------
// Files that are put together by hand
// ---------------------------------------------------------------------------------------------------

typedef struct bytes {
    unsigned char data[8192];
    size_t count;
} bytes;

static void put(bytes *to, const void *data, size_t size) {
    assert_true(to->count + size <= sizeof to->data);
    memcpy(to->data + to->count, data, size);
    to->count += size;
}

static void put_text(bytes *to, const char *text) { put(to, text, strlen(text)); }

static void put_number(bytes *to, uint64_t value, size_t size, bool big) {
    unsigned char digits[8];
    for (size_t i = 0; i < size; i++) digits[big ? size - 1 - i : i] = (unsigned char)(value >> (8 * i));
    put(to, digits, size);
}

static void put_float(bytes *to, float value, bool big) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(to, bits, 4, big);
}

static void put_base64(bytes *to, const bytes *from) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < from->count; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) bits = bits << 8 | (i + k < from->count ? from->data[i + k] : 0);
        for (size_t k = 0; k < 4; k++) {
            const char letter = i + k > from->count ? '=' : letters[bits >> (18 - 6 * k) & 63];
            put(to, &letter, 1);
        }
    }
}

// The mesh of most tests: a tetrahedron, a triangle and a quad on five points.
static const float points[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.1f, 1, 1, 0.25f};
static const uint32_t connectivity[] = {0, 1, 2, 3, 1, 2, 4, 0, 1, 4, 2}, ends[] = {4, 7, 11}, types[] = {10, 5, 9};

static void check_mesh(physics_scene *test) {
    loader_counts(test, (size_t[6]){5, 0, 1, 1, 1, 0});
    loader_first(test, ST_TETRAHEDRON, connectivity, 1);
    loader_first(test, ST_TRIANGLE, connectivity + 4, 1);
    loader_first(test, ST_QUAD, connectivity + 7, 1);
    for (int i = 0; i < 15; i++) assert_near(loader_of(test)->position.data[i], (st_real)points[i], 0);
    assert_int_equal(test->count[ST_ERROR] + test->count[ST_WARNING], 0);
    physics_free(test);
}

static void check_file(const char *name, const bytes *file) {
    check_mesh(loader_read("MeshVTKLoader", name, file->data, file->count, ""));
}

// ---------------------------------------------------------------------------------------------------
// Legacy
// ---------------------------------------------------------------------------------------------------

#define HEADER "# vtk DataFile Version 2.0\na title\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define LEGACY_POINTS "POINTS 5 float\n0 0 0 1 0 0\n0 1 0 0 0 0.1 1 1 .25\n"
static const char legacy[] = HEADER LEGACY_POINTS "CELLS 3 14\n4 0 1 2 3\n3 1 2 4\n4 0 1 4 2\nCELL_TYPES 3\n10 5 9\n";
static const char legacy5[] = "# vtk DataFile Version 5.1\na title\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                              "FIELD FieldData 1\nTIME 1 1 double\nnan\n" LEGACY_POINTS
                              "METADATA\nINFORMATION 0\n\nCELLS 4 11\nOFFSETS vtktypeint64\n0 4 7 11\n"
                              "CONNECTIVITY vtktypeint64\n0 1 2 3 1 2 4 0 1 4 2\nCELL_TYPES 3\n10\n5\n9\n\n"
                              "POINT_DATA 5\nSCALARS a float 1\nLOOKUP_TABLE default\n1 2 3 4 nan\n";

static void legacy_text(void **state) {
    (void)state;
    check_mesh(loader_read("MeshVTKLoader", "a.vtk", TEXT(legacy), ""));
    check_mesh(loader_read("MeshVTKLoader", "a.vtk", TEXT(legacy5), ""));
}

// 0.1 in single precision is another number than in double precision.
static void declared_floats_are_single(void **state) {
    (void)state;
    static const char file[] = "# vtk DataFile Version 2.0\n\nASCII\nDATASET POLYDATA\nPOINTS 2 double\n"
                               "0.1 0 0 1 0.300000012814999 0\n";
    physics_scene *test = loader_read("MeshVTKLoader", "a.vtk", TEXT(file), "");
    assert_near(loader_of(test)->position.data[0], (st_real)0.1, 0);
    physics_free(test);
    // just above the middle of two floats; rounded to double first it would be the middle, and then go down
    static const char near[] = "# vtk DataFile Version 2.0\n\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n"
                               "1.00000005960464477540 -1e-40 16777217.000000001\n";
    test = loader_read("MeshVTKLoader", "a.vtk", TEXT(near), "");
    assert_near(loader_of(test)->position.data[0], (st_real)1.00000011920928955078125, 0);
    assert_near(loader_of(test)->position.data[1], (st_real)-1e-40f, 0);
    assert_near(loader_of(test)->position.data[2], (st_real)16777218, 0);
    physics_free(test);
}

static void put_legacy_binary(bytes *file, bool big) {
    put_text(file, "# vtk DataFile Version 3.0\na title\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n");
    for (int i = 0; i < 15; i++) put_float(file, points[i], big);
    put_text(file, "\nCELLS 3 14\n");
    for (int i = 0, k = 0; i < 3; i++) {
        put_number(file, ends[i] - (i ? ends[i - 1] : 0), 4, big);
        for (; k < (int)ends[i]; k++) put_number(file, connectivity[k], 4, big);
    }
    put_text(file, "\nCELL_TYPES 3\n");
    for (int i = 0; i < 3; i++) put_number(file, types[i], 4, big);
    put_text(file, "\n");
}

static void legacy_binary_in_both_orders(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        bytes file = {.count = 0};
        put_legacy_binary(&file, big);
        check_file("a.vtk", &file);
    }
}

#define NINE_POINTS "POINTS 10 double\n0 0 0 1 0 0 2 0 0 3 0 0 4 0 0 5 0 0 6 0 0 7 0 0 8 0 0 9 0 0\n"

static void types_of_cells(void **state) {
    (void)state;
    static const char file[] = HEADER NINE_POINTS
        "CELLS 14 76\n2 0 1\n3 0 1 2\n3 0 1 2\n5 0 1 2 3 4\n5 0 1 2 3 4\n4 0 1 2 3\n4 0 1 2 3\n4 0 1 2 3\n"
        "8 0 1 2 3 4 5 6 7\n8 0 1 2 3 4 5 6 7\n3 0 1 2\n6 0 1 2 3 4 5\n1 7\n6 0 1 2 3 4 5\n"
        "CELL_TYPES 14\n3 4 5 6 7 8 9 10 11 12 21 22 1 15\n";
    physics_scene *test = loader_read("MeshVTKLoader", "a.vtk", TEXT(file), "");
    loader_counts(test, (size_t[6]){10, 4, 8, 2, 1, 2});
    // triangle; strip; polygon; quadratic triangle
    loader_first(test, ST_TRIANGLE,
                 (uint32_t[]){0, 1, 2, 0, 2, 1, 1, 2, 3, 2, 4, 3, 0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 1, 2}, 8);
    loader_first(test, ST_QUAD, (uint32_t[]){0, 1, 3, 2, 0, 1, 2, 3}, 2);
    loader_first(test, ST_HEXAHEDRON, (uint32_t[]){0, 1, 3, 2, 4, 5, 7, 6, 0, 1, 2, 3, 4, 5, 6, 7}, 2);
    loader_first(test, ST_EDGE, (uint32_t[]){0, 1, 0, 1, 1, 2, 2, 0}, 4);
    assert_indices(&loader_of(test)->high_order[0], 4, 3, (uint32_t[]){2, 1, 1, 1, 4, 2, 1, 1, 5, 3, 1, 1});
    assert_int_equal(loader_of(test)->polylines.count, 1);
    assert_string_equal(loader_of(test)->polylines.data[0], "0 1 2");
    assert_non_null(strstr(test->log, "cell 13 of these has type 15"));
    assert_int_equal(test->count[ST_ERROR], 1);
    physics_free(test);
}

static void poly_data(void **state) {
    (void)state;
    static const char file[] =
        "# vtk DataFile Version 2.0\n\nASCII\nDATASET POLYDATA\n" NINE_POINTS
        "VERTICES 1 2\n1 0\nLINES 1 4\n3 0 1 2\nPOLYGONS 3 15\n3 0 1 2\n4 0 1 2 3\n5 0 1 2 3 4\n";
    physics_scene *test = loader_read("MeshVTKLoader", "a.vtk", TEXT(file), "flipNormals='1'");
    loader_counts(test, (size_t[6]){10, 0, 4, 1, 0, 0});
    loader_first(test, ST_TRIANGLE, (uint32_t[]){2, 1, 0, 2, 1, 0, 3, 2, 0, 4, 3, 0}, 4);
    loader_first(test, ST_QUAD, (uint32_t[]){3, 2, 1, 0}, 1);
    assert_string_equal(loader_of(test)->polylines.data[0], "0 1 2");
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// XML
// ---------------------------------------------------------------------------------------------------

typedef enum encoding { ASCII, BASE64, APPENDED_RAW, APPENDED_BASE64 } encoding;

typedef struct writer {
    encoding encoding;
    bool compressed, wide, big;
    bytes file, appended;
} writer;

// Header and data of an array, in two blocks when compressed.
static void pack(const writer *w, const bytes *array, bytes *header, bytes *data) {
    const size_t width = w->wide ? 8 : 4;
    if (!w->compressed) {
        put_number(header, array->count, width, w->big);
        put(header, array->data, array->count); // both in one piece
        return;
    }
    const size_t half = (array->count + 1) / 2;
    const size_t sizes[2] = {half, array->count - half};
    put_number(header, 2, width, w->big);
    put_number(header, half, width, w->big);
    put_number(header, sizes[1] == half ? 0 : sizes[1], width, w->big);
    for (int i = 0; i < 2; i++) {
        unsigned char block[1024];
        uLongf size = sizeof block;
        assert_int_equal(compress(block, &size, array->data + (i ? half : 0), sizes[i]), Z_OK);
        put_number(header, size, width, w->big);
        put(data, block, size);
    }
}

static void put_array(writer *w, const char *type, const char *name, const bytes *array, const char *text) {
    static const char *const formats[] = {"ascii", "binary", "appended", "appended"};
    char tag[200];
    snprintf(tag, sizeof tag, "<DataArray type=\"%s\" Name=\"%s\" format='%s' offset=\"%zu\">", type, name,
             formats[w->encoding], w->appended.count);
    put_text(&w->file, tag);
    bytes header = {.count = 0}, data = {.count = 0};
    pack(w, array, &header, &data);
    bytes *to = w->encoding == BASE64 ? &w->file : &w->appended;
    if (w->encoding == ASCII) put_text(&w->file, text);
    else if (w->encoding == APPENDED_RAW) put(to, header.data, header.count), put(to, data.data, data.count);
    else {
        put_text(to, w->encoding == BASE64 ? "\n  " : "");
        put_base64(to, &header);
        put_base64(to, &data);
    }
    put_text(&w->file, "</DataArray>\n");
}

static void put_ints(writer *w, const char *type, const char *name, const uint32_t *values, size_t count) {
    bytes array = {.count = 0};
    char text[200] = "";
    const size_t size = strcmp(type, "UInt8") == 0 ? 1 : strcmp(type, "Int64") == 0 ? 8 : 4;
    for (size_t i = 0; i < count; i++) {
        put_number(&array, values[i], size, w->big);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u\n", values[i]);
    }
    put_array(w, type, name, &array, text);
}

static void put_xml(writer *w) {
    char tag[200];
    bytes coordinates = {.count = 0};
    for (int i = 0; i < 15; i++) put_float(&coordinates, points[i], w->big);
    snprintf(tag, sizeof tag,
             "<?xml version=\"1.0\"?>\n<!-- <Piece> -->\n<VTKFile type=\"UnstructuredGrid\" "
             "byte_order=\"%s\" header_type=\"%s\"%s>",
             w->big ? "BigEndian" : "LittleEndian", w->wide ? "UInt64" : "UInt32",
             w->compressed ? " compressor=\"vtkZLibDataCompressor\"" : "");
    put_text(&w->file, tag);
    put_text(&w->file,
             "<UnstructuredGrid><Piece NumberOfPoints=\"5\" NumberOfCells=\"3\">\n<PointData></PointData><Points>");
    put_array(w, "Float32", "Points", &coordinates, "0 0 0 1 0 0\t0 1 0 0 0 0.1000000014901161194 1 1 0.25");
    put_text(&w->file, "</Points><Cells>");
    put_ints(w, "Int64", "connectivity", connectivity, 11);
    put_ints(w, "Int32", "offsets", ends, 3);
    put_ints(w, "UInt8", "types", types, 3);
    put_text(&w->file, "</Cells></Piece></UnstructuredGrid>\n");
    if (w->encoding >= APPENDED_RAW) {
        put_text(&w->file, w->encoding == APPENDED_RAW ? "<AppendedData encoding=\"raw\">\n_"
                                                       : "<AppendedData encoding=\"base64\">_");
        put(&w->file, w->appended.data, w->appended.count);
        put_text(&w->file, "\n</AppendedData>");
    }
    put_text(&w->file, "</VTKFile>\n");
}

static void xml_in_all_encodings(void **state) {
    (void)state;
    for (int i = 0; i < 32; i++) {
        writer w = {.encoding = (encoding)(i % 4), .compressed = i & 4, .wide = i & 8, .big = i & 16};
        put_xml(&w);
        check_file("a.vtu", &w.file);
    }
}

static void xml_pieces_and_poly_data(void **state) {
    (void)state;
    static const char file[] =
        "<VTKFile type='PolyData'><PolyData>"
        "<Piece NumberOfPoints='3'><Points><DataArray type='Float64'>0 0 0 1 0 0 0 1 0</DataArray></Points>"
        "<Polys><DataArray type='Int32' Name='connectivity'>0 1 2 0 1</DataArray>"
        "<DataArray type='Int32' Name='offsets'>3 5</DataArray></Polys></Piece>"
        "<Piece NumberOfPoints='5'><Polys><DataArray type='Int32' Name='connectivity'>0 1 2 3 0 1 2 3 4</DataArray>"
        "<DataArray type='Int32' Name='offsets'>4 9</DataArray></Polys>"
        "<Lines><DataArray type='Int32' Name='connectivity'>4 3</DataArray>"
        "<DataArray type='Int32' Name='offsets'>2</DataArray></Lines>"
        "<Points><DataArray type='Float64'>0 0 1 1 0 1 0 1 1 1 1 1 0 0 2</DataArray></Points></Piece>"
        "</PolyData></VTKFile>";
    physics_scene *test = loader_read("MeshVTKLoader", "a.vtp", TEXT(file), "");
    loader_counts(test, (size_t[6]){8, 1, 1, 1, 0, 0});
    loader_first(test, ST_QUAD, (uint32_t[]){3, 4, 5, 6}, 1);
    assert_int_equal(loader_of(test)->polylines.count, 2);
    assert_string_equal(loader_of(test)->polylines.data[0], "3 4 5 6 7");
    assert_string_equal(loader_of(test)->polylines.data[1], "7 6");
    physics_free(test);
}

// ---------------------------------------------------------------------------------------------------
// Broken files
// ---------------------------------------------------------------------------------------------------

#define XML(points, offsets, connectivity, types)                                                                      \
    "<VTKFile type='UnstructuredGrid'>\n<Piece NumberOfPoints='2'><Points>\n<DataArray type='Float32'>" points         \
    "</DataArray></Points><Cells>\n<DataArray type='Int32' Name='connectivity'>" connectivity                          \
    "</DataArray>\n<DataArray type='Int32' Name='offsets'>" offsets                                                    \
    "</DataArray>\n<DataArray type='UInt8' Name='types'>" types "</DataArray></Cells></Piece></VTKFile>"

static void broken_files(void **state) {
    (void)state;
    static const struct {
        const char *content, *place, *what;
    } broken[] = {
        {"garbage", "1:", "# vtk DataFile"},
        {"# vtk DataFile Version 2.0\n\nUNKNOWN\n", "3:", "ASCII or BINARY"},
        {"# vtk DataFile Version 2.0\n\nASCII\nDATASET STRUCTURED_GRID\n", "4:", "POLYDATA"},
        {HEADER "POINTS 1000000000000 float\n0 0 0\n", "7:", "point 2 of 1000000000000"},
        {HEADER "POINTS 1 float\n0 nan 0\n", "6:", "\"nan\""},
        {HEADER "POINTS 1 float\n0 1e39 0\n", "6:", "\"1e39\""},
        {HEADER "POINTS 1 color\n0 0 0\n", "5:", "type of numbers"},
        {HEADER "POINTS 1 float\n0 0 0\nCELLS 1 3\n2 0 1\nCELL_TYPES 1\n3\n", "7:", "point 1, but there are only 1"},
        {HEADER "POINTS 1 float\n0 0 0\nCELLS 1 3\n2 0 -1\nCELL_TYPES 1\n3\n", "7:", "point -1"},
        {HEADER "POINTS 1 float\n0 0 0\nCELLS 1 3\n9 0 0\nCELL_TYPES 1\n3\n", "7:", "does not fit"},
        {HEADER "POINTS 1 float\n0 0 0\nCELLS 900000000000 3\n2 0 0\nCELL_TYPES 1\n3\n",
         "7:", "cell 1 of 900000000000"},
        {HEADER "POINTS 1 float\n0 0 0\nCELLS 1 3\n2 0 0\nCELL_TYPES 7\n3\n", "9:", "7 types"},
        {HEADER "POINTS 1 float\n0 0 0\nCELLS 1 3\n2 0 0\nCELL_TYPES 1\n10\n", "7:", "2 points, but its type 10 has 4"},
        {HEADER "POINTS 1 float\n0 0 0\nCELLS 1 3\n2 0 0\n", "9:", "CELL_TYPES"},
        {HEADER "POINTS 1 float\n0 0 0\nNONSENSE 1 3\n", "7:", "NONSENSE"},
        {"# vtk DataFile Version 2.0\n\nBINARY\nDATASET POLYDATA\nPOINTS 77777777777 float\n\1\2\3\4", " byte 77",
         "77777777777 numbers of 12 bytes"},
        {"<VTKFile type='ImageData'>\n</VTKFile>", "1:", "UnstructuredGrid or PolyData"},
        {"<VTKFile type='PolyData' compressor='vtkLZ4DataCompressor'>\n</VTKFile>", "1:", "compressor"},
        {"<?xml version='1.0'?>\n<html></html>", "2:", "VTKFile is expected"},
        {"<VTKFile type='PolyData'>\n<Piece NumberOfPoints='1", "2:", "does not end"},
        {XML("0 0 0 1 0", "2", "0 1", "3"), "3:", "should be 2 points, but there are 5"},
        {XML("0 0 0 1 0 inf", "2", "0 1", "3"), "3:", "\"inf\""},
        {XML("0 0 0 1 0 0", "2", "0 2", "3"), "4:", "point 2"},
        {XML("0 0 0 1 0 0", "3", "0 1", "3"), "4:", "ends at point 3"},
        {XML("0 0 0 1 0 0", "2 1", "0 1", "3 3"), "4:", "ends at point 1"},
        {XML("0 0 0 1 0 0", "2", "0 1", "3 3"), "6:", "as many types"},
        {XML("0 0 0 1 0 0", "2", "0 x", "3"), "4:", "\"x\""},
        {"<VTKFile type='PolyData'>\n<Piece NumberOfPoints='1000000000000'><Points>\n<DataArray type='Float32' "
         "format='binary'>DAAAAAAAAAAAAAAAAAAAAA==</DataArray></Points></Piece></VTKFile>",
         "3:", "1000000000000 points, but there are 3"},
        {"<VTKFile type='PolyData'>\n<Piece NumberOfPoints='1'><Points>\n<DataArray type='Float32' "
         "format='binary'>////////</DataArray></Points></Piece></VTKFile>",
         "3:", "shorter"},
        {"<VTKFile type='PolyData'>\n<Piece NumberOfPoints='1'><Points>\n<DataArray type='Float32' "
         "format='appended' offset='99'/></Points></Piece>\n<AppendedData>_</AppendedData></VTKFile>",
         "3:", "offset"},
        {"<VTKFile type='PolyData' compressor='vtkZLibDataCompressor'>\n<Piece NumberOfPoints='1'><Points>\n<DataArray "
         "type='Float32' format='binary'>AQAAAP///38AAAAABAAAAA==AAAAAA==</DataArray></Points></Piece></VTKFile>",
         "3:", "block"},
        {"<VTKFile type='PolyData' compressor='vtkZLibDataCompressor'>\n<Piece NumberOfPoints='1'><Points>\n<DataArray "
         "type='Float32' format='binary'>AQAAABAAAAAAAAAABAAAAA==AAAAAA==</DataArray></Points></Piece></VTKFile>",
         "3:", "damaged"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        loader_refuses("MeshVTKLoader", "broken.vtk", TEXT(broken[i].content), broken[i].place, broken[i].what);
}

static void truncated_anywhere(void **state) {
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        writer w = {.encoding = (encoding)(kind % 4), .compressed = kind & 1};
        if (kind < 4) put_xml(&w);
        else put_legacy_binary(&w.file, kind == 5);
        for (size_t length = 1; length < w.file.count; length += 5) {
            physics_scene *test = loader_load("MeshVTKLoader", loader_file("cut.vtk", w.file.data, length), "");
            const st_mesh_loader *loader = loader_of(test);
            assert_true(loader->position.count == 0 ? test->count[ST_ERROR] > 0 : loader->position.count == 5);
            physics_free(test);
        }
    }
    remove(loader_file("cut.vtk", "", 0));
}

static void real_meshes(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t points, tetrahedra, quads;
    } meshes[] = {
        {"raptorTetra_19409.vtu", 5992, 19409, 0}, {"test_quad.vtk", 312, 0, 288}, {"SOFA_volume.vtk", 959, 0, 0}};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        physics_scene *test = loader_load("MeshVTKLoader", loader_shared(meshes[i].name), "");
        assert_int_equal(loader_of(test)->position.count, meshes[i].points);
        if (meshes[i].tetrahedra)
            assert_int_equal(loader_of(test)->elements[ST_TETRAHEDRON].count, meshes[i].tetrahedra);
        assert_int_equal(loader_of(test)->elements[ST_QUAD].count, meshes[i].quads);
        assert_int_equal(test->count[ST_ERROR], 0);
        physics_free(test);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legacy_text),
        cmocka_unit_test(declared_floats_are_single),
        cmocka_unit_test(legacy_binary_in_both_orders),
        cmocka_unit_test(types_of_cells),
        cmocka_unit_test(poly_data),
        cmocka_unit_test(xml_in_all_encodings),
        cmocka_unit_test(xml_pieces_and_poly_data),
        cmocka_unit_test(broken_files),
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(real_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
