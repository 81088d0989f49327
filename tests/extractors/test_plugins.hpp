// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/extractors/catalogue.hpp"
#include "framework/extractors/guard.hpp"
#include "framework/extractors/plugin.hpp"

namespace mash {

// tests/extractors/plugins/<name>.cpp, built.
inline std::filesystem::path test_plugin(const std::string& name) {
  return std::filesystem::path(MASH_TEST_PLUGIN_DIR) / (name + ".so");
}

inline Catalogue scan_folder(const std::filesystem::path& folder) {
  return Catalogue::scan(std::vector{folder});
}

// The first heuristic of a test plugin, behind its guard. An error is given as it is.
inline Result<std::unique_ptr<GuardedHeuristic>> open_guarded(const std::string& name,
                                                              const std::vector<double>& values = {},
                                                              Remarks& remarks = no_remarks()) {
  MASH_ASSIGN(auto plugin, Plugin::load(test_plugin(name)));
  return GuardedHeuristic::create(std::move(plugin), 0, values, 1, remarks);
}

// The message of a failed result; "" where it has none.
template <class T>
std::string message_of(const Result<T>& result) {
  return result.ok() ? "" : result.error().message;
}

}  // namespace mash
