# SPDX-License-Identifier: Apache-2.0
"""content.py FOLDER PACKAGE VERSION SOURCE: what a Debian package in FOLDER holds, says of itself and depends on."""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

FILES = {
    "mash": ["usr/bin/mash", "usr/libexec/mash/mash-worker", "usr/lib/mash/heuristics/hog.so", "usr/share/doc/mash/README.md",
             "usr/share/doc/mash/CHANGELOG.md", "usr/share/doc/mash/docs/operations.md", "usr/share/doc/mash/experiments/demo.yaml",
             "usr/share/mash/experiment.schema.json"],
    "mash-sdk": ["usr/include/mash-sdk/mash/heuristic.hpp", "usr/include/mash-sdk-classic/mash/heuristic.h",
                 "usr/share/cmake/mash-sdk/mash-sdk-config.cmake", "usr/share/cmake/mash-sdk/mash_plugin.map",
                 "usr/share/pkgconfig/mash-sdk.pc", "usr/share/mash-sdk/template/hog/oriented_gradients.cpp"],
    "mash-server": ["usr/bin/mash-server", "usr/bin/mash-runner", "usr/lib/systemd/system/mash-server.service",
                    "usr/lib/systemd/system/mash-runner@.service", "etc/mash/server.yaml", "usr/share/mash/deploy/nginx.conf"],
    "python3-mash": ["usr/lib/python3/dist-packages/mash/__init__.py"],
}
DEPENDS = {
    "mash": ["libc6", "libopencv-core406", "libsqlite3-0"],
    "mash-sdk": ["g++ (>= 4:12) | clang (>= 1:14)"],
    "mash-server": ["mash (= {})", "mash-sdk (= {})", "adduser", "bubblewrap", "libc6"],
    "python3-mash": ["mash (= {})", "python3", "python3-numpy"],
}
# A person who hands packages on has a name and an address (CPACK_PACKAGE_CONTACT). Manual pages may come from elsewhere.
ALLOWED_TAGS = {"malformed-contact", "bogus-mail-host-in-debian-changelog", "no-manual-page"}


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout


def faults_of_files(package, root, source):
    for path in FILES[package] + [f"usr/share/doc/{package}/{name}" for name in ("copyright", "changelog.gz")]:
        if not os.path.isfile(os.path.join(root, path)):
            yield f"{path} is missing"
    for folder, _, files in os.walk(root):
        for path in (os.path.join(folder, name) for name in files):
            with open(path, "rb") as file:
                if source.encode() in file.read():
                    yield f"{path[len(root):]} names the folder of the source"
    units = os.path.join(root, "usr/lib/systemd/system")
    for name in os.listdir(units) if os.path.isdir(units) else []:
        with open(os.path.join(units, name)) as unit:
            text = unit.read()
        if "SystemCallFilter=" in text and "SystemCallErrorNumber=" not in text:
            yield f"{name}: a call that it refuses would end the program: what libraries call differs between machines"
    plugins = os.path.join(root, "usr/lib/mash/heuristics")
    if os.path.isdir(plugins):
        checked = subprocess.run(["sha256sum", "--check", "--quiet", "shipped.sha256"], cwd=plugins, text=True, capture_output=True)
        if checked.returncode != 0:
            yield f"shipped.sha256 is not of these files: {checked.stdout}"


def faults_of_description(package, file, root, version):
    def field(name):
        return run("dpkg-deb", "--field", file, name).strip()

    if field("Package") != package or field("Version") != version:
        yield f"it is called {field('Package')} {field('Version')}, expected {package} {version}"
    depends = field("Depends").split(", ")
    for wanted in (text.format(version) for text in DEPENDS[package]):
        if not any(found == wanted or found.startswith(wanted + " ") for found in depends):
            yield f"Depends: {wanted} is missing, found {depends}"
    with gzip.open(os.path.join(root, f"usr/share/doc/{package}/changelog.gz"), "rt") as changelog:
        first = changelog.readline()
    if not first.startswith(f"{package} ({version})"):
        yield f"changelog: expected the version {version} first (a version of its own in CHANGELOG.md), found {first.strip()!r}"


def faults_of_lintian(file):
    if shutil.which("lintian"):
        told = subprocess.run(["lintian", "--no-cfg", "--allow-root", file], text=True, capture_output=True).stdout
        for line in told.splitlines():
            match = re.match(r"[EW]: \S+: (\S+)", line)
            if match and match[1] not in ALLOWED_TAGS:
                yield f"lintian: {line}"


def main(folder, package, version, source):
    files = [name for name in os.listdir(folder) if name.startswith(package + "_") and name.endswith(".deb")]
    if len(files) != 1:
        sys.exit(f"{folder}: found {files}, expected one package {package}")
    file = os.path.join(folder, files[0])
    with tempfile.TemporaryDirectory() as root:
        run("dpkg-deb", "--extract", file, root)
        faults = [*faults_of_files(package, root, source), *faults_of_description(package, file, root, version),
                  *faults_of_lintian(file)]
    for fault in faults:
        print(f"{files[0]}: {fault}")
    sys.exit(1 if faults else 0)


main(*sys.argv[1:])
