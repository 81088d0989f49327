// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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
  std::size_t idx_in_plugin = 0;  // among the heuristics of that file
};

// A value that is none, as numbers alone: a worker tells of it in these.
enum class FaultKind : std::uint32_t { kNotWritten, kNaN, kInfinity, kMinusInfinity };
struct FaultNote {
  std::uint32_t feature_idx = 0;
  FaultKind kind = FaultKind::kNaN;
};

// How a heuristic misbehaved: "feature 3 is infinity".
struct Fault {
  std::string heuristic;
  std::string call;  // "compute"
  std::string message;
  FaultNote note = {};
};

}  // namespace mash
