// SPDX-License-Identifier: Apache-2.0
#include "framework/base/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace mash {

std::optional<std::int64_t> whole_number_in(std::string_view text) {
  return text.starts_with('-') ? std::nullopt : number_in<std::int64_t>(text);
}

std::optional<double> data_number_in(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (stop != end || text.empty()) return std::nullopt;
  if (code == std::errc::result_out_of_range) {
    const bool is_small =
        text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
    value = is_small ? 0 : std::copysign(double(FLT_MAX), text.starts_with('-') ? -1 : 1);
  } else if (code != std::errc() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return std::clamp(value, -double(FLT_MAX), double(FLT_MAX));
}

std::string in_digits(double number, int digits) {
  constexpr int kAllDigits = 15;  // that every double keeps
  const std::string rounded = fmt::format("{:.{}g}", number, digits);
  return fmt::format("{:.{}g}", *number_in<double>(rounded), kAllDigits);
}

}  // namespace mash
