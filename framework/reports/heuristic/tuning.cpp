// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "framework/render/table.hpp"
#include "framework/render/wording.hpp"
#include "framework/reports/contribution_json.hpp"
#include "framework/reports/contribution_sections.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kGainMeaning =
    "Gain: by the pictures that chose, with its 95 % interval; that of the best is too good by the luck of "
    "the "
    "choice. Than the first: by how much more a variant takes off the log-loss than the first that was "
    "given. "
    "Behind the best: by how much more the best takes off it; these intervals hold for all "
    "variants together, and a variant is worse where its own is above 0. "
    "Variants are compared on the seeds that both were offered with, and a gain is of all seeds of its "
    "variant: "
    "so one that left early may have another difference of gains than the one that is told.";

// The best, then those that were compared longest, then by gain.
std::vector<std::size_t> order_of(const HeuristicTuning& tuning) {
  std::vector<std::size_t> order(tuning.variants.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if ((a == tuning.best) != (b == tuning.best)) return a == tuning.best;
    const VariantStanding &one = tuning.variants[a].standing, &other = tuning.variants[b].standing;
    if (one.num_seeds != other.num_seeds) return one.num_seeds > other.num_seeds;
    return one.gain.gain > other.gain.gain;
  });
  return order;
}

std::string with_interval(const GainAtLook& gain) {
  return fmt::format("{:+.2f} ({:+.2f} to {:+.2f})", gain.gain, gain.interval.low, gain.interval.high);
}

Table table_of(const HeuristicTuning& tuning) {
  Table table;
  table.title = "Variants";
  table.columns = {{"settings", "settings", Format::kText},
                   {"finding", "finding", Format::kText},
                   {"seeds", "seeds", Format::kCount},
                   {"gain", "gain, %", Format::kText},
                   {"than_first", "than the first, %", Format::kText},
                   {"behind_best", "behind the best, %", Format::kText},
                   {"features", "features", Format::kCount},
                   {"microseconds", "µs", Format::kDecimal}};
  for (const std::size_t v : order_of(tuning)) {
    const TunedVariant& variant = tuning.variants[v];
    const VariantStanding& standing = variant.standing;
    table.rows.push_back({variant.given, std::string(finding_in_words(tuning, v)),
                          std::int64_t(standing.num_seeds), with_interval(standing.gain),
                          v == 0 ? "the first" : with_interval(standing.than_first),
                          v == tuning.best ? "" : with_interval(standing.behind_best),
                          std::int64_t(variant.num_features), variant.microseconds_per_image});
  }
  return table;
}

std::string others_in_words(const HeuristicTuning& tuning) {
  if (tuning.num_as_good == 0)
    return tuning.variants.size() == 2 ? "the other is worse" : "all others are worse";
  return fmt::format("{} {} may be as good", number_in_words(tuning.num_as_good),
                     tuning.num_as_good == 1 ? "other" : "others");
}

// The gain in words, also where its interval holds 0.
std::string measured_in_words(const GainAtLook& measured, std::size_t num_pictures) {
  const std::string evidence = fmt::format(
      "{:+.2f} % of the log-loss, between {:+.2f} and {:+.2f} ({} fresh seeds, {} pictures that did not "
      "choose it)",
      measured.gain, measured.interval.low, measured.interval.high, measured.look.num_seeds, num_pictures);
  if (measured.interval.low > 0) return fmt::format("It gains {}.", evidence);
  if (measured.interval.high < 0) return fmt::format("It is harmful: {}.", evidence);
  return fmt::format("Whether it adds anything is undecided: {}.", evidence);
}

std::string subject_of(const HeuristicTuning& tuning) {
  return fmt::format(
      "{} {} on {}: {} variants, each offered beside {}; {} of {} training pictures were held out: {} chose "
      "the best, {} measured it",
      tuning.heuristic, tuning.version, tuning.dataset, tuning.variants.size(),
      counted(tuning.pool.size(), "family", "families"), tuning.num_choosing + tuning.num_measuring,
      tuning.num_train, tuning.num_choosing, tuning.num_measuring);
}

std::vector<CostPoint> cost_points_of_variants(const HeuristicTuning& tuning) {
  std::vector<CostPoint> points;
  for (std::size_t v = 0; v < tuning.variants.size(); ++v) {
    const TunedVariant& variant = tuning.variants[v];
    points.push_back(
        {variant.given, variant.microseconds_per_image, variant.standing.gain.gain, v == tuning.best, false});
  }
  mark_front(points);
  return points;
}

std::vector<std::string> remarks_of(const HeuristicTuning& tuning) {
  std::vector<std::string> remarks = tuning.left_out;
  if (!tuning.undone.empty()) remarks.push_back(tuning.undone);
  return remarks;
}

Json settings_json(const Settings& settings) {
  Json json = Json::object();
  for (const Settings::Entry& entry : settings.entries()) json[entry.key] = entry.value;
  return json;
}

page::Piece verdict_of_tuning(const HeuristicTuning& tuning) {
  const Interval& interval = tuning.measured.interval;
  page::Piece out = page::headline(headline(tuning), interval.low > 0    ? "good"
                                                     : interval.high < 0 ? "bad"
                                                                         : "open");
  for (const std::string& remark : remarks_of(tuning)) out += page::note(remark);
  out += page::code("The next command", tuning.next_command);
  return out;
}

}  // namespace

std::string_view finding_in_words(const HeuristicTuning& tuning, std::size_t variant) {
  if (variant == tuning.best) return "best";
  return tuning.variants[variant].standing.is_surely_worse ? "worse" : "may be as good";
}

std::string headline(const HeuristicTuning& tuning) {
  return fmt::format("{} is the best of {}; {}. {}", tuning.variants[tuning.best].given,
                     tuning.variants.size(), others_in_words(tuning),
                     measured_in_words(tuning.measured, tuning.num_measuring));
}

std::string render_text(const HeuristicTuning& tuning) {
  std::string text =
      fmt::format("{}\n\n{}\nNext: {}\n\n", subject_of(tuning), headline(tuning), tuning.next_command);
  text += render_text(table_of(tuning));
  text += fmt::format("{}\n", kGainMeaning);
  for (const std::string& remark : remarks_of(tuning)) text += remark + "\n";
  text += fmt::format("({:.1f} s: extraction {:.1f} s; {} offers played, {} kept from before)\n",
                      tuning.seconds, tuning.extract_seconds, tuning.num_played, tuning.num_found);
  return text;
}

Json to_json(const HeuristicTuning& tuning) {
  const TunedVariant& best = tuning.variants[tuning.best];
  Json json{{"heuristic", tuning.heuristic},
            {"version", tuning.version},
            {"experiment", tuning.experiment},
            {"dataset", tuning.dataset},
            {"num_train", tuning.num_train},
            {"num_choosing", tuning.num_choosing},
            {"num_measuring", tuning.num_measuring},
            {"pool", tuning.pool},
            {"verdict", headline(tuning)},
            {"next_command", tuning.next_command},
            {"best", {{"settings", settings_json(best.settings)}, {"name", best.name}}},
            {"as_good", tuning.num_as_good},
            {"gain", gain_json(tuning.measured)},
            {"variants", Json::array()}};
  for (std::size_t v = 0; v < tuning.variants.size(); ++v) {
    const TunedVariant& variant = tuning.variants[v];
    json["variants"].push_back({{"settings", settings_json(variant.settings)},
                                {"name", variant.name},
                                {"finding", finding_in_words(tuning, v)},
                                {"seeds", variant.standing.num_seeds},
                                {"gain", gain_json(variant.standing.gain)},
                                {"than_first", gain_json(variant.standing.than_first)},
                                {"behind_best", gain_json(variant.standing.behind_best)},
                                {"features", variant.num_features},
                                {"microseconds_per_image", variant.microseconds_per_image}});
  }
  json["left_out"] = tuning.left_out;
  json["undone"] = tuning.undone.empty() ? Json() : Json(tuning.undone);
  json["extract_seconds"] = tuning.extract_seconds;
  json["seconds"] = tuning.seconds;
  json["offers_played"] = tuning.num_played;
  json["offers_found"] = tuning.num_found;
  return json;
}

page::Piece tuning_page(const HeuristicTuning& tuning, std::string_view program_version) {
  page::Piece table = page::table(table_of(tuning), "The best first, then by seeds and gain");
  table += page::note(kGainMeaning);
  page::Piece costs =
      sections::cost_front("cost-chart", cost_points_of_variants(tuning),
                           {"gain, % of the log-loss", "% of the log-loss", Format::kDecimal});
  costs += page::note(
      "Gains by the pictures that chose. A point is better the further up and left; no other is both cheaper "
      "and gains more than one on the stepped line.");
  const page::Section all[] = {{"verdict", "Verdict", verdict_of_tuning(tuning)},
                               {"cost", "Gain against cost", std::move(costs)},
                               {"variants", "Variants", std::move(table)}};
  return page::page(fmt::format("Settings of {}", tuning.heuristic), markup("{}", subject_of(tuning)), all,
                    program_version);
}

}  // namespace mash
