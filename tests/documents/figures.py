# SPDX-License-Identifier: Apache-2.0
"""What the tables of docs/results say about each other: cost by two readings, rankings at equal cost, correlations.

Costs are in units of N, the number of training examples: 10 is the most that a round of the published strategies may
look at. Two readings:

  FE   candidates x distinct examples of each pass; what a pass keeps from the one before is not counted again. This is
       the `cost` of the program.
  Q.S  every pass counts all its examples, also those drawn twice or known from the pass before: as the papers count.

Stocks of features that are tasted on the side are in neither; they are shown beside both.
"""

import csv
import math
import os
import re
import sqlite3

STEP = 1.25  # between the rounds of a curve that are kept

# How each sampler looks at examples. Fresh passes draw with replacement, so that some examples come twice; nested ones
# keep those of the pass before. M.A.S. draws with replacement too, and how many is not recorded: at most its budget.
FRESH, NESTED = {"laminating", "tasting.laminating"}, {"laminating.nested", "tasting.nested"}
BUDGETED = {"mas.naive", "mas.1q", "mas.q1"}
BUDGET = 10


def passes(num_candidates, first, num_train, nested):
    """For each pass its candidates, its examples, and those of them that the pass before did not have."""
    known, examples = 0, first
    while num_candidates > 1:
        new = min(examples, num_train - known)
        yield num_candidates, known + new, new
        if known + new == num_train:
            return
        known = known + new if nested else 0
        num_candidates, examples = (num_candidates + 1) // 2, 2 * examples


def tournament(num_candidates, num_train, nested):
    """Evaluations of a round in units of N, new ones and all: as large a tournament as the budget pays for."""
    budget = BUDGET * num_train
    if num_candidates is None:  # automatic: the most with which the first pass still has some examples
        fewest = 48 if nested else 64
        num_candidates = max(2**i for i in range(1, 20) if budget / (2**i * i) >= fewest)
    cost = lambda first: sum(count * new for count, _, new in passes(num_candidates, first, num_train, nested))
    low, high = 1, num_train
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(middle) <= budget else (low, middle - 1)
    whole = sum(count * examples for count, examples, _ in passes(num_candidates, low, num_train, nested))
    return cost(low) / num_train, whole / num_train


def mean(values):
    return sum(values) / len(values)


def curves_of(database):
    """Rows of curves.csv: means over the finished seeds of each sampler, costs so far in units of N."""
    records = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    rows = []
    samplers = [name for name, in records.execute("SELECT sampler FROM finished GROUP BY sampler ORDER BY MIN(id)")]
    for sampler in samplers:
        runs = records.execute(
            "SELECT e.id, e.num_rounds, e.fe, e.ops, d.num_train, d.num_classes, e.configuration FROM finished e "
            "JOIN datasets d ON d.id = e.dataset_id WHERE e.sampler = ? ORDER BY e.seed", (sampler,)).fetchall()
        num_train, num_classes, configuration = runs[0][4:]
        num_rounds = min(run[1] for run in runs)
        evaluated = mean([run[2] / num_train / run[1] for run in runs])  # a round
        looked_at = mean([run[3] / num_classes / num_train / run[1] for run in runs])  # with the stock
        asked = re.search(r"^sampler:.*features: \"?(\d+)", configuration, re.MULTILINE)
        whole = stock_base = evaluated
        if sampler in FRESH | NESTED:
            new, whole = tournament(int(asked[1]) if asked else None, num_train, sampler in NESTED)
            if evaluated > new + 1e-9 or (sampler in NESTED and evaluated < 0.99 * new):
                raise ValueError(f"{sampler}: {evaluated:.3f} N a round are recorded, its passes have {new:.3f} N")
            stock_base = whole if sampler in NESTED else evaluated
        if sampler in BUDGETED:
            whole = BUDGET
        stock = max(0, looked_at - stock_base)
        curve_rounds, round_ = set(), 1
        while round_ < num_rounds:
            curve_rounds.add(round_)
            round_ = max(round_ + 1, int(round_ * STEP))
        curve_rounds.add(num_rounds)
        for round_ in sorted(curve_rounds):
            points = [records.execute("SELECT train_loss_log10, cost FROM rounds WHERE experiment_id = ? AND round = ?",
                                      (run[0], round_)).fetchone() for run in runs]
            spent = mean([cost for _, cost in points]) / num_train
            rows.append({"sampler": sampler, "runs": len(runs), "round": round_,
                         "train_loss_log10": f"{mean([loss for loss, _ in points]):.6f}", "fe": f"{spent:.4f}",
                         "qs": f"{spent * whole / evaluated:.4f}", "stock": f"{round_ * stock:.4f}"})
    return rows


def write_csv(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def loss_at(curve, reading, cost):
    """The loss where the curve has spent so much, read off a straight line in log cost; None outside the curve."""
    points = [(math.log(float(point[reading])), float(point["train_loss_log10"])) for point in curve]
    x = math.log(cost)
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= x <= x1 + 1e-12:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return None


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def equal_cost(rows):
    """The two readings of each sampler's cost a round, and its loss and rank at equal cost by either, as Markdown."""
    curves = {}
    for row in rows:
        curves.setdefault(row["sampler"], []).append(row)
    least = {reading: min(float(curve[-1][reading]) for curve in curves.values()) for reading in ("fe", "qs")}
    columns = [(reading, cost) for reading in ("fe", "qs") for cost in (100, 1000, 5000) if cost <= least[reading]]
    losses = {column: {name: loss_at(curve, *column) for name, curve in curves.items()} for column in columns}
    ranks = {column: {name: 1 + sum(other < loss for other in of_column.values()) for name, loss in of_column.items()}
             for column, of_column in losses.items()}
    table = []
    for name in sorted(curves, key=lambda name: losses[columns[-1]][name]):
        last = curves[name][-1]
        per_round = [float(last[key]) / int(last["round"]) for key in ("fe", "qs", "stock")]
        table.append([f"`{name}`", f"{per_round[0]:.2f}", ("≤ " if name in BUDGETED else "") + f"{per_round[1]:.2f}",
                      f"{per_round[2]:.0f}" if per_round[2] > 0.01 else "–",
                      *(f"{losses[column][name]:.3f} ({ranks[column][name]})" for column in columns)])
    titles = {"fe": "FE", "qs": "Q·S"}
    return markdown(["sampler", "FE a round", "Q·S a round", "stock a round",
                     *(f"{titles[reading]} = {cost:,} N".replace(",", " ") for reading, cost in columns)], table)


def ranks_of(values):
    return [sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
            for value in values]


def rank_correlation(first, second):
    """Spearman's, with mean ranks for ties."""
    a, b = ranks_of(first), ranks_of(second)
    centred = lambda ranks: [rank - mean(ranks) for rank in ranks]
    a, b = centred(a), centred(b)
    return sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def correlations(rows, only=None):
    """For each number of rounds: the correlation of our errors with the paper's, and over how many methods."""
    result = {}
    for rounds in dict.fromkeys(row["rounds"] for row in rows):
        pairs = [(float(row["test_error_paper"]), float(row["test_error"])) for row in rows
                 if row["rounds"] == rounds and row["test_error_paper"] and (only is None or row["method"] in only)]
        result[int(rounds)] = (rank_correlation(*zip(*pairs)), len(pairs))
    return result


def sign_test(num_above, num_below):
    """Two-sided p of so uneven a split if both sides were as likely."""
    count = num_above + num_below
    tail = sum(math.comb(count, i) for i in range(min(num_above, num_below) + 1))
    return min(1, 2 * tail / 2**count)


def bandit_readings(database, published):
    """How far our errors are from the published ones by three readings of "test error", per data set and weak learner.

    published: rows of bandit-table1.csv. A seed's readings: the mean over the window of T, the lowest such mean at any
    its T, and the lowest error after any single round.
    """
    records = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    methods = {"lazyboost": "RANDOM", "ucb": "UCB", "ucbv": "UCBV", "exp3.p": "EXP3.P", "full": "FULL"}
    wanted = {(row["set"], row["learner"], row["method"]): row for row in published}
    cells = {}
    for id_, name, weak, sampler in records.execute("SELECT id, name, weak, sampler FROM finished ORDER BY id"):
        key = (name.removeprefix("bandit-"), weak, methods.get(sampler))
        if key not in wanted:
            continue
        errors = [error for error, in records.execute(
            "SELECT test_error FROM test_errors WHERE experiment_id = ? ORDER BY round", (id_,))]
        sums = [0]
        for error in errors:
            sums.append(sums[-1] + error)
        smoothed = lambda t: (sums[6 * t // 5] - sums[(4 * t + 4) // 5 - 1]) / (6 * t // 5 - (4 * t + 4) // 5 + 1)
        rounds = int(wanted[key]["rounds"])
        cells.setdefault(key, []).append((smoothed(rounds), min(smoothed(t) for t in range(1, rounds + 1)), min(errors)))
    differences = {}
    for key, runs in cells.items():
        paper = float(wanted[key]["error_paper"])
        differences.setdefault(key[:2], []).append([100 * (mean(reading) - paper) for reading in zip(*runs)])
    rows = []
    for (data, learner), of_cells in sorted(differences.items(), key=lambda item: (item[0][1], item[0][0])):
        rows.append([f"{data}, {learner}", str(len(of_cells)), *(f"{mean(column):+.2f}" for column in zip(*of_cells))])
    every = [cell for of_cells in differences.values() for cell in of_cells]
    above = [sum(value > 0 for value in column) for column in zip(*every)]
    rows.append(["all", str(len(every)), *(
        f"{mean(column):+.2f}; {n} above, {len(every) - n} not (p = {sign_test(n, len(every) - n):.2g})"
        for column, n in zip(zip(*every), above))])
    return markdown(["set, weak learner", "cells", "mean over the window of T", "lowest such mean",
                     "lowest of one round"], rows)


def lattice(published, num_test):
    """How many of the paper's figures are whole numbers of test examples, per data set, for FULL and for the others."""
    rows = []
    for data, count in num_test.items():
        reachable = {round(100 * k / count + nudge, 2) for k in range(count) for nudge in (-1e-9, 1e-9)}
        share = sum(round(cents / 100, 2) in reachable for cents in range(100, 1600)) / 1500
        cells = []
        for is_full in (True, False):
            hits = [round(100 * float(row["error_paper"]), 2) in reachable for row in published
                    if row["set"] == data and (row["method"] == "FULL") == is_full]
            cells.append(f"{sum(hits)} of {len(hits)}")
        rows.append([data, f"{count:,}".replace(",", " "), *cells, f"{100 * share:.0f} %"])
    return markdown(["set", "test examples", "FULL", "the other methods", "by chance"], rows)
