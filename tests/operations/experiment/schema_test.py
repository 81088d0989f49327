# SPDX-License-Identifier: Apache-2.0
"""Holds the JSON schema of experiment files against the program: what one refuses, the other refuses.

    schema_test.py MASH SOURCE_FOLDER
"""

import glob
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77  # exit code by which CTest knows that nothing was compared

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"skipped: {error}; script/bootstrap test installs it")
    sys.exit(SKIPPED)

MASH, SOURCE = sys.argv[1:3]


class Loader(yaml.SafeLoader):
    """YAML 1.2, as the program and editors read it: `yes` is a text, 1e3 a number."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
        ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("int", r"[-+]?[0-9]+", "-+0123456789"),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
        ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""])):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first))

# Beside what is to be looked at, each is small and needs no files.
DATA = "dataset: {name: digits, train: 50, test: 20, size: 16}\n"
HEURISTICS = "heuristics: [grayscale]\n"

SOUND = [
    DATA + HEURISTICS,
    DATA + "heuristics: [{id: grayscale}, {id: hog, cell: [4, 8]}]\n",
    DATA + HEURISTICS + "sampler: full\n",
    DATA + HEURISTICS + "sampler: {name: laminating, features: auto, examples: 16, budget: 2.5}\n",
    DATA + HEURISTICS + "sampler: {name: ucb, scale: tuned}\n",
    DATA + HEURISTICS + "sampler: {name: best-family, family: grayscale}\n",
    DATA + HEURISTICS + "sampler: {name: exp3.p, eta: 1e-2}\n",
    DATA + HEURISTICS + "weak: {name: tree, leaves: 3, cuts: exact}\n",
    DATA + HEURISTICS + "booster: {name: adaboost.mh, rounds: 2, stop_on_perfect: true}\n",
    DATA + HEURISTICS + "seed: 0\nruns: 2\nisolation: none\npatience: 3\n",
    "dataset: {name: diagonal, train: 20, test: 20, title: Points}\n",
    "dataset: {name: chess, train: 20, test: 20, features: 3, relevant: 1}\n",
    "dataset: {name: diagonal, train: 20, test: 20, validation: 0.5}\n",
]

BROKEN = [
    "",
    "[]\n",
    "dataset\n",
    HEURISTICS,
    "dataset:\n" + HEURISTICS,
    "dataset: {name: minst}\n",
    "dataset: {name: csv}\n",
    "dataset: csv\n",
    "dataset: {path: data}\n",
    "dataset: {name: digits, siez: 16}\n",
    "dataset: {name: digits, size: 15}\n",
    "dataset: {name: digits, size: large}\n",
    "dataset: {name: digits, size: 16.5}\n",
    "dataset: {name: digits, train: 0}\n",
    "dataset: {name: digits, train: -5}\n",
    "dataset: {name: digits, train: 1.5}\n",
    "dataset: {name: digits, train: all}\n",
    "dataset: {name: mnist, train: 0 per class}\n",
    "dataset: {name: folder, path: ., resize: 0}\n",
    "dataset: {name: folder, path: ., resize: {width: 5000}}\n",
    "dataset: {name: folder, path: ., resize: {width: 50, mode: squeeze}}\n",
    "dataset: {name: folder, path: ., resize: {widht: 50}}\n",
    "dataset: {name: folder, path: ., channels: 2}\n",
    "dataset: {name: stl10, fold: 10}\n",
    "dataset: {name: digits, test_part: hidden}\n",
    "dataset: {name: digits, validation: 1}\n",
    "dataset: {name: digits, pose: {of: 1}}\n",
    "dataset: {name: digits, pose: }\n",
    DATA + "heuristics: some\n",
    DATA + "heuristics: []\n",
    DATA + "heuristics: {id: hog}\n",
    DATA + "heuristics: [{cell: 4}]\n",
    DATA + "heuristics: [{id: grayscale, cell: []}]\n",
    DATA + "heuristics: [{id: hog, cell: [4, 4]}]\n",
    DATA + "heuristics: [{id: hog, cell: [[4]]}]\n",
    DATA + "heuristics: [{id: [hog]}]\n",
    DATA + "heuristics: ['']\n",
    DATA + "heuristics: [{columns: [a.npy]}]\n",
    DATA + "heuristics: [{columns: ''}]\n",
    DATA + "heuristics: [{columns: a.npy, cell: 4}]\n",
    DATA + "heuristics: [{columns: a.npy, name: a b}]\n",
    DATA + "heuristics: [{name: a}]\n",
    DATA + HEURISTICS + "booster: adaboost\n",
    DATA + HEURISTICS + "booster: {rounds: 5}\n",
    DATA + HEURISTICS + "booster: {name: adaboost.mh, rounds: 0}\n",
    DATA + HEURISTICS + "booster: {name: adaboost.mh, rounds: 10000001}\n",
    DATA + HEURISTICS + "booster: {name: adaboost.mh, loss: nonesuch}\n",
    DATA + HEURISTICS + "booster: {name: adaboost.mh, stop_on_perfect: yes}\n",
    DATA + HEURISTICS + "booster: {name: adaboost.samme, loss: logistic}\n",
    DATA + HEURISTICS + "weak: {name: tree, leafs: 4}\n",
    DATA + HEURISTICS + "weak: [stump]\n",
    DATA + HEURISTICS + "sampler: lamnating\n",
    DATA + HEURISTICS + "sampler: {name: full, budget: 5}\n",
    DATA + HEURISTICS + "sampler: {name: laminating, features: automatic}\n",
    DATA + HEURISTICS + "sampler: {name: laminating, budget: -1}\n",
    DATA + HEURISTICS + "sampler: {name: laminating, budget: .nan}\n",
    DATA + HEURISTICS + "sampler: {name: uniform.1q, features: tuned}\n",
    DATA + HEURISTICS + "seed: -1\n",
    DATA + HEURISTICS + "seed: x\n",
    DATA + HEURISTICS + "runs: 0\n",
    DATA + HEURISTICS + "runs: 1e3\n" + "patience: 0\n",
    DATA + HEURISTICS + "isolation: jail\n",
    DATA + HEURISTICS + "samplers: full\n",
]


def run(*arguments, folder=None):
    environment = {"PATH": os.environ["PATH"], "HOME": folder or "/"}
    environment |= {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    return subprocess.run([MASH, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        printed = run("schema", "experiment")
        assert printed.returncode == 0, printed.stderr
        cls.schema = json.loads(printed.stdout)
        cls.validator = jsonschema.Draft7Validator(cls.schema)

    def program_refuses(self, text):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "e.yaml"), "w", encoding="utf-8") as file:
                file.write(text)
            ended = run("run", "e.yaml", "--dry-run", "--quiet", folder=folder)
            self.assertIn(ended.returncode, (0, 2), ended.stderr)
            return ended.returncode == 2, ended.stderr

    def test_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(self.schema)

    def test_every_recipe_is_valid(self):
        recipes = glob.glob(os.path.join(SOURCE, "experiments", "*.yaml"))
        self.assertGreater(len(recipes), 10)
        for path in recipes:
            with self.subTest(path), open(path, encoding="utf-8") as file:
                self.validator.validate(yaml.load(file, Loader))

    def test_sound_files_are_taken_by_both(self):
        for text in SOUND:
            with self.subTest(text):
                self.assertEqual(list(self.validator.iter_errors(yaml.load(text, Loader))), [])
                self.assertEqual(self.program_refuses(text), (False, ""))

    def test_broken_files_are_refused_by_both(self):
        for text in BROKEN:
            with self.subTest(text):
                self.assertFalse(self.validator.is_valid(yaml.load(text, Loader)))
                self.assertTrue(self.program_refuses(text)[0])

    def parts(self, section):
        """The name and the keys of each; of those with the same keys the first."""
        seen = []
        for part in self.schema["properties"][section]["anyOf"]:
            keys = {key: value for key, value in part.get("properties", {}).items() if key != "name"}
            if keys and keys not in seen:
                seen.append(keys)
                yield section, part["title"], keys

    def test_each_key_refuses_the_same_values(self):
        """All keys of a part of each section at once, a line each: the program names the lines whose values it refuses."""
        values = ["-1000000", "0.5", "1", "2000000000000", "true", "word", "auto", "tuned", "{of: 1}"]
        sections = [self.parts(section) for section in ("dataset", "booster", "weak", "sampler")]
        num_compared = 0
        for together in itertools.zip_longest(*sections):
            parts = [part for part in together if part]
            for value in values:
                lines, places = [], {}  # the section, the name and the key that stand on a line
                for section, name, keys in parts:
                    lines += [f"{section}:", f"  name: {name}"]
                    for key in keys:
                        places[len(lines)] = (section, name, key)
                        lines.append(f"  {key}: {value}")
                text = "\n".join(lines) + ("\n" if parts[0][0] == "dataset" else "\n" + DATA) + HEURISTICS
                loaded = yaml.load(text, Loader)
                refused = {(section, name, key) for section, name, keys in parts for key, schema in keys.items()
                           if not jsonschema.Draft7Validator(schema).is_valid(loaded[section][key])}
                said = self.program_refuses(text)[1]
                # The schema knows nothing of what several keys say together.
                alone = [line for line in said.splitlines() if re.search(": found '|: found a |: unknown key ", line)]
                numbers = {int(number) - 1 for number in re.findall(r"^(?:mash: )?e\.yaml:(\d+):", "\n".join(alone), re.M)}
                found = {places[number] for number in numbers if number in places}
                several = {(section, name, key) for section, name, keys in parts
                           for key in self.of_several(section, name)}
                self.assertEqual(found - several, refused - several, text + said)
                num_compared += len(places)
        self.assertGreater(num_compared, 500)

    @staticmethod
    def of_several(section, name):
        """Keys whose values are refused by more than their own range, or name files, which are not there."""
        if (section, name) == ("booster", "budgeted"):
            return {"costs"}
        if section != "dataset":
            return set()
        of = {"digits": {"channels"}, "chess": {"relevant"}, "diagonal": {"relevant"}, "csv": {"delimiter"}}
        return of.get(name, set()) | {"path", "test_path"}


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
