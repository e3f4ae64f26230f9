// Messages of a page to the viewer: whatever bytes come, they are read or refused, and what was read is what the verb needs.
//
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <math.h>
#include <string.h>

#include "command.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    st_viewer_command command;
    const char *wrong = st_viewer_command_read(&command, (const char *)data, size);
    assert(command.count <= ST_VIEWER_MOST_MEMBERS);

    // every member can be written back as JSON
    st_viewer_text text = {0};
    st_viewer_json_open(&text, NULL, '{');
    for (size_t i = 0; !wrong && i < command.count; i++) {
        const st_viewer_member *member = &command.members[i];
        if (member->text) st_viewer_json_text(&text, member->name, member->text);
        else st_viewer_json_real(&text, member->name, member->number);
        assert(member->text || isfinite(member->number));
    }
    st_viewer_json_close(&text, '}');

    // and read again: the same verb
    if (!wrong && size < ST_VIEWER_MOST_BYTES / 8) {
        st_viewer_command again;
        const char *still = st_viewer_command_read(&again, text.data, text.length);
        assert(!still && again.verb == command.verb && again.count == command.count);
        st_viewer_command_free(&again);
    }
    st_viewer_text_free(&text);
    st_viewer_command_free(&command);
    return 0;
}
