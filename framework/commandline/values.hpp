// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "framework/base/number.hpp"

namespace mash {

// Refuses a number outside [low, high]; the help shows these as "1 to 1000", or "0 or more".
template <class Number>
CLI::Validator within(Number low, Number high) {
  const std::string range = high == std::numeric_limits<Number>::max() ? fmt::format("{} or more", low)
                                                                       : fmt::format("{} to {}", low, high);
  const char* kind = std::is_integral_v<Number> ? "a whole number" : "a number";
  return {[=](std::string& text) {
            const auto number = number_in<Number>(text);
            return number && low <= *number && *number <= high
                       ? std::string()
                       : fmt::format("found '{}', expected {}, {}", text, kind, range);
          },
          range};
}

// Refuses words but these; the help, the manual and the completion of shells show them as "text|md".
CLI::Option* takes_one_of(CLI::Option* option, std::span<const std::string_view> words);

}  // namespace mash
