// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/losses/loss.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/samplers/sampler.hpp"
#include "framework/dataset/endless.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

struct TrainingContext;

// How many binary problems a set of classes is taken apart into.
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

// The ground that the plan and the steps of one run are made for. All of it outlives them.
struct PlanGround {
  const BinaryProblems& problems;
  const Loss& loss;
  const TrainingContext& context;
  std::uint64_t seed = 0;
  bool looks_at_all = false;  // whether every round looks at all features
  double shrink = 1;          // what each coefficient is multiplied by
};

// Examples as of a round, before the first: `size` training examples, evenly over those that may be trained
// on, or all of these where they are fewer; each weighs 1 and has this F.
RoundExamples spread_examples(const PlanGround& ground, std::size_t size, double sum = 0);

// Choice of the training examples of each round of each binary problem. Belongs to one run.
//
//   ( next  add? )*      or, to go on from a checkpoint,      replay*  restore  ( next  add? )*
class ExamplePlan {
 public:
  virtual ~ExamplePlan() = default;

  // Examples as those of a round, before the first, for samplers to begin with.
  virtual RoundExamples before_rounds() const = 0;
  // Called once a round, in the order of the rounds.
  virtual RoundExamples next(std::size_t problem, const Round& round) = 0;
  // The hypothesis that the round added, with one vote; its cells on the examples of the last `next`. On how
  // many examples it was evaluated again.
  virtual std::size_t add(std::size_t problem, const Hypothesis& hypothesis,
                          std::span<const std::uint8_t> cells) = 0;
  // All problems have had a round since the last call, or since the beginning. True where examples change by
  // it, and a resumed run has to call it between the same hypotheses.
  virtual bool end_turn() { return false; }
  // Whether all problems have come to an end, after which no round finds anything.
  virtual bool has_ended() const { return false; }

  // The error of the model so far: on the whole training side, or where that is not there, on fresh examples
  // before they were trained on.
  virtual double error() const = 0;
  // Whether the error follows from the hypotheses alone, and not from the rounds that led to them.
  virtual bool error_follows() const { return true; }
  // How many examples anything but the model is kept of at the moment.
  virtual std::size_t num_known() const = 0;
  // Whether all rounds train on the same examples: one that found nothing would find nothing again.
  virtual bool is_fixed() const = 0;

  // State that a checkpoint keeps, and takes, beside the hypotheses: `replay` adds each of these again first.
  virtual std::vector<double> state() const { return {}; }
  virtual void replay(std::size_t problem, const Hypothesis& hypothesis) = 0;
  virtual void restore(std::span<const double>) {}
};

}  // namespace mash
