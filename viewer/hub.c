// Where the threads of simulation and server meet.
//
// SPDX-License-Identifier: Apache-2.0
#include "hub.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct letter {
    struct letter *next;
    bool binary;
    size_t length;
    char data[];
} letter;

typedef struct mailbox {
    letter *first, *last;
    size_t bytes, count;
} mailbox;

typedef struct page {
    uint32_t number; // 0: free
    mailbox box;
    bool overflown;
    size_t queued;      // commands
    uint32_t seen;      // last frame sent
    uint32_t list_seen; // frame of the list of items sent
    uint32_t figures_seen;
} page;

typedef struct request {
    struct request *next;
    uint32_t page;
    st_viewer_command command;
} request;

enum { MOST_KEPT = 500 };

struct st_viewer_hub {
    pthread_mutex_t lock;
    pthread_cond_t arrived; // a command
    page pages[ST_VIEWER_MOST_PAGES];
    size_t page_count;
    uint32_t last_number;
    request *first, *last;
    mailbox kept;
    st_viewer_snapshot snapshot;
    st_viewer_text figures;
    void (*wake)(void *user);
    void *user;
};

// ---------------------------------------------------------------------------------------------------
// Mailboxes
// ---------------------------------------------------------------------------------------------------

static bool post(mailbox *box, const char *data, size_t length, bool binary) {
    letter *l = malloc(sizeof *l + length);
    if (!l) return false;
    *l = (letter){.binary = binary, .length = length};
    memcpy(l->data, data, length);

    if (box->last) box->last->next = l;
    else box->first = l;
    box->last = l;
    box->bytes += length;
    box->count++;
    return true;
}

static letter *take_letter(mailbox *box) {
    letter *l = box->first;
    if (!l) return NULL;
    box->first = l->next;
    if (!box->first) box->last = NULL;
    box->bytes -= l->length;
    box->count--;
    return l;
}

static void empty(mailbox *box) {
    for (letter *l; (l = take_letter(box));) free(l);
}

// ---------------------------------------------------------------------------------------------------

st_viewer_hub *st_viewer_hub_create(void) {
    st_viewer_hub *hub = calloc(1, sizeof *hub);
    if (!hub) return NULL;

    // waiting is measured by the clock that nobody sets
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&hub->lock, NULL);
    pthread_cond_init(&hub->arrived, &clock);
    pthread_condattr_destroy(&clock);
    return hub;
}

static void free_request(request *r) {
    st_viewer_command_free(&r->command);
    free(r);
}

void st_viewer_hub_destroy(st_viewer_hub *hub) {
    if (!hub) return;
    for (size_t i = 0; i < ST_VIEWER_MOST_PAGES; i++) empty(&hub->pages[i].box);
    empty(&hub->kept);
    while (hub->first) {
        request *r = hub->first;
        hub->first = r->next;
        free_request(r);
    }

    st_viewer_snapshot_free(&hub->snapshot);
    st_viewer_text_free(&hub->figures);
    pthread_cond_destroy(&hub->arrived);
    pthread_mutex_destroy(&hub->lock);
    free(hub);
}

void st_viewer_hub_on_change(st_viewer_hub *hub, void (*wake)(void *user), void *user) {
    hub->wake = wake;
    hub->user = user;
}

static void wake(st_viewer_hub *hub) {
    if (hub->wake) hub->wake(hub->user);
}

static page *find(st_viewer_hub *hub, uint32_t number) {
    for (size_t i = 0; number && i < ST_VIEWER_MOST_PAGES; i++)
        if (hub->pages[i].number == number) return &hub->pages[i];
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// The server's side
// ---------------------------------------------------------------------------------------------------

uint32_t st_viewer_hub_join(st_viewer_hub *hub, const st_viewer_text *welcome) {
    pthread_mutex_lock(&hub->lock);
    page *p = NULL;
    for (size_t i = 0; !p && i < ST_VIEWER_MOST_PAGES; i++)
        if (!hub->pages[i].number) p = &hub->pages[i];

    // it begins with what everyone has received before
    if (p) {
        *p = (page){.number = ++hub->last_number};
        if (p->number == 0) p->number = ++hub->last_number;
        hub->page_count++;
        p->overflown = welcome->failed || !post(&p->box, welcome->data, welcome->length, false);
        for (const letter *l = hub->kept.first; l; l = l->next)
            p->overflown |= !post(&p->box, l->data, l->length, l->binary);
    }
    const uint32_t number = p ? p->number : 0;
    pthread_cond_signal(&hub->arrived);
    pthread_mutex_unlock(&hub->lock);
    return number;
}

void st_viewer_hub_leave(st_viewer_hub *hub, uint32_t number) {
    pthread_mutex_lock(&hub->lock);
    page *p = find(hub, number);
    if (p) {
        empty(&p->box);
        *p = (page){0};
        hub->page_count--;
    }
    pthread_mutex_unlock(&hub->lock);
}

void st_viewer_hub_submit(st_viewer_hub *hub, uint32_t number, st_viewer_command *command) {
    request *r = malloc(sizeof *r);
    if (!r) {
        st_viewer_command_free(command);
        return;
    }
    *r = (request){.page = number, .command = *command};

    pthread_mutex_lock(&hub->lock);
    if (hub->last) hub->last->next = r;
    else hub->first = r;
    hub->last = r;
    page *p = find(hub, number);
    if (p) p->queued++;
    pthread_cond_signal(&hub->arrived);
    pthread_mutex_unlock(&hub->lock);
}

bool st_viewer_hub_accepts(st_viewer_hub *hub, uint32_t number) {
    pthread_mutex_lock(&hub->lock);
    const page *p = find(hub, number);
    const bool accepts = p && p->queued < ST_VIEWER_MOST_QUEUED;
    pthread_mutex_unlock(&hub->lock);
    return accepts;
}

// Answers first; then the newest list of items, figures and frame, each if it is news for the page.
static st_viewer_next choose(st_viewer_hub *hub, page *p, st_viewer_text *message) {
    const st_viewer_snapshot *s = &hub->snapshot;

    // answers and messages, in order
    letter *l = take_letter(&p->box);
    if (l) {
        const st_viewer_next next = l->binary ? ST_VIEWER_BINARY : ST_VIEWER_JSON;
        st_viewer_text_append(message, l->data, l->length);
        free(l);
        return next;
    }

    // the list before the frames that speak of it
    if (s->frame == 0) return ST_VIEWER_NOTHING;
    if (p->list_seen < s->list_changed) {
        p->list_seen = s->list_changed;
        st_viewer_text_append(message, s->list.data, s->list.length);
        return ST_VIEWER_JSON;
    }

    // the newest frame, with what changed since the last one that this page got
    if (p->figures_seen < s->frame) {
        p->figures_seen = s->frame;
        st_viewer_text_append(message, hub->figures.data, hub->figures.length);
        return ST_VIEWER_JSON;
    }
    if (p->seen == s->frame) return ST_VIEWER_NOTHING;
    st_viewer_snapshot_frame(s, p->seen, false, message);
    p->seen = s->frame;
    return ST_VIEWER_BINARY;
}

st_viewer_next st_viewer_hub_next(st_viewer_hub *hub, uint32_t number, st_viewer_text *message) {
    pthread_mutex_lock(&hub->lock);
    page *p = find(hub, number);
    const st_viewer_next next = !p || p->overflown ? ST_VIEWER_CLOSE : choose(hub, p, message);
    pthread_mutex_unlock(&hub->lock);
    return message->failed ? ST_VIEWER_CLOSE : next;
}

// ---------------------------------------------------------------------------------------------------
// The simulation's side
// ---------------------------------------------------------------------------------------------------

bool st_viewer_hub_take(st_viewer_hub *hub, double seconds, uint32_t *number, st_viewer_command *command) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const long nano = until.tv_nsec + (long)((seconds - (double)(long)seconds) * 1e9);
    until.tv_sec += (time_t)seconds + nano / 1000000000;
    until.tv_nsec = nano % 1000000000;

    pthread_mutex_lock(&hub->lock);
    if (!hub->first && seconds > 0) pthread_cond_timedwait(&hub->arrived, &hub->lock, &until);
    request *r = hub->first;
    if (r) {
        hub->first = r->next;
        if (!hub->first) hub->last = NULL;
        page *p = find(hub, r->page);
        if (p) p->queued--;
        *number = r->page;
        *command = r->command;
    }
    pthread_mutex_unlock(&hub->lock);

    // a page that had to wait is read again
    if (r) wake(hub);
    free(r);
    return r != NULL;
}

void st_viewer_hub_nudge(st_viewer_hub *hub) {
    pthread_mutex_lock(&hub->lock);
    pthread_cond_signal(&hub->arrived);
    pthread_mutex_unlock(&hub->lock);
}

void st_viewer_hub_send(st_viewer_hub *hub, uint32_t number, const st_viewer_text *message, bool binary) {
    pthread_mutex_lock(&hub->lock);
    for (size_t i = 0; i < ST_VIEWER_MOST_PAGES; i++) {
        page *p = &hub->pages[i];
        if (!p->number || (number != ST_VIEWER_EVERYONE && p->number != number)) continue;
        const bool full = message->failed || p->box.bytes + message->length > ST_VIEWER_MOST_WAITING;
        if (full || !post(&p->box, message->data, message->length, binary)) p->overflown = true;
    }
    pthread_mutex_unlock(&hub->lock);
    wake(hub);
}

void st_viewer_hub_keep(st_viewer_hub *hub, const st_viewer_text *message) {
    if (message->failed) return;
    pthread_mutex_lock(&hub->lock);
    if (hub->kept.count == MOST_KEPT) free(take_letter(&hub->kept));
    post(&hub->kept, message->data, message->length, false);
    pthread_mutex_unlock(&hub->lock);
}

void st_viewer_hub_forget(st_viewer_hub *hub) {
    pthread_mutex_lock(&hub->lock);
    empty(&hub->kept);
    pthread_mutex_unlock(&hub->lock);
}

size_t st_viewer_hub_pages(st_viewer_hub *hub) {
    pthread_mutex_lock(&hub->lock);
    const size_t count = hub->page_count;
    pthread_mutex_unlock(&hub->lock);
    return count;
}

bool st_viewer_hub_has(st_viewer_hub *hub, uint32_t number) {
    pthread_mutex_lock(&hub->lock);
    const bool has = find(hub, number) != NULL;
    pthread_mutex_unlock(&hub->lock);
    return has;
}

bool st_viewer_hub_is_hungry(st_viewer_hub *hub) {
    bool hungry = false;
    pthread_mutex_lock(&hub->lock);
    for (size_t i = 0; i < ST_VIEWER_MOST_PAGES; i++)
        hungry |= hub->pages[i].number && hub->pages[i].seen == hub->snapshot.frame;
    pthread_mutex_unlock(&hub->lock);
    return hungry;
}

st_viewer_snapshot *st_viewer_hub_begin(st_viewer_hub *hub, bool wait) {
    if (wait) pthread_mutex_lock(&hub->lock);
    else if (pthread_mutex_trylock(&hub->lock) != 0) return NULL;
    return &hub->snapshot;
}

void st_viewer_hub_publish(st_viewer_hub *hub, const st_viewer_text *figures) {
    st_viewer_text_clear(&hub->figures);
    st_viewer_text_append(&hub->figures, figures->data, figures->length);
    pthread_mutex_unlock(&hub->lock);
    wake(hub);
}
