// The server of the viewer, with libwebsockets. Every request is checked before anything is done:
//
//     1. Host must be this machine's own name for itself, or an address: a page of somebody else's whose name was
//        made to point here (DNS rebinding) sends its own name
//     2. Origin, where a browser sends one, must be the page that was served here
//     3. the token must be in the address
//
// SPDX-License-Identifier: Apache-2.0
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "page_data.h"
#include "settee/file.h"

enum { CHUNK = 32768, MOST_SOCKETS = 512, HEADER_SECONDS = 5, ON_THE_WAY = 1 << 18 };

struct st_viewer_server {
    st_viewer_hub *hub;
    char *address, *token;
    bool read_only;
    struct lws_context *context;
    int port;
    pthread_t thread;
    atomic_bool ending;
};

// Of a connection: a request for the page, or a page.
typedef struct session {
    size_t sent; // of the page
    uint32_t page;
    st_viewer_text incoming, outgoing; // a message of the page until it is whole; one to the page with room in front
    bool paused;                       // not read at present
} session;

// ---------------------------------------------------------------------------------------------------
// Who may ask
// ---------------------------------------------------------------------------------------------------

bool st_viewer_is_loopback(const char *address) {
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 || strcmp(address, "localhost") == 0;
}

// "name:port" or "[v6]:port" without its port.
static bool read_host(const char *text, char *name, size_t size) {
    const bool brackets = *text == '[';
    const size_t length = brackets ? strcspn(++text, "]") : strcspn(text, ":");
    if (length == 0 || length >= size) return false;
    memcpy(name, text, length);
    name[length] = 0;
    const char *rest = text + length + brackets;
    return *rest == 0 || (*rest == ':' && strspn(rest + 1, "0123456789") == strlen(rest + 1));
}

static bool is_good_host(const st_viewer_server *server, const char *host) {
    char name[256];
    unsigned char bytes[16];
    if (!read_host(host, name, sizeof name)) return false;
    if (st_viewer_is_loopback(name)) return strncmp(name, "127.", 4) != 0 || inet_pton(AF_INET, name, bytes) == 1;

    // bound to something else: by that name, or by any address, which no name server can fake
    if (st_viewer_is_loopback(server->address)) return false;
    return strcmp(name, server->address) == 0 || inet_pton(AF_INET, name, bytes) == 1 ||
           inet_pton(AF_INET6, name, bytes) == 1;
}

// Takes the same time wherever the first difference is.
static bool same_secret(const char *a, const char *b) {
    const size_t n = strlen(a);
    if (strlen(b) != n) return false;
    unsigned difference = 0;
    for (size_t i = 0; i < n; i++) difference |= (unsigned char)a[i] ^ (unsigned char)b[i];
    return difference == 0;
}

static bool may_ask(const st_viewer_server *server, struct lws *wsi) {
    char host[300] = "", origin[320] = "", expected[320], token[300] = "";

    // headers that are missing stay empty, those that are too long are refused
    if (lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0 || !is_good_host(server, host)) return false;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0) {
        snprintf(expected, sizeof expected, "http://%s", host);
        if (lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) <= 0 || strcmp(origin, expected) != 0)
            return false;
    }

    // newer versions of the library leave the name in the value
    const char *given = lws_get_urlarg_by_name(wsi, "token=", token, sizeof token);
    if (given && strncmp(given, "token=", 6) == 0) given += 6;
    return given && same_secret(given, server->token);
}

// ---------------------------------------------------------------------------------------------------
// The page over HTTP
// ---------------------------------------------------------------------------------------------------

static int answer(struct lws *wsi, unsigned code, const char *text) {
    lws_return_http_status(wsi, code, text);
    return -1;
}

static int begin_page(struct lws *wsi) {
    static const char *const headers[][2] = {
        {"cache-control:", "no-store"},
        {"referrer-policy:", "no-referrer"},
        {"x-content-type-options:", "nosniff"},
        {"content-security-policy:",
         "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
         "connect-src 'self' ws://*:*; base-uri 'none'; form-action 'none'"},
    };
    unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer - 1;

    // the token is in the address: it must not be kept, nor sent on to others
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, "text/html; charset=utf-8", st_viewer_page_length(), &at, end))
        return -1;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (lws_add_http_header_by_name(wsi, (const unsigned char *)headers[i][0], (const unsigned char *)headers[i][1],
                                        (int)strlen(headers[i][1]), &at, end))
            return -1;
    if (lws_finalize_write_http_header(wsi, start, &at, end)) return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int continue_page(struct lws *wsi, session *s) {
    unsigned char buffer[LWS_PRE + CHUNK];
    const size_t left = st_viewer_page_length() - s->sent, length = left < CHUNK ? left : CHUNK;
    memcpy(buffer + LWS_PRE, st_viewer_page_start + s->sent, length);

    const bool last = length == left;
    if (lws_write(wsi, buffer + LWS_PRE, length, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)length) return -1;
    s->sent += length;
    if (last) return lws_http_transaction_completed(wsi) ? -1 : 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    st_viewer_server *server = lws_context_user(lws_get_context(wsi));
    session *s = user;

    switch (reason) {
    case LWS_CALLBACK_HTTP:
        s->sent = 0;
        if (!may_ask(server, wsi)) return answer(wsi, HTTP_STATUS_FORBIDDEN, "settee: wrong host, origin or token");
        if (strcmp(in, "/") != 0) return answer(wsi, HTTP_STATUS_NOT_FOUND, "settee: there is nothing here");
        return begin_page(wsi);
    case LWS_CALLBACK_HTTP_WRITEABLE: return continue_page(wsi, s);
    case LWS_CALLBACK_HTTP_BODY: return -1;                  // nothing takes one
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1; // a WebSocket without our protocol
    default: return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

// ---------------------------------------------------------------------------------------------------
// Pages over WebSocket
// ---------------------------------------------------------------------------------------------------

static void refuse(const st_viewer_server *server, const session *s, uint32_t id, const char *why) {
    st_viewer_text text = {0};
    st_viewer_json_open(&text, NULL, '{');
    st_viewer_json_text(&text, "type", "answer");
    st_viewer_json_count(&text, "id", id);
    st_viewer_json_bool(&text, "ok", false);
    st_viewer_json_text(&text, "error", why);
    st_viewer_json_close(&text, '}');
    st_viewer_hub_send(server->hub, s->page, &text, false);
    st_viewer_text_free(&text);
}

static void take_message(const st_viewer_server *server, session *s) {
    st_viewer_command command;
    const char *wrong = st_viewer_command_read(&command, s->incoming.data, s->incoming.length);
    if (!wrong && server->read_only && st_viewer_verb_changes(command.verb))
        wrong = "this viewer is read-only: the scene cannot be changed from here";

    if (wrong) {
        refuse(server, s, command.id, wrong);
        st_viewer_command_free(&command);
    } else st_viewer_hub_submit(server->hub, s->page, &command);
    st_viewer_text_clear(&s->incoming);
}

static int receive(const st_viewer_server *server, struct lws *wsi, session *s, const void *in, size_t length) {
    // whole messages only, of bounded size
    if (s->incoming.length + length > ST_VIEWER_MOST_BYTES) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return -1;
    }
    if (lws_frame_is_binary(wsi)) {
        lws_close_reason(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, NULL, 0);
        return -1;
    }
    st_viewer_text_append(&s->incoming, in, length);
    if (s->incoming.failed) return -1;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0) return 0;
    take_message(server, s);

    // a page that asks faster than it is answered has to wait
    if (!st_viewer_hub_accepts(server->hub, s->page)) {
        s->paused = true;
        lws_rx_flow_control(wsi, 0);
    }
    return 0;
}

static int send_next(const st_viewer_server *server, struct lws *wsi, session *s) {
    st_viewer_text_clear(&s->outgoing);
    if (!st_viewer_text_extend(&s->outgoing, LWS_PRE)) return -1;
    const st_viewer_next next = st_viewer_hub_next(server->hub, s->page, &s->outgoing);
    if (next == ST_VIEWER_CLOSE) return -1;
    if (next == ST_VIEWER_NOTHING) return 0;

    // the library keeps what the socket does not take, and asks again when all of it is gone
    const size_t length = s->outgoing.length - LWS_PRE;
    const int written = lws_write(wsi, (unsigned char *)s->outgoing.data + LWS_PRE, length,
                                  next == ST_VIEWER_BINARY ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
    if (written < (int)length) return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int greet(const st_viewer_server *server, struct lws *wsi, session *s) {
    st_viewer_text text = {0};
    st_viewer_put_welcome(&text, server->read_only);
    *s = (session){.page = st_viewer_hub_join(server->hub, &text)};
    st_viewer_text_free(&text);

    if (!s->page) {
        static const char why[] = "too many pages";
        lws_close_reason(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, (unsigned char *)why, sizeof why - 1);
        return -1;
    }

    // few frames wait on the way: a page that falls behind misses some instead of seeing old ones
    const int room = ON_THE_WAY;
    setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    lws_callback_on_writable(wsi);
    return 0;
}

static void say_goodbye(const st_viewer_server *server, session *s) {
    if (s->page) st_viewer_hub_leave(server->hub, s->page);
    st_viewer_text_free(&s->incoming);
    st_viewer_text_free(&s->outgoing);
    s->page = 0;
}

// The simulation has something: every page looks what is there for it.
static void look_around(const st_viewer_server *server, struct lws *wsi) {
    if (!atomic_load(&server->ending)) lws_callback_on_writable_all_protocol(server->context, lws_get_protocol(wsi));
}

static int on_page(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    st_viewer_server *server = lws_context_user(lws_get_context(wsi));
    session *s = user;

    // a page that had to wait is read again when it may ask
    if (reason == LWS_CALLBACK_SERVER_WRITEABLE && s->paused && st_viewer_hub_accepts(server->hub, s->page)) {
        s->paused = false;
        lws_rx_flow_control(wsi, 1);
    }

    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return may_ask(server, wsi) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED: return greet(server, wsi, s);
    case LWS_CALLBACK_RECEIVE: return receive(server, wsi, s, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE: return send_next(server, wsi, s);
    case LWS_CALLBACK_CLOSED: say_goodbye(server, s); return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: look_around(server, wsi); return 0;
    default: return 0;
    }
}

// ---------------------------------------------------------------------------------------------------

static void wake(void *server) { lws_cancel_service(((st_viewer_server *)server)->context); }

static void *serve(void *argument) {
    st_viewer_server *server = argument;
    while (!atomic_load(&server->ending) && lws_service(server->context, 0) >= 0) continue;
    return NULL;
}

// Whether one can listen there, with the reason if not. The library says none, and loses memory then.
static bool can_listen(const char *address, int port, char *why, size_t size) {
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    if (getaddrinfo(address, NULL, &hints, &found) != 0) {
        snprintf(why, size, "cannot listen at %s: it is no address such as 127.0.0.1", address);
        return false;
    }

    // the place of the port is the same in addresses of both kinds
    ((struct sockaddr_in *)found->ai_addr)->sin_port = htons((uint16_t)port);
    const int s = socket(found->ai_family, SOCK_STREAM, 0), yes = 1;
    const bool ok = s >= 0 && setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                    bind(s, found->ai_addr, found->ai_addrlen) == 0 && listen(s, 1) == 0;
    char reason[128];
    st_error_text(errno, reason, sizeof reason);
    if (!ok) snprintf(why, size, "cannot listen at %s, port %d: %s", address, port, reason);

    if (s >= 0) close(s);
    freeaddrinfo(found);
    return ok;
}

static bool listen_at(st_viewer_server *server, int port, char *why, size_t size) {
    static const struct lws_protocols protocols[] = {
        {.name = "http", .callback = on_http, .per_session_data_size = sizeof(session)},
        {.name = "settee-1", .callback = on_page, .per_session_data_size = sizeof(session), .rx_buffer_size = CHUNK},
        {0},
    };

    // bounded in sockets and in the time that a request may take to be whole
    struct lws_context_creation_info info = {
        .port = port,
        .iface = server->address,
        .protocols = protocols,
        .gid = -1,
        .uid = -1,
        .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   (strchr(server->address, ':') ? 0 : LWS_SERVER_OPTION_DISABLE_IPV6),
        .fd_limit_per_thread = MOST_SOCKETS,
        .max_http_header_pool = MOST_SOCKETS / 2,
        .timeout_secs = HEADER_SECONDS,
        .keepalive_timeout = HEADER_SECONDS,
        .user = server,
    };

    // silent: what goes wrong is in the answer
    lws_set_log_level(0, NULL);
    server->context = lws_create_context(&info);
    struct lws_vhost *vhost = server->context ? lws_get_vhost_by_name(server->context, "default") : NULL;
    server->port = vhost ? lws_get_vhost_listen_port(vhost) : 0;
    if (server->port <= 0) snprintf(why, size, "cannot listen at %s, port %d", server->address, port);
    return server->port > 0;
}

st_viewer_server *st_viewer_server_create(st_viewer_hub *hub, const char *address, int port, const char *token,
                                          bool read_only, char *why, size_t size) {
    st_viewer_server *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    server->hub = hub;
    server->read_only = read_only;
    // the name is known without a name server
    server->address = strdup(strcmp(address, "localhost") == 0 ? "127.0.0.1" : address);
    server->token = strdup(token);
    snprintf(why, size, "out of memory");

    // without its thread it is a server no more
    bool ok = server->address && server->token && can_listen(server->address, port, why, size) &&
              listen_at(server, port, why, size);
    if (ok) {
        st_viewer_hub_on_change(hub, wake, server);
        ok = pthread_create(&server->thread, NULL, serve, server) == 0;
        if (!ok) snprintf(why, size, "cannot start a thread");
    }
    if (ok) return server;

    st_viewer_hub_on_change(hub, NULL, NULL);
    if (server->context) lws_context_destroy(server->context);
    free(server->address);
    free(server->token);
    free(server);
    return NULL;
}

int st_viewer_server_port(const st_viewer_server *server) { return server->port; }

void st_viewer_server_destroy(st_viewer_server *server) {
    if (!server) return;
    atomic_store(&server->ending, true);
    lws_cancel_service(server->context);
    pthread_join(server->thread, NULL);

    // closes what is open: pages leave the hub
    st_viewer_hub_on_change(server->hub, NULL, NULL);
    lws_context_destroy(server->context);
    free(server->address);
    free(server->token);
    free(server);
}
