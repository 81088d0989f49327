// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <mutex>

#include "framework/records/records.hpp"
#include "server/http/message.hpp"

namespace mash::server {

// The pages and the API over one database. [any thread]
class Site {
 public:
  // Errors (kInput): the database cannot be opened.
  static Result<Site> open(const std::filesystem::path& database);

  Response answer(const Request& request);

 private:
  struct Store;
  explicit Site(std::shared_ptr<Store> store) : store_(std::move(store)) {}
  std::shared_ptr<Store> store_;
};

}  // namespace mash::server
