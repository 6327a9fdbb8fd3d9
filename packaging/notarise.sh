#!/bin/sh
# Has a signed image notarised and staples the ticket to it: `sh packaging/notarise.sh IMAGE`.
# DRAFTSCOPE_NOTARY_PROFILE names a keychain profile made with `xcrun notarytool store-credentials`.
set -eu
cd "$(dirname "$0")/.."

fail() {
    printf 'draftscope: %s\n' "$*" >&2
    exit 1
}

[ "$(uname -s)" = Darwin ] || fail "an image is notarised from a Mac; this is $(uname -s)."
[ -n "${DRAFTSCOPE_NOTARY_PROFILE:-}" ] ||
    fail "name the keychain profile for notarytool in DRAFTSCOPE_NOTARY_PROFILE."
image="${1:-}"
[ -f "$image" ] || fail "name the image to notarise, such as dist/Draftscope-0.1.0.dmg."

xcrun notarytool submit "$image" --keychain-profile "$DRAFTSCOPE_NOTARY_PROFILE" --wait
xcrun stapler staple "$image"
spctl --assess --type open --context context:primary-signature "$image"
printf 'draftscope: %s is notarised\n' "$image"
