#!/bin/sh
# Builds Draftscope.app (on a Mac) or the folder dist/draftscope (on Linux), and checks it:
# `sh packaging/build.sh`. Everything made lies in build/ and dist/; DRAFTSCOPE_BUILD and
# DRAFTSCOPE_DIST take other folders.
set -eu
cd "$(dirname "$0")/.."
build="${DRAFTSCOPE_BUILD:-build}"
dist="${DRAFTSCOPE_DIST:-dist}"
mkdir -p "$build" "$dist"
build="$(cd "$build" && pwd)"
dist="$(cd "$dist" && pwd)"
venv="$build/venv"
log="$build/build.log"

say() { printf 'draftscope: %s\n' "$*"; }
fail() {
    printf 'draftscope: %s\n' "$*" >&2
    exit 1
}

case "$(uname -s) $(uname -m)" in
    "Darwin arm64") tree="$dist/Draftscope.app" ;;
    "Linux x86_64" | "Linux aarch64") tree="$dist/draftscope" ;;
    *) fail "a bundle is built on a Mac with Apple silicon or on Linux, not on $(uname -s) $(uname -m)." ;;
esac

# PyInstaller needs Python's shared library (or framework).
fits='import struct, sys, sysconfig, venv
shared = sysconfig.get_config_var("Py_ENABLE_SHARED") or sysconfig.get_config_var("PYTHONFRAMEWORK")
sys.exit(not (shared and (3, 11) <= sys.version_info[:2] <= (3, 14) and struct.calcsize("P") == 8))'

check_libraries() { # what Qt's window needs of X11 is taken along; it has to be here for that
    [ "$(uname -s)" = Linux ] || return 0
    missing=""
    for name in cursor0 icccm4 image0 keysyms1 randr0 render-util0 shape0 xkb1; do
        library="libxcb-${name%?}.so.${name#"${name%?}"}"
        ldconfig -p | grep -q "$library" || missing="$missing libxcb-$name"
    done
    ldconfig -p | grep -q libxkbcommon-x11.so.0 || missing="$missing libxkbcommon-x11-0"
    [ -z "$missing" ] || fail "libraries that go into the bundle are missing; on Debian or Ubuntu run: sudo apt-get install$missing"
}

find_python() {
    for python in "${DRAFTSCOPE_PYTHON:-}" python3.13 python3.14 python3.12 python3.11 python3; do
        [ -n "$python" ] && "$python" -c "$fits" >/dev/null 2>&1 && return 0
    done
    fail "no Python 3.11 to 3.14 with a shared library is on the PATH; name one in DRAFTSCOPE_PYTHON."
}

run() { # what is logged, and shown when it fails
    "$@" >>"$log" 2>&1 && return 0
    tail -n 25 "$log" >&2
    fail "the build failed; the lines above say why, and $log has them all."
}

install() {
    run "$python" -m venv --clear "$venv"
    run "$venv/bin/python" -m pip install --quiet --disable-pip-version-check ".[package]"
    [ "$(uname -s)" = Darwin ] || return 0
    # A newer system would get kernels for itself alone; the bundle is for macOS 14 and up.
    versions="$("$venv/bin/python" -c 'from importlib.metadata import version
print("mlx==" + version("mlx"), "mlx-metal==" + version("mlx-metal"))')"
    rm -rf "$build/wheels"
    # shellcheck disable=SC2086 (two words)
    run "$venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps \
        --only-binary :all: --platform macosx_14_0_arm64 --dest "$build/wheels" $versions
    run "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
        --force-reinstall "$build"/wheels/*.whl
}

finish() { # what PyInstaller does not do
    if [ "$(uname -s)" = Darwin ]; then
        # MLX looks for its kernels beside the library, by the name it was loaded under.
        (cd "$tree/Contents/Frameworks" && ln -sf mlx/lib/mlx.metallib mlx.metallib)
        run codesign --force --sign - "$tree"
        rm -rf "$dist/draftscope" # what the app was put together from
    else
        # Its symbols are for debuggers, and are three quarters of it.
        if command -v strip >/dev/null; then strip --strip-unneeded "$tree"/_internal/libpython*; fi
        cp packaging/draftscope.desktop "$tree/"
        cp resources/icon.png "$tree/draftscope.png"
    fi
}

: >"$log"
check_libraries
find_python
say "making an environment with $("$python" -c 'import platform; print("Python", platform.python_version())')"
install
run "$venv/bin/python" packaging/licences.py "$build/licences.txt"
say "building $tree"
rm -rf "$tree" "$build/work"
run "$venv/bin/python" -m PyInstaller --noconfirm --log-level WARN --distpath "$dist" \
    --workpath "$build/work" packaging/draftscope.spec
finish
"$venv/bin/python" packaging/check.py "$tree" --built-in "$build"
