// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/credit.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace mash {

std::string credit_text(const ShapleyValue& credit) {
  if (!credit.is_measured()) return "not measured";
  if (credit.standard_error == 0) return fmt::format("{:.3f} nats", credit.mean);
  return fmt::format("{:.3f} ± {:.3f} nats", credit.mean, credit.standard_error);
}

nlohmann::ordered_json credit_json(const ShapleyValue& credit) {
  const auto reach = credit.reach();
  return {{"mean", credit.mean},
          {"standard_error", credit.standard_error},
          {"ci95", reach ? nlohmann::ordered_json(*reach) : nlohmann::ordered_json()},
          {"measured", credit.is_measured()}};
}

}  // namespace mash
