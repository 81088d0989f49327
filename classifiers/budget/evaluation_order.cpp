// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/evaluation_order.hpp"

#include <algorithm>
#include <numeric>

#include "classifiers/budget/score_gains.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

using Cells = std::span<const std::vector<std::uint8_t>>;

class GreedyOrder {
 public:
  GreedyOrder(const StrongClassifier& model, const FeatureCosts& costs, std::vector<Needs> needs, Cells cells,
              const Workers& workers)
      : gains_(model),
        costs_(costs),
        needs_(std::move(needs)),
        cells_(cells),
        workers_(workers),
        purchases_(costs),
        unplaced_(gains_.num_hypotheses()) {
    require(cells.size() == gains_.num_hypotheses(), "order_by_decisions: cells of all hypotheses");
    std::iota(unplaced_.begin(), unplaced_.end(), 0u);
    const std::size_t num_examples = cells.empty() ? 0 : cells[0].size();
    for (const auto& column : cells)
      require(column.size() == num_examples, "order_by_decisions: as many examples for each hypothesis");
    undecided_.resize(num_examples);
    std::iota(undecided_.begin(), undecided_.end(), 0u);
    scores_.resize(num_examples * gains_.num_classes());
    for (std::size_t t = 0; t < gains_.num_hypotheses(); ++t) sum_of_reaches_ += gains_.reach(t);
  }

  Result<EvaluationOrder> make(Progress& progress, const StopFlag& stop) {
    EvaluationOrder order;
    progress.start("ordering hypotheses", unplaced_.size(), "hypotheses");
    drop_decided();  // where all hypotheses can only favour one class
    while (!unplaced_.empty()) {
      if (stop.raised()) return stopped_by_user();
      const std::vector<double> merits = merits_of_unplaced();
      const auto best = std::max_element(merits.begin(), merits.end()) - merits.begin();
      order.push_back(unplaced_[std::size_t(best)]);
      unplaced_.erase(unplaced_.begin() + best);
      place(order.back());
      progress.advance(1);
    }
    progress.finish();
    return order;
  }

 private:
  std::vector<double> merits_of_unplaced() const {
    const std::vector<double> remaining = sum_of_catch_up();
    std::vector<double> merits(unplaced_.size());
    workers_.for_ranges(merits.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t t = unplaced_[i];
        const double share = sum_of_reaches_ > 0 ? gains_.reach(t) / sum_of_reaches_ : 0;
        merits[i] = (double(num_decided_by(t, remaining)) + share) /
                    (purchases_.unpaid(needs_[t]).total() + costs_.evaluation());
      }
    });
    return merits;
  }

  // The effect of all hypotheses that are not placed yet together, K x K.
  std::vector<double> sum_of_catch_up() const {
    std::vector<double> sum(gains_.num_classes() * gains_.num_classes());
    for (const std::uint32_t t : unplaced_)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += gains_.catch_up(t)[i];
    return sum;
  }

  // How many of the undecided examples are decided once hypothesis t is evaluated. remaining: with its own.
  std::size_t num_decided_by(std::uint32_t t, std::vector<double> remaining) const {
    const std::size_t num_classes = gains_.num_classes();
    for (std::size_t i = 0; i < remaining.size(); ++i) remaining[i] -= gains_.catch_up(t)[i];
    std::size_t num_decided = 0;
    std::vector<double> scores(num_classes);
    for (const std::uint32_t n : undecided_) {
      std::copy_n(scores_.begin() + std::ptrdiff_t(n * num_classes), num_classes, scores.begin());
      gains_.add(t, cells_[t][n], scores);
      num_decided += gains_.certain_class(scores, remaining).has_value();
    }
    return num_decided;
  }

  // After t was taken from the unplaced ones.
  void place(std::uint32_t t) {
    purchases_.pay(needs_[t]);
    for (const std::uint32_t n : undecided_) gains_.add(t, cells_[t][n], scores_of(n));
    drop_decided();
  }

  void drop_decided() {
    const std::vector<double> remaining = sum_of_catch_up();
    std::erase_if(undecided_,
                  [&](std::uint32_t n) { return gains_.certain_class(scores_of(n), remaining).has_value(); });
  }

  std::span<double> scores_of(std::uint32_t example) {
    return std::span(scores_).subspan(example * gains_.num_classes(), gains_.num_classes());
  }

  ScoreGains gains_;
  const FeatureCosts& costs_;
  std::vector<Needs> needs_;
  Cells cells_;
  const Workers& workers_;
  Purchases purchases_;
  std::vector<std::uint32_t> unplaced_;   // hypotheses, increasing
  std::vector<std::uint32_t> undecided_;  // examples, increasing
  std::vector<double> scores_;            // of each example, from the hypotheses that are placed
  double sum_of_reaches_ = 0;
};

}  // namespace

StrongClassifier in_order(StrongClassifier model, const EvaluationOrder& order) {
  std::vector<Hypothesis> hypotheses;
  for (const std::uint32_t t : order) hypotheses.push_back(std::move(model.hypotheses[t]));
  model.hypotheses = std::move(hypotheses);
  return model;
}

Result<EvaluationOrder> order_by_worth(const StrongClassifier& model, const FeatureCosts& costs) {
  MASH_ASSIGN(const std::vector<Needs> needs, costs.needs(model));
  const ScoreGains gains(model);
  std::vector<double> worths;
  for (std::size_t t = 0; t < needs.size(); ++t)
    worths.push_back(gains.reach(t) / std::max(costs.price(needs[t]).total(), costs.smallest()));
  EvaluationOrder order(needs.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return worths[a] > worths[b]; });
  return order;
}

Result<EvaluationOrder> order_by_decisions(const StrongClassifier& model, const FeatureCosts& costs,
                                           std::span<const std::vector<std::uint8_t>> cells,
                                           const Workers& workers, Progress& progress, const StopFlag& stop) {
  MASH_ASSIGN(std::vector<Needs> needs, costs.needs(model));
  return GreedyOrder(model, costs, std::move(needs), cells, workers).make(progress, stop);
}

}  // namespace mash
