# SPDX-License-Identifier: Apache-2.0
"""Compares numbers in the documents with what the program and the tables of docs/results say today.

Only what takes seconds is run: no table is trained again.
"""

import json
import os
import re
import shlex
import subprocess
import tempfile

import figures

SKIPPED = 77  # exit code by which CTest knows that nothing was compared

# The families that the tables of docs/results were made with: one that comes later changes nothing of what was measured.
MEASURED = """color-histogram color-moments dct dense-sift edge-distance fourier gradient gray-histogram grayscale haar haar-like
hog hog-oriented hough identity ilbp lbp lbp-histogram mct patch-sums phog projections rank region-covariance v1s zernike""".split()

NUM_TEST = {"usps": 2007, "pendigits": 3498, "isolet": 1559, "letter": 4000}  # MNIST's 10 000 say nothing


class Results:
    """The files of docs/results, and the texts that are made of them."""

    def __init__(self, source):
        self.source = source

    def path(self, *parts):
        return os.path.join(self.source, "docs/results", *parts)

    def csv(self, name, file=None):
        return figures.read_csv(self.path(name, file or f"{name.split('-1000')[0].split('-ten')[0]}.csv"))

    def document(self, name):
        with open(os.path.join(self.source, name)) as file:
            return file.read()

    def correlations(self):
        few, many = self.csv("table1-1000"), self.csv("table1-ten-seeds")
        of_both = {row["method"] for row in few} & {row["method"] for row in many if row["test_error_paper"]}
        rows = [("tuned Q, three seeds, thirteen methods", figures.correlations(few)),
                ("tuned Q, three seeds, the ten below", figures.correlations(few, of_both)),
                ("automatic Q, ten seeds, ten methods", figures.correlations(many, of_both))]
        return figures.markdown(["Table 1, MNIST", *(f"T = {rounds}" for rounds in rows[0][1])],
                                [[name, *(f"{value:.2f}" for value, _ in of.values())] for name, of in rows])

    def texts(self):
        """By name, each as it stands in docs/results/README.md."""
        return {"table 1 at equal cost": figures.equal_cost(self.csv("table1-1000", "curves.csv")),
                "table 4 at equal cost": figures.equal_cost(self.csv("table4-1000", "curves.csv")),
                "correlations": self.correlations(),
                "published figures of the bandits": figures.lattice(self.csv("bandit-table1"), NUM_TEST)}


class Checks:
    def __init__(self):
        self.num_equal, self.wrong = 0, []

    def expect_sentence(self, what, document, text, expected):
        """The document must hold the words, on any lines."""
        self.expect(what, document, " ".join(text.split()), expected)

    def expect(self, what, document, text, expected):
        """The document must hold the text as it is expected."""
        if expected in text:
            self.num_equal += 1
        else:
            self.wrong.append(f"{document}: {what}: expected to read\n{expected}")


def grouped(number):
    return f"{number:,}".replace(",", " ")


def per_cent(fraction):
    return f"{100 * fraction:.2f} %"


def check_tables(results, checks):
    readme = results.document("docs/results/README.md")
    for name, text in results.texts().items():
        checks.expect(name, "docs/results/README.md", readme, text)
    for name in ("table1-1000", "table1-10000", "table1-ten-seeds", "table4-1000"):
        file = f"docs/results/{name}/{name.split('-')[0]}.md"
        for rounds, (value, _) in figures.correlations(results.csv(name, f"{name.split('-')[0]}.csv")).items():
            checks.expect("rank correlation", file, results.document(file),
                          f"{rounds} rounds: rank correlation with the paper's errors {value:.2f}")
    check_bandits(results, checks)


def check_bandits(results, checks):
    file = "docs/results/bandit-table1/bandit-table1.md"
    text, rows = results.document(file), results.csv("bandit-table1")
    titles = {"stump": "stump", "product": "product of m stumps", "tree": "tree of N leaves"}
    for learner, title in titles.items():
        of_learner = [row for row in rows if row["learner"] == learner]
        differences = [100 * float(row["error_difference"]) for row in of_learner]
        lowest = [100 * (float(row["error_lowest"]) - float(row["error_paper"])) for row in of_learner]
        above, below = sum(value > 0 for value in differences), sum(value < 0 for value in differences)
        checks.expect("distance from the paper", file, text,
                      f"{title}: {above} errors above the paper's, {below} below (sign test: p = "
                      f"{figures.sign_test(above, below):.2g}); mean difference {figures.mean(differences):+.2f} points, "
                      f"of the lowest {figures.mean(lowest):+.2f}")


def check_runs(results, checks, run):
    """What short trainings print."""
    spine = results.document("docs/results/spine.md")
    pixels = run("run", "mnist-full-pixels")
    early = next(point for point in pixels["curve"] if point["round"] == 10)
    exact = run("run", "mnist-full-pixels", "--set", "booster.scan=f64")
    checks.expect_sentence("errors on pixels", "docs/results/spine.md", spine,
                  f"{per_cent(early['test_error'])} at T = 10 and {per_cent(pixels['test_error'])} at T = 100")
    checks.expect_sentence("errors on pixels without rounding", "docs/results/spine.md", spine,
                  f"{per_cent(exact['test_error'])} at T = 100")
    pool = run("run", "mnist-laminating", "--set", "booster.rounds=1", "--set", "dataset.train=100",
               "--set", "dataset.test=10")
    measured = [family["dim"] for family in pool["families"] if family["name"] in MEASURED]
    number, families = grouped(sum(measured)), len(measured)
    for file, text in (("docs/results/spine.md", f"{number} features in {families} families"),
                       ("docs/results/README.md", f"{number} features in {families} families"),
                       ("docs/contribution.md", f"With {families} families")):
        checks.expect_sentence("size of the pool", file, results.document(file), text)


def check_settings(results, checks, mash):
    """Numbers in the documents that are settings of recipes or defaults of commands."""
    candidates = re.search(r"features: (\d+)", results.document("experiments/table1.yaml"))[1]
    checks.expect_sentence("candidates of table1", "docs/reproductions.md", results.document("docs/reproductions.md"),
                  f"{grouped(int(candidates))} candidates")
    help_text = subprocess.run([mash, "report", "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    rounds, seeds = (re.search(rf"--{name} N.*?for a run:.*?\[(\d+)\]", help_text, re.DOTALL | re.IGNORECASE)[1]
                     for name in ("rounds", "seeds"))
    words = {"3": "three", "5": "five", "10": "ten"}
    checks.expect_sentence("defaults of report", "docs/contribution.md", results.document("docs/contribution.md"),
                  f"{rounds} rounds, {words.get(seeds, seeds)} seeds")


def check_transcripts(results, checks, mash):
    """What commands print on the heuristics that a document shows, except for what differs on each machine: seconds and
    the place of the folder; what memory holds beside a picture, and so how many checks fail or warn by it; and, as features
    need hold per machine only, the figures of an offer test."""
    def varying(text):
        text = re.sub(r"(\n *|; )[a-z]+ other failures? follows? from it(: [^\n]*)?", "", text)
        text = re.sub(r"\n *and what these warn of: [^\n]*", "", text)
        text = re.sub(r": \d+ passed, [^\n]* in [0-9.]+ s\n", ": counts\n", text)
        return re.sub(r"\n[^\n]* offered beside .*?\n```", lambda offer: without_figures(offer[0]), text, flags=re.DOTALL)

    def without_figures(offer):
        text = re.sub(r"[-+]?\d+(\.\d+)?(e[+-]?\d+)?", "N", offer)
        return re.sub(r"\ngain .*?\noffers ", "\ngain of each look\noffers ", text, flags=re.DOTALL)

    file = "docs/contribution.md"
    text = results.document(file)
    with tempfile.TemporaryDirectory() as folder:
        for source, name in re.findall(r"```cpp\n(// (\w+\.cpp)\n.*?)```", text, re.DOTALL):
            with open(os.path.join(folder, name), "w") as written:
                written.write(source)
        # Not the folder that records and features are kept in.
        home = {**os.environ, "XDG_DATA_HOME": folder, "XDG_CACHE_HOME": folder}
        for command in re.findall(r"```\n\$ mash (heuristic \w+ \w+\.cpp[^\n]*)\n", text):
            ran = subprocess.run([mash, *shlex.split(command)], cwd=folder, env=home, capture_output=True)
            printed = (ran.stdout + ran.stderr).decode().replace(os.path.realpath(folder), "/home/me")
            checks.expect(f"what mash {command} prints", file, varying(text),
                          varying(f"```\n$ mash {command}\n{printed}```"))


def check_comparison(results, checks, mash):
    """What the commands of docs/compare.md print, except numbers: seconds and memory differ on each machine, and features
    need hold per machine only. What stands in columns is compared without its blanks."""
    def without_numbers(text):
        text = re.sub(r"\b[0-9a-f]{16}\b", "hash", text)
        text = re.sub(r"[−+-]?\d+(\.\d+)?(e[+-]?\d+)?( [kMG])?", "N", re.sub(r"< 0\.0001", "N", text))
        return re.sub(r" +", " ", re.sub(r"p = N|p N", "p N", text))

    file = "docs/compare.md"
    text = results.document(file)
    blocks = re.findall(r"```\n((?:\$ [^\n]+\n)+)(.*?)```", text, re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        home = {**os.environ, "XDG_DATA_HOME": folder, "XDG_CACHE_HOME": folder,
                "PATH": os.path.dirname(os.path.abspath(mash)) + os.pathsep + os.environ["PATH"]}
        for commands, printed in blocks:
            ran = subprocess.run(["bash", "-ec", commands.replace("$ ", "")], cwd=folder, env=home, capture_output=True)
            checks.expect(f"what {commands} prints", file, without_numbers(printed), without_numbers(ran.stdout.decode()))


def run(results, mash, heuristics):
    if not os.environ.get("MASH_DATA"):
        print("skipped: MASH_DATA, the folder of the data sets, is not set")
        return SKIPPED
    checks = Checks()
    check_tables(results, checks)
    check_settings(results, checks, mash)
    check_transcripts(results, checks, mash)
    check_comparison(results, checks, mash)
    with tempfile.TemporaryDirectory() as folder:
        def printed(command, recipe, *options):
            plugins = ["--heuristics", heuristics] if heuristics else []
            path = os.path.join(results.source, "experiments", f"{recipe}.yaml")
            return json.loads(subprocess.run(
                [mash, command, path, "--json", "--quiet", "--db", os.path.join(folder, "records.db"), "--store",
                 os.path.join(folder, "store"), *plugins, *options], stdout=subprocess.PIPE, check=True).stdout)
        check_runs(results, checks, printed)
    for line in checks.wrong:
        print(line)
    print(f"{checks.num_equal} numbers and tables as documented, {len(checks.wrong)} not")
    return 1 if checks.wrong else 0
