#!/bin/sh
# Makes dist/Draftscope-VERSION.dmg of dist/Draftscope.app: `sh packaging/dmg.sh [APP]`.
# With DRAFTSCOPE_SIGN_IDENTITY set, the image is signed too.
set -eu
. "$(dirname "$0")/mac.sh"

need_mac "a disk image is made"
find_app "$@"

version="$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$root/engine/version.py")"
image="$(dirname "$app")/Draftscope-$version.dmg"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
ditto "$app" "$folder/Draftscope.app"
ln -s /Applications "$folder/Applications"
hdiutil create -quiet -ov -fs HFS+ -format UDZO -volname Draftscope -srcfolder "$folder" "$image"
if [ -n "${DRAFTSCOPE_SIGN_IDENTITY:-}" ]; then
    codesign --timestamp --sign "$DRAFTSCOPE_SIGN_IDENTITY" "$image"
fi
printf 'draftscope: %s is ready\n' "$image"
