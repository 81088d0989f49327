// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/watched_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <vector>

#include "framework/base/number.hpp"

namespace mash {
namespace {

constexpr int kCannotRun = 126, kNotThere = 127;  // exit codes of a shell
constexpr int kEndedBySignal = 128;               // and a signal: the status of a program that it ended

WatchedEnd::How how_it_ended(int status) {
  using enum WatchedEnd::How;
  switch (status) {
    case 0: return kGood;
    case kCannotRun:
    case kNotThere: return kNotRun;
    case kEndedBySignal + SIGKILL: return kKilled;
    case kEndedBySignal + SIGXCPU: return kProcessorTime;
    case kEndedBySignal + SIGXFSZ: return kFileSize;
    default: return status > kEndedBySignal ? kOtherSignal : kExit;
  }
}

std::string_view cut_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Seconds of "0m0.31s 0m0.02s", of the user's part and the system's.
double seconds_in(std::string_view line) {
  double sum = 0;
  while (!line.empty()) {
    sum += 60 * take_number<int>(line).value_or(0);
    line.remove_prefix(std::min<std::size_t>(1, line.size()));
    sum += take_number<double>(line).value_or(0);
    line.remove_prefix(std::min(line.size(), std::min(line.find(' '), line.size()) + 1));
  }
  return sum;
}

}  // namespace

std::string note_end_as(std::string_view program) {
  return fmt::format(R"(status=$?; {{ echo "{} $status"; times; }} >&4)", program);
}

WatchedEnd first_that_failed(std::string_view notes) {
  while (!notes.empty()) {
    const std::string_view line = cut_line(notes);
    cut_line(notes);  // of the shell itself
    const double seconds = seconds_in(cut_line(notes));
    const std::size_t blank = std::min(line.rfind(' '), line.size());
    const auto status = number_in<int>(line.substr(std::min(blank + 1, line.size())));
    if (status && *status != 0) return {how_it_ended(*status), std::string(line.substr(0, blank)), seconds};
  }
  return {};
}

}  // namespace mash
