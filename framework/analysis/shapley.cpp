// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/shapley.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "framework/base/hash.hpp"
#include "framework/base/mean_error.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

constexpr double kSmallEnough = 0.1;                          // errors, as a share of the largest value
constexpr std::size_t kFewestPairs = 4, kFewestInMiddle = 3;  // of fewer, errors may be small by chance
constexpr std::size_t kFewestSeeds = 2;                       // of which something is known of their spread
constexpr std::size_t kMostPlayers = 20;                      // of which all subsets can be counted
constexpr double kTail = .001;                                // about what a pair spends among 25 families

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
    MASH_ASSIGN(std::vector<SubsetValue> values, values_(subsets));
    for (std::size_t i = 0; i < subsets.size(); ++i) {
      num_pictures_ = values[i].of_pictures.size();
      known_[subsets[i]] = std::move(values[i]);
    }
    return Done{};
  }
  double at(const FamilySubset& families, std::size_t seed_idx) const {
    return families.empty() ? empty_value_ : known_.at({families, seed_idx}).mean;
  }
  // Adds v of each picture, multiplied by `times`.
  void add_pictures(const FamilySubset& families, std::size_t seed_idx, double times,
                    std::vector<double>& sums) const {
    sums.resize(num_pictures_);
    if (families.empty()) {
      for (double& sum : sums) sum += times * empty_value_;
      return;
    }
    const std::vector<float>& values = known_.at({families, seed_idx}).of_pictures;
    for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += times * double(values[n]);
  }
  std::size_t num_asked() const { return known_.size(); }

 private:
  const SubsetValues& values_;
  double empty_value_;
  std::size_t num_pictures_ = 0;
  std::map<SeededSubset, SubsetValue> known_;
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
        middle_(game.names.size()),
        middle_of_pictures_(game.names.size()),
        num_common_(game.names.size() * game.names.size()) {}

  Status run() {
    MASH_TRY(learn_ends());
    if (all_are_few()) return learn_all();
    while (num_pairs_ < settings_.num_pairs && (settings_.walks_all || !is_sure())) {
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
      own.of_pictures = is_exact_ ? exact_of_pictures(player) : sampled_of_pictures(player);
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

  // Whether all subsets are few, or no more than the permutations would need.
  bool all_are_few() const {
    if (num_players() <= kMostFamiliesOfAllOrders) return true;
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
    for (std::size_t i = 0; i < orders.size(); ++i) add_order(orders[i], num_pairs_ + i / 2);
    for (std::size_t i = 0; i < orders.size(); i += 2) count_common(orders[i]);
    num_pairs_ = end;
    return Done{};
  }

  // Additions of the families in the middle of an order. They are there backwards too.
  void add_order(std::span<const std::size_t> order, std::size_t pair) {
    const std::size_t seed = seed_of(pair);
    for (std::size_t place = 1; place + 1 < order.size(); ++place) {
      const FamilySubset others = before(order, place), with = before(order, place + 1);
      const std::size_t player = order[place];
      middle_[player][pair] += (known_.at(with, seed) - known_.at(others, seed)) / 2;
      known_.add_pictures(with, seed, .5, middle_of_pictures_[player]);
      known_.add_pictures(others, seed, -.5, middle_of_pictures_[player]);
    }
  }

  // The families that are in the middle of this order together.
  void count_common(std::span<const std::size_t> order) {
    for (std::size_t place = 1; place + 1 < order.size(); ++place)
      for (std::size_t other = 1; other + 1 < order.size(); ++other)
        ++num_common_[order[place] * num_players() + order[other]];
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

  using WithAndWithout = std::function<void(const FamilySubset& with, const FamilySubset& others)>;
  void for_all_others(std::size_t player, const WithAndWithout& call) const {
    for (std::size_t bits = 0; bits < std::size_t(1) << num_players(); ++bits)
      if (!(bits >> player & 1)) call(players_in(bits | std::size_t(1) << player), players_in(bits));
  }

  // The share of all orders in which these many others come before a player, and which they are: all sizes of
  // what comes before are equally frequent, and so are all sets of one size.
  double share_of_orders(std::size_t num_before) const {
    double share = 1 / double(num_players());
    for (std::size_t i = 1; i <= num_before; ++i) share *= double(i) / double(num_players() - i);
    return share;
  }

  double exact_value(std::size_t player, std::size_t seed) const {
    double mean = 0;
    for_all_others(player, [&](const FamilySubset& with, const FamilySubset& others) {
      mean += share_of_orders(others.size()) * (known_.at(with, seed) - known_.at(others, seed));
    });
    return mean;
  }

  // The credit in each picture, over all seeds.
  std::vector<double> exact_of_pictures(std::size_t player) const {
    std::vector<double> credits;
    for_all_others(player, [&](const FamilySubset& with, const FamilySubset& others) {
      const double share = share_of_orders(others.size()) / double(num_seeds_);
      for (std::size_t seed = 0; seed < num_seeds_; ++seed) {
        known_.add_pictures(with, seed, share, credits);
        known_.add_pictures(others, seed, -share, credits);
      }
    });
    return credits;
  }
  std::vector<double> sampled_of_pictures(std::size_t player) const {
    std::vector<double> credits;
    const double share = 1 / double(num_players() * num_seeds_);
    for (std::size_t seed = 0; seed < num_seeds_; ++seed) {
      known_.add_pictures({player}, seed, share, credits);
      known_.add_pictures({}, seed, -share, credits);
      known_.add_pictures(families_of_all(), seed, share, credits);
      known_.add_pictures(families_but(player), seed, -share, credits);
    }
    const double share_of_pair = share_in_middle() / double(std::max<std::size_t>(1, middle_[player].size()));
    for (std::size_t n = 0; n < middle_of_pictures_[player].size(); ++n)
      credits[n] += share_of_pair * middle_of_pictures_[player][n];
    return credits;
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
    if (num_pairs_ < kFewestPairs || *std::ranges::min_element(num_common_) < kFewestInMiddle) return false;
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
  std::vector<std::vector<double>> middle_of_pictures_;  // sums over pairs, by player
  std::vector<std::size_t> num_common_;  // of each two players: pairs in whose middle both are
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

// The spread of parts of one kind, of those that count.
struct PartSpread {
  std::size_t count = 0;
  double variance_of_mean = 0;
};

PartSpread spread_of(std::span<const double> parts) {
  std::vector<double> counted;
  std::ranges::copy_if(parts, std::back_inserter(counted), [](double part) { return std::isfinite(part); });
  if (counted.size() < 2) return {counted.size(), 0};
  return {counted.size(), std::pow(statistics_of(counted).sd, 2) / double(counted.size())};
}

double student_quantile(double degrees, double tail) {
  return boost::math::quantile(boost::math::complement(boost::math::students_t(degrees), tail));
}

// The degrees of freedom with which Student's t goes as far at kTail as the parts do, each of which has a t
// of its own (Banerjee 1960, as in MeanError). Satterthwaite's are too many where few seeds differ little by
// chance: such a pair is told apart too often in the tails.
double degrees_of(std::span<const PartSpread> parts) {
  double variance = 0, farthest = 0;
  for (const PartSpread& part : parts) {
    if (!(part.variance_of_mean > 0)) continue;
    variance += part.variance_of_mean;
    farthest += part.variance_of_mean * std::pow(student_quantile(double(part.count - 1), kTail), 2);
  }
  static const StudentTail tail(kTail);
  return tail.degrees_of(std::sqrt(farthest / variance));
}

// Those that belong together; NaN where one of them does not count.
std::vector<double> differences_of(std::span<const double> one, std::span<const double> other) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
    differences.push_back(one[i] - other[i]);
  return differences;
}

// The error as far as it is known: without the seeds' part of one seed, infinite of too few permutations.
void add_error_of(const CreditParts& parts, ShapleyValue& value) {
  if (const auto known = with_error_of(value.mean, parts))
    value = *known;
  else
    value.standard_error =
        std::hypot(value.standard_error, std::sqrt(spread_of(parts.of_pictures).variance_of_mean));
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

std::optional<double> ShapleyValue::reach() const {
  if (!(degrees > 0)) return std::nullopt;
  return standard_error * student_quantile(degrees, kMiss / 2);
}

std::optional<ShapleyValue> with_error_of(double mean, const CreditParts& parts) {
  const PartSpread spreads[] = {spread_of(parts.of_pairs), spread_of(parts.of_seeds),
                                spread_of(parts.of_pictures)};
  const auto& [pairs, seeds, pictures] = spreads;
  if (seeds.count < kFewestSeeds || (!parts.of_pairs.empty() && pairs.count < kFewestInMiddle))
    return std::nullopt;
  const double variance = pairs.variance_of_mean + seeds.variance_of_mean + pictures.variance_of_mean;
  if (!(variance > 0)) return ShapleyValue{mean, 0, 1};
  return ShapleyValue{mean, std::sqrt(variance), degrees_of(spreads)};
}

std::optional<PairDifference> credit_difference(double one, const CreditParts& of_one, double other,
                                                const CreditParts& of_other) {
  const CreditParts parts{differences_of(of_one.of_pairs, of_other.of_pairs),
                          differences_of(of_one.of_seeds, of_other.of_seeds),
                          differences_of(of_one.of_pictures, of_other.of_pictures)};
  const auto difference = with_error_of(one - other, parts);
  if (!difference) return std::nullopt;
  return PairDifference{difference->mean, difference->standard_error, difference->degrees};
}

std::size_t most_inner_subsets(std::size_t num_families, const ShapleySettings& settings,
                               std::size_t num_seeds) {
  if (num_families <= 3) return 0;  // the ends are all there are
  const std::size_t num_inner = num_subsets_of(num_families) - 1 - 2 * num_families,
                    num_walked = 2 * settings.num_pairs * (num_families - 3);
  if (num_families <= kMostFamiliesOfAllOrders) return num_seeds * num_inner;
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
  for (std::size_t k = 0; k < credit.families.size(); ++k) add_error_of(credit.parts[k], credit.families[k]);
  return credit;
}

}  // namespace mash
