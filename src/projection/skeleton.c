// Reading and posing a skeleton.
//
// The text of the joints is [record,record,...]; words of a record are separated by blanks, its keywords are skipped:
//
//     Parent i Channels n frame... Times n time... PreviousMotion frame NextMotion frame LocalRigid frame
//
// SPDX-License-Identifier: Apache-2.0
#include "projection/skeleton.h"

#include <stdlib.h>

#include "base/array.h"
#include "math/rigid.h"

typedef struct reader {
    st_object *object;
    const char *at;
    size_t record;
    bool ok;
} reader;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void skip_blanks(reader *r) {
    while (is_blank(*r->at)) r->at++;
}

static void skeleton_fail(reader *r, const char *what) {
    if (r->ok) st_message(r->object, ST_ERROR, "joint %zu: %s is missing at \"%.20s\"", r->record, what, r->at);
    r->ok = false;
}

static bool skeleton_take(reader *r, char c) {
    skip_blanks(r);

    if (*r->at != c) return false;
    r->at++;
    return true;
}

static void skip_word(reader *r) {
    skip_blanks(r);
    while (*r->at && !is_blank(*r->at) && *r->at != ',' && *r->at != ']') r->at++;
}

static st_real read_real(reader *r) {
    char *end = NULL;
    skip_blanks(r);

    // hexadecimal and exponents are numbers, too; inf and nan are not
    const double value = strtod(r->at, &end);
    if (end == r->at || !isfinite(value)) {
        skeleton_fail(r, "a finite number");
        return 0;
    }

    r->at = end;
    return (st_real)value;
}

static long read_integer(reader *r) {
    char *end = NULL;
    skip_blanks(r);
    const long value = strtol(r->at, &end, 10);
    if (end == r->at) skeleton_fail(r, "a whole number");
    else r->at = end;
    return value;
}

static void read_reals(reader *r, st_real *values, size_t count) {
    for (size_t i = 0; i < count; i++) values[i] = r->ok ? read_real(r) : 0;
}

// Room is taken as numbers are read, never by the count that the text claims.
static size_t read_list(reader *r, st_reals *list, int width) {
    skip_word(r);
    const long count = read_integer(r);
    if (count < 0) skeleton_fail(r, "a count");

    for (long i = 0; r->ok && i < count; i++) {
        if (!st_list_set_count(list, list->count + 1, width)) skeleton_fail(r, "memory");
        else read_reals(r, list->data + (list->count - 1) * (size_t)width, (size_t)width);
    }
    return r->ok ? (size_t)count : 0;
}

static void read_joint(reader *r, st_skeleton *skeleton) {
    st_joint joint = {.parent = SIZE_MAX, .first = skeleton->times.count};
    st_real unused[7];

    // Parent
    skip_word(r);
    const long parent = read_integer(r);
    if (parent >= (long)skeleton->joints.count) skeleton_fail(r, "a parent that comes before it");
    if (parent >= 0) joint.parent = (size_t)parent;

    // Channels and Times
    joint.keys = read_list(r, &skeleton->motions, 7);
    if (read_list(r, &skeleton->times, 1) != joint.keys) skeleton_fail(r, "a time for each frame");

    // PreviousMotion, where it is at time 0; NextMotion, which is what SOFA last computed; LocalRigid
    st_real *const frames[3] = {joint.start, unused, joint.local};
    for (int i = 0; i < 3; i++) {
        skip_word(r);
        read_reals(r, frames[i], 7);
    }

    // in order?
    for (size_t k = 1; r->ok && k < joint.keys; k++)
        if (skeleton->times.data[joint.first + k] < skeleton->times.data[joint.first + k - 1])
            skeleton_fail(r, "the order of its times");

    if (r->ok && !st_list_push(&skeleton->joints, joint)) skeleton_fail(r, "memory");
}

static st_status read_joints(st_object *object, st_skeleton *skeleton, const char *text) {
    reader r = {.object = object, .at = text, .ok = true};
    if (!skeleton_take(&r, '[')) {
        st_message(object, ST_WARNING, "joints is not of the form [record,record,...]: it stays empty");
        return ST_OK;
    }

    // an empty list, or records with commas between
    if (skeleton_take(&r, ']')) return ST_OK;
    do {
        read_joint(&r, skeleton);
        r.record++;
    } while (r.ok && skeleton_take(&r, ','));

    if (r.ok && !skeleton_take(&r, ']')) skeleton_fail(&r, "a comma or the closing bracket");
    return r.ok ? ST_OK : ST_INVALID;
}

static st_status read_bones(st_object *object, st_skeleton *skeleton, const char *text) {
    reader r = {.object = object, .at = text, .ok = true};
    if (!skeleton_take(&r, '[')) {
        st_message(object, ST_WARNING, "bones is not of the form [joint,joint,...]: it stays empty");
        return ST_OK;
    }

    // an empty list, or numbers with commas between
    if (skeleton_take(&r, ']')) return ST_OK;
    do {
        const long bone = read_integer(&r);
        if (r.ok && (bone < 0 || bone >= (long)skeleton->joints.count))
            return st_invalid(object, "bones names the joint %ld of %zu", bone, skeleton->joints.count);
        if (r.ok && !st_list_push(&skeleton->bones, (size_t)bone)) skeleton_fail(&r, "memory");
    } while (r.ok && skeleton_take(&r, ','));

    if (r.ok && !skeleton_take(&r, ']')) skeleton_fail(&r, "a comma or the closing bracket");
    return r.ok ? ST_OK : ST_INVALID;
}

st_status st_skeleton_read(st_object *object, st_skeleton *skeleton, const char *joints, const char *bones) {
    skeleton->joints.count = skeleton->motions.count = skeleton->times.count = skeleton->bones.count = 0;
    const st_status status = read_joints(object, skeleton, joints ? joints : "");
    return status == ST_OK ? read_bones(object, skeleton, bones ? bones : "") : status;
}

// Before the first key: from PreviousMotion at time 0 to that one; after the last: that one.
static void pose_joint(const st_skeleton *skeleton, const st_joint *joint, st_real t, st_real frame[7]) {
    // no keys: always the same place
    if (joint->keys == 0) {
        st_copy_reals(frame, joint->local, 7);
        return;
    }

    // between which keys is t?
    const st_real *times = skeleton->times.data + joint->first, *motions = skeleton->motions.data + 7 * joint->first;
    size_t next = 0;
    while (next < joint->keys && times[next] <= t) next++;
    if (next == joint->keys || (next == 0 && !(t > 0))) {
        st_copy_reals(frame, motions + 7 * (next == 0 ? 0 : next - 1), 7);
        return;
    }

    // in between: the center on a straight line, the orientation on an arc
    const st_real *from = next ? motions + 7 * (next - 1) : joint->start, *to = motions + 7 * next;
    const st_real begin = next ? times[next - 1] : 0, way = (t - begin) / (times[next] - begin);
    for (int j = 0; j < 3; j++) frame[j] = from[j] + (to[j] - from[j]) * way;
    st_quat_slerp(frame + 3, from + 3, to + 3, (st_real)(float)way);
}

void st_skeleton_pose(const st_skeleton *skeleton, st_real t, st_real *world) {
    for (size_t i = 0; i < skeleton->joints.count; i++) {
        const st_joint *joint = &skeleton->joints.data[i];
        st_real local[7], *frame = world + 7 * i;

        pose_joint(skeleton, joint, t, local);

        if (joint->parent == SIZE_MAX) {
            st_copy_reals(frame, local, 7);
            continue;
        }

        // frame = parent ∘ local
        const st_real *parent = world + 7 * joint->parent;
        st_quat_rotate(frame, parent + 3, local);
        st_vec3_add(frame, parent, frame);
        st_quat_multiply(frame + 3, parent + 3, local + 3);
    }
}

void st_skeleton_free(st_skeleton *skeleton) {
    st_list_free(&skeleton->joints);
    st_list_free(&skeleton->motions);
    st_list_free(&skeleton->times);
    st_list_free(&skeleton->bones);
}
