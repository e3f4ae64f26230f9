// The server of the viewer: HTTP for the page, WebSocket for everything else, in a thread of its own.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef SETTEE_VIEWER_SERVER_H
#define SETTEE_VIEWER_SERVER_H

#include "hub.h"

typedef struct st_viewer_server st_viewer_server;

// Listens and serves from now on. NULL, with a reason in `why`: it cannot.
st_viewer_server *st_viewer_server_create(st_viewer_hub *hub, const char *address, int port, const char *token,
                                          bool read_only, char *why, size_t size);
int st_viewer_server_port(const st_viewer_server *server);
void st_viewer_server_destroy(st_viewer_server *server); // after its thread has ended

// Whether an address is that of this machine alone.
bool st_viewer_is_loopback(const char *address);

#endif
