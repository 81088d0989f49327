// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "framework/extractors/host.hpp"
#include "framework/families/family.hpp"
#include "framework/records/family_row.hpp"

namespace mash {

// Families as they go into the records.
std::vector<FamilyRow> family_rows(std::span<const FamilyInfo> families);

std::vector<IncidentRow> incident_rows(std::span<const Incident> incidents);

}  // namespace mash
