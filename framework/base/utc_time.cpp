// SPDX-License-Identifier: Apache-2.0
#include "framework/base/utc_time.hpp"

#include <algorithm>
#include <chrono>

#include "framework/base/amounts.hpp"
#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr int kFirstYear = 2000, kLastYear = 2999, kLargestOffset = 14;  // hours

// Takes the parts of a moment off the front of a text. Once one was not there, none is.
class MomentReader {
 public:
  explicit MomentReader(std::string_view text) : rest_(text) {}

  // A number of this many digits.
  int number(std::size_t num_digits, int least, int most) {
    const auto read = whole_number_in(rest_.substr(0, num_digits));
    is_sound_ = is_sound_ && rest_.size() >= num_digits && read && *read >= least && *read <= most;
    if (!is_sound_) return 0;
    rest_.remove_prefix(num_digits);
    return int(*read);
  }
  // Whether the text goes on with this, which is taken off.
  bool takes(std::string_view part) {
    if (!is_sound_ || !rest_.starts_with(part)) return false;
    rest_.remove_prefix(part.size());
    return true;
  }
  void needs(std::string_view part) { is_sound_ = takes(part); }
  bool is_read() const { return is_sound_ && rest_.empty(); }
  void fail() { is_sound_ = false; }

 private:
  std::string_view rest_;
  bool is_sound_ = true;
};

std::chrono::sys_days read_day(MomentReader& reader) {
  const int year = reader.number(4, kFirstYear, kLastYear);
  reader.needs("-");
  const int month = reader.number(2, 1, 12);
  reader.needs("-");
  const int day = reader.number(2, 1, 31);
  const std::chrono::year_month_day date(std::chrono::year{year}, std::chrono::month{unsigned(month)},
                                         std::chrono::day{unsigned(day)});
  if (date.ok()) return date;
  reader.fail();
  return {};
}

std::chrono::seconds read_time_of_day(MomentReader& reader) {
  std::chrono::seconds time = std::chrono::hours(reader.number(2, 0, 23));
  reader.needs(":");
  time += std::chrono::minutes(reader.number(2, 0, 59));
  if (reader.takes(":")) time += std::chrono::seconds(reader.number(2, 0, 59));
  return time;
}

// East of Greenwich.
std::chrono::seconds read_offset(MomentReader& reader) {
  if (reader.takes("Z") || reader.takes("UTC")) return {};
  const bool is_west = reader.takes("-");
  if (!is_west) reader.needs("+");
  std::chrono::seconds offset = std::chrono::hours(reader.number(2, 0, kLargestOffset));
  reader.takes(":");
  offset += std::chrono::minutes(reader.number(2, 0, 59));
  return is_west ? -offset : offset;
}

}  // namespace

Result<std::string> parse_moment(std::string_view text) {
  MomentReader reader(text);
  const std::chrono::sys_days day = read_day(reader);
  if (!reader.takes("T")) reader.needs(" ");
  const std::chrono::seconds time = read_time_of_day(reader);
  reader.takes(" ");
  const std::chrono::seconds offset = read_offset(reader);
  if (reader.is_read()) return iso_time(day + time - offset);
  return input_error(
      "found '{}', expected a date and time with its zone, such as 2026-12-01T08:00+01:00 or "
      "2026-12-01T07:00Z",
      printable(text, 60));
}

std::string moment_in_words(std::string_view moment) {
  constexpr std::size_t kDate = 10, kTime = 11, kToMinutes = 5, kToSeconds = 8;
  const std::string_view time = moment.substr(std::min(kTime, moment.size()), kToSeconds);
  return fmt::format("{} {} UTC", moment.substr(0, kDate),
                     time.ends_with(":00") ? time.substr(0, kToMinutes) : time);
}

std::string moment_now() { return iso_time(std::chrono::system_clock::now()); }

}  // namespace mash
