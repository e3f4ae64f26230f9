// A stroke font for the printable ASCII characters.
//
// A glyph is a string of strokes separated by blanks; a stroke is a sequence of points, two digits each: x from 0 to 6,
// and y from 0 (lowest descender) over 2 (base line) and 7 (top of an x) to 9 (top of capitals). A stroke of a single
// point is a dot.
//
// SPDX-License-Identifier: Apache-2.0
#include "visual/text.h"

static const char *const glyphs[] = {
    "",                                 // space
    "3934 32",                          // !
    "2927 4947",                        // "
    "2822 4842 0666 0464",              // #
    "685919080716556463521203 3931",    // $
    "0269 0819281708 4354635243",       // %
    "621718293948470403123265",         // &
    "3937",                             // '
    "493826253342",                     // (
    "293846453322",                     // )
    "3834 1755 1557",                   // *
    "3733 1555",                        // +
    "333221",                           // ,
    "1555",                             // -
    "32",                               // .
    "1259",                             // /
    "294957544222141729",               // 0
    "173932 1252",                      // 1
    "08195968670262",                   // 2
    "08195968675626 566563521203",      // 3
    "52590464",                         // 4
    "690906566563521203",               // 5
    "5929070312526364551504",           // 6
    "096922",                           // 7
    "16070819596867561605031252636556", // 8
    "1242646859190807165667",           // 9
    "36 33",                            // :
    "36 333221",                        // ;
    "581552",                           // <
    "0666 0464",                        // =
    "185512",                           // >
    "08195968673534 32",                // ?
    "52220407294967644447272444",       // @
    "023962 1454",                      // A
    "02095968675606 5665635202",        // B
    "6859290704225263",                 // C
    "02094967644202",                   // D
    "69090262 0656",                    // E
    "690902 0656",                      // F
    "68592907042252636535",             // G
    "0902 6962 0666",                   // H
    "1959 1252 3932",                   // I
    "5953421203",                       // J
    "0902 6904 2662",                   // K
    "090262",                           // L
    "0209356962",                       // M
    "02096269",                         // N
    "294967644222040729",               // O
    "02095968665505",                   // P
    "294967644222040729 4462",          // Q
    "02095968665505 3562",              // R
    "685919080716556463521203",         // S
    "0969 3932",                        // T
    "090312526369",                     // U
    "093269",                           // V
    "0912375269",                       // W
    "0962 6902",                        // X
    "093669 3632",                      // Y
    "09690262",                         // Z
    "49292242",                         // [
    "1952",                             // backslash
    "29494222",                         // ]
    "173957",                           // ^
    "0161",                             // _
    "2938",                             // `
    "17576662 65150403125263",          // a
    "0902 0617576663521203",            // b
    "6657170603125263",                 // c
    "6962 6657170603125263",            // d
    "05656657170603125263",             // e
    "59493832 1757",                    // f
    "67615010 6657170603125263",        // g
    "0902 0617576662",                  // h
    "273732 1252 39",                   // i
    "2747413010 49",                    // j
    "0902 5704 2552",                   // k
    "2939334252",                       // l
    "0702 0617273632 3647576662",       // m
    "0702 0617576662",                  // n
    "175766635212030617",               // o
    "0700 0617576663521203",            // p
    "6760 6657170603125263",            // q
    "1712 15375766",                    // r
    "66571706155463521203",             // s
    "2923325263 0757",                  // t
    "0703125263 6762",                  // u
    "073267",                           // v
    "0712365267",                       // w
    "0762 6702",                        // x
    "0732 672010",                      // y
    "07670262",                         // z
    "49383625343342",                   // {
    "3931",                             // |
    "29383645343322",                   // }
    "051626445465",                     // ~
};

// Letters are taller than wide; the unit of x is smaller than that of y, and a cell is 9 units wide.
static const double narrow = 0.72, cell = 9;
static const float front = 1e9f; // nearer than anything else

// From one character to the next.
static double advance(double height) { return height / 7 * narrow * cell; }

static st_raster_vertex glyph_point(const char *digits, double x, double y, double unit) {
    return (st_raster_vertex){
        .x = x + (digits[0] - '0') * unit * narrow, .y = y - (digits[1] - '2') * unit, .depth = front};
}

static void draw_glyph(st_raster *raster, const char *strokes, double x, double y, double unit,
                       const st_raster_style *style) {
    const double half_width = 0.45 * unit;
    while (*strokes) {
        // a stroke of one point is a dot, thicker than a line
        st_raster_vertex from = glyph_point(strokes, x, y, unit);
        strokes += 2;
        if (!*strokes || *strokes == ' ') st_raster_line(raster, &from, &from, 1.4 * half_width, style);

        while (*strokes && *strokes != ' ') {
            const st_raster_vertex to = glyph_point(strokes, x, y, unit);
            st_raster_line(raster, &from, &to, half_width, style);
            from = to;
            strokes += 2;
        }

        if (*strokes == ' ') strokes++;
    }
}

double st_text_width(const char *text, double height) {
    size_t count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
    return (double)count * advance(height);
}

void st_text_draw(st_raster *raster, const char *text, double x, double y, double height, const float color[3]) {
    const st_raster_style style = {.color = {color[0], color[1], color[2]}, .alpha = 1};
    const double unit = height / 7;

    double pen = x;
    for (; *text && y < raster->height + 2 * height; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '\n') {
            pen = x;
            y += 1.7 * height;
        } else if ((c & 0xC0) != 0x80) { // the later bytes of a UTF-8 character are skipped
            if (pen < raster->width)
                draw_glyph(raster, glyphs[c >= ' ' && c <= '~' ? c - ' ' : '?' - ' '], pen, y, unit, &style);
            pen += advance(height);
        }
    }
}
