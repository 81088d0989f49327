// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/random_spending.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "framework/base/random.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr std::size_t kDrawsPerHypothesis = 100;

// Half of what each cell votes for class 0 more than for class 1: +1 or -1 where the votes are (1,-1) and
// (-1,1).
std::vector<double> binary_votes(const Hypothesis& hypothesis) {
  const std::vector<double> both = cell_votes(hypothesis);
  std::vector<double> votes;
  for (std::size_t cell = 0; cell < hypothesis.num_cells(); ++cell)
    votes.push_back((both[2 * cell] - both[2 * cell + 1]) / 2);
  return votes;
}

}  // namespace

Result<RandomSpending> RandomSpending::make(const StrongClassifier& model, const FeatureCosts& costs,
                                            const RandomSpendingSettings& settings) {
  if (model.num_classes() != 2)
    return input_error("random spending: found a model of {} classes, expected two", model.num_classes());
  require(settings.budget >= 0 && settings.prior_class < 2,
          "RandomSpending: budget >= 0, prior_class of the model");
  MASH_ASSIGN(std::vector<Needs> needs, costs.needs(model));
  RandomSpending spending(costs, settings);
  double sum = 0;
  for (std::size_t t = 0; t < needs.size(); ++t) {
    const Hypothesis& hypothesis = model.hypotheses[t];
    if (hypothesis.alpha == 0) continue;
    const double cost = settings.cost_aware ? std::max(costs.price(needs[t]).total(), costs.smallest()) : 1;
    sum += std::abs(hypothesis.alpha) / cost;
    std::vector<double> votes = binary_votes(hypothesis);
    for (double& vote : votes) vote *= hypothesis.alpha < 0 ? -cost : cost;
    spending.drawables_.push_back({t, sum, std::move(needs[t]), std::move(votes)});
  }
  spending.num_draws_ = kDrawsPerHypothesis * model.hypotheses.size();
  return spending;
}

std::size_t RandomSpending::draw(double uniform) const {
  const double place = uniform * drawables_.back().cumulative;
  const auto found = std::upper_bound(drawables_.begin(), drawables_.end() - 1, place,
                                      [](double x, const Drawable& d) { return x < d.cumulative; });
  return std::size_t(found - drawables_.begin());
}

PaidPrediction RandomSpending::predict(std::uint64_t example, const CellOf& cell) const {
  PaidPrediction prediction{settings_.prior_class, 0, 0};
  if (drawables_.empty()) return prediction;
  Purchases purchases(*costs_, settings_.budget);
  std::vector<std::optional<double>> votes(drawables_.size());  // of those that were evaluated
  RandomStream stream(settings_.seed, "budget.random-spending", example);
  double sum = 0;
  for (std::size_t i = 0; i < num_draws_; ++i) {
    const std::size_t drawn = draw(stream.uniform());
    if (!votes[drawn]) {
      const Drawable& drawable = drawables_[drawn];
      if (!purchases.can_afford(purchases.unpaid(drawable.needs))) break;
      purchases.pay(drawable.needs);
      votes[drawn] = drawable.votes[cell(drawable.hypothesis)];
      ++prediction.num_evaluated;
    }
    sum += *votes[drawn];
  }
  if (sum != 0) prediction.predicted_class = sum > 0 ? 0 : 1;
  prediction.spent = purchases.spent();
  return prediction;
}

}  // namespace mash
