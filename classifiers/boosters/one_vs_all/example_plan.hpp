// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/samplers/sampler.hpp"
#include "framework/dataset/endless.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The number of binary problems into which a set of classes is taken apart.
inline std::uint32_t num_problems(std::size_t num_classes) {
  return num_classes == 2 ? 1 : std::uint32_t(num_classes);
}

// The rounds of all problems together, at most 2^32 - 1.
inline std::uint32_t rounds_of_all(std::uint32_t num_rounds, std::size_t num_classes) {
  const std::uint64_t all = std::uint64_t(num_rounds) * num_problems(num_classes);
  return std::uint32_t(std::min<std::uint64_t>(all, std::numeric_limits<std::uint32_t>::max()));
}

// The binary problems into which a set of classes is taken apart: each class against all others. Two classes
// make one problem, the second against the first.
class BinaryProblems {
 public:
  // REQUIRES: at least two classes. side: the training side, outlives it.
  BinaryProblems(const Split& side, std::size_t num_classes);

  std::size_t size() const { return num_problems(num_classes_); }
  // The number of training examples. Of a side that never ends, the number that is held in memory.
  std::size_t num_examples() const { return side_.num_examples; }
  // The side of a training example in a problem, +1 or -1.
  double sign(std::size_t problem, std::uint32_t example) const {
    return label(example) == (num_classes_ == 2 ? 1 : problem) ? 1 : -1;
  }
  // y F of each of these examples. sums: F of each.
  std::vector<double> margins(std::size_t problem, std::span<const std::uint32_t> examples,
                              std::span<const double> sums) const;
  std::uint16_t label(std::uint32_t example) const { return label_of(side_, example); }
  // The class that follows from these sums F, one for each problem; ties to the lowest.
  std::size_t predicted(std::span<const double> sums) const;
  // The factors by which one problem's sum counts in the score of each class.
  std::vector<double> votes(std::size_t problem) const;
  // Turns a hypothesis of one problem into one of a model of all classes.
  Hypothesis of_all_classes(std::size_t problem, const Hypothesis& hypothesis) const;
  // Turns a hypothesis of a model of all classes back into one of its problem.
  std::size_t problem_of(const Hypothesis& hypothesis) const;
  Hypothesis of_one_class(std::size_t problem, const Hypothesis& hypothesis) const;

 private:
  const Split& side_;
  std::size_t num_classes_;
};

// Examples that a round of a binary problem trains on.
struct RoundExamples {
  std::vector<std::uint32_t> examples;  // numbers of training examples, increasing
  std::vector<double> weights;          // of each, for the search; may be negative
  std::vector<double> sums;             // F of each, before the round; with softmax the class' log odds
  std::vector<double> counts;           // how often each counts in the choice of alpha; none: once
  std::uint64_t num_asked = 0;          // hypotheses of the model so far x examples, to know F
  std::uint64_t num_looked = 0;         // features x examples that were looked at to choose these
  std::optional<FeatureSet> features;   // of these examples alone; none: they are the whole training side
};

// The examples on which a step is searched for. Valid until the plan is called again.
struct StepExamples {
  std::span<const std::uint32_t> examples;  // numbers of training examples, increasing
  std::span<const double> sums;             // F of each
  std::span<const double> counts;           // how often each counts; none: once
  std::span<const std::uint8_t> cells;      // of each, in the hypothesis
};

// The step that a plan gives a hypothesis by itself.
struct OwnStep {
  double alpha = 0;             // below 0: with opposite votes
  double loss_factor = 1;       // by which the loss of the problem changes
  std::uint64_t num_asked = 0;  // hypotheses x examples that were evaluated to find it
};

// A plan says which training examples each round of each binary problem trains on. It belongs to one run.
class ExamplePlan {
 public:
  virtual ~ExamplePlan() = default;

  // Called once a round, in the order of the rounds.
  virtual RoundExamples next(std::size_t problem, const Round& round) = 0;
  // The coefficient of the hypothesis that the round's search found, where the plan gives it itself. Nothing:
  // a line search on the examples of the last `next` finds it. hypothesis: with one vote and alpha 1.
  virtual std::optional<OwnStep> own_step(std::size_t, const Hypothesis&) { return std::nullopt; }
  // The examples of the line search, where they are others than those of the last `next`. hypothesis: with
  // one vote and alpha 1; it is evaluated on all of these examples.
  virtual std::optional<StepExamples> step_examples(std::size_t, const Hypothesis&) { return std::nullopt; }
  // Whether the probabilities of all classes are the softmax of the problems' sums. If not, each problem has
  // a probability of its own.
  virtual bool uses_softmax() const { return false; }
  // Called when all problems have had a round since the last call. Computes the probabilities from the sums
  // as they are now. REQUIRES: uses_softmax.
  virtual void finish_turn() {}
  // The mean over examples of -ln p of their own class, from the sums as they are now, divided by its value
  // where all sums are 0. REQUIRES: uses_softmax.
  virtual double cross_entropy() const { return 1; }
  // Whether all problems have ended, after which no round finds anything.
  virtual bool has_ended() const { return false; }

  // Takes the hypothesis that the round added, with one vote, and its cells on the examples of the last
  // `next`. Returns the number of examples on which it was evaluated again.
  virtual std::size_t add(std::size_t problem, const Hypothesis& hypothesis,
                          std::span<const std::uint8_t> cells) = 0;

  // The error of the model so far. It is measured on the whole training side or, where that is not at hand,
  // on fresh examples before they were trained on.
  virtual double error() = 0;
  // The number of examples about which data is kept at the moment, apart from the model.
  virtual std::size_t num_known() const = 0;
  // The approximate number of examples that a round trains on.
  virtual std::size_t size() const = 0;
  // Whether all rounds train on the same examples. Then a round after one that found nothing would find
  // nothing either.
  virtual bool is_fixed() const = 0;

  // State that a checkpoint keeps. `restore` takes it back, after `replay` has added all hypotheses of each
  // problem again.
  virtual std::vector<double> state() const { return {}; }
  virtual void replay(std::size_t problem, const Hypothesis& hypothesis) = 0;
  virtual void restore(std::span<const double>) {}
};

}  // namespace mash
