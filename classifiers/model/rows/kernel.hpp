// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "classifiers/model/rows/distances.hpp"

namespace mash {

enum class KernelKind {
  kLinear,      // a b
  kPolynomial,  // (gamma a b + offset)^degree
  kRbf,         // exp(-gamma |a - b|^2)
};

// A kernel k(a, b) of the numbers of two examples (Boser, Guyon & Vapnik 1992).
struct Kernel {
  KernelKind kind = KernelKind::kRbf;
  double gamma = 1;   // above 0
  double offset = 0;  // 0 or more
  std::uint32_t degree = 3;

  bool operator==(const Kernel&) const = default;
};

// out[a * of_rows.count + b] = k(query a, row b) of the ranges, with the same bits on all machines. Values
// that are larger in size than kLargestKernel count as that. REQUIRES: as dot_products.
inline constexpr double kLargestKernel = 1e100;
void kernel_values(const Kernel& kernel, const NumberRows& queries, const RowRange& of_queries,
                   const NumberRows& rows, const RowRange& of_rows, double* out);

}  // namespace mash
