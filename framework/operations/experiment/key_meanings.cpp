// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/key_meanings.hpp"

#include <algorithm>
#include <array>

namespace mash {
namespace {

constexpr std::array kMeanings{
    // The file.
    KeyMeaning{"", "", "dataset", "the examples, and how they are divided into training and test side",
               "{name: mnist, train: 60000}"},
    KeyMeaning{"", "", "heuristics",
               "the families of features: all that are found, a list, or a list with `all` among its items",
               "[{id: hog, cell: 4}, lbp]"},
    KeyMeaning{"", "", "booster", "how hypotheses are weighted and put together",
               "{name: adaboost.mh, rounds: 1000}"},
    KeyMeaning{"", "", "weak", "what each round looks for", "{name: tree, leaves: 8}"},
    KeyMeaning{"", "", "sampler", "which features it looks at, on which examples",
               "{name: laminating, budget: 10}"},
    KeyMeaning{"", "", "classifier",
               "a learner that is no booster, in the place of `booster`, `weak` and `sampler`",
               "{name: ridge, features: 2000}"},
    KeyMeaning{"", "", "seed",
               "of all random draws, also those of a generated data set and of a division by share", "42"},
    KeyMeaning{"", "", "runs", "trainings on the same data, with the seeds from `seed` on", "5"},
    KeyMeaning{"", "", "isolation",
               "where the code of heuristics runs; without it `none` for those that come with the program, "
               "`process` for others",
               "box"},
    KeyMeaning{"", "", "patience", "how many times its seconds a heuristic in a worker may take", "10"},

    // Data sets.
    KeyMeaning{
        "dataset", "", "train",
        "the training side: this number of examples, the first in published order; a share drawn by the "
        "seed with the classes in their proportions; or this number of each class, drawn by the seed",
        "0.8"},
    KeyMeaning{"dataset", "chess diagonal digits", "train", "how many training examples are made", "2000"},
    KeyMeaning{
        "dataset", "digits", "endless",
        "the training side never ends: each example is made when a booster asks for it, and dropped. "
        "`train` is then how many stay in memory, at most 2048 of which thresholds are chosen on; without it "
        "2048",
        "true"},
    KeyMeaning{"dataset", "", "test", "the test side, likewise", "1000"},
    KeyMeaning{"dataset", "chess diagonal digits", "test", "how many test examples are made", "1000"},
    KeyMeaning{"dataset", "", "validation",
               "this share of the training side, drawn by the seed, takes the place of the test side", "0.2"},
    KeyMeaning{"dataset", "", "test_part", "keeps one half of the test side: `private` judges public boards",
               "private"},
    KeyMeaning{"dataset", "", "title", "the name that reports and records show", "Flowers 102"},
    KeyMeaning{"dataset", "", "list",
               "a file that lists the pictures: `path label` or `path label split` on each line", "list.txt"},
    KeyMeaning{"dataset", "", "films",
               "folders below those of the classes are films, whose pictures stay on one side; `auto`: where "
               "all have pictures of one name with numbers that run on",
               "false"},
    KeyMeaning{"dataset", "", "test_side",
               "the side that judges; `auto`: the test side or, where there is none, the validation side",
               "validation"},
    KeyMeaning{"dataset", "", "resize", "all pictures are brought to this size: a square, or a mapping",
               "64"},
    KeyMeaning{"dataset", "", "resize.width", "pixels; as `height` where that alone is given", "64"},
    KeyMeaning{"dataset", "", "resize.height", "pixels; as `width` where that alone is given", "48"},
    KeyMeaning{"dataset", "", "resize.mode",
               "each side stretched on its own, the whole picture within black, or the middle of it", "fit"},
    KeyMeaning{"dataset", "", "skip_broken", "leaves out pictures that cannot be read, and says which",
               "true"},
    KeyMeaning{"dataset", "", "fold", "trains on this one of the publisher's ten choices of 1000 pictures",
               "0"},
    KeyMeaning{"dataset", "", "path",
               "the folder; a relative one is looked for beside the experiment file, where one stands and "
               "below `$MASH_DATA`. Without it: the folder of the format's name there",
               "data/pictures"},
    KeyMeaning{"dataset", "arff csv libsvm", "path",
               "the file; a relative one is looked for beside the experiment file, where one stands and "
               "below `$MASH_DATA`",
               "flowers.csv"},
    KeyMeaning{"dataset", "", "test_path", "the file of the test side, where it is another", "test.csv"},
    KeyMeaning{"dataset", "", "classes", "how many classes the labels are of", "26"},
    KeyMeaning{"dataset", "", "channels",
               "`grey` (or `1`), `rgb` (or `3`); `auto`: grey where all pictures are", "grey"},
    KeyMeaning{"dataset", "digits", "channels", "1: grey; 3: colour", "3"},
    KeyMeaning{"dataset", "", "size", "pixels a side", "20"},
    KeyMeaning{"dataset", "", "pose", "how far digits are turned, slanted, moved and bent; 1 is usual",
               "0.5"},
    KeyMeaning{"dataset", "", "clutter", "how many stray strokes there are; 1 is usual", "2"},
    KeyMeaning{"dataset", "", "noise", "how strong the noise of the pixels is; 1 is usual", "0"},
    KeyMeaning{"dataset", "diagonal", "noise", "the share of wrong labels", "0.2"},
    KeyMeaning{"dataset", "", "inverted", "the share of digits that are dark on light", "0.5"},
    KeyMeaning{"dataset", "", "features", "how many dimensions points have", "20"},
    KeyMeaning{"dataset", "", "relevant", "in how many of them the classes differ; at most `features`", "2"},
    KeyMeaning{"dataset", "", "levels", "fields of the board in each dimension", "4"},
    KeyMeaning{"dataset", "", "smooth",
               "the standard deviation, in pixels, of a blur; 0.75 gives the other version of USPS", "0.75"},
    KeyMeaning{
        "dataset", "", "form",
        "whether digits are rows of `columns` or `pictures`; without it: pictures where the experiment has "
        "the key `heuristics`",
        "pictures"},
    KeyMeaning{"dataset", "", "files", "how the names of the files begin, where the folder has several sets",
               "emnist-letters"},
    KeyMeaning{
        "dataset", "", "label",
        "the column of the class: `last`, `first`, its name, or its number, from 0, or from −1 backwards",
        "last"},
    KeyMeaning{"dataset", "", "label_strip", "characters that are cut off both ends of labels", "."},
    KeyMeaning{"dataset", "", "missing", "texts that stand for a missing value, as empty fields do",
               "[\"?\", NA]"},
    KeyMeaning{"dataset", "", "ignore", "columns that are no features", "[id, date]"},
    KeyMeaning{"dataset", "", "nominal",
               "columns whose numbers are names; the label, too, if its numbers are not whole", "[zip]"},
    KeyMeaning{"dataset", "", "delimiter",
               "what is between fields: a character, `tab`, or `space` for any run of blanks", "\";\""},
    KeyMeaning{
        "dataset", "", "header",
        "whether the first line has the names of the columns; `auto`: where it looks like it, and an error "
        "where it may be an example as well",
        "\"yes\""},
    KeyMeaning{"dataset", "", "decimal",
               "the sign before decimal places; beside `,` the columns need another delimiter", "."},
    KeyMeaning{"dataset", "", "skip_lines", "lines at the beginning that are not read", "1"},
    KeyMeaning{"dataset", "", "test_skip_lines", "the same for the file of the test side", "1"},
    KeyMeaning{"dataset", "", "columns", "how many columns there are at least; none may be beyond", "780"},

    // Boosters.
    KeyMeaning{"booster", "", "rounds", "how many hypotheses are found at most", "1000"},
    KeyMeaning{"booster", "", "loss",
               "what is made small; `savage` gives up on examples that are wrong by far", "logistic"},
    KeyMeaning{"booster", "", "init",
               "weights in the first round: all alike; half on each example's class; half of each class's "
               "share on its examples",
               "balanced"},
    KeyMeaning{"booster", "", "scan",
               "how weights are rounded while candidates are compared: to 16 bits, at random to 8, or not",
               "f64"},
    KeyMeaning{"booster", "", "stop_on_perfect", "stop at the first hypothesis without a mistake", "true"},
    KeyMeaning{"booster", "filterboost logitboost logitboost.classical reservoir", "rounds",
               "how many hypotheses each class finds at most; two classes find them together", "1000"},
    KeyMeaning{"booster", "online-gradientboost osboost osboost.exp osboost.ocp oza-russell selectors",
               "rounds", "how many rounds of `fresh` examples are learned from", "1000"},
    KeyMeaning{"booster", "online-gradientboost osboost osboost.exp osboost.ocp oza-russell selectors",
               "fresh", "how many new examples each round learns from, one after the other", "100"},
    KeyMeaning{"booster", "", "stumps", "how many base learners each class has at most", "100"},
    KeyMeaning{"booster", "", "start", "how many examples the `stumps` are found on, before the first round",
               "500"},
    KeyMeaning{"booster", "", "gamma", "how much better than chance each base learner is taken to be",
               "0.05"},
    KeyMeaning{"booster", "", "learners",
               "whether base learners stay as they were found, or learn from every example too", "updated"},
    KeyMeaning{
        "booster", "", "draws",
        "how base learners learn what matters more than other examples: with its weight, or several times",
        "poisson"},
    KeyMeaning{"booster", "", "selectors", "how many stumps are chosen, each from a pool", "100"},
    KeyMeaning{"booster", "", "pool", "how many stumps a pool has", "20"},
    KeyMeaning{"booster", "", "pools", "whether each selector has a pool of its own, or all have one",
               "shared"},
    KeyMeaning{"booster", "", "sample", "round t trains on this number times ln(t + 2) examples", "100"},
    KeyMeaning{"booster", "", "edge_samples",
               "how many examples tell the edge of a hypothesis; `auto`: as many as `tau` wants", "1000"},
    KeyMeaning{"booster", "filterboost", "tau", "how wrong an edge may be, as a share of it", "0.25"},
    KeyMeaning{"booster", "", "epsilon", "the error of each class against all others at which training ends",
               "0.01"},
    KeyMeaning{"booster", "", "delta", "the probability that it ends too early, for each class", "0.01"},
    KeyMeaning{
        "booster", "", "examples",
        "what a round trains on: all examples; some that are chosen once; or some that are drawn by their "
        "weights, or by those of MadaBoost",
        "by_weight"},
    KeyMeaning{"booster", "", "drawn", "how many of them, unless all", "500"},
    KeyMeaning{"booster", "", "step_on",
               "on which examples the coefficient is searched for: on those that were drawn, or on all",
               "all"},
    KeyMeaning{
        "booster", "", "keep",
        "which examples stay in a reservoir: those that tell most of the others, the heaviest, any, or "
        "some that are drawn by their weights",
        "wsam"},
    KeyMeaning{"booster", "", "size", "how many examples a reservoir holds", "100"},
    KeyMeaning{"booster", "reservoir", "fresh",
               "how many new ones come before each round; without it as many as `size`", "100"},
    KeyMeaning{"booster", "", "features",
               "by which features `geem` compares examples: four times as many as there are examples, or all",
               "all"},
    KeyMeaning{"booster", "", "lambda", "what `geem` adds to the diagonal of the covariance", "0.01"},
    KeyMeaning{"booster", "", "uniform_weights", "let examples that `wsam` drew weigh alike", "true"},
    KeyMeaning{
        "booster", "", "alpha_weights",
        "what each example counts in the choice of the coefficient: once, or as its weight was corrected",
        "corrected"},
    KeyMeaning{"booster", "", "shrink", "what each coefficient is multiplied by: smaller steps, more rounds",
               "0.1"},
    KeyMeaning{"booster", "", "budget", "what the features of the classifier may cost together", "20"},
    KeyMeaning{"booster", "", "rule", "how the gain of a hypothesis is weighed against its cost", "greedy"},
    KeyMeaning{"booster", "", "costs",
               "what features cost: the same number each, `random` between 0 and 2, or what a file says",
               "costs.csv"},
    KeyMeaning{"booster", "", "cost_seed", "of random costs", "2"},
    KeyMeaning{
        "booster", "", "cost_mode",
        "the cost that a rule looks at: the whole; what is not paid yet; or that with the set-up shared "
        "out",
        "marginal"},
    KeyMeaning{"booster", "budgeted", "tau", "how much of what is spent counts in the rule `smoothed`",
               "0.1"},
    KeyMeaning{"booster", "", "kappa",
               "`hybrid` changes where new features are worth less than this share of the first one", "0.5"},
    KeyMeaning{"booster", "", "uses_per_setup", "how many features are expected to share a set-up", "20"},
    KeyMeaning{"booster", "", "setup_share",
               "how much of the budget set-ups may take; the rest is for features", "0.8"},
    KeyMeaning{"booster", "", "skip_unaffordable",
               "choose among what can be paid for, instead of ending at the first that cannot", "true"},

    // Weak learners.
    KeyMeaning{
        "weak", "", "cuts",
        "`codes`: at the thresholds of the store, at most 255 a feature; `exact`: between any two values",
        "exact"},
    KeyMeaning{"weak", "", "terms", "how many stumps are multiplied", "3"},
    KeyMeaning{"weak", "", "stop",
               "fitting ends when a whole `cycle` through the stumps brings no gain, or the `first` step",
               "first"},
    KeyMeaning{"weak", "", "max_cycles", "and after this number of cycles at the latest", "20"},
    KeyMeaning{"weak", "", "leaves", "how many leaves a tree has at most", "8"},
    KeyMeaning{"weak", "", "votes",
               "each leaf has votes of its own, or the two sides of a cut have opposite ones", "factorised"},

    // Samplers.
    KeyMeaning{"sampler", "", "features", "how many features are drawn in each round", "20"},
    KeyMeaning{"sampler", "laminating laminating.nested tasting.laminating tasting.nested", "features",
               "candidates at the start of a round; `auto`: the most that `budget` allows", "500"},
    KeyMeaning{"sampler", "", "examples", "on how many examples the first pass compares them", "64"},
    KeyMeaning{"sampler", "", "budget",
               "what a round may cost: evaluations of a feature on an example, times the training examples",
               "5"},
    KeyMeaning{"sampler", "", "family_balanced", "as many candidates from each family", "true"},
    KeyMeaning{"sampler", "", "tasted", "features of each family in the stock by which it is judged", "200"},
    KeyMeaning{"sampler", "", "tasted_examples", "on how many examples the stock is evaluated", "2000"},
    KeyMeaning{"sampler", "", "floor", "the share of candidates that goes to all families alike", "0.2"},
    KeyMeaning{"sampler", "", "beta", "how much the standard error of a family's edges adds to its bound",
               "2"},
    KeyMeaning{"sampler", "", "rho", "how much the change of weights since the last taste adds to it", "1"},
    KeyMeaning{"sampler", "", "arms", "what a bandit pulls: families, or single features", "family"},
    KeyMeaning{"sampler", "", "pulls", "arms that are pulled in each round", "4"},
    KeyMeaning{"sampler", "", "scale",
               "the factor of the reward −ln √(1 − edge²); `tuned`: the best of 1, 2, 4, … 2048", "tuned"},
    KeyMeaning{"sampler", "epsilon-greedy", "scale", "the factor of the reward −ln √(1 − edge²)", "2"},
    KeyMeaning{"sampler", "", "pull_all_first",
               "each arm is pulled once before the first round; `true` by default where arms are features",
               "true"},
    KeyMeaning{"sampler", "epsilon-greedy", "pull_all_first",
               "each arm is pulled once before the first round", "true"},
    KeyMeaning{
        "sampler", "", "ratio",
        "how likely any arm is pulled: `ratio` × arms / pulls so far; `tuned`: the best of 1, 2, 4, … 2048",
        "2"},
    KeyMeaning{"sampler", "", "eta", "how wide the confidence term is", "0.1"},
    KeyMeaning{"sampler", "", "lambda",
               "the share of pulls that goes to all arms alike, and the learning rate", "0.05"},
    KeyMeaning{"sampler", "", "delta",
               "above 0: sets `eta` and `lambda`, which are left out then, by theory at this confidence",
               "0.1"},
    KeyMeaning{"sampler", "", "family",
               "the family that features are drawn from; `tuned`: the one with which training ends best",
               "hog"},
    KeyMeaning{"sampler", "", "deconvolve",
               "takes the noise of small samples out of the model of a family's edges", "true"},
    KeyMeaning{"sampler", "", "blocks", "steps in which candidates are added", "8"},

    // Classifiers.
    KeyMeaning{
        "classifier", "c4.5 k-nn linear-svm logistic-regression naive-bayes perceptron ridge svm", "inputs",
        "what it computes with: the codes of features, or their values, which the store then keeps too",
        "values"},
    KeyMeaning{"classifier", "c4.5 k-nn linear-svm logistic-regression naive-bayes perceptron ridge svm",
               "features", "how many features it takes; where there are more, they are drawn by the seed",
               "2000"},
    KeyMeaning{"classifier", "c4.5", "criterion",
               "by which questions are compared: the gain of information, or its ratio to the information of "
               "the division itself",
               "gain"},
    KeyMeaning{"classifier", "c4.5", "least_leaf", "the weight of the examples on each side of a question",
               "10"},
    KeyMeaning{
        "classifier", "c4.5", "confidence",
        "of the estimate of errors by which the tree is pruned: the smaller, the smaller the tree; 1: it "
        "is not pruned",
        "0.1"},
    KeyMeaning{"classifier", "c4.5", "depth", "the most questions in a row", "10"},
    KeyMeaning{"classifier", "k-nn", "k", "how many of the nearest training examples vote", "5"},
    KeyMeaning{"classifier", "k-nn", "p",
               "of the distance: the p-th root of the sum of the p-th powers of the differences", "1"},
    KeyMeaning{
        "classifier", "linear-svm logistic-regression", "C",
        "how much the losses of examples count beside large coefficients; of several, or of those that "
        "`tuned` tries, the one with the smallest error on a tenth of the examples",
        "0.01"},
    KeyMeaning{"classifier", "linear-svm", "loss",
               "of an example with the margin m: max(0, 1 − m), or its square", "hinge"},
    KeyMeaning{"classifier", "linear-svm", "tolerance",
               "the largest difference of projected gradients at the end; at the start it is 1", "0.001"},
    KeyMeaning{"classifier", "linear-svm", "passes", "the most walks over the examples", "10000"},
    KeyMeaning{"classifier", "logistic-regression", "tolerance",
               "the largest slope at the end, where the mean loss counts once", "0.00001"},
    KeyMeaning{"classifier", "logistic-regression ridge", "iterations", "the most steps of a search",
               "10000"},
    KeyMeaning{"classifier", "naive-bayes", "smallest_variance",
               "the least variance in a class, as a share of the largest of a feature; it is taken where a "
               "feature is constant in a class",
               "1e-6"},
    KeyMeaning{
        "classifier", "perceptron", "updates",
        "`stochastic`: an example that is wrong moves the functions at once; `batch`: all of a pass move "
        "them together at its end",
        "batch"},
    KeyMeaning{"classifier", "perceptron", "average",
               "the model has the means of the functions over all examples that trained, not the last ones",
               "false"},
    KeyMeaning{"classifier", "perceptron", "decay",
               "by how much the steps are multiplied from a pass to the next", "0.95"},
    KeyMeaning{
        "classifier", "perceptron", "passes",
        "the most walks over the examples; it ends earlier after one without a wrong example, or after "
        "20 without a smaller error",
        "20"},
    KeyMeaning{
        "classifier", "ridge", "lambda",
        "how much large coefficients cost, as scikit-learn's `alpha`; of several the one with the smallest "
        "error: of generalised cross-validation with `cholesky`, else on a tenth of the examples",
        "100"},
    KeyMeaning{
        "classifier", "ridge", "solver",
        "`cholesky` decomposes the products of all pairs of features, `conjugate_gradients` goes in steps "
        "and needs no pairs; `auto`: the first of up to 5000 features, else the second",
        "conjugate_gradients"},
    KeyMeaning{"classifier", "ridge", "tolerance",
               "the largest slope at the end, of conjugate gradients; at the start it is 1", "0.0001"},
    KeyMeaning{"classifier", "svm", "kernel",
               "the product of two examples a and b; `polynomial`: (gamma a b + offset)^degree, "
               "`rbf`: e^(-gamma |a − b|²)",
               "linear"},
    KeyMeaning{"classifier", "svm", "C", "how much the losses of examples count beside a wide margin", "5"},
    KeyMeaning{"classifier", "svm", "gamma",
               "of the kernel; `auto`: 1, divided by the number of features times their mean variance",
               "0.05"},
    KeyMeaning{"classifier", "svm", "degree", "of the polynomial kernel", "2"},
    KeyMeaning{"classifier", "svm", "offset", "of the polynomial kernel", "1"},
    KeyMeaning{"classifier", "svm", "tolerance", "how far the conditions of the best solution may be missed",
               "0.0001"},
    KeyMeaning{"classifier", "svm", "iterations", "the most steps of a machine", "100000"},
    KeyMeaning{"classifier", "svm", "cache", "megabytes for kernel values", "1000"},
};

bool is_among(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::string_view word = names.substr(0, names.find(' '));
    if (word == name) return true;
    names.remove_prefix(std::min(word.size() + 1, names.size()));
  }
  return false;
}

}  // namespace

std::span<const KeyMeaning> key_meanings() { return kMeanings; }

const KeyMeaning* find_key_meaning(std::string_view section, std::string_view part, std::string_view key) {
  const KeyMeaning* of_all = nullptr;
  for (const KeyMeaning& one : kMeanings) {
    if (one.section != section || one.key != key) continue;
    if (one.parts.empty()) of_all = &one;
    if (is_among(one.parts, part)) return &one;
  }
  return of_all;
}

}  // namespace mash
