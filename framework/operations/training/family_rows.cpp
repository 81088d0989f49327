// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/family_rows.hpp"

namespace mash {

std::vector<FamilyRow> family_rows(std::span<const FamilyInfo> families) {
  std::vector<FamilyRow> rows;
  for (const FamilyInfo& family : families) {
    const HeuristicInfo& heuristic = family.spec.heuristic;
    FamilyRow& row = rows.emplace_back();
    row.name = family.spec.name;
    row.settings = family.spec.settings;
    row.heuristic = {heuristic.id,      heuristic.version,         heuristic.author,       heuristic.summary,
                     heuristic.license, heuristic.plugin.string(), heuristic.plugin_sha256};
    row.dim = family.dim;
    row.num_distinct = family.num_distinct;
    row.lazy = family.lazy;
    row.num_faults = family.num_faults;
    for (const Fault& fault : family.first_faults) row.first_faults.push_back({fault.call, fault.message});
    row.extract_seconds = family.extract_seconds;
    row.microseconds_per_image = family.microseconds_per_image;
  }
  return rows;
}

std::vector<IncidentRow> incident_rows(std::span<const Incident> incidents) {
  std::vector<IncidentRow> rows;
  for (const Incident& incident : incidents)
    rows.push_back({incident.heuristic, incident.call, incident.image, incident.end, incident.errors});
  return rows;
}

}  // namespace mash
