# SPDX-License-Identifier: Apache-2.0
"""The wheel of a bundle, beside what the program predicts."""

import glob
import os
import subprocess
import sys
import unittest
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from support import InFolder, mash, random_images, write_picture


class Wheels(InFolder):
    def setUp(self):
        super().setUp()
        with open(self.path("e.yaml"), "w") as file:
            file.write("dataset: {name: digits, train: 200, test: 100, size: 16}\nheuristics: [hog, lbp]\n"
                       "booster: {name: adaboost.mh, rounds: 20}\n")
        mash("run", self.path("e.yaml"), "--model", self.path("model.json"))

    def wheel(self, name):
        """Builds a bundle and returns its package, unpacked as pip unpacks it."""
        bundle, build = self.path(name), self.path(name + "/build")
        mash("export", "bundle", self.path("model.json"), "-o", bundle, "--name", name, "--python")
        subprocess.run(["cmake", "-S", bundle, "-B", build, f"-DPython3_EXECUTABLE={sys.executable}",
                        "-DCMAKE_CXX_FLAGS=-O1"], check=True, capture_output=True)
        subprocess.run(["cmake", "--build", build], check=True, capture_output=True)
        (file,) = glob.glob(os.path.join(build, f"{name}-1.0.0-py3-none-*.whl"))
        with zipfile.ZipFile(file) as archive:
            self.assertIsNone(archive.testzip())
            self.assertIn(f"{name}-1.0.0.dist-info/RECORD", archive.namelist())
            archive.extractall(self.path("site"))
        sys.path.insert(0, self.path("site"))
        self.addCleanup(sys.path.remove, self.path("site"))
        return __import__(name)

    def test_answer_what_the_program_predicts_to_the_bit(self):
        package = self.wheel("bundled_digits")
        for images in (random_images((9, 16, 16)), random_images((4, 16, 16, 3))):
            paths = [self.path(f"{i}.{'pgm' if images.ndim == 3 else 'ppm'}") for i in range(len(images))]
            for path, image in zip(paths, images):
                write_picture(path, image)
            said = mash("predict", self.path("model.json"), *paths)["predictions"]
            with ThreadPoolExecutor(3) as threads:
                answers = list(threads.map(package.classify, images))
            self.assertEqual([answer.class_name for answer in answers], [one["class"] for one in said])
            self.assert_same_bits(np.array([answer.scores for answer in answers]),
                                  np.array([one["scores"] for one in said]))
            self.assertEqual(package.classes[answers[0].class_index], answers[0].class_name)
            self.assert_same_bits(package.classify(np.asfortranarray(images[1])).scores, answers[1].scores)

    def test_refuse_other_arrays(self):
        package = self.wheel("refusing_digits")
        with self.assertRaisesRegex(ValueError, "found an array of float64 with 2 dimensions, expected uint8"):
            package.classify(np.zeros((16, 16)))
        with self.assertRaisesRegex(ValueError, "found a picture of 17x16 pixels, expected 16x16"):
            package.classify(np.zeros((16, 17), np.uint8))
        with self.assertRaisesRegex(ValueError, "2 channels"):
            package.classify(np.zeros((16, 16, 2), np.uint8))


if __name__ == "__main__":
    unittest.main()
