// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "server/http/wire/message.hpp"

namespace mash::server {

// Answers that are the same for everybody. A key says all that they follow from, so that none grows old;
// those that were asked for longest ago make room. [any thread]
class PageCache {
 public:
  static constexpr std::size_t kMostPages = 256, kMostBytes = 32 << 20;

  // Nothing: none is kept under this key.
  std::shared_ptr<const Response> find(const std::string& key);
  void keep(const std::string& key, std::shared_ptr<const Response> page);

 private:
  using Pages = std::list<std::pair<std::string, std::shared_ptr<const Response>>>;
  std::mutex mutex_;
  Pages pages_;  // the one asked for last is the first
  std::unordered_map<std::string, Pages::iterator> places_;
  std::size_t num_bytes_ = 0;  // of all bodies
};

}  // namespace mash::server
