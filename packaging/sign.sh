#!/bin/sh
# Signs dist/Draftscope.app from the inside out: `sh packaging/sign.sh [APP]`.
# The identity is in DRAFTSCOPE_SIGN_IDENTITY, such as "Developer ID Application: Name (TEAM)".
set -eu
. "$(dirname "$0")/mac.sh"

need_mac "an app is signed"
[ -n "${DRAFTSCOPE_SIGN_IDENTITY:-}" ] ||
    fail "name the identity to sign with in DRAFTSCOPE_SIGN_IDENTITY."
find_app "$@"

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
find "$app/Contents" -type f ! -path "$app/Contents/MacOS/*" | while IFS= read -r file; do
    if is_code "$file"; then sign "$file"; fi
done
find "$app/Contents/Frameworks" -type d -name '*.framework' | while IFS= read -r framework; do
    sign "$framework"
done
sign --entitlements "$root/packaging/entitlements.plist" "$app"
codesign --verify --deep --strict "$app"
printf 'draftscope: %s is signed\n' "$app"
