// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/bandits/smoothed_errors.hpp"

#include <algorithm>

#include "framework/base/require.hpp"

namespace mash {

ErrorWindow error_window(std::uint32_t round) {
  const std::uint64_t T = round;
  return {std::uint32_t((4 * T + 4) / 5), std::uint32_t(6 * T / 5)};
}

SmoothedErrors::SmoothedErrors(std::span<const std::vector<RoundError>> runs, std::uint32_t num_rounds)
    : sums_{0} {
  for (const auto& run : runs) require(!run.empty(), "SmoothedErrors: no run is empty");
  for (std::size_t i = 0; i < num_rounds; ++i) {
    double error = 0, seconds = 0;
    for (const auto& run : runs) {
      const RoundError& point = run[std::min(i, run.size() - 1)];
      error += point.test_error / double(runs.size());
      seconds += point.seconds / double(runs.size());
    }
    sums_.push_back(sums_.back() + error);
    seconds_.push_back(seconds);
  }
}

std::uint32_t SmoothedErrors::last() const {
  const std::uint64_t num_rounds = seconds_.size();
  std::uint64_t round = 5 * num_rounds / 6;
  while (6 * (round + 1) / 5 <= num_rounds) ++round;  // the fraction of a round that the window leaves out
  return std::uint32_t(round);
}

double SmoothedErrors::at(std::uint32_t round) const {
  require(round >= 1 && round <= last(), "SmoothedErrors::at: 1 <= round <= last()");
  const ErrorWindow window = error_window(round);
  return (sums_[window.last] - sums_[window.first - 1]) / double(window.last - window.first + 1);
}

double SmoothedErrors::seconds(std::uint32_t round) const {
  require(round >= 1 && round <= seconds_.size(), "SmoothedErrors::seconds: 1 <= round <= num_rounds");
  return seconds_[round - 1];
}

std::uint32_t SmoothedErrors::best() const {
  require(last() >= 1, "SmoothedErrors::best: last() >= 1");
  std::uint32_t best = 1;
  for (std::uint32_t round = 2; round <= last(); ++round)
    if (at(round) < at(best)) best = round;
  return best;
}

std::optional<double> SmoothedErrors::seconds_to(double error) const {
  for (std::uint32_t round = 1; round <= last(); ++round)
    if (at(round) <= error) return seconds(round);
  return std::nullopt;
}

}  // namespace mash
