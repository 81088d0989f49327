// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mash {

// A heuristic as it goes into the records. A new build counts as another heuristic.
struct HeuristicRow {
  std::string id, version, author, summary, license;
  std::string plugin;         // file name or path
  std::string plugin_sha256;  // of the file
};

// A call of a heuristic that went wrong.
struct FaultRow {
  std::string call;  // "compute"
  std::string message;
};

// A heuristic that ended its worker process, or that was stopped together with it: see Incident in
// extractors/host.hpp.
struct IncidentRow {
  std::string heuristic;  // id
  std::string call;       // "prepare"
  std::optional<std::int64_t> image;
  std::string ended;   // "signal 11 (SEGV)"
  std::string errors;  // the end of what it wrote to stderr
};

// A family of a run as it goes into the records. Units: docs/records.md.
struct FamilyRow {
  std::string name;  // unique in the run
  std::string settings;
  HeuristicRow heuristic;
  std::uint32_t dim = 0;
  std::uint32_t num_distinct = 0;
  bool lazy = false;  // evaluated on demand
  std::uint64_t num_faults = 0;
  std::vector<FaultRow> first_faults;
  double extract_seconds = 0;
  double microseconds_per_image = 0;
};

}  // namespace mash
