// SPDX-License-Identifier: Apache-2.0
#include "framework/base/loss_sums.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "framework/base/random.hpp"

namespace mash {
namespace {

using Losses = std::vector<std::vector<double>>;  // seeds x examples

LossSums sums_of(const Losses& losses) {
  LossSums sums{{}, std::vector<double>(losses[0].size())};
  for (const auto& of_seed : losses) {
    sums.of_seeds.push_back(0);
    for (std::size_t n = 0; n < of_seed.size(); ++n) {
      sums.of_seeds.back() += of_seed[n];
      sums.of_examples[n] += of_seed[n];
    }
  }
  return sums;
}

Losses drawn(RandomStream& stream, std::size_t num_seeds, std::size_t num_examples, double level) {
  Losses losses(num_seeds, std::vector<double>(num_examples));
  for (auto& of_seed : losses)
    for (double& loss : of_seed) loss = level * stream.uniform(.5, 1.5);
  return losses;
}

double mean_of(const Losses& losses) {
  double sum = 0;
  for (const auto& of_seed : losses)
    for (const double loss : of_seed) sum += loss;
  return sum / double(losses.size() * losses[0].size());
}

// The mean squares of z = 100 (second / its mean - first / its mean), and what follows, by their definition.
PairDifference expected_difference(const Losses& first, const Losses& second) {
  const auto num_seeds = double(first.size()), num_examples = double(first[0].size());
  const auto z = [&](std::size_t s, std::size_t n) {
    return 100 * (second[s][n] / mean_of(second) - first[s][n] / mean_of(first));
  };
  double of_seeds = 0, of_examples = 0;
  for (std::size_t s = 0; s < first.size(); ++s) {
    double mean = 0;
    for (std::size_t n = 0; n < first[0].size(); ++n) mean += z(s, n) / num_examples;
    of_seeds += num_examples * mean * mean / (num_seeds - 1);
  }
  for (std::size_t n = 0; n < first[0].size(); ++n) {
    double mean = 0;
    for (std::size_t s = 0; s < first.size(); ++s) mean += z(s, n) / num_seeds;
    of_examples += num_seeds * mean * mean / (num_examples - 1);
  }
  const double sum = of_seeds + of_examples;
  return {
      100 * std::log(mean_of(second) / mean_of(first)), std::sqrt(sum / (num_seeds * num_examples)),
      sum * sum / (of_seeds * of_seeds / (num_seeds - 1) + of_examples * of_examples / (num_examples - 1))};
}

void expect_near(const PairDifference& found, const PairDifference& expected) {
  EXPECT_NEAR(found.mean, expected.mean, 1e-9);
  EXPECT_NEAR(found.error, expected.error, 1e-7);
  EXPECT_NEAR(found.degrees, expected.degrees, 1e-5 * expected.degrees);
}

TEST(LossTable, DifferencesAreThoseOfTheTablesOfLosses) {
  RandomStream stream(1, "test.losses");
  std::vector<Losses> entries;
  LossTable table;
  for (std::size_t i = 0; i < 5; ++i) {
    entries.push_back(drawn(stream, 6, 11, 1 + .1 * double(i)));
    table.put(i, sums_of(entries.back()));
  }
  ASSERT_EQ(table.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      if (i != j) expect_near(table.difference(i, j), expected_difference(entries[i], entries[j]));
  // One of them is measured again.
  entries[2] = drawn(stream, 6, 11, 2);
  table.put(2, sums_of(entries[2]));
  for (const std::size_t i : {0u, 1u, 3u, 4u})
    expect_near(table.difference(i, 2), expected_difference(entries[i], entries[2]));
}

TEST(LossTable, EqualEntriesHaveNoDifferenceAndNoError) {
  RandomStream stream(2, "test.losses");
  const LossSums sums = sums_of(drawn(stream, 4, 9, 1));
  LossTable table;
  table.put(0, sums);
  table.put(1, sums);
  EXPECT_EQ(table.difference(0, 1).mean, 0);
  EXPECT_NEAR(table.difference(0, 1).error, 0, 1e-6);
}

TEST(LossTable, SizesThatDoNotFitAreRefused) {
  RandomStream stream(3, "test.losses");
  LossTable table;
  table.put(0, sums_of(drawn(stream, 4, 9, 1)));
  EXPECT_THROW(table.put(1, sums_of(drawn(stream, 5, 9, 1))), std::logic_error);
  EXPECT_THROW(table.put(2, sums_of(drawn(stream, 4, 9, 1))), std::logic_error) << "not the next one";
}

// Rankings as on a board: half of the entries gain nothing, the others N(2, 2); the error of a difference has
// a part of seeds and a part of pictures, as measured on the demo.
class Rankings {
 public:
  static constexpr std::size_t kEntries = 50, kExamples = 300;

  explicit Rankings(std::uint64_t seed) : stream_(seed, "test.rankings"), gains_(kEntries), sums_(kEntries) {
    for (std::size_t i = kEntries / 2; i < kEntries; ++i) gains_[i] = 2 + 2 * stream_.normal();
    for (LossSums& sums : sums_) sums.of_examples.resize(kExamples);
    for (std::size_t i = 0; i < kEntries; ++i)
      for (std::size_t n = 0; n < kExamples; ++n) of_examples_.push_back(kOfPictures * stream_.normal());
  }

  // Adds seeds. Per cents of the loss, which is 1: small ones are gains of the same size.
  void measure(std::size_t num_seeds) {
    while (sums_[0].of_seeds.size() < num_seeds) {
      const double shared = kOfSeeds * std::sqrt(.34) * stream_.normal();
      for (std::size_t i = 0; i < kEntries; ++i) {
        const double of_seed = shared + kOfSeeds * std::sqrt(.66) * stream_.normal();
        sums_[i].of_seeds.push_back(0);
        for (std::size_t n = 0; n < kExamples; ++n) {
          const double loss = std::exp(-(gains_[i] + of_seed + of_examples_[i * kExamples + n]) / 100);
          sums_[i].of_seeds.back() += loss;
          sums_[i].of_examples[n] += loss;
        }
      }
    }
  }

  std::vector<RankSet> sets() const {
    LossTable table;
    for (std::size_t i = 0; i < kEntries; ++i) table.put(i, sums_[i]);
    return rank_sets(
        kEntries, [&](std::size_t i, std::size_t j) { return table.difference(i, j); }, .01);
  }

  // Equal gains share ranks: each rank that they share is right.
  bool holds(const RankInterval& set, std::size_t entry) const {
    const auto num_better =
        std::ranges::count_if(gains_, [&](double other) { return other > gains_[entry]; });
    const auto num_worse = std::ranges::count_if(gains_, [&](double other) { return other < gains_[entry]; });
    return set.low <= std::int64_t(kEntries) - num_worse && set.high >= num_better + 1;
  }

  // The median width of the sets of the five that are best.
  double top_width(const std::vector<RankSet>& sets) const {
    std::vector<std::pair<double, double>> widths;
    for (std::size_t i = 0; i < kEntries; ++i)
      widths.emplace_back(-gains_[i], double(sets[i].own.high - sets[i].own.low + 1));
    std::ranges::sort(widths);
    std::vector<double> top;
    for (std::size_t i = 0; i < 5; ++i) top.push_back(widths[i].second);
    std::ranges::sort(top);
    return top[2];
  }

 private:
  static constexpr double kOfSeeds = .9;      // standard deviation of a seed, per cent
  static constexpr double kOfPictures = 1.3;  // of a picture: an error of the mean of .075

  RandomStream stream_;
  std::vector<double> gains_, of_examples_;
  std::vector<LossSums> sums_;
};

TEST(LossTable, RankSetsHoldTheRanksAndNarrowWithSeeds) {
  constexpr int kRankings = 40;
  int num_held = 0, num_all_held = 0;
  double width_at_16 = 0, width_at_64 = 0;
  for (int i = 0; i < kRankings; ++i) {
    Rankings rankings(std::uint64_t(i) + 1);
    for (const std::size_t num_seeds : {16u, 64u}) {
      rankings.measure(num_seeds);
      const auto sets = rankings.sets();
      bool all_held = true;
      for (std::size_t k = 0; k < Rankings::kEntries; ++k) {
        num_held += rankings.holds(sets[k].own, k);
        all_held = all_held && rankings.holds(sets[k].together, k);
      }
      num_all_held += all_held;
      (num_seeds == 16 ? width_at_16 : width_at_64) += rankings.top_width(sets) / kRankings;
    }
  }
  EXPECT_GE(num_held, .95 * 2 * kRankings * double(Rankings::kEntries));
  EXPECT_GE(num_all_held, .95 * 2 * kRankings);
  EXPECT_LT(width_at_16, 11);
  EXPECT_LT(width_at_64, .75 * width_at_16);
}

}  // namespace
}  // namespace mash
