#!/usr/bin/env bash
# Pictures and videos of a run: which steps they show, where they go, what of the options reaches the library.
#
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/support.sh" "$1"
scene a.scn ''

# A single picture shows the last state; a series step 0, every K steps and the last one.
settee run a.scn -n 7 --png 'deep/er/%04d.png' --every 3
expect_code 0
[ "$(cd deep/er && echo *)" = "0000.png 0003.png 0006.png 0007.png" ] || fail "$(ls deep/er)"
expect_out "deep/er/%04d.png (4 pictures)"
settee run a.scn -n 6 --png 's%d.png' --every 3 --json
json "j['pictures'] == 3 and j['files'] == ['s%d.png']"
for wrong in 'a%s.png' 'a%d%d.png' 'a%.png' 'a%123d.png'; do
    settee run a.scn --png "$wrong"
    expect_code 2
    expect_err "the number of the step is written as %d or %04d, once"
done

# Formats that are not written.
for wrong in p.jpg p.JPEG p.bmp p.gif; do
    settee run a.scn -n 1 --png $wrong
    expect_code 2
    expect_err "--png $wrong: pictures are written as PNG; name it p.png"
    reject_file $wrong
done

# The camera, and what is shown.
settee run a.scn -n 1 --png p.png --eye 1,2,3 --look-at 0,0,1 --up 0,0,1 --zoom 2 --color vonMises --range 0,5
expect_code 0
for line in "eye 1,2,3" "target 0,0,1" "up 0,0,1" "zoom 2" "color vonMises 0,5"; do
    grep -qF "$line" p.png || fail "'$line' is not in the picture: $(cat p.png)"
done
settee run a.scn -n 1 --png p.png --fit /Liver
grep -q "fit /Liver" p.png || fail "picture: $(cat p.png)"
settee run a.scn -n 5 --png p.png --show trails
grep -q "trails 6" p.png || fail "trails follow every step: $(cat p.png)"
for wrong in "--eye 1,2" "--eye a,b,c" "--up 0,0,0" "--zoom 0" "--range 5,1" "--range 1" "--show nonsense" "--fit /a --eye 1,2,3" \
    "--view 1,0,0 --eye 1,2,3"; do
    # shellcheck disable=SC2086 # several words
    settee run a.scn --png p.png $wrong
    expect_code 2
done
for alone in "--eye 1,2,3" "--zoom 2" "--color vonMises" "--fit /a" "--show contacts"; do
    # shellcheck disable=SC2086
    settee run a.scn $alone
    expect_code 2
    expect_err "has no meaning without --png or --video"
done

# Videos go through ffmpeg; without it nothing is begun.
mkdir bin empty
cat >bin/ffmpeg <<'SH'
#!/bin/sh
printf '%s\n' "$*" >args
for path in "$@"; do :; done
wc -c >"$path"
exit "${FFMPEG_CODE:-0}"
SH
chmod +x bin/ffmpeg
PATH=$PWD/empty settee run a.scn -n 2 --video v.mp4
expect_code 1
expect_err "--video needs ffmpeg, which is not installed"
expect_err "--png frames/%04d.png"
reject_file v.mp4
PATH=$PWD/bin:$PATH settee run a.scn -n 4 --video v.mp4 --every 2 --size 10x6
expect_code 0
[ "$(tr -d ' ' <v.mp4)" = $((3 * 3 * 10 * 6)) ] || fail "three frames of 10 x 6 pixels: $(cat v.mp4)"
grep -q -- "-s 10x6 -r 50 " args || fail "real time is 50 frames a second: $(cat args)"
expect_out "v.mp4"
FFMPEG_CODE=3 PATH=$PWD/bin:$PATH settee run a.scn -n 1 --video v.mp4
expect_code 1
expect_err "v.mp4: ffmpeg failed with code 3"
reject_out "v.mp4"

# Files that components of the scene write are listed, the first ones by name.
scene export.scn 'export="1"'
settee run export.scn -n 1
expect_out "export.vtk"
expect_out "and 2 more files of the scene"
finish
