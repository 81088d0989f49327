// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/base/settings.hpp"

namespace mash::testing {

// Setting keys and values.
using SettingList = std::vector<std::pair<std::string, std::string>>;

inline Settings settings_of(const SettingList& list) {
  Settings settings;
  for (const auto& [key, value] : list) settings.add(key, value, "test");
  return settings;
}

}  // namespace mash::testing
