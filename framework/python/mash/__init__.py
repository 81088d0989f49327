# SPDX-License-Identifier: Apache-2.0
"""MASH in Python: features of heuristics for NumPy images, models, records, and estimators for scikit-learn.

>>> import mash
>>> hog = mash.Heuristic("hog", cell=4)
>>> hog.extract(images)                              # (n, h, w) uint8 -> (n, features) float32
>>> mash.load_model("model.json").predict(images)    # names of classes
>>> mash.records().experiments                       # a pandas data frame

`mash.Features` and `mash.Classifier` need scikit-learn, `mash.records` needs pandas. docs/python.md says more.
"""

import collections
import collections.abc
import functools
import json
import os
import pathlib
import re
import shutil
import tempfile

import numpy as np

from . import _mash

__all__ = ["Classifier", "Dataset", "Features", "Heuristic", "Model", "Records", "heuristics", "load_dataset", "load_model",
           "records", "try_features"]
__version__ = _mash.version


def _find_program():
    """The program mash of this installation: its heuristics and helpers are found from it."""
    for folder in pathlib.Path(__file__).resolve().parents:
        if (folder / "bin" / "mash").is_file():
            return str(folder / "bin" / "mash")
    return shutil.which("mash")


if _find_program():
    _mash.set_program(_find_program())


def _changed(path):
    """What tells a plugin, or the plugins of a folder, from those that were there before."""
    path = pathlib.Path(path)
    files = sorted(path.glob("*.so")) if path.is_dir() else [path]
    return tuple((str(file), file.stat().st_mtime_ns) for file in files if file.exists())


@functools.lru_cache(maxsize=16)
def _opened(plugins, _changed, _environment):
    return _mash.Heuristics(list(plugins))


def _heuristics(plugins):
    plugins = tuple(os.fspath(plugin) for plugin in plugins)
    return _opened(plugins, tuple(map(_changed, plugins)), os.environ.get("MASH_HEURISTICS"))


def _for_json(value):
    """NumPy's numbers and arrays as numbers and lists."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"found {value!r}, expected numbers, texts, dicts and lists of these")


def _settings_texts(settings):
    """Settings as `--set` takes them: ['train=1000', 'resize={"width": 12}']."""
    return [f"{key}={_yaml(value)}" for key, value in settings.items()]


def _yaml(value):
    """JSON, which is YAML too."""
    return json.dumps(value, default=_for_json, ensure_ascii=False)


def _heuristic_list(wanted):
    """Heuristics as an experiment file has them, from "all", "hog", {"id": "hog", "cell": 4} or a list of these."""
    if isinstance(wanted, str) and wanted == "all":
        return "all"
    return _yaml([wanted] if isinstance(wanted, (str, dict)) else list(wanted))


def _families(plugins, wanted, seed, called):
    return _mash.families(_heuristics(plugins), wanted, seed, called)


def heuristics(plugins=()):
    """The heuristics that are found, as dicts: id, version, author, summary, license, plugin, parameters.

    plugins: files and folders of plugins, before those of $MASH_HEURISTICS and of the installation.
    """
    return _heuristics(plugins).list()


class Heuristic:
    """A heuristic with its settings: a feature extractor for images.

    heuristic: an id (`mash.heuristics` lists them), or the path of a plugin (a file .so). Of a plugin with several
    heuristics, `id` says which. settings: as in an experiment file.
    """

    def __init__(self, heuristic, /, *, id=None, plugins=(), **settings):
        heuristic = os.fspath(heuristic)
        plugins = [os.fspath(plugin) for plugin in plugins]
        if heuristic.endswith(".so"):  # an id may have a slash
            plugins.insert(0, heuristic)
            id = id or self._only_id(heuristic, plugins)
        self._arguments = (id or heuristic, plugins, settings)
        self._open()

    @staticmethod
    def _only_id(file, plugins):
        ids = [info["id"] for info in heuristics(plugins) if os.path.realpath(info["plugin"]) == os.path.realpath(file)]
        if len(ids) != 1:
            raise ValueError(f"{file}: found {len(ids)} heuristics ({', '.join(ids)}), expected one, or id= to say which")
        return ids[0]

    def _open(self):
        id, plugins, settings = self._arguments
        families = _families(plugins, _heuristic_list({"id": id, **settings}), 1, "mash.Heuristic")
        if len(families) != 1:
            raise ValueError(f"mash.Heuristic: found settings of {len(families)} families, expected one")
        self._family = families[0]

    @property
    def id(self):
        return self._family.heuristic

    @property
    def version(self):
        return self._family.version

    @property
    def settings(self):
        """All of them with their values: "cell=4,bins=9"."""
        return self._family.settings

    def dim(self, height, width):
        """The number of features on images of this size."""
        return self._family.dim(height, width)

    def extract(self, images, threads=0):
        """The features of uint8 images: float32, (dim,) of one, (n, dim) of n; NaN where a value is missing.

        images: (h, w) or (h, w, 3) for one, (n, h, w) or (n, h, w, 3) for several, also as a list; grey images that are
        three pixels wide: (n, h, 3, 1). They are read where they are unless they are not C-contiguous. Other threads of Python run
        meanwhile. threads: 0 for one per core; results do not depend on it.
        """
        return self._family.extract(images, threads)

    def __repr__(self):
        settings = self.settings
        return f"mash.Heuristic({self.id!r}{', ' if settings else ''}{settings.replace(',', ', ')})"

    def __getstate__(self):
        return {"_arguments": self._arguments}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._open()


def _text(value):
    """A value as a file of text has it; "" for a missing one."""
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)


def _columns(X, expected, label):
    """The names and the fields of the columns of a table; the column of labels is left out."""
    if hasattr(X, "columns") or isinstance(X, collections.abc.Mapping):
        found = {str(name): np.asarray(X[name], dtype=object).ravel() for name in getattr(X, "columns", X)}
        found.pop(label, None)
        sizes = {len(column) for column in found.values()}
        if len(sizes) > 1:
            raise ValueError(f"found columns of {min(sizes)} to {max(sizes)} values, expected as many in each")
    else:
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != len(expected):
            raise ValueError(f"found an array of shape {X.shape}, expected (n, {len(expected)}), a column each for "
                             f"{', '.join(expected[:10])}{' ...' if len(expected) > 10 else ''}, or columns with names")
        found = dict(zip(expected, X.astype(object).T))
    return list(found), [[_text(value) for value in column.tolist()] for column in found.values()]


def _shares(scores, model):
    """What `Model.predict_proba` gives for these scores of the classes. model: a `_mash.Model`."""
    if model.has_softmax:
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return shares / shares.sum(axis=-1, keepdims=True)
    # The nearest point of the simplex: all that is above a level, which is such that it adds up to 1.
    falling = -np.sort(-scores, axis=-1)
    levels = (np.cumsum(falling, axis=-1) - 1) / np.arange(1, scores.shape[-1] + 1)
    last = (falling > levels).sum(axis=-1, keepdims=True) - 1
    return np.maximum(scores - np.take_along_axis(levels, last, axis=-1), 0)


class Model:
    """A trained model. `mash.load_model` reads one, `mash.Classifier.fit` trains one (`model_`)."""

    def __init__(self, text, plugins=(), changed_heuristics=False):
        """text: what a model file holds."""
        self._model = (text if isinstance(text, _mash.Model) else
                       _mash.Model(text, [os.fspath(plugin) for plugin in plugins], changed_heuristics))

    @property
    def classes(self):
        """The names of the classes."""
        return np.array(self._model.classes)

    @property
    def image_shape(self):
        """(h, w) of grey images, (h, w, 3) of colour ones, that it was trained on."""
        height, width, channels = self._model.image_shape
        return (height, width) if channels == 1 else (height, width, channels)

    @property
    def families(self):
        """The names of the families that it was trained with."""
        return self._model.families

    @property
    def columns(self):
        """The names of the columns of the table that it was trained on; none of images."""
        return self._model.columns

    def decision_function(self, X, threads=0):
        """The scores of the classes, those of `mash predict` to the bit: (K,) of one image, (n, K) of n.

        X: images as `Heuristic.extract` takes them, or a list of images, which may differ in size where the model was
        trained with `resize`. For a model of a table: a data frame or a dict of columns, which are found by their names,
        or an array (n, columns) with the columns of the model in their order.
        """
        if self.columns:
            return self._model.row_scores(*_columns(X, self.columns, self._model.label), threads)
        return self._model.scores(X, threads, True)

    def predict(self, X, threads=0):
        """The name of the class with the largest score: of one image, or an array of n."""
        return self.classes[np.argmax(self.decision_function(X, threads), axis=-1)]

    def predict_proba(self, X, threads=0):
        """Numbers that add up to 1 over the classes, made of the scores; they are not calibrated.

        Of boosters and logistic regression: exp(score) as a share of the sum over all classes (softmax). Of other linear
        models: the nearest numbers from 0 to 1 that add up to 1.
        """
        return _shares(self.decision_function(X, threads), self._model)

    def tables(self):
        """The tables of `mash export model` as pandas data frames, by name."""
        return _frames(self._model.tables())

    def save(self, path):
        """Writes the model file that `mash predict` reads."""
        path = os.path.realpath(path)
        draft = f"{path}.{os.getpid()}.part"
        try:
            with open(draft, "w", encoding="utf-8") as file:
                file.write(self._model.text)
            os.replace(draft, path)  # a file that is there stays whole until the new one is
        finally:
            if os.path.exists(draft):
                os.remove(draft)

    def __repr__(self):
        inputs = f"{len(self.columns)} columns" if self.columns else f"images of {self.image_shape}"
        return f"<mash.Model of {len(self._model.classes)} classes, {inputs}>"

    def __getstate__(self):
        return {"text": self._model.text, "plugins": self._model.plugins, "changed_heuristics": self._model.takes_changed}

    def __setstate__(self, state):
        self.__init__(**state)


def load_model(path, plugins=(), *, changed_heuristics=False):
    """Reads a model file (`mash run --model FILE`). plugins: where heuristics are beside the usual folders.

    Heuristics of the same version that compute other features than when the model was trained are a ValueError when it is
    first used; with changed_heuristics=True they are a warning.
    """
    return Model(_mash.load_model(os.fspath(path), [os.fspath(plugin) for plugin in plugins], changed_heuristics))


Dataset = collections.namedtuple("Dataset", "train_images train_labels test_images test_labels classes")


def load_dataset(name, *, seed=1, **settings):
    """A data set of images that `mash dataset list` shows, with its settings: load_dataset("mnist", train=1000).

    Images are uint8, (n, h, w) or (n, h, w, 3); labels are the names of the classes.
    """
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed: found {seed}, expected 0 to 2**63 - 1")
    train, test, classes = _mash.load_dataset(name, _settings_texts(settings), seed)
    classes = np.array(classes)
    return Dataset(train[0], classes[train[1]], test[0], classes[test[1]], classes)


def try_features(X, images_or_dataset, labels=None, *, name=None, names=None, against="", seeds=64, seconds=60.0, seed=None,
                 judge="held-out", plugins=(), database=None, store=None, threads=0, **settings):
    """Offers columns of numbers beside heuristics, as `mash heuristic try --columns` does: whether they add anything.

    X: an array with a row for each picture, (n,) or (n, columns), or the path of a .npy file. images_or_dataset: the
    images (n, h, w) or (n, h, w, 3) with their labels, which train and judge; or the name of a data set, whose settings
    follow as keywords (train=2000), and whose seed is that of load_dataset. The rows are those of all pictures that it
    lists, before a split, training side first: of a folder in the order of the paths, as sorted(glob(...)) gives them,
    which is not the order of load_dataset; or names has the name of the picture of each row. against: the experiment
    whose heuristics are the pool, as of the program; nothing of its own data set counts where one is named here. The
    columns are kept in the records as "columns:NAME" (of an array "columns:features", of a file its name). A file has
    the names of its pictures beside it. Gives a dict, that of the program's --json, with the text that it prints as
    "text".
    """
    if judge not in ("held-out", "test"):
        raise ValueError(f"judge: found {judge!r}, expected 'held-out' or 'test'")
    if seed is not None and not 0 <= seed < 2**63:
        raise ValueError(f"seed: found {seed}, expected 0 to 2**63 - 1")
    is_named = isinstance(images_or_dataset, str)
    if is_named and labels is not None:
        raise ValueError("labels: found some beside a data set, which has its own")
    if is_named and seed is None:
        seed = 1  # as in load_dataset: another one is of other pictures
    is_file = isinstance(X, (str, os.PathLike))
    if is_file and (name is not None or names is not None):
        raise ValueError(f"{'names' if name is None else 'name'}: found beside the path of a file; "
                         "the file is to have that name, and the names of its pictures beside it")
    pictures = None
    if not is_named:
        if settings:
            raise TypeError(f"try_features: unknown arguments {', '.join(settings)}; settings go with the name of a data set")
        if labels is None:
            raise ValueError("labels: found none, expected one for each image")
        classes, numbers = np.unique(np.asarray(labels), return_inverse=True)
        if len(classes) >= 2**16:
            raise ValueError(f"labels: found {len(classes)} classes, expected fewer than {2**16}")
        pictures = (images_or_dataset, numbers.ravel().astype(np.uint16), [str(label) for label in classes.tolist()])
    how = (seeds, seconds, seed, judge == "test")
    places = ([os.fspath(plugin) for plugin in plugins], "" if database is None else os.fspath(database),
              "" if store is None else os.fspath(store), threads)
    dataset = (images_or_dataset if is_named else "", [f"dataset.{text}" for text in _settings_texts(settings)])
    with tempfile.TemporaryDirectory(prefix="mash-columns-") as folder:
        file = X if is_file else _column_file(folder, "features" if name is None else name, X, names)
        try:
            json_text, text = _mash.try_columns(os.fspath(file), os.fspath(against), dataset, pictures, how, places)
        except ValueError as error:  # users know their arrays, and no file of this folder
            if is_file:
                raise
            names_file, message = f"{os.fspath(file).removesuffix('.npy')}.names.npy", str(error)
            raise ValueError(message.replace(names_file, "names").replace(os.fspath(file), "X")) from None
    return {**json.loads(json_text), "text": text}


def _column_file(folder, name, X, names):
    """A file of these columns, with the names of their pictures beside it."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name):
        raise ValueError(f"name: found {name!r}, expected at most 64 letters, digits, '_', '-' and '.'")
    X = np.asarray(X)
    if X.dtype.kind not in "biuf":
        raise TypeError(f"X: found values of type {X.dtype}, expected numbers")
    file = os.path.join(folder, f"{name}.npy")
    np.save(file, X)
    if names is not None:
        np.save(os.path.join(folder, f"{name}.names.npy"), np.asarray(names, dtype=str))
    return file


def _frames(tables):
    try:
        import pandas
    except ImportError as error:
        raise ImportError("mash: data frames need pandas (on Debian: the package python3-pandas)") from error
    return {name: pandas.DataFrame(columns) for name, columns in tables.items()}


class Records:
    """The tables and views of a database of records (docs/records.md), each a pandas data frame.

    Each is read when it is asked for: `records.experiments`. `records.read("rounds", "cuts")` gives several, by name,
    of one moment.
    """

    def __init__(self, database=None):
        self._database = "" if database is None else os.fspath(database)
        _mash.records(self._database, ["datasets"])  # says at once what is wrong with it

    def read(self, *names):
        return _frames(_mash.records(self._database, list(names)))

    def __getattr__(self, name):
        if name.startswith("_") or name not in _mash.record_names():
            raise AttributeError(f"unknown table '{name}'; known: {', '.join(_mash.record_names())}")
        return self.read(name)[name]

    def __dir__(self):
        return [*super().__dir__(), *_mash.record_names()]


def records(database=None):
    """The records of `mash run`: those of --db, or the default ones."""
    return Records(database)


def __getattr__(name):
    # The estimators alone need scikit-learn.
    if name in ("Features", "Classifier"):
        try:
            from . import estimators
        except ImportError as error:
            raise ImportError(f"mash.{name} needs scikit-learn (on Debian: the package python3-sklearn)") from error
        return getattr(estimators, name)
    raise AttributeError(f"module 'mash' has no attribute '{name}'")
