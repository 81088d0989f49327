# SPDX-License-Identifier: Apache-2.0
"""Peers trained on the raw pixels of MNIST: test error against seconds of training.

Loading and binning ahead of the first round is not counted where the peer tells it apart (XGBoost); where it tells
only the time of the whole training (scikit-learn), that is shared out evenly among the rounds.
"""

import gzip
import itertools
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


def described(settings):
    return ", ".join(f"{name} {value:g}" if not isinstance(value, str) else f"{name} {value}"
                     for name, value in settings.items())


def error(predicted, labels):
    return float(np.mean(predicted != labels))


class Xgboost:
    # Its defaults of what the grid varies; what is not in this list has the default of the library.
    DEFAULTS = {"eta": 0.3, "subsample": 1, "colsample_bytree": 1}

    def __init__(self, depth, **settings):
        import xgboost

        self.library = xgboost
        self.name = f"XGBoost {xgboost.__version__} hist, depth {depth}"
        varied = {"max_depth": depth, **self.DEFAULTS, **settings}
        self.settings = {"objective": "multi:softmax", "num_class": 10, "tree_method": "hist", **varied}
        self.settings_text = described(varied)

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
        """Name and seconds of predictions of the test side, of a model trained for that number of rounds."""
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

    def __init__(self, name, make, settings):
        import sklearn

        self.name = f"scikit-learn {sklearn.__version__} {name}"
        self.make = lambda num_rounds: make(num_rounds, **settings)
        self.settings_text = described(settings)

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
        lambda num_rounds, **settings: HistGradientBoostingClassifier(
            max_iter=num_rounds, early_stopping=False, **settings
        ),
        {"max_leaf_nodes": num_leaves, "learning_rate": learning_rate},
    )


def adaboost(depth=1, learning_rate=1):
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    return ScikitLearn(
        "AdaBoost SAMME, stumps" if depth == 1 else f"AdaBoost SAMME, depth {depth}",
        lambda num_rounds, max_depth, learning_rate: AdaBoostClassifier(
            DecisionTreeClassifier(max_depth=max_depth),
            n_estimators=num_rounds,
            algorithm="SAMME",
            learning_rate=learning_rate,
        ),
        {"max_depth": depth, "learning_rate": learning_rate},
    )


class OpenCv:
    """ml::Boost tells two classes apart: one model against the others for each digit. It has no learning rate."""

    def __init__(self, depth=1, trim=0.95):
        import cv2

        self.library, self.depth, self.trim = cv2, depth, trim
        trees = "stumps" if depth == 1 else f"depth {depth}"
        self.name = f"OpenCV {cv2.__version__} Boost, {trees}, one against the others"
        self.settings_text = described({"boost_type": "gentle", "max_depth": depth, "weight_trim_rate": trim})

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
                model.setMaxDepth(self.depth)
                model.setWeightTrimRate(self.trim)
                model.setBoostType(self.library.ml.BOOST_GENTLE)
                model.train(pixels, self.library.ml.ROW_SAMPLE, (train_y == digit).astype(np.int32))
                models.append(model)
            seconds = time.perf_counter() - start
            sums = [model.predict(test_pixels, flags=self.library.ml.DTrees_PREDICT_SUM)[1][:, 0] for model in models]
            points.append((seconds, error(np.argmax(sums, axis=0), test_y)))
            num_rounds *= 2
        return points


# The peers in the table: at the defaults of their libraries, except for their sizes and for the learning rate of the
# smallest trees of HistGradientBoosting (0.3 in place of 0.1, with which they are slower). Then for each the makers of a
# small grid around it.
def all_peers():
    return [
        Xgboost(6),
        Xgboost(1),
        histogram_boosting(31, 0.1),
        histogram_boosting(2, 0.3),
        adaboost(),
        OpenCv(),
    ]


def grids():
    """Names and lists of peers with other settings: learning rate, shares of examples and features, depth."""
    product = itertools.product
    return {
        "XGBoost, best of its grid": [
            Xgboost(depth, eta=rate, subsample=share, colsample_bytree=share)
            for depth, rate, share in product((4, 6, 8), (0.1, 0.3, 0.5), (0.5, 1))
        ],
        "HistGradientBoosting, best of its grid": [
            histogram_boosting(leaves, rate) for leaves, rate in product((15, 31, 63), (0.05, 0.1, 0.3))
        ],
        "AdaBoost SAMME, best of its grid": [adaboost(depth, rate) for depth, rate in product((1, 4, 8), (0.5, 1))],
        "OpenCV Boost, best of its grid": [OpenCv(depth, trim) for depth, trim in product((1, 3, 5), (0, 0.95))],
    }


def best_of(peers, data, num_threads, budget):
    """The peer with the lowest error on a held-out sixth of the training side, each trained for a part of the budget.

    The test side has no say in the choice.
    """
    train_x, train_y, _, _ = data
    held_out = len(train_x) // 6
    split = (train_x[:-held_out], train_y[:-held_out], train_x[-held_out:], train_y[-held_out:])
    lowest = lambda peer: min(error for _, error in peer.train(split, num_threads, budget / len(peers)))
    return min(peers, key=lowest)
