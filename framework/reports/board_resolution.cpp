// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/board_resolution.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "framework/analysis/offer_verdict.hpp"
#include "framework/base/number.hpp"

namespace mash {

bool BoardResolution::leaves_enough() const { return wrong >= kLeastWrong; }

std::string in_words(const BoardResolution& resolution) {
  const std::string base = fmt::format("The base gets {} of {} judging pictures wrong",
                                       in_digits(resolution.wrong, 3), resolution.num_pictures);
  if (!resolution.leaves_enough())
    return base +
           ": these data leave nothing to be learned. Take more pictures, a smaller base or harder data.";
  std::string gains, differences;
  for (const BoardResolution::At& at : resolution.at) {
    gains += fmt::format("{}{:.2g} % with {} seeds", gains.empty() ? "" : ", ", at.half_width, at.num_seeds);
    differences +=
        fmt::format("{}{:.2g} % with {} seeds", differences.empty() ? "" : ", ", at.difference, at.num_seeds);
  }
  return fmt::format(
      "{}. Of heuristics that gain about {} %, half the interval of a gain is {}. Of {} of them two are told "
      "apart from a difference of about {} on, and of {:.2g} % with any number of seeds: for less it takes "
      "more judging pictures. What gains more is known less well.",
      base, in_digits(resolution.gain, 2), gains, kResolutionEntries, differences, resolution.of_pictures);
}

nlohmann::ordered_json to_json(const BoardResolution& resolution) {
  nlohmann::ordered_json at = nlohmann::ordered_json::array();
  for (const BoardResolution::At& one : resolution.at)
    at.push_back({{"seeds", one.num_seeds}, {"half_width", one.half_width}, {"difference", one.difference}});
  return {{"pictures", resolution.num_pictures},
          {"wrong", resolution.wrong},
          {"leaves_enough", resolution.leaves_enough()},
          {"offered", resolution.num_offered},
          {"seeds", resolution.num_seeds},
          {"gain", resolution.gain},
          {"entries", kResolutionEntries},
          {"at", at},
          {"of_pictures", resolution.of_pictures},
          {"words", in_words(resolution)}};
}

}  // namespace mash
