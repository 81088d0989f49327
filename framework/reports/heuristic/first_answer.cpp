// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/first_answer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "framework/reports/contribution_json.hpp"
#include "framework/reports/heuristic/trial_lines.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

std::string gain_in_words(const FirstAnswer& answer) {
  const GainAtLook& last = answer.offer.figures.last;
  return fmt::format("{:+.2f} % of the log-loss, between {:+.2f} and {:+.2f}", last.gain, last.interval.low,
                     last.interval.high);
}

std::string num_families(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "family" : "families");
}

// "on 6000 of 60000 training pictures, beside 24 of 25 families, after 8 seeds"
std::string founded_on(const FirstAnswer& answer) {
  const std::size_t num_beside = answer.offer.pool.size(), num_in_all = num_beside + answer.left_out.size();
  const std::string beside = num_beside == num_in_all
                                 ? num_families(num_beside)
                                 : fmt::format("{} of {}", num_beside, num_families(num_in_all));
  const std::size_t num_train = answer.offer.pictures.num_train;
  const std::string pictures = num_train == answer.num_all_train
                                   ? fmt::format("all {}", num_train)
                                   : fmt::format("{} of {}", num_train, answer.num_all_train);
  return fmt::format("on {} training pictures, beside {}, after {} seeds", pictures, beside,
                     answer.offer.figures.last.look.num_seeds);
}

std::string verdict_in_words(const FirstAnswer& answer) {
  const std::string& name = name_in_words(answer.offer);
  switch (verdict_of(answer.offer.figures)) {
    case OfferVerdict::kNothingToLearn:
    case OfferVerdict::kSuspicious:
    case OfferVerdict::kCopy: return headline(answer.offer);
    case OfferVerdict::kAddsMuch:
    case OfferVerdict::kAdds: return fmt::format("{} adds, {}.", name, gain_in_words(answer));
    case OfferVerdict::kHarmful: return fmt::format("{} harms, {}.", name, gain_in_words(answer));
    case OfferVerdict::kNothing:
      return fmt::format("no gain of {} is seen yet, {}.", name, gain_in_words(answer));
    case OfferVerdict::kUndecided: break;
  }
  return fmt::format("the gain of {} is undecided, {}.", name, gain_in_words(answer));
}

}  // namespace

std::string_view first_finding(const FirstAnswer& answer) {
  const OfferVerdict verdict = verdict_of(answer.offer.figures);
  if (verdict == OfferVerdict::kAddsMuch) return to_string(OfferVerdict::kAdds);
  return verdict == OfferVerdict::kNothing ? "no gain seen" : to_string(verdict);
}

std::string headline(const FirstAnswer& answer) {
  return fmt::format("{}{}: {}", kFirstSight, founded_on(answer), verdict_in_words(answer));
}

std::string render_text(const FirstAnswer& answer) {
  std::string text = headline(answer) + "\n";
  for (const FirstAnswer::LeftOut& family : answer.left_out)
    text += titled_line(&family == answer.left_out.data() ? "left out" : "",
                        fmt::format("{}: {}", family.family, family.reason));
  text += "On all pictures, beside all families, the gain is another one";
  if (answer.full_command.empty()) return text + ": the full test goes on.\n";
  return text + fmt::format(". The full test: {}\n({:.1f} s)\n", answer.full_command, answer.seconds);
}

Json to_json(const FirstAnswer& answer) {
  const HeuristicOffer& offer = answer.offer;
  const OfferFigures& figures = offer.figures;
  const bool tells_gain = !figures.leaves_nothing();
  Json left_out = Json::array();
  for (const FirstAnswer::LeftOut& family : answer.left_out)
    left_out.push_back({{"family", family.family}, {"reason", family.reason}});
  return {{"first_answer", true},
          {"heuristic", offer.heuristic},
          {"version", offer.version},
          {"settings", offer.settings},
          {"plugin_sha256", offer.plugin_sha256},
          {"dataset", offer.dataset},
          {"num_train", offer.pictures.num_train},
          {"num_all_train", answer.num_all_train},
          {"num_held_out", offer.pictures.num_held_out},
          {"pool", offer.pool},
          {"left_out", std::move(left_out)},
          {"finding", first_finding(answer)},
          {"answer", headline(answer)},
          {"gain", tells_gain ? gain_json(figures.last) : Json()},
          {"wins", figures.num_wins},
          {"duels", figures.num_duels},
          {"win_index", figures.win_index()},
          {"neighbours", neighbours_json(offer.neighbours, offer.pool)},
          {"cost", cost_json(offer.cost)},
          {"extract_seconds", offer.work.extract_seconds},
          {"seconds", answer.seconds},
          {"full_command", answer.full_command}};
}

}  // namespace mash
