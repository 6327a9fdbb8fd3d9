#!/bin/sh
# Makes the pictures in docs/pictures anew, from the traces in tests/traces: no model is needed.
set -eu
cd "$(dirname "$0")/.."
export QT_QPA_PLATFORM=offscreen
mkdir -p docs/pictures

picture() { # name trace theme arguments...
    name=$1 trace=$2 theme=$3
    shift 3
    echo "$name-$theme"
    .venv/bin/python -m app.main "tests/traces/$trace.jsonl" --theme "$theme" \
        --screenshot "docs/pictures/$name-$theme.png" "$@"
}

for theme in light dark; do
    picture paused paused $theme
    picture rejected lookup $theme --pane step --step 8
    picture replay replay-partial $theme --size 1440x1400
    picture excluded excluded $theme --pane step --step 8
    picture source local $theme --step 6
    picture live local $theme --size 1440x1400
    picture step multibyte $theme --pane step --step 6
    picture compare local $theme --pane compare
    picture settings local $theme --pane settings --size 1440x1400
done
