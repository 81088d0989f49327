// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/step_rule.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/boosters/loop/weight_update.hpp"
#include "classifiers/losses/line_search.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// +1 where l is the example's class, else -1.
double sign_of(std::size_t label, std::size_t l) { return label == l ? 1.0 : -1.0; }

// For a loss with a closed step, whose weights are multiplied by one of two factors.
class ClosedStepRule final : public StepRule {
 public:
  ClosedStepRule(const Loss& loss, const SignedWeights& initial_weights, const Workers& workers)
      : loss_(loss),
        initial_(initial_weights.all().begin(), initial_weights.all().end()),
        workers_(workers) {}

  double step(WeakHypothesis& hypothesis, SignedWeights& weights, Scores&) override {
    for (const double vote : hypothesis.votes) require(std::abs(vote) == 1, "votes are -1 or +1");
    const ClosedStep step = loss_.closed_step(hypothesis.edge, weights.num_examples());
    hypothesis.model.alpha = step.alpha;
    const std::size_t num_classes = weights.num_classes();
    multiply_weights(hypothesis, weights, workers_, [&](std::size_t cell, std::size_t label, std::size_t l) {
      return hypothesis.votes[cell * num_classes + l] * sign_of(label, l) > 0 ? step.right : step.wrong;
    });
    return stable_log10(step.loss_factor);
  }

  // All margins are moved by the same amount, which changes the weights by a factor only: the smallest of
  // them to 0, so that nothing overflows.
  void recompute(SignedWeights& weights, Scores& train_scores) override {
    train_scores.settle();
    const std::size_t num_classes = weights.num_classes();
    const auto labels = weights.labels();
    const auto scores = train_scores.all();
    double smallest = 1e300;
    for (std::size_t n = 0; n < labels.size(); ++n)
      for (std::size_t l = 0; l < num_classes; ++l)
        if (initial_[n * num_classes + l] != 0)
          smallest = std::min(smallest, sign_of(labels[n], l) * scores[n * num_classes + l]);
    workers_.for_blocks(
        labels.size(), SignedWeights::kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
          std::vector<double> margins;
          for (std::size_t n = begin; n < end; ++n)
            for (std::size_t l = 0; l < num_classes; ++l)
              margins.push_back(sign_of(labels[n], l) * scores[n * num_classes + l] - smallest);
          loss_.weights(margins, margins);
          for (std::size_t i = 0; i < margins.size(); ++i)
            weights.all()[begin * num_classes + i] = initial_[begin * num_classes + i] * margins[i];
        });
    weights.normalise(workers_);
  }

 private:
  const Loss& loss_;
  std::vector<double> initial_;
  const Workers& workers_;
};

// Some examples with all classes: y h of the hypothesis, the margins with alpha times that, and numbers made
// of them.
struct Pairs {
  std::vector<double> agreements, margins, numbers;
};

class SearchedStepRule final : public StepRule {
 public:
  SearchedStepRule(const Loss& loss, const SignedWeights& initial_weights, const Workers& workers)
      : loss_(loss), workers_(workers) {
    for (const double g : initial_weights.all()) initial_.push_back(std::abs(g));
  }

  double step(WeakHypothesis& hypothesis, SignedWeights& weights, Scores& train_scores) override {
    train_scores.settle();
    const BeforeStep round{hypothesis, weights, train_scores};
    double alpha = line_search([&](double a) { return slope(round, a); }, 1e-10);
    const double before = loss_at(round, 0);
    double after = loss_at(round, alpha);
    // Where the loss is not convex, a point where it stops falling may lie above the beginning; close enough
    // to 0 it falls.
    for (int halvings = 0; after > before * (1 + kRounding); after = loss_at(round, alpha))
      alpha = ++halvings < kMaxHalvings ? alpha / 2 : 0;
    hypothesis.model.alpha = alpha;
    if (after == 0) return kNothingLeft;  // no logarithm, and no weights to go on with: the old ones stay
    reweigh(round, alpha, weights);
    return stable_log10(after / before);
  }

  void recompute(SignedWeights&, Scores&) override {}  // every step does

 private:
  static constexpr double kRounding = 1e-12;
  static constexpr double kNothingLeft = -400;  // log10: training ends as separated (round_loop.cpp)
  static constexpr int kMaxHalvings = 60;
  static constexpr std::size_t kPartSize = 64;  // examples

  struct BeforeStep {
    const WeakHypothesis& hypothesis;
    const SignedWeights& weights;
    const Scores& scores;  // before the hypothesis
  };

  Slope slope(const BeforeStep& round, double alpha) const {
    return sum<Slope>(round, alpha, [this](std::size_t first, Pairs& pairs, Slope& slope) {
      loss_.weights(pairs.margins, pairs.numbers);
      for (std::size_t i = 0; i < pairs.numbers.size(); ++i)
        slope.first -= initial_[first + i] * (pairs.numbers[i] * pairs.agreements[i]);
      loss_.curvatures(pairs.margins, pairs.numbers);
      for (std::size_t i = 0; i < pairs.numbers.size(); ++i) {
        const double squared = pairs.agreements[i] * pairs.agreements[i];
        slope.second += initial_[first + i] * (pairs.numbers[i] * squared);
      }
    });
  }

  double loss_at(const BeforeStep& round, double alpha) const {
    return sum<double>(round, alpha, [this](std::size_t first, Pairs& pairs, double& loss) {
      loss_.values(pairs.margins, pairs.numbers);
      for (std::size_t i = 0; i < pairs.numbers.size(); ++i) loss += initial_[first + i] * pairs.numbers[i];
    });
  }

  void reweigh(const BeforeStep& round, double alpha, SignedWeights& weights) const {
    const std::size_t num_classes = weights.num_classes();
    const auto reweigh_block = [&](std::size_t, std::size_t begin, std::size_t end) {
      for_parts(round, alpha, begin, end, [&](std::size_t first, Pairs& pairs) {
        loss_.weights(pairs.margins, pairs.numbers);
        for (std::size_t i = 0; i < pairs.numbers.size(); ++i) {
          const std::size_t pair = first + i;
          const double sign = sign_of(weights.labels()[pair / num_classes], pair % num_classes);
          weights.all()[pair] = sign * initial_[pair] * pairs.numbers[i];
        }
      });
    };
    workers_.for_blocks(weights.num_examples(), SignedWeights::kBlock, reweigh_block);
    weights.normalise(workers_);
  }

  // The sum of what add(number of the first pair, pairs, sum) adds for all examples, over fixed blocks.
  template <class Sum, class Add>
  Sum sum(const BeforeStep& round, double alpha, const Add& add) const {
    const auto sum_block = [&](std::size_t begin, std::size_t end) {
      Sum block_sum{};
      for_parts(round, alpha, begin, end,
                [&](std::size_t first, Pairs& pairs) { add(first, pairs, block_sum); });
      return block_sum;
    };
    return workers_.sum_blocks(round.weights.num_examples(), SignedWeights::kBlock, sum_block);
  }

  // body(number of the first pair, pairs) for parts of the examples [begin, end) that stay in cache, in
  // order.
  template <class Body>
  static void for_parts(const BeforeStep& round, double alpha, std::size_t begin, std::size_t end,
                        const Body& body) {
    const std::size_t num_classes = round.weights.num_classes();
    Pairs pairs;
    for (std::size_t first = begin; first < end; first += kPartSize) {
      pairs.agreements.clear();
      pairs.margins.clear();
      for (std::size_t n = first; n < std::min(first + kPartSize, end); ++n)
        for (std::size_t l = 0; l < num_classes; ++l) {
          const double sign = sign_of(round.weights.labels()[n], l);
          const double vote = round.hypothesis.votes[round.hypothesis.cells[n] * num_classes + l];
          pairs.agreements.push_back(sign * vote);
          pairs.margins.push_back(sign * round.scores.row(n)[l] + alpha * pairs.agreements.back());
        }
      pairs.numbers.resize(pairs.margins.size());
      body(first * num_classes, pairs);
    }
  }

  const Loss& loss_;
  std::vector<double> initial_;  // without signs
  const Workers& workers_;
};

}  // namespace

std::unique_ptr<StepRule> make_step_rule(const Loss& loss, const SignedWeights& initial_weights,
                                         const Workers& workers) {
  if (loss.has_closed_step()) return std::make_unique<ClosedStepRule>(loss, initial_weights, workers);
  return std::make_unique<SearchedStepRule>(loss, initial_weights, workers);
}

}  // namespace mash
