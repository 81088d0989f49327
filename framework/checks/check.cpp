// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/check.hpp"

#include "framework/base/settings.hpp"
#include "framework/checks/advisory.hpp"
#include "framework/checks/contract.hpp"
#include "framework/checks/determinism.hpp"
#include "framework/checks/load.hpp"
#include "framework/checks/resources.hpp"
#include "framework/checks/robustness.hpp"
#include "framework/checks/values.hpp"

namespace mash::checks {

const std::vector<Check>& all_checks() {
  static const std::vector<Check> checks = [] {
    std::vector<Check> all;
    for (const auto level : {load_checks(), contract_checks(), values_checks(), determinism_checks(),
                             resources_checks(), robustness_checks(), advisory_checks()})
      all.insert(all.end(), level.begin(), level.end());
    return all;
  }();
  return checks;
}

Result<const Check*> find_check(std::string_view id) {
  std::vector<std::string_view> known;
  for (const Check& check : all_checks()) {
    if (check.id == id) return &check;
    known.push_back(check.id);
  }
  return unknown_name("check", id, known);
}

}  // namespace mash::checks
