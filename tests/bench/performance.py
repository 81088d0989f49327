#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures this build against its peers and the limits of the machine; writes performance.md and its pictures.

Called by script/bench. Everything is measured in this one run, one program after the other, and each section is
written as soon as it is there.
"""

import argparse
import datetime
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import peers

MICROSECONDS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}  # in a unit of google-benchmark
LEVELS = (0.10, 0.05, 0.03, 0.02)  # test errors whose times are compared

OURS = [("mash, trees of 32 leaves", "pixels-trees.yaml"), ("mash, products of 3 stumps", "pixels-products.yaml")]
STORED = ("mash, all families from the store, trees of 8 leaves", "families-trees.yaml")
STORED_EXTRACTED = "the same, extraction included"
EXTRACTED = ("mash, hog (one level) and haar-like, extraction included", "few-families-trees.yaml")


def run(*command, **environment):
    result = subprocess.run(command, stdout=subprocess.PIPE, env={**os.environ, **environment}, check=True)
    return result.stdout.decode()


def say(text):
    print(text, file=sys.stderr, flush=True)


class Mash:
    """The program, with records of its own that are thrown away."""

    def __init__(self, options, folder):
        self.options, self.folder, self.num_runs = options, folder, 0
        self.store = options.store or os.path.join(folder, "store")

    def train(self, recipe, settings=(), every_round=False, store=None, store_limit=None, model=None):
        self.num_runs += 1
        command = [self.options.mash, "run", recipe, "--json", "--quiet", "--again",
                   "--db", os.path.join(self.folder, f"{self.num_runs}.db"),
                   "--store", store or self.store,
                   "--threads", str(self.options.threads)]
        for setting in settings:
            command += ["--set", setting]
        command += ["--every-round"] if every_round else []
        command += ["--model", model] if model else []
        command += ["--store-limit", store_limit] if store_limit else []
        return json.loads(run(*command))


def seconds_to(points, level):
    """When the error was first at or below the level and stayed there for the next point too; None: never."""
    for (seconds, error), (_, following) in zip(points, points[1:] + points[-1:]):
        if max(error, following) <= level:
            return seconds
    return None


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def figure(number):
    return "–" if number is None else f"{number:.3g}"


def machine_section(options, _):
    caches = [line.split(":", 1) for line in run("lscpu", LC_ALL="C").splitlines() if " cache:" in line]
    doctor = json.loads(run(options.mash, "doctor", "--json"))
    rows = [["processor", f"{doctor['cpu']}, {doctor['cores']} cores, {options.threads} used"],
            *([name.strip(), size.strip()] for name, size in caches),
            ["memory", f"{doctor['memory_bytes'] / 2**30:.0f} GiB"], ["system", doctor["os"]],
            ["instruction set of the scan", doctor["scan_instruction_set"]],
            ["date", datetime.date.today().isoformat()]]
    return "## Machine\n\n" + table(["what", ""], rows)


def kernel_section(options, _):
    say("kernels")
    output = run(options.bench, "--benchmark_format=json", f"--benchmark_repetitions={options.repeats}",
                 "--benchmark_report_aggregates_only=true",
                 # as the program does: memory that is freed is kept
                 GLIBC_TUNABLES="glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=268435456")
    rows, beside = [], []
    for result in json.loads(output)["benchmarks"]:
        if result.get("aggregate_name", "median") != "median":
            continue
        if "of_fastest" in result:
            ways = {key: rate for key, rate in result.items() if key.startswith("sums of ")}
            fastest = max(ways, key=ways.get)
            beside.append([result["run_name"].split("/iterations")[0], f"{result['pairs/s'] / 1e9:.3g} G", fastest,
                           f"{ways[fastest] / 1e9:.3g} G", f"{100 * result['of_fastest']:.0f} %"])
            continue
        rate = next((f"{value / 1e9:.3g} G{key}" for key, value in result.items()
                     if key.endswith("/s") and key not in ("bytes/s", "bytes_per_second")), "")
        moved = result.get("bytes/s", result.get("bytes_per_second"))
        shares = [result.get(key) for key in ("of_bound", "of_store_bound")]
        microseconds = result["real_time"] * MICROSECONDS[result["time_unit"]]
        rows.append([result["run_name"], f"{microseconds:.4g}", rate,
                     figure(moved / 1e9 if moved else None),
                     *(f"{100 * share:.0f} %" if share else "–" for share in shares)])
    return ("## Kernels\n\nOne thread, medians. Two limits, both measured in the same process:\n\n"
            "- **a plain loop**: what this machine reaches when it only adds a row of 16-bit weights to sums at random "
            "for each pair\n  (`add_rows`), and once for each feature and sixteen classes clears the sums of 256 codes "
            "and takes the magnitudes of their\n  differences (`walk_codes`), all of it in the first-level cache. The "
            "scan's own loop has this shape, so a share above 100 %\n  says that it is written better than the plain one, "
            "not that no loop can be faster;\n"
            "- **one store a cycle**: each pair must store one row of sums, and a core stores one vector a cycle. The "
            "clock is measured by\n  additions that wait for each other (`clock`). Clearing and comparing the sums is not "
            "in it, so samples of few examples\n  cannot come near.\n\n"
            "Where 81 % of the codes are zeros, the scan adds the others alone: its rate counts all pairs, and it has no "
            "limit here.\n\n"
            + table(["kernel", "µs", "rate", "GB/s", "of a plain loop", "of one store a cycle"], rows)
            + "\nThe scan beside the fastest of twelve plain ways to add the same rows by the same codes, each checked sum by "
            "sum, in turns,\neach at its best, in pairs per second. The scan also finds the best cut of each feature:\n\n"
            + table(["training", "the scan", "the fastest plain way", "its rate", "the scan's share"], beside))


LAMINATING = [("10 N", []), ("3 N, 256 candidates", ["sampler.budget=3", "sampler.features=256"]),
              ("3 N, 128 candidates", ["sampler.budget=3", "sampler.features=128"])]


def rounds_section(options, mash):
    rows = []
    for rounds in (1000, 10000):
        for name, settings in LAMINATING:
            say(f"laminating, {rounds} rounds of {name}")
            runs = [mash.train(os.path.join(options.source, "experiments/mnist-laminating.yaml"),
                               [f"booster.rounds={rounds}", "runs=1", f"seed={seed}", *settings])
                    for seed in range(1, options.repeats + 1)]
            phases = [run["meters"]["phases"] for run in runs]
            early = statistics.mean(point["test_error"] for run in runs for point in run["curve"] if point["round"] == 100)
            error = statistics.mean(run["test_error"] for run in runs)
            loss = statistics.mean(run["train_loss_log10"] for run in runs)
            rows.append([f"{rounds}, {name}", figure(statistics.median(run["train_seconds"] for run in runs)),
                         *(figure(statistics.median(one[phase] for one in phases)) for phase in phases[0]),
                         f"{100 * early:.2f} %", f"{100 * error:.2f} %", f"{loss:.3f}"])
    return ("## A training, in seconds\n\n"
            "`mash run experiments/mnist-laminating.yaml`: all heuristics on MNIST from the store, with the evaluations of "
            "a round that the paper\nallows and with fewer. Seconds are medians, errors and loss are means over "
            f"{options.repeats} seeds.\n\n"
            + table(["rounds", "in all", *phases[0], "test error at 100", "in the end", "log10 loss"], rows))


def error_section(options, mash):
    data = peers.read_mnist(os.path.join(os.environ["MASH_DATA"], "mnist"))
    curves = {}
    for name, recipe in [*OURS, STORED, EXTRACTED]:
        for repeat in range(options.repeats):
            say(f"{name}, {repeat + 1} of {options.repeats}")
            fresh = name == EXTRACTED[0]  # a store of its own each time
            result = mash.train(os.path.join(options.source, "tests/bench", recipe), [f"seed={repeat + 1}"],
                                every_round=True, store=os.path.join(mash.folder, f"store{repeat}") if fresh else None)
            before = result["extract_seconds"] if fresh else 0
            rounds = result["every_round"][0]
            curves.setdefault(name, []).append(
                [(before + seconds, error) for seconds, error in zip(rounds["seconds"], rounds["test_error"])])
        if name == STORED[0]:
            extraction = extraction_seconds(options, mash, os.path.join(mash.folder, "extracted"))
            curves[STORED_EXTRACTED] = [[(extraction + seconds, error) for seconds, error in points]
                                        for points in curves[name]]
    theirs = peers.all_peers()
    if options.grid:
        for name, grid in peers.grids().items():
            say(f"{name}, {len(grid)} settings")
            theirs.append(peers.best_of(grid, data, options.threads, options.budget))
            theirs[-1].name = name
    for peer in theirs:
        say(peer.name)
        curves[peer.name] = [peer.train(data, options.threads, options.budget)]
    their_names = [peer.name for peer in theirs]
    medians = {}
    for name, runs in curves.items():
        of_levels = [[seconds_to(points, level) for points in runs] for level in LEVELS]
        medians[name] = [None if None in times else statistics.median(times) for times in of_levels]
    fastest = [min((medians[name][i] for name in their_names if medians[name][i] is not None), default=None)
               for i in range(len(LEVELS))]
    rows = []
    for name, levels in medians.items():
        best = statistics.median(min(error for _, error in points) for points in curves[name])
        rows.append([name])
        for seconds, other in zip(levels, fastest):
            ratio = f" ({other / seconds:.3g})" if seconds and other and name not in their_names else ""
            rows[-1].append("not reached" if seconds is None else figure(seconds) + ratio)
        rows[-1].append(f"{100 * best:.2f} %")
    draw(os.path.join(options.out, "error-against-seconds.svg"), {name: runs[0] for name, runs in curves.items()})
    return ("## Seconds of training to a test error on MNIST\n\n"
            f"{options.threads} threads; ours are medians over {options.repeats} seeds, peers had one training of "
            f"about {options.budget:.0f} s on raw pixels at the settings below.\nOur trees and products are on raw pixels "
            "too, unless families are named: their features must be extracted first, which a peer on pixels\nneed not, so "
            "the time from the store and the time with extraction belong together. In brackets: times as fast as the "
            "fastest\npeer. Best: the lowest test error after any round, of ours the median over seeds.\n\n"
            "![Test error against seconds of training](error-against-seconds.svg)\n\n"
            + table(["", *(f"{100 * level:.0f} %" for level in LEVELS), "best"], rows) + "\n" + settings_text(theirs))


def extraction_seconds(options, mash, store):
    """Of all families into an empty store, which is removed again."""
    result = mash.train(os.path.join(options.source, "tests/bench", STORED[1]), ["booster.rounds=1"], store=store)
    shutil.rmtree(store)
    return result["extract_seconds"]


def settings_text(theirs):
    text = ("The peers are **at defaults** of their libraries, except for what is listed here and the number of rounds, which "
            "fills the time\n(`--grid` adds the best of a small grid for each, chosen on a sixth of the training side):\n\n")
    return text + "".join(f"- {peer.name}: {peer.settings_text}\n" for peer in theirs)


def prediction_section(options, mash):
    say("prediction")
    model = os.path.join(mash.folder, "model.json")
    mash.train(os.path.join(options.source, "experiments/mnist-laminating.yaml"), ["runs=1"], model=model)

    def predict(repeats, *arguments):
        return [json.loads(run(options.mash, "predict", model, "--dataset", "mnist", "--json", "--quiet", "--threads",
                               str(options.threads), *arguments)) for _ in range(repeats)]

    stored = predict(3 * options.repeats, "--store", mash.store)
    data = peers.read_mnist(os.path.join(os.environ["MASH_DATA"], "mnist"))
    name, theirs = peers.Xgboost(1).predict_seconds(data, options.threads, 100, 3 * options.repeats)
    other = statistics.median(theirs)
    ours = [("`mash predict --store`: from codes in memory", statistics.median(one["seconds"] for one in stored)),
            ("the same, codes read from the store",
             statistics.median(one["seconds"] + one["read_seconds"] for one in stored)),
            ("`mash predict`: from pixels, the features of the model extracted",
             statistics.median(one["seconds"] for one in predict(options.repeats)))]
    return ("## Seconds to predict the test side of MNIST\n\n10 000 examples, a thousand cuts each, "
            f"{options.threads} threads. XGBoost's model is on the pixels themselves, which are in memory; ours is on\n"
            "features of all families, which `mash predict` extracts from the pixels unless the store has them.\n\n"
            + table(["", "seconds", "times as fast"],
                    [[what, figure(seconds), figure(other / seconds)] for what, seconds in ours]
                    + [[f"{name}, 100 rounds of 10 trees, from pixels in memory", figure(other), "1"]]))


# Examples, families, features of each, and the limit of the store: what is beyond it is computed when it is looked at.
GROWTH = [(10_000, 1, 1_000, "24G"), (100_000, 1, 1_000, "24G"), (1_000_000, 1, 1_000, "24G"),
          (10_000, 1, 10_000, "24G"), (10_000, 1, 100_000, "24G"), (10_000, 10, 100_000, "24G"),
          (10_000, 1, 1_000_000, "4G")]


def growth_section(options, mash):
    rows = []
    for examples, families, width, limit in GROWTH:
        features = families * width
        say(f"growth, {examples} examples, {features} features, a store of {limit}iB")
        pool = ", ".join(f"{{id: haar-like, count: {width}, seed: {seed}}}" for seed in range(1, families + 1))
        with tempfile.TemporaryDirectory(dir=mash.folder) as store:
            first, again = (mash.train(os.path.join(options.source, "tests/bench/growth.yaml"),
                                       [f"dataset.train={examples}", f"heuristics=[{pool}]"], store=store,
                                       store_limit=limit) for _ in range(2))
        pairs = again["meters"]["fe"]
        num_lazy = sum(family["lazy"] for family in again["families"])
        kept = {0: "stored", families: "on demand"}.get(num_lazy, f"{num_lazy} of {families} families on demand")
        rows.append([f"{examples:,}".replace(",", " "), f"{features:,}".replace(",", " "), kept, figure(pairs),
                     *(figure(1e9 * result["train_seconds"] / pairs) for result in (first, again)),
                     figure(first["extract_seconds"]),
                     *(figure(result["peak_memory_bytes"] / 2**20) for result in (first, again))])
    return ("## Growth\n\nLaminating at 10 N evaluations a round, 100 rounds, on generated digits. Each training "
            "runs twice: after the extraction, and\nagain from the store. The store may have 24 GiB, in which ten families "
            "of 100 000 features have room, and in the last line\n4, in which one family of a million features has not. "
            "Memory counts what is mapped of the store, which the system takes back when\nit wants.\n\n"
            + table(["examples", "features", "kept", "pairs", "ns a pair", "ns a pair again", "extraction, s",
                     "memory, MiB", "memory again, MiB"], rows))


def draw(path, curves):
    """Test error against seconds, both on logarithmic axes."""
    width, height, left, right, top, bottom = 820, 420, 60, 290, 20, 45
    points = [point for curve in curves.values() for point in curve if point[0] > 0 and point[1] > 0]
    low_x, high_x = (math.log10(f(x for x, _ in points)) for f in (min, max))
    low_y, high_y = (math.log10(f(y for _, y in points)) for f in (min, max))
    x_of = lambda x: left + (math.log10(x) - low_x) / (high_x - low_x) * (width - left - right)
    y_of = lambda y: top + (high_y - math.log10(y)) / (high_y - low_y) * (height - top - bottom)
    ticks = lambda low, high: [m * 10.0**e for e in range(math.floor(low), math.ceil(high) + 1) for m in (1, 2, 5)
                               if low <= math.log10(m * 10.0**e) <= high]
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           'font-size="12">', '<title>Test error against seconds of training</title>',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for x in ticks(low_x, high_x):
        svg.append(f'<path d="M{x_of(x):.1f} {top}V{height - bottom}" stroke="#ddd"/><text x="{x_of(x):.1f}" '
                   f'y="{height - bottom + 16}" text-anchor="middle">{x:g}</text>')
    for y in ticks(low_y, high_y):
        svg.append(f'<path d="M{left} {y_of(y):.1f}H{width - right}" stroke="#ddd"/><text x="{left - 6}" '
                   f'y="{y_of(y) + 4:.1f}" text-anchor="end">{100 * y:g} %</text>')
    colours = ["#0072b2", "#56b4e9", "#004b76", "#8fbcd4", "#d55e00", "#e69f00", "#009e73", "#8fbc5a", "#cc79a7",
               "#777777", "#9467bd", "#c5b0d5", "#17becf", "#8c564b", "#bcbd22"]
    for i, (name, curve) in enumerate(curves.items()):
        path_data = "L".join(f"{x_of(x):.1f} {y_of(y):.1f}" for x, y in curve if x > 0 and y > 0)
        colour = colours[i % len(colours)]
        svg.append(f'<path d="M{path_data}" fill="none" stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{width - right + 12}" y="{top + 14 + 18 * i}" fill="{colour}">{name}</text>')
    svg.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">seconds</text></svg>')
    with open(path, "w") as file:
        file.write("\n".join(svg) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mash", required=True, help="the program")
    parser.add_argument("--bench", required=True, help="mash_bench")
    parser.add_argument("--source", required=True, help="the checkout")
    parser.add_argument("--out", required=True, help="folder for performance.md")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--sections", default="", help="only those with these words, such as kernel,growth")
    parser.add_argument("--store", help="feature store that is kept for the next time")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--budget", type=float, default=600, help="seconds for each peer")
    parser.add_argument("--grid", action="store_true",
                        help="also the best of a small grid for each peer; finding it takes its budget once more")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    with tempfile.TemporaryDirectory() as folder:
        mash = Mash(options, folder)
        sections = ["# Performance\n\nWritten by `script/bench`. Seconds are of this machine: compare ratios.\n"]
        for section in (machine_section, kernel_section, rounds_section, error_section, prediction_section,
                        growth_section):
            if not any(word in section.__name__ for word in options.sections.split(",")):
                continue
            sections.append(section(options, mash))
            with open(os.path.join(options.out, "performance.md"), "w") as file:
                file.write("\n".join(sections))


if __name__ == "__main__":
    main()
