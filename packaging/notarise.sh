#!/bin/sh
# Has a signed image notarised and staples the ticket to it: `sh packaging/notarise.sh IMAGE`.
# DRAFTSCOPE_NOTARY_PROFILE names a keychain profile made with `xcrun notarytool store-credentials`,
# DRAFTSCOPE_NOTARY_KEYCHAIN the file of the keychain it is in, where it is not the login keychain.
set -eu
. "$(dirname "$0")/mac.sh"

need_mac "an image is notarised"
[ -n "${DRAFTSCOPE_NOTARY_PROFILE:-}" ] ||
    fail "name the keychain profile for notarytool in DRAFTSCOPE_NOTARY_PROFILE."
image="${1:-}"
[ -f "$image" ] || fail "name the image to notarise, such as dist/Draftscope-0.1.0.dmg."

set -- --keychain-profile "$DRAFTSCOPE_NOTARY_PROFILE"
[ -z "${DRAFTSCOPE_NOTARY_KEYCHAIN:-}" ] || set -- "$@" --keychain "$DRAFTSCOPE_NOTARY_KEYCHAIN"
xcrun notarytool submit "$image" "$@" --wait
# Submitting may end well though Apple has refused; there is no ticket then.
xcrun stapler staple "$image" ||
    fail "$image was not accepted; xcrun notarytool log says why, with the id from above."
spctl --assess --type open --context context:primary-signature "$image"
printf 'draftscope: %s is notarised\n' "$image"
