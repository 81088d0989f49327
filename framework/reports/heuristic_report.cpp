// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic_report.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "framework/render/table.hpp"
#include "framework/reports/contribution_json.hpp"
#include "framework/reports/credit.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSignificant = 0.05;  // corrected p of a slice to be named

std::string heading(std::string_view text) { return fmt::format("\n{}\n", text); }

std::string slice_lines(const HeuristicReport& report) {
  Table table;
  table.columns = {{"trait", "by", Format::kText},         {"slice", "slice", Format::kText},
                   {"examples", "images", Format::kCount}, {"before", "without", Format::kPercent},
                   {"after", "with", Format::kPercent},    {"fixed", "fixed", Format::kCount},
                   {"broken", "broken", Format::kCount},   {"p", "p, corrected", Format::kDecimal}};
  for (const SliceGain& slice : report.slices)
    if (slice.p_corrected < kSignificant)
      table.rows.push_back({slice.trait, slice.slice, std::int64_t(slice.num_examples), slice.error_before,
                            slice.error_after, std::int64_t(slice.num_fixed), std::int64_t(slice.num_broken),
                            slice.p_corrected});
  if (table.rows.empty())
    return fmt::format("none of {} slices changes beyond chance (Holm's corrected p < {})\n",
                       report.slices.size(), kSignificant);
  return render_text(table);
}

std::string feature_lines(const HeuristicReport& report) {
  Table table;
  table.columns = {{"family", "family", Format::kText},
                   {"feature", "feature", Format::kCount},
                   {"edge", "edge", Format::kDecimal},
                   {"threshold", "threshold", Format::kDecimal},
                   {"cuts", "cuts", Format::kCount}};
  for (const BestFeature& feature : report.best_features)
    table.rows.push_back({report.family_names[feature.family_idx], std::int64_t(feature.feature),
                          feature.edge, double(feature.threshold), std::int64_t(feature.num_cuts)});
  return table.rows.empty() ? "none\n" : render_text(table);
}

std::string robustness_lines(const HeuristicReport& report) {
  std::string text;
  for (const RobustnessCurve& curve : report.robustness) {
    std::vector<std::string> points;
    for (const RobustnessPoint& point : curve.points)
      points.push_back(fmt::format("{:g}: {:.1f} -> {:.1f}", point.amount, 100 * point.error_without,
                                   100 * point.error_with));
    text += fmt::format("{:<11} {}\n", curve.kind, fmt::join(points, ", "));
  }
  return text;
}

std::string cluster_lines(const HeuristicReport& report) {
  const auto& names = report.trial.class_names;
  std::string text;
  for (const MistakeCluster& cluster : report.clusters) {
    const auto worst = std::min_element(cluster.shares.begin(), cluster.shares.end());
    text +=
        fmt::format("{} images like test image {}, {} of them {} taken for {}; {} votes most against them\n",
                    cluster.mistakes.size(), report.mistakes[cluster.medoid].example_idx, cluster.num_pair,
                    names[cluster.label], names[cluster.predicted],
                    report.family_names[std::size_t(worst - cluster.shares.begin())]);
  }
  return text.empty() ? "no mistake is left\n" : text;
}

std::string history_lines(const HeuristicReport& report) {
  Table table;
  table.columns = {{"measured_at", "measured", Format::kText},
                   {"version", "version", Format::kText},
                   {"plugin", "plugin", Format::kText},
                   {"rounds", "rounds", Format::kCount},
                   {"seeds", "seeds", Format::kCount},
                   {"pool", "beside", Format::kCount},
                   {"alone_error", "alone", Format::kPercent, true},
                   {"gain", "gain", Format::kPercent, true}};
  for (const PastTrial& past : report.history)
    table.rows.push_back({past.measured_at, past.version, past.plugin_sha256.substr(0, 12),
                          std::int64_t(past.rounds), std::int64_t(past.num_seeds),
                          std::int64_t(past.pool_size), past.alone_error, past.gain});
  return render_text(table);
}

std::string credit_line(const HeuristicReport& report) {
  const FamilyContribution& family = report.trial.contribution.family;
  std::string text = fmt::format(
      "left out, the error rises {:+.2f} points; permuted, {:+.2f} ± {:.2f} (s.e.)",
      100 * family.added.gain.mean, 100 * family.importance.mean, 100 * family.importance.standard_error);
  if (family.shapley) text += "; credit " + credit_text(*family.shapley);
  return text + "\n";
}

Json curve_json(const std::vector<CurveBand>& curve) {
  Json json = Json::array();
  for (const CurveBand& point : curve)
    json.push_back({{"round", point.round}, {"test_error", estimate_json(point.test_error)}});
  return json;
}

Json slices_json(const HeuristicReport& report) {
  Json json = Json::array();
  for (const SliceGain& slice : report.slices)
    json.push_back({{"trait", slice.trait},
                    {"slice", slice.slice},
                    {"low", slice.low},
                    {"high", slice.high},
                    {"examples", slice.num_examples},
                    {"error_without", slice.error_before},
                    {"error_with", slice.error_after},
                    {"fixed", slice.num_fixed},
                    {"broken", slice.num_broken},
                    {"mcnemar_p_mid", slice.p_mid},
                    {"p_corrected", slice.p_corrected}});
  return json;
}

Json clusters_json(const HeuristicReport& report) {
  Json json = Json::array();
  for (const MistakeCluster& cluster : report.clusters) {
    Json one{{"medoid", report.mistakes[cluster.medoid].example_idx},
             {"label", report.trial.class_names[cluster.label]},
             {"said", report.trial.class_names[cluster.predicted]},
             {"of_that_pair", cluster.num_pair},
             {"examples", Json::array()},
             {"margin_shares", Json::object()}};
    for (const std::size_t place : cluster.mistakes)
      one["examples"].push_back(report.mistakes[place].example_idx);
    for (std::size_t k = 0; k < cluster.shares.size(); ++k)
      one["margin_shares"][report.family_names[k]] = cluster.shares[k];
    json.push_back(std::move(one));
  }
  return json;
}

Json features_json(const HeuristicReport& report) {
  Json json = Json::array();
  for (const BestFeature& feature : report.best_features)
    json.push_back({{"family", report.family_names[feature.family_idx]},
                    {"feature", feature.feature},
                    {"edge", feature.edge},
                    {"threshold", feature.threshold},
                    {"cuts", feature.num_cuts},
                    {"histograms", feature.histograms}});
  return json;
}

Json use_json(const UseOverRounds& use) {
  Json rounds = Json::array();
  for (const RoundUse& stretch : use.rounds)
    rounds.push_back({{"first", stretch.first},
                      {"last", stretch.last},
                      {"chosen_share", stretch.chosen},
                      {"alpha_share", stretch.alpha}});
  return {{"offered", use.offered}, {"evaluated", use.evaluated}, {"chosen", use.chosen}, {"rounds", rounds}};
}

Json robustness_json(const HeuristicReport& report) {
  Json json = Json::array();
  for (const RobustnessCurve& curve : report.robustness) {
    Json points = Json::array();
    for (const RobustnessPoint& point : curve.points)
      points.push_back({{"amount", point.amount},
                        {"error_without", point.error_without},
                        {"error_with", point.error_with}});
    json.push_back({{"kind", curve.kind}, {"unit", curve.unit}, {"points", points}});
  }
  return json;
}

Json costs_json(const HeuristicReport& report) {
  Json json = Json::array();
  for (const CostPoint& point : report.costs)
    json.push_back({{"family", point.name},
                    {"microseconds_per_image", point.microseconds_per_image},
                    {"margin_share", point.margin_share},
                    {"own", point.is_own},
                    {"on_front", point.is_on_front}});
  return json;
}

Json history_json(const HeuristicReport& report) {
  Json json = Json::array();
  for (const PastTrial& past : report.history)
    json.push_back({{"measured_at", past.measured_at},
                    {"version", past.version},
                    {"settings", past.settings},
                    {"plugin_sha256", past.plugin_sha256},
                    {"rounds", past.rounds},
                    {"seeds", past.num_seeds},
                    {"pool_size", past.pool_size},
                    {"alone_error", estimate_json(past.alone_error)},
                    {"gain", estimate_json(past.gain)}});
  return json;
}

}  // namespace

void mark_front(std::vector<CostPoint>& points) {
  for (CostPoint& point : points)
    point.is_on_front = std::none_of(points.begin(), points.end(), [&](const CostPoint& other) {
      return other.microseconds_per_image <= point.microseconds_per_image &&
             other.margin_share >= point.margin_share &&
             (other.microseconds_per_image < point.microseconds_per_image ||
              other.margin_share > point.margin_share);
    });
}

std::string render_text(const HeuristicReport& report) {
  std::string text = report.offer ? render_text(*report.offer) + heading("Trained with and without it") +
                                        render_figures(report.trial)
                                  : render_text(report.trial);
  text += heading("Slices of the test side that change");
  text += slice_lines(report);
  text += heading("Clusters of the mistakes that are left");
  text += cluster_lines(report);
  text += heading("Best features");
  text += feature_lines(report);
  text += fmt::format("{} of {} features are cut by a model\n", report.feature_use.num_used,
                      report.feature_use.num_features);
  text += heading("Use");
  text += fmt::format("features offered: {}; values looked at: {}; cuts chosen: {}, in {} trainings\n",
                      report.use.offered, report.use.evaluated, report.use.chosen, report.trial.seeds.size());
  text += heading("Changed pictures: amount, test error in % without -> with");
  text += robustness_lines(report);
  text += heading("Credit");
  text += credit_line(report);
  text += heading("History on this data set");
  text += history_lines(report);
  text += heading("To make this again");
  for (const std::string& command : report.commands) text += command + "\n";
  return text;
}

Json to_json(const HeuristicReport& report) {
  Json json = to_json(report.trial);
  json["offer"] = Json();
  if (report.offer) {
    json["offer"] = to_json(*report.offer);
    json["verdict"] = json["offer"]["verdict"];
    json["advice"] = json["offer"]["advice"];
  }
  const auto& shapley = report.trial.contribution.family.shapley;
  json["shapley"] = shapley ? credit_json(*shapley) : Json();
  json["curve_without"] = curve_json(report.without);
  json["curve_with"] = curve_json(report.with);
  json["slices"] = slices_json(report);
  json["mistake_clusters"] = clusters_json(report);
  json["use"] = use_json(report.use);
  json["best_features"] = features_json(report);
  json["feature_use"] = {{"features", report.feature_use.num_features},
                         {"used", report.feature_use.num_used},
                         {"cuts", report.feature_use.cuts}};
  json["robustness"] = robustness_json(report);
  json["cost_front"] = costs_json(report);
  json["history"] = history_json(report);
  json["provenance"] = {{"plugin", report.plugin},
                        {"plugin_sha256", report.plugin_sha256},
                        {"dataset_fingerprint", report.dataset_fingerprint},
                        {"program_version", report.program_version},
                        {"machine", report.machine},
                        {"commands", report.commands}};
  return json;
}

}  // namespace mash
