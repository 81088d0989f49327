# SPDX-License-Identifier: Apache-2.0
"""The program beside the package, for tests that compare the two."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77  # exit code by which CTest knows it


def need(*modules):
    """Ends the tests, as skipped, where one of these is missing."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            print(f"skipped: Python's module {module} is missing (script/bootstrap python)")
            sys.exit(SKIPPED)


need("numpy")
import numpy as np  # noqa: E402

MASH = os.environ["MASH"]
PLUGINS = os.environ["MASH_PLUGINS"]


def mash(*arguments):
    """What `mash ARGUMENTS --json` prints."""
    done = subprocess.run([MASH, *map(str, arguments), "--json", "--quiet"], text=True, capture_output=True)
    if done.returncode != 0:
        raise AssertionError(f"mash {' '.join(map(str, arguments))}: {done.stderr}")
    return json.loads(done.stdout)


def refusal(*arguments):
    """The message of a `mash ARGUMENTS` that is refused."""
    done = subprocess.run([MASH, *map(str, arguments)], text=True, capture_output=True)
    assert done.returncode == 2, done
    return done.stderr.removeprefix("mash: ").rstrip("\n")


def write_picture(path, image):
    """As PGM or PPM."""
    kind = b"P5" if image.ndim == 2 else b"P6"
    with open(path, "wb") as file:
        file.write(b"%s %d %d 255\n" % (kind, image.shape[1], image.shape[0]) + image.tobytes())


class InFolder(unittest.TestCase):
    """Tests with a folder of their own, where records, store and temporary files go too."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="mash-python-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ.update(XDG_DATA_HOME=self.path("data"), XDG_CACHE_HOME=self.path("cache"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def assert_same_bits(self, found, expected):
        self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape))
        self.assertEqual(np.ascontiguousarray(found).tobytes(), np.ascontiguousarray(expected).tobytes())


def random_images(shape, seed=1):
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


if __name__ == "__main__":
    sys.exit("run the tests by ctest -R python")
