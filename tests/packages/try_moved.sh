#!/usr/bin/env bash
# try_moved.sh BUILD SOURCE: installs what is in BUILD, moves it to another place, hides both folders and uses it. Before that,
# the program alone says what it lacks.
set -euo pipefail
build=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/first" --strip >/dev/null
mkdir "$folder/other place" "$folder/work"
mv "$folder/first" "$folder/other place/mash"
cp -r "$source/tests/sdk/outside" "$source"/script/packages/try-{program,python} "$folder"
if grep -rlF "$source" "$folder/other place"; then
  echo "try_moved.sh: these files name the folder of the source"
  exit 1
fi
refused() {
  local expected=$1
  shift
  if told=$("$@" 2>&1) || [[ $told != *"$expected"* ]]; then
    echo "try_moved.sh: $*: expected an error with '$expected', found: $told"
    exit 1
  fi
}
cmake --install "$build" --prefix "$folder/alone" --component mash --strip >/dev/null
cd "$folder/work"
refused 'bin/mash-server: not there' "$folder/alone/bin/mash" serve site
[[ ! -e site ]]
cp "$folder/outside/row_means.cpp" .
refused 'the package mash-sdk' env -u MASH_SDK "$folder/alone/bin/mash" heuristic build row_means.cpp
rm row_means.cpp
env -u MASH_DATA -u MASH_HEURISTICS -u MASH_SDK PATH="$folder/other place/mash/bin:$PATH" \
  bwrap --dev-bind / / --tmpfs "$source" --tmpfs "$build" --chdir "$folder/work" "$folder/try-program" "$folder/outside"

python="$folder/other place/mash/lib/python3/dist-packages"
if [[ -e $python/mash ]] && /usr/bin/python3 -c 'import numpy'; then
  env -u MASH_DATA -u MASH_HEURISTICS -u MASH_SDK PYTHONPATH="$python" PYTHONDONTWRITEBYTECODE=1 \
    bwrap --dev-bind / / --tmpfs "$source" --tmpfs "$build" --chdir "$folder/work" /usr/bin/python3 "$folder/try-python"
fi
