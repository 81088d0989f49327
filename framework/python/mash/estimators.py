# SPDX-License-Identifier: Apache-2.0
"""Estimators for scikit-learn: `Features` transforms images to features, `Classifier` trains a model of MASH."""

import os

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

import mash
from mash import _mash


class _OfImages(BaseEstimator):
    """What takes images: (n, h, w) or (n, h, w, 3), or rows of values (n, h * w) with `image_shape`."""

    def _rows(self, X, y="no_validation", reset=False):
        """X, or X and y, validated, an image a row; its shape goes to image_shape_ where reset is true."""
        if getattr(X, "ndim", 2) > 2:
            X = np.asarray(X)
            if reset:
                self._check_shape(X.shape[1:])
                self.image_shape_ = X.shape[1:]
            elif X.shape[1:] != self.image_shape_:
                raise ValueError(f"found images of shape {X.shape[1:]}, expected {self.image_shape_} as in fit")
            return self._validate_data(X.reshape(len(X), -1), y, reset=reset)
        validated = self._validate_data(X, y, reset=reset)
        num_values = (validated if isinstance(y, str) else validated[0]).shape[1]
        if reset:
            self.image_shape_ = (1, num_values) if self.image_shape is None else tuple(self.image_shape)
            if len(self.image_shape_) not in (2, 3) or np.prod(self.image_shape_) != num_values:
                raise ValueError(f"found {num_values} values a row, expected those of images of shape {self.image_shape_}")
        return validated

    def _check_shape(self, shape):
        if self.image_shape is not None and tuple(self.image_shape) != shape:
            raise ValueError(f"found images of shape {shape}, expected {tuple(self.image_shape)}, which is image_shape")

    def _set_value_range(self, X):
        if self.value_range is not None:
            self.value_range_ = tuple(self.value_range)
        elif X.dtype == np.uint8:
            self.value_range_ = (0, 255)
        else:
            self.value_range_ = (X.min(), X.max())

    def _images(self, X):
        """The rows as uint8 images; not copied where they are uint8 and C-contiguous."""
        if X.dtype != np.uint8 or tuple(self.value_range_) != (0, 255):
            low, high = map(float, self.value_range_)
            scale = 255 / (high - low) if high > low else 0.0
            X = np.rint(np.clip((X.astype(np.float64) - low) * scale, 0, 255)).astype(np.uint8)
        if len(self.image_shape_) == 2:
            return X.reshape(-1, *self.image_shape_, 1)
        return X.reshape(-1, *self.image_shape_)

    def _plugins(self):
        return [os.fspath(plugin) for plugin in self.plugins]


class Features(TransformerMixin, _OfImages):
    """Transforms images to the features of heuristics, those of `mash export features` to the bit.

    Parameters
    ----------
    heuristics : "all", an id, a dict such as {"id": "hog", "cell": 4}, or a list of these
    image_shape : (h, w) or (h, w, 3)
        Of the rows of X. None: a row is an image one pixel high.
    value_range : (black, white)
        The values of X that are black and white. None: uint8 is taken as it is, of other types the smallest and the
        largest value of the training data.
    plugins : files and folders of plugins, before the usual ones
    seed : of heuristics that draw their features
    threads : 0 for one per core; results do not depend on it

    Attributes
    ----------
    families_ : names of the families, in the order of their features
    n_features_in_ : number of values of an image
    feature_names_in_ : names of the columns of X, where it was a data frame of pandas
    """

    def __init__(self, heuristics="all", image_shape=None, *, value_range=None, plugins=(), seed=1, threads=0):
        self.heuristics = heuristics
        self.image_shape = image_shape
        self.value_range = value_range
        self.plugins = plugins
        self.seed = seed
        self.threads = threads

    def _opened(self):
        return mash._families(self._plugins(), mash._heuristic_list(self.heuristics), self.seed, "mash.Features")

    def fit(self, X, y=None):
        """Finds the heuristics; of the images, their shape and their range of values are kept alone."""
        X = self._rows(X, reset=True)
        self._set_value_range(X)
        self.families_, self._versions, self._dims = [], [], []
        for family in self._opened():
            try:
                dim = family.dim(*self.image_shape_[:2])
            except ValueError:
                if family.is_named:
                    raise
                continue  # one that was merely found and has no features on images of this size
            self.families_.append(family.name)
            self._versions.append(family.version)
            self._dims.append(dim)
        return self

    def transform(self, X):
        """(n, features) float32."""
        check_is_fitted(self)
        images = self._images(self._rows(X))
        opened = {family.name: family for family in self._opened()}
        features = np.empty((len(images), sum(self._dims)), np.float32)
        first = 0
        for name, version, dim in zip(self.families_, self._versions, self._dims):
            if opened[name].version != version:
                raise ValueError(f"heuristic {name}: found version {opened[name].version}, fitted with {version}")
            features[:, first:first + dim] = opened[name].extract(images, self.threads)
            first += dim
        return features

    def get_feature_names_out(self, input_features=None):
        """FAMILY/INDEX, as `mash export` has them."""
        check_is_fitted(self)
        return np.array([f"{name}/{i}" for name, dim in zip(self.families_, self._dims) for i in range(dim)], dtype=object)

    @property
    def _n_features_out(self):
        return sum(self._dims)

    def _more_tags(self):
        return {"preserves_dtype": [np.float32]}


class Classifier(ClassifierMixin, _OfImages):
    """Trains a model of MASH on images, as `mash run` does, without records.

    Parameters
    ----------
    rounds : of boosting
    classifier : a learner that is no booster, such as "ridge" or {"name": "ridge", "lambda": 10}, as in an experiment
        file; rounds, booster, sampler and weak are not looked at then
    booster, sampler, weak : a name, or a dict such as {"name": "laminating", "budget": 5}, as in an experiment file
    seed : the same seed gives the same model
    heuristics, image_shape, value_range, plugins, threads : as of `mash.Features`

    Attributes
    ----------
    classes_ : the labels, sorted
    model_ : a `mash.Model`
    n_features_in_ : number of values of an image
    feature_names_in_ : names of the columns of X, where it was a data frame of pandas
    """

    def __init__(self, rounds=100, *, classifier=None, booster="adaboost.mh", sampler="laminating", weak="stump", seed=1,
                 threads=0, heuristics="all", image_shape=None, value_range=None, plugins=()):
        self.rounds = rounds
        self.classifier = classifier
        self.booster = booster
        self.sampler = sampler
        self.weak = weak
        self.seed = seed
        self.threads = threads
        self.heuristics = heuristics
        self.image_shape = image_shape
        self.value_range = value_range
        self.plugins = plugins

    def _experiment(self):
        if self.classifier is not None:
            parts = {"classifier": self.classifier}
        else:
            parts = {"booster": self.booster, "sampler": self.sampler, "weak": self.weak}
        texts = [f"{key}={mash._yaml(value)}" for key, value in parts.items()]
        texts += [f"heuristics={mash._heuristic_list(self.heuristics)}", f"seed={mash._yaml(self.seed)}"]
        return texts if self.classifier is not None else [*texts, f"booster.rounds={mash._yaml(self.rounds)}"]

    def fit(self, X, y):
        """Trains. Labels may be of any type; the model's classes are their texts."""
        X, y = self._rows(X, y, reset=True)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"found one class, {self.classes_[0]}, expected two classes or more")
        self._set_value_range(X)
        self.model_ = mash.Model(_mash.train(self._experiment(), "mash.Classifier", self._images(X), labels.astype(np.uint16),
                                             [str(name) for name in self.classes_], (self._plugins(), self.threads)))
        return self

    def decision_function(self, X):
        """Scores of the classes, (n, K); of two classes, how far the second is before the first, (n,)."""
        check_is_fitted(self)
        scores = self.model_.decision_function(self._images(self._rows(X)), self.threads)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        """The label of the largest score, the first among equals."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else np.argmax(scores, axis=1)]
