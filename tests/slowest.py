#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""slowest.py FILE [COUNT]: the slowest tests of a run, from the JUnit file that ctest leaves, and how long all took."""

import pathlib
import sys
import xml.etree.ElementTree


def main():
    path = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    if not path.exists():
        print(f"{path}: no tests were run")
        return
    cases = [(float(case.get("time")), case.get("name").split("  # GetParam")[0])
             for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase")]
    cases.sort(reverse=True)
    print(f"\n{len(cases)} tests took {sum(seconds for seconds, _ in cases):.0f} seconds of wall time together; the slowest:")
    for seconds, name in cases[:count]:
        print(f"{seconds:8.1f} s  {name}")


if __name__ == "__main__":
    main()
