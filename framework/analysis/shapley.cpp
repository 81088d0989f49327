// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/shapley.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "framework/base/hash.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

constexpr double kSmallEnough = 0.2;                          // errors, as a share of the largest value
constexpr std::size_t kFewestPairs = 4, kFewestInMiddle = 3;  // of fewer, errors may be small by chance
constexpr std::size_t kMostPlayers = 20;                      // of which all subsets can be counted

// All but the empty one.
std::size_t num_subsets_of(std::size_t num_families) {
  return num_families > kMostPlayers ? std::numeric_limits<std::size_t>::max()
                                     : (std::size_t(1) << num_families) - 1;
}

// v, asked once of each subset.
class KnownValues {
 public:
  explicit KnownValues(const FamilyGame& game) : values_(game.values) { known_[{}] = game.empty_value; }

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

FamilySubset in_their_order(std::span<const std::size_t> families) {
  FamilySubset subset(families.begin(), families.end());
  std::sort(subset.begin(), subset.end());
  return subset;
}

class Estimator {
 public:
  Estimator(const FamilyGame& game, const ShapleySettings& settings)
      : names_(game.names), settings_(settings), known_(game), middle_(game.names.size()) {}

  Status run() {
    MASH_TRY(learn_ends());
    if (all_are_few()) return learn_all();
    while (num_pairs_ < settings_.num_pairs && !is_sure()) {
      const bool is_late = settings_.seconds > 0 && watch_.seconds() >= settings_.seconds;
      if (num_pairs_ > 0 && is_late) break;
      MASH_TRY(walk_more());
    }
    return Done{};
  }

  std::vector<ShapleyValue> values() const {
    std::vector<ShapleyValue> values;
    for (std::size_t player = 0; player < num_players(); ++player)
      values.push_back(is_exact_ ? ShapleyValue{exact_value(player), 0} : sampled_value(player));
    return values;
  }
  double total() const { return known_.at(families_of_all()) - known_.at({}); }
  std::size_t num_permutations() const { return 2 * num_pairs_; }
  std::size_t num_subsets() const { return known_.num_asked(); }

 private:
  std::size_t num_players() const { return names_.size(); }
  FamilySubset families_of_all() const { return all_but({}, num_players()); }
  FamilySubset families_but(std::size_t left_out) const { return all_but({{left_out}}, num_players()); }

  Status learn_ends() {
    std::vector<FamilySubset> wanted{families_of_all()};
    for (std::size_t player = 0; player < num_players(); ++player) {
      wanted.push_back({player});
      wanted.push_back(families_but(player));
    }
    return learn(std::move(wanted));
  }

  // Whether all subsets are no more than the permutations would need.
  bool all_are_few() const {
    return num_subsets_of(num_players()) <= known_.num_asked() + most_inner_subsets(num_players(), settings_);
  }

  Status learn_all() {
    is_exact_ = true;
    std::vector<FamilySubset> wanted;
    for (std::size_t bits = 1; bits < std::size_t(1) << num_players(); ++bits)
      wanted.push_back(players_in(bits));
    return learn(std::move(wanted));
  }

  // The next pairs of permutations.
  Status walk_more() {
    const std::size_t end =
        std::min(num_pairs_ + std::max<std::size_t>(1, settings_.batch), settings_.num_pairs);
    std::vector<std::vector<std::size_t>> orders;
    for (std::size_t number = 2 * num_pairs_; number < 2 * end; ++number)
      orders.push_back(family_order(names_, settings_.seed, number));
    std::vector<FamilySubset> wanted;
    for (const auto& order : orders)
      for (std::size_t place = 1; place + 1 < order.size(); ++place) {
        wanted.push_back(before(order, place));
        wanted.push_back(before(order, place + 1));
      }
    MASH_TRY(learn(std::move(wanted)));
    for (std::size_t i = 0; i < orders.size(); ++i)
      for (std::size_t place = 1; place + 1 < orders[i].size(); ++place) {
        auto& pairs = middle_[orders[i][place]];
        const double gain =
            (known_.at(before(orders[i], place + 1)) - known_.at(before(orders[i], place))) / 2;
        if (i % 2 == 0)
          pairs.push_back(gain);
        else
          pairs.back() += gain;  // who is in the middle is so backwards too
      }
    num_pairs_ = end;
    return Done{};
  }

  FamilySubset before(std::span<const std::size_t> order, std::size_t place) const {
    return in_their_order(order.first(place));
  }
  std::vector<std::size_t> players_in(std::size_t bits) const {
    std::vector<std::size_t> players;
    for (std::size_t player = 0; player < num_players(); ++player)
      if (bits >> player & 1) players.push_back(player);
    return players;
  }
  Status learn(std::vector<FamilySubset> subsets) { return known_.learn(std::move(subsets)); }

  // The mean over all sizes of what comes before, and over all such sets of each size.
  double exact_value(std::size_t player) const {
    std::vector<double> sums(num_players()), counts(num_players());
    for (std::size_t bits = 0; bits < std::size_t(1) << num_players(); ++bits) {
      if (bits >> player & 1) continue;
      const auto others = players_in(bits);
      const auto with = players_in(bits | std::size_t(1) << player);
      sums[others.size()] += known_.at(with) - known_.at(others);
      ++counts[others.size()];
    }
    double mean = 0;
    for (std::size_t size = 0; size < sums.size(); ++size) mean += sums[size] / counts[size];
    return mean / double(num_players());
  }

  ShapleyValue sampled_value(std::size_t player) const {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    const double first = known_.at({player}) - known_.at({});
    const double last = known_.at(families_of_all()) - known_.at(families_but(player));
    const auto& pairs = middle_[player];
    if (pairs.empty()) return {(first + last) / 2, kUnknown};
    const Statistics middle = statistics_of(pairs);
    const auto n = double(num_players());
    const double error =
        pairs.size() < kFewestInMiddle ? kUnknown : middle.sd / std::sqrt(double(pairs.size()));
    return {(first + last + (n - 2) * middle.mean) / n, (n - 2) * error / n};
  }

  bool is_sure() const {
    if (num_pairs_ < kFewestPairs) return false;
    double largest = 0, error = 0;
    for (const ShapleyValue& value : values()) {
      largest = std::max(largest, std::abs(value.mean));
      error = std::max(error, value.standard_error);
    }
    return error <= kSmallEnough * largest;
  }

  Stopwatch watch_;
  std::span<const std::string> names_;
  const ShapleySettings& settings_;
  KnownValues known_;
  // The addition of each player where it is neither first nor last: the means of a permutation and the same
  // backwards.
  std::vector<std::vector<double>> middle_;
  std::size_t num_pairs_ = 0;
  bool is_exact_ = false;
};

// The difference of the values to their total is shared by how uncertain they are.
void make_add_up(double total, std::vector<ShapleyValue>& values) {
  const bool is_known = std::all_of(values.begin(), values.end(), [](const ShapleyValue& value) {
    return std::isfinite(value.standard_error);
  });
  const auto uncertainty = [&](const ShapleyValue& value) {
    return is_known ? value.standard_error * value.standard_error : double(std::isinf(value.standard_error));
  };
  double lacking = total, sum = 0;
  for (const ShapleyValue& value : values) {
    lacking -= value.mean;
    sum += uncertainty(value);
  }
  if (sum == 0) return;
  for (ShapleyValue& value : values) value.mean += lacking * uncertainty(value) / sum;
}

}  // namespace

std::vector<std::size_t> family_order(std::span<const std::string> names, std::uint64_t seed,
                                      std::size_t number) {
  const std::uint64_t key = keyed_hash(keyed_hash(seed, "shapley.order"), std::uint64_t(number / 2));
  std::vector<std::pair<std::uint64_t, std::size_t>> hashes;
  for (std::size_t k = 0; k < names.size(); ++k) hashes.push_back({keyed_hash(key, names[k]), k});
  std::sort(hashes.begin(), hashes.end());
  std::vector<std::size_t> order;
  for (const auto& [hash, family] : hashes) order.push_back(family);
  if (number % 2 == 1) std::reverse(order.begin(), order.end());
  return order;
}

std::size_t most_inner_subsets(std::size_t num_families, const ShapleySettings& settings) {
  if (num_families <= 3) return 0;  // the ends are all there are
  return std::min(num_subsets_of(num_families) - 1 - 2 * num_families,
                  2 * settings.num_pairs * (num_families - 3));
}

Result<ShapleyCredit> shapley_values(const FamilyGame& game, const ShapleySettings& settings) {
  require(!game.names.empty() && settings.num_pairs >= 1,
          "Shapley values: a family and a pair of permutations");
  Estimator estimator(game, settings);
  MASH_TRY(estimator.run());
  ShapleyCredit credit{estimator.values(), estimator.total(), estimator.num_permutations(),
                       estimator.num_subsets()};
  make_add_up(credit.total, credit.families);
  return credit;
}

}  // namespace mash
