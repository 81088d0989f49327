#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes reference.json: three tables, and what scikit-learn finds on them, standardised, without and with weights: the
coefficients of RidgeClassifier, LinearSVC and LogisticRegression, those of Perceptron after each pass, of GaussianNB the
log densities of classes, of KNeighborsClassifier the nearest rows, of SVC the decision values, and the alpha that RidgeClassifierCV chooses. With --check, says whether
the file there is what scikit-learn finds today, up to 1e-9."""

import argparse
import json
import pathlib
import sys

try:
    import numpy as np
    from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, RidgeClassifierCV
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, LinearSVC
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

FILE = pathlib.Path(__file__).with_name("reference.json")
ALPHAS = [0.01, 0.1, 1, 10, 100, 1000]


def table(seed, rows, classes, scales, shared):
    """Classes in turn, each with a mean of its own; columns share a part of their noise."""
    random = np.random.RandomState(seed)
    labels = np.arange(rows) % classes
    means = random.normal(size=(classes, len(scales)))
    noise = random.normal(size=(rows, len(scales))) + shared * random.normal(size=(rows, 1))
    values = (0.7 * means[labels] + noise) * scales + np.arange(len(scales))
    return np.round(values, 4).astype(np.float32), labels, np.round(random.uniform(0, 3, rows), 2)


TABLES = {
    "two classes": table(1, 40, 2, [1, 2, 0.5], 0),
    "three classes, columns alike": table(2, 90, 3, [1, 1, 1, 1, 1, 1], 3),
    "four classes, other units": table(3, 120, 4, [1e-3, 1, 1e4, 5, 0.1, 1, 1, 30, 1, 1], 0.5),
}


def solution(model, values, labels, weights):
    """Intercepts and coefficients in the units of the columns, one row a class."""
    scaler = StandardScaler().fit(values, sample_weight=weights)
    model.fit(scaler.transform(values), labels, sample_weight=weights)
    coefficients = model.coef_ / scaler.scale_
    intercepts = model.intercept_ - coefficients @ scaler.mean_
    if len(coefficients) == 1:  # of two classes it has the second
        coefficients, intercepts = np.vstack([-coefficients, coefficients]), np.hstack([-intercepts, intercepts])
        if isinstance(model, LogisticRegression):  # scores of which the difference is its function
            coefficients, intercepts = coefficients / 2, intercepts / 2
    return {"intercepts": intercepts.tolist(), "coefficients": coefficients.tolist()}


def ridge(values, labels, weights):
    return [{"alpha": alpha, **solution(RidgeClassifier(alpha=alpha, solver="cholesky"), values, labels, weights)}
            for alpha in (0.5, 20)]


def linear_svm(values, labels, weights):
    return [{"loss": loss, "C": C,
             **solution(LinearSVC(loss=loss, C=C, dual=True, tol=1e-10, max_iter=10**6, random_state=0), values, labels, weights)}
            for loss, C in (("hinge", 0.05), ("squared_hinge", 0.05), ("squared_hinge", 1))]


def logistic(values, labels, weights):
    return [{"C": C, **solution(LogisticRegression(C=C, solver="newton-cg", tol=1e-6, max_iter=10**5), values, labels, weights)}
            for C in (0.01, 1)]


def perceptron(values, labels, weights):
    """Of two classes, on standardised columns, after 1, 2, … passes in the order of the rows."""
    scaled = StandardScaler().fit(values, sample_weight=weights).transform(values)
    passes = []
    for count in range(1, 9):
        model = Perceptron(shuffle=False, tol=None, max_iter=count).fit(scaled, labels, sample_weight=weights)
        passes.append({"intercept": model.intercept_[0], "coefficients": model.coef_[0].tolist()})
    return passes


def naive_bayes(values, labels, weights):
    """The log densities of the first rows, each class's probability among them."""
    model = GaussianNB(var_smoothing=0).fit(values, labels, sample_weight=weights)
    return model._joint_log_likelihood(values[:20]).tolist()


def neighbours(values, labels):
    """The five nearest rows of some rows between them, by L1 and L2."""
    queries = ((values[:-1] + 2 * values[1:]) / 3)[:20].astype(np.float32)
    found = []
    for p in (1, 2):
        model = KNeighborsClassifier(5, p=p, algorithm="brute").fit(values, labels)
        distances, examples = model.kneighbors(queries.astype(np.float64))
        found.append({"p": p, "queries": queries.tolist(), "examples": examples.tolist(), "distances": distances.tolist()})
    return found


def svm(values, labels, weights):
    """Decision values of the pairs of classes of the first rows, for three kernels."""
    found = []
    gamma = 1 / (values.shape[1] * values.var(axis=0).mean())
    for kernel, C in (("linear", 0.05 * gamma), ("poly", 1), ("rbf", 2)):
        model = SVC(kernel=kernel, C=C, gamma=gamma, coef0=1, degree=2, tol=1e-6, decision_function_shape="ovo")
        decisions = model.fit(values, labels, sample_weight=weights).decision_function(values[:30])
        decisions = -decisions[:, None] if decisions.ndim == 1 else decisions  # of two classes that of the second
        found.append({"kernel": {"poly": "polynomial"}.get(kernel, kernel), "C": C, "gamma": gamma,
                      "decisions": decisions.tolist()})
    return found


def chosen_alpha(values, labels, weights):
    scaled = StandardScaler().fit(values, sample_weight=weights).transform(values)
    return float(RidgeClassifierCV(alphas=ALPHAS).fit(scaled, labels, sample_weight=weights).alpha_)


def found():
    tables = []
    for name, (values, labels, weights) in TABLES.items():
        doubles = values.astype(np.float64)
        tables.append({"name": name, "classes": int(labels.max()) + 1, "values": values.tolist(), "labels": labels.tolist(),
                       "weights": weights.tolist(),
                       "equal": ridge(doubles, labels, None), "weighted": ridge(doubles, labels, weights),
                       "linear_svm": linear_svm(doubles, labels, None),
                       "linear_svm_weighted": linear_svm(doubles, labels, weights),
                       "logistic": logistic(doubles, labels, None), "logistic_weighted": logistic(doubles, labels, weights),
                       **({} if labels.max() > 1 else {"perceptron": perceptron(doubles, labels, None),
                                                       "perceptron_weighted": perceptron(doubles, labels, weights)}),
                       "naive_bayes": naive_bayes(doubles, labels, None), "neighbours": neighbours(doubles, labels),
                       "svm": svm(doubles, labels, None), "svm_weighted": svm(doubles, labels, weights + 0.01),
                       "naive_bayes_weighted": naive_bayes(doubles, labels, weights),
                       "chosen": chosen_alpha(doubles, labels, None), "chosen_weighted": chosen_alpha(doubles, labels, weights)})
    return {"alphas": ALPHAS, "tables": tables}


def numbers_of(value):
    if isinstance(value, dict):
        return [number for key in sorted(value) for number in numbers_of(value[key])]
    if isinstance(value, list):
        return [number for item in value for number in numbers_of(item)]
    return [] if isinstance(value, str) else [float(value)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        FILE.write_text(json.dumps(found()) + "\n")
        return
    kept, now = numbers_of(json.loads(FILE.read_text())), numbers_of(found())
    if len(kept) != len(now) or not np.allclose(kept, now, rtol=1e-9, atol=1e-9):
        sys.exit(f"{FILE.name} is not what scikit-learn finds today; write it again: tests/baselines/{pathlib.Path(__file__).name}")


main()
