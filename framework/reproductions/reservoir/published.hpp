// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// Lefakis & Fleuret 2013, "Reservoir boosting: between online and offline ensemble learning", Tables 3 to 5:
// test accuracies of ensembles of 250 stumps that were trained on few examples at a time.

// A data set; its recipe is experiments/reservoir-NAME.yaml.
struct ReservoirSet {
  std::string_view name, title;
  bool is_whole = false;  // the paper's data, so that values can be compared and not their order alone
};

// A mean over ten runs with its standard deviation, per cent. Mean 0: the paper does not have it.
struct PublishedAccuracy {
  double mean = 0, sd = 0;

  bool is_there() const { return mean > 0; }
};

// T of all of them: stumps of each class.
inline constexpr std::uint32_t kReservoirRounds = 250;

// r of the columns that a method has. Other methods may know that number of examples in place of a reservoir.
inline constexpr std::array<std::uint32_t, 2> kReservoirExamples{100, 250};
inline constexpr std::size_t kReservoirSizes = kReservoirExamples.size();
inline constexpr std::size_t kReservoirSets = 4;

// For each set, one figure for each number of examples.
using ReservoirFigures = std::array<std::array<PublishedAccuracy, kReservoirSizes>, kReservoirSets>;

struct ReservoirMethod {
  std::string_view name, title;
  std::string_view booster, key,
      value;                  // ours, and the setting that tells the method from others of it; or ""
  std::string_view size_key;  // the setting of how many examples a round knows
  std::array<std::uint32_t, kReservoirSizes> sizes{};  // 0: the table does not have the column
  double tolerance = 1.5;  // points within which our accuracy on the paper's data is expected to be
  ReservoirFigures figures{};
  bool takes_shrink = true;  // whether its steps are those of a line search

  bool has_size(std::size_t size) const { return sizes[size] > 0; }
};

struct ReservoirTable {
  std::string_view name;   // that it is asked for by
  std::string_view title;  // what it shows, and where it stands
  std::span<const ReservoirMethod> methods;
  std::string_view caveat = "";  // of this table alone
};

std::span<const ReservoirSet, kReservoirSets> reservoir_sets();
// Errors (kInput): no table of that name; names the known ones.
Result<const ReservoirTable*> find_reservoir_table(std::string_view name);

}  // namespace mash
