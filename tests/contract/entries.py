#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""entries.py CTEST FOLDER PROGRAM: every test of a GoogleTest program is run by one of the entries that ctest has for it
in FOLDER of the build folder, and by one alone."""

import fnmatch
import json
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def listed(program):
    """The names of all tests, as a filter names them."""
    names, suite = [], ""
    for line in output_of(program, "--gtest_list_tests").splitlines():
        name = line.split("#")[0]
        if not line.startswith(" "):
            suite = name.strip()
        else:
            names.append(suite + name.strip())
    return names[1:] if names and names[0].startswith("Running main") else names


def filters(ctest, folder, program):
    """The filter of each entry that starts the program."""
    found = []
    for test in json.loads(output_of(ctest, "--test-dir", folder, "--show-only=json-v1"))["tests"]:
        command = test.get("command", [""])
        if command[0] == program:
            found += [word.split("=", 1)[1] for word in command[1:] if word.startswith("--gtest_filter=")]
    return found


def main():
    ctest, folder, program = sys.argv[1:]
    entries = filters(ctest, folder, program)
    names = listed(program)
    wrong = False
    for name in names:
        runs = [entry for entry in entries if fnmatch.fnmatchcase(name, entry)]
        if len(runs) != 1:
            wrong = True
            print(f"{name}: expected one entry of ctest that runs it, found {len(runs)}: {', '.join(runs)}")
    idle = [entry for entry in entries if not any(fnmatch.fnmatchcase(name, entry) for name in names)]
    for entry in idle:
        print(f"{entry}: this entry of ctest runs no test")
    print(f"{len(names)} tests in {len(entries)} entries")
    sys.exit(1 if wrong or idle or not names else 0)


if __name__ == "__main__":
    main()
