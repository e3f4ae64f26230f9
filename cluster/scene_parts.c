// Making each rank's scene:
//
//  1. every rank reads the scene file (XML; large arrays are in mesh files), and refuses what the table of classes does not
//     know: nothing is ignored,
//  2. the mesh of its one loader or grid is read or made by slices, and spread,
//  3. the scene is built through the public calls, with the rank's part in place of the mesh, PetscLinearSolver in place
//     of the linear solver, and shares of sums (totalMass, totalForce) by the numbers of the whole model,
//  4. it is initialized; sums that need its masses or regions follow.
//
// The rank has every element at its own points. Forces, masses and matrices are whole there, summed in the order of the
// whole mesh; at the ghosts they are not, and are not used.
//
// SPDX-License-Identifier: Apache-2.0
#include "scene_parts.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "class_table.h"
#include "mesh_source.h"
#include "settee/matrix.h"
#include "settee/plugin/change.h"

enum { MOST_ATTRIBUTES = 64 };

// --- messages ----------------------------------------------------------------------------------------------

// Rank 0 says what all would say; errors of another one are kept for its end.
static void keep_message(void *user, const st_diagnostic *diagnostic) {
    st_scene_part *part = user;
    if (diagnostic->severity < ST_WARNING) return;
    if (st_rank == 0) st_log_to_stderr(NULL, diagnostic);
    if (diagnostic->severity < ST_ERROR) return;

    part->errors++;
    snprintf(part->last_error, sizeof part->last_error, "%s: %s", diagnostic->path ? diagnostic->path : "scene",
             diagnostic->text);
}

// After a part of the work that all ranks do.
static void check_errors(const st_scene_part *part, const char *what) {
    int worst[2] = {part->errors > 0, part->errors > 0 ? -st_rank : -st_ranks}, all[2];
    MPI_Allreduce(worst, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (!all[0]) return;

    // the first rank that has one
    char text[sizeof part->last_error];
    memcpy(text, part->last_error, sizeof text);
    MPI_Bcast(text, sizeof text, MPI_CHAR, -all[1], MPI_COMM_WORLD);
    st_end_all(ST_MPI_INVALID, "%s: cannot be %s: rank %d: %s", part->file, what, -all[1], text);
}

// --- elements of the file ----------------------------------------------------------------------------------

typedef struct attributes {
    st_attribute_text list[MOST_ATTRIBUTES];
    size_t count;
} attributes;

static const char *name_of(const xmlNode *node) { return (const char *)node->name; }

static const char *value_of(const attributes *a, const char *name) {
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->list[i].name, name) == 0) return a->list[i].value;
    return NULL;
}

static void set_value(attributes *a, const char *name, const char *value) {
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->list[i].name, name) == 0) {
            a->list[i].value = value;
            return;
        }
    if (a->count == MOST_ATTRIBUTES) st_end_all(ST_MPI_INVALID, "more than %d attributes", MOST_ATTRIBUTES);
    a->list[a->count++] = (st_attribute_text){name, value};
}

static void drop_value(attributes *a, const char *name) {
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->list[i].name, name) == 0) a->list[i--] = a->list[--a->count];
}

// Texts are borrowed from the document.
static attributes read_attributes(const xmlNode *node) {
    attributes a = {0};
    for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
        if (attribute->children)
            set_value(&a, (const char *)attribute->name, (const char *)attribute->children->content);
    return a;
}

static bool is_node(const xmlNode *element) { return strcasecmp(name_of(element), "Node") == 0; }
static bool is_element(const xmlNode *element) { return element->type == XML_ELEMENT_NODE; }

// Is the node only there to be drawn?
static bool is_visual(const xmlNode *node) {
    for (const xmlNode *child = node->children; child; child = child->next)
        if (is_element(child) && st_treatment_of(name_of(child)) == ST_VISUAL) return true;
    return false;
}

static void refuse_element(const st_scene_part *part, const xmlNode *element, const char *why) {
    st_end_all(ST_MPI_INVALID, "%s:%d: %s %s", part->file, (int)xmlGetLineNo((xmlNode *)element), name_of(element),
               why);
}

// The numbers of an attribute, each finite and nothing else beside them; false: it is absent.
static bool read_reals(const st_scene_part *part, const xmlNode *element, const attributes *a, const char *name,
                       double *numbers, size_t count) {
    const char *at = value_of(a, name);
    char *end, why[512];
    if (!at) return false;

    bool ok = true;
    for (size_t i = 0; ok && i < count; i++, at = end) {
        numbers[i] = strtod(at, &end);
        ok = end != at && isfinite(numbers[i]) && (!*end || strchr(" \t\r\n", *end));
    }
    if (ok && !at[strspn(at, " \t\r\n")]) return true;

    snprintf(why, sizeof why, "with %s=\"%.200s\" cannot be spread: %zu finite number%s needed", name,
             value_of(a, name), count, count == 1 ? " is" : "s are");
    refuse_element(part, element, why);
    return false;
}

// --- 1. what can be spread ---------------------------------------------------------------------------------

typedef struct survey {
    const xmlNode *mesh, *state, *solver;
} survey;

static void claim(const st_scene_part *part, const xmlNode **slot, const xmlNode *element, const char *why) {
    if (*slot) refuse_element(part, element, why);
    *slot = element;
}

static void inspect_component(const st_scene_part *part, const xmlNode *element, survey *found) {
    const attributes a = read_attributes(element);
    double numbers[3];

    // each class by what it needs: one mesh, one state, one solver, and sums that can be taken
    switch (st_treatment_of(name_of(element))) {
    case ST_REFUSED:
        refuse_element(part, element, "cannot be spread over ranks (docs/cluster.md lists what can)");
        break;
    case ST_GRID:
        claim(part, &found->mesh, element, "is a second mesh: one can be spread");
        if (value_of(&a, "cellWidth")) refuse_element(part, element, "with cellWidth cannot be spread: write n");
        break;
    case ST_GMSH:
        claim(part, &found->mesh, element, "is a second mesh: one can be spread");
        for (size_t i = 0; i < a.count; i++)
            if (strcmp(a.list[i].name, "name") != 0 && strcmp(a.list[i].name, "filename") != 0)
                refuse_element(part, element, "with attributes other than name and filename cannot be spread");
        if (!value_of(&a, "filename")) refuse_element(part, element, "has no filename");
        break;
    case ST_STATE: {
        claim(part, &found->state, element, "is a second mechanical state: one can be spread");
        static const char *const lists[] = {"position",       "rest_position", "velocity",
                                            "reset_position", "force",         "externalForce"};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
            const char *text = value_of(&a, lists[i]);
            if (text && *text != '@')
                refuse_element(part, element, "with numbers of its own cannot be spread: link a mesh");
        }
        break;
    }
    case ST_ITERATIVE: read_reals(part, element, &a, "tolerance", numbers, 1); // fall through
    case ST_DIRECT:
    case ST_PETSC: claim(part, &found->solver, element, "is a second linear solver: one can be spread"); break;
    case ST_LOAD: read_reals(part, element, &a, "totalForce", numbers, 3); break;
    case ST_MESH_MASS: read_reals(part, element, &a, "totalMass", numbers, 1); break;
    case ST_UNIFORM_MASS:
        read_reals(part, element, &a, "totalMass", numbers, 1);
        if (value_of(&a, "indices") || value_of(&a, "localRange"))
            refuse_element(part, element, "with indices or localRange cannot be spread");
        break;
    default: break;
    }
}

static void inspect_node(const st_scene_part *part, const xmlNode *node, survey *found) {
    for (const xmlNode *child = node->children; child; child = child->next) {
        if (!is_element(child)) continue;
        if (is_node(child)) {
            if (is_visual(child))
                st_say("%s:%d: a node that is only drawn is left out", part->file, (int)xmlGetLineNo((xmlNode *)child));
            else inspect_node(part, child, found);
        } else inspect_component(part, child, found);
    }
}

// --- 2. the mesh -------------------------------------------------------------------------------------------

static void make_mesh(st_scene_part *part, const xmlNode *mesh) {
    const attributes a = read_attributes(mesh);
    st_slices slices;

    part->is_grid = st_treatment_of(name_of(mesh)) == ST_GRID;
    if (part->is_grid) st_make_grid(&slices, a.list, a.count, part->cells);
    else {
        // next to the scene
        char path[2048];
        const char *name = value_of(&a, "filename");
        st_print_path(path, sizeof path, "%s%s%s", *name == '/' ? "" : part->folder, *name == '/' ? "" : "/", name);
        st_read_gmsh(&slices, path);
    }

    size_t elements = 0;
    for (int k = 0; k < ST_ELEMENT_KINDS; k++) elements += slices.elements[k];
    if (elements < (size_t)st_ranks || slices.points < (size_t)st_ranks)
        st_end_all(ST_MPI_INVALID, "a mesh of %zu elements and %zu points cannot be split among %d ranks: use fewer",
                   elements, slices.points, st_ranks);
    st_spread_mesh(&part->spread, &slices);
}

static void give_points(st_object *object, const st_spread *spread) {
    if (st_object_set_reals(object, "position", spread->positions, spread->part.count, 3) != ST_OK)
        st_end_rank(ST_MPI_FAILED, "out of memory: %zu points", spread->part.count);
}

static void give_elements(st_object *object, const char *field, const uint32_t *vertices, size_t count, size_t size) {
    int64_t *wide = st_take(count * size, sizeof *wide);
    for (size_t i = 0; i < count * size; i++) wide[i] = vertices[i];
    if (count && st_object_set_integers(object, field, wide, count, size) != ST_OK)
        st_end_rank(ST_MPI_FAILED, "%s cannot hold %zu elements in %s", st_object_path(object), count, field);
    free(wide);
}

static void give_mesh(st_object *object, const st_spread *spread) {
    static const char *const fields[] = {[ST_EDGE] = "edges",
                                         [ST_TRIANGLE] = "triangles",
                                         [ST_QUAD] = "quads",
                                         [ST_TETRAHEDRON] = "tetrahedra",
                                         [ST_HEXAHEDRON] = "hexahedra"};
    give_points(object, spread);
    for (int k = ST_EDGE; k <= ST_HEXAHEDRON; k++)
        give_elements(object, fields[k], spread->vertices[k], spread->count[k], st_element_size[k]);
}

// --- 3. components -----------------------------------------------------------------------------------------

// A list of indices of the whole mesh as one of the points held: n, a-b, a-b-step, as in scenes. To be freed.
static char *held_indices(const st_scene_part *part, const xmlNode *element, const char *text) {
    const st_spread *spread = &part->spread;
    size_t capacity = 64, length = 0;
    char *list = st_take(capacity, 1);

    for (const char *at = text + strspn(text, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        // first, last and step of one word
        long range[3] = {0, -1, 1};
        char *end = (char *)at;
        for (int i = 0; i < 3; i++) {
            range[i] = strtol(at, &end, 10);
            if (end == at || range[i] < 0) refuse_element(part, element, "has indices that cannot be read");
            if (i == 0) range[1] = range[0];
            at = end;
            if (*at != '-') break;
            at++;
        }
        if (*at && !strchr(" \t\r\n", *at)) refuse_element(part, element, "has indices that cannot be read");
        if (range[2] < 1 || (size_t)range[1] >= spread->points)
            refuse_element(part, element, "names points that are not there");

        for (long point = range[0]; point <= range[1]; point += range[2]) {
            const size_t place = st_spread_find(spread, (uint32_t)point);
            if (place == SIZE_MAX) continue;
            if (length + 24 > capacity && !(list = realloc(list, capacity *= 2)))
                st_end_rank(ST_MPI_FAILED, "out of memory for a list of points");
            length += (size_t)snprintf(list + length, capacity - length, "%zu ", place);
        }
    }
    return list;
}

// The field of an attribute; NULL: it is taken by other means.
static const st_field *field_of(const st_object *object, const char *name) {
    for (const st_class *type = object->type; type; type = type->parent)
        for (const st_field *field = type->fields; field && field->name; field++)
            if (strcmp(field->name, name) == 0 || (field->aliases && st_has_word(field->aliases, name))) return field;
    return NULL;
}

// Numbers of the whole mesh, or for each of its points and elements, written in the scene: a rank has other ones. One value
// for all of them is the same everywhere, and `indices` of points were translated.
static bool is_of_whole_mesh(const st_object *object, const st_attribute_text *attribute, bool translated) {
    const st_field *field = field_of(object, attribute->name);
    const char *text = attribute->value;
    if (!field || !text || *text == '@' || !*text || (translated && strcmp(attribute->name, "indices") == 0))
        return false;
    if (strcmp(attribute->name, "localRange") == 0) return true;

    // more than one value?
    size_t words = 0, width = field->type->width > 0 ? (size_t)field->type->width : 3;
    for (const char *at = text + strspn(text, " \t\r\n"); *at; at += strspn(at, " \t\r\n"), words++)
        at += strcspn(at, " \t\r\n");
    const bool several = words > width;

    if (st_has_role(object, ST_ROLE(topology))) return several || strcmp(attribute->name, "filename") == 0;
    const bool one_for_all = field->mesh < ST_INDICES(0) || field->mesh == ST_PER_CELL || field->mesh == ST_ROWS;
    return field->type->list && field->mesh > 0 && field->mesh != ST_WITH_MESH && (several || !one_for_all);
}

static st_object *add_object(const st_scene_part *part, st_node *node, const xmlNode *element, const char *class_name,
                             const attributes *a) {
    st_object *object = st_node_add_object(node, class_name, a->list, a->count);
    if (!object)
        st_end_rank(ST_MPI_INVALID, "%s:%d: %s cannot be created: %s", part->file,
                    (int)xmlGetLineNo((xmlNode *)element), class_name, part->last_error);

    const st_treatment treatment = st_treatment_of(class_name);
    for (size_t i = 0; i < a->count; i++)
        if (is_of_whole_mesh(object, &a->list[i], treatment == ST_KEPT_POINTS || treatment == ST_LOAD)) {
            char why[256];
            snprintf(why, sizeof why, "has a list of the whole mesh in %s: it cannot be spread", a->list[i].name);
            refuse_element(part, element, why);
        }
    return object;
}

static void add_solver(st_scene_part *part, st_node *node, const xmlNode *element, const attributes *given) {
    attributes a = *given;
    char tolerance[32];
    const st_treatment treatment = st_treatment_of(name_of(element));

    // a direct solver stays direct, an iterative one keeps its tolerance
    if (treatment != ST_PETSC) {
        double asked = 1e-5;
        if (treatment == ST_ITERATIVE) read_reals(part, element, given, "tolerance", &asked, 1);
        snprintf(tolerance, sizeof tolerance, "%.17g", asked > 1e-14 && asked < 1 ? asked : 1e-14);
        a.count = 0;
        if (value_of(given, "name")) set_value(&a, "name", value_of(given, "name"));
        set_value(&a, "method", treatment == ST_DIRECT ? "direct" : "cg");
        if (treatment == ST_ITERATIVE) set_value(&a, "tolerance", tolerance);
        st_say("%s:%d: %s becomes PetscLinearSolver, %s%s", part->file, (int)xmlGetLineNo((xmlNode *)element),
               name_of(element),
               treatment == ST_DIRECT ? "a factorization by MUMPS" : "CG with multigrid to tolerance ",
               treatment == ST_DIRECT ? "" : tolerance);
    }

    drop_value(&a, "template");
    if (part->matrix_free) {
        set_value(&a, "template", "GraphScattered");
        set_value(&a, "method", "cg");
    }
    part->solver = add_object(part, node, element, "PetscLinearSolver", &a);
    st_petsc_linear_solver_spread(part->solver, &part->spread.part, part->options);
}

static void add_uniform_mass(const st_scene_part *part, st_node *node, const xmlNode *element, attributes *a) {
    char share[32];
    double total;
    if (read_reals(part, element, a, "totalMass", &total, 1)) {
        snprintf(share, sizeof share, "%.17g", total / (double)part->spread.points);
        drop_value(a, "totalMass");
        set_value(a, "vertexMass", share);
    }
    add_object(part, node, element, name_of(element), a);
}

static void add_tetrahedra(const st_scene_part *part, st_node *node, const attributes *a) {
    const char *output = value_of(a, "output"), *swapping = value_of(a, "swapping");
    st_object *container = output ? st_node_find(node, output + (*output == '@')) : NULL;
    if (!container) st_end_all(ST_MPI_INVALID, "%s: output of Hexa2TetraTopologicalMapping leads nowhere", part->file);

    const bool swaps = swapping && (strcmp(swapping, "1") == 0 || strcasecmp(swapping, "true") == 0);
    const size_t none[2] = {0, 0};
    uint32_t *tetrahedra = st_make_tetrahedra(&part->spread, swaps, part->is_grid ? part->cells : none);
    give_points(container, &part->spread);
    give_elements(container, "tetrahedra", tetrahedra, 6 * part->spread.count[ST_HEXAHEDRON], 4);
    free(tetrahedra);
}

static void add_component(st_scene_part *part, st_node *node, const xmlNode *element) {
    attributes a = read_attributes(element);
    const st_treatment treatment = st_treatment_of(name_of(element));
    char *indices = NULL;

    // lists of points, also the one that stands where none is given
    if (treatment == ST_KEPT_POINTS || treatment == ST_LOAD) {
        const char *text = value_of(&a, "indices");
        if (!text && treatment == ST_KEPT_POINTS && strncmp(name_of(element), "Fixed", 5) == 0) text = "0";
        if (text && *text != '@') set_value(&a, "indices", indices = held_indices(part, element, text));
    }

    switch (treatment) {
    case ST_LEFT_OUT: break;
    case ST_GRID: {
        attributes name = {0};
        if (value_of(&a, "name")) set_value(&name, "name", value_of(&a, "name"));
        give_mesh(add_object(part, node, element, "MeshTopology", &name), &part->spread);
        break;
    }
    case ST_GMSH:
        drop_value(&a, "filename");
        give_mesh(add_object(part, node, element, "MeshPart", &a), &part->spread);
        break;
    case ST_TETRAHEDRA: add_tetrahedra(part, node, &a); break;
    case ST_MESH_MASS:
        // weighed below
        if (value_of(&a, "totalMass")) {
            drop_value(&a, "totalMass");
            set_value(&a, "massDensity", "1");
        }
        add_object(part, node, element, name_of(element), &a);
        break;
    case ST_UNIFORM_MASS: add_uniform_mass(part, node, element, &a); break;
    case ST_DIRECT:
    case ST_ITERATIVE:
    case ST_PETSC: add_solver(part, node, element, &a); break;
    case ST_STATE: part->state = (st_state *)add_object(part, node, element, name_of(element), &a); break;
    case ST_EXPLICIT: part->explicit_ = true; // fall through
    default: add_object(part, node, element, name_of(element), &a); break;
    }
    free(indices);
}

static void add_node(st_scene_part *part, st_node *node, const xmlNode *element) {
    for (const xmlNode *child = element->children; child; child = child->next) {
        if (!is_element(child) || (is_node(child) && is_visual(child))) continue;
        if (!is_node(child)) {
            add_component(part, node, child);
            continue;
        }

        attributes a = read_attributes(child);
        const char *name = value_of(&a, "name") ? value_of(&a, "name") : "";
        drop_value(&a, "name");
        st_node *made = st_node_add_child(node, name, a.list, a.count);
        if (!made) st_end_rank(ST_MPI_INVALID, "%s: the node %s cannot be made", part->file, name);
        add_node(part, made, child);
    }
}

// --- 4. sums over the whole model --------------------------------------------------------------------------

// Integrators' products: own points only, then all ranks.
static st_real dot_of_ranks(void *user, const st_state *state, size_t width, const st_real *a, const st_real *b) {
    const st_scene_part *part = user;
    double own = 0, sum = 0;
    for (size_t i = 0; i < state->size; i++)
        for (size_t c = i * width; c < (i + 1) * width && st_part_owns(&part->spread.part, i); c++)
            own += (double)(a[c] * b[c]);

    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return (st_real)sum;
}

static double sum_of_ranks(double own) {
    double sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

// A mass of density 1 weighs as much as the volume: the density follows from what the whole model shall weigh.
static void weigh(const st_scene_part *part, const xmlNode *element, st_object *mass, double total) {
    st_matrix_view m;
    if (st_component_matrix(mass, ST_MATRIX_M, ST_SPACE_OWN, &m) != ST_OK)
        st_end_rank(ST_MPI_FAILED, "%s has no matrix", st_object_path(mass));

    // rows of the own points, along x
    double volume = 0;
    const size_t b = (size_t)m.block;
    for (size_t i = 0; i < part->spread.part.count; i++) {
        if (!st_part_owns(&part->spread.part, i)) continue;
        const size_t row = 3 * i;
        for (size_t s = m.starts[row / b]; s < m.starts[row / b + 1]; s++)
            for (size_t c = 0; c < b; c++) volume += (double)m.values[b * b * s + row % b * b + c];
    }

    char text[32];
    volume = sum_of_ranks(volume);
    if (!(volume > 0) || !isfinite(total / volume)) refuse_element(part, element, "has no volume to share totalMass");
    snprintf(text, sizeof text, "%.17g", total / volume);
    if (st_object_set(mass, "massDensity", text) != ST_OK || st_object_reinit(mass) != ST_OK)
        st_end_rank(ST_MPI_FAILED, "the density of %s cannot be set", st_object_path(mass));
}

// The rank's share of a total force, by the points that it holds.
static void share_force(const st_scene_part *part, st_object *load, const double *total) {
    st_array indices;
    if (st_object_array(load, "indices", &indices) != ST_OK) return;

    double own = 0;
    for (size_t i = 0; i < indices.count; i++)
        own += st_part_owns(&part->spread.part, ((const uint32_t *)indices.data)[i]);
    const double all = sum_of_ranks(own);

    // none here: the component would complain
    if (indices.count == 0) {
        st_object_remove(load);
        return;
    }
    if (!total) return;

    char text[128];
    const double share = (double)indices.count / all;
    snprintf(text, sizeof text, "%.17g %.17g %.17g", total[0] * share, total[1] * share, total[2] * share);
    st_object_set(load, "totalForce", text);
}

// Does one of both to the components of the file that need it, in their order.
static void adjust(st_scene_part *part, const xmlNode *node, st_node *at, st_treatment what) {
    size_t next = 0, next_child = 0;
    for (const xmlNode *child = node->children; child; child = child->next) {
        if (!is_element(child) || (is_node(child) && is_visual(child))) continue;
        if (is_node(child)) {
            adjust(part, child, st_node_child(at, next_child++), what);
            continue;
        }
        if (st_treatment_of(name_of(child)) != what) continue;

        // its component; objects that were taken out do not count
        const attributes a = read_attributes(child);
        st_object *object = NULL;
        for (; !object && next < st_node_object_count(at); next++)
            if (strcmp(st_object_class_name(st_node_object(at, next)), name_of(child)) == 0)
                object = st_node_object(at, next);
        if (!object) continue;

        double total[3];
        if (what == ST_LOAD)
            share_force(part, object, read_reals(part, child, &a, "totalForce", total, 3) ? total : NULL);
        else if (read_reals(part, child, &a, "totalMass", total, 1)) weigh(part, child, object, *total);
        if (!st_object_is_attached(object)) next--;
    }
}

// --- all of it ---------------------------------------------------------------------------------------------

static xmlDoc *read_file(st_scene_part *part) {
    const char *slash = strrchr(part->file, '/');
    st_print_path(part->folder, sizeof part->folder, "%.*s", slash ? (int)(slash - part->file) : 1,
                  slash ? part->file : ".");

    // every rank reads it: one of them may not see the file
    xmlDoc *document = xmlReadFile(part->file, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlError *error = xmlGetLastError();
    if (!document && error)
        snprintf(part->last_error, sizeof part->last_error, "line %d: %s", error->line, error->message);
    part->last_error[strcspn(part->last_error, "\n")] = 0;
    part->errors += !document;
    check_errors(part, "read");

    if (!is_node(xmlDocGetRootElement(document)))
        st_end_all(ST_MPI_INVALID, "%s: is not a scene: its root must be <Node>", part->file);
    return document;
}

static void make_scene(st_scene_part *part, const xmlNode *root) {
    st_config config = st_default_config();
    config.log = keep_message;
    config.log_user = part;
    part->scene = st_scene_create(&config);
    if (!part->scene || st_register_class(part->scene, &st_petsc_linear_solver_class) != ST_OK ||
        st_register_class(part->scene, &st_mesh_part_class) != ST_OK)
        st_end_rank(ST_MPI_FAILED, "out of memory for a scene");

    const attributes a = read_attributes(root);
    st_node *node = st_scene_create_root(part->scene, value_of(&a, "name") ? value_of(&a, "name") : "root");
    for (size_t i = 0; i < a.count; i++)
        if (strcmp(a.list[i].name, "name") != 0)
            st_object_set(st_node_as_object(node), a.list[i].name, a.list[i].value);
    add_node(part, node, root);
}

void st_scene_part_load(st_scene_part *part) {
    xmlDoc *document = read_file(part);
    const xmlNode *root = xmlDocGetRootElement(document);

    // 1.
    survey found = {0};
    inspect_node(part, root, &found);
    if (!found.mesh || !found.state)
        st_end_all(ST_MPI_INVALID, "%s: has no %s that can be spread (docs/cluster.md lists what can)", part->file,
                   found.mesh ? "MechanicalObject" : "mesh");

    // 2. and 3.
    make_mesh(part, found.mesh);
    make_scene(part, root);
    check_errors(part, "made");

    // 4.
    st_scene_init(part->scene);
    st_scene_set_dot(part->scene, dot_of_ranks, part);
    if (part->state->size != part->spread.part.count || st_state_dof(part->state) != &st_vec3) {
        snprintf(part->last_error, sizeof part->last_error, "the state has %zu points of %s, the mesh %zu of Vec3",
                 part->state->size, st_state_dof(part->state)->name, part->spread.part.count);
        part->errors++;
    }
    check_errors(part, "initialized");
    adjust(part, root, st_scene_root(part->scene), ST_LOAD); // before forces are evaluated
    adjust(part, root, st_scene_root(part->scene), ST_MESH_MASS);
    check_errors(part, "initialized");

    xmlFreeDoc(document);
}

void st_scene_part_free(st_scene_part *part) {
    st_scene_destroy(part->scene);
    st_spread_free(&part->spread);
}
