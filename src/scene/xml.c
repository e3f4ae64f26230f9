// XML to raw elements, by libxml2.
//
// The document is in memory and mended (xml_text.c): it holds tags and text and no declaration of any kind, so that
// libxml2 has nothing to expand, to load or to fetch. Its callbacks build the elements at once, and stop the parser as
// soon as a limit is passed; text between tags has no meaning in a scene and is dropped. Scenes know no name spaces: a
// prefix is part of the name.
//
// SPDX-License-Identifier: Apache-2.0
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

#include "scene/xml.h"

typedef struct builder {
    st_xml_budget *budget;
    xmlParserCtxtPtr parser;
    const char *file;
    const st_xml_text *text;
    size_t depth; // of elements around the document
    size_t tag;   // start tags seen
    st_xml_element *root;
    ST_LIST(st_xml_element *) open; // from the root to where the parser is
    bool failed;
    int line; // of the problem
    char problem[512];
} builder;

static void stop(builder *b, int line, const char *problem) {
    if (b->failed) return;

    b->failed = true;
    b->line = line;
    snprintf(b->problem, sizeof b->problem, "%s", problem);
    xmlStopParser(b->parser);
}

static void give_up(builder *b, int line, const char *problem) {
    b->budget->exhausted = true;
    stop(b, line, problem);
}

// The line at which a tag opens; libxml2 knows only where it ends.
static int next_line(builder *b) { return b->tag < b->text->tags.count ? b->text->tags.data[b->tag++] : 0; }

static char *full_name(const xmlChar *prefix, const xmlChar *name) {
    return prefix ? st_string_format("%s:%s", (const char *)prefix, (const char *)name)
                  : st_string_copy((const char *)name);
}

// libxml2 gives five pointers an attribute: name, prefix, name space, begin and end of the value.
static bool add_attribute(st_xml_element *element, const xmlChar *const *five) {
    const st_attr attr = {full_name(five[1], five[0]),
                          st_string_copy_n((const char *)five[3], (size_t)(five[4] - five[3]))};

    if (attr.name && attr.value && st_list_push(&element->attrs, attr)) return true;
    st_free(attr.name);
    st_free(attr.value);
    return false;
}

static void add_attributes(builder *b, st_xml_element *element, size_t count, const xmlChar **attributes) {
    b->budget->attributes += count;
    if (b->budget->attributes > ST_XML_ATTRIBUTES)
        return give_up(b, element->line, "the scene has more than 4000000 attributes");

    for (size_t i = 0; i < count; i++)
        if (!add_attribute(element, attributes + 5 * i)) return give_up(b, element->line, "out of memory");

    if (!st_xml_element_sort(element)) stop(b, element->line, "an attribute is given twice");
}

static bool xml_attach(builder *b, st_xml_element *element) {
    if (b->open.count > 0) return st_list_push(&b->open.data[b->open.count - 1]->children, element);
    b->root = element;
    return true;
}

static st_xml_element *open_element(builder *b, char *name, int line) {
    st_xml_element *element = name ? st_xml_element_create(name, b->file, line) : NULL;

    st_free(name);
    if (element && xml_attach(b, element)) return st_list_push(&b->open, element) ? element : NULL;
    st_xml_element_destroy(element);
    return NULL;
}

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
                     const xmlChar **namespaces, int count, int defaulted, const xmlChar **attributes) {
    builder *b = user;
    (void)uri, (void)namespace_count, (void)namespaces;
    const int line = next_line(b);

    if (b->failed) return;

    // limits, so that no file can take all memory
    if (b->depth + b->open.count >= ST_XML_DEPTH) return give_up(b, line, "elements are nested deeper than 256");
    if (++b->budget->elements > ST_XML_ELEMENTS) return give_up(b, line, "the scene has more than 1000000 elements");

    st_xml_element *element = open_element(b, full_name(prefix, name), line);
    if (element) add_attributes(b, element, (size_t)(count - defaulted), attributes);
    else give_up(b, line, "out of memory");
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    builder *b = user;
    (void)name, (void)prefix, (void)uri;
    if (!b->failed && b->open.count > 0) b->open.count--;
}

static void on_error(void *user, xmlErrorPtr error) {
    builder *b = user;
    if (b->failed || error->level < XML_ERR_ERROR || error->domain == XML_FROM_NAMESPACE) return;

    char text[sizeof b->problem];
    snprintf(text, sizeof text, "malformed XML: %s", error->message ? error->message : "no reason given");

    // on one line, without the break at its end
    for (size_t end = strlen(text); end > 0 && (text[end - 1] == '\n' || text[end - 1] == ' '); end--)
        text[end - 1] = 0;
    for (char *at = text; *at; at++)
        if (*at == '\n') *at = ' ';

    stop(b, error->line, text);
}

static void xml_run(builder *b) {
    b->parser = xmlNewParserCtxt();
    if (!b->parser) {
        b->budget->exhausted = b->failed = true;
        snprintf(b->problem, sizeof b->problem, "out of memory");
        return;
    }

    // elements go to the builder as they come
    *b->parser->sax = (xmlSAXHandler){
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = on_start,
        .endElementNs = on_end,
        .serror = on_error,
    };
    b->parser->userData = b;

    const st_text *text = &b->text->text;

    // NOENT makes & of &amp;, no more: there is no entity that was not mended away.
    const int options = XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOENT;
    xmlDocPtr document =
        xmlCtxtReadMemory(b->parser, text->data ? text->data : "", (int)text->length, NULL, NULL, options);

    if (document) xmlFreeDoc(document);
    if (!b->parser->wellFormed) stop(b, 0, "malformed XML");
    xmlFreeParserCtxt(b->parser);
}

static void xml_build(builder *b) {
    if (b->text->tags.count == 0) {
        b->failed = true;
        b->line = 1;
        snprintf(b->problem, sizeof b->problem, "there is no XML element in it: this is not a scene");
    } else {
        xml_run(b);
    }

    // half a tree is none
    if (!b->failed && b->root) return;
    st_xml_element_destroy(b->root);
    b->root = NULL;
}

// A quotation mark that is missing swallows the tags up to the next one: where that happened is a better place to look.
static void report_problem(st_scene *scene, const char *file, const st_xml_text *text, int line, const char *problem) {
    if (text->odd_value)
        st_scene_message(scene, ST_ERROR, "scene", file, text->odd_value,
                         "an attribute's value contains '<': is its quotation mark missing? (line %d: %s)", line,
                         problem);
    else st_scene_message(scene, ST_ERROR, "scene", file, line, "%s", problem);
}

st_xml_element *st_xml_parse(st_scene *scene, st_xml_budget *budget, const char *source, size_t length,
                             const char *file, size_t depth) {
    st_xml_text text;
    if (!st_xml_repair(&text, source, length)) {
        report_problem(scene, file, &text, text.line, text.problem);
        st_xml_text_free(&text);
        return NULL;
    }

    if (text.latin) st_scene_message(scene, ST_NOTICE, "scene", file, 0, "the file is not UTF-8: read as Latin-1");
    if (text.tail)
        st_scene_message(scene, ST_WARNING, "scene", file, text.tail,
                         "what follows the root element is ignored: a scene has one root");

    // half a tree is none: the problem is reported
    builder b = {.budget = budget, .file = file, .text = &text, .depth = depth};
    xml_build(&b);

    if (!b.root) report_problem(scene, file, &text, b.line, b.problem);
    st_list_free(&b.open);
    st_xml_text_free(&text);
    return b.root;
}
