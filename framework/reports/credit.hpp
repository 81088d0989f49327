// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "framework/analysis/shapley.hpp"

namespace mash {

// A family's share of what all remove of the log-loss, with its standard error: "0.120 ± 0.010 nats"; "not
// measured" where the error is more than half of it.
std::string credit_text(const ShapleyValue& credit);
// {"mean", "standard_error", "ci95", "measured"}, in nats; what is not known is null.
nlohmann::ordered_json credit_json(const ShapleyValue& credit);

}  // namespace mash
