#!/bin/sh
# Makes .venv ready: `sh packaging/environment.sh run` for the app, `... dev` for the checks too.
# Does nothing when nothing changed. Says what it does, and in one sentence why it cannot.
set -eu

extra="${1:-run}"
here="$(pwd)"
venv=".venv"
stamp="$venv/draftscope-$extra.stamp"
log="$venv/install.log"

say() { printf 'draftscope: %s\n' "$*"; }
fail() {
    printf 'draftscope: %s\n' "$*" >&2
    exit 1
}

check_platform() {
    case "$(uname -s) $(uname -m)" in
        "Darwin arm64" | "Linux x86_64" | "Linux aarch64") ;;
        "Darwin x86_64")
            fail "MLX needs a Mac with Apple silicon and a native (arm64) terminal; this one is Intel or runs under Rosetta." ;;
        *) fail "Draftscope runs on macOS with Apple silicon and on Linux (x86_64, aarch64), not on $(uname -s) $(uname -m)." ;;
    esac
}

# The version and machine of a Python that runs and is one of ours, else nothing.
probe='import platform, struct, sys
fits = (3, 11) <= sys.version_info[:2] <= (3, 14) and struct.calcsize("P") == 8
fits = fits and (sys.platform != "darwin" or platform.machine() == "arm64")
sys.exit(not fits)'

find_python() { # the newest usable Python on the PATH, in $python
    python=""
    without_venv=""
    for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
        old_ifs="$IFS"
        IFS=:
        for folder in $PATH; do
            IFS="$old_ifs"
            candidate="${folder:-.}/$name"
            [ -x "$candidate" ] && "$candidate" -c "$probe" >/dev/null 2>&1 || continue
            if "$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then
                python="$candidate"
                return 0
            fi
            [ -n "$without_venv" ] || without_venv="$candidate"
        done
        IFS="$old_ifs"
    done
    return 1
}

make_venv() {
    if ! find_python; then
        if [ -n "$without_venv" ]; then
            version="$("$without_venv" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
            fail "$without_venv cannot make a virtual environment; on Debian or Ubuntu run: sudo apt-get install python$version-venv"
        fi
        fail "Python 3.11, 3.12, 3.13 or 3.14 is needed and none is on the PATH; get one from python.org or with: brew install python@3.13"
    fi
    say "making $venv with $("$python" -c 'import platform; print("Python", platform.python_version())') ($python)"
    rm -rf "$venv"
    if ! output="$("$python" -m venv "$venv" 2>&1)"; then
        rm -rf "$venv"
        printf '%s\n' "$output" >&2
        fail "$python could not make the virtual environment $venv; the lines above say why."
    fi
}

wanted() { # what the environment depends on; a moved folder needs a new environment
    printf '%s\n' "$here"
    cat pyproject.toml engine/version.py
}

is_installed() { [ -f "$1" ] && wanted | cmp -s - "$1"; }

was_moved() {
    for old in "$venv"/draftscope-*.stamp; do
        [ -f "$old" ] && [ "$(head -n 1 "$old")" != "$here" ] && return 0
    done
    return 1
}

check_qt() {
    [ "$(uname -s)" = Linux ] || return 0
    error="$("$venv/bin/python" -c 'import PySide6.QtGui, PySide6.QtWidgets' 2>&1)" && return 0
    library="$(printf '%s\n' "$error" | sed -n 's/.*ImportError: \([^:]*\): .*/\1/p' | tail -n 1)"
    fail "Qt cannot start without the system library ${library:-it needs}; on Debian or Ubuntu run: sudo apt-get install libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 fonts-dejavu-core"
}

install() {
    case "$extra" in
        dev) target=".[dev]"; what="Draftscope and the tools of its checks" ;;
        *) target="."; what="Draftscope" ;;
    esac
    say "installing $what into $venv (the first time this takes about a minute)"
    rm -f "$venv"/draftscope-*.stamp
    if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --editable "$target" >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        fail "the installation failed; the lines above say why, and $log has them all."
    fi
    check_qt
    wanted >"$stamp.new"
    if [ "$extra" = dev ]; then cp "$stamp.new" "$venv/draftscope-run.stamp"; fi
    mv "$stamp.new" "$stamp"
}

check_platform
if [ ! -x "$venv/bin/python" ] || was_moved || ! "$venv/bin/python" -c "$probe" >/dev/null 2>&1; then
    make_venv
fi
is_installed "$stamp" || install
