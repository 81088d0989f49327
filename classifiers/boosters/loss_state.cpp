// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loss_state.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/losses/exponential.hpp"
#include "classifiers/losses/logistic.hpp"
#include "classifiers/scan/row_factors.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

// +1 where l is the example's class, else -1.
double sign_of(std::size_t label, std::size_t l) { return label == l ? 1.0 : -1.0; }

class ExponentialState final : public LossState {
 public:
  ExponentialState(const SignedWeights& initial_weights, const Workers& workers)
      : initial_(initial_weights.all().begin(), initial_weights.all().end()), workers_(workers) {}

  double step(WeakHypothesis& hypothesis, SignedWeights& weights, const Scores&) override {
    const ExponentialStep step = exponential_step(hypothesis.edge, weights.num_examples());
    hypothesis.model.alpha = step.alpha;
    const std::vector<double> factors = factor_table(hypothesis, weights.num_classes(), step);
    const RowFactors all{factors, hypothesis.cells, weights.labels(), weights.num_classes()};
    weights.update(workers_, [&](std::size_t begin, std::size_t end, std::span<double> sums) {
      RowFactors block = all;
      block.cells = all.cells.subspan(begin, end - begin);
      block.labels = all.labels.subspan(begin, end - begin);
      multiply_rows(block, weights.row(begin).data(), sums.data());
    });
    return std::log10(step.normaliser);
  }

  void recompute(SignedWeights& weights, const Scores& train_scores) override {
    const std::size_t num_classes = weights.num_classes();
    const auto labels = weights.labels();
    const auto scores = train_scores.all();
    // The largest exponent is taken out first, so that nothing overflows.
    double largest = -1e300;
    for (std::size_t n = 0; n < labels.size(); ++n)
      for (std::size_t l = 0; l < num_classes; ++l)
        if (initial_[n * num_classes + l] != 0)
          largest = std::max(largest, -sign_of(labels[n], l) * scores[n * num_classes + l]);
    workers_.for_blocks(
        labels.size(), SignedWeights::kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t n = begin; n < end; ++n)
            for (std::size_t l = 0; l < num_classes; ++l) {
              const std::size_t i = n * num_classes + l;
              weights.all()[i] = initial_[i] * stable_exp(-sign_of(labels[n], l) * scores[i] - largest);
            }
        });
    weights.normalise(workers_);
  }

 private:
  // exp(-alpha v_l phi y_nl) / Z for each cell, label and class: the update multiplies by a row of this
  // table.
  static std::vector<double> factor_table(const WeakHypothesis& hypothesis, std::size_t num_classes,
                                          const ExponentialStep& step) {
    const double right = 1 / step.exp_alpha / step.normaliser, wrong = step.exp_alpha / step.normaliser;
    std::vector<double> factors;
    for (std::size_t cell = 0; cell < hypothesis.votes.size() / num_classes; ++cell)
      for (std::size_t label = 0; label < num_classes; ++label)
        for (std::size_t l = 0; l < num_classes; ++l)
          factors.push_back(hypothesis.votes[cell * num_classes + l] * sign_of(label, l) > 0 ? right : wrong);
    return factors;
  }

  std::vector<double> initial_;
  const Workers& workers_;
};

class LogisticState final : public LossState {
 public:
  LogisticState(const SignedWeights& initial_weights, const Workers& workers)
      : initial_(initial_weights.all().begin(), initial_weights.all().end()), workers_(workers) {}

  double step(WeakHypothesis& hypothesis, SignedWeights& weights, const Scores& train_scores) override {
    const auto slope = [&](double alpha) {
      return Slope{-sum(hypothesis, weights, train_scores,
                        [&](double margin, double agreement) {
                          return agreement * logistic_weight(margin + alpha * agreement);
                        }),
                   sum(hypothesis, weights, train_scores, [&](double margin, double agreement) {
                     const double p = logistic_weight(margin + alpha * agreement);
                     return p * (1 - p);
                   })};
    };
    const auto loss = [&](double alpha) {
      return sum(hypothesis, weights, train_scores,
                 [&](double margin, double agreement) { return logistic_loss(margin + alpha * agreement); });
    };
    const double alpha = minimise_convex(slope, 1e-10);
    hypothesis.model.alpha = alpha;
    const double before = loss(0), after = loss(alpha);
    for_each(hypothesis, weights, train_scores,
             [&](std::size_t i, double margin, double agreement, double sign) {
               weights.all()[i] = sign * std::abs(initial_[i]) * logistic_weight(margin + alpha * agreement);
             });
    weights.normalise(workers_);
    return std::log10(after / before);
  }

  void recompute(SignedWeights&, const Scores&) override {}

 private:
  // body(i, margin before, agreement y h of the hypothesis, y) for all pairs of example and class.
  template <class Body>
  void for_each(const WeakHypothesis& hypothesis, const SignedWeights& weights, const Scores& scores,
                const Body& body) const {
    workers_.for_blocks(weights.num_examples(), SignedWeights::kBlock,
                        [&](std::size_t, std::size_t begin, std::size_t end) {
                          for_rows(hypothesis, weights, scores, begin, end, body);
                        });
  }

  template <class Body>
  static void for_rows(const WeakHypothesis& hypothesis, const SignedWeights& weights, const Scores& scores,
                       std::size_t begin, std::size_t end, const Body& body) {
    const std::size_t num_classes = weights.num_classes();
    for (std::size_t n = begin; n < end; ++n)
      for (std::size_t l = 0; l < num_classes; ++l) {
        const double sign = sign_of(weights.labels()[n], l);
        const double agreement = sign * hypothesis.votes[hypothesis.cells[n] * num_classes + l];
        body(n * num_classes + l, sign * scores.row(n)[l], agreement, sign);
      }
  }

  // The sum of value(margin, agreement) under the initial weights, over fixed blocks.
  template <class Value>
  double sum(const WeakHypothesis& hypothesis, const SignedWeights& weights, const Scores& scores,
             const Value& value) const {
    return workers_.sum_blocks(weights.num_examples(), SignedWeights::kBlock,
                               [&](std::size_t begin, std::size_t end) {
                                 double block_sum = 0;
                                 for_rows(hypothesis, weights, scores, begin, end,
                                          [&](std::size_t i, double margin, double agreement, double) {
                                            block_sum += std::abs(initial_[i]) * value(margin, agreement);
                                          });
                                 return block_sum;
                               });
  }

  std::vector<double> initial_;
  const Workers& workers_;
};

}  // namespace

std::unique_ptr<LossState> make_loss_state(LossKind loss, const SignedWeights& initial_weights,
                                           const Workers& workers) {
  if (loss == LossKind::kLogistic) return std::make_unique<LogisticState>(initial_weights, workers);
  return std::make_unique<ExponentialState>(initial_weights, workers);
}

}  // namespace mash
