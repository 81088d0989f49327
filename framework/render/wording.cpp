// SPDX-License-Identifier: Apache-2.0
#include "framework/render/wording.hpp"

#include <fmt/format.h>

#include <cmath>

namespace mash {

std::string with_minus(double value, int num_decimals) {
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  const std::string size = fmt::format("{:.{}f}", std::abs(value), num_decimals);
  const bool is_zero = size.find_first_of("123456789") == std::string::npos;
  return value < 0 && !is_zero ? "−" + size : size;
}

std::string with_sign(double value, int num_decimals) {
  const std::string shown = with_minus(value, num_decimals);
  const bool is_zero = shown.find_first_of("123456789") == std::string::npos;
  return value > 0 && !is_zero ? "+" + shown : shown;
}

std::string in_points(const Estimate& difference) {
  const std::string mean = with_sign(100 * difference.mean, 2);
  return difference.half_width ? fmt::format("{} ± {:.2f}", mean, 100 * *difference.half_width) : mean;
}

std::string p_wording(double p) { return p < 0.001 ? "p < 0.001" : fmt::format("p = {:.2g}", p); }

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace mash
