// Cells near a triangle: see the header.
//
// SPDX-License-Identifier: Apache-2.0
#include "topology/lattice_visit.h"

#include "math/vec3.h"

typedef struct visitor {
    const st_lattice *lattice;
    st_real p[3][3]; // the triangle, in units of cells
    st_real edge[3][3], normal[3];
    void (*visit)(void *, const int32_t[3]);
    void *context;
} visitor;

// Is the box around c with half sides h on one side of the triangle along an axis?
static bool separates(const visitor *v, const st_real axis[3], const st_real c[3], const st_real h[3]) {
    const st_real reach = fabs(axis[0]) * h[0] + fabs(axis[1]) * h[1] + fabs(axis[2]) * h[2];

    // the extent of the triangle along the axis, seen from the center of the box
    st_real least = 0, most = 0;
    for (int k = 0; k < 3; k++) {
        st_real d[3];
        st_vec3_sub(d, v->p[k], c);
        const st_real s = st_vec3_dot(axis, d);
        least = k ? st_min(least, s) : s;
        most = k ? st_max(most, s) : s;
    }

    return least > reach || most < -reach;
}

static bool is_apart(const visitor *v, const int32_t low[3], const int32_t high[3]) {
    st_real c[3], h[3], axis[3];

    // center and half sides of the box, a thousandth of a cell larger
    for (int i = 0; i < 3; i++) {
        c[i] = ((st_real)low[i] + (st_real)high[i] + 1) / 2;
        h[i] = ((st_real)high[i] - (st_real)low[i] + 1) / 2 + ST_R(1e-3);
    }

    // the three axes of the lattice, then the normal of the triangle
    for (int i = 0; i < 3; i++) {
        st_vec3_zero(axis);
        axis[i] = 1;
        if (separates(v, axis, c, h)) return true;
    }
    if (separates(v, v->normal, c, h)) return true;

    // the cross products of the edges with the axes
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 3; i++) {
            axis[i] = 0;
            axis[(i + 1) % 3] = -v->edge[e][(i + 2) % 3];
            axis[(i + 2) % 3] = v->edge[e][(i + 1) % 3];
            if (separates(v, axis, c, h)) return true;
        }

    return false;
}

static void visit_box(const visitor *v, const int32_t low[3], const int32_t high[3]) {
    if (is_apart(v, low, high)) return;

    // halve along the longest side until one cell is left
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (high[i] - low[i] > high[longest] - low[longest]) longest = i;

    if (high[longest] == low[longest]) {
        v->visit(v->context, low);
        return;
    }

    int32_t middle[3] = {high[0], high[1], high[2]};
    middle[longest] = low[longest] + (high[longest] - low[longest]) / 2;
    visit_box(v, low, middle);

    for (int i = 0; i < 3; i++) middle[i] = low[i];
    middle[longest] = low[longest] + (high[longest] - low[longest]) / 2 + 1;
    visit_box(v, middle, high);
}

void st_lattice_visit(const st_lattice *lattice, const st_real triangle[3][3], const int32_t low[3],
                      const int32_t high[3], void (*visit)(void *, const int32_t[3]), void *context) {
    visitor v = {.lattice = lattice, .visit = visit, .context = context};

    // the triangle in units of cells
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            v.p[k][i] = (triangle[k][i] - lattice->p0[i]) / lattice->step[i];
            if (!(fabs(v.p[k][i]) < ST_R(1e12))) return; // so far away that rounding leaves nothing of it
        }

    for (int k = 0; k < 3; k++) st_vec3_sub(v.edge[k], v.p[(k + 1) % 3], v.p[k]);
    st_vec3_cross(v.normal, v.edge[0], v.edge[1]);
    visit_box(&v, low, high);
}
