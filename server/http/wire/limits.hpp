// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

namespace mash::server {

// Addresses that count as one client: an address of IPv4 is one, those of IPv6 are one by their first 64
// bits, of which one household has 2^64. A text that is no address is a client of its own.
std::string network_of(const std::string& address);
// Whether it is an address of this machine alone, such as 127.0.0.1.
bool is_loopback(const std::string& address);

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

// Memory for the bodies of requests or of answers, in all and of each client. Small ones are free: the number
// of connections bounds them, and large bodies of others shut out no form and no page. [one thread at a time]
class BodyBudget {
 public:
  static constexpr std::size_t kFreeBytes = 64 << 10;

  BodyBudget(std::size_t most, std::size_t most_of_client) : most_(most), most_of_client_(most_of_client) {}

  // Bytes to give back later; nothing where there is no room for such a body.
  std::optional<std::size_t> take(const std::string& client, std::size_t num_bytes);
  void give_back(const std::string& client, std::size_t num_bytes);

 private:
  std::size_t most_, most_of_client_, taken_ = 0;
  std::unordered_map<std::string, std::size_t> taken_by_;
};

}  // namespace mash::server
