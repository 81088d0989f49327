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
  explicit KnownValues(const FamilyGame& game) : values_(game.values), empty_value_(game.empty_value) {}

  Status learn(std::vector<SeededSubset> subsets) {
    std::sort(subsets.begin(), subsets.end());
    subsets.erase(std::unique(subsets.begin(), subsets.end()), subsets.end());
    std::erase_if(subsets, [&](const SeededSubset& subset) {
      return subset.families.empty() || known_.contains(subset);
    });
    if (subsets.empty()) return Done{};
    MASH_ASSIGN(const std::vector<double> values, values_(subsets));
    for (std::size_t i = 0; i < subsets.size(); ++i) known_[subsets[i]] = values[i];
    return Done{};
  }
  double at(const FamilySubset& families, std::size_t seed_idx) const {
    return families.empty() ? empty_value_ : known_.at({families, seed_idx});
  }
  std::size_t num_asked() const { return known_.size(); }

 private:
  const SubsetValues& values_;
  double empty_value_;
  std::map<SeededSubset, double> known_;
};

FamilySubset in_their_order(std::span<const std::size_t> families) {
  FamilySubset subset(families.begin(), families.end());
  std::sort(subset.begin(), subset.end());
  return subset;
}

class Estimator {
 public:
  Estimator(const FamilyGame& game, const ShapleySettings& settings)
      : names_(game.names),
        num_seeds_(game.num_seeds),
        settings_(settings),
        known_(game),
        middle_(game.names.size()) {}

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
      values.push_back(is_exact_ ? exact_value(player) : sampled_value(player));
    return values;
  }
  std::vector<CreditParts> parts() const {
    std::vector<CreditParts> parts;
    for (std::size_t player = 0; player < num_players(); ++player) {
      CreditParts& own = parts.emplace_back();
      own.of_seeds = is_exact_ ? exact_values(player) : ends(player);
      if (is_exact_) continue;
      own.of_pairs.assign(num_pairs_, std::numeric_limits<double>::quiet_NaN());
      for (const auto& [pair, mean] : middle_[player]) own.of_pairs[pair] = share_in_middle() * mean;
    }
    return parts;
  }
  double total() const {
    return mean_over_seeds(
        [&](std::size_t seed) { return known_.at(families_of_all(), seed) - known_.at({}, seed); });
  }
  std::size_t num_permutations() const { return 2 * num_pairs_; }
  std::size_t num_subsets() const { return known_.num_asked(); }

 private:
  std::size_t num_players() const { return names_.size(); }
  FamilySubset families_of_all() const { return all_but({}, num_players()); }
  FamilySubset families_but(std::size_t left_out) const { return all_but({{left_out}}, num_players()); }

  // The weight of a mean addition in between, where a player is neither first nor last.
  double share_in_middle() const { return double(num_players() - 2) / double(num_players()); }
  double mean_over_seeds(const std::function<double(std::size_t)>& of_seed) const {
    double sum = 0;
    for (std::size_t seed = 0; seed < num_seeds_; ++seed) sum += of_seed(seed);
    return sum / double(num_seeds_);
  }

  // The same subsets with every seed.
  Status learn_with_all_seeds(const std::vector<FamilySubset>& subsets) {
    std::vector<SeededSubset> wanted;
    for (const FamilySubset& subset : subsets)
      for (std::size_t seed = 0; seed < num_seeds_; ++seed) wanted.push_back({subset, seed});
    return known_.learn(std::move(wanted));
  }

  Status learn_ends() {
    std::vector<FamilySubset> wanted{families_of_all()};
    for (std::size_t player = 0; player < num_players(); ++player) {
      wanted.push_back({player});
      wanted.push_back(families_but(player));
    }
    return learn_with_all_seeds(wanted);
  }

  // Whether all subsets are no more than the permutations would need.
  bool all_are_few() const {
    const std::size_t num_subsets = num_subsets_of(num_players());
    return num_subsets <= std::numeric_limits<std::size_t>::max() / num_seeds_ &&
           num_seeds_ * num_subsets <=
               known_.num_asked() + most_inner_subsets(num_players(), settings_, num_seeds_);
  }

  Status learn_all() {
    is_exact_ = true;
    std::vector<FamilySubset> wanted;
    for (std::size_t bits = 1; bits < std::size_t(1) << num_players(); ++bits)
      wanted.push_back(players_in(bits));
    return learn_with_all_seeds(wanted);
  }

  std::size_t seed_of(std::size_t pair) const { return pair % num_seeds_; }

  // The next pairs of permutations.
  Status walk_more() {
    const std::size_t end =
        std::min(num_pairs_ + std::max<std::size_t>(1, settings_.batch), settings_.num_pairs);
    std::vector<std::vector<std::size_t>> orders;
    for (std::size_t number = 2 * num_pairs_; number < 2 * end; ++number)
      orders.push_back(family_order(names_, settings_.seed, number));
    std::vector<SeededSubset> wanted;
    for (std::size_t i = 0; i < orders.size(); ++i)
      for (std::size_t place = 1; place + 1 < orders[i].size(); ++place)
        for (const std::size_t count : {place, place + 1})
          wanted.push_back({before(orders[i], count), seed_of(num_pairs_ + i / 2)});
    MASH_TRY(known_.learn(std::move(wanted)));
    for (std::size_t i = 0; i < orders.size(); ++i)
      for (std::size_t place = 1; place + 1 < orders[i].size(); ++place) {
        const std::size_t pair = num_pairs_ + i / 2, seed = seed_of(pair);
        // A family in the middle is so backwards too.
        middle_[orders[i][place]][pair] +=
            (known_.at(before(orders[i], place + 1), seed) - known_.at(before(orders[i], place), seed)) / 2;
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

  ShapleyValue exact_value(std::size_t player) const { return over_seeds(exact_values(player)); }
  std::vector<double> exact_values(std::size_t player) const {
    std::vector<double> values;
    for (std::size_t seed = 0; seed < num_seeds_; ++seed) values.push_back(exact_value(player, seed));
    return values;
  }
  static ShapleyValue over_seeds(std::span<const double> values) {
    const Statistics statistics = statistics_of(values);
    return {statistics.mean, statistics.sd / std::sqrt(double(values.size()))};
  }

  // The mean over all sizes of what comes before, and over all such sets of each size.
  double exact_value(std::size_t player, std::size_t seed) const {
    std::vector<double> sums(num_players()), counts(num_players());
    for (std::size_t bits = 0; bits < std::size_t(1) << num_players(); ++bits) {
      if (bits >> player & 1) continue;
      const auto others = players_in(bits);
      const auto with = players_in(bits | std::size_t(1) << player);
      sums[others.size()] += known_.at(with, seed) - known_.at(others, seed);
      ++counts[others.size()];
    }
    double mean = 0;
    for (std::size_t size = 0; size < sums.size(); ++size) mean += sums[size] / counts[size];
    return mean / double(num_players());
  }

  ShapleyValue sampled_value(std::size_t player) const {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    const ShapleyValue of_ends = over_seeds(ends(player));
    std::vector<double> pairs;
    for (const auto& [pair, mean] : middle_[player]) pairs.push_back(mean);
    if (pairs.empty()) return {of_ends.mean * double(num_players()) / 2, kUnknown};
    const Statistics middle = statistics_of(pairs);
    const double error =
        pairs.size() < kFewestInMiddle ? kUnknown : middle.sd / std::sqrt(double(pairs.size()));
    return {of_ends.mean + share_in_middle() * middle.mean,
            std::hypot(of_ends.standard_error, share_in_middle() * error)};
  }

  // The part of a credit that comes of a player's first and last places, for each seed.
  std::vector<double> ends(std::size_t player) const {
    std::vector<double> ends;
    for (std::size_t seed = 0; seed < num_seeds_; ++seed)
      ends.push_back((known_.at({player}, seed) - known_.at({}, seed) + known_.at(families_of_all(), seed) -
                      known_.at(families_but(player), seed)) /
                     double(num_players()));
    return ends;
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
  std::size_t num_seeds_;
  const ShapleySettings& settings_;
  KnownValues known_;
  // The addition of each player where it is neither first nor last: the means of a permutation and the same
  // backwards, by the number of the pair.
  std::vector<std::map<std::size_t, double>> middle_;
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

// Sums of the differences of parts that belong together, and their count.
struct PartDifferences {
  std::size_t count = 0;
  double variance_of_mean = 0;
};

PartDifferences differences_of(std::span<const double> one, std::span<const double> other) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
    if (std::isfinite(one[i]) && std::isfinite(other[i])) differences.push_back(one[i] - other[i]);
  if (differences.size() < 2) return {differences.size(), 0};
  return {differences.size(), std::pow(statistics_of(differences).sd, 2) / double(differences.size())};
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

PairDifference credit_difference(const ShapleyValue& one, const CreditParts& of_one,
                                 const ShapleyValue& other, const CreditParts& of_other) {
  const PartDifferences pairs = differences_of(of_one.of_pairs, of_other.of_pairs),
                        seeds = differences_of(of_one.of_seeds, of_other.of_seeds);
  PairDifference difference{one.mean - other.mean, 0, 1};
  if (!of_one.of_pairs.empty() && pairs.count < kFewestInMiddle) return difference;
  const double variance = pairs.variance_of_mean + seeds.variance_of_mean;
  if (!(variance > 0)) return difference;
  double inverse = 0;  // of the degrees of freedom, by Satterthwaite's formula
  for (const PartDifferences& part : {pairs, seeds})
    if (part.count >= 2) inverse += std::pow(part.variance_of_mean / variance, 2) / double(part.count - 1);
  return {difference.mean, std::sqrt(variance), 1 / inverse};
}

std::size_t most_inner_subsets(std::size_t num_families, const ShapleySettings& settings,
                               std::size_t num_seeds) {
  if (num_families <= 3) return 0;  // the ends are all there are
  const std::size_t num_inner = num_subsets_of(num_families) - 1 - 2 * num_families,
                    num_walked = 2 * settings.num_pairs * (num_families - 3);
  return num_inner > num_walked / num_seeds ? num_walked : num_seeds * num_inner;
}

Result<ShapleyCredit> shapley_values(const FamilyGame& game, const ShapleySettings& settings) {
  require(!game.names.empty() && settings.num_pairs >= 1 && game.num_seeds >= 1,
          "Shapley values: a family, a pair of permutations and a seed");
  Estimator estimator(game, settings);
  MASH_TRY(estimator.run());
  ShapleyCredit credit{estimator.values(), estimator.parts(), estimator.total(), estimator.num_permutations(),
                       estimator.num_subsets()};
  make_add_up(credit.total, credit.families);
  return credit;
}

}  // namespace mash
