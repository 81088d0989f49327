// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace mash::server {

// Counts of the server's own work, as Prometheus reads it. [any thread]
class Meters {
 public:
  void count_answer(int status, double seconds);
  void connections(std::int64_t change) { num_connections_ += change; }
  void streams(std::int64_t change) { num_streams_ += change; }
  void count_refusal() { ++num_refused_; }

  // Text exposition format 0.0.4.
  std::string text() const;

 private:
  static constexpr std::array<double, 7> kBounds{0.001, 0.005, 0.02, 0.05, 0.2, 1, 5};  // seconds

  std::array<std::atomic<std::uint64_t>, 6> num_answers_{};  // by the first digit of the status
  std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> num_within_{};
  std::atomic<std::uint64_t> microseconds_{}, num_refused_{};
  std::atomic<std::int64_t> num_connections_{}, num_streams_{};
};

}  // namespace mash::server
