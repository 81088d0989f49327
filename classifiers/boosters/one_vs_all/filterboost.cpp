// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/filterboost.hpp"

#include "classifiers/boosters/one_vs_all/filter_plan.hpp"

namespace mash {

Result<std::unique_ptr<const Booster>> make_filterboost(Settings& settings, SearchParts search) {
  OneVsAll::Options options;
  options.name = "filterboost";
  options.takes_endless = true;
  FilterPlanSettings filter;
  MASH_ASSIGN(options.num_rounds, read_num_rounds(settings, 100));
  MASH_ASSIGN(filter.sample_factor, settings.real("sample", filter.sample_factor, 1, 1e6));
  MASH_ASSIGN(const auto edge_samples, settings.integer_or("edge_samples", "auto", 1, 1'000'000'000));
  MASH_ASSIGN(filter.tau, settings.real("tau", filter.tau, 0.001, 0.999));
  MASH_ASSIGN(filter.filter.epsilon, settings.real("epsilon", filter.filter.epsilon, 1e-6, 0.999));
  MASH_ASSIGN(filter.filter.delta, settings.real("delta", filter.filter.delta, 1e-6, 0.999));
  MASH_ASSIGN(options.scan, read_scan_mode(settings));
  if (edge_samples) {
    filter.edge_samples = std::uint64_t(*edge_samples);
    if (settings.has("tau"))
      MASH_TRY(settings.refuse(
          input_error("{}: tau is for edges whose examples are counted as they come; found it beside "
                      "edge_samples: {}, expected edge_samples: auto",
                      settings.where("tau"), *edge_samples)));
  }
  options.parts = [filter](const PlanGround& ground) { return make_filter_parts(filter, ground); };
  return {std::make_unique<const OneVsAll>(std::move(options), std::move(search))};
}

}  // namespace mash
