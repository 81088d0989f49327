// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/exhaustive_trial.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/render/wording.hpp"
#include "framework/reports/contribution_json.hpp"
#include "framework/reports/few_seeds.hpp"
#include "framework/reports/heuristic/trial_lines.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSeeds = 1000;  // that a trial may have

// "2.10 % ± 0.03"
std::string percent(const Estimate& value) {
  return fmt::format("{:.2f} %{}", 100 * value.mean,
                     value.half_width ? fmt::format(" ± {:.2f}", 100 * *value.half_width) : "");
}

std::string range(const GainAtLook& gain) {
  return fmt::format("between {:+.2f} and {:+.2f}", gain.interval.low, gain.interval.high);
}

// REQUIRES: the pool has families.
const std::string& nearest_family(const ExhaustiveTrial& trial) {
  return trial.pool[trial.neighbours[0].family_idx];
}

// Held-out pictures that the pool gets wrong, mean over seeds.
double wrong_before(const ExhaustiveTrial& trial) {
  return trial.error_before.mean * double(trial.num_held_out);
}

bool tells_gain(const ExhaustiveTrial& trial) { return verdict_of(trial) != OfferVerdict::kNothingToLearn; }

// Lines of the gain and of where it comes from.
std::string gain_lines(const ExhaustiveTrial& trial) {
  if (!tells_gain(trial)) return "";
  std::string text =
      titled_line("gain", fmt::format("{:+.2f} % of the log-loss, {}: 95 %, over {} seeds and the pictures",
                                      trial.gain.gain, range(trial.gain), trial.seeds.size()));
  if (const std::string remark = few_seeds_remark(trial.gain.error); !remark.empty())
    text += titled_line("", remark);
  if (trial.replaced)
    text += titled_line("instead",
                        fmt::format("{:+.2f} %, {}, where it takes the place of {}", trial.replaced->gain,
                                    range(*trial.replaced), nearest_family(trial)));
  text += titled_line("helps", class_list(trial.classes, trial.class_names, true));
  return text + titled_line("hurts", class_list(trial.classes, trial.class_names, false));
}

// The cost of more seeds.
std::string cost_of_more_seeds(const ExhaustiveTrial& trial) {
  const std::size_t num_seeds = trial.seeds.size(), enough = seeds_to_decide(trial.gain, trial.relevant);
  if (enough == 0 || enough > kMostSeeds)
    return fmt::format("the {} held-out pictures are too few to tell by {} seeds", trial.num_held_out,
                       kMostSeeds);
  // The spread of few seeds is hardly known: no fewer than as many again.
  const std::size_t wanted = std::max(enough, 2 * num_seeds);
  const std::string seeds = fmt::format("about {0} seeds would tell: --seeds {0}", wanted);
  if (trial.num_trained == 0) return seeds;
  const double of_one_training = (trial.seconds - trial.extract_seconds) / double(trial.num_trained);
  const double trainings_of_a_seed = double(trial.num_trained + trial.num_found) / double(num_seeds);
  return fmt::format("{}, about {:.0f} s more", seeds,
                     std::ceil(double(wanted - num_seeds) * trainings_of_a_seed * of_one_training));
}

}  // namespace

OfferVerdict verdict_of(const ExhaustiveTrial& trial) {
  OfferFigures figures;
  figures.last = trial.gain;
  figures.relevant = trial.relevant;
  figures.nearest_cka = trial.neighbours[0].cka;
  figures.pool_wrong = wrong_before(trial);
  figures.num_judges = trial.num_held_out;
  return verdict_of(figures);
}

std::string headline(const ExhaustiveTrial& trial) {
  const std::string& name = trial.heuristic;
  const GainAtLook& gain = trial.gain;
  const std::string evidence =
      fmt::format("{:+.2f} % of the log-loss, {} ({} seeds)", gain.gain, range(gain), trial.seeds.size());
  switch (verdict_of(trial)) {
    case OfferVerdict::kNothingToLearn:
      return nothing_to_learn(name, wrong_before(trial), trial.num_held_out, "held-out");
    case OfferVerdict::kSuspicious:
      return fmt::format(
          "{} is suspicious: with it at most a fifth of the log-loss is left ({} seeds). It may see the "
          "answer.",
          name, trial.seeds.size());
    case OfferVerdict::kCopy:
      return fmt::format(
          "{} is a copy of {}: their features span the same (CKA {:.3f}), and no gain is certain: {}.", name,
          nearest_family(trial), trial.neighbours[0].cka, evidence);
    case OfferVerdict::kAddsMuch:
    case OfferVerdict::kAdds:
      return fmt::format("{} adds: models of {} rounds with it remove more than models without it, {}.", name,
                         trial.rounds, evidence);
    case OfferVerdict::kHarmful:
      return fmt::format("{} is harmful: models of {} rounds with it leave more than models without it, {}.",
                         name, trial.rounds, evidence);
    case OfferVerdict::kNothing:
      return fmt::format(
          "{} adds nothing measurable to models of {} rounds: a gain of more than {:.2f} % of the log-loss "
          "would have been seen ({} seeds).",
          name, trial.rounds, gain.interval.high, trial.seeds.size());
    case OfferVerdict::kUndecided: break;
  }
  return fmt::format("{} is undecided: its gain in models of {} rounds is {} % of the log-loss; {}.", name,
                     trial.rounds, range(gain), cost_of_more_seeds(trial));
}

std::string next_step(const ExhaustiveTrial& trial) {
  const auto text = [&]() -> std::string {
    switch (verdict_of(trial)) {
      case OfferVerdict::kNothingToLearn: return std::string(kTakeHarderData);
      case OfferVerdict::kSuspicious: return std::string(kLookForALeak);
      case OfferVerdict::kCopy:
        return fmt::format("Compute something that {} does not: look at what its features miss.",
                           nearest_family(trial));
      case OfferVerdict::kAddsMuch:
      case OfferVerdict::kAdds: return "Keep it.";
      case OfferVerdict::kHarmful: return std::string(kMakeCoarser);
      case OfferVerdict::kNothing:
        return fmt::format("Compute what {}, its nearest neighbour in the pool, misses.",
                           nearest_family(trial));
      case OfferVerdict::kUndecided: break;
    }
    return "Without --exhaustive a smaller gain is seen in less time.";
  };
  const std::string of_cost = cost_advice(trial.cost, trial.pool_microseconds);
  return of_cost.empty() ? text() : text() + " " + of_cost;
}

std::string render_text(const ExhaustiveTrial& trial) {
  std::string text = fmt::format(
      "{} {}{} on {}, in models of {} rounds beside {} families, judged on {} held-out of {} training "
      "pictures\nsampler {}\n\n{}\nNext: {}\n\n",
      trial.heuristic, trial.version, trial.settings.empty() ? "" : fmt::format(" ({})", trial.settings),
      trial.dataset, trial.rounds, trial.pool.size(), trial.num_held_out, trial.num_train, trial.sampler,
      headline(trial), next_step(trial));
  text += gain_lines(trial);
  text += neighbour_lines(trial.neighbours, trial.pool);
  text += titled_line("errors", fmt::format("{} -> {} of the held-out pictures; by itself {}; {} over seeds",
                                            percent(trial.error_before), percent(trial.error_after),
                                            percent(trial.alone_error), kHalfInterval));
  text += titled_line("cost", cost_text(trial.cost, trial.pool_microseconds));
  return text + fmt::format("({:.1f} s: extraction {:.1f} s; {} trainings, {} found in the records)\n",
                            trial.seconds, trial.extract_seconds, trial.num_trained, trial.num_found);
}

Json to_json(const ExhaustiveTrial& trial) {
  Json json{{"heuristic", trial.heuristic},
            {"version", trial.version},
            {"settings", trial.settings},
            {"experiment", trial.experiment},
            {"dataset", trial.dataset},
            {"num_train", trial.num_train},
            {"num_held_out", trial.num_held_out},
            {"pool", trial.pool},
            {"rounds", trial.rounds},
            {"seeds", trial.seeds},
            {"sampler", trial.sampler}};
  json["finding"] = to_string(verdict_of(trial));
  json["verdict"] = headline(trial);
  json["advice"] = next_step(trial);
  json["gain"] = tells_gain(trial) ? gain_json(trial.gain) : Json();
  json["relevant"] = trial.relevant;
  json["replaced"] = Json();
  if (trial.replaced && tells_gain(trial))
    json["replaced"] = {{"gain", gain_json(*trial.replaced)}, {"neighbour", nearest_family(trial)}};
  json["classes"] = tells_gain(trial) ? classes_json(trial.classes, trial.class_names) : Json::array();
  json["alone_error"] = estimate_json(trial.alone_error);
  json["pool_error"] = estimate_json(trial.error_before);
  json["with_error"] = estimate_json(trial.error_after);
  json["neighbours"] = neighbours_json(trial.neighbours, trial.pool);
  json["cost"] = cost_json(trial.cost);
  json["extract_seconds"] = trial.extract_seconds;
  json["seconds"] = trial.seconds;
  json["trainings"] = trial.num_trained;
  json["trainings_found"] = trial.num_found;
  json["warnings"] = trial.warnings;
  return json;
}

}  // namespace mash
