#!/usr/bin/env bash
# try_bare.sh SOURCE FOLDER: script/package-test on the packages in FOLDER, where MASH_TRY_PACKAGES says so.
if [[ ${MASH_TRY_PACKAGES:-} != 1 ]]; then
  echo "skipped: it takes minutes, root and the network; MASH_TRY_PACKAGES=1 has it run"
  exit 77
fi
exec "$1/script/package-test" "$2"
