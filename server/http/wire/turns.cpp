// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/turns.hpp"

#include <algorithm>
#include <utility>

namespace mash::server {

void Turns::add(const std::string& client, Work work) {
  const auto [own, is_new] = waiting_.try_emplace(client);
  if (is_new) order_.push_back(client);
  own->second.push_back(std::move(work));
  ++num_waiting_;
  if (own->second.size() > most_of_client_) return refuse_last(own);
  if (num_waiting_ <= most_) return;
  auto largest = own;
  for (auto other = waiting_.begin(); other != waiting_.end(); ++other)
    if (other->second.size() > largest->second.size()) largest = other;
  refuse_last(largest);
}

std::optional<Turns::Work> Turns::next() {
  if (order_.empty()) return std::nullopt;
  std::string client = std::move(order_.front());
  order_.pop_front();
  const auto own = waiting_.find(client);
  Work work = std::move(own->second.front());
  own->second.pop_front();
  --num_waiting_;
  if (own->second.empty())
    waiting_.erase(own);
  else
    order_.push_back(std::move(client));
  return work;
}

void Turns::refuse_last(Waiting::iterator client) {
  const Work work = std::move(client->second.back());
  client->second.pop_back();
  --num_waiting_;
  if (client->second.empty()) {
    std::erase(order_, client->first);
    waiting_.erase(client);
  }
  work(Turn::kRefused);
}

}  // namespace mash::server
