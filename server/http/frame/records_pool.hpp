// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <mutex>
#include <utility>
#include <vector>

#include "framework/records/records.hpp"

namespace mash::server {

// Connections to one database, one for each answer that is being made. [any thread]
class RecordsPool {
 public:
  explicit RecordsPool(std::filesystem::path database) : database_(std::move(database)) {}

  // Runs body(Records&) with a connection that nobody else uses. Errors: those of Records::open.
  template <class Body>
  auto with(const Body& body) -> Result<decltype(body(std::declval<Records&>()))> {
    MASH_ASSIGN(Records records, take());
    auto outcome = body(records);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(records));
    return outcome;
  }

 private:
  Result<Records> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Records records = std::move(idle_.back());
        idle_.pop_back();
        return records;
      }
    }
    return Records::open(database_);
  }

  std::filesystem::path database_;
  std::mutex mutex_;
  std::vector<Records> idle_;
};

}  // namespace mash::server
