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
    OnlineRow{"online-gradientboost",
              "selectors of stumps, weighted by the slope of a loss (Leistner et al. 2009)",
              "loss: logistic|exponential|savage, selectors: 250, pool: 50, pools: own|shared",
              make_gradient_boost},
    OnlineRow{"osboost", "online boosting with smooth weights and equal votes (Chen, Lin & Lu 2012)",
              "gamma: 0.1", make_osboost, true},
    OnlineRow{"osboost.exp",
              "osboost whose first learners vote, as many as did best (Chen, Lin & Lu 2012, OSBoost.EXP)",
              "gamma: 0.1, learners: fixed|updated", make_osboost_exp, true},
    OnlineRow{"osboost.ocp",
              "osboost whose votes follow the slope of a hinge (Chen, Lin & Lu 2012, OSBoost.OCP)",
              "gamma: 0.1, learners: fixed|updated", make_osboost_ocp, true},
    OnlineRow{"oza-russell",
              "online AdaBoost: learners pass on how much an example matters (Oza & Russell 2001)",
              "learners: fixed|updated, draws: weighted|poisson", make_oza_russell, true},
    OnlineRow{"selectors",
              "online boosting that chooses among features and replaces the worst (Grabner & Bischof 2006)",
              "selectors: 250, pool: 50, pools: own|shared", make_selectors},
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
