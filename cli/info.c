// `settee info`: what is known of components, from their own tables.
//
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "info.h"

// ---------------------------------------------------------------------------------------------------
// All classes
// ---------------------------------------------------------------------------------------------------

// Up to the first period that ends a sentence, without it.
size_t st_cli_first_sentence(const char *text) {
    const char *at = text;
    for (; *at; at++)
        if (*at == '\n' || (*at == '.' && (at[1] == ' ' || at[1] == '\n' || at[1] == 0))) break;
    return (size_t)(at - text);
}

static int compare_kinds(const void *a, const void *b) {
    const st_class_description *x = a, *y = b;
    if (x->inert != y->inert) return x->inert ? 1 : -1;

    const int order = x->inert ? 0 : strcmp(x->kind, y->kind);
    return order ? order : strcmp(x->name, y->name);
}

bool st_cli_classes_create(st_cli_classes *classes) {
    *classes = (st_cli_classes){0};
    st_class_description description;
    size_t capacity = 0;

    // the table has no count of its own
    while (st_describe_class(classes->count, &description)) {
        if (classes->count == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            st_class_description *data = realloc(classes->data, capacity * sizeof *data);
            if (!data) {
                free(classes->data);
                return false;
            }
            classes->data = data;
        }
        classes->data[classes->count++] = description;
    }

    if (classes->count) qsort(classes->data, classes->count, sizeof *classes->data, compare_kinds);
    return true;
}

static void list_class(const st_class_description *c, size_t name_width, size_t width) {
    const size_t column = (size_t)printf("  %-*s ", (int)name_width, c->name);

    char *sentence = strndup(c->help, st_cli_first_sentence(c->help));
    if (sentence) st_cli_print_wrapped(stdout, sentence, column, name_width + 3, width);
    free(sentence);
    puts(c->deprecated ? " (deprecated)" : "");
}

// Components without effect: only their names.
static void list_inert(const st_cli_classes *classes, size_t first, size_t width) {
    size_t column = 0;
    for (size_t i = first; i < classes->count; i++) {
        const size_t length = strlen(classes->data[i].name);
        if (column == 0 || column + 2 + length > width) column = (size_t)printf("%s ", column ? "\n" : "");
        column += (size_t)printf(" %s", classes->data[i].name);
    }
    puts("");
}

static void list_classes(const st_cli_classes *classes) {
    const size_t width = st_cli_width(stdout);

    size_t name_width = 0, i;

    // names in one column
    for (i = 0; i < classes->count && !classes->data[i].inert; i++)
        if (strlen(classes->data[i].name) > name_width) name_width = strlen(classes->data[i].name);

    // a title before each kind; those without effect come last, in one paragraph
    const char *kind = "";
    for (i = 0; i < classes->count; i++) {
        const st_class_description *c = &classes->data[i];
        const char *now = st_cli_kind_title(c);
        if (strcmp(kind, now) != 0) printf("%s%s\n", *kind ? "\n" : "", now);
        kind = now;
        if (c->inert) break;
        list_class(c, name_width, width);
    }

    list_inert(classes, i, width);
    printf("\n%zu components. 'settee info NAME' describes one.\n", classes->count);
}

const char *st_cli_kind_title(const st_class_description *c) { return c->inert ? "known, without effect" : c->kind; }

// ---------------------------------------------------------------------------------------------------
// One class
// ---------------------------------------------------------------------------------------------------

static void put_labeled(const char *label, const char *text, size_t width) {
    if (!*text) return;
    const size_t column = (size_t)printf("%-10s ", label);
    st_cli_print_wrapped(stdout, text, column, 11, width);
    fputc('\n', stdout);
}

static void put_field(const st_field_description *f, size_t width) {
    // name (type: options) = "default", flags, aliases
    printf("  %s (%s", f->name, f->type);
    for (size_t i = 0; f->options && f->options[i]; i++) printf("%s %s", i ? "," : ":", f->options[i]);

    fputc(')', stdout);
    if (*f->value) printf(" = \"%s\"", f->value);
    printf("%s%s%s", f->required ? ", required" : "", f->output ? ", computed" : "", f->no_effect ? ", no effect" : "");
    if (f->live != ST_LIVE && !f->output) printf(", %s", f->live == ST_FIXED ? "fixed after init" : "at reinit");
    if (*f->aliases) printf(", also %s", f->aliases);

    fputc('\n', stdout);

    if (!*f->help) return;
    fputs("        ", stdout);
    st_cli_print_wrapped(stdout, f->help, 8, 8, width);
    fputc('\n', stdout);
}

// Fields of the class itself, then those of each parent under its name.
static void put_fields(const char *name, size_t width) {
    const char *from = NULL;
    st_field_description f;
    for (size_t i = 0; st_describe_field(name, i, &f); i++) {
        // a title where the class changes
        if (!from || strcmp(from, f.inherited_from) != 0) {
            if (strcmp(f.inherited_from, name) == 0) printf("\nAttributes\n");
            else printf("\nAttributes of every %s\n", f.inherited_from);
        }
        from = f.inherited_from;
        put_field(&f, width);
    }
}

bool st_cli_find_class(const char *name, st_class_description *description) {
    for (size_t i = 0; st_describe_class(i, description); i++)
        if (strcmp(description->name, name) == 0) return true;
    return false;
}

static void describe(const st_class_description *c) {
    const size_t width = st_cli_width(stdout);
    printf("%s (%s%s)\n", c->name, st_cli_kind_title(c), c->deprecated ? ", deprecated" : "");

    st_cli_print_wrapped(stdout, c->help, 0, 0, width);
    puts(*c->help ? "\n" : "");

    put_labeled("templates", c->templates, width);
    put_labeled("also", c->aliases, width);
    put_fields(c->name, width);
    if (*c->example) printf("\nExample\n%s\n", c->example);
}

// ---------------------------------------------------------------------------------------------------

// The present name of the component, or NULL with a message.
static const char *resolve(const char *name) {
    const char *suggestion = NULL, *explanation = NULL;

    const char *found = st_class_by_any_name(name, &suggestion, &explanation);
    if (found && strcmp(found, name) != 0)
        fprintf(stderr, "settee: notice: '%s' is called %s%s%s\n", name, found, explanation ? ": " : "",
                explanation ? explanation : "");

    // a former name is explained, a misspelled one corrected
    if (found) return found;
    st_cli_error("there is no component '%s'%s%s%s%s%s", name, explanation ? ": " : "", explanation ? explanation : "",
                 suggestion ? "; did you mean '" : "", suggestion ? suggestion : "", suggestion ? "'?" : "");
    return NULL;
}

static void put_missing(void) {
    const char *name;
    for (size_t i = 0; (name = st_describe_missing(i)); i++) puts(name);
}

static void put_names(void) {
    st_class_description c;
    for (size_t i = 0; st_describe_class(i, &c); i++) puts(c.name);
}

static int info_all(const st_cli_options *options) {
    if (options->missing) put_missing();
    else if (options->json) st_cli_info_json(stdout, NULL);
    else if (options->markdown) st_cli_info_markdown(stdout, NULL);
    else if (options->names) put_names();
    else {
        // sorted by kind
        st_cli_classes classes;
        if (!st_cli_classes_create(&classes)) {
            st_cli_error("out of memory");
            return ST_CLI_FAILED;
        }
        list_classes(&classes);
        free(classes.data);
    }
    return ST_CLI_OK;
}

int st_cli_info(const st_cli_options *options) {
    if (!options->operand || options->missing) return info_all(options);
    const char *name = resolve(options->operand);
    st_class_description description;

    if (!name) return ST_CLI_USAGE;
    if (!st_cli_find_class(name, &description)) {
        st_cli_error("%s is not described", name);
        return ST_CLI_FAILED;
    }

    // in the form that was asked for
    if (options->json) st_cli_info_json(stdout, name);
    else if (options->markdown) st_cli_info_markdown(stdout, name);
    else if (options->names) puts(name);
    else describe(&description);
    return ST_CLI_OK;
}
