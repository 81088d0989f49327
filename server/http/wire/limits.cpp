// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/limits.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace mash::server {
namespace {

namespace ip = boost::asio::ip;

// One of IPv4 that is written as one of IPv6 is one of IPv4. Nothing where it is none.
std::optional<ip::address> address_in(const std::string& text) {
  boost::system::error_code code;
  const ip::address address = ip::make_address(text, code);
  if (code) return std::nullopt;
  const bool is_mapped = address.is_v6() && address.to_v6().is_v4_mapped();
  return is_mapped ? ip::make_address_v4(ip::v4_mapped, address.to_v6()) : address;
}

}  // namespace

std::string network_of(const std::string& address) {
  const auto known = address_in(address);
  if (!known) return address;
  if (known->is_v4()) return known->to_string();
  ip::address_v6 v6 = known->to_v6();
  v6.scope_id(0);
  return ip::make_network_v6(v6, 64).canonical().to_string();
}

bool is_loopback(const std::string& address) {
  const auto known = address_in(address);
  return known && known->is_loopback();
}

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

std::optional<std::size_t> BodyBudget::take(const std::string& client, std::size_t num_bytes) {
  if (num_bytes <= kFreeBytes) return 0;
  const auto known = taken_by_.find(client);
  const std::size_t own = known == taken_by_.end() ? 0 : known->second;
  if (num_bytes > most_ - taken_ || num_bytes > most_of_client_ - own) return std::nullopt;
  taken_ += num_bytes;
  taken_by_[client] = own + num_bytes;
  return num_bytes;
}

void BodyBudget::give_back(const std::string& client, std::size_t num_bytes) {
  if (num_bytes == 0) return;
  taken_ -= num_bytes;
  const auto own = taken_by_.find(client);
  if ((own->second -= num_bytes) == 0) taken_by_.erase(own);
}

}  // namespace mash::server
