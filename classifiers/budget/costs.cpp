// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/costs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "framework/base/random.hpp"
#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

bool is_cost(double cost) { return cost >= 0 && std::isfinite(cost); }

Status check(const FamilyCosts& family) {
  constexpr const char* kExpected = "expected a finite number of at least 0";
  if (!is_cost(family.setup))
    return input_error("costs of family {}: found a set-up of {}, {}", family.family, family.setup,
                       kExpected);
  const auto wrong = std::find_if_not(family.features.begin(), family.features.end(), is_cost);
  if (wrong == family.features.end()) return Done{};
  return input_error("costs of family {}: found {} for feature {}, {}", family.family, *wrong,
                     wrong - family.features.begin(), kExpected);
}

void sort_and_make_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// The cost that small ones are measured by.
double typical_cost(std::span<const double> costs) {
  if (const double middle = median(costs); middle > 0) return middle;
  std::vector<double> positive;
  std::copy_if(costs.begin(), costs.end(), std::back_inserter(positive), [](double c) { return c > 0; });
  return positive.empty() ? 1 : median(positive);
}

}  // namespace

FamilyCosts equal_costs(std::string family, std::uint32_t dim, double cost) {
  return {std::move(family), std::vector<double>(dim, cost)};
}

FamilyCosts random_costs(std::string family, std::uint32_t dim, std::uint64_t seed) {
  RandomStream stream(seed, "budget.costs." + family);
  FamilyCosts costs{std::move(family), std::vector<double>(dim)};
  for (double& cost : costs.features) cost = stream.uniform(0, 2);
  return costs;
}

Result<FeatureCosts> FeatureCosts::make(std::vector<FamilyCosts> families, std::string unit) {
  FeatureCosts costs;
  costs.unit_ = std::move(unit);
  costs.begins_.push_back(0);
  std::uint64_t num_features = 0;
  for (const FamilyCosts& family : families) {
    num_features += family.features.size();
    if (num_features > std::numeric_limits<std::uint32_t>::max())
      return input_error("costs: found more than {} features in all",
                         std::numeric_limits<std::uint32_t>::max());
    MASH_TRY(check(family));
    costs.costs_.insert(costs.costs_.end(), family.features.begin(), family.features.end());
    costs.begins_.push_back(std::uint32_t(costs.costs_.size()));
    costs.setups_.push_back(family.setup);
  }
  costs.typical_ = typical_cost(costs.costs_);
  return costs;
}

std::uint32_t FeatureCosts::family_of(std::uint32_t feature) const {
  require(feature < num_features(), "FeatureCosts: the number of a feature");
  return std::uint32_t(std::upper_bound(begins_.begin(), begins_.end(), feature) - begins_.begin() - 1);
}

Needs FeatureCosts::needs(const Hypothesis& hypothesis) const {
  Needs needs;
  for (const Cut& cut : hypothesis.cuts) {
    if (cut.always_holds()) continue;
    require(cut.family_idx < num_families() &&
                cut.feature_idx < begins_[cut.family_idx + 1] - begins_[cut.family_idx],
            "FeatureCosts::needs: a hypothesis on these families");
    needs.features.push_back(begins_[cut.family_idx] + cut.feature_idx);
    needs.families.push_back(cut.family_idx);
  }
  sort_and_make_unique(needs.features);
  sort_and_make_unique(needs.families);
  return needs;
}

Result<std::vector<Needs>> FeatureCosts::needs(const StrongClassifier& model) const {
  if (model.families.size() != num_families())
    return input_error("costs: found {} families, the model was trained with {}", num_families(),
                       model.families.size());
  for (std::size_t k = 0; k < num_families(); ++k)
    MASH_TRY(check_dim(model.families[k], begins_[k + 1] - begins_[k]));
  std::vector<Needs> all;
  for (const Hypothesis& hypothesis : model.hypotheses) all.push_back(needs(hypothesis));
  return all;
}

Price FeatureCosts::price(const Needs& needs) const {
  Price price;
  for (const std::uint32_t feature : needs.features) price.features += costs_[feature];
  for (const std::uint32_t family : needs.families) price.setups += setups_[family];
  return price;
}

bool is_within(double cost, double budget) {
  constexpr double kRounding = 1e-12;
  return cost <= budget * (1 + kRounding);
}

Purchases::Purchases(const FeatureCosts& costs, double budget)
    : costs_(&costs), budget_(budget), has_feature_(costs.num_features()), has_setup_(costs.num_families()) {
  require(budget >= 0, "Purchases: budget >= 0");
}

Price Purchases::unpaid(const Needs& needs) const {
  Price price;
  for (const std::uint32_t feature : needs.features)
    if (!has_feature_[feature]) price.features += costs_->feature(feature);
  for (const std::uint32_t family : needs.families)
    if (!has_setup_[family]) price.setups += costs_->setup(family);
  return price;
}

Price Purchases::unpaid(std::uint32_t feature) const {
  Price price = costs_->price(feature);
  if (has_feature_[feature]) price.features = 0;
  if (has_setup_[costs_->family_of(feature)]) price.setups = 0;
  return price;
}

bool Purchases::can_afford(const Price& price) const { return is_within(spent_ + price.total(), budget_); }

void Purchases::pay(const Needs& needs) {
  const Price price = unpaid(needs);
  require(can_afford(price), "Purchases::pay: what can be afforded");
  spent_ += price.total();
  spent_on_setups_ += price.setups;
  for (const std::uint32_t feature : needs.features) has_feature_[feature] = true;
  for (const std::uint32_t family : needs.families) has_setup_[family] = true;
}

}  // namespace mash
