// The lines of a file of frames, when their time has come.
//
// SPDX-License-Identifier: Apache-2.0
#include "io/frame_player.h"

#include "math/real.h"

st_status st_frame_player_open(st_frame_player *player, st_object *object) {
    st_frame_player_close(player);
    st_frame_player_restart(player);

    if (!player->filename || !*player->filename) return st_invalid(object, "no filename is given");
    if (!st_frame_reader_open(&player->reader, player->filename))
        return st_invalid(object, "the file %s cannot be read", player->filename);
    return ST_OK;
}

void st_frame_player_restart(st_frame_player *player) {
    player->next = player->offset = 0;
    player->lines = 0;
    player->ended = false;
    st_frame_reader_rewind(&player->reader);
}

void st_frame_player_close(st_frame_player *player) { st_frame_reader_close(&player->reader); }

// The file again, shifted by whole periods [offset, next]: the last one that begins not after the target, at least
// one. False: the file has no period longer than 0.
static bool begin_again(st_frame_player *player, st_real target) {
    const st_real period = player->next - player->offset, periods = floor((target - player->offset) / period);

    // without a line, or with all of them at one time, it would go round forever
    if (!player->loop || player->lines == 0 || player->reader.broken || !(player->next > player->offset)) return false;

    // periods that the target skips are not read
    player->offset = periods > 1 && isfinite(periods) ? player->offset + period * periods : player->next;
    player->lines = 0;
    st_frame_reader_rewind(&player->reader);
    return true;
}

const char *st_frame_player_line(st_frame_player *player, st_real target, size_t *length) {
    while (!player->ended && player->next <= target) {
        // lines up to the first whose frame is later than the target
        const char *line = st_frame_reader_line(&player->reader, length);
        if (line) {
            player->lines++;
            return line;
        }

        player->ended = !begin_again(player, target);
    }
    return NULL;
}

void st_frame_player_frame(st_frame_player *player, st_real time) { player->next = time + player->offset; }

void st_frame_player_report(const st_frame_player *player, const st_object *object, bool bad, const char *what) {
    if (bad || player->reader.broken) st_message_once(object, "damaged", ST_ERROR, "%s %s", player->filename, what);
}
