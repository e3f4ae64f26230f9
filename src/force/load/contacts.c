// Points in the reach of a force, with their derivatives: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "force/load/contacts.h"

#include "base/array.h"

bool st_contacts_begin(st_contacts *contacts, const st_state *state, size_t width) {
    contacts->width = width;
    contacts->points.count = contacts->blocks.count = 0;
    return st_list_reserve(&contacts->points, state->size, 1) &&
           st_list_reserve(&contacts->blocks, state->size, width * width);
}

st_real *st_contacts_add(st_contacts *contacts, size_t point) {
    contacts->points.data[contacts->points.count++] = (uint32_t)point;
    const size_t area = (contacts->width * contacts->width);
    return contacts->blocks.data + area * contacts->blocks.count++;
}

void st_contacts_blocks(const st_contacts *contacts, const st_state *state, st_stiffness k) {
    if (!state || !contacts->points.count) return;
    const size_t deriv = st_state_dof(state)->deriv, area = (contacts->width * contacts->width);
    st_sink *sink = st_stiffness_between(k, state, state);

    for (size_t c = 0; c < contacts->points.count; c++) {
        const size_t row = contacts->points.data[c] * deriv;
        if (contacts->points.data[c] < state->size)
            sink->add(sink, row, row, contacts->width, contacts->width, contacts->blocks.data + c * area);
    }
}

// df += k (A dx)
void st_contacts_product(const st_contacts *contacts, const st_state *state, const st_params *params, st_real k) {
    if (!state || !contacts->points.count) return;
    const size_t deriv = st_state_dof(state)->deriv, width = contacts->width;
    const st_real *dx = st_dx(state, params);
    st_real *df = st_df(state, params);

    for (size_t c = 0; c < contacts->points.count; c++) {
        const size_t at = contacts->points.data[c] * deriv;
        const st_real *block = contacts->blocks.data + c * width * width;
        if (contacts->points.data[c] >= state->size) continue;

        // df += k (A dx)
        for (size_t i = 0; i < width; i++) {
            st_real sum = block[i * width] * dx[at];
            for (size_t j = 1; j < width; j++) sum += block[i * width + j] * dx[at + j];
            df[at + i] += sum * k;
        }
    }
}

void st_contacts_free(st_contacts *contacts) {
    st_list_free(&contacts->points);
    st_list_free(&contacts->blocks);
}
