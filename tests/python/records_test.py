# SPDX-License-Identifier: Apache-2.0
"""Records as data frames."""

import support

support.need("pandas")
import sqlite3
import unittest

import numpy as np

import mash
from support import InFolder, refusal
from support import mash as program


class Records(InFolder):
    def setUp(self):
        super().setUp()
        with open(self.path("e.yaml"), "w") as file:
            file.write("dataset: {name: digits, train: 100, test: 50, size: 16}\nheuristics: [hog, lbp]\n"
                       "booster: {name: adaboost.mh, rounds: 5}\nruns: 2\n")
        self.ran = program("run", self.path("e.yaml"), "--db", self.path("records.db"))

    def test_hold_what_sqlite_holds(self):
        records = mash.records(self.path("records.db"))
        self.assertEqual(list(records.experiments.seed), [1, 2])
        self.assertAlmostEqual(records.experiments.test_error.mean(), self.ran["test_error"])
        frames = records.read("rounds", "cuts", "families", "curve", "predictions", "leaderboard_by_heuristic")
        with sqlite3.connect(self.path("records.db")) as database:
            for name, frame in frames.items():
                query = database.execute(f"SELECT * FROM {name}")
                self.assertEqual(list(frame), [column[0] for column in query.description])
                rows = query.fetchall()
                self.assertEqual(len(frame), len(rows))
                for column, values in zip(frame, zip(*rows)):
                    expected = [np.nan if value is None and frame[column].dtype == float else value for value in values]
                    np.testing.assert_array_equal(frame[column].to_numpy(), np.array(expected, frame[column].dtype))
        self.assertEqual(len(frames["rounds"]), 10)

    def test_equal_what_mash_export_writes(self):
        program("export", "records", "--db", self.path("records.db"), "--output", self.path("r.npz"))
        records = mash.records(self.path("records.db"))
        with np.load(self.path("r.npz")) as exported:
            self.assertEqual({name.split("/")[0] for name in exported}, {name for name in dir(records) if not name.startswith("_")
                                                                         and name != "read"})
            for name in exported:
                table, column = name.split("/")
                values = getattr(records, table)[column]
                found = values.fillna("").to_numpy(str) if exported[name].dtype.kind == "U" else values.to_numpy()
                np.testing.assert_array_equal(found.astype(exported[name].dtype), exported[name])

    def test_keep_what_a_server_keeps_of_people(self):
        records = mash.records(self.path("records.db"))
        for name in ("users", "tokens", "submissions", "invitations"):
            with self.assertRaisesRegex(AttributeError, f"unknown table '{name}'; known: classes"):
                getattr(records, name)
            with self.assertRaises(ValueError):
                records.read(name)

    def test_refuse_with_the_sentences_of_the_program(self):
        missing = self.path("nowhere.db")
        with self.assertRaises(ValueError) as refused:
            mash.records(missing)
        self.assertEqual(str(refused.exception), refusal("export", "records", "--db", missing, "--output", self.path("r.npz")))


if __name__ == "__main__":
    unittest.main()
