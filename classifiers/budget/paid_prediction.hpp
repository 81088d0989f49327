// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace mash {

// How one example was classified, and what that took.
struct PaidPrediction {
  std::uint16_t predicted_class = 0;
  // Hypotheses, each counted once, up to 15 of them after the class was certain; questions of a decision
  // tree.
  std::size_t num_evaluated = 0;
  double spent = 0;  // for features and families, in the unit of the costs
  bool operator==(const PaidPrediction&) const = default;
};

inline std::vector<std::uint16_t> classes_of(std::span<const PaidPrediction> predictions) {
  std::vector<std::uint16_t> classes;
  for (const PaidPrediction& prediction : predictions) classes.push_back(prediction.predicted_class);
  return classes;
}

// The cell that one example falls into in a hypothesis of the model. It is asked only for hypotheses that are
// evaluated, each at most once, after their features are paid for.
using CellOf = std::function<std::size_t(std::size_t hypothesis)>;
// The same of several hypotheses that are evaluated one after the other: as many cells as hypotheses.
using CellsOf = std::function<void(std::span<const std::uint32_t> hypotheses, std::span<std::uint8_t> cells)>;

}  // namespace mash
