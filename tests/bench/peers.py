# SPDX-License-Identifier: Apache-2.0
"""Peers trained on the raw pixels of MNIST: test error against seconds of training.

Loading and binning ahead of the first round is not counted where the peer tells it apart (XGBoost); where it tells
only the time of the whole training (scikit-learn), that is shared out evenly among the rounds.
"""

import gzip
import os
import time

import numpy as np

# Rounds after which errors are looked at: all of the first ones, then in steps of a tenth.
def stages(num_rounds):
    stage = 1
    while stage < num_rounds:
        yield stage
        stage = max(stage + 1, stage * 11 // 10)
    yield num_rounds


def read_idx(path):
    with gzip.open(path) as file:
        data = file.read()
    num_dimensions = data[3]
    shape = np.frombuffer(data, ">u4", num_dimensions, 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * num_dimensions).reshape(shape)


def read_mnist(folder):
    """Pixels (rows of 784 bytes) and labels of the training and of the test side."""
    sides = []
    for side in ("train", "t10k"):
        images = read_idx(os.path.join(folder, f"{side}-images-idx3-ubyte.gz"))
        sides += [images.reshape(len(images), -1), read_idx(os.path.join(folder, f"{side}-labels-idx1-ubyte.gz"))]
    return sides


def error(predicted, labels):
    return float(np.mean(predicted != labels))


class Xgboost:
    def __init__(self, depth):
        import xgboost

        self.library = xgboost
        self.name = f"XGBoost {xgboost.__version__} hist, depth {depth}"
        self.settings = {"objective": "multi:softmax", "num_class": 10, "tree_method": "hist", "max_depth": depth}

    def train(self, data, num_threads, budget):
        train_x, train_y, test_x, test_y = data
        ends = []

        class Clock(self.library.callback.TrainingCallback):
            def before_training(self, model):
                self.start = time.perf_counter()
                return model

            def after_iteration(self, model, epoch, evals_log):
                ends.append(time.perf_counter() - self.start)
                return ends[-1] > budget

        matrix = self.library.QuantileDMatrix(train_x, train_y, nthread=num_threads)  # bins the values
        model = self.library.train({**self.settings, "nthread": num_threads}, matrix, 100_000, callbacks=[Clock()])
        test = self.library.DMatrix(test_x)
        return [
            (ends[stage - 1], error(model.predict(test, iteration_range=(0, stage)), test_y))
            for stage in stages(len(ends))
        ]


    def predict_seconds(self, data, num_threads, num_rounds, repeats):
        """Name and seconds of predictions of the test side, of a model trained for so many rounds."""
        train_x, train_y, test_x, _ = data
        settings = {**self.settings, "nthread": num_threads}
        matrix = self.library.QuantileDMatrix(train_x[:5000], train_y[:5000], nthread=num_threads)
        model = self.library.train(settings, matrix, num_rounds)
        seconds, values = [], test_x.astype(np.float32)
        for _ in range(repeats):
            start = time.perf_counter()
            model.inplace_predict(values)
            seconds.append(time.perf_counter() - start)
        return self.name, seconds


class ScikitLearn:
    """A classifier of scikit-learn, made for a number of rounds, whose staged predictions are looked at."""

    def __init__(self, name, make):
        import sklearn

        self.name = f"scikit-learn {sklearn.__version__} {name}"
        self.make = make

    def train(self, data, num_threads, budget):
        train_x, train_y, test_x, test_y = data
        num_rounds, seconds, ended_early = 1, 0, False
        while seconds < budget / 3 and not ended_early:  # until the rounds fill the budget
            if seconds:
                num_rounds = max(num_rounds + 1, int(num_rounds * min(10, 0.9 * budget / seconds)))
            model = self.make(num_rounds)
            start = time.perf_counter()
            model.fit(train_x, train_y)
            seconds = time.perf_counter() - start
            errors = [error(predicted, test_y) for predicted in model.staged_predict(test_x)]
            ended_early = len(errors) < num_rounds
        return [(seconds * stage / len(errors), errors[stage - 1]) for stage in stages(len(errors))]


def histogram_boosting(num_leaves, learning_rate):
    from sklearn.ensemble import HistGradientBoostingClassifier

    return ScikitLearn(
        f"HistGradientBoosting, {num_leaves} leaves",
        lambda num_rounds: HistGradientBoostingClassifier(
            max_iter=num_rounds, max_leaf_nodes=num_leaves, learning_rate=learning_rate, early_stopping=False
        ),
    )


def adaboost():
    from sklearn.ensemble import AdaBoostClassifier

    return ScikitLearn(
        "AdaBoost SAMME, stumps", lambda num_rounds: AdaBoostClassifier(n_estimators=num_rounds, algorithm="SAMME")
    )


class OpenCv:
    """ml::Boost tells two classes apart: one model against the others for each digit."""

    def __init__(self):
        import cv2

        self.library = cv2
        self.name = f"OpenCV {cv2.__version__} Boost, stumps, one against the others"

    def train(self, data, num_threads, budget):
        train_x, train_y, test_x, test_y = data
        self.library.setNumThreads(num_threads)
        pixels, test_pixels = train_x.astype(np.float32), test_x.astype(np.float32)
        points, num_rounds = [], 1
        while not points or points[-1][0] < budget / 2:
            start = time.perf_counter()
            models = []
            for digit in range(10):
                model = self.library.ml.Boost_create()
                model.setWeakCount(num_rounds)
                model.setMaxDepth(1)
                model.setBoostType(self.library.ml.BOOST_GENTLE)
                model.train(pixels, self.library.ml.ROW_SAMPLE, (train_y == digit).astype(np.int32))
                models.append(model)
            seconds = time.perf_counter() - start
            sums = [model.predict(test_pixels, flags=self.library.ml.DTrees_PREDICT_SUM)[1][:, 0] for model in models]
            points.append((seconds, error(np.argmax(sums, axis=0), test_y)))
            num_rounds *= 2
        return points


def all_peers():
    return [
        Xgboost(6),
        Xgboost(1),
        histogram_boosting(31, 0.1),
        histogram_boosting(2, 0.3),
        adaboost(),
        OpenCv(),
    ]
