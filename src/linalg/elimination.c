// Symbolic elimination. See elimination.h.
//
// 1. The elimination tree: the parent of a column is the first row below its diagonal in L (Liu 1990).
// 2. How many entries each column of L has, without forming L (Gilbert, Ng and Peyton 1994): row i of L is the part of
//    the tree below i that is spanned by the entries of row i of A; its columns are counted by their leaves and by the
//    least common ancestors of consecutive leaves.
// 3. Columns with the same rows below are joined to supernodes, and supernodes to their parents where one larger front
//    with some zeros is estimated to cost less than two.
// 4. The rows of each supernode are those of A and of its children.
//
// SPDX-License-Identifier: Apache-2.0
#include "linalg/elimination.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

// ---- the tree of columns --------------------------------------------------------------------------------------------

typedef struct columns {
    int32_t n;
    int32_t *parent;
    int32_t *postorder; // k-th column in postorder
    int32_t *count;     // entries of a column of L with its diagonal
} columns;

static void columns_free(columns *c) {
    st_free(c->parent);
    st_free(c->postorder);
    st_free(c->count);
}

static bool invert_permutation(int32_t n, const int32_t *permutation, int32_t *position) {
    for (int32_t i = 0; i < n; i++) position[i] = -1;
    for (int32_t k = 0; k < n; k++) {
        const int32_t i = permutation[k];
        if (i < 0 || i >= n || position[i] >= 0) return false;
        position[i] = k;
    }

    return true;
}

// Walks from every earlier neighbor of column k to its root so far, which then becomes a child of k. `ancestor` makes
// the walks short.
static void build_tree(const st_graph *g, const int32_t *permutation, const int32_t *position, int32_t *parent,
                       int32_t *ancestor) {
    for (int32_t k = 0; k < g->n; k++) {
        parent[k] = ancestor[k] = -1;

        const int32_t i = permutation[k];
        for (size_t s = g->starts[i]; s < g->starts[i + 1]; s++) {
            // up to the root so far; every column on the way gets k as a short cut
            int32_t at = position[g->neighbors[s]];
            while (at >= 0 && at < k) {
                const int32_t next = ancestor[at];
                ancestor[at] = k;
                if (next < 0) parent[at] = k;
                at = next;
            }
        }
    }
}

// Depth first, children in increasing order. `head` and `next` are room for n numbers each.
static void order_tree(int32_t n, const int32_t *parent, int32_t *head, int32_t *next, int32_t *postorder) {
    for (int32_t j = 0; j < n; j++) head[j] = -1;

    // lists of children, increasing
    for (int32_t j = n - 1; j >= 0; j--) {
        if (parent[j] < 0) continue;
        next[j] = head[parent[j]];
        head[parent[j]] = j;
    }

    int32_t count = 0;
    for (int32_t root = 0; root < n; root++) {
        if (parent[root] >= 0) continue;

        // Down to a leaf, out, to the next child of the parent or to the parent itself.
        int32_t at = root;
        for (;;) {
            while (head[at] >= 0) {
                const int32_t child = head[at];
                head[at] = next[child];
                at = child;
            }
            postorder[count++] = at;
            if (at == root) break;
            at = parent[at];
        }
    }
}

static int32_t find_set(int32_t *set, int32_t i) {
    int32_t root = i;
    while (set[root] != root) root = set[root];

    // everyone on the way points to the root from now on
    while (set[i] != root) {
        const int32_t next = set[i];
        set[i] = root;
        i = next;
    }

    return root;
}

typedef struct counting {
    int32_t *first;    // first descendant of a column, as a place in the postorder
    int32_t *max_leaf; // of row i: largest `first` of its leaves so far
    int32_t *last;     // of row i: its last leaf
    int32_t *set;      // disjoint sets, to find least common ancestors
} counting;

// Column j is below row i in A. If it is a leaf of the row subtree of i, it adds a path; the part from the least common
// ancestor with the former leaf on is counted already.
static void count_leaf(counting *w, int32_t i, int32_t j, int32_t *delta) {
    if (w->first[j] <= w->max_leaf[i]) return;
    w->max_leaf[i] = w->first[j];
    delta[j]++;

    const int32_t former = w->last[i];
    w->last[i] = j;
    if (former >= 0) delta[find_set(w->set, former)]--;
}

static void count_columns(const st_graph *g, const int32_t *permutation, const int32_t *position, columns *c,
                          counting *w) {
    const int32_t n = g->n;
    int32_t *delta = c->count;

    for (int32_t j = 0; j < n; j++) {
        w->first[j] = w->max_leaf[j] = w->last[j] = -1;
        w->set[j] = j;
    }

    // first descendants; a leaf of the tree begins a column
    for (int32_t k = 0; k < n; k++) {
        int32_t j = c->postorder[k];
        delta[j] = w->first[j] == -1; // a leaf of the tree
        for (; j >= 0 && w->first[j] == -1; j = c->parent[j]) w->first[j] = k;
    }

    // leaves of the row subtrees, and where their paths meet
    for (int32_t k = 0; k < n; k++) {
        const int32_t j = c->postorder[k], u = permutation[j];
        if (c->parent[j] >= 0) delta[c->parent[j]]--;
        for (size_t s = g->starts[u]; s < g->starts[u + 1]; s++) {
            const int32_t i = position[g->neighbors[s]];
            if (i > j) count_leaf(w, i, j, delta);
        }
        if (c->parent[j] >= 0) w->set[j] = c->parent[j];
    }

    // sums over subtrees: the counts
    for (int32_t k = 0; k < n; k++) {
        const int32_t j = c->postorder[k];
        if (c->parent[j] >= 0) delta[c->parent[j]] += delta[j];
    }
}

static bool find_columns(columns *c, const st_graph *g, const int32_t *permutation, const int32_t *position) {
    const size_t n = (size_t)g->n;
    *c = (columns){.n = g->n};
    c->parent = st_alloc(n, sizeof *c->parent);
    c->postorder = st_alloc(n, sizeof *c->postorder);
    c->count = st_alloc(n, sizeof *c->count);

    counting w = {st_alloc(n, sizeof *w.first), st_alloc(n, sizeof *w.max_leaf), st_alloc(n, sizeof *w.last),
                  st_alloc(n, sizeof *w.set)};
    const bool ok = c->parent && c->postorder && c->count && w.first && w.max_leaf && w.last && w.set;

    // 1. the tree, its postorder, 2. the counts
    if (ok) {
        build_tree(g, permutation, position, c->parent, w.set);
        order_tree(c->n, c->parent, w.first, w.last, c->postorder);
        count_columns(g, permutation, position, c, &w);
    }

    st_free(w.first);
    st_free(w.max_leaf);
    st_free(w.last);
    st_free(w.set);

    return ok;
}

// ---- supernodes -----------------------------------------------------------------------------------------------------

// Multiplications and additions of the dense elimination, at the rate of the kernels; every scalar of the update matrix
// is cleared, added to and moved to the parent; a front costs something in itself.
double st_front_cost(double k, double r) {
    const double work = k * r * r / 2 + k * k * r / 2 + k * k * k / 6;
    return work / 6 + 0.9 * r * r + 0.6 * k * (k + r) + 12 * (k + r) + 500;
}

// Supernodes while they are joined. The columns of one are linked: in the end a supernode's columns come one after the
// other, those that joined it before its own.
typedef struct joining {
    int32_t count;
    int32_t *of_column; // first supernodes
    int32_t *width;     // columns
    int32_t *below;     // rows below them
    int32_t *parent;
    int32_t *joined; // the supernode that took this one up; itself: none
    int32_t *begin;  // in the postorder of columns: first column of the first supernodes
    double *cost;
} joining;

static void joining_free(joining *j) {
    st_free(j->of_column);
    st_free(j->width);
    st_free(j->below);
    st_free(j->parent);
    st_free(j->joined);
    st_free(j->begin);
    st_free(j->cost);
}

// In postorder, a column follows its only way up when its parent is next and has one row less.
static void find_first_supernodes(joining *s, const columns *c) {
    // columns in postorder: a new supernode begins, or the last one goes on
    for (int32_t k = 0; k < c->n; k++) {
        const int32_t j = c->postorder[k], before = k ? c->postorder[k - 1] : -1;
        const bool same = k && c->parent[before] == j && c->count[before] == c->count[j] + 1;
        if (!same) {
            s->begin[s->count] = k;
            s->width[s->count++] = 0;
        }

        const int32_t id = s->count - 1;
        s->of_column[j] = id;
        s->width[id]++;
        s->below[id] = c->count[j] - 1;
    }

    // the parent of a supernode is that of its last column
    s->begin[s->count] = c->n;
    for (int32_t id = 0; id < s->count; id++) {
        const int32_t up = c->parent[c->postorder[s->begin[id + 1] - 1]];
        s->parent[id] = up < 0 ? -1 : s->of_column[up];
        s->joined[id] = id;
    }
}

// Children are numbered before their parents: each is offered to its parent when all below it is settled.
static void join_supernodes(joining *s, int32_t block) {
    const double b = block;
    for (int32_t id = 0; id < s->count; id++) s->cost[id] = st_front_cost(b * s->width[id], b * s->below[id]);

    for (int32_t id = 0; id < s->count; id++) {
        const int32_t up = s->parent[id];
        if (up < 0) continue;

        // one front with some zeros against two
        const double together = st_front_cost(b * (s->width[id] + s->width[up]), b * s->below[up]);
        if (together > s->cost[id] + s->cost[up]) continue;

        s->width[up] += s->width[id];
        s->cost[up] = together;
        s->joined[id] = up;
    }
}

static bool find_supernodes(joining *s, const columns *c, int32_t block) {
    const size_t n = (size_t)c->n;
    *s = (joining){0};
    s->of_column = st_alloc(n, sizeof *s->of_column);
    s->width = st_alloc(n, sizeof *s->width);
    s->below = st_alloc(n, sizeof *s->below);
    s->parent = st_alloc(n, sizeof *s->parent);
    s->joined = st_alloc(n, sizeof *s->joined);
    s->begin = st_alloc(n + 1, sizeof *s->begin);
    s->cost = st_alloc(n, sizeof *s->cost);
    if (!s->of_column || !s->width || !s->below || !s->parent || !s->joined || !s->begin || !s->cost) return false;

    find_first_supernodes(s, c);
    join_supernodes(s, block);

    return true;
}

// ---- the final order ------------------------------------------------------------------------------------------------

// Tree of the joined supernodes, and in which order they are visited: of the children, the one whose subtree costs most
// comes first, when little else is waiting in memory.
typedef struct visit {
    int32_t *parent, *head, *next, *order;
    double *weight; // of the subtree
    struct weighed *sorted;
} visit;

static int32_t top_of(const joining *s, int32_t id) {
    while (s->joined[id] != id) id = s->joined[id];
    return id;
}

typedef struct weighed {
    double weight;
    int32_t id;
} weighed;

static int compare_weights(const void *a, const void *b) {
    const weighed *x = a, *y = b;
    if (x->weight != y->weight) return x->weight < y->weight ? -1 : 1;
    return (x->id < y->id) - (x->id > y->id);
}

// Lists the children of each supernode, the heaviest first.
static void list_children(visit *v, const joining *s) {
    for (int32_t id = 0; id < s->count; id++) v->sorted[id] = (weighed){v->weight[id], id};
    qsort(v->sorted, (size_t)s->count, sizeof *v->sorted, compare_weights);

    for (int32_t k = 0; k < s->count; k++) {
        const int32_t id = v->sorted[k].id, up = v->parent[id];
        if (up < 0) continue;
        v->next[id] = v->head[up];
        v->head[up] = id;
    }
}

static int32_t visit_supernodes(visit *v, const joining *s) {
    // the tree of those that were not joined to another
    for (int32_t id = 0; id < s->count; id++) {
        v->head[id] = -1;
        v->weight[id] = s->cost[id];
        v->parent[id] = -1;
        if (s->joined[id] == id && s->parent[id] >= 0) v->parent[id] = top_of(s, s->parent[id]);
    }

    // weights of subtrees; children are numbered before their parents
    for (int32_t id = 0; id < s->count; id++) {
        if (s->joined[id] != id || v->parent[id] < 0) continue;
        v->weight[v->parent[id]] += v->weight[id];
    }

    // depth first, the heaviest child first
    list_children(v, s);
    int32_t count = 0;
    for (int32_t root = 0; root < s->count; root++) {
        if (s->joined[root] != root || v->parent[root] >= 0) continue;
        for (int32_t at = root;;) {
            while (v->head[at] >= 0) {
                const int32_t child = v->head[at];
                v->head[at] = v->next[child];
                at = child;
            }
            v->order[count++] = at;
            if (at == root) break;
            at = v->parent[at];
        }
    }

    return count;
}

// Numbers supernodes and columns from scratch. The columns of the first supernodes that were joined to one come in their
// former order, which is one from the leaves up.
static void elimination_renumber(st_elimination *e, const joining *s, const columns *c, visit *v,
                                 const int32_t *permutation) {
    int32_t *number = v->head; // of a first supernode that was not joined: its final number
    int32_t *fill = v->next;   // where the next of its columns goes
    int32_t at = 0;

    // supernodes in the order of the visit, with room for their columns
    for (int32_t k = 0; k < e->supernodes; k++) {
        const int32_t id = v->order[k];
        number[id] = k;
        e->first[k] = fill[id] = at;
        e->cost += s->cost[id];
        at += s->width[id];
    }

    e->first[e->supernodes] = at;

    // parents under their new numbers
    for (int32_t k = 0; k < e->supernodes; k++) {
        const int32_t up = v->parent[v->order[k]];
        e->parent[k] = up < 0 ? -1 : number[up];
    }

    // columns, in postorder, to the supernode that took them up
    for (int32_t k = 0; k < c->n; k++) {
        const int32_t j = c->postorder[k], top = top_of(s, s->of_column[j]);
        e->supernode[fill[top]] = number[top];
        e->permutation[fill[top]++] = permutation[j];
    }
}

static bool make_order(st_elimination *e, const joining *s, const columns *c, const int32_t *permutation) {
    const size_t n = (size_t)s->count;
    visit v = {st_alloc(n, sizeof *v.parent), st_alloc(n, sizeof *v.head),   st_alloc(n, sizeof *v.next),
               st_alloc(n, sizeof *v.order),  st_alloc(n, sizeof *v.weight), st_alloc(n, sizeof *v.sorted)};

    bool ok = v.parent && v.head && v.next && v.order && v.weight && v.sorted;

    // the visit, then new numbers
    if (ok) {
        e->supernodes = visit_supernodes(&v, s);
        e->first = st_alloc((size_t)e->supernodes + 1, sizeof *e->first);
        e->parent = st_alloc((size_t)e->supernodes, sizeof *e->parent);
        ok = e->first && e->parent;
        if (ok) elimination_renumber(e, s, c, &v, permutation);
    }

    st_free(v.parent);
    st_free(v.head);
    st_free(v.next);
    st_free(v.order);
    st_free(v.weight);
    st_free(v.sorted);

    return ok;
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static int elimination_compare(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

typedef struct row_finder {
    st_elimination *e;
    ST_LIST(int32_t) rows;
    int32_t *mark;  // last supernode that listed a row
    int32_t *child; // first child of a supernode
    int32_t *next;  // next child of its parent
} row_finder;

static bool elimination_add_row(row_finder *f, int32_t s, int32_t row) {
    if (row < f->e->first[s + 1] || f->mark[row] == s) return true;
    f->mark[row] = s;
    return st_list_push(&f->rows, row);
}

static bool find_rows_of(row_finder *f, const st_graph *g, int32_t s) {
    st_elimination *e = f->e;
    const size_t begin = f->rows.count;

    e->row_starts[s] = begin;
    bool ok = true;
    for (int32_t k = e->first[s]; k < e->first[s + 1] && ok; k++) {
        const int32_t i = e->permutation[k];
        for (size_t t = g->starts[i]; t < g->starts[i + 1] && ok; t++)
            ok = elimination_add_row(f, s, e->position[g->neighbors[t]]);
    }

    for (int32_t c = f->child[s]; c >= 0 && ok; c = f->next[c])
        for (size_t t = e->row_starts[c]; t < e->row_starts[c + 1] && ok; t++)
            ok = elimination_add_row(f, s, f->rows.data[t]);

    if (f->rows.count > begin) qsort(f->rows.data + begin, f->rows.count - begin, sizeof(int32_t), elimination_compare);
    e->row_starts[s + 1] = f->rows.count;
    return ok;
}

static bool find_rows(st_elimination *e, const st_graph *g) {
    row_finder f = {.e = e,
                    .mark = st_alloc((size_t)e->n, sizeof *f.mark),
                    .child = st_alloc((size_t)e->supernodes, sizeof *f.child),
                    .next = st_alloc((size_t)e->supernodes, sizeof *f.next)};
    bool ok = f.mark && f.child && f.next;

    for (int32_t i = 0; ok && i < e->n; i++) f.mark[i] = -1;
    for (int32_t s = 0; ok && s < e->supernodes; s++) f.child[s] = -1;

    for (int32_t s = 0; ok && s < e->supernodes; s++) {
        ok = find_rows_of(&f, g, s);
        const int32_t up = e->parent[s];
        if (up < 0) continue;
        f.next[s] = f.child[up];
        f.child[up] = s;
    }

    st_free(f.mark);
    st_free(f.child);
    st_free(f.next);
    e->rows = f.rows.data ? f.rows.data : st_alloc(0, sizeof *e->rows); // never NULL: it is added to

    return ok && e->rows;
}

// ---------------------------------------------------------------------------------------------------------------------

static bool elimination_eliminate(st_elimination *e, const st_graph *graph, const int32_t *permutation, int32_t block) {
    columns c;
    joining s = {0};

    // 1. and 2. columns, 3. supernodes and their order
    bool ok = find_columns(&c, graph, permutation, e->position) && find_supernodes(&s, &c, block) &&
              make_order(e, &s, &c, permutation);

    columns_free(&c);
    joining_free(&s);
    if (!ok) return false;

    // 4. the rows
    e->row_starts = st_alloc((size_t)e->supernodes + 1, sizeof *e->row_starts);
    for (int32_t k = 0; k < e->n; k++) e->position[e->permutation[k]] = k;

    return e->row_starts && find_rows(e, graph);
}

st_status st_eliminate(st_elimination *e, const st_graph *graph, const int32_t *permutation, int32_t block) {
    const size_t n = (size_t)graph->n;
    *e = (st_elimination){.n = graph->n};
    e->permutation = st_alloc(n, sizeof *e->permutation);
    e->position = st_alloc(n, sizeof *e->position);
    e->supernode = st_alloc(n, sizeof *e->supernode);

    st_status status = ST_OUT_OF_MEMORY;
    if (e->permutation && e->position && e->supernode) {
        if (!invert_permutation(graph->n, permutation, e->position)) status = ST_INVALID;
        else if (elimination_eliminate(e, graph, permutation, block)) return ST_OK;
    }

    st_elimination_free(e);
    return status;
}

void st_elimination_free(st_elimination *e) {
    st_free(e->permutation);
    st_free(e->position);
    st_free(e->first);
    st_free(e->parent);
    st_free(e->supernode);
    st_free(e->row_starts);
    st_free(e->rows);
    *e = (st_elimination){0};
}
