// SPDX-License-Identifier: Apache-2.0
#include "framework/base/amounts.hpp"

#include <fmt/chrono.h>

#include <array>

#include "framework/base/number.hpp"

namespace mash {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t seconds;
};
constexpr std::array<Unit, 5> kUnits{
    {{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 24 * 3600}, {"w", 7 * 24 * 3600}}};
constexpr std::int64_t kMostSeconds = std::int64_t(1) << 40;  // sums with the clock's own stay in range

}  // namespace

Result<std::chrono::seconds> parse_age(std::string_view text) {
  std::string_view unit = text;
  const auto count = take_number<std::int64_t>(unit);
  for (const Unit& known : kUnits)
    if (count && *count >= 0 && *count <= kMostSeconds / known.seconds && unit == known.name)
      return std::chrono::seconds(*count * known.seconds);
  return input_error("found '{}', expected an age such as 90s, 15min, 12h, 30d or 2w", text);
}

std::string bytes_in_words(std::uint64_t num_bytes) {
  constexpr std::array kNames{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (num_bytes < 1024) return fmt::format("{} B", num_bytes);
  double value = double(num_bytes) / 1024;
  std::size_t i = 0;
  for (; value >= 1023.95 && i + 1 < kNames.size(); ++i) value /= 1024;  // what would be shown as 1024.0
  return fmt::format("{:.1f} {}", value, kNames[i]);
}

std::string age_in_words(std::chrono::seconds age) {
  const std::int64_t seconds = std::max<std::int64_t>(age.count(), 0);
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min", seconds / 60);
  if (seconds < 24 * 3600) return fmt::format("{} h", seconds / 3600);
  const std::int64_t days = seconds / (24 * 3600);
  return fmt::format("{} {}", days, days == 1 ? "day" : "days");
}

std::string iso_time(SystemTime time) { return iso_time(std::chrono::floor<std::chrono::seconds>(time)); }

std::string iso_time(std::chrono::sys_seconds time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time_t(time.time_since_epoch().count())));
}

}  // namespace mash
