// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/limits.hpp"

#include <algorithm>

namespace mash::server {

double RateLimit::take(const std::string& client, Clock::time_point now) {
  if (buckets_.size() >= most_clients_) forget(now);
  Bucket& bucket = buckets_.try_emplace(client, Bucket{burst_, now}).first->second;
  bucket = {filled(bucket, now), now};
  if (bucket.tokens < 1) return (1 - bucket.tokens) / per_second_;
  bucket.tokens -= 1;
  return 0;
}

double RateLimit::filled(const Bucket& bucket, Clock::time_point now) const {
  const double seconds = std::chrono::duration<double>(now - bucket.at).count();
  return std::min(burst_, bucket.tokens + per_second_ * seconds);
}

void RateLimit::forget(Clock::time_point now) {
  std::erase_if(buckets_, [&](const auto& one) { return filled(one.second, now) >= burst_; });
  most_clients_ = std::max<std::size_t>(10'000, 2 * buckets_.size());
}

}  // namespace mash::server
