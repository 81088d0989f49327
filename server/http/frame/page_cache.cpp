// SPDX-License-Identifier: Apache-2.0
#include "server/http/frame/page_cache.hpp"

namespace mash::server {

std::shared_ptr<const Response> PageCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  pages_.splice(pages_.begin(), pages_, place->second);
  return place->second->second;
}

void PageCache::keep(const std::string& key, std::shared_ptr<const Response> page) {
  const std::lock_guard lock(mutex_);
  if (page->body.size() > kMostBytes || places_.contains(key)) return;
  num_bytes_ += page->body.size();
  pages_.emplace_front(key, std::move(page));
  places_.emplace(key, pages_.begin());
  while (pages_.size() > kMostPages || num_bytes_ > kMostBytes) {
    num_bytes_ -= pages_.back().second->body.size();
    places_.erase(pages_.back().first);
    pages_.pop_back();
  }
}

}  // namespace mash::server
