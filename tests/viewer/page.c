// A page in C: the WebSocket protocol by hand.
//
// SPDX-License-Identifier: Apache-2.0
#include "page.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static pthread_t thread;
static atomic_bool ending;
static bool running;

static bool test_stop(void *user) { return (void)user, atomic_load(&ending); }

static void *run(void *user) {
    st_test_viewer *test = user;
    test->scene = st_viewer_run(test->viewer, test->scene);
    return NULL;
}

static st_scene *test_open(void *user) { return st_test_scene_of(((st_test_viewer *)user)->text, NULL, NULL); }

void st_test_viewer_start(st_test_viewer *test, const st_viewer_options *more) {
    st_viewer_options options = more ? *more : (st_viewer_options){0};
    options.title = "test";
    options.open = test_open;
    options.stop = test_stop;
    options.user = test;

    char why[256];
    test->viewer = st_viewer_create(&options, why, sizeof why);
    if (!test->viewer) fail_msg("no viewer: %s", why);
    const char *url = st_viewer_url(test->viewer);
    assert_int_equal(sscanf(strchr(url + 7, ':'), ":%d/?token=%159s", &test->port, test->token), 2);
    test->scene = st_test_scene_of(test->text, st_viewer_log, test->viewer);

    atomic_store(&ending, false);
    running = true;
    assert_int_equal(pthread_create(&thread, NULL, run, test), 0);
}

void st_test_viewer_stop(st_test_viewer *test) {
    (void)test;
    atomic_store(&ending, true);
    if (running) pthread_join(thread, NULL);
    running = false;
}

void st_test_viewer_end(st_test_viewer *test) {
    st_test_viewer_stop(test);
    st_scene_destroy(test->scene);
    st_viewer_destroy(test->viewer);
}

// ---------------------------------------------------------------------------------------------------
// The scene
// ---------------------------------------------------------------------------------------------------

static const char usual[] = "<Node name=\"root\" dt=\"0.01\" gravity=\"0 -9.81 0\">"
                            "<DefaultAnimationLoop/>"
                            "<Node name=\"Bar\">"
                            "<EulerImplicitSolver name=\"solver\"/><SparseLDLSolver name=\"ldl\" "
                            "template=\"CompressedRowSparseMatrixMat3x3d\"/>"
                            "<RegularGridTopology name=\"grid\" n=\"4 3 3\" min=\"0 0 0\" max=\"3 1 1\"/>"
                            "<MechanicalObject name=\"dofs\"/><UniformMass name=\"mass\" totalMass=\"1\"/>"
                            "<HexahedronFEMForceField name=\"fem\" youngModulus=\"500\" poissonRatio=\"0.3\"/>"
                            "<FixedProjectiveConstraint name=\"fixed\" indices=\"0 4 8 12\"/>"
                            "</Node></Node>";

st_scene *st_test_scene_of(const char *text, st_log_function *log, void *user) {
    st_config config = st_default_config();
    config.log = log;
    config.log_user = user;
    st_scene *scene = st_scene_create(&config);
    assert_non_null(scene);
    if (!text) text = usual;
    assert_int_equal(st_scene_load_text(scene, text, strlen(text), NULL), ST_OK);
    assert_int_equal(st_scene_init(scene), ST_OK);
    return scene;
}

st_scene *st_test_scene(st_log_function *log, void *user) { return st_test_scene_of(NULL, log, user); }

static bool append(void *user, const char *data, size_t length) {
    char **all = user;
    const size_t before = *all ? strlen(*all) : 0;
    *all = realloc(*all, before + length + 1);
    memcpy(*all + before, data, length);
    (*all)[before + length] = 0;
    return true;
}

char *st_test_dump(st_scene *scene) {
    char *all = NULL;
    const st_writer writer = {append, &all};
    assert_int_equal(st_scene_dump_states(scene, 0, &writer), ST_OK);
    return all;
}

// ---------------------------------------------------------------------------------------------------
// Sockets
// ---------------------------------------------------------------------------------------------------

int st_test_connect(const st_test_viewer *test) {
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)test->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(s >= 0);
    const struct timeval patience = {.tv_sec = 20};
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(s, (struct sockaddr *)&address, sizeof address) == 0) return s;
    close(s);
    return -1;
}

// A server may have closed the connection: that shows when one reads.
void st_test_write(int s, const void *data, size_t length) {
    const char *at = data;
    while (length > 0) {
        const ssize_t n = send(s, at, length, MSG_NOSIGNAL);
        if (n <= 0) return;
        at += n;
        length -= (size_t)n;
    }
}

static bool read_all(int s, void *data, size_t length) {
    char *at = data;
    while (length > 0) {
        const ssize_t n = recv(s, at, length, 0);
        if (n <= 0) return false;
        at += n;
        length -= (size_t)n;
    }
    return true;
}

// The head of an answer, up to the empty line; the status, or 0.
static int read_head(int s) {
    char head[4096] = "";
    size_t length = 0;
    while (length < sizeof head - 1 && !strstr(head, "\r\n\r\n")) {
        if (!read_all(s, head + length, 1)) break;
        head[++length] = 0;
    }
    int status = 0;
    return sscanf(head, "HTTP/1.1 %d", &status) == 1 ? status : 0;
}

int st_test_get(const st_test_viewer *test, const char *path, const char *token, const char *headers) {
    char request[2048];
    const int s = st_test_connect(test);
    assert_true(s >= 0);
    snprintf(request, sizeof request, "GET %s?token=%s HTTP/1.1\r\n%s\r\n", path, token, headers);
    st_test_write(s, request, strlen(request));
    const int status = read_head(s);
    close(s);
    return status;
}

int st_test_open(const st_test_viewer *test, const char *token, const char *origin, const char *protocol) {
    char request[2048];
    const int s = st_test_connect(test);
    assert_true(s >= 0);
    int n =
        snprintf(request, sizeof request,
                 "GET /live?token=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
                 token, test->port);
    if (origin) n += snprintf(request + n, sizeof request - (size_t)n, "Origin: %s\r\n", origin);
    if (protocol) n += snprintf(request + n, sizeof request - (size_t)n, "Sec-WebSocket-Protocol: %s\r\n", protocol);
    snprintf(request + n, sizeof request - (size_t)n, "\r\n");

    st_test_write(s, request, strlen(request));
    if (read_head(s) == 101) return s;
    close(s);
    return -1;
}

void st_test_frame(int s, int opcode, bool final, const void *data, size_t length) {
    unsigned char head[14] = {(unsigned char)(opcode | (final ? 0x80 : 0))};
    size_t n = 2;
    if (length < 126) head[1] = (unsigned char)(0x80 | length);
    else {
        head[1] = 0xff;
        for (int i = 0; i < 8; i++) head[n++] = (unsigned char)((uint64_t)length >> (56 - 8 * i));
    }
    n += 4; // a mask of zeros
    st_test_write(s, head, n);
    st_test_write(s, data, length);
}

void st_test_send(int s, const char *json) { st_test_frame(s, 1, true, json, strlen(json)); }

bool st_test_receive(int s, st_test_message *message) {
    *message = (st_test_message){0};
    for (bool final = false; !final;) {
        // header with one of three forms of the length
        unsigned char head[2], more[8];
        if (!read_all(s, head, 2)) break;
        uint64_t length = head[1] & 0x7f;
        const size_t bytes = length == 126 ? 2 : length == 127 ? 8 : 0;
        if (!read_all(s, more, bytes)) break;
        if (bytes) length = 0;
        for (size_t i = 0; i < bytes; i++) length = length << 8 | more[i];

        // the data, and where it goes
        if ((head[0] & 0x0f) == 8) break;
        if ((head[0] & 0x0f) == 2) message->binary = true;
        message->data = realloc(message->data, message->length + length + 1);
        if (!read_all(s, message->data + message->length, length)) break;
        message->length += length;
        message->data[message->length] = 0;
        final = (head[0] & 0x80) != 0;
        if (final) return true;
    }
    free(message->data);
    return false;
}

char *st_test_expect(int s, const char *words) {
    st_test_message m;
    while (st_test_receive(s, &m)) {
        if (!m.binary && strstr(m.data, words)) return m.data;
        free(m.data);
    }
    return NULL;
}

char *st_test_ask(int s, unsigned id, const char *members) {
    char command[4096], words[64];
    snprintf(command, sizeof command, "{\"id\":%u,%s}", id, members);
    snprintf(words, sizeof words, "{\"type\":\"answer\",\"id\":%u,", id);
    st_test_send(s, command);
    return st_test_expect(s, words);
}
