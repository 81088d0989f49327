// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace mash {

// Numbers in text, the same in every locale. Number: an integer or floating-point type. No blank and no '+'
// may stand in front; a '-' may where the type has a sign. Whole numbers have base 10; floating-point ones
// may also be "1.5", "2e-3", "inf" and "nan". No number: also one that the type does not hold.

// Takes the number off the front of `text`. Where there is none `text` stays as it is.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(std::size_t(rest - text.data()));
  return number;
}

// The number that the whole of `text` is.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  const auto number = take_number<Number>(text);
  return text.empty() ? number : std::nullopt;
}

// A whole number from 0, of digits only: as people and programs write ids and counts.
std::optional<std::int64_t> whole_number_in(std::string_view text);

// A number as files of data have it, with a '+' in front where one is written. One that is too large for a
// float is the largest float, so that order stays; one that is too small for a double is zero.
std::optional<double> data_number_in(std::string_view text);

// The number rounded to `digits` significant digits, as people write it: without an exponent from 0.0001 up
// to 10^15 (1310, 0.0012). Not finite: "nan", "inf".
std::string in_digits(double number, int digits);

}  // namespace mash
