// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/comparison/json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/reports/comparison/tables.hpp"
#include "framework/reports/comparison/words.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }
template <class T>
Json optional(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json difference_json(const PairedDifference& difference) {
  return {{"difference", number(difference.mean)},
          {"low", difference.interval ? Json(difference.interval->low) : Json()},
          {"high", difference.interval ? Json(difference.interval->high) : Json()},
          {"p", optional(difference.p_value)},
          {"visible", optional(difference.visible)}};
}
Json difference_json(const std::optional<PairedDifference>& difference) {
  return difference ? difference_json(*difference) : Json();
}

// The mean over the runs at the rounds at which all have a point.
Json curve_json(const ComparedSide& side) {
  Json list = Json::array();
  if (side.curves.empty()) return list;
  for (const CurvePoint& first : side.curves[0]) {
    const auto mean = [&](const auto& value) {
      return number(statistics_of(values_at(side, first.round, value)).mean);
    };
    if (values_at(side, first.round, [](const CurvePoint& point) { return point.round; }).empty()) continue;
    list.push_back(
        {{"round", first.round},
         {"test_error", mean([](const CurvePoint& point) { return point.test_error; })},
         {"train_loss_log10", mean([](const CurvePoint& point) { return point.train_loss_log10; })},
         {"cost", mean([](const CurvePoint& point) { return point.cost; })}});
  }
  return list;
}

Json side_json(const ComparedSide& side) {
  Json json{{"argument", side.argument},
            {"kind", side.kind},
            {"name", side.name},
            {"run_ids", side.run_ids},
            {"seeds", side.seeds},
            {"dataset", side.dataset.empty() ? Json() : Json(side.dataset)},
            {"dataset_fingerprint", side.fingerprint.empty() ? Json() : Json(side.fingerprint)},
            {"test_examples", side.labels.size()}};
  json["judged_by"] = side.judging_side;
  Json& figures = json["figures"] = Json::object();
  for (const ComparedFigure& figure : kComparedFigures) {
    const auto found = side.figures.find(std::string(figure.key));
    if (found == side.figures.end()) continue;
    const Statistics statistics = statistics_of(found->second);
    Json values = Json::array();
    for (const double value : found->second) values.push_back(number(value));
    figures[std::string(figure.key)] = {{"mean", number(statistics.mean)},
                                        {"sd", found->second.size() > 1 ? number(statistics.sd) : Json()},
                                        {"values", std::move(values)}};
  }
  json["families"] = Json::array();
  for (const FamilyPart& family : side.families)
    json["families"].push_back({{"name", family.name},
                                {"share", family.share ? Json(*family.share) : Json()},
                                {"cuts", family.cuts}});
  json["curve"] = curve_json(side);
  return json;
}

Json offer_json(const ComparedOffer& compared) {
  const OfferRow& row = compared.offer.past.offer;
  Json json{
      {"argument", compared.argument},
      {"kind", "heuristic"},
      {"heuristic", row.heuristic},
      {"version", row.version},
      {"settings", row.settings},
      {"plugin_sha256", row.plugin_sha256},
      {"dataset", row.dataset},
      {"dataset_fingerprint", row.dataset_fingerprint},
      {"side", row.side},
      {"experiment", row.experiment},
      {"pool_size", row.pool.size()},
      {"seeds", row.num_seeds},
      {"gain",
       {{"mean", row.gain}, {"standard_error", row.standard_error}, {"low", row.low}, {"high", row.high}}},
      {"finding", row.finding},
      {"win_index", row.win_index},
      {"speed_up", row.speed_up},
      {"measured_at", compared.offer.past.measured_at}};
  json["seed_gains"] = Json::array();
  for (const OfferSeed& seed : compared.details.seeds)
    json["seed_gains"].push_back({{"seed", seed.seed}, {"gain", seed.gain}});
  return json;
}

Json pair_json(const ComparisonReport& comparison, const ComparedPair& pair) {
  Json json{{"first", letter_of(pair.first)},
            {"second", letter_of(pair.second)},
            {"finding", !pair.shown            ? "not compared"
                        : pair.is_told_apart() ? "told apart"
                                               : "not told apart"},
            {"text", sentences_of(comparison, pair)},
            {"why_not", pair.why_not.empty() ? Json() : Json(pair.why_not)},
            {"examples", pair.num_examples},
            {"common_seeds", pair.num_seeds}};
  PairedDifference none;
  none.mean = std::nan("");
  json.update(difference_json(pair.shown.value_or(none)));
  json["p_holm"] = optional(pair.p_corrected);
  json["over_examples"] = difference_json(pair.over_examples);
  json["over_seeds"] = difference_json(pair.over_seeds);
  json["over_seeds_and_examples"] = difference_json(pair.over_both);
  return json;
}

Json class_json(const ComparedClass& of_class) {
  Json json{{"name", of_class.name}, {"examples", of_class.num_examples}, {"errors", Json::array()}};
  for (const double error : of_class.errors) json["errors"].push_back(number(error));
  json["differences"] = Json::array();
  for (const ClassDifference& other : of_class.differences) {
    Json difference = {{"first", letter_of(0)}, {"second", letter_of(other.second)}};
    difference.update(difference_json(other.difference));
    difference["p_holm"] = optional(other.p_corrected);
    json["differences"].push_back(std::move(difference));
  }
  return json;
}

}  // namespace

Json to_json(const ComparisonReport& comparison) {
  Json json{{"measure", comparison.is_of_offers() ? "gain" : "test_error"}, {"sides", Json::array()}};
  for (const ComparedSide& side : comparison.sides) json["sides"].push_back(side_json(side));
  for (const ComparedOffer& offer : comparison.offers) json["sides"].push_back(offer_json(offer));
  for (std::size_t i = 0; i < comparison.size(); ++i) json["sides"][i]["letter"] = letter_of(i);
  json["settings"] = Json::array();
  for (const SettingRow& row : setting_rows(comparison)) {
    Json values = Json::array();
    for (const auto& value : row.values) values.push_back(optional(value));
    json["settings"].push_back({{"key", row.key}, {"differs", row.differs()}, {"values", std::move(values)}});
  }
  json["pairs"] = Json::array();
  for (const ComparedPair& pair : comparison.pairs) json["pairs"].push_back(pair_json(comparison, pair));
  json["classes"] = Json::array();
  for (const ComparedClass& of_class : comparison.classes) json["classes"].push_back(class_json(of_class));
  json["remarks"] = comparison.remarks;
  json["command"] = comparison.command.empty() ? Json() : Json(comparison.command);
  return json;
}

}  // namespace mash
