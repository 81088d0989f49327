// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "framework/base/rank_sets.hpp"

namespace mash {

// Sums of the losses of one entry of a ranking on the judging examples of all, with the same seeds as all.
struct LossSums {
  std::vector<double> of_seeds;     // over the examples
  std::vector<double> of_examples;  // over the seeds

  bool is_empty() const { return of_seeds.empty() || of_examples.empty(); }
  bool operator==(const LossSums&) const = default;
};

// The gain of an entry that has a control of its own, with the sums of the table (seeds x examples) of which
// it is the mean: z = 100 (loss of the control / its mean - loss of the entry / its mean), in per cent.
struct GainSums {
  double gain = 0;
  LossSums z;

  bool operator==(const GainSums&) const = default;
};

// All losses of an entry: seeds x examples.
struct LossCells {
  std::size_t num_seeds = 0;
  std::vector<float> values;

  bool is_empty() const { return values.empty(); }
};

// Seeds from which on what is left of seeds and examples is small beside the examples' part of a difference
// (a tenth of it on rendered digits), so that the sums tell that part.
inline constexpr std::size_t kSeedsThatTellExamples = 64;

// The sums of the entries of a ranking, with the products of all pairs, from which their differences follow.
// An entry that is added costs its own row of products. All entries have losses beside one control, or gains
// beside controls of their own.
class LossTable {
 public:
  // Adds an entry, or replaces one. number: at most size(). REQUIRES: as many seeds and examples as all
  // others, two of each at least; means above 0.
  void put(std::size_t number, const LossSums& sums);
  void put(std::size_t number, const GainSums& sums);

  std::size_t size() const { return rows_.size(); }
  // Whether put can take sums of these sizes.
  bool takes(const LossSums& sums) const;
  // How much more the first entry gains than the second: of losses 100 ln of the ratio of their means, in per
  // cent, for both gain beside the same controls; of gains their difference. Its error comes from the table
  // of z = 100 (loss of the second / its mean - loss of the first / its mean), of gains the difference of
  // their z: seeds and examples are paired exactly; what is left of both is not known from the sums, so that
  // SE^2 = (MS_seeds + MS_examples) / (S E) is too large by at most MS_rest / (S E). Degrees of freedom as of
  // MeanError::tail_degrees, so that few seeds are not trusted too much far out in the tails. of_examples:
  // from kSeedsThatTellExamples seeds on.
  PairDifference difference(std::size_t one, std::size_t other) const;

 private:
  // Sums of one entry in per cent, without their own mean; with the products with all entries up to itself.
  struct Row {
    double gain = 0;
    std::vector<double> of_seeds, of_examples;
    std::vector<double> seed_products, example_products;
  };

  void put(std::size_t number, Row row);

  std::vector<Row> rows_;
};

// The difference of two entries from all of their losses: what is left of seeds and examples is taken off, as
// MeanError has it. REQUIRES: as many seeds and examples of both, two of each at least; means above 0.
PairDifference exact_difference(const LossCells& one, const LossCells& other);

// Entries that were measured with several numbers of seeds: two are told apart by the most that both have.
class SeedLevels {
 public:
  // entry: any number. Sums of other sizes than those that are there with as many seeds are left out.
  void put(std::int64_t entry, const LossSums& sums);
  void put(std::int64_t entry, const GainSums& sums);

  bool has(std::int64_t entry) const;
  bool has(std::int64_t entry, std::size_t num_seeds) const;
  // The most seeds that both have; 0: they have none in common.
  std::size_t common_seeds(std::int64_t one, std::int64_t other) const;
  // As LossTable::difference; of those that have none in common nothing is known.
  PairDifference difference(std::int64_t one, std::int64_t other) const;
  // The same among these entries, by their places here: much faster for all pairs. This: outlives it.
  DifferenceOf among(std::span<const std::int64_t> entries) const;

 private:
  struct Level {
    LossTable table;
    std::map<std::int64_t, std::size_t> places;  // of entries
  };

  template <class Sums>
  void put(std::int64_t entry, const LossSums& sizes, const Sums& sums);

  std::map<std::size_t, Level, std::greater<>> levels_;  // by the number of seeds, most first
};

}  // namespace mash
