// The attribute `graph` of iterative solvers. See solver_graph.h.
//
// SPDX-License-Identifier: Apache-2.0
#include "solver/solver_graph.h"

#include "base/text.h"
#include "scene/scene.h"

void st_graph_touch(st_object *object, st_strings *graph) {
    const int index = st_field_of_member(object, graph);
    if (index < 0) return;
    st_touch_index(object, (uint32_t)index);
    object->data[index].dirty = true;
}

bool st_graph_resize(st_strings *graph, size_t lines) {
    if (graph->count == lines) return true;
    st_strings_free(graph);
    return st_list_set_count(graph, lines, 1);
}

// The field owns its strings, and may be written by others between two solves.
bool st_graph_write(st_strings *graph, size_t i, const char *name, const st_reals *values) {
    st_text text = {0};
    bool ok = st_text_append(&text, name);

    for (size_t k = 0; ok && k < values->count; k++)
        ok = st_text_append_char(&text, ' ') && st_text_append_real(&text, values->data[k], 6);

    if (!ok) {
        st_text_free(&text);
        return false;
    }

    st_free(graph->data[i]);
    graph->data[i] = st_text_take(&text);
    return graph->data[i] != NULL;
}
