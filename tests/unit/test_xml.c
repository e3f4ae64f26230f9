// Scene files as trees of elements: what each tag means, includes and macros, what a lenient parser forgives, the
// limits, and the file and line of every diagnostic.
//
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "scene/xml.h"

// ---------------------------------------------------------------------------------------------------
// A scene with a folder of its own, and what it said
// ---------------------------------------------------------------------------------------------------

typedef struct message {
    st_severity severity;
    int line;
    char file[512];
    char text[1024];
} message;

typedef struct fixture {
    st_scene *scene;
    char folder[64];
    message messages[64];
    size_t count;
} fixture;

static void record(void *user, const st_diagnostic *diagnostic) {
    fixture *f = user;
    if (f->count == sizeof f->messages / sizeof *f->messages) return;
    message *m = &f->messages[f->count++];
    m->severity = diagnostic->severity;
    m->line = diagnostic->line;
    snprintf(m->file, sizeof m->file, "%s", diagnostic->file ? diagnostic->file : "");
    snprintf(m->text, sizeof m->text, "%s", diagnostic->text);
}

static st_scene *make_scene(fixture *f, bool strict) {
    st_config config = st_default_config();
    config.log = record;
    config.log_user = f;
    config.strict = strict;
    return st_scene_create(&config);
}

static int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    snprintf(f->folder, sizeof f->folder, "/tmp/settee-xml-%ld", (long)getpid());
    assert_int_equal(mkdir(f->folder, 0700), 0);
    f->scene = make_scene(f, false);
    assert_non_null(f->scene);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    st_scene_destroy(f->scene);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    const int status = system(command); // NOLINT(cert-env33-c)
    free(f);
    return status;
}

static const char *path_of(const fixture *f, const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    return path;
}

static void write_bytes(const fixture *f, const char *name, const char *bytes, size_t length) {
    FILE *file = fopen(path_of(f, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void write_file(const fixture *f, const char *name, const char *text) {
    write_bytes(f, name, text, strlen(text));
}

static st_xml_element *read_bytes(fixture *f, const char *bytes, size_t length) {
    f->count = 0;
    return st_xml_element_read_text(f->scene, bytes, length, "test.scn", f->folder);
}

static st_xml_element *read_text(fixture *f, const char *text) { return read_bytes(f, text, strlen(text)); }

static st_xml_element *read_quietly(fixture *f, const char *text) {
    st_xml_element *root = read_text(f, text);
    if (f->count > 0) fail_msg("unexpected message: %s", f->messages[0].text);
    assert_non_null(root);
    return root;
}

static void assert_message(const fixture *f, size_t index, st_severity severity, const char *file, int line,
                           const char *part) {
    assert_true(index < f->count);
    const message *m = &f->messages[index];
    if (!strstr(m->text, part)) fail_msg("message '%s' does not contain '%s'", m->text, part);
    if (m->line != line) fail_msg("line %d instead of %d: %s", m->line, line, m->text);
    assert_int_equal(m->severity, severity);
    const size_t length = strlen(m->file), tail = strlen(file);
    if (length < tail || strcmp(m->file + length - tail, file) != 0)
        fail_msg("file '%s' instead of '%s'", m->file, file);
}

static void assert_refused(fixture *f, const char *text, int line, const char *part) {
    assert_null(read_text(f, text));
    assert_int_equal(f->count, 1);
    assert_message(f, 0, ST_ERROR, "test.scn", line, part);
}

static const st_xml_element *child(const st_xml_element *element, size_t index) {
    assert_true(index < element->children.count);
    return element->children.data[index];
}

static void assert_attr(const st_xml_element *element, const char *name, const char *value) {
    const char *found = st_xml_element_attr(element, name);
    if (!value) assert_null(found);
    else {
        if (!found) fail_msg("%s has no attribute %s", element->type, name);
        assert_string_equal(found, value);
    }
}

// ---------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------

static void tags_become_nodes_and_components(void **state) {
    fixture *f = *state;
    st_xml_element *root = read_quietly(
        f, "<?xml version='1.0'?>\n<Node name='root' dt='0.1'>\n  <Object type='UniformMass' totalMass='1'/>\n"
           "  <Node type='default' name='child'>\n    <UniformMass\n      name='m'/>\n  </Node>\n  text\n</Node>\n");
    assert_int_equal(root->kind, ST_XML_NODE);
    assert_string_equal(root->type, "");
    assert_int_equal(root->children.count, 2);
    assert_int_equal(child(root, 0)->kind, ST_XML_COMPONENT);
    assert_string_equal(child(root, 0)->type, "UniformMass");
    assert_attr(child(root, 0), "type", NULL);
    assert_attr(child(root, 0), "totalMass", "1");
    assert_string_equal(child(root, 1)->type, "default");
    assert_string_equal(child(child(root, 1), 0)->type, "UniformMass");
    // A tag's line is where it opens, wherever it closes.
    assert_int_equal(root->line, 2);
    assert_int_equal(child(root, 0)->line, 3);
    assert_int_equal(child(child(root, 1), 0)->line, 5);
    assert_string_equal(root->file, "test.scn");
    assert_string_equal(child(child(root, 1), 0)->directory, f->folder);
    st_xml_element_destroy(root);
}

static void attributes_stand_in_byte_order(void **state) {
    fixture *f = *state;
    st_xml_element *root = read_quietly(f, "<Node b='2' a='1' Z='0' aa='3' _x='4'/>");
    static const char *const order[] = {"Z", "_x", "a", "aa", "b"};
    assert_int_equal(root->attrs.count, 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(root->attrs.data[i].name, order[i]);
    st_xml_element_destroy(root);
}

static void what_sofa_drops_is_dropped_with_a_notice(void **state) {
    fixture *f = *state;
    st_xml_element *root = read_text(
        f,
        "<Node>\n<object type='UniformMass'/>\n<Data value='1'/>\n<Attribute type='dt'><Data value='1'/></Attribute>\n"
        "<UniformMass>\n<Node/>\n</UniformMass>\n</Node>");
    assert_non_null(root);
    assert_int_equal(f->count, 4);
    assert_message(f, 0, ST_NOTICE, "test.scn", 2, "<object type=\"UniformMass\"> is ignored");
    assert_message(f, 1, ST_NOTICE, "test.scn", 3, "<Data> is ignored");
    assert_message(f, 2, ST_NOTICE, "test.scn", 4, "<Attribute> is ignored");
    assert_message(f, 3, ST_NOTICE, "test.scn", 6, "<Node> inside of component UniformMass");
    assert_int_equal(root->children.count, 1);
    assert_int_equal(child(root, 0)->children.count, 0);
    st_xml_element_destroy(root);
}

static void what_cannot_be_created_is_an_error_and_the_rest_goes_on(void **state) {
    fixture *f = *state;
    st_xml_element *root =
        read_text(f, "<Node>\n<Object name='a'/>\n<UniformMass>\n<UniformMass/>\n</UniformMass>\n</Node>");
    assert_non_null(root);
    assert_int_equal(f->count, 2);
    assert_message(f, 0, ST_ERROR, "test.scn", 2, "needs a type");
    assert_message(f, 1, ST_ERROR, "test.scn", 4, "inside of component UniformMass");
    assert_int_equal(root->children.count, 1);
    assert_false(f->scene->strict_failure);
    st_xml_element_destroy(root);
}

static void a_strict_scene_takes_no_loss(void **state) {
    fixture *f = *state;
    st_scene_destroy(f->scene);
    f->scene = make_scene(f, true);
    st_xml_element_destroy(read_text(f, "<Node>\n<object type='UniformMass'/>\n</Node>"));
    assert_message(f, 0, ST_ERROR, "test.scn", 2, "is ignored");
    assert_true(f->scene->strict_failure);
}

static void attribute_elements_are_folded(void **state) {
    fixture *f = *state;
    st_xml_element *root = read_text(f, "<Node><UniformMass totalMass='1'>\n"
                                        "<Attribute type='totalMass'><Data value='2'/><Data value='3'/></Attribute>\n"
                                        "<Attribute type='name'><Data value='m'/></Attribute>\n"
                                        "<Attribute><Data value='m'/></Attribute>\n"
                                        "<Attribute type='a'/>\n"
                                        "<Attribute type='b'><Other/><Data value='4'/></Attribute>\n"
                                        "</UniformMass></Node>");
    assert_non_null(root);
    const st_xml_element *mass = child(root, 0);
    assert_int_equal(mass->attrs.count, 3);
    assert_attr(mass, "totalMass", "3");
    assert_attr(mass, "name", "m");
    assert_attr(mass, "b", "4");
    assert_int_equal(f->count, 3);
    assert_message(f, 0, ST_NOTICE, "test.scn", 4, "needs a type");
    assert_message(f, 1, ST_NOTICE, "test.scn", 5, "needs a type");
    assert_message(f, 2, ST_NOTICE, "test.scn", 6, "<Other> is ignored");
    st_xml_element_destroy(root);
}

// ---------------------------------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------------------------------

static void values_keep_their_characters(void **state) {
    fixture *f = *state;
    st_xml_element *root =
        read_quietly(f, "<Node a='&lt;&amp;&gt;&quot;&apos;&#65;&#x42;' b='1\n2\t3\r\n4\r5' c=\"it's\"\n d=''/>");
    assert_attr(root, "a", "<&>\"'AB");
    assert_attr(root, "b", "1\n2\t3\n4\n5");
    assert_attr(root, "c", "it's");
    assert_attr(root, "d", "");
    st_xml_element_destroy(root);
}

static void what_sofas_parser_forgives_is_forgiven(void **state) {
    fixture *f = *state;
    st_xml_element *root = read_quietly(
        f, "\xef\xbb\xbf \n<?xml version='1.0' encoding='EBCDIC'?>\n<!-- a -- b --- -->\n<!DOCTYPE Node [<!ELEMENT "
           "Node ANY>]>\n"
           "<Node a='1'b='2' c='x&y;&z=1&#;'>\n<!----><![CDATA[<<&]]>\n<UniformMass name='m'/> & text</Node>");
    assert_attr(root, "a", "1");
    assert_attr(root, "b", "2");
    assert_attr(root, "c", "x&y;&z=1&#;");
    assert_int_equal(root->line, 5);
    assert_int_equal(child(root, 0)->line, 7);
    st_xml_element_destroy(root);
}

static void text_that_is_not_utf8_is_latin1(void **state) {
    fixture *f = *state;
    st_xml_element *root = read_text(f, "<Node name='caf\xe9'/>");
    assert_attr(root, "name", "caf\xc3\xa9");
    assert_int_equal(f->count, 1);
    assert_message(f, 0, ST_NOTICE, "test.scn", 0, "Latin-1");
    st_xml_element_destroy(root);
    root = read_quietly(f, "<Node name='caf\xc3\xa9 \xf0\x9f\x9b\x8b'/>");
    assert_attr(root, "name", "caf\xc3\xa9 \xf0\x9f\x9b\x8b");
    st_xml_element_destroy(root);
}

static void lines_are_right_beyond_65535(void **state) {
    fixture *f = *state;
    st_text text = {0};
    st_text_append(&text, "<Node>\n<UniformMass name='");
    for (int i = 0; i < 70000; i++) st_text_append_char(&text, '\n');
    st_text_append(&text, "'/>\n<UniformMass/>\n<object type='x'/></Node>");
    st_xml_element *root = read_bytes(f, text.data, text.length);
    assert_non_null(root);
    assert_int_equal(child(root, 0)->line, 2);
    assert_int_equal(child(root, 1)->line, 70003);
    assert_message(f, 0, ST_NOTICE, "test.scn", 70004, "is ignored");
    st_xml_element_destroy(root);
    text.length -= strlen("</Node>");
    st_text_append(&text, "\n<");
    assert_null(read_bytes(f, text.data, text.length));
    assert_message(f, 0, ST_ERROR, "test.scn", 70005, "malformed XML");
    st_text_free(&text);
}

// SOFA's parser reads one element, and values up to their quotation mark.
static void what_follows_the_root_is_ignored_with_a_warning(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {"<Node name='a'/>\n<Node name='b'/>", "<Node name='a'>\n</Node>and so on",
                                        "<Node name='a'/>\n</Node>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        st_xml_element *root = read_text(f, texts[i]);
        assert_non_null(root);
        assert_attr(root, "name", "a");
        assert_int_equal(f->count, 1);
        assert_message(f, 0, ST_WARNING, "test.scn", 2, "follows the root element is ignored");
        st_xml_element_destroy(root);
    }
    st_xml_element *root = read_quietly(f, "<Node name='a'/>\n<!-- a comment -->\n\n");
    st_xml_element_destroy(root);
}

static void a_value_may_contain_less_than(void **state) {
    fixture *f = *state;
    st_xml_element *root = read_quietly(f, "<Node>\n<A template='Data<int>' b='2'/></Node>");
    assert_attr(child(root, 0), "template", "Data<int>");
    assert_attr(child(root, 0), "b", "2");
    st_xml_element_destroy(root);
}

static void malformed_text_is_refused_with_its_line(void **state) {
    fixture *f = *state;
    assert_refused(f, "<Node>\n<A>\n</B>\n</Node>", 3, "Opening and ending tag mismatch");
    assert_refused(f, "<Node>\n<A a='1' a='2'/></Node>", 2, "Attribute a redefined");
    assert_refused(f, "<Node>\n<A>\n", 3, "malformed XML");
    assert_refused(f, "<Node>\n<A a='1\n<B/></Node>", 2, "not closed by its quotation mark");
    assert_refused(f, "<Node>\n<A a='1>\n<B b='2'/></Node>", 2, "contains '<'");
    assert_refused(f, "<Node>\n<!-- \n</Node>", 2, "comment is not closed");

    assert_refused(f, "hello\nworld", 1, "no XML element");
    assert_refused(f, "<Node a='&#0;'/>", 1, "malformed XML");
    assert_refused(f, "<Node a='\x01'/>", 1, "malformed XML");
    assert_null(read_bytes(f, "<Node>\n\0</Node>", 15));
    assert_message(f, 0, ST_ERROR, "test.scn", 2, "not a text file");
    assert_null(read_bytes(f, "", 0));
    assert_message(f, 0, ST_ERROR, "test.scn", 0, "empty");
}

static void declared_entities_are_refused(void **state) {
    fixture *f = *state;
    assert_refused(f, "<!DOCTYPE Node [\n<!ENTITY a 'aaaaaaaa'>\n<!ENTITY b '&a;&a;'>]>\n<Node name='&b;'/>", 2,
                   "declares entities");
    assert_refused(f, "<!DOCTYPE Node [<!-- ' -->\n<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]>\n<Node/>", 2,
                   "declares entities");
    // A DTD elsewhere is not looked at.
    st_xml_element *root = read_quietly(f, "<!DOCTYPE Node SYSTEM 'http://127.0.0.1/x.dtd'>\n<Node name='&b;'/>");
    assert_attr(root, "name", "&b;");
    st_xml_element_destroy(root);
}

static void the_root_must_be_a_node(void **state) {
    fixture *f = *state;
    assert_null(read_text(f, "\n<UniformMass/>"));
    assert_int_equal(f->count, 1);
    assert_message(f, 0, ST_FATAL, "test.scn", 2, "must be a Node, not <UniformMass>");
    assert_null(read_text(f, "<include href='a.scn'/>"));
    assert_message(f, 0, ST_FATAL, "test.scn", 1, "must be a Node");
}

// ---------------------------------------------------------------------------------------------------
// Limits
// ---------------------------------------------------------------------------------------------------

static st_xml_element *read_nested(fixture *f, int depth) {
    st_text text = {0};
    for (int i = 0; i < depth; i++) st_text_append(&text, "<Node>\n");
    for (int i = 0; i < depth; i++) st_text_append(&text, "</Node>");
    st_xml_element *root = read_bytes(f, text.data, text.length);
    st_text_free(&text);
    return root;
}

static void depth_is_limited(void **state) {
    fixture *f = *state;
    st_xml_element *root = read_nested(f, 256);
    assert_non_null(root);
    st_xml_element_destroy(root);
    assert_null(read_nested(f, 257));
    assert_int_equal(f->count, 1);
    assert_message(f, 0, ST_ERROR, "test.scn", 257, "deeper than 256");
    assert_null(read_nested(f, 100000));
}

static void elements_and_attributes_are_limited(void **state) {
    fixture *f = *state;
    st_text text = {0};
    st_text_append(&text, "<Node>\n");
    for (int i = 0; i < 1000001; i++) st_text_append(&text, "<A/>");
    st_text_append(&text, "</Node>");
    assert_null(read_bytes(f, text.data, text.length));
    assert_message(f, 0, ST_ERROR, "test.scn", 2, "more than 1000000 elements");
    st_text_clear(&text);
    st_text_append(&text, "<Node>\n<A");
    for (int i = 0; i < 1001; i++) st_text_appendf(&text, " a%d=''", i);
    st_text_append(&text, "/></Node>");
    assert_null(read_bytes(f, text.data, text.length));
    assert_message(f, 0, ST_ERROR, "test.scn", 2, "more than 1000 attributes");
    st_text_free(&text);
}

// ---------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------

static void files_that_are_no_scenes_are_refused(void **state) {
    fixture *f = *state;
    const struct {
        const char *name, *why;
    } cases[] = {{"missing.scn", "No such file"}, {"folder.scn", "folder"},      {"pipe.scn", "not a regular file"},
                 {"empty.scn", "empty"},          {"scene.txt", ".scn or .xml"}, {"scene", ".scn or .xml"}};
    assert_int_equal(mkdir(path_of(f, "folder.scn"), 0700), 0);
    assert_int_equal(mkfifo(path_of(f, "pipe.scn"), 0600), 0);
    write_file(f, "empty.scn", "");
    write_file(f, "scene.txt", "<Node/>");
    write_file(f, "scene", "<Node/>");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f->count = 0;
        assert_null(st_xml_element_read_file(f->scene, path_of(f, cases[i].name)));
        assert_int_equal(f->count, 1);
        assert_message(f, 0, ST_ERROR, cases[i].name, 0, cases[i].why);
    }
    write_file(f, "GOOD.SCN", "<Node/>");
    st_xml_element *root = st_xml_element_read_file(f->scene, path_of(f, "GOOD.SCN"));
    assert_non_null(root);
    assert_string_equal(root->directory, f->folder);
    st_xml_element_destroy(root);
}

static void files_are_found_by_sofas_rule(void **state) {
    fixture *f = *state;
    assert_int_equal(mkdir(path_of(f, "here"), 0700), 0);
    assert_int_equal(mkdir(path_of(f, "data"), 0700), 0);
    write_file(f, "here/a.msh", "here");
    write_file(f, "data/a.msh", "data");
    write_file(f, "data/b.msh", "data");
    char here[512], expected[512];
    snprintf(here, sizeof here, "%s/here", f->folder);
    assert_true(st_list_push(&f->scene->data_paths, st_string_copy(path_of(f, "data"))));
    const struct {
        const char *name, *found;
    } cases[] = {{"a.msh", "here/a.msh"},
                 {"b.msh", "data/b.msh"},
                 {"./b.msh", "data/b.msh"},
                 {"..\\data\\.\\a.msh", "data/a.msh"},
                 {"x/../a.msh", "here/a.msh"},
                 {"../data", "data"},
                 {"A.msh", NULL},
                 {"", NULL},
                 {"/b.msh", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *found = st_repository_find(f->scene, here, cases[i].name);
        snprintf(expected, sizeof expected, "%s/%s", f->folder, cases[i].found ? cases[i].found : "");
        if (cases[i].found) assert_string_equal(found, expected);
        else assert_null(found);
        st_free(found);
    }
    char *found = st_repository_find(f->scene, NULL, expected);
    st_free(found);
}

// ---------------------------------------------------------------------------------------------------
// Includes
// ---------------------------------------------------------------------------------------------------

static void an_included_root_becomes_a_child(void **state) {
    fixture *f = *state;
    assert_int_equal(mkdir(path_of(f, "sub"), 0700), 0);
    write_file(f, "sub/a.xml",
               "\n<Node name='A' dt='1'>\n<UniformMass name='m' mass='1'/>\n<UniformMass name='n' mass='1' "
               "other='2'/></Node>");
    st_xml_element *root =
        read_quietly(f, "<Node><include href='sub/a.xml' name='B' mass='5' n__other='6' m__other='7' dt='9'/></Node>");
    const st_xml_element *included = child(root, 0);
    assert_attr(included, "name", "B");
    assert_attr(included, "dt", "1"); // attributes of nodes are not replaced
    assert_attr(child(included, 0), "mass", "5");
    assert_attr(child(included, 0), "other", NULL); // only what is there
    assert_attr(child(included, 1), "mass", "5");
    assert_attr(child(included, 1), "other", "6");
    assert_int_equal(child(included, 1)->line, 4);
    assert_string_equal(strrchr(child(included, 1)->file, '/'), "/a.xml");
    assert_string_equal(child(included, 1)->directory, path_of(f, "sub"));
    assert_string_equal(root->directory, f->folder);
    st_xml_element_destroy(root);
}

static void the_outer_include_wins(void **state) {
    fixture *f = *state;
    write_file(f, "inner.xml", "<Node name='Group'><UniformMass a='0' b='0' c='0'/></Node>");
    write_file(f, "outer.xml", "<Node name='O'><include href='inner.xml' a='1' b='1'/></Node>");
    st_xml_element *root = read_quietly(f, "<Node><include href='outer.xml' a='2'/></Node>");
    const st_xml_element *mass = child(child(root, 0), 0);
    assert_attr(mass, "a", "2");
    assert_attr(mass, "b", "1");
    assert_attr(mass, "c", "0");
    st_xml_element_destroy(root);
}

static void a_replacement_reaches_folded_attributes(void **state) {
    fixture *f = *state;
    write_file(
        f, "a.xml",
        "<Node name='Group'><UniformMass><Attribute type='mass'><Data value='1'/></Attribute></UniformMass></Node>");
    st_xml_element *root = read_quietly(f, "<Node><include href='a.xml' mass='5'/></Node>");
    assert_attr(child(root, 0), "mass", "5");
    st_xml_element_destroy(root);
}

static void a_group_takes_its_place(void **state) {
    fixture *f = *state;
    assert_int_equal(mkdir(path_of(f, "sub"), 0700), 0);
    write_file(f, "sub/g.xml",
               "<Node name='Group' dt='1'><UniformMass name='m'/><Node name='n'><UniformMass/></Node></Node>");
    write_file(f, "sub/h.xml", "<Node name='h'><UniformMass name='k'/></Node>");
    st_xml_element *root = read_quietly(
        f, "<Node><A/><include href='sub/g.xml' name='x'/><include href='sub/h.xml' name='_Group_'/><B/></Node>");
    static const char *const order[] = {"A", "UniformMass", "", "UniformMass", "B"};
    assert_int_equal(root->children.count, 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(child(root, i)->type, order[i]);
    assert_attr(root, "dt", NULL);
    // Its parts look for their files from the including file.
    assert_string_equal(child(root, 1)->directory, f->folder);
    assert_string_equal(child(child(root, 2), 0)->directory, f->folder);
    st_xml_element_destroy(root);
}

static void a_merge_completes_what_is_there(void **state) {
    fixture *f = *state;
    write_file(f, "m.xml",
               "<Node name='_Merge_' dt='2' gravity='0 0 0'><UniformMass name='m' mass='2'/><UniformMass mass='3'/>"
               "<Node name='n' dt='4'><UniformMass name='k'/></Node><DiagonalMass name='m'/></Node>");
    st_xml_element *root = read_quietly(f, "<Node name='root' dt='1'><UniformMass name='m' mass='1' x='y'/><Node "
                                           "name='n'><A/></Node><include href='m.xml'/></Node>");
    assert_attr(root, "name", "root");
    assert_attr(root, "dt", "2");
    assert_attr(root, "gravity", "0 0 0");
    assert_int_equal(root->children.count, 4);
    assert_attr(child(root, 0), "mass", "2");
    assert_attr(child(root, 0), "x", "y");
    assert_attr(child(root, 1), "dt", "4");
    assert_int_equal(child(root, 1)->children.count, 2);
    assert_attr(child(root, 2), "mass", "3");
    assert_string_equal(child(root, 3)->type, "DiagonalMass");
    st_xml_element_destroy(root);
}

static void includes_that_fail_are_skipped(void **state) {
    fixture *f = *state;
    write_file(f, "bad.xml", "<Node>\n<A></Node>");
    write_file(f, "data.xml", "\n<Data value='1'/>");
    assert_int_equal(mkdir(path_of(f, "folder"), 0700), 0);
    st_xml_element *root = read_text(
        f, "<Node>\n<include/>\n<include href='nothing.xml'/>\n<include href='bad.xml'/>\n<include href='data.xml'/>\n"
           "<include href='folder'/>\n<UniformMass/></Node>");
    assert_non_null(root);
    assert_int_equal(root->children.count, 1);
    assert_int_equal(f->count, 5);
    assert_message(f, 0, ST_ERROR, "test.scn", 2, "href");
    assert_message(f, 1, ST_ERROR, "test.scn", 3, "'nothing.xml' is not included");
    assert_message(f, 2, ST_ERROR, "bad.xml", 2, "malformed XML");
    assert_message(f, 3, ST_ERROR, "data.xml", 2, "not <Data>");
    assert_message(f, 4, ST_ERROR, "test.scn", 6, "folder");
    st_xml_element_destroy(root);
}

static void circles_of_includes_are_broken(void **state) {
    fixture *f = *state;
    write_file(f, "a.xml", "<Node name='a'>\n<include href='b.xml'/></Node>");
    write_file(f, "b.xml", "<Node name='b'>\n\n<include href='./x/../a.xml'/><A/></Node>");
    f->count = 0;
    st_xml_element *root = st_xml_element_read_file(f->scene, path_of(f, "a.xml"));
    assert_non_null(root);
    assert_int_equal(f->count, 1);
    assert_message(f, 0, ST_ERROR, "b.xml", 3, "circle");
    assert_non_null(strstr(f->messages[0].text, "/a.xml -> "));
    assert_non_null(strstr(f->messages[0].text, "/b.xml -> "));
    assert_string_equal(child(child(root, 0), 0)->type, "A");
    st_xml_element_destroy(root);
}

static void includes_in_each_other_are_limited(void **state) {
    fixture *f = *state;
    char name[32], text[128];
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "f%d.xml", i);
        snprintf(text, sizeof text, "<Node name='Group'><include href='f%d.xml'/><A/></Node>", i + 1);
        write_file(f, name, text);
    }
    st_xml_element *root = read_text(f, "<Node><include href='f0.xml'/></Node>");
    assert_non_null(root);
    assert_int_equal(f->count, 1);
    assert_message(f, 0, ST_ERROR, "f30.xml", 1, "more than 32");
    st_xml_element_destroy(root);
}

// Each file includes the next one two hundred times: 200 to the thirtieth files, were they not counted.
static void includes_cannot_explode(void **state) {
    fixture *f = *state;
    for (int i = 0; i < 30; i++) {
        char name[32];
        st_text text = {0};
        snprintf(name, sizeof name, "f%d.xml", i);
        st_text_append(&text, "<Node name='Group'>");
        for (int k = 0; k < 200; k++) st_text_appendf(&text, "<include href='f%d.xml'/>", i + 1);
        st_text_append(&text, "</Node>");
        write_bytes(f, name, text.data, text.length);
        st_text_free(&text);
    }
    write_file(f, "f30.xml", "<Node/>");
    assert_null(read_text(f, "<Node><include href='f0.xml'/></Node>"));
    assert_message(f, 0, ST_ERROR, ".xml", 1, "more than 10000 files");
}

static void depth_counts_through_includes(void **state) {
    fixture *f = *state;
    st_text text = {0};
    for (int i = 0; i < 200; i++) st_text_append(&text, "<Node>");
    for (int i = 0; i < 200; i++) st_text_append(&text, "</Node>");
    write_bytes(f, "deep.xml", text.data, text.length);
    st_text_clear(&text);
    for (int i = 0; i < 100; i++) st_text_append(&text, "<Node>");
    st_text_append(&text, "<include href='deep.xml'/>");
    for (int i = 0; i < 100; i++) st_text_append(&text, "</Node>");
    assert_null(read_bytes(f, text.data, text.length));
    assert_message(f, 0, ST_ERROR, "deep.xml", 1, "deeper than 256");
    st_text_free(&text);
}

// ---------------------------------------------------------------------------------------------------
// Macros and names
// ---------------------------------------------------------------------------------------------------

static void unknown_tags_may_be_macros(void **state) {
    fixture *f = *state;
    assert_int_equal(mkdir(path_of(f, "Objects"), 0700), 0);
    write_file(f, "Objects/Soft.xml", "<Node name='Group'><UniformMass mass='1'/></Node>");
    write_file(f, "Objects/VisualStyle.xml", "<Node/>");
    write_file(f, "Objects/FixedConstraint.xml", "<Node/>");
    st_xml_element *root =
        read_quietly(f, "<Node><Soft mass='5'/><VisualStyle/><FixedConstraint/><Object type='Soft'/><Unknown/>"
                        "<Soft><Attribute type='mass'><Data value='6'/></Attribute></Soft></Node>");
    static const char *const order[] = {"UniformMass", "VisualStyle", "FixedConstraint",
                                        "Soft",        "Unknown",     "UniformMass"};
    assert_int_equal(root->children.count, 6);
    for (size_t i = 0; i < 6; i++) assert_string_equal(child(root, i)->type, order[i]);
    assert_attr(child(root, 0), "mass", "5");
    assert_attr(child(root, 5), "mass", "6");
    st_xml_element_destroy(root);
}

static void the_shipped_macros_pass_attributes_on(void **state) {
    fixture *f = *state;
    assert_true(st_list_push(&f->scene->data_paths, st_string_copy(SETTEE_SOURCE "/share")));
    st_xml_element *root = read_quietly(
        f, "<Node><BoxConstraint name='support' box='1 1 1 2 2 2' drawBoxes='1' drawSize='3'/>"
           "<include href='Objects/TetrahedronSetTopology.xml' src='@loader' template='Vec1' tags='t'/></Node>");
    assert_int_equal(root->children.count, 5);
    assert_string_equal(child(root, 0)->type, "BoxROI");
    assert_attr(child(root, 0), "box", "1 1 1 2 2 2");
    assert_attr(child(root, 0), "drawBoxes", "1");
    assert_string_equal(child(root, 1)->type, "FixedProjectiveConstraint");
    assert_attr(child(root, 1), "indices", "@[-1].indices");
    assert_string_equal(child(root, 2)->type, "TetrahedronSetTopologyContainer");
    assert_attr(child(root, 2), "name", "Container");
    assert_attr(child(root, 2), "src", "@loader");
    assert_attr(child(root, 2), "tags", "t");
    assert_attr(child(root, 4), "template", "Vec1");
    st_xml_element_destroy(root);
}

static void former_names_are_explained(void **state) {
    (void)state;
    const struct {
        const char *name;
        st_name_fate fate;
        const char *now, *text;
    } cases[] = {
        {"FixedConstraint", ST_NAME_RENAMED, "FixedProjectiveConstraint", "24.06"},
        {"EulerImplicit", ST_NAME_DEALIASED, "EulerImplicitSolver", "EulerImplicitSolver"},
        {"GenericConstraintSolver", ST_NAME_REMOVED, NULL, "BlockGaussSeidelConstraintSolver"},
        {"TriangleSetTopologyAlgorithms", ST_NAME_REMOVED, NULL, "20.12"},
        {"SparseLUSolver", ST_NAME_MOVED, NULL, "CSparseSolvers"},
        {"ArticulatedSystemMapping", ST_NAME_MOVED, NULL, "ArticulatedSystemPlugin"},
    };
    const char *now, *text;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(st_name_lookup(cases[i].name, &now, &text), cases[i].fate);
        assert_non_null(strstr(text, cases[i].text));
        if (cases[i].now) assert_string_equal(now, cases[i].now);
        else assert_null(now);
    }
    assert_int_equal(st_name_lookup("EulerImplicitSolver", &now, &text), ST_NAME_UNKNOWN);
    assert_int_equal(st_name_lookup("", &now, &text), ST_NAME_UNKNOWN);
    assert_null(text);
}

static void modules_are_known(void **state) {
    (void)state;
    static const char *const known[] = {"Sofa.Component",     "Sofa.Component.Mass", "Sofa.GL.Component.Shader",
                                        "Sofa.GUI.Component", "MultiThreading",      "SofaMatrix",
                                        "SofaDistanceGrid",   "SofaSparseSolver",    "BeamAdapter"};
    static const char *const unknown[] = {
        "", "Sofa", "Sofa.Components", "Sofa.Component.", "sofa.component", "SofaCarving", "SoftRobots"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_true(st_name_is_module(known[i]));
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) assert_false(st_name_is_module(unknown[i]));
}

// A name that was given up must not be one that a class carries: it could not be reached.
static void no_class_carries_a_former_name(void **state) {
    fixture *f = *state;
    const char *now, *text;
    for (const st_class *type = st_inert_classes; type->name; type++) {
        assert_true(type->parent->flags & ST_CLASS_INERT);
        assert_ptr_equal(st_resolved(st_registry_find(f->scene, type->name))->origin, type);
        if (st_name_lookup(type->name, &now, &text) != ST_NAME_UNKNOWN) fail_msg("%s is a former name", type->name);
    }
}

// ---------------------------------------------------------------------------------------------------
// The corpus of broken scenes: tests/hostile/expected.tsv says what is to be said about each
// ---------------------------------------------------------------------------------------------------

static st_severity severity_named(const char *name) {
    for (int severity = ST_INFO; severity <= ST_FATAL; severity++)
        if (strcmp(st_severity_name((st_severity)severity), name) == 0) return (st_severity)severity;
    fail_msg("unknown severity %s", name);
    return ST_INFO;
}

static void check_hostile_line(fixture *f, char *line) {
    char *fields[6] = {0}, *rest = line;
    for (int i = 0; i < 6 && rest; i++) {
        fields[i] = rest;
        rest = strpbrk(rest, "\t\n");
        if (rest) *rest++ = 0;
    }
    if (!fields[5] || strcmp(fields[1], "read") != 0) return;
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/hostile/%s", SETTEE_SOURCE, fields[0]);
    f->count = 0;
    st_xml_element *root = st_xml_element_read_file(f->scene, path);
    const bool scene_wanted = strcmp(fields[2], "scene") == 0;
    if (scene_wanted != (root != NULL)) fail_msg("%s: %s", fields[0], root ? "read" : "refused");
    st_xml_element_destroy(root);
    assert_int_equal(f->count, 1);
    assert_message(f, 0, severity_named(fields[3]), "", atoi(fields[4]), fields[5]);
}

static void broken_scenes_get_their_diagnostic(void **state) {
    fixture *f = *state;
    FILE *table = fopen(SETTEE_SOURCE "/tests/hostile/expected.tsv", "r");
    assert_non_null(table);
    char line[1024];
    while (fgets(line, sizeof line, table))
        if (line[0] != '#' && line[0] != '\n') check_hostile_line(f, line);
    fclose(table);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(tags_become_nodes_and_components),
        TEST(attributes_stand_in_byte_order),
        TEST(what_sofa_drops_is_dropped_with_a_notice),
        TEST(what_cannot_be_created_is_an_error_and_the_rest_goes_on),
        TEST(a_strict_scene_takes_no_loss),
        TEST(attribute_elements_are_folded),
        TEST(values_keep_their_characters),
        TEST(what_sofas_parser_forgives_is_forgiven),
        TEST(text_that_is_not_utf8_is_latin1),
        TEST(lines_are_right_beyond_65535),
        TEST(what_follows_the_root_is_ignored_with_a_warning),
        TEST(a_value_may_contain_less_than),
        TEST(malformed_text_is_refused_with_its_line),
        TEST(declared_entities_are_refused),
        TEST(the_root_must_be_a_node),
        TEST(depth_is_limited),
        TEST(elements_and_attributes_are_limited),
        TEST(files_that_are_no_scenes_are_refused),
        TEST(files_are_found_by_sofas_rule),
        TEST(an_included_root_becomes_a_child),
        TEST(the_outer_include_wins),
        TEST(a_replacement_reaches_folded_attributes),
        TEST(a_group_takes_its_place),
        TEST(a_merge_completes_what_is_there),
        TEST(includes_that_fail_are_skipped),
        TEST(circles_of_includes_are_broken),
        TEST(includes_in_each_other_are_limited),
        TEST(includes_cannot_explode),
        TEST(depth_counts_through_includes),
        TEST(unknown_tags_may_be_macros),
        TEST(the_shipped_macros_pass_attributes_on),
        TEST(former_names_are_explained),
        TEST(modules_are_known),
        TEST(no_class_carries_a_former_name),
        TEST(broken_scenes_get_their_diagnostic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
