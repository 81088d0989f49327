#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""adaboost.samme beside scikit-learn's AdaBoostClassifier(algorithm="SAMME"), on two tables of $MASH_DATA.

Given a stump of our own kind, written here in NumPy, scikit-learn's weighted errors and coefficients must be
ours to 1e-9 in each round. The test error of its own stumps, which minimise the Gini impurity and not the
error, is shown beside.

    tests/peers/samme.py build/release/bin/mash [--rounds 40]
"""

import argparse
import gzip
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

TOLERANCE = 1e-9
TABLES = {
    "pendigits": {
        "settings": {"path": "pendigits/pendigits.tra.gz", "test_path": "pendigits/pendigits.tes.gz"},
        "label": -1,
    },
    "letter": {
        "settings": {"path": "letter/letter-recognition.data.gz", "label": "first", "train": 16000, "test": 4000},
        "label": 0,
    },
}


class ErrorStump(BaseEstimator, ClassifierMixin):
    """The cut of one column, and the class on either side, with the smallest weighted error.

    Cuts lie between distinct values, or below all of them; of equals (to 1e-12) the first cut of the first column,
    and on each side the first class.
    """

    def fit(self, x, y, sample_weight):
        self.classes_ = np.unique(y)
        num_examples, num_classes = len(y), len(self.classes_)
        rows = np.zeros((num_examples, num_classes))
        rows[np.arange(num_examples), np.searchsorted(self.classes_, y)] = sample_weight / sample_weight.sum()
        best = -1.0
        for column in range(x.shape[1]):
            order = np.argsort(x[:, column], kind="stable")
            values = x[order, column]
            below = np.concatenate([np.zeros((1, num_classes)), np.cumsum(rows[order], axis=0)])[:-1]
            totals = rows.sum(axis=0)
            right = below.max(axis=1) + (totals - below).max(axis=1)
            edges = (num_classes * right - totals.sum()) / (num_classes - 1)
            cuts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
            cut = first_best(edges[cuts])
            if edges[cuts[cut]] > best * (1 + 1e-12):
                best, place = edges[cuts[cut]], cuts[cut]
                self.column_ = column
                self.threshold_ = -np.inf if place == 0 else (values[place - 1] + values[place]) / 2
                self.above_ = (totals - below[place]).argmax()
                self.below_ = self.above_ if place == 0 else below[place].argmax()
        return self

    def predict(self, x):
        return self.classes_[np.where(x[:, self.column_] >= self.threshold_, self.above_, self.below_)]


def first_best(edges):
    """The index of the largest, where one must be better than the one before by more than rounding."""
    best = 0
    for i in np.flatnonzero(edges >= edges.max() * (1 - 1e-9)):
        if edges[i] > edges[best] * (1 + 1e-12):
            best = i
    return best


def read_table(path, label):
    with gzip.open(path, "rt") as file:
        rows = [[cell.strip() for cell in line.split(",")] for line in file if line.strip()]
    names = np.array([row[label] for row in rows])
    values = np.array([row[:label] + (row[label + 1 :] if label != -1 else []) for row in rows], dtype=float)
    return values, names


def our_run(mash, name, settings, num_rounds):
    """The weighted error and the coefficient of each round, the test error, and the names of the classes."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = os.path.join(folder, f"{name}.yaml")
        dataset = ", ".join(f"{key}: {value}" for key, value in {"name": "csv", **settings}.items())
        with open(recipe, "w") as file:
            file.write(f"dataset: {{{dataset}}}\n"
                       f"booster: {{name: adaboost.samme, rounds: {num_rounds}}}\n"
                       "weak: {name: stump, cuts: exact}\nsampler: {name: full}\n")
        database, model = os.path.join(folder, "mash.db"), os.path.join(folder, "model.json")
        output = subprocess.run(
            [mash, "run", recipe, "--db", database, "--model", model, "--store", os.path.join(folder, "store"),
             "--json", "--quiet"],
            check=True, capture_output=True, text=True)
        rounds = sqlite3.connect(database).execute("SELECT edge, alpha FROM rounds ORDER BY round").fetchall()
        with open(model) as file:
            classes = json.load(file)["classes"]
    chance = (len(classes) - 1) / len(classes)
    return ([(1 - edge) * chance for edge, _ in rounds], [alpha for _, alpha in rounds],
            json.loads(output.stdout)["test_error"], classes)


def compare(mash, name, folder, num_rounds):
    table = TABLES[name]
    errors, alphas, test_error, classes = our_run(mash, name, table["settings"], num_rounds)
    x, names = read_table(os.path.join(folder, table["settings"]["path"]), table["label"])
    if "test_path" in table["settings"]:
        test_x, test_names = read_table(os.path.join(folder, table["settings"]["test_path"]), table["label"])
    else:
        split = table["settings"]["train"]
        x, names, test_x, test_names = x[:split], names[:split], x[split:], names[split:]
    y, test_y = (np.array([classes.index(n) for n in side]) for side in (names, test_names))

    def train(stump):
        booster = AdaBoostClassifier(stump, n_estimators=num_rounds, algorithm="SAMME", random_state=0)
        return booster.fit(x, y)

    same_stump, gini = train(ErrorStump()), train(DecisionTreeClassifier(max_depth=1))
    worst_error = np.abs(same_stump.estimator_errors_ - errors).max()
    worst_alpha = np.abs(same_stump.estimator_weights_ - alphas).max()
    their_test_error = np.mean(same_stump.predict(test_x) != test_y)
    print(f"{name}: {num_rounds} rounds; largest difference of errors {worst_error:.1e}, of coefficients "
          f"{worst_alpha:.1e}; test error ours {100 * test_error:.2f} %, scikit-learn {sklearn.__version__} with the "
          f"same stumps {100 * their_test_error:.2f} %, with its own {100 * np.mean(gini.predict(test_x) != test_y):.2f} %")
    return worst_error <= TOLERANCE and worst_alpha <= TOLERANCE and abs(their_test_error - test_error) < TOLERANCE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mash")
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    folder = os.environ.get("MASH_DATA")
    if not folder:
        print("skipped: MASH_DATA is not set")
        return 0
    return 0 if all([compare(options.mash, name, folder, options.rounds) for name in TABLES]) else 1


if __name__ == "__main__":
    sys.exit(main())
