// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/shapley.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "framework/base/progress.hpp"
#include "framework/base/random.hpp"
#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

// v, asked once of each subset.
class KnownValues {
 public:
  KnownValues(double empty_value, const SubsetValues& values) : values_(values) { known_[{}] = empty_value; }

  Status learn(std::vector<FamilySubset> subsets) {
    std::sort(subsets.begin(), subsets.end());
    subsets.erase(std::unique(subsets.begin(), subsets.end()), subsets.end());
    std::erase_if(subsets, [&](const FamilySubset& subset) { return known_.contains(subset); });
    if (subsets.empty()) return Done{};
    MASH_ASSIGN(const std::vector<double> values, values_(subsets));
    for (std::size_t i = 0; i < subsets.size(); ++i) known_[subsets[i]] = values[i];
    return Done{};
  }
  double at(const FamilySubset& subset) const { return known_.at(subset); }
  std::size_t num_asked() const { return known_.size() - 1; }

 private:
  const SubsetValues& values_;
  std::map<FamilySubset, double> known_;
};

std::vector<std::size_t> permutation(std::size_t num_families, std::uint64_t seed, std::size_t number) {
  std::vector<std::size_t> order(num_families);
  std::iota(order.begin(), order.end(), std::size_t(0));
  RandomStream stream(seed, "reports.shapley", number / 2);
  stream.shuffle(std::span(order));
  if (number % 2 == 1) std::reverse(order.begin(), order.end());
  return order;
}

// A permutation and its reverse are not independent: the error is that of the mean over such pairs.
ShapleyValue mean_of(const std::vector<double>& gains) {
  std::vector<double> pairs;
  for (std::size_t i = 0; i + 1 < gains.size(); i += 2) pairs.push_back((gains[i] + gains[i + 1]) / 2);
  const double error = pairs.empty() ? 0 : statistics_of(pairs).sd / std::sqrt(double(pairs.size()));
  return {statistics_of(gains).mean, error};
}

// One permutation on its way.
struct Walk {
  std::vector<std::size_t> order;
  FamilySubset reached;
  double value = 0;           // of `reached`
  std::vector<double> gains;  // of each family
  std::size_t num_reached = 0;

  bool done() const { return num_reached == order.size(); }
  FamilySubset next() const {
    FamilySubset subset = reached;
    subset.insert(std::lower_bound(subset.begin(), subset.end(), order[num_reached]), order[num_reached]);
    return subset;
  }
  void advance(FamilySubset subset, double new_value) {
    gains[order[num_reached++]] = new_value - value;
    reached = std::move(subset);
    value = new_value;
  }
  // The families that are left share what is left equally.
  void end(double total_value) {
    const double share = (total_value - value) / double(order.size() - num_reached);
    while (!done()) gains[order[num_reached++]] = share;
  }
};

// Walks them side by side to their ends; returns how many ended early.
Result<std::size_t> walk_all(std::span<Walk> walks, KnownValues& known, double total_value,
                             double tolerance) {
  std::size_t num_truncated = 0;
  for (;;) {
    std::vector<FamilySubset> wanted;
    for (Walk& walk : walks) {
      if (walk.done()) continue;
      if (total_value - walk.value < tolerance) {
        num_truncated += walk.num_reached + 1 < walk.order.size();
        walk.end(total_value);
      } else {
        wanted.push_back(walk.next());
      }
    }
    if (wanted.empty()) return num_truncated;
    MASH_TRY(known.learn(std::move(wanted)));
    for (Walk& walk : walks)
      if (!walk.done()) {
        FamilySubset subset = walk.next();
        const double value = known.at(subset);
        walk.advance(std::move(subset), value);
      }
  }
}

}  // namespace

Result<ShapleyCredit> shapley_values(std::size_t num_families, double empty_value, const SubsetValues& values,
                                     const ShapleySettings& settings) {
  require(num_families >= 1 && settings.num_permutations >= 1,
          "shapley_values: at least one family and one permutation");
  const Stopwatch watch;
  KnownValues known(empty_value, values);
  FamilySubset all(num_families);
  std::iota(all.begin(), all.end(), std::size_t(0));
  MASH_TRY(known.learn({all}));
  ShapleyCredit credit;
  credit.total = known.at(all) - empty_value;
  std::vector<std::vector<double>> gains(num_families);  // of each family, in every permutation
  while (credit.num_permutations < settings.num_permutations) {
    if (credit.num_permutations > 0 && settings.seconds > 0 && watch.seconds() >= settings.seconds) break;
    std::vector<Walk> walks(std::min(std::max<std::size_t>(1, settings.batch),
                                     settings.num_permutations - credit.num_permutations));
    for (Walk& walk : walks)
      walk = {permutation(num_families, settings.seed, credit.num_permutations++),
              {},
              empty_value,
              std::vector<double>(num_families),
              0};
    MASH_ASSIGN(const std::size_t num_truncated, walk_all(walks, known, known.at(all), settings.tolerance));
    credit.num_truncated += num_truncated;
    for (const Walk& walk : walks)
      for (std::size_t k = 0; k < num_families; ++k) gains[k].push_back(walk.gains[k]);
  }
  for (const auto& of_family : gains) credit.families.push_back(mean_of(of_family));
  credit.num_subsets = known.num_asked();
  return credit;
}

Result<ShapleyValue> shapley_value_of(const FamilySubset& player, std::size_t num_families,
                                      double empty_value, const SubsetValues& values,
                                      const ShapleySettings& settings) {
  require(num_families >= 1 && settings.num_permutations >= 1,
          "shapley_value_of: at least one family and one permutation");
  require(!player.empty() &&
              std::adjacent_find(player.begin(), player.end(), std::greater_equal()) == player.end(),
          "shapley_value_of: a player that is not empty, increasing");
  FamilySubset all(num_families), others;
  std::iota(all.begin(), all.end(), std::size_t(0));
  std::set_difference(all.begin(), all.end(), player.begin(), player.end(), std::back_inserter(others));
  std::vector<FamilySubset> before, after, asked;
  for (std::size_t number = 0; number < settings.num_permutations; ++number) {
    // The last of the permuted is the player.
    const auto order = permutation(others.size() + 1, settings.seed, number);
    const auto place = std::find(order.begin(), order.end(), others.size());
    FamilySubset& first = before.emplace_back();
    for (auto other = order.begin(); other != place; ++other) first.push_back(others[*other]);
    std::sort(first.begin(), first.end());
    std::set_union(first.begin(), first.end(), player.begin(), player.end(),
                   std::back_inserter(after.emplace_back()));
    asked.push_back(first);
    asked.push_back(after.back());
  }
  KnownValues known(empty_value, values);
  MASH_TRY(known.learn(std::move(asked)));
  std::vector<double> gains;
  for (std::size_t i = 0; i < before.size(); ++i) gains.push_back(known.at(after[i]) - known.at(before[i]));
  return mean_of(gains);
}

}  // namespace mash
