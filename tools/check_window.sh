#!/usr/bin/env bash
# Opens the viewer's window on a display of its own, presses every key of its table, drags, clicks,
# resizes and hides it, and keeps a picture of each: under the validation layer, which must be silent.
#
# usage: check_window.sh PROGRAM OUT_DIR    status 77: a tool for it is missing
set -euo pipefail

program=$1 out=$2
for tool in Xvfb xdotool ffmpeg; do
    command -v "$tool" > /dev/null || { echo "skipped: $tool is missing"; exit 77; }
done
keys=$("$program" view --keys 2> /dev/null) || true
grep -q '^Time' <<< "$keys" || { echo "skipped: this build has no window"; exit 77; }

rm -rf "$out"
mkdir -p "$out"
exec 3> "$out/display"
Xvfb -noreset -displayfd 3 -screen 0 900x600x24 -nolisten tcp > "$out/xvfb.log" 2>&1 &
server=$!
viewer=
clean() {
    [ -n "$viewer" ] && kill "$viewer" 2> /dev/null
    kill "$server" 2> /dev/null
    wait 2> /dev/null || true
}
trap clean EXIT
for _ in $(seq 100); do
    [ -s "$out/display" ] && break
    sleep 0.1
done
export DISPLAY=:$(cat "$out/display")
log=$out/log.txt
mkdir -m 700 "$out/run"
export XDG_RUNTIME_DIR=$out/run

# Few people, and something to show for every layer.
cat > "$out/scene.json" << 'EOS'
{
    "throng_scene": 1,
    "map": { "size": [24, 16], "cell": 0.5,
             "shapes": [{ "rects": [[11, 0, 13, 16]], "gaps": [[11, 7, 13, 8.5]] }] },
    "classes": { "foot": { "radius": 0.4, "wall_surcharge": 2, "wall_distance": 2 } },
    "profiles": { "person": { "preset": "horde", "class": "foot", "radius": 0.35 } },
    "goals": { "east": { "rects": [[22, 2, 24, 14]] },
               "table": { "slots": { "at": [4, 8], "radius": 0.6, "count": 8 } } },
    "agents": [
        { "goal": "east", "block": { "first": [3, 5], "columns": 3, "rows": 4, "pitch": [1, 1.2] } },
        { "goal": "table", "team": 1,
          "block": { "first": [16, 5], "columns": 3, "rows": 4, "pitch": [1, 1.2] } }
    ]
}
EOS

fail() {
    echo "check_window: $*" >&2
    tail -5 "$log" >&2
    exit 1
}

shoot() { # name: what the screen shows
    ffmpeg -nostdin -y -loglevel error -f x11grab -video_size 900x600 -i "$DISPLAY" -frames:v 1 "$out/$1.png"
}

await() { # line that the log must get, counted from line $seen on
    for _ in $(seq 600); do
        tail -n +"$((seen + 1))" "$log" | grep -qF -- "$1" && return 0
        kill -0 "$viewer" 2> /dev/null || fail "the viewer ended while waiting for: $1"
        sleep 0.05
    done
    fail "nothing said: $1"
}

x_name() { # of a key as SDL names it
    case $1 in
    Space) echo space ;; .) echo period ;; =) echo equal ;; -) echo minus ;; \') echo apostrophe ;;
    \;) echo semicolon ;; ,) echo comma ;; /) echo slash ;; '[') echo bracketleft ;;
    ']') echo bracketright ;; '\') echo backslash ;; PageUp) echo Prior ;; PageDown) echo Next ;;
    ?) echo "${1,,}" ;; *) echo "$1" ;;
    esac
}

press() { # group key name
    seen=$(wc -l < "$log")
    xdotool key "$(x_name "$2")"
    await "does $1/$3"
}

(cd "$out" && exec "$program" view scene.json --window --trace --validate --start 1 \
    --size 800x520 --camera crowd) > "$log" 2>&1 &
viewer=$!
for _ in $(seq 300); do
    window=$(xdotool search --name '^Throng$' 2> /dev/null | head -1) && [ -n "$window" ] && break
    sleep 0.1
done
[ -n "${window:-}" ] || fail "no window"
xdotool mousemove 450 300
sleep 1

# Every key of the table but the one that ends it. Time stands from the first on, so what a layer
# paints is all that changes.
count=0
"$program" view --keys > "$out/keys.txt"
while IFS= read -r line; do
    group=$(cut -c1-9 <<< "$line" | sed 's/ *$//')
    key=$(cut -c11-19 <<< "$line" | sed 's/ *$//')
    name=$(cut -c21-32 <<< "$line" | sed 's/ *$//')
    [ "$name" = quit ] && continue
    if [ "$group/$name" = Layers/cost ]; then
        # Layers are compared without panels, whose numbers change, from above; one agent is picked.
        press Camera F6 top
        press Agent N next
        press Window Tab panels
        sleep 0.5
        shoot off
        sleep 0.3
        shoot same
        cmp -s "$out/off.png" "$out/same.png" || fail "time stands, but what is shown changes"
    elif [ "$group/$name" = Window/help ]; then
        press Window Tab panels
    fi
    press "$group" "$key" "$name"
    count=$((count + 1))
    sleep 0.2
    shoot "$(printf '%02d' $count)_${group// /_}_${name// /_}"
    case "$group/$name" in
    "Layers/next door" | "Layers/last door") ;; # pages of the layer before
    Layers/*)
        shown=$(printf '%02d' $count)_Layers_$name.png
        press "$group" "$key" "$name" # off again
        sleep 0.2
        shoot off
        cmp -s "$out/$shown" "$out/off.png" && fail "the layer $name changes nothing"
        ;;
    Window/help | Window/panels | Window/"full screen") press "$group" "$key" "$name" ;;
    esac
done < "$out/keys.txt"

# Hands on: a wall is painted and taken back, and painted again; a goal put and dragged; agents
# added and removed; what is saved runs.
press "Hands on" I look
press Camera F6 top
press "Hands on" V wall
said() { # what the viewer must say after the mouse did something
    await "says"
    tail -n +"$((seen + 1))" "$log" | grep -q "$1" || fail "expected: $1"
}
drag() { # from x y to x y
    seen=$(wc -l < "$log")
    xdotool mousemove "$1" "$2" mousedown 1
    sleep 0.2
    xdotool mousemove $((($1 + $3) / 2)) $((($2 + $4) / 2)) mousemove "$3" "$4"
    sleep 0.2
    xdotool mouseup 1
}
drag 400 330 480 330
said ' [1-9][0-9]* cells painted'
shoot painted
seen=$(wc -l < "$log")
xdotool key z
await "cells taken back"
drag 400 330 480 330
said ' [1-9][0-9]* cells painted'
press "Hands on" O goal
drag 430 250 470 270
said ' [1-9][0-9]* sent there'
press "Hands on" C add
drag 420 200 420 201
press "Hands on" X remove
drag 520 200 520 260
shoot hands_on
seen=$(wc -l < "$log")
xdotool key p
await "edited.json written"
grep -q '"put_1"' "$out/edited.json" || fail "the goal was not saved"
"$program" run "$out/edited.json" --quiet > "$out/run.txt" 2>&1 ||
    fail "throng run does not take what was saved: $(head -3 "$out/run.txt")"
press "Hands on" I look

# By hand: the camera goes to somebody, nearer, turns; then a click there picks who it is.
press Camera F8 close
press Agent N next
press Agent L follow
sleep 0.3
press Agent Escape none
xdotool click 4 click 4 mousedown 1 mousemove 480 310 mousemove 500 320 mouseup 1 mousemove 450 300
sleep 0.3
seen=$(wc -l < "$log")
xdotool click 1
await "picked"
xdotool mousedown 3 mousemove 480 300 mouseup 3 mousemove 450 300
shoot by_hand

# As small as it gets, larger, out of sight and back: it must live and answer.
xdotool windowsize "$window" 1 1
sleep 1
xdotool windowsize "$window" 860 560
sleep 1
xdotool windowunmap "$window"
sleep 1
xdotool windowmap "$window"
sleep 1
xdotool windowfocus "$window" # a window manager would
xdotool mousemove 450 300
press Time Space play
sleep 1
shoot larger

xdotool key End
status=0
wait "$viewer" || status=$?
viewer=
[ "$status" -eq 0 ] || fail "ended with status $status"

# The graphics device is lost, twice: the window goes on and answers.
lose() { # options: opens the window on devices that do not last
    (cd "$out" && exec "$program" view scene.json --window --trace --validate --start 1 \
        --size 800x520 --camera top "$@") > "$log" 2>&1 &
    viewer=$!
    seen=0
    xdotool mousemove 450 300
}
lose --lose-after 30 --lose-again 60
await "was lost and is opened again"
seen=$(grep -n -m1 "was lost" "$log" | cut -d: -f1)
await "was lost and is opened again"
press Agent N next
xdotool key End
status=0
wait "$viewer" || status=$?
viewer=
[ "$status" -eq 0 ] || fail "a lost device ended it with status $status"

# No device lasts: it says so, with status 2, and what was painted is not lost.
lose --lose-after 400 --lose-again 2
for _ in $(seq 300); do
    xdotool search --name '^Throng$' > /dev/null 2>&1 && break
    sleep 0.1
done
sleep 0.5
press Time Space play
press "Hands on" V wall
drag 400 330 480 330
said ' [1-9][0-9]* cells painted'
press Time Space play
status=0
wait "$viewer" || status=$?
viewer=
[ "$status" -eq 2 ] || fail "expected status 2 without a device, found $status"
grep -q 'lost again and again; what was changed by hand is in throng-rescued.json' "$log" ||
    fail "the end is not told: $(tail -1 "$log")"
"$program" run "$out/throng-rescued.json" --quiet > "$out/rescued.txt" 2>&1 ||
    fail "throng run does not take what was rescued: $(head -3 "$out/rescued.txt")"
echo "check_window: $count keys pressed, $(ls "$out"/*.png | wc -l) pictures in $out"
