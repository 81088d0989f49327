// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/rows.hpp"

#include <array>

#include "classifiers/online/gradient_boost.hpp"
#include "classifiers/online/osboost.hpp"
#include "classifiers/online/oza_russell.hpp"
#include "classifiers/online/selectors.hpp"

namespace mash {
namespace {

constexpr std::array kOnlineBoosters{
    OnlineRow{"online-gradientboost", make_gradient_boost}, OnlineRow{"osboost", make_osboost, true},
    OnlineRow{"osboost.exp", make_osboost_exp, true},       OnlineRow{"osboost.ocp", make_osboost_ocp, true},
    OnlineRow{"oza-russell", make_oza_russell, true},       OnlineRow{"selectors", make_selectors},
};

}  // namespace

std::span<const OnlineRow> online_boosters() { return kOnlineBoosters; }

Result<const OnlineRow*> find_online_booster(std::string_view name) {
  std::vector<std::string_view> known;
  for (const OnlineRow& row : kOnlineBoosters) {
    if (row.name == name) return &row;
    known.push_back(row.name);
  }
  return unknown_name("online booster", name, known);
}

}  // namespace mash
