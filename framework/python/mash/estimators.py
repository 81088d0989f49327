# SPDX-License-Identifier: Apache-2.0
"""Estimators for scikit-learn: `Features` transforms images to features, `Classifier` trains a model of MASH."""

import os
import warnings
import weakref

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

import mash
from mash import _mash


_MOST_PROBED = 64  # features of a family
_COMPARED = weakref.WeakSet()  # transformers whose heuristics are those of fit


def _stacked(X):
    """A list of images as one array; all else as it is."""
    if not isinstance(X, (list, tuple)) or not X or np.ndim(X[0]) < 2:
        return X
    shapes = sorted({np.shape(image) for image in X})
    if len(shapes) > 1:
        raise ValueError(f"found images of {len(shapes)} shapes, such as {shapes[0]} and {shapes[-1]}, expected one")
    return np.stack(X)


class _OfImages(BaseEstimator):
    """What takes images: (n, h, w) or (n, h, w, 3), a list of such images, or rows of values (n, h * w) with
    `image_shape`."""

    def _rows(self, X, y="no_validation", reset=False):
        """X, or X and y, validated, an image a row; its shape goes to image_shape_ where reset is true."""
        X = _stacked(X)
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
        self._fitted_range = (float(X.min()), float(X.max()), str(X.dtype))
        if self.value_range is not None:
            self.value_range_ = tuple(self.value_range)
        elif X.dtype == np.uint8:
            self.value_range_ = (0, 255)
        else:
            self.value_range_ = (X.min(), X.max())

    def _warn_of_range(self, X):
        """Warns of values far beyond those of fit, or all within a small part of them: 0 to 1 where fit had 0 to 255."""
        low, high, dtype = self._fitted_range
        lowest, highest, span = float(X.min()), float(X.max()), high - low
        is_beyond = lowest < low - span / 2 or highest > high + span / 2
        is_small = lowest < highest and highest - lowest < span / 50
        if is_beyond or is_small:
            warnings.warn(f"found values from {lowest:g} to {highest:g} ({X.dtype}), fitted on values from {low:g} to "
                          f"{high:g} ({dtype})", stacklevel=4)

    def _images_like_fitted(self, X):
        """The images of rows that are not those of fit."""
        X = self._rows(X)
        self._warn_of_range(X)
        return self._images(X)

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
    changed_heuristics : whether heuristics of the same version that compute other features than in fit, as they may after
        unpickling, are a warning and no ValueError

    Attributes
    ----------
    families_ : names of the families, in the order of their features
    n_features_in_ : number of values of an image
    feature_names_in_ : names of the columns of X, where it was a data frame of pandas
    """

    def __init__(self, heuristics="all", image_shape=None, *, value_range=None, plugins=(), seed=1, threads=0,
                 changed_heuristics=False):
        self.heuristics = heuristics
        self.changed_heuristics = changed_heuristics
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
        self.families_, self._versions, self._dims, self._probes = [], [], [], []
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
            self._probes.append(self._probe(family))
        _COMPARED.add(self)
        return self

    def _probe(self, family):
        """Some of its features on made images, which tell whether a heuristic is still the same."""
        height, width, channels = (*self.image_shape_, 1)[:3]
        features = family.extract(_mash.probe_images(height, width, channels), self.threads)
        return features[:, ::-(-features.shape[1] // _MOST_PROBED)]

    def _compare(self, family, expected):
        """Refuses a heuristic that computes other features than in fit."""
        found = self._probe(family)
        ranges = np.ptp(np.nan_to_num(expected), axis=0, keepdims=True)
        same = (np.abs(found - expected) <= 1e-4 * ranges) | (found == expected) | (np.isnan(found) & np.isnan(expected))
        if np.mean(same) >= 0.75:
            return
        said = (f"heuristic {family.name}: found other features than in fit, in the same version ({np.sum(~same)} of "
                f"{same.size} values differ)")
        if not self.changed_heuristics:
            raise ValueError(f"{said}; fit again, or changed_heuristics=True goes on with these")
        warnings.warn(said, stacklevel=4)

    def transform(self, X):
        """(n, features) float32."""
        check_is_fitted(self)
        images = self._images_like_fitted(X)
        opened = {family.name: family for family in self._opened()}
        features = np.empty((len(images), sum(self._dims)), np.float32)
        first = 0
        for name, version, dim, probe in zip(self.families_, self._versions, self._dims, self._probes):
            if opened[name].version != version:
                raise ValueError(f"heuristic {name}: found version {opened[name].version}, fitted with {version}")
            if self not in _COMPARED:
                self._compare(opened[name], probe)
            features[:, first:first + dim] = opened[name].extract(images, self.threads)
            first += dim
        _COMPARED.add(self)
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
    rounds : of boosting, unless the booster is a dict that has them
    class_weight : None, "balanced" or a dict, as in scikit-learn
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
                 threads=0, heuristics="all", image_shape=None, value_range=None, plugins=(), class_weight=None):
        self.rounds = rounds
        self.class_weight = class_weight
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
        has_rounds = self.classifier is not None or (isinstance(self.booster, dict) and "rounds" in self.booster)
        return texts if has_rounds else [*texts, f"booster.rounds={mash._yaml(self.rounds)}"]

    def _weights(self, X, y, sample_weight):
        """The weight of each image; of zeros alone it is refused."""
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, only_non_negative=True)
        if self.class_weight is not None:
            weights = weights * compute_sample_weight(self.class_weight, y)
        if not weights.any():
            raise ValueError("found weights that are all 0, expected some above 0")
        return weights

    def fit(self, X, y, sample_weight=None):
        """Trains. Labels may be of any type; the model's classes are their texts.

        sample_weight: of the images; those of weight 0 are left out. Boosters that learn from drawn or single examples
        cannot weigh them: a ValueError, as with class_weight.
        """
        X, y = self._rows(X, y, reset=True)
        check_classification_targets(y)
        weights = self._weights(X, y, sample_weight)
        X, y, weights = X[weights > 0], y[weights > 0], weights[weights > 0]
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"found one class, {self.classes_[0]}, expected two classes or more")
        self._set_value_range(X)
        weights = [] if (weights == weights[0]).all() else weights / weights.mean()
        self.model_ = mash.Model(_mash.train(self._experiment(), "mash.Classifier", self._images(X), (labels.astype(np.uint16), weights),
                                             [str(name) for name in self.classes_],
                                             (self._plugins(), self.threads)))
        return self

    def _scores(self, X):
        check_is_fitted(self)
        return self.model_._model.scores(self._images_like_fitted(X), self.threads, False)

    def decision_function(self, X):
        """Scores of the classes, (n, K); of two classes, how far the second is before the first, (n,)."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        """The label of the largest score, the first among equals."""
        scores = self._scores(X)
        return self.classes_[np.argmax(scores, axis=1)]

    def predict_proba(self, X):
        """Numbers that add up to 1 over the classes, as `mash.Model.predict_proba` gives them; they are not calibrated."""
        return mash._shares(self._scores(X), self.model_._model)
