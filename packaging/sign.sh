#!/bin/sh
# Signs dist/Draftscope.app from the inside out: `sh packaging/sign.sh [APP]`.
# The identity is in DRAFTSCOPE_SIGN_IDENTITY, such as "Developer ID Application: Name (TEAM)".
set -eu
cd "$(dirname "$0")/.."
app="${1:-dist/Draftscope.app}"

fail() {
    printf 'draftscope: %s\n' "$*" >&2
    exit 1
}

[ "$(uname -s)" = Darwin ] || fail "an app is signed on a Mac; this is $(uname -s)."
[ -n "${DRAFTSCOPE_SIGN_IDENTITY:-}" ] ||
    fail "name the identity to sign with in DRAFTSCOPE_SIGN_IDENTITY."
[ -d "$app/Contents" ] || fail "there is no $app; build it first with: sh packaging/build.sh"

sign() {
    codesign --force --timestamp --options runtime --sign "$DRAFTSCOPE_SIGN_IDENTITY" "$@"
}

is_code() { # a Mach-O file, thin or universal, by its first four bytes
    case "$(head -c 4 "$1" | od -An -tx1 | tr -d ' \n')" in
        cffaedfe | feedfacf | cafebabe) return 0 ;;
        *) return 1 ;;
    esac
}

# Libraries first, frameworks around them next, the app with its program last.
find "$app/Contents" -type f ! -path "*/Contents/MacOS/*" | while IFS= read -r file; do
    if is_code "$file"; then sign "$file"; fi
done
find "$app/Contents/Frameworks" -type d -name '*.framework' | while IFS= read -r framework; do
    sign "$framework"
done
sign --entitlements packaging/entitlements.plist "$app"
codesign --verify --deep --strict "$app"
printf 'draftscope: %s is signed\n' "$app"
