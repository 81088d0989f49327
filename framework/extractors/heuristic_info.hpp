// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mash {

inline constexpr std::uint32_t kMaxDim = 1u << 24;  // more features than any honest heuristic has

// A heuristic's parameter as its descriptor declares it, copied out of the plugin.
struct ParameterInfo {
  enum class Type { kInteger, kReal, kChoice };
  std::string id, summary;
  Type type = Type::kInteger;
  double default_value = 0, minimum = 0, maximum = 0;
  std::vector<std::string> choices;
};

// A heuristic's description of itself, copied out of the plugin: valid after it is unloaded.
struct HeuristicInfo {
  std::string id, version, author, summary, license;
  std::vector<ParameterInfo> parameters;
  bool serial = false;           // MASH_SERIAL
  std::uint32_t looks_back = 0;  // pictures before one in its sequence (MASH_SEQUENCE)
  std::filesystem::path plugin;  // the file it came from
  std::string plugin_sha256;
};

// How a heuristic misbehaved: "feature 3 is infinity".
struct Fault {
  std::string heuristic;
  std::string call;  // "compute"
  std::string message;
};

}  // namespace mash
