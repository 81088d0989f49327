// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/rows/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "classifiers/model/kernel_model.hpp"

namespace mash {
namespace {

double value_of(const Kernel& kernel, const std::vector<float>& a, const std::vector<float>& b) {
  const NumberRows first{a.size(), {}, a}, second{b.size(), {}, b};
  double found = 0;
  kernel_values(kernel, first, {0, 1}, second, {0, 1}, &found);
  return found;
}

TEST(Kernel, HasTheValuesOfTheDefinition) {
  const std::vector<float> a{1, 2}, b{3, -0.5f};  // a b = 2, |a - b|^2 = 4 + 6.25
  EXPECT_EQ(value_of({KernelKind::kLinear}, a, b), 2);
  EXPECT_EQ(value_of({KernelKind::kPolynomial, 0.5, 3, 2}, a, b), 16);
  EXPECT_NEAR(value_of({KernelKind::kRbf, 0.1}, a, b), std::exp(-1.025), 1e-12);
}

TEST(Kernel, IsAlwaysANumber) {
  const float large = std::numeric_limits<float>::max();
  const std::vector<float> a{large, large}, b{large, -large};
  for (const Kernel& kernel : {Kernel{KernelKind::kLinear}, Kernel{KernelKind::kPolynomial, 1e12, 1, 100},
                               Kernel{KernelKind::kRbf, 1}}) {
    EXPECT_LE(std::abs(value_of(kernel, a, b)), kLargestKernel);
    EXPECT_LE(std::abs(value_of(kernel, a, a)), kLargestKernel);
  }
}

TEST(PairPlace, CountsThePairs) {
  for (std::size_t num_classes = 2; num_classes < 7; ++num_classes) {
    std::size_t expected = 0;
    for (std::size_t a = 0; a < num_classes; ++a)
      for (std::size_t b = a + 1; b < num_classes; ++b) EXPECT_EQ(pair_place(a, b, num_classes), expected++);
  }
}

}  // namespace
}  // namespace mash
