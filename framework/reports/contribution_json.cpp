// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/contribution_json.hpp"

namespace mash {

using Json = nlohmann::ordered_json;

Json estimate_json(const Estimate& estimate) {
  return {{"mean", estimate.mean}, {"ci95", estimate.half_width ? Json(*estimate.half_width) : Json()}};
}

Json neighbours_json(std::span<const Neighbour> neighbours, std::span<const std::string> names) {
  Json json = Json::array();
  for (const Neighbour& neighbour : neighbours)
    json.push_back({{"family", names[neighbour.family_idx]},
                    {"cka", neighbour.cka},
                    {"explained_by_r2", neighbour.explained_by},
                    {"explains_r2", neighbour.explains}});
  return json;
}

Json cost_json(const FamilyCost& cost) {
  return {{"microseconds_per_image", cost.microseconds_per_image},
          {"dim", cost.dim},
          {"constant", cost.num_constant},
          {"copies", cost.num_own_copies},
          {"copies_in_pool", cost.num_pool_copies},
          {"faults", cost.num_faults}};
}

Json gain_json(const GainAtLook& look) {
  return {{"seeds", look.look.num_seeds},
          {"alpha", look.look.alpha},
          {"mean", look.gain},
          {"standard_error", look.error.standard_error()},
          {"low", look.interval.low},
          {"high", look.interval.high}};
}

Json part_json(const GainPart& part) {
  return {{"examples", part.num_examples},
          {"gain", part.gain},
          {"standard_error", part.standard_error()},
          {"p_corrected", part.p_corrected}};
}

Json classes_json(std::span<const GainPart> classes, std::span<const std::string> names) {
  Json json = Json::array();
  for (const GainPart& part : classes) {
    json.push_back({{"class", names[part.group_idx]}});
    json.back().update(part_json(part));
  }
  return json;
}

}  // namespace mash
