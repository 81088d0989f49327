// SPDX-License-Identifier: Apache-2.0
#include "framework/render/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/render/table.hpp"

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

std::string number_in_words(std::size_t number) {
  constexpr std::string_view kNames[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                         "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return number < std::size(kNames) ? std::string(kNames[number]) : std::to_string(number);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
  return text;
}

std::string wrong_in_words(std::uint64_t num_wrong, std::uint64_t total) {
  if (total == 0) return "no example";
  const ShareInterval interval = share_interval(num_wrong, total);
  return fmt::format("{} of {} wrong: {:.1f} %, 95 % interval {:.1f} to {:.1f} % (Clopper–Pearson)",
                     num_wrong, total, 100 * double(num_wrong) / double(total), 100 * interval.low,
                     100 * interval.high);
}

std::string files_in_a_line(std::span<const SourceFile> files) {
  namespace fs = std::filesystem;
  fs::path folder = files.empty() ? fs::path() : files[0].path.parent_path();
  std::uint64_t num_bytes = 0;
  for (const SourceFile& file : files) {
    num_bytes += file.num_bytes;
    const fs::path other = file.path.parent_path();
    const auto end = std::mismatch(folder.begin(), folder.end(), other.begin(), other.end()).first;
    if (end == folder.end()) continue;
    fs::path common;
    for (auto part = folder.begin(); part != end; ++part) common /= *part;
    folder = std::move(common);
  }
  const std::string size = show(std::int64_t(num_bytes), Format::kCount);  // "512", "1.23 M"
  return fmt::format("{}{}, {}{}", counted(files.size(), "file"),
                     folder.empty() ? "" : fmt::format(" below {}", folder.string()), size,
                     num_bytes < 1'000'000 ? " bytes" : "B");
}

}  // namespace mash
