// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "classifiers/model/input_model.hpp"
#include "classifiers/model/rows/kernel.hpp"

namespace mash {

// Support vector machines of each pair of classes (Cortes & Vapnik 1995). The machine of the classes a < b is
//   f_ab(x) = bias_ab + the sum over vectors s of a and b of coefficient_s k(s, x),
// and votes for a where it is above 0, else for b. Of two classes the scores are f_01 and its opposite. Of
// more the score of a class is its votes plus its margins, m / (3 (|m| + 1)) with m the sum of its f, so that
// margins decide between equal votes.
struct KernelModel : InputModel {
  static constexpr std::string_view kKind = "kernel";

  Kernel kernel;
  std::vector<std::uint16_t> classes;  // of the support vectors
  // Of each vector, one for each other class, in their order: that of the machine of its class and the other.
  std::vector<double> coefficients;  // vectors x (K - 1)
  std::vector<double> biases;        // of the pairs (0, 1), (0, 2), ... (1, 2), ...: K (K - 1) / 2
  NumberRows rows;                   // of the vectors; codes where all inputs are codes

  bool operator==(const KernelModel&) const = default;
};

// The place of the machine of two classes, a < b, among those of all pairs.
std::size_t pair_place(std::size_t a, std::size_t b, std::size_t num_classes);

// The model outlives it.
NumberScores number_scores(const KernelModel& model);

}  // namespace mash
