// Printing: width and colors of a terminal, wrapped text, text from outside, errors of the program itself.
//
// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

bool st_cli_is_terminal(FILE *file) {
    const char *terminal = getenv("TERM");
    return isatty(fileno(file)) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

bool st_cli_has_color(FILE *file) {
    const char *off = getenv("NO_COLOR");
    return !(off && *off) && st_cli_is_terminal(file);
}

size_t st_cli_width(FILE *file) {
    struct winsize size;
    if (isatty(fileno(file)) && ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
    return 80;
}

void st_cli_print_clean(FILE *file, const char *text) {
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '\n') fputs("\n    ", file);
        else fputc((c < 0x20 && c != '\t') || c == 0x7f ? '?' : c, file);
    }
}

void st_cli_error(const char *format, ...) {
    char text[4096];

    // formatted first: the text may hold control characters
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    const bool color = st_cli_has_color(stderr);
    fputs(color ? "settee: \033[1;31merror:\033[0m " : "settee: error: ", stderr);
    st_cli_print_clean(stderr, text);
    fputc('\n', stderr);
}

// Columns that a word takes: bytes that continue a UTF-8 character take none.
static size_t columns(const char *word, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++) count += ((unsigned char)word[i] & 0xc0) != 0x80;
    return count;
}

static void new_line(FILE *file, size_t indent) { fprintf(file, "\n%*s", (int)indent, ""); }

void st_cli_print_wrapped(FILE *file, const char *text, size_t column, size_t indent, size_t width) {
    if (width < indent + 20) width = indent + 20;

    bool first = true;
    while (*(text += strspn(text, " \n"))) {
        const size_t length = strcspn(text, " \n"), wide = columns(text, length);

        // a word that does not fit begins a line
        if (!first && column + 1 + wide > width) {
            new_line(file, indent);
            column = indent;
        } else if (!first) {
            fputc(' ', file);
            column++;
        }

        fwrite(text, 1, length, file);
        column += wide;
        text += length;
        first = false;
    }
}

bool st_cli_next_block(const char **text, const char **start, size_t *length, bool *kept) {
    const char *at = *text + strspn(*text, "\n");
    if (!*at) return false;

    const char *end = strstr(at, "\n\n");
    *start = at;
    *length = end ? (size_t)(end - at) : strlen(at);
    *kept = at[0] == ' ';
    *text = at + *length;
    return true;
}

const char *st_cli_figure(double value, char text[32]) {
    if (value >= 999.5 && value < 1e9) snprintf(text, 32, "%.0f", value);
    else snprintf(text, 32, "%.3g", value);
    return text;
}

void st_cli_guard_standard_files(void) {
    // The wrong direction on purpose: writing to a closed standard output stays an error.
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
            if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0) return;
}

bool st_cli_flush_stdout(void) {
    errno = 0;
    const bool before = ferror(stdout) != 0;

    if (fflush(stdout) == 0 && !before) return true;

    // The reader of a pipe that has gone has read enough.
    if (errno != EPIPE) st_cli_error("standard output: %s", errno ? strerror(errno) : "a write failed");
    clearerr(stdout);
    return false;
}
