# SPDX-License-Identifier: Apache-2.0
"""mash.Features and mash.Classifier in scikit-learn."""

import support

support.need("sklearn")
import pickle
import unittest
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import SkipTestWarning
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

import mash
from support import InFolder, random_images
from support import mash as program


def digits():
    return mash.load_dataset("digits", train=200, test=100, size=16)


class ScikitLearnsOwnChecks(InFolder):
    """Rows of any width are images one pixel high, so that its checks, whose data have some columns, apply as they are."""

    def check(self, estimator):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            check_estimator(estimator)
        left_out = [str(one.message) for one in caught if issubclass(one.category, SkipTestWarning)]
        self.assertEqual(left_out, [])

    def test_hold_for_features(self):
        self.check(mash.Features(heuristics="identity"))

    def test_hold_for_the_classifier(self):
        self.check(mash.Classifier(rounds=30, heuristics="identity"))

    def test_hold_with_a_range_of_values(self):
        self.check(mash.Features(heuristics="identity", value_range=(-3, 3)))


class Features(InFolder):
    def test_take_images_and_rows(self):
        data = digits()
        features = mash.Features(heuristics=[{"id": "hog", "cell": 4}, "lbp"], image_shape=(16, 16))
        rows = data.train_images.reshape(200, -1)
        found = features.fit_transform(rows)
        self.assert_same_bits(found, np.hstack([mash.Heuristic("hog", cell=4).extract(data.train_images),
                                                mash.Heuristic("lbp").extract(data.train_images)]))
        self.assert_same_bits(clone(features).fit_transform(data.train_images), found)
        # Floats from 0 to 255 are the same images.
        self.assert_same_bits(clone(features).fit(rows.astype(np.float32)).transform(rows.astype(np.float32)), found)
        self.assert_same_bits(clone(features).set_params(value_range=(0, 1)).fit_transform(rows / 255), found)

    def test_take_a_range_of_values_of_any_type(self):
        images = random_images((5, 8, 8)) // 16
        features = mash.Features(heuristics="hog", value_range=(0, 15))
        self.assert_same_bits(features.fit_transform(images), features.fit_transform(images.astype(float)))

    def test_of_colour_images(self):
        images = random_images((20, 8, 9, 3))
        features = mash.Features(heuristics="color-moments", image_shape=(8, 9, 3))
        found = features.fit_transform(images.reshape(20, -1))
        self.assert_same_bits(found, mash.Heuristic("color-moments").extract(images))

    def test_equal_those_of_mash_export(self):
        data = digits()
        program("export", "features", "--dataset", "digits", "--set", "train=200", "--set", "test=100", "--set", "size=16",
                "--output", self.path("f.npz"))
        features = mash.Features()
        found = features.fit_transform(data.train_images)
        with np.load(self.path("f.npz")) as exported:
            self.assertEqual(features.families_, list(exported["families"]))
            self.assertEqual(list(features.get_feature_names_out()), list(exported["names"]))
            self.assert_same_bits(found, np.hstack([exported[name][:200] for name in exported["families"]]))

    def test_are_pickled_with_what_they_learnt(self):
        data = digits()
        features = mash.Features("hog").fit(data.train_images)
        again = pickle.loads(pickle.dumps(features))
        self.assert_same_bits(again.transform(data.test_images), features.transform(data.test_images))

    def test_refuse_images_of_another_shape(self):
        features = mash.Features("lbp", image_shape=(16, 16))
        with self.assertRaisesRegex(ValueError, r"found 255 values a row, expected those of images of shape \(16, 16\)"):
            features.fit(np.zeros((3, 255), np.uint8))
        with self.assertRaisesRegex(ValueError, r"found images of shape \(8, 32\), expected \(16, 16\)"):
            features.fit(np.zeros((3, 8, 32), np.uint8))
        features.fit(np.zeros((3, 16, 16), np.uint8))
        with self.assertRaisesRegex(ValueError, r"found images of shape \(8, 32\), expected \(16, 16\) as in fit"):
            features.transform(np.zeros((3, 8, 32), np.uint8))
        with self.assertRaisesRegex(ValueError, r"mash.Features .*unknown heuristic 'hgo'; did you mean 'hog'\? known: "):
            mash.Features("hgo").fit(np.zeros((3, 16, 16), np.uint8))

    def test_stand_in_a_pipeline(self):
        data = digits()
        pipeline = make_pipeline(mash.Features(["hog", "lbp"], image_shape=(16, 16)), LinearSVC(random_state=0, max_iter=5000))
        scores = cross_val_score(pipeline, data.train_images.reshape(200, -1), data.train_labels, cv=3)
        self.assertGreater(scores.mean(), 0.2, "a tenth is chance")


class Classifier(InFolder):
    def test_trains_the_model_of_mash_run(self):
        with open(self.path("e.yaml"), "w") as file:
            file.write("dataset: {name: digits, train: 200, test: 100, size: 16}\n"
                       "heuristics: [{id: hog, cell: 4}, lbp]\nbooster: {name: adaboost.mh, rounds: 20}\nseed: 3\n"
                       "sampler: {name: laminating, budget: 5}\n")
        program("run", self.path("e.yaml"), "--model", self.path("model.json"))
        data = mash.load_dataset("digits", seed=3, train=200, test=100, size=16)
        for threads in (1, 2):
            classifier = mash.Classifier(20, heuristics=[{"id": "hog", "cell": 4}, "lbp"], seed=3, threads=threads,
                                         sampler={"name": "laminating", "budget": 5})
            classifier.fit(data.train_images, data.train_labels)
            classifier.model_.save(self.path("own.json"))
            with open(self.path("own.json")) as own, open(self.path("model.json")) as of_run:
                self.assertEqual(own.read(), of_run.read())

    def test_predicts_labels_as_they_were_given(self):
        data = digits()
        labels = np.array([-5, 7])[(data.train_labels > "4").astype(int)]
        classifier = mash.Classifier(20, heuristics="lbp").fit(data.train_images, labels)
        predicted, scores = classifier.predict(data.train_images), classifier.decision_function(data.train_images)
        self.assertEqual(set(predicted), {-5, 7})
        np.testing.assert_array_equal(predicted == 7, scores > 0)
        again = pickle.loads(pickle.dumps(classifier))
        self.assert_same_bits(again.decision_function(data.test_images), classifier.decision_function(data.test_images))

    def test_trains_a_learner_that_is_no_booster(self):
        data = digits()
        ridge = mash.Classifier(classifier={"name": "ridge", "lambda": 10}, heuristics=["lbp", "hog"])
        scores = ridge.fit(data.train_images, data.train_labels).decision_function(data.test_images)
        self.assertEqual(scores.shape, (100, 10))
        self.assertIn('"kind": "linear"', ridge.model_._model.text)
        self.assertLess(np.mean(ridge.predict(data.test_images) != data.test_labels), 0.5)
        constant = clone(ridge).set_params(classifier="constant").fit(data.train_images, data.train_labels)
        self.assertEqual(len(set(constant.predict(data.test_images))), 1)
        with self.assertRaisesRegex(ValueError, "unknown classifier 'rigde'; did you mean 'ridge'"):
            clone(ridge).set_params(classifier="rigde").fit(data.train_images, data.train_labels)

    def test_trains_trees_and_exact_cuts(self):
        data = digits()
        classifier = mash.Classifier(5, heuristics="lbp", weak={"name": "tree", "leaves": 4, "cuts": "exact"}, sampler="full")
        self.assertGreater(classifier.fit(data.train_images, data.train_labels).score(data.train_images, data.train_labels), 0.2)

    def test_refuses_with_the_sentences_of_the_program(self):
        data = digits()
        for settings, said in (({"sampler": "lamnating"}, r"mash.Classifier .*unknown sampler 'lamnating'; did you mean 'laminating'\? known: "),
                               ({"booster": {"name": "adaboost.mh", "los": 1}}, "los"),
                               ({"rounds": 0}, "rounds"), ({"seed": -1}, "seed"), ({"sampler": "best-family"}, "to be tuned"),
                               ({"heuristics": "hgo"}, "unknown heuristic 'hgo'")):
            with self.subTest(settings), self.assertRaisesRegex(ValueError, said):
                mash.Classifier(**{"heuristics": "lbp", **settings}).fit(data.train_images, data.train_labels)


if __name__ == "__main__":
    unittest.main()
