// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/rows/kernel.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/elementary.hpp"

namespace mash {

void kernel_values(const Kernel& kernel, const NumberRows& queries, const RowRange& of_queries,
                   const NumberRows& rows, const RowRange& of_rows, double* out) {
  const std::size_t size = of_queries.count * of_rows.count;
  if (kernel.kind == KernelKind::kRbf) {
    power_distances(queries, of_queries, rows, of_rows, 2, out);
    for (std::size_t k = 0; k < size; ++k) out[k] = stable_exp(-kernel.gamma * out[k]);
    return;
  }
  dot_products(queries, of_queries, rows, of_rows, out);
  for (std::size_t k = 0; k < size; ++k) {
    double value = std::isnan(out[k]) ? 0 : out[k];  // of numbers whose products are beyond all floats
    if (kernel.kind == KernelKind::kPolynomial) {
      const double base = kernel.gamma * value + kernel.offset;
      value = 1;
      for (std::uint32_t d = 0; d < kernel.degree; ++d)
        value = std::clamp(value * base, -kLargestKernel, kLargestKernel);
    }
    out[k] = std::clamp(value, -kLargestKernel, kLargestKernel);
  }
}

}  // namespace mash
