// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/records/records.hpp"
#include "server/http/frame/visit.hpp"
#include "server/http/wire/listener.hpp"

namespace mash::server {

// The most bytes of a page or a document; a larger one is not sent. What strangers write is cut long before.
inline constexpr std::size_t kMaxPageBytes = std::size_t(8) << 20;

// The pages and the API over one database. [any thread]
class Site {
 public:
  // meters: for /metrics; outlives the site. Errors (kInput): the database cannot be opened.
  static Result<Site> open(const std::filesystem::path& database, const SiteSettings& settings,
                           Meters* meters = nullptr);

  Response answer(const Request& request);

  // Steps of submissions after that event, as server-sent events of the topic of their number.
  std::vector<News> news(std::int64_t after_id);

 private:
  struct Store;
  explicit Site(std::shared_ptr<Store> store) : store_(std::move(store)) {}
  std::shared_ptr<Store> store_;
};

// "GET /api/v1/submissions/{}", of each address of the site that begins so.
std::vector<std::string> routes_below(std::string_view beginning);

}  // namespace mash::server
