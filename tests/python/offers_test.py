# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers beside heuristics, as `mash heuristic try --columns` offers them."""

import unittest

import numpy as np

import mash
from support import InFolder, refusal
from support import mash as program

SETTINGS = {"train": 300, "test": 60, "size": 16, "pose": 2}
POOL = """
dataset: {name: digits, train: 300, test: 60, size: 16, pose: 2}
heuristics: [lbp, identity]
"""

class Columns(InFolder):
    def setUp(self):
        super().setUp()
        self.pool = self.path("pool.yaml")
        with open(self.pool, "w") as file:
            file.write(POOL)
        self.data = mash.load_dataset("digits", **SETTINGS)
        self.images = np.concatenate([self.data.train_images, self.data.test_images])
        self.hog = mash.Heuristic("hog").extract(self.images)

    def try_hog(self, **arguments):
        return mash.try_features(self.hog, "digits", name="hog", against=self.pool, seeds=4, **SETTINGS, **arguments)

    def assert_same_gain(self, found, expected):
        self.assertEqual(found["finding"], expected["finding"])
        without_wait = lambda words: words.split("; about ")[0]  # how long more seeds take is of this machine
        self.assertEqual(without_wait(found["verdict"]), without_wait(expected["verdict"].replace("hog", "columns:hog")))
        self.assertEqual(found["gain"], expected["gain"])  # to the bit: documents have all digits
        self.assertEqual(found["looks"], expected["looks"])
        self.assertEqual(found["neighbours"], expected["neighbours"])
        self.assertEqual(found["classes"], expected["classes"])

    def test_of_hog_gain_what_hog_gains(self):
        expected = program("heuristic", "try", "hog", "--against", self.pool, "--seeds", 4)
        found = self.try_hog()
        self.assert_same_gain(found, expected)
        self.assertEqual(found["heuristic"], "columns:hog")
        self.assertIsNone(found["cost"]["microseconds_per_image"])
        self.assertIn("unknown cost", found["text"])
        # Both are in the records, and the file is offered likewise.
        with_records = mash.records().read("offer_tests")["offer_tests"] if _has_pandas() else None
        if with_records is not None:
            gains = dict(zip(with_records.heuristic, with_records.gain))
            self.assertEqual(gains["hog"], gains["columns:hog"])
        np.save(self.path("hog.npy"), np.asfortranarray(self.hog.astype(np.float64)))
        of_file = program("heuristic", "try", "--columns", self.path("hog.npy"), "--against", self.pool, "--seeds", 4)
        self.assert_same_gain(of_file, expected)
        self.assertEqual(of_file["plugin_sha256"], found["plugin_sha256"])
        self.assertEqual((of_file["seeds_played"], of_file["seeds_found"]), (0, 4))

    def test_beside_images_with_labels(self):
        found = mash.try_features(self.hog[:300], self.data.train_images, self.data.train_labels, name="hog",
                                  against=self.pool, seeds=4)
        self.assertEqual((found["dataset"], found["num_train"]), ("images", 300))
        self.assertEqual(found["pool"], ["identity", "lbp"])
        again = mash.try_features(self.hog[:300], self.data.train_images, self.data.train_labels, name="hog",
                                  against=self.pool, seeds=4)
        self.assertEqual((again["seeds_played"], again["gain"]), (0, found["gain"]))

    def test_are_of_the_pictures_that_the_keywords_name(self):
        other = self.path("other.yaml")
        with open(other, "w") as file:
            file.write("seed: 7\n" + POOL.replace("pose: 2", "pose: 3"))
        found = mash.try_features(self.hog, "digits", name="hog", against=other, seeds=4, **SETTINGS)
        self.assertEqual(found["gain"], self.try_hog()["gain"])

    def test_of_one_number_a_picture(self):
        brightness = self.images.reshape(len(self.images), -1).sum(axis=1)  # whole numbers
        found = mash.try_features(brightness, "digits", against=self.pool, seeds=4, **SETTINGS)
        self.assertEqual((found["heuristic"], found["cost"]["dim"]), ("columns:features", 1))

    def test_that_do_not_fit_are_refused(self):
        with self.assertRaisesRegex(ValueError, "^X: found 300 rows, expected 360, one for each picture"):
            mash.try_features(self.hog[:300], "digits", against=self.pool, **SETTINGS)
        holes = self.hog.copy()
        holes[7, 3] = np.nan
        with self.assertRaisesRegex(ValueError, "^X: row 7, column 3 .*found nan, expected a finite number"):
            mash.try_features(holes, "digits", against=self.pool, **SETTINGS)
        with self.assertRaisesRegex(ValueError, "^names: found the picture 'a' as name 1 and as name 2"):
            mash.try_features(self.hog[:2], "digits", names=["a", "a"], against=self.pool, **SETTINGS)
        with self.assertRaisesRegex(ValueError, "labels: found none"):
            mash.try_features(self.hog, self.images)
        with self.assertRaisesRegex(ValueError, "found 2 labels, expected one for each of 300 images"):
            mash.try_features(self.hog[:300], self.data.train_images, ["a", "b"], against=self.pool)
        with self.assertRaisesRegex(ValueError, "name: found 'two words', expected at most 64 letters"):
            mash.try_features(self.hog, "digits", name="two words", against=self.pool, **SETTINGS)
        with self.assertRaisesRegex(ValueError, "names: found beside the path of a file"):
            mash.try_features(self.path("few.npy"), "digits", names=["a"], against=self.pool, **SETTINGS)
        with self.assertRaisesRegex(TypeError, "expected numbers"):
            mash.try_features(np.array(["a"]), "digits")
        with self.assertRaisesRegex(ValueError, "no name is known of training picture 0"):
            self.try_hog(names=[f"{n}.png" for n in range(360)])
        np.save(self.path("few.npy"), self.hog[:300])
        self.assertIn("found 300 rows, expected 360",
                      refusal("heuristic", "try", "--columns", self.path("few.npy"), "--against", self.pool))


def _has_pandas():
    try:
        import pandas  # noqa: F401
    except ImportError:
        return False
    return True


if __name__ == "__main__":
    unittest.main()
