// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <unordered_map>

namespace mash::server {

// How often each client may do something: a bucket of tokens each, that fills at a steady rate.
// [one thread at a time]
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  // burst: the most at once.
  RateLimit(double per_second, double burst) : per_second_(per_second), burst_(burst) {}

  // Seconds to wait until it may be done; 0: it may be done now, and counts.
  double take(const std::string& client, Clock::time_point now);

 private:
  struct Bucket {
    double tokens = 0;
    Clock::time_point at;
  };
  // Forgets clients whose buckets are full again, where there are many.
  void forget(Clock::time_point now);
  double filled(const Bucket& bucket, Clock::time_point now) const;

  double per_second_, burst_;
  std::size_t most_clients_ = 10'000;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace mash::server
