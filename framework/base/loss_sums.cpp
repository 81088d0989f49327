// SPDX-License-Identifier: Apache-2.0
#include "framework/base/loss_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "framework/base/mean_error.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// In eight sums side by side, which one processor adds at once.
double product_of(std::span<const double> one, std::span<const double> other) {
  constexpr std::size_t kSums = 8;
  std::array<double, kSums> sums{};
  std::size_t i = 0;
  for (; i + kSums <= one.size(); i += kSums)
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += one[i + k] * other[i + k];
  for (; i < one.size(); ++i) sums[0] += one[i] * other[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// Multiplied, less their own mean.
std::vector<double> centred(std::span<const double> sums, double factor) {
  const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / double(sums.size());
  std::vector<double> centred(sums.size());
  std::ranges::transform(sums, centred.begin(), [&](double sum) { return factor * (sum - mean); });
  return centred;
}

double mean_of(const LossCells& cells) {
  return std::accumulate(cells.values.begin(), cells.values.end(), 0.0) / double(cells.values.size());
}

PairDifference with_error(double mean, const MeanError& error) {
  const double standard_error = error.standard_error();
  if (standard_error > 0) return {mean, standard_error, error.tail_degrees()};
  PairDifference unknown{mean, 0, 1};
  unknown.are_equal = mean == 0 && standard_error == 0;
  return unknown;
}

double sum_of_squares(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [](double sum, double value) { return sum + value * value; });
}

}  // namespace

void LossTable::put(std::size_t number, const LossSums& sums) {
  require(takes(sums), "loss table: two seeds and two examples, the same for all");
  const double mean = std::accumulate(sums.of_seeds.begin(), sums.of_seeds.end(), 0.0) /
                      (double(sums.of_seeds.size()) * double(sums.of_examples.size()));
  put(number, Row{-100 * std::log(mean),
                  centred(sums.of_seeds, -100 / mean),
                  centred(sums.of_examples, -100 / mean),
                  {},
                  {}});
}

void LossTable::put(std::size_t number, const GainSums& sums) {
  require(takes(sums.z), "loss table: two seeds and two examples, the same for all");
  put(number, Row{sums.gain, centred(sums.z.of_seeds, 1), centred(sums.z.of_examples, 1), {}, {}});
}

bool LossTable::takes(const LossSums& sums) const {
  if (sums.of_seeds.size() < 2 || sums.of_examples.size() < 2) return false;
  return rows_.empty() || (rows_[0].of_seeds.size() == sums.of_seeds.size() &&
                           rows_[0].of_examples.size() == sums.of_examples.size());
}

void LossTable::put(std::size_t number, Row row) {
  require(number <= rows_.size(), "loss table: the next entry");
  if (number == rows_.size())
    rows_.push_back(std::move(row));
  else
    rows_[number] = std::move(row);
  Row& own = rows_[number];
  for (std::size_t i = 0; i <= number; ++i) {
    own.seed_products.push_back(product_of(rows_[i].of_seeds, own.of_seeds));
    own.example_products.push_back(product_of(rows_[i].of_examples, own.of_examples));
  }
  for (std::size_t i = number + 1; i < rows_.size(); ++i) {
    rows_[i].seed_products[number] = product_of(rows_[i].of_seeds, own.of_seeds);
    rows_[i].example_products[number] = product_of(rows_[i].of_examples, own.of_examples);
  }
}

PairDifference LossTable::difference(std::size_t one, std::size_t other) const {
  const Row &first = rows_[one], &second = rows_[other];
  const auto num_seeds = double(first.of_seeds.size()), num_examples = double(first.of_examples.size());
  const Row& longer = rows_[std::max(one, other)];
  const std::size_t place = std::min(one, other);
  // |a - b|^2 of the centred sums; rounding may leave a little less than nothing.
  const auto squared = [&](std::vector<double> Row::*products) {
    return std::max(0.0, (first.*products)[one] + (second.*products)[other] - 2 * (longer.*products)[place]);
  };
  const double of_seeds = squared(&Row::seed_products) / (num_examples * (num_seeds - 1)),
               of_examples = squared(&Row::example_products) / (num_seeds * (num_examples - 1));
  PairDifference difference =
      with_error(first.gain - second.gain,
                 {{of_seeds, of_examples, 0}, first.of_seeds.size(), first.of_examples.size()});
  if (first.of_seeds.size() >= kSeedsThatTellExamples)
    difference.of_examples = std::sqrt(of_examples / (num_seeds * num_examples));
  return difference;
}

PairDifference exact_difference(const LossCells& one, const LossCells& other) {
  require(one.num_seeds >= 2 && one.num_seeds == other.num_seeds &&
              one.values.size() == other.values.size() && one.values.size() >= 2 * one.num_seeds,
          "exact difference: the same two seeds and two examples of both");
  const std::size_t num_seeds = one.num_seeds, num_examples = one.values.size() / num_seeds;
  const double mean_of_one = mean_of(one), mean_of_other = mean_of(other);
  std::vector<double> of_seeds(num_seeds), of_examples(num_examples);
  double all = 0;  // the sum of the squares of z, whose mean is 0
  for (std::size_t s = 0; s < num_seeds; ++s)
    for (std::size_t n = 0; n < num_examples; ++n) {
      const std::size_t i = s * num_examples + n;
      const double z = 100 * (double(other.values[i]) / mean_of_other - double(one.values[i]) / mean_of_one);
      of_seeds[s] += z;
      of_examples[n] += z;
      all += z * z;
    }
  const auto num_rows = double(num_seeds), num_columns = double(num_examples);
  const double between_seeds = sum_of_squares(of_seeds) / num_columns,
               between_examples = sum_of_squares(of_examples) / num_rows;
  const double free_seeds = num_rows - 1, free_examples = num_columns - 1;
  // Rounding may leave a little less than nothing.
  const double rest = std::max(0.0, all - between_seeds - between_examples) / (free_seeds * free_examples);
  const double seeds = between_seeds / free_seeds, examples = between_examples / free_examples;
  PairDifference difference = with_error(100 * std::log(mean_of_other / mean_of_one),
                                         {{seeds, examples, rest}, num_seeds, num_examples});
  difference.of_examples = std::sqrt(std::max(0.0, examples - rest) / (num_rows * num_columns));
  return difference;
}

template <class Sums>
void SeedLevels::put(std::int64_t entry, const LossSums& sizes, const Sums& sums) {
  Level& level = levels_[sizes.of_seeds.size()];
  if (!level.table.takes(sizes)) return;
  const auto [place, is_new] = level.places.emplace(entry, level.table.size());
  level.table.put(place->second, sums);
}

void SeedLevels::put(std::int64_t entry, const LossSums& sums) { put(entry, sums, sums); }
void SeedLevels::put(std::int64_t entry, const GainSums& sums) { put(entry, sums.z, sums); }

bool SeedLevels::has(std::int64_t entry) const {
  return std::ranges::any_of(levels_, [&](const auto& level) { return level.second.places.contains(entry); });
}

bool SeedLevels::has(std::int64_t entry, std::size_t num_seeds) const {
  const auto level = levels_.find(num_seeds);
  return level != levels_.end() && level->second.places.contains(entry);
}

std::size_t SeedLevels::common_seeds(std::int64_t one, std::int64_t other) const {
  for (const auto& [num_seeds, level] : levels_)
    if (level.places.contains(one) && level.places.contains(other)) return num_seeds;
  return 0;
}

PairDifference SeedLevels::difference(std::int64_t one, std::int64_t other) const {
  const auto level = levels_.find(common_seeds(one, other));
  if (level == levels_.end()) return {};
  return level->second.table.difference(level->second.places.at(one), level->second.places.at(other));
}

DifferenceOf SeedLevels::among(std::span<const std::int64_t> entries) const {
  constexpr std::size_t kNone = std::size_t(-1);
  // The places of all entries in the table of a level.
  struct Places {
    const LossTable* table = nullptr;
    std::vector<std::size_t> of_entries = {};
  };
  std::vector<Places> levels;
  for (const auto& [num_seeds, level] : levels_) {
    Places& places = levels.emplace_back();
    places.table = &level.table;
    for (const std::int64_t entry : entries) {
      const auto found = level.places.find(entry);
      places.of_entries.push_back(found == level.places.end() ? kNone : found->second);
    }
  }
  return [levels = std::move(levels)](std::size_t i, std::size_t j) -> PairDifference {
    for (const Places& places : levels) {
      const std::size_t one = places.of_entries[i], other = places.of_entries[j];
      if (one != kNone && other != kNone) return places.table->difference(one, other);
    }
    return {};
  };
}

}  // namespace mash
