# SPDX-License-Identifier: Apache-2.0
"""Models that the program trained, and what it predicts with them."""

import support

support.need("pandas")
import os
import pickle
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import mash
from support import InFolder, random_images, refusal, write_picture
from support import mash as program


class Models(InFolder):
    def setUp(self):
        super().setUp()
        with open(self.path("e.yaml"), "w") as file:
            file.write("dataset: {name: digits, train: 200, test: 100, size: 16}\nheuristics: [hog, lbp]\n"
                       "booster: {name: adaboost.mh, rounds: 20}\n")
        program("run", self.path("e.yaml"), "--model", self.path("model.json"))
        self.model = mash.load_model(self.path("model.json"))

    def pictures(self, images):
        paths = [self.path(f"{i}.{'pgm' if images.ndim == 3 else 'ppm'}") for i in range(len(images))]
        for path, image in zip(paths, images):
            write_picture(path, image)
        return paths

    def test_predict_what_the_program_predicts_to_the_bit(self):
        # Colour pictures become grey for a model of grey ones, as the program has it.
        for images in (random_images((9, 16, 16)), random_images((4, 16, 16, 3))):
            said = program("predict", self.path("model.json"), *self.pictures(images))["predictions"]
            scores = self.model.decision_function(images)
            self.assert_same_bits(scores, np.array([one["scores"] for one in said]))
            self.assertEqual(list(self.model.predict(images)), [one["class"] for one in said])
            self.assert_same_bits(self.model.decision_function(images[2]), scores[2])
            self.assertEqual(self.model.predict(images[2]), said[2]["class"])
            self.assert_same_bits(self.model.decision_function(images, threads=3), scores)

    def test_predict_a_data_set(self):
        said = program("predict", self.path("model.json"), "--dataset", "digits", "--set", "train=200", "--set", "test=100",
                       "--set", "size=16")
        data = mash.load_dataset("digits", train=200, test=100, size=16)
        predicted = self.model.predict(data.test_images)
        self.assertEqual(list(predicted), said["predictions"])
        self.assertAlmostEqual(np.mean(predicted != data.test_labels), said["test_error"])

    def test_resize_as_the_program_does(self):
        images = random_images((12, 9, 14))
        for label in ("a", "b"):
            os.makedirs(self.path(f"own/{label}"))
        for n, image in enumerate(images):
            write_picture(self.path(f"own/{'ab'[n % 2]}/{n}.pgm"), image)
        with open(self.path("own.yaml"), "w") as file:
            file.write(f"dataset: {{name: folder, path: {self.path('own')}, resize: 16}}\nheuristics: [hog]\n"
                       "booster: {name: adaboost.mh, rounds: 5}\n")
        program("run", self.path("own.yaml"), "--model", self.path("own.json"))
        model = mash.load_model(self.path("own.json"))
        for images in (images, random_images((3, 30, 20)), random_images((3, 20, 20, 3))):
            said = program("predict", self.path("own.json"), *self.pictures(images))["predictions"]
            self.assert_same_bits(model.decision_function(images), np.array([one["scores"] for one in said]))

    def test_are_pickled_and_saved(self):
        image = random_images((16, 16))
        for again in (pickle.loads(pickle.dumps(self.model)), self.saved()):
            self.assert_same_bits(again.decision_function(image), self.model.decision_function(image))

    def test_serve_several_threads_from_the_first_call_on(self):
        images = random_images((64, 16, 16))
        scores = self.model.decision_function(images)
        for _ in range(3):
            fresh = mash.load_model(self.path("model.json"))
            with ThreadPoolExecutor(4) as threads:
                for found in threads.map(lambda _: fresh.decision_function(images, threads=1), range(4)):
                    self.assert_same_bits(found, scores)

    def saved(self):
        self.model.save(self.path("again.json"))
        with open(self.path("again.json")) as again, open(self.path("model.json")) as model:
            self.assertEqual(again.read(), model.read())
        self.assertNotIn(".part", " ".join(os.listdir(os.path.dirname(self.path("again.json")))))
        return mash.load_model(self.path("again.json"))

    def test_have_the_tables_of_mash_export(self):
        program("export", "model", self.path("model.json"), "--output", self.path("m.npz"))
        tables = self.model.tables()
        with np.load(self.path("m.npz")) as exported:
            self.assertEqual({f"{table}/{column}" for table, frame in tables.items() for column in frame}, set(exported))
            for name in exported:
                table, column = name.split("/")
                np.testing.assert_array_equal(tables[table][column].to_numpy(exported[name].dtype), exported[name])
        self.assertEqual(len(tables["hypotheses"]), 20)
        self.assertEqual(self.model.families, ["hog", "lbp"])
        self.assertEqual(self.model.image_shape, (16, 16))
        self.assertEqual(list(self.model.classes), list("0123456789"))

    def test_refuse_with_the_sentences_of_the_program(self):
        [picture] = self.pictures(random_images((1, 8, 16)))
        with self.assertRaisesRegex(ValueError, "found 16x8 pixels, expected 16x16 as the model was trained on"):
            self.model.predict(random_images((8, 16)))
        for name, text in (("nowhere.json", None), ("broken.json", "{}")):
            if text is not None:
                with open(self.path(name), "w") as file:
                    file.write(text)
            with self.assertRaises(ValueError) as refused:
                mash.load_model(self.path(name))
            self.assertEqual(str(refused.exception), refusal("predict", self.path(name), picture))


if __name__ == "__main__":
    unittest.main()
