// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "framework/analysis/family_contribution.hpp"
#include "framework/analysis/gain_parts.hpp"
#include "framework/analysis/looks.hpp"

namespace mash {

// Parts that the JSON of a trial, of a heuristic's report and of a pool's share.

// {"mean", "ci95": half the width of its interval or null}.
nlohmann::ordered_json estimate_json(const Estimate& estimate);
// names: for Neighbour::family_idx.
nlohmann::ordered_json neighbours_json(std::span<const Neighbour> neighbours,
                                       std::span<const std::string> names);
nlohmann::ordered_json cost_json(const FamilyCost& cost);
// A gain in per cent of the log-loss.
nlohmann::ordered_json gain_json(const GainAtLook& look);
// The part of some examples in a gain.
nlohmann::ordered_json part_json(const GainPart& part);
// names: of the classes.
nlohmann::ordered_json classes_json(std::span<const GainPart> classes, std::span<const std::string> names);

}  // namespace mash
