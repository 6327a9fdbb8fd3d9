#!/bin/sh
# Makes the pictures in docs anew: from the traces in tests/traces, and two with the demo model.
set -eu
cd "$(dirname "$0")/.."
export QT_QPA_PLATFORM=offscreen
mkdir -p docs/pictures

shoot() { # file arguments...
    file=$1
    shift
    echo "$(basename "$file" .png)"
    .venv/bin/python -m app.main --screenshot "$file" "$@"
}

picture() { # name trace theme arguments...
    name=$1 trace=$2 theme=$3
    shift 3
    shoot "docs/pictures/$name-$theme.png" "tests/traces/$trace.jsonl" --theme "$theme" "$@"
}

for theme in light dark; do
    picture paused paused $theme
    picture rejected lookup $theme --pane step --step 8
    picture replay replay-partial $theme --size 1440x1760
    picture excluded excluded $theme --pane step --step 8
    picture source local $theme --step 6
    picture live local $theme --size 1440x1760
    picture step replay-partial $theme --pane step --step 11
    picture settings local $theme --pane settings --size 1440x1400
done
.venv/bin/python packaging/pictures.py

shoot docs/window.png --theme light --draft-length 5 --step 6 --prompt \
    "Rename the variable subtotal to amount and print the whole code.

def total_price(items, tax_rate):
    subtotal = 0
    for item in items:
        subtotal += item.price * item.quantity
    tax = subtotal * tax_rate
    return subtotal + tax"
