// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/input_settings.hpp"

#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>

#include "framework/base/number.hpp"

namespace mash {
namespace {

constexpr std::string_view kTuned = "tuned";

}  // namespace

Result<InputOptions> read_input_options(Settings& settings) {
  constexpr std::array kNumbers{Choice{"codes", FeatureNumber::kCode},
                                Choice{"values", FeatureNumber::kValue}};
  constexpr std::int64_t kMost = 100'000'000;
  MASH_ASSIGN(const auto number, settings.one_of("inputs", FeatureNumber::kCode, kNumbers));
  MASH_ASSIGN(const auto most, settings.integer_or("features", "all", 1, kMost));
  return InputOptions{number, most ? std::size_t(*most) : std::numeric_limits<std::size_t>::max()};
}

Result<std::vector<double>> read_positive_numbers(Settings& settings, std::string_view key,
                                                  std::string_view defaults) {
  const bool may_be_tuned = defaults == kTuned;
  MASH_ASSIGN(const std::vector<std::string> texts, settings.list(key, split_list(defaults)));
  if (may_be_tuned && texts == std::vector<std::string>{std::string(kTuned)}) return std::vector<double>{};
  const std::string expected =
      fmt::format("{}numbers above 0, with commas between", may_be_tuned ? "`tuned`, or " : "");
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    const auto number = number_in<double>(text);
    if (!number || !(*number > 0) || !std::isfinite(*number)) {
      MASH_TRY(settings.refuse(settings.unexpected(key, expected)));
      return std::vector<double>{1};
    }
    numbers.push_back(*number);
  }
  if (numbers.empty()) MASH_TRY(settings.refuse(settings.unexpected(key, expected)));
  settings.holds(key, fmt::format("{}", fmt::join(numbers, ",")));
  return numbers;
}

}  // namespace mash
