// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"

namespace mash::testing {

// Remarks that are kept to be looked at. Read them when nobody makes any more.
class HeardRemarks final : public Remarks {
 public:
  void warn(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    warnings.emplace_back(text);
  }
  void tell(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    told.emplace_back(text);
  }

  std::vector<std::string> warnings, told;

 private:
  std::mutex mutex_;
};

}  // namespace mash::testing
