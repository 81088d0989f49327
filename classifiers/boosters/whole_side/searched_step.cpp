// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/searched_step.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "classifiers/boosters/loop/table_rows.hpp"
#include "classifiers/losses/step_search.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kNothingLeft = -400;  // log10: training ends as separated (round_loop.cpp)
constexpr int kMaxHalvings = 60;
// Pairs of an example and a class that are looked at together: all that is made of them stays in the second
// cache.
constexpr std::size_t kPartPairs = 2048;

class SearchedStepRule final : public StepRule {
 public:
  SearchedStepRule(const Loss& loss, const SignedWeights& initial_weights, const Workers& workers)
      : loss_(loss),
        initial_(initial_weights.all().begin(), initial_weights.all().end()),
        workers_(workers) {}

  double step(WeakHypothesis& hypothesis, SignedWeights& weights, Scores& train_scores) override {
    train_scores.settle();
    kept_.resize(initial_.size());
    const Line line{weights, train_scores.all(), hypothesis, kept_};
    if (!before_) before_ = move(line, 0).loss;
    const LineStart start = start_of(line);
    hypothesis.model.alpha = 0;
    LinePoint point;
    if (start.slope < 0) point = search(line, start, hypothesis.model.alpha);
    if (hypothesis.model.alpha == 0) point = move(line, 0);
    if (point.loss == 0) {  // no logarithm, and no weights to go on with: the old ones stay
      weights.scale(workers_, 1 / move(line, 0).mass);
      return kNothingLeft;
    }
    weights.scale(workers_, 1 / point.mass);
    const double before = *before_;
    before_ = point.loss;
    return stable_log10(point.loss / before);
  }

  void recompute(SignedWeights&, Scores&) override {}  // every step does

 private:
  struct Line {
    SignedWeights& weights;
    std::span<const double> scores;  // before the hypothesis
    const WeakHypothesis& hypothesis;
    std::span<double> kept;  // of the scores, by the loss
  };

  // The best point, whose weights are filled in. Sets `alpha` to its coefficient.
  LinePoint search(const Line& line, const LineStart& start, double& alpha) const {
    StepSearch search(start);
    LinePoint point = move(line, search.coefficient());
    while (!search.take(point)) point = move(line, search.coefficient());
    alpha = search.coefficient();
    // Where the loss is not convex, a point where it stops falling may lie above the beginning; close enough
    // to 0 it falls.
    for (int halvings = 0; alpha > 0 && point.loss > *before_ * (1 + kRounding); point = move(line, alpha))
      alpha = ++halvings < kMaxHalvings ? alpha / 2 : 0;
    return point;
  }

  LineStart start_of(const Line& line) const {
    return sum<LineStart>(
        line, [&](const LinePairs& pairs, std::span<double>) { return loss_.start_of_line(pairs); });
  }

  // The point of a coefficient. Fills in the weights there, not scaled.
  LinePoint move(const Line& line, double alpha) const {
    return sum<LinePoint>(line, [&](const LinePairs& pairs, std::span<double> weights) {
      return loss_.point_on_line(pairs, alpha, weights);
    });
  }

  // The sum of what add(pairs, their weights) gives for parts of the examples, in fixed blocks.
  template <class Sum, class Add>
  Sum sum(const Line& line, const Add& add) const {
    const std::size_t num_classes = line.weights.num_classes();
    const std::size_t part_size = std::max<std::size_t>(1, kPartPairs / num_classes);
    return workers_.sum_blocks(
        line.weights.num_examples(), SignedWeights::kBlock, [&](std::size_t begin, std::size_t end) {
          Sum block_sum{};
          std::vector<double> votes;
          for (std::size_t first = begin; first < end; first += part_size) {
            const std::size_t last = std::min(first + part_size, end);
            votes.resize((last - first) * num_classes);
            copy_table_rows({&line.hypothesis.cells[first], line.hypothesis.votes.data()}, last - first,
                            num_classes, votes.data());
            const std::size_t pair = first * num_classes, size = (last - first) * num_classes;
            block_sum +=
                add(LinePairs{line.scores.subspan(pair, size), std::span(initial_).subspan(pair, size), votes,
                              line.kept.subspan(pair, size)},
                    line.weights.all().subspan(pair, size));
          }
          return block_sum;
        });
  }

  const Loss& loss_;
  std::vector<double> initial_;
  const Workers& workers_;
  // The loss of the scores, and what it kept of them, where they are known: those of the point where the last
  // step ended have the same bits.
  std::optional<double> before_;
  std::vector<double> kept_;
};

}  // namespace

std::unique_ptr<StepRule> make_searched_step_rule(const Loss& loss, const SignedWeights& initial_weights,
                                                  const Workers& workers) {
  return std::make_unique<SearchedStepRule>(loss, initial_weights, workers);
}

}  // namespace mash
