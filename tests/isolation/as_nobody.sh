#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# as_nobody.sh PROGRAM: runs the program as the user nobody; 77: that cannot be, and the reason is printed.
if [ "$(id -u)" != 0 ]; then
  echo "skipped: this user is without rights already"
  exit 77
fi
nobody="setpriv --reuid=65534 --regid=65534 --clear-groups env TMPDIR=/tmp HOME=/nonexistent"
if ! $nobody test -x "$1"; then
  echo "skipped: nobody cannot reach $1"
  exit 77
fi
cd / && exec $nobody "$1"
