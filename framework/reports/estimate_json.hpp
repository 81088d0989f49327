// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "framework/reports/table.hpp"

namespace mash {

// {"mean", "ci95": half the width of its interval or null}.
inline nlohmann::ordered_json estimate_json(const Estimate& estimate) {
  return {{"mean", estimate.mean},
          {"ci95",
           estimate.half_width ? nlohmann::ordered_json(*estimate.half_width) : nlohmann::ordered_json()}};
}

}  // namespace mash
