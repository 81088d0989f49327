#!/usr/bin/env bash
# try_moved.sh BUILD SOURCE: installs what is in BUILD, moves it to another place, hides both folders and uses it.
set -euo pipefail
build=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/first" --strip >/dev/null
mkdir "$folder/other place" "$folder/work"
mv "$folder/first" "$folder/other place/mash"
cp -r "$source/tests/sdk/outside" "$source/script/packages/try-program" "$folder"
if grep -rlF "$source" "$folder/other place"; then
  echo "try_moved.sh: these files name the folder of the source"
  exit 1
fi
cd "$folder/work"
env -u MASH_DATA -u MASH_HEURISTICS -u MASH_SDK PATH="$folder/other place/mash/bin:$PATH" \
  bwrap --dev-bind / / --tmpfs "$source" --tmpfs "$build" --chdir "$folder/work" "$folder/try-program" "$folder/outside"
