// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/paired_test.hpp"

#include <cmath>
#include <numbers>

namespace mash {

double student_p_value(double t, std::size_t degrees) {
  // The finite series for whole degrees of freedom (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4).
  const double angle = std::atan(std::abs(t) / std::sqrt(double(degrees)));
  const double cosine = std::cos(angle), square = cosine * cosine;
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1, sum = degrees == 1 ? 0 : term;
  for (std::size_t k = odd ? 3 : 2; k + 1 < degrees; k += 2) {
    term *= square * double(k - 1) / double(k);
    sum += term;
  }
  const double within = std::sin(angle) * sum;
  return 1 - (odd ? 2 / std::numbers::pi * (angle + within) : within);
}

PairedTest paired_test(std::span<const double> a, std::span<const double> b) {
  const auto count = double(a.size());
  PairedTest test;
  for (std::size_t i = 0; i < a.size(); ++i) {
    test.mean_difference += (a[i] - b[i]) / count;
    test.num_less += a[i] < b[i];
  }
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow(a[i] - b[i] - test.mean_difference, 2);
  const double error = std::sqrt(squares / (count - 1) / count);
  if (test.mean_difference != 0) test.p_value = student_p_value(test.mean_difference / error, a.size() - 1);
  return test;
}

}  // namespace mash
