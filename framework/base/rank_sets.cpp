// SPDX-License-Identifier: Apache-2.0
#include "framework/base/rank_sets.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <tuple>

namespace mash {
namespace {

// One pair of a ranking.
struct PairTest {
  double t = 0;  // of the first to the second
  double degrees = 1;
  // The t of the examples' part of the error alone, in size; and the most that it may become with more seeds,
  // which is infinite where that part is not known.
  double t_of_examples = 0, most_t_of_examples = std::numeric_limits<double>::infinity();
  bool are_equal = false;
};

// Double arithmetic: long doubles take five times as long, and ranks do not depend on their last digits.
using Doubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Student = boost::math::students_t_distribution<double, Doubles>;
using Normal = boost::math::normal_distribution<double, Doubles>;

double one_sided_p(const PairTest& test) {
  return boost::math::cdf(boost::math::complement(Student(test.degrees), std::abs(test.t)));
}

double normal_quantile(double miss) { return boost::math::quantile(boost::math::complement(Normal(), miss)); }

// Limits around the t that is exceeded with one probability, for any degrees of freedom.
class TailLimits {
 public:
  explicit TailLimits(double miss) : least_(normal_quantile(miss)) {
    constexpr double kRatio = 1.05, kMost = 1e6;
    for (double degrees = 1; degrees < kMost; degrees *= kRatio) {
      degrees_.push_back(degrees);
      t_.push_back(boost::math::quantile(boost::math::complement(Student(degrees), miss)));
    }
  }

  double least() const { return least_; }  // of all degrees of freedom

  // The t lies between the two. REQUIRES: degrees >= 1.
  std::pair<double, double> around(double degrees) const {
    const auto above = std::size_t(std::ranges::upper_bound(degrees_, degrees) - degrees_.begin());
    return {above == t_.size() ? least_ : t_[above], t_[above - 1]};
  }

 private:
  double least_;
  std::vector<double> degrees_, t_;  // degrees rise, t falls
};

// Holm's step-down procedure for as many one-sided tests of pairs, in both directions: limits of its first step
// and of the last that can be.
struct HolmLimits {
  HolmLimits(std::size_t num_pairs, double alpha)
      : alpha(alpha), first(alpha / double(2 * num_pairs)), last(alpha / double(num_pairs + 1)) {}

  double alpha;
  TailLimits first, last;
};

// Whether each test is rejected. Each is first compared with limits, so that few p-values are computed: beyond
// the one it is rejected at the first step, below the other at none.
std::vector<bool> rejected_by_holm(std::span<const PairTest> tests, const HolmLimits& limits) {
  std::vector<bool> rejected(tests.size());
  const std::size_t num_tests = 2 * tests.size();
  std::size_t num_rejected = 0;
  std::vector<std::pair<double, std::size_t>> open;  // p-value, and which test
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const double size = std::abs(tests[i].t), degrees = tests[i].degrees;
    if (size < limits.last.least()) continue;
    if (size > limits.first.around(degrees).second) {
      rejected[i] = true;
      ++num_rejected;
    } else if (size >= limits.last.around(degrees).first) {
      open.emplace_back(one_sided_p(tests[i]), i);
    }
  }
  std::ranges::sort(open);
  for (const auto& [p, i] : open) {
    if (p > limits.alpha / double(num_tests - num_rejected)) break;
    rejected[i] = true;
    ++num_rejected;
  }
  return rejected;
}

PairTest test_of(const PairDifference& difference) {
  PairTest test{difference.error > 0 ? difference.mean / difference.error : 0,
                std::max(1.0, difference.degrees)};
  test.are_equal = difference.are_equal;
  if (!(difference.of_examples > 0)) return test;
  constexpr double kErrorsOfSeeds = 2;  // by which the mean may still move
  const double size = std::abs(difference.mean), of_examples = difference.of_examples,
               of_seeds =
                   std::sqrt(std::max(0.0, difference.error * difference.error - of_examples * of_examples));
  test.t_of_examples = size / of_examples;
  test.most_t_of_examples = (size + kErrorsOfSeeds * of_seeds) / of_examples;
  return test;
}

// Limits of the t of one entry to J - 1 others, in both directions, with all degrees of freedom: of Holm's
// first step, and of the last.
struct Limits {
  explicit Limits(std::size_t num_entries, double alpha)
      : first(normal_quantile(alpha / double(2 * (num_entries - 1)))),
        last(normal_quantile(alpha / double(num_entries))) {}

  double first, last;
};

// Adds what an open pair says of the entry's limit. other: the second of the pair.
void add_open(const PairTest& test, std::size_t other, const Limits& limits, RankSet& set) {
  if (test.are_equal) return;
  if (test.most_t_of_examples >= limits.last) return set.open_to_seeds.push_back(other);
  ++set.num_beyond_seeds;
  if (test.t_of_examples == 0) return;  // no number of examples would do
  const double wanted = std::pow(limits.first / test.t_of_examples, 2);
  set.wanted_examples = set.wanted_examples == 0 ? wanted : std::min(set.wanted_examples, wanted);
}

// The probability that a normal number is below this.
double normal_share(double t) { return std::erfc(-t / std::sqrt(2)) / 2; }

// All pairs of a ranking, i < j, row by row.
class PairTable {
 public:
  PairTable(std::size_t num_entries, const DifferenceOf& difference) : num_entries_(num_entries) {
    for (std::size_t i = 0; i < num_entries; ++i)
      for (std::size_t j = i + 1; j < num_entries; ++j) tests_.push_back(test_of(difference(i, j)));
  }

  // The tests of entry i to all others, in their order.
  std::vector<PairTest> of(std::size_t i) const {
    std::vector<PairTest> tests;
    for (std::size_t j = 0; j < num_entries_; ++j) {
      if (j == i) continue;
      tests.push_back(tests_[place(std::min(i, j), std::max(i, j))]);
      if (j < i) tests.back().t = -tests.back().t;
    }
    return tests;
  }
  const std::vector<PairTest>& all() const { return tests_; }

  // The number of a pair, i < j.
  std::size_t place(std::size_t i, std::size_t j) const {
    return i * num_entries_ - i * (i + 1) / 2 + j - i - 1;
  }

 private:
  std::size_t num_entries_;
  std::vector<PairTest> tests_;
};

// The entries, for each one, whose order to it more seeds may tell, by its own set or by theirs.
std::vector<std::vector<std::size_t>> open_pairs(std::span<const RankSet> sets) {
  std::vector<std::vector<std::size_t>> partners(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (const std::size_t other : sets[i].open_to_seeds) {
      partners[i].push_back(other);
      partners[other].push_back(i);
    }
  for (auto& of_entry : partners) std::ranges::sort(of_entry);
  return partners;
}

// The end of the way from an entry to its partner with the fewest seeds, and on, while they get fewer.
std::size_t with_fewest_seeds(std::size_t entry, const std::vector<std::vector<std::size_t>>& partners,
                              std::span<const std::size_t> num_seeds) {
  for (;;) {
    const std::vector<std::size_t>& beside = partners[entry];
    const auto fewest = std::ranges::min_element(beside, {}, [&](std::size_t i) { return num_seeds[i]; });
    if (fewest == beside.end() || num_seeds[*fewest] >= num_seeds[entry]) return entry;
    entry = *fewest;
  }
}

}  // namespace

std::vector<RankSet> rank_sets(std::size_t num_entries, const DifferenceOf& difference, double alpha) {
  const PairTable table(num_entries, difference);
  std::vector<RankSet> sets(num_entries);
  if (num_entries < 2) return sets;
  const Limits limits(num_entries, alpha);
  const HolmLimits of_one(num_entries - 1, alpha);
  const auto last = std::int64_t(num_entries);
  for (std::size_t i = 0; i < num_entries; ++i) {
    RankSet& set = sets[i];
    set.own = set.together = {1, last};
    const std::vector<PairTest> tests = table.of(i);
    const std::vector<bool> is_apart = rejected_by_holm(tests, of_one);
    for (std::size_t k = 0; k < tests.size(); ++k) {
      set.expected += normal_share(-tests[k].t);
      if (!is_apart[k])
        add_open(tests[k], k < i ? k : k + 1, limits, set);
      else if (tests[k].t > 0)
        --set.own.high;
      else
        ++set.own.low;
    }
  }
  const std::vector<bool> is_apart = rejected_by_holm(table.all(), HolmLimits(table.all().size(), alpha));
  for (std::size_t i = 0; i < num_entries; ++i)
    for (std::size_t j = i + 1; j < num_entries; ++j) {
      const std::size_t k = table.place(i, j);
      if (!is_apart[k]) continue;
      const bool is_first_better = table.all()[k].t > 0;
      --sets[is_first_better ? i : j].together.high;
      ++sets[is_first_better ? j : i].together.low;
    }
  return sets;
}

std::size_t RankSet::num_wanted(std::size_t num_examples) const {
  constexpr double kMostWanted = 1e9;
  const double wanted = std::ceil(wanted_examples * double(num_examples));
  return wanted <= kMostWanted ? std::size_t(wanted) : 0;
}

std::optional<std::size_t> next_to_measure(std::span<const RankSet> sets,
                                           std::span<const std::size_t> num_seeds, std::size_t most_seeds) {
  const std::vector<std::vector<std::size_t>> partners = open_pairs(sets);
  std::optional<std::size_t> widest, chosen;
  const auto urgency = [&](std::size_t i) {
    return std::pair(sets[i].own.high - sets[i].own.low, -sets[i].expected);
  };
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].open_to_seeds.empty() || (widest && urgency(i) <= urgency(*widest))) continue;
    const std::size_t fewest = with_fewest_seeds(i, partners, num_seeds);
    if (2 * num_seeds[fewest] > most_seeds) continue;
    widest = i;
    chosen = fewest;
  }
  return chosen;
}

std::vector<std::pair<std::size_t, std::size_t>> pairs_near_limit(std::size_t num_entries,
                                                                  const DifferenceOf& difference,
                                                                  double alpha, std::size_t most) {
  if (num_entries < 2 || most == 0) return {};
  const PairTable table(num_entries, difference);
  const Limits limits(num_entries, alpha);
  constexpr double kSurely = 1.3;  // times the limit: the pair is apart, no matter how rough the limit is
  std::vector<std::tuple<double, std::size_t, std::size_t>> near;  // distance, pair
  for (std::size_t i = 0; i < num_entries; ++i)
    for (std::size_t j = i + 1; j < num_entries; ++j) {
      const PairTest& test = table.all()[table.place(i, j)];
      const double t = std::abs(test.t);
      if (t * std::numbers::sqrt2 < limits.last) continue;
      // The first terms of Student's quantile in powers of 1 / degrees: near enough for an order.
      const double limit = limits.first + (std::pow(limits.first, 3) + limits.first) / (4 * test.degrees);
      if (t < kSurely * limit) near.emplace_back(std::abs(std::log(t / limit)), i, j);
    }
  std::ranges::sort(near);
  near.resize(std::min(near.size(), most));
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [distance, i, j] : near) pairs.emplace_back(i, j);
  return pairs;
}

}  // namespace mash
