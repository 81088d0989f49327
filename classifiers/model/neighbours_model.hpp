// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "classifiers/model/input_model.hpp"
#include "classifiers/model/rows/distances.hpp"

namespace mash {

// The k nearest neighbours (Fix & Hodges 1951). The score of class l is the share of its weight among the k
// examples that are nearest by the distance L_p of their numbers; of equal distances the first one counts. Of
// classes with the largest share, that of the nearest example among them has the next larger number.
struct NeighboursModel : InputModel {
  static constexpr std::string_view kKind = "neighbours";
  static constexpr double kLargestPower = 100;

  std::uint32_t num_neighbours = 1;     // k; all examples where there are fewer
  double power = 2;                     // p: 1 to kLargestPower
  std::vector<std::uint16_t> classes;   // of the examples, of which there is at least one
  std::vector<double> example_weights;  // above 0
  NumberRows rows;                      // codes where all inputs are codes

  bool operator==(const NeighboursModel&) const = default;
};

// The model outlives it.
NumberScores number_scores(const NeighboursModel& model);

// A neighbour: an example of the model, and the sum of which its distance is the p-th root.
struct NearExample {
  double distance = 0;
  std::uint32_t example = 0;
  bool operator==(const NearExample&) const = default;
};

// Those of each query, the nearest first. queries: numbers of examples, in order.
std::vector<std::vector<NearExample>> nearest_neighbours(const NeighboursModel& model,
                                                         const NumberRows& queries, std::size_t num_queries);

}  // namespace mash
