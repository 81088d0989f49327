// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/offer.hpp"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "framework/reports/contribution_json.hpp"
#include "framework/reports/heuristic/trial_lines.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// "+1.50 % of the log-loss, between +1.00 and +2.00 (16 seeds)"
std::string evidence(const HeuristicOffer& offer) {
  const GainAtLook& last = offer.figures.last;
  return fmt::format("{:+.2f} % of the log-loss, between {:+.2f} and {:+.2f} ({} seeds)", last.gain,
                     last.interval.low, last.interval.high, last.look.num_seeds);
}

std::string nothing_left(const HeuristicOffer& offer) {
  return nothing_to_learn(offer.heuristic, offer.figures.pool_wrong, offer.pictures.num_held_out,
                          offer.pictures.judges);
}

// REQUIRES: the pool has families.
const std::string& nearest(const HeuristicOffer& offer) { return offer.pool[offer.neighbours[0].family_idx]; }

UndecidedTest undecided(const HeuristicOffer& offer) {
  return {offer.figures.last.look.num_seeds, seeds_to_decide(offer.figures.last, offer.figures.relevant),
          offer.pictures.num_held_out,       offer.work.num_played,
          offer.work.test_seconds,           offer.work.is_one_of_many};
}

// Whether the nearest family is so unlike it that it can say nothing of it.
bool is_unlike_all(const HeuristicOffer& offer) {
  constexpr double kUnlike = .2;  // CKA
  return offer.neighbours[0].cka < kUnlike;
}

// How to ask of what adds nothing beside the others whether it could take the place of the nearest.
std::string advice_to_replace(const HeuristicOffer& offer) {
  const OfferVerdict verdict = verdict_of(offer.figures);
  if (offer.replace_command.empty() || offer.replacement || is_unlike_all(offer) ||
      (verdict != OfferVerdict::kCopy && verdict != OfferVerdict::kNothing))
    return "";
  return fmt::format(" Whether it could take the place of {0}: {1}", nearest(offer), offer.replace_command);
}

// Advice beside any verdict.
std::string further_advice(const HeuristicOffer& offer) {
  const std::string advice = cost_advice(offer.cost, offer.pool_microseconds);
  if (!advice.empty()) return " " + advice;
  if (!crowds(offer.figures)) return "";
  return " Its many features win seldom, and take offers away from others where features are drawn "
         "alike: keep the best of them.";
}

// speed_up: OfferFigures::speed_up, a quotient, of which no more is known than that it is large where the
// pool alone hardly goes on.
std::string speed_in_words(double speed_up) {
  constexpr double kMostTold = 10;
  if (!(speed_up > 0)) return "";
  const double times = 1 + speed_up;
  return times > kMostTold
             ? fmt::format(" With it the pool goes on more than {:.0f} times as fast.", kMostTold)
             : fmt::format(" With it the pool goes on {:.1f} times as fast.", times);
}

// How its features do in the duels that `seldom_wins` does not speak of.
std::string wins_in_words(const OfferFigures& figures) {
  if (figures.win_index() >= 1) return "Its features win offers";
  return fmt::format("Its features win fewer offers than the pool's ({:.1f} times their share)",
                     figures.win_index());
}

std::string advice_to_nothing(const HeuristicOffer& offer) {
  if (offer.cost.num_constant == offer.cost.dim)
    return "Each of its features is the same on all pictures: compute something that differs.";
  if (offer.figures.seldom_wins())
    return "Its features seldom beat the pool's: plot a few of them for two classes that are confused, and "
           "see "
           "whether they differ.";
  if (is_unlike_all(offer))
    return wins_in_words(offer.figures) +
           ", and neither a family of the pool nor the held-out pictures agree with them: what they win may "
           "be "
           "chance, of which fewer and coarser features find less.";
  return fmt::format(
      "{}, {} what they tell is known already: the nearest is {}; compute what that one misses.",
      wins_in_words(offer.figures), offer.figures.win_index() >= 1 ? "but" : "and", nearest(offer));
}

// The sentence on one that may know the answer.
std::string suspicion(const HeuristicOffer& offer) {
  const OfferFigures& figures = offer.figures;
  const std::string& name = name_in_words(offer);
  if (figures.one_feature_knows())
    return fmt::format(
        "{} is suspicious: one of its features alone is wrong about {:.2f} % of the held-out pictures, "
        "and the whole pool about {:.2f} %. It may see the answer.",
        name, 100 * figures.single_error, 100 * figures.pool_error);
  if (figures.knows_single_pictures)
    return fmt::format(
        "{} is suspicious: its gain is lost on copies of the held-out pictures that are shifted by a "
        "pixel or "
        "changed by a grey level here and there. It may know single pictures.",
        name);
  return fmt::format(
      "{} is suspicious: with it at most a fifth of the log-loss is left after {} rounds. It may see the "
      "answer.",
      name, offer.rounds);
}

}  // namespace

bool any_on_shared_base(std::span<const PastOffer> offers) {
  return std::ranges::any_of(offers, [](const PastOffer& past) { return past.offer.base == kSharedBase; });
}

Json offers_json(std::span<const PastOffer> offers) {
  Json json = Json::array();
  for (const PastOffer& past : offers) {
    const OfferRow& row = past.offer;
    json.push_back({{"heuristic", row.heuristic},
                    {"measured_at", past.measured_at},
                    {"version", row.version},
                    {"settings", row.settings},
                    {"plugin_sha256", row.plugin_sha256},
                    {"seeds", row.num_seeds},
                    {"pool_size", row.pool.size()},
                    {"base", row.base},
                    {"gain", row.is_told() ? Json{{"mean", row.gain},
                                                  {"standard_error", row.standard_error},
                                                  {"low", row.low},
                                                  {"high", row.high}}
                                           : Json()},
                    {"alpha_share", row.alpha_share ? Json(*row.alpha_share) : Json()},
                    {"finding", row.finding}});
  }
  return json;
}

const std::string& name_in_words(const HeuristicOffer& offer) {
  return offer.name.empty() ? offer.heuristic : offer.name;
}

std::string headline(const HeuristicOffer& offer) {
  const OfferFigures& figures = offer.figures;
  const std::string& name = name_in_words(offer);
  const OfferVerdict verdict = verdict_of(figures);
  switch (verdict) {
    case OfferVerdict::kNothingToLearn: return nothing_left(offer);
    case OfferVerdict::kSuspicious: return suspicion(offer);
    case OfferVerdict::kCopy:
      if (offer.cost.has_nothing_new())
        return fmt::format(
            "{} is a copy of {}: their features span the same (CKA {:.3f}), and each of its own{} stands in "
            "the pool already.",
            name, nearest(offer), figures.nearest_cka,
            offer.cost.num_constant > 0 ? " that is not constant" : "");
      return fmt::format(
          "{} is a copy of {}: their features span the same (CKA {:.3f}), and no gain above that of other "
          "features of the pool in its place was seen.",
          name, nearest(offer), figures.nearest_cka);
    case OfferVerdict::kAddsMuch:
    case OfferVerdict::kAdds: {
      return fmt::format("{} {}: in {} rounds it removes more than the pool alone, {}.{}", name,
                         to_string(verdict), offer.rounds, evidence(offer),
                         speed_in_words(figures.speed_up()));
    }
    case OfferVerdict::kHarmful: {
      const GainAtLook& last = figures.last;
      return fmt::format(
          "{} is harmful: its features win on pictures that train and lose on pictures that do not. It "
          "leaves {:.2f} % more log-loss, between {:.2f} and {:.2f} ({} seeds).",
          name, -last.gain, -last.interval.high, -last.interval.low, last.look.num_seeds);
    }
    case OfferVerdict::kNothing:
      return fmt::format(
          "{} adds nothing measurable to this pool: a gain of more than {:.2f} % of the log-loss would have "
          "been seen ({} seeds).{}",
          name, figures.last.interval.high, figures.last.look.num_seeds,
          figures.num_wins > 0
              ? ""
              : fmt::format(" It lost all {} duels, so that it wins fewer than {:.2f} % of them.",
                            figures.num_duels, 100 * figures.win_rate_limit()));
    case OfferVerdict::kUndecided: break;
  }
  return fmt::format("{} is undecided: its gain is between {:+.2f} and {:+.2f} % of the log-loss; {}.", name,
                     figures.last.interval.low, figures.last.interval.high,
                     cost_of_knowing(undecided(offer)));
}

std::string next_step(const HeuristicOffer& offer) {
  const auto text = [&]() -> std::string {
    switch (verdict_of(offer.figures)) {
      case OfferVerdict::kNothingToLearn: return std::string(kTakeHarderData);
      case OfferVerdict::kSuspicious: return std::string(kLookForALeak);
      case OfferVerdict::kCopy:
        return fmt::format("Compute something that {} does not: look at what its features miss.",
                           nearest(offer));
      case OfferVerdict::kAddsMuch:
      case OfferVerdict::kAdds: return "Keep it.";
      case OfferVerdict::kHarmful: return std::string(kMakeCoarser);
      case OfferVerdict::kNothing: return advice_to_nothing(offer);
      case OfferVerdict::kUndecided: break;
    }
    return way_to_know(undecided(offer));
  };
  return text() + further_advice(offer) + advice_to_replace(offer);
}

OfferRow offer_row(const HeuristicOffer& offer) {
  const OfferFigures& figures = offer.figures;
  OfferRow row;
  static_cast<MeasuredGain&>(row) = as_measured(figures.last, to_string(verdict_of(figures)));
  row.heuristic = offer.heuristic;
  row.version = offer.version;
  row.settings = offer.settings;
  row.plugin_sha256 = offer.plugin_sha256;
  row.dataset = offer.dataset;
  row.pool = offer.pool;
  row.experiment = offer.experiment;
  row.relevant = figures.relevant;
  row.placebo_gain = figures.placebo_gain;
  row.num_wins = figures.num_wins;
  row.num_duels = figures.num_duels;
  row.win_index = figures.win_index();
  row.speed_up = figures.speed_up();
  row.alpha_share = offer.alpha_share;
  row.seconds = offer.work.test_seconds;
  if (!offer.neighbours.empty()) {
    row.nearest = nearest(offer);
    row.nearest_cka = offer.neighbours[0].cka;
  }
  return row;
}

namespace {

std::string judges_in_words(const HeuristicOffer& offer) {
  if (offer.pictures.judges != "held-out")
    return fmt::format("{} {} pictures", offer.pictures.num_held_out, offer.pictures.judges);
  return fmt::format("{} held-out of {} training pictures", offer.pictures.num_held_out,
                     offer.pictures.num_train);
}

// A line for the gain at each look; none where it may not be told.
std::string look_lines_of(const HeuristicOffer& offer) {
  std::string text;
  if (offer.figures.leaves_nothing()) return text;
  for (const GainAtLook& look : offer.looks)
    text += titled_line(text.empty() ? "gain" : "",
                        fmt::format("{:+.2f} % of the log-loss ({:+.2f} to {:+.2f}) after {} seeds",
                                    look.gain, look.interval.low, look.interval.high, look.look.num_seeds));
  return text;
}

double half_width(const GainAtLook& look) { return (look.interval.high - look.interval.low) / 2; }

// Seeds until the precision is reached, about; 0: no number is enough.
std::size_t seeds_to_precision(const HeuristicOffer& offer) {
  return seeds_to_reach(offer.precision->wanted, offer.figures.last.error, kLooks.back().alpha);
}

// The end of the wish for a precision; empty where there was none, or no gain may be told.
std::string precision_line(const HeuristicOffer& offer) {
  using End = HeuristicOffer::Precision::End;
  if (!offer.precision || offer.figures.leaves_nothing()) return "";
  const GainAtLook& last = offer.figures.last;
  const double wanted = offer.precision->wanted;
  std::string text = fmt::format("half the interval is {:.2f} % of the log-loss after {} seeds",
                                 half_width(last), last.look.num_seeds);
  if (offer.precision->end == End::kReached)
    return titled_line("precision", fmt::format("{}, as wanted ({:.4g})", text, wanted));
  text += offer.precision->end == End::kMostSeeds ? ", the most" : ", when the time was out (--seconds)";
  const std::size_t needed = seeds_to_precision(offer);
  if (needed == 0)
    text += fmt::format("; no number of seeds leads to {:.4g}: the {} pictures are too few", wanted,
                        offer.pictures.num_held_out);
  else
    text += fmt::format("; {:.4g} takes about {}{}", wanted, needed,
                        offer.precision->end == End::kTimeOut ? ": the same command goes on" : "");
  return titled_line("precision", text);
}

Json precision_json(const HeuristicOffer& offer) {
  constexpr std::string_view kEnds[] = {"precision", "seeds", "seconds"};  // in the order of End
  if (!offer.precision || offer.figures.leaves_nothing()) return {};
  return {{"wanted", offer.precision->wanted},
          {"half_width", half_width(offer.figures.last)},
          {"seeds", offer.figures.last.look.num_seeds},
          {"ended_by", kEnds[std::size_t(offer.precision->end)]},
          {"seeds_wanted", seeds_to_precision(offer)}};
}

// Where the gain comes from.
std::string class_lines(const HeuristicOffer& offer) {
  if (offer.figures.leaves_nothing()) return "";
  return titled_line("helps", class_list(offer.classes, offer.pictures.class_names, true)) +
         titled_line("hurts", class_list(offer.classes, offer.pictures.class_names, false));
}

}  // namespace

std::string render_text(const HeuristicOffer& offer) {
  const OfferFigures& figures = offer.figures;
  std::string text = fmt::format(
      "{} {}{} on {}, offered beside {} families, judged on {}\n\n{}\nNext: {}\n\n", offer.heuristic,
      offer.version, offer.settings.empty() ? "" : fmt::format(" ({})", offer.settings), offer.dataset,
      offer.pool.size(), judges_in_words(offer), headline(offer), next_step(offer));
  if (offer.replacement)
    text += fmt::format("{}\nNext: {}\n\n", headline(*offer.replacement), next_step(*offer.replacement));
  text += look_lines_of(offer);
  text += precision_line(offer);
  text += titled_line(
      "offers", fmt::format("won {:.1f} % of {} duels, {:.1f} times its share of the candidates (1: as "
                            "good as the pool's)",
                            100 * double(figures.num_wins) / double(figures.num_duels), figures.num_duels,
                            figures.win_index()));
  text += class_lines(offer);
  text += neighbour_lines(offer.neighbours, offer.pool);
  if (offer.replacement) text += look_lines(*offer.replacement);
  text += titled_line("errors",
                      fmt::format("{:.2f} % -> {:.2f} % of the {} pictures, by majority of the seeds",
                                  100 * offer.error_before, 100 * offer.error_after, offer.pictures.judges));
  text += titled_line("cost", cost_text(offer.cost, offer.pool_microseconds));
  text += fmt::format("({:.1f} s: extraction {:.1f} s; {} seeds played, {} kept from before)\n",
                      offer.work.seconds, offer.work.extract_seconds, offer.work.num_played,
                      offer.work.num_found);
  return text;
}

Json to_json(const HeuristicOffer& offer) {
  const OfferFigures& figures = offer.figures;
  Json json{{"heuristic", offer.heuristic},
            {"version", offer.version},
            {"settings", offer.settings},
            {"plugin_sha256", offer.plugin_sha256},
            {"experiment", offer.experiment},
            {"dataset", offer.dataset},
            {"num_train", offer.pictures.num_train},
            {"num_held_out", offer.pictures.num_held_out},
            {"judged_by", offer.pictures.judges},
            {"pool", offer.pool},
            {"base_rounds", offer.base_rounds},
            {"rounds", offer.rounds}};
  json["finding"] = to_string(verdict_of(figures));
  json["verdict"] = headline(offer);
  json["advice"] = next_step(offer);
  const bool tells_gain = !figures.leaves_nothing();
  json["gain"] = tells_gain ? gain_json(figures.last) : Json();
  json["looks"] = Json::array();
  if (tells_gain)
    for (const GainAtLook& look : offer.looks) json["looks"].push_back(gain_json(look));
  json["precision"] = precision_json(offer);
  json["pool_wrong"] = figures.pool_wrong;
  json["relevant"] = figures.relevant;
  json["progress"] = figures.progress;
  json["speed_up"] = figures.speed_up();
  json["placebo_gain"] = figures.placebo_gain;
  json["wins"] = figures.num_wins;
  json["duels"] = figures.num_duels;
  json["win_index"] = figures.win_index();
  json["crowds"] = crowds(figures);
  json["classes"] = tells_gain ? classes_json(offer.classes, offer.pictures.class_names) : Json::array();
  json["held_out_error"] = {{"before", offer.error_before}, {"after", offer.error_after}};
  json["neighbours"] = neighbours_json(offer.neighbours, offer.pool);
  json["cost"] = cost_json(offer.cost);
  json["replacement"] = offer.replacement ? to_json(*offer.replacement) : Json();
  json["history"] = offers_json(offer.history);
  json["extract_seconds"] = offer.work.extract_seconds;
  json["seconds"] = offer.work.seconds;
  json["seeds_played"] = offer.work.num_played;
  json["seeds_found"] = offer.work.num_found;
  json["warnings"] = offer.warnings;
  return json;
}

}  // namespace mash
