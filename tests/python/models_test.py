# SPDX-License-Identifier: Apache-2.0
"""Models that the program trained, and what it predicts with them."""

import support

support.need("pandas")
import os
import pickle
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas

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
        # Lists may have images of several sizes.
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
        several = [random_images((9, 14)), random_images((30, 20)), random_images((16, 16)), random_images((20, 20, 3))]
        self.assert_same_bits(model.decision_function(several), np.vstack([model.decision_function(one) for one in several]))

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

    def test_take_lists_of_images(self):
        images = random_images((5, 16, 16))
        scores = self.model.decision_function(images)
        self.assert_same_bits(self.model.decision_function(list(images)), scores)
        self.assert_same_bits(self.model.decision_function([images[0]]), scores[:1])
        with self.assertRaisesRegex(ValueError, r"images\[1\]: found 8x16 pixels, expected 16x16 as the model was trained on"):
            self.model.predict([images[0], random_images((16, 8))])
        with self.assertRaisesRegex(TypeError, r"images\[1\]: found values of type float64, expected uint8"):
            self.model.predict([images[0], images[0] / 255])
        with self.assertRaisesRegex(ValueError, r"images\[0\]: found an array of shape \(5, 16, 16\), expected one image"):
            self.model.predict([images])
        for bad in ("picture", {"a": 1}, [1, 2], [None]):
            with self.subTest(bad), self.assertRaises((ValueError, TypeError)) as refused:
                self.model.predict(bad)
            self.assertLess(len(str(refused.exception)), 200)

    def test_give_numbers_that_add_up_to_1(self):
        images = random_images((9, 16, 16))
        numbers = self.model.predict_proba(images)
        np.testing.assert_allclose(numbers.sum(axis=1), 1)
        self.assertEqual(list(self.model.classes[numbers.argmax(axis=1)]), list(self.model.predict(images)))
        scores = self.model.decision_function(images[0])
        np.testing.assert_allclose(self.model.predict_proba(images[0]), np.exp(scores) / np.exp(scores).sum())

    def test_warn_of_other_values(self):
        zeros_and_ones = random_images((3, 16, 16)) // 128
        with self.assertWarnsRegex(UserWarning, "found values from 0 to 1, the model was trained on values from 0 to 25"):
            self.model.predict(zeros_and_ones)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for usual in (random_images((3, 16, 16)), np.zeros((3, 16, 16), np.uint8), random_images((3, 16, 16)) // 16):
                self.model.predict(usual)

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

    def test_plugins_that_were_refused_are_told(self):
        with open(self.path("broken.so"), "w") as file:
            file.write("I am a text.")
        images, plugins = random_images((40, 16, 16)), [self.path("")]
        for use in (lambda: mash.load_model(self.path("model.json"), plugins).predict(images),
                    lambda: mash.Classifier(2, heuristics="lbp", plugins=plugins).fit(images, np.arange(40) % 2)):
            with self.assertWarnsRegex(UserWarning, r"plugin .*broken\.so refused: not a library"):
                use()


class ChangedHeuristics(InFolder):
    """Plugins of one source and version, of which one computes other features."""

    KINDS = ({"booster": "adaboost.mh", "rounds": 6}, {"weak": {"name": "tree", "leaves": 4}, "rounds": 4},
             {"classifier": "ridge"}, {"classifier": {"name": "ridge", "inputs": "values"}})

    def plugin(self, build):
        return os.path.join(support.PLUGINS, f"shades_{build}.so")

    def test_are_refused(self):
        images, labels = random_images((40, 16, 16)), np.arange(40) % 2
        for kind in self.KINDS:
            classifier = mash.Classifier(heuristics="test/shades", plugins=[self.plugin("trained")], **kind).fit(images, labels)
            classifier.model_.save(self.path("model.json"))
            uses = (lambda model: model.predict(images), lambda model: model.predict_proba(images[0]), mash.Model.tables,
                    lambda model: pickle.loads(pickle.dumps(model)).decision_function(images))
            for use in uses:
                with self.subTest(kind), warnings.catch_warnings():
                    warnings.simplefilter("error")
                    for build in ("trained", "rounded"):
                        use(mash.load_model(self.path("model.json"), [self.plugin(build)]))
                    with self.assertRaisesRegex(ValueError, r"test/shades \(\d+ of \d+ codes differ.*changed_heuristics=True"):
                        use(mash.load_model(self.path("model.json"), [self.plugin("changed")]))
                with self.subTest(kind), self.assertWarnsRegex(UserWarning, r"test/shades \(\d+ of \d+ codes differ"):
                    use(mash.load_model(self.path("model.json"), [self.plugin("changed")], changed_heuristics=True))

    def test_are_what_the_program_refuses(self):
        images = random_images((40, 16, 16))
        mash.Classifier(6, heuristics="test/shades", plugins=[self.plugin("trained")]).fit(
            images, np.arange(40) % 2).model_.save(self.path("model.json"))
        write_picture(self.path("a.pgm"), images[0])
        said = refusal("predict", self.path("model.json"), self.path("a.pgm"), "--heuristics", self.plugin("changed"))
        with self.assertRaises(ValueError) as refused:
            mash.load_model(self.path("model.json"), [self.plugin("changed")]).predict(images)
        found = [text.split("; ")[0].split(": ", 1)[1] for text in (str(refused.exception), said)]
        self.assertEqual(found[0], found[1])


class ModelsOfTables(InFolder):
    def setUp(self):
        super().setUp()
        rows = [(n % 7, "red" if n % 3 else "blue", n % 5 / 4, "yes" if n % 3 else "no") for n in range(60)]
        self.frame = pandas.DataFrame(rows, columns=["size", "colour", "weight", "label"])
        self.frame.to_csv(self.path("t.csv"), index=False)
        with open(self.path("e.yaml"), "w") as file:
            file.write(f"dataset: {{name: csv, path: {self.path('t.csv')}, label: label}}\n"
                       "booster: {name: adaboost.mh, rounds: 5}\n")
        program("run", self.path("e.yaml"), "--model", self.path("model.json"))
        self.model = mash.load_model(self.path("model.json"))

    def test_predict_what_the_program_predicts_to_the_bit(self):
        said = program("predict", self.path("model.json"), self.path("t.csv"))["predictions"]
        scores = np.array([one["scores"] for one in said])
        columns = {name: self.frame[name].tolist() for name in ("weight", "colour", "size")}
        for same in (self.frame, self.frame[["weight", "label", "size", "colour"]], columns,
                     self.frame[["size", "colour", "weight"]].to_numpy(), self.frame.astype({"colour": "category"})):
            self.assert_same_bits(self.model.decision_function(same), scores)
        self.assertEqual(list(self.model.predict(self.frame)), [one["class"] for one in said])
        np.testing.assert_allclose(self.model.predict_proba(self.frame).sum(axis=1), 1)
        self.assertEqual(self.model.columns, ["size", "colour", "weight"])

    def test_say_what_is_passed_over_or_unknown(self):
        frame = self.frame.drop(columns="label")
        with self.assertWarnsRegex(UserWarning, "passed over the column more"):
            self.model.predict(frame.assign(more=1))
        with self.assertWarnsRegex(UserWarning, "column colour: 60 values that the model does not know are taken as missing: green"):
            self.model.predict(frame.assign(colour="green"))
        for X, said in ((frame.drop(columns="size"), "found no column 'size', which the model was trained on"),
                        (np.zeros((3, 2)), r"found an array of shape \(3, 2\), expected \(n, 3\), a column each for size, colour, weight"),
                        (frame.assign(size="much"), "column size: found 'much', expected a number"),
                        ({"size": [1, 2], "colour": ["red"], "weight": [1, 2]}, "found columns of 1 to 2 values")):
            with self.assertRaisesRegex(ValueError, said):
                self.model.predict(X)

    def test_take_missing_values(self):
        frame = self.frame.drop(columns="label").astype(object)
        frame.iloc[0] = [None, float("nan"), pandas.NA]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertTrue(np.isfinite(self.model.decision_function(frame)).all())


if __name__ == "__main__":
    unittest.main()
