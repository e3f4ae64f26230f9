// Where the threads of simulation and server meet: connections with their outboxes, the queue of commands, the newest
// snapshot. Every function may be called by either thread; what they share is guarded by one lock.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_HUB_H
#define SETTEE_VIEWER_HUB_H

#include "command.h"
#include "snapshot.h"

enum {
    ST_VIEWER_MOST_PAGES = 32,
    ST_VIEWER_MOST_QUEUED = 64,        // commands of one page that wait: it is not read any further then
    ST_VIEWER_MOST_WAITING = 64 << 20, // bytes of answers that a page has not taken: it is closed then
    ST_VIEWER_EVERYONE = 0,            // in place of a page
};

typedef struct st_viewer_hub st_viewer_hub;

st_viewer_hub *st_viewer_hub_create(void); // NULL: out of memory
void st_viewer_hub_destroy(st_viewer_hub *hub);
// Called, with no lock held, when the server has something to send.
void st_viewer_hub_on_change(st_viewer_hub *hub, void (*wake)(void *user), void *user);

// --- the server's side -----------------------------------------------------------------------------------

// The number of a new page, or 0: there are too many. It gets the welcome (JSON, copied) first.
uint32_t st_viewer_hub_join(st_viewer_hub *hub, const st_viewer_text *welcome);
void st_viewer_hub_leave(st_viewer_hub *hub, uint32_t page);
// Takes over the command.
void st_viewer_hub_submit(st_viewer_hub *hub, uint32_t page, st_viewer_command *command);
// False: too many commands of the page wait; it should not be read until this is true again.
bool st_viewer_hub_accepts(st_viewer_hub *hub, uint32_t page);

typedef enum st_viewer_next { ST_VIEWER_NOTHING, ST_VIEWER_JSON, ST_VIEWER_BINARY, ST_VIEWER_CLOSE } st_viewer_next;
// What is to be sent to the page next, appended to the message.
st_viewer_next st_viewer_hub_next(st_viewer_hub *hub, uint32_t page, st_viewer_text *message);

// --- the simulation's side ---------------------------------------------------------------------------------

// The next command and the page that sent it; false: there is none. Waits up to so many seconds for one.
bool st_viewer_hub_take(st_viewer_hub *hub, double seconds, uint32_t *page, st_viewer_command *command);
// Ends the wait of st_viewer_hub_take, whoever waits there.
void st_viewer_hub_nudge(st_viewer_hub *hub);
// A message for one page or for everyone; it is copied.
void st_viewer_hub_send(st_viewer_hub *hub, uint32_t page, const st_viewer_text *message, bool binary);
// Messages that pages get when they join, the last 500 of them; and none of them.
void st_viewer_hub_keep(st_viewer_hub *hub, const st_viewer_text *message);
void st_viewer_hub_forget(st_viewer_hub *hub);
size_t st_viewer_hub_pages(st_viewer_hub *hub);
bool st_viewer_hub_has(st_viewer_hub *hub, uint32_t page); // is it still there?
// Whether a page has seen the newest frame, so that another one is of use.
bool st_viewer_hub_is_hungry(st_viewer_hub *hub);
// The snapshot, for an update; NULL: the server is reading it, unless `wait` is set. Ended by st_viewer_hub_publish with
// the figures of the frame, a JSON message that is copied.
st_viewer_snapshot *st_viewer_hub_begin(st_viewer_hub *hub, bool wait);
void st_viewer_hub_publish(st_viewer_hub *hub, const st_viewer_text *figures);

#endif
