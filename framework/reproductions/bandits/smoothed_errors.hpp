// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/records/test_errors.hpp"

namespace mash {

// The rounds that the smoothed error of round T looks at: [4T/5, 6T/5], without fractions of a round.
struct ErrorWindow {
  std::uint32_t first = 0, last = 0;
};
ErrorWindow error_window(std::uint32_t round);

// The smoothed test error of Busa-Fekete & Kegl 2010, section 4.2: R(T), the mean of the error over the
// rounds of the window of T. (As printed, 5/T times the sum over these 2T/5 rounds, it would be twice the
// mean.)
class SmoothedErrors {
 public:
  // runs: the errors after rounds 1, 2, ... of each seed; means over the seeds are looked at. A training that
  // ended by itself before num_rounds keeps its last error. REQUIRES: no run is empty.
  SmoothedErrors(std::span<const std::vector<RoundError>> runs, std::uint32_t num_rounds);

  // The largest round whose window lies within num_rounds; 0 where there is none.
  std::uint32_t last() const;

  // R(T). REQUIRES: 1 <= round <= last().
  double at(std::uint32_t round) const;

  // Seconds of training up to that round. REQUIRES: 1 <= round <= num_rounds.
  double seconds(std::uint32_t round) const;

  // The T of the smallest R(T), the first among equals. REQUIRES: last() >= 1.
  std::uint32_t best() const;

  // Seconds until R(T) first was at most `error`; nothing where it never was.
  std::optional<double> seconds_to(double error) const;

 private:
  std::vector<double> sums_;     // of the errors of rounds 1 ... i
  std::vector<double> seconds_;  // per round
};

}  // namespace mash
