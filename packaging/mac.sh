# What sign.sh, dmg.sh and notarise.sh begin with; they source it.

root="$(cd "$(dirname "$0")/.." && pwd)"

fail() {
    printf 'draftscope: %s\n' "$*" >&2
    exit 1
}

need_mac() { # what is done there
    [ "$(uname -s)" = Darwin ] || fail "$1 on a Mac; this is $(uname -s)."
}

find_app() { # the app in $app: the one that is named, or the one that was built
    app="${1:-$root/dist/Draftscope.app}"
    [ -d "$app/Contents" ] || fail "there is no $app; build it first with: sh packaging/build.sh"
}
