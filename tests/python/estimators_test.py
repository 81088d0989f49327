# SPDX-License-Identifier: Apache-2.0
"""mash.Features and mash.Classifier in scikit-learn."""

import support

support.need("sklearn")
import json
import os
import pickle
import shutil
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

    def test_refuse_a_heuristic_that_has_changed(self):
        images = random_images((5, 16, 16))
        folder = self.path("plugins")
        os.mkdir(folder)

        def install(build):
            shutil.copy(os.path.join(support.PLUGINS, f"shades_{build}.so"), os.path.join(folder, "shades.so.new"))
            os.replace(os.path.join(folder, "shades.so.new"), os.path.join(folder, "shades.so"))

        install("trained")
        fitted = mash.Features("test/shades", plugins=[folder]).fit(images)
        pickled = pickle.dumps(fitted)
        install("rounded")
        np.testing.assert_allclose(pickle.loads(pickled).transform(images), fitted.transform(images), rtol=1e-5)
        install("changed")
        with self.assertRaisesRegex(ValueError, "heuristic test/shades: found other features than in fit.*changed_heuristics"):
            pickle.loads(pickled).transform(images)
        with self.assertWarnsRegex(UserWarning, "heuristic test/shades: found other features than in fit"):
            pickle.loads(pickled).set_params(changed_heuristics=True).transform(images)

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

    def test_takes_rounds_from_the_booster_where_they_stand_there(self):
        data = digits()
        booster = {"name": "adaboost.mh", "rounds": 7}
        model = mash.Classifier(booster=booster, heuristics="lbp").fit(data.train_images, data.train_labels).model_
        model.save(self.path("seven.json"))
        with open(self.path("seven.json")) as file:
            self.assertEqual(len(json.load(file)["hypotheses"]), 7)

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

    def test_gives_numbers_that_add_up_to_1(self):
        data = digits()
        for learner in ({}, {"classifier": "ridge"}, {"classifier": "linear-svm"}, {"classifier": "logistic-regression"},
                        {"classifier": "c4.5"}, {"classifier": "k-nn"}, {"classifier": "svm"}, {"classifier": "naive-bayes"}, {"classifier": "perceptron"}, {"classifier": "constant"}):
            for labels in (data.train_labels, data.train_labels > "4"):
                classifier = mash.Classifier(20, heuristics="lbp", **learner).fit(data.train_images, labels)
                numbers = classifier.predict_proba(data.test_images)
                self.assertEqual(numbers.shape, (100, len(classifier.classes_)))
                np.testing.assert_allclose(numbers.sum(axis=1), 1)
                self.assertGreaterEqual(numbers.min(), 0)
                np.testing.assert_array_equal(classifier.classes_[numbers.argmax(axis=1)], classifier.predict(data.test_images))
        shares = np.unique(data.train_labels > "4", return_counts=True)[1] / 200
        np.testing.assert_allclose(numbers, np.tile(shares, (100, 1)), err_msg="the constant classifier knows the shares")

    def test_probabilities_of_logistic_regression_are_the_softmax_of_its_scores(self):
        data = digits()
        for labels in (data.train_labels, data.train_labels > "4"):
            fitted = mash.Classifier(classifier={"name": "logistic-regression", "C": 0.001}, heuristics="lbp")
            scores = fitted.fit(data.train_images, labels).decision_function(data.test_images)
            if scores.ndim == 1:
                scores = np.stack([np.zeros(len(scores)), scores], axis=1)
            expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
            np.testing.assert_allclose(fitted.predict_proba(data.test_images), expected)

    def test_weighs_images(self):
        data = digits()
        learners = ({}, {"booster": {"name": "adaboost.mh", "loss": "logistic"}}, {"booster": "adaboost.samme"},
                    {"booster": {"name": "budgeted", "budget": 50}}, {"classifier": "ridge"},
                    {"classifier": {"name": "linear-svm", "C": 0.01}},
                    {"classifier": {"name": "logistic-regression", "C": 0.01}}, {"classifier": "c4.5"}, {"classifier": {"name": "k-nn", "k": 5}}, {"classifier": "svm"},
                    {"classifier": "naive-bayes"}, {"classifier": "perceptron"}, {"classifier": "constant"})
        is_last = data.train_labels == "9"
        for learner in learners:
            with self.subTest(learner):
                classifier = mash.Classifier(20, heuristics="lbp", **learner)
                fitted = lambda *weights: clone(classifier).fit(data.train_images, data.train_labels, *weights)
                plain = fitted().decision_function(data.test_images)
                self.assert_same_bits(fitted(np.full(200, 3.0)).decision_function(data.test_images), plain)
                heavy = fitted(np.where(is_last, 1000.0, 1.0))
                self.assertGreater(np.mean(heavy.predict(data.train_images) == "9"), np.mean(is_last))
                balanced = clone(classifier).set_params(class_weight={"9": 1000}).fit(data.train_images, data.train_labels)
                self.assert_same_bits(balanced.decision_function(data.test_images), heavy.decision_function(data.test_images))
                without = fitted(np.where(is_last, 0.0, 1.0))
                self.assertEqual(list(without.classes_), list("012345678"))
                alone = clone(classifier).fit(data.train_images[~is_last], data.train_labels[~is_last])
                self.assert_same_bits(without.decision_function(data.test_images), alone.decision_function(data.test_images))

    def test_refuses_weights_that_a_booster_cannot_have(self):
        data = digits()
        weights = np.linspace(1, 2, 200)
        for booster in ("logitboost", "logitboost.classical", "filterboost", "reservoir", "oza-russell", "osboost", "selectors"):
            with self.assertRaisesRegex(ValueError, f"booster {booster}: found examples of different weights, expected one of "
                                        "adaboost.mh, adaboost.samme, budgeted"):
                mash.Classifier(2, booster=booster, heuristics="lbp").fit(data.train_images, data.train_labels, weights)
        for bad, said in ((-weights, "egative"), (0 * weights, "all 0"), (weights[:3], "sample_weight")):
            with self.assertRaisesRegex(ValueError, said):
                mash.Classifier(2, heuristics="lbp").fit(data.train_images, data.train_labels, bad)

    def test_takes_lists_of_images(self):
        data = digits()
        fitted = mash.Classifier(5, heuristics="lbp").fit(data.train_images, data.train_labels)
        of_list = mash.Classifier(5, heuristics="lbp").fit(list(data.train_images), data.train_labels)
        self.assert_same_bits(of_list.decision_function(list(data.test_images)), fitted.decision_function(data.test_images))
        with self.assertRaisesRegex(ValueError, r"found images of 2 shapes, such as \(8, 16\) and \(16, 16\), expected one"):
            fitted.predict([data.test_images[0], data.test_images[0][:8]])

    def test_warns_of_other_values(self):
        images, labels = random_images((40, 8, 8)), np.arange(40) % 2
        kinds = {"0 to 255": images, "0 to 255 as floats": images.astype(float), "0 to 1": images / 255}
        for fitted, X in kinds.items():
            for estimator in (mash.Classifier(3, heuristics="identity"), mash.Features("identity")):
                estimator.fit(X, labels)
                use = getattr(estimator, "predict", None) or estimator.transform
                for kind, given in kinds.items():
                    with self.subTest(f"{fitted}, then {kind}"), warnings.catch_warnings(record=True) as heard:
                        warnings.simplefilter("always")
                        use(given)
                        use(given[:1] * 0)  # a picture of one colour
                    said = [str(one.message) for one in heard]
                    self.assertEqual(len(said), (fitted == "0 to 1") != (kind == "0 to 1"), said)
                    for text in said:
                        self.assertRegex(text, r"found values from 0 to \d+ \(\w+\), fitted on values from 0 to \d+ \(\w+\)")

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
