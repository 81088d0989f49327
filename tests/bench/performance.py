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
import statistics
import subprocess
import sys
import tempfile

import peers

LEVELS = (0.10, 0.05, 0.03, 0.02)  # test errors whose times are compared

OURS = [("mash, trees of 32 leaves", "pixels-trees.yaml"), ("mash, products of 3 stumps", "pixels-products.yaml")]
STORED = ("mash, all families, trees of 8 leaves", "families-trees.yaml")
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
        command = [self.options.mash, "run", recipe, "--json", "--quiet",
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
    rows = []
    for result in json.loads(output)["benchmarks"]:
        if result.get("aggregate_name", "median") != "median":
            continue
        rate = next((f"{value / 1e9:.3g} G{key}" for key, value in result.items()
                     if key.endswith("/s") and key not in ("bytes/s", "bytes_per_second")), "")
        moved = result.get("bytes/s", result.get("bytes_per_second"))
        share = result.get("of_bound")
        rows.append([result["run_name"], f"{result['real_time'] / 1000:.4g}", rate,
                     figure(moved / 1e9 if moved else None), f"{100 * share:.0f} %" if share else "–"])
    return ("## Kernels\n\nOne thread, medians. The limit is what this machine does when it only adds a row of 16-bit "
            "weights to sums at random for\neach pair (`add_rows`), and once for each feature and sixteen classes clears "
            "the sums of 256 codes and takes the\nmagnitudes of their differences (`walk_codes`), all of it in the "
            "first-level cache, measured in the same process.\nWhere 81 % of the codes are zeros, the scan adds the "
            "others alone: to its rate all pairs count, and it has no limit here.\n\n"
            + table(["kernel", "µs", "rate", "GB/s", "of the limit"], rows))


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
    curves, their_names = {}, []
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
    for peer in peers.all_peers():
        say(peer.name)
        their_names.append(peer.name)
        curves[peer.name] = [peer.train(data, options.threads, options.budget)]
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
        for seconds, theirs in zip(levels, fastest):
            ratio = f" ({theirs / seconds:.3g})" if seconds and theirs and name not in their_names else ""
            rows[-1].append("not reached" if seconds is None else figure(seconds) + ratio)
        rows[-1].append(f"{100 * best:.2f} %")
    draw(os.path.join(options.out, "error-against-seconds.svg"), {name: runs[0] for name, runs in curves.items()})
    return ("## Seconds of training to a test error on MNIST\n\n"
            f"{options.threads} threads; ours are medians over {options.repeats} seeds, peers had one training of "
            f"about {options.budget:.0f} s on raw pixels.\nTrees and products are on raw pixels too, where nothing "
            "else is said. In brackets: times as fast as the fastest peer.\nBest: the lowest test error after any round, of ours "
            "the median over seeds.\n\n"
            "![Test error against seconds of training](error-against-seconds.svg)\n\n"
            + table(["", *(f"{100 * level:.0f} %" for level in LEVELS), "best"], rows))


def prediction_section(options, mash):
    say("prediction")
    model = os.path.join(mash.folder, "model.json")
    mash.train(os.path.join(options.source, "experiments/mnist-laminating.yaml"), ["runs=1"], model=model)
    ours = [json.loads(run(options.mash, "predict", model, "--dataset", "mnist", "--json", "--quiet", "--store",
                           mash.store, "--threads", str(options.threads)))
            for _ in range(3 * options.repeats)]
    data = peers.read_mnist(os.path.join(os.environ["MASH_DATA"], "mnist"))
    name, theirs = peers.Xgboost(1).predict_seconds(data, options.threads, 100, 3 * options.repeats)
    mine = statistics.median(one["seconds"] for one in ours)
    with_reading = statistics.median(one["seconds"] + one["read_seconds"] for one in ours)
    other = statistics.median(theirs)
    return ("## Seconds to predict the test side of MNIST\n\n10 000 examples, a thousand cuts each, "
            f"{options.threads} threads: ours from codes in memory, and with what it takes to read "
            "them from\nthe store; theirs from values in memory.\n\n"
            + table(["", "seconds", "times as fast"],
                    [["`mash predict --store`", figure(mine), figure(other / mine)],
                     ["the same, codes read from the store", figure(with_reading), figure(other / with_reading)],
                     [f"{name}, 100 rounds of 10 trees", figure(other), "1"]]))


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
               "#777777"]
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
