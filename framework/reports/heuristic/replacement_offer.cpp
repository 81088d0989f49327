// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/replacement_offer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/reports/contribution_json.hpp"
#include "framework/reports/heuristic/trial_lines.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

ReplacementFinding finding_of(const ReplacementOffer& offer) {
  return finding_of(offer.looks.back(), offer.relevant);
}

UndecidedTest undecided_replacement(const ReplacementOffer& offer) {
  return {offer.looks.back().own.look.num_seeds, seeds_to_find(offer.looks.back(), offer.relevant),
          offer.num_held_out, offer.num_played, offer.seconds};
}

// "beside the others it gains +6.90 % of the log-loss where hog gains +6.00 % (1.02 to 1.31 times as much, 16
// seeds)". REQUIRES: there is a ratio.
std::string replacement_evidence(const ReplacementOffer& offer) {
  const ReplacementAtLook& last = offer.looks.back();
  const Interval ratio = *last.ratio_interval();
  return fmt::format(
      "beside the others it gains {:+.2f} % of the log-loss where {} gains {:+.2f} % ({:.2f} to {:.2f} times "
      "as much, {} seeds)",
      last.own.gain, offer.replaced, last.replaced.gain, ratio.low, ratio.high, last.own.look.num_seeds);
}

Json ratio_json(const ReplacementAtLook& look) {
  const auto interval = look.ratio_interval();
  if (!interval) return {};
  return {{"mean", look.ratio()}, {"low", interval->low}, {"high", interval->high}};
}

Json look_json(const ReplacementAtLook& look) {
  return {{"gain", gain_json(look.own)},
          {"replaced_gain", gain_json(look.replaced)},
          {"ratio", ratio_json(look)}};
}

// A sentence with a space before it; nothing where one of the costs is unknown.
std::string costs_of_both(const ReplacementOffer& offer) {
  if (std::isnan(offer.microseconds + offer.replaced_microseconds)) return "";
  return fmt::format(" It takes {:.1f} µs per image, {} {:.1f}.", offer.microseconds, offer.replaced,
                     offer.replaced_microseconds);
}

}  // namespace

std::string headline(const ReplacementOffer& offer) {
  const GainAtLook &own = offer.looks.back().own, &replaced = offer.looks.back().replaced;
  switch (finding_of(offer)) {
    case ReplacementFinding::kCould:
      return fmt::format("{} could replace {}: {}.", offer.heuristic, offer.replaced,
                         replacement_evidence(offer));
    case ReplacementFinding::kCannotYet:
      return fmt::format("{} cannot replace {} yet: {}; {:g} times would be enough.", offer.heuristic,
                         offer.replaced, replacement_evidence(offer), kReplacingShare);
    case ReplacementFinding::kNothingToReplace:
      return fmt::format(
          "{} has nothing to replace: beside the others {} itself gains less than {:.2f} % of the log-loss "
          "({} seeds).",
          offer.heuristic, offer.replaced, replaced.interval.high, replaced.look.num_seeds);
    case ReplacementFinding::kUndecided: break;
  }
  return fmt::format(
      "It is undecided whether {} could replace {}: beside the others it gains between {:+.2f} and {:+.2f} % "
      "of the log-loss, and {} between {:+.2f} and {:+.2f} % ({} seeds); {}.",
      offer.heuristic, offer.replaced, own.interval.low, own.interval.high, offer.replaced,
      replaced.interval.low, replaced.interval.high, own.look.num_seeds,
      cost_of_knowing(undecided_replacement(offer)));
}

std::string next_step(const ReplacementOffer& offer) {
  const std::string& replaced = offer.replaced;
  switch (finding_of(offer)) {
    case ReplacementFinding::kCould:
      return fmt::format(
          "Offer it in the place of {0} where one of the two is enough: name it instead of {0} in the "
          "experiment.{1}",
          replaced, costs_of_both(offer));
    case ReplacementFinding::kCannotYet:
      return fmt::format("Keep {}: its report shows what its gain is made of.", replaced);
    case ReplacementFinding::kNothingToReplace:
      return fmt::format("Go by the verdict above; a try of {} by itself shows whether it is wanted.",
                         replaced);
    case ReplacementFinding::kUndecided: break;
  }
  return way_to_know(undecided_replacement(offer));
}

std::string look_lines(const ReplacementOffer& offer) {
  std::string text;
  for (const ReplacementAtLook& look : offer.looks) {
    const auto ratio = look.ratio_interval();
    text += titled_line(text.empty() ? "instead" : "",
                        fmt::format("{:+.2f} % beside {} others, {} {:+.2f} %{} after {} seeds",
                                    look.own.gain, offer.num_others, offer.replaced, look.replaced.gain,
                                    ratio ? fmt::format(": {:.2f} times as much ({:.2f} to {:.2f})",
                                                        look.ratio(), ratio->low, ratio->high)
                                          : "",
                                    look.own.look.num_seeds));
  }
  return text;
}

Json to_json(const ReplacementOffer& offer) {
  Json json{{"replaced", offer.replaced}};
  json["finding"] = to_string(finding_of(offer));
  json["verdict"] = headline(offer);
  json["advice"] = next_step(offer);
  json.update(look_json(offer.looks.back()));
  json["looks"] = Json::array();
  for (const ReplacementAtLook& look : offer.looks) json["looks"].push_back(look_json(look));
  json["enough"] = kReplacingShare;
  json["others"] = offer.num_others;
  json["microseconds_per_image"] = offer.microseconds;
  json["replaced_microseconds_per_image"] = offer.replaced_microseconds;
  json["seeds_played"] = offer.num_played;
  json["seeds_found"] = offer.num_found;
  json["seconds"] = offer.seconds;
  return json;
}

}  // namespace mash
