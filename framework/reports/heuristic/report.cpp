// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "framework/render/table.hpp"
#include "framework/reports/contribution_json.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kPicturesInText = 4, kPicturesInJson = 12, kRowsInText = 12;

std::string heading(std::string_view text) { return fmt::format("\n{}\n", text); }

std::string rival_lines(const HeuristicReport& report) {
  const auto& names = report.offer.pictures.class_names;
  std::vector<RivalGain> certain;
  for (const RivalGain& gain : report.rivals)
    if (gain.part.p_corrected < kCertain) certain.push_back(gain);
  if (certain.empty())
    return fmt::format("none of {} pairs changes beyond chance (Holm's corrected p < {})\n",
                       report.rivals.size(), kCertain);
  std::stable_sort(certain.begin(), certain.end(), [](const RivalGain& a, const RivalGain& b) {
    return std::abs(a.part.gain) > std::abs(b.part.gain);
  });
  certain.resize(std::min(certain.size(), kRowsInText));
  Table table;
  table.columns = {{"class", "class", Format::kText},
                   {"rival", "told from", Format::kText},
                   {"gain", "gain, %", Format::kDecimal},
                   {"standard_error", "± s.e.", Format::kDecimal},
                   {"p", "p, corrected", Format::kDecimal}};
  for (const RivalGain& gain : certain)
    table.rows.push_back({names[gain.label], names[gain.rival], gain.part.gain, gain.part.standard_error(),
                          gain.part.p_corrected});
  return render_text(table);
}

std::string slice_lines(const HeuristicReport& report) {
  Table table;
  table.columns = {{"trait", "by", Format::kText},         {"slice", "slice", Format::kText},
                   {"examples", "images", Format::kCount}, {"gain", "gain, %", Format::kDecimal},
                   {"se", "± s.e.", Format::kDecimal},     {"p", "p, corrected", Format::kDecimal}};
  for (const SliceGain& slice : report.slices)
    if (slice.part.p_corrected < kCertain)
      table.rows.push_back({slice.trait, slice.slice, std::int64_t(slice.part.num_examples), slice.part.gain,
                            slice.part.standard_error(), slice.part.p_corrected});
  if (table.rows.empty())
    return fmt::format("none of {} slices changes beyond chance (Holm's corrected p < {})\n",
                       report.slices.size(), kCertain);
  return render_text(table);
}

std::string picture_lines(const HeuristicReport& report) {
  const MostChanged most = most_changed(report, kPicturesInText);
  std::string text;
  for (const auto* pictures : {&most.better, &most.worse})
    for (const PictureChange& picture : *pictures)
      text += fmt::format("{:+.3f} %  training image {}{}, {}: {}\n", picture.change.gain, picture.example,
                          picture.name.empty() ? "" : fmt::format(" ({})", picture.name),
                          report.offer.pictures.class_names[picture.label],
                          words_of(picture, report.offer.pictures.class_names));
  return text.empty() ? "none\n" : text;
}

std::string feature_lines(const HeuristicReport& report) {
  Table table;
  table.columns = {{"family", "family", Format::kText},
                   {"feature", "feature", Format::kCount},
                   {"wins", "rounds won", Format::kCount},
                   {"edge", "edge", Format::kDecimal},
                   {"threshold", "threshold", Format::kDecimal}};
  for (const BestFeature& feature : report.best_features)
    table.rows.push_back({report.family_names[feature.family_idx], std::int64_t(feature.feature),
                          std::int64_t(feature.num_wins), feature.edge, double(feature.threshold)});
  return table.rows.empty() ? "none\n" : render_text(table);
}

bool differ_in_settings(const std::vector<PastOffer>& offers) {
  return std::ranges::any_of(
      offers, [&](const PastOffer& past) { return past.offer.settings != offers[0].offer.settings; });
}

// of_one: versions of one heuristic, with their builds; settings where they differ, as they are long.
std::string offer_lines(const std::vector<PastOffer>& offers, bool of_one) {
  const bool has_settings = of_one && differ_in_settings(offers);
  Table table;
  const std::string first = of_one ? "version" : "heuristic", second = of_one ? "build" : "version";
  table.columns = {{first, first, Format::kText},
                   {second, second, Format::kText},
                   {"measured_at", "measured", Format::kText},
                   {"seeds", "seeds", Format::kCount},
                   {"gain", "gain, %", Format::kDecimal},
                   {"low", "from", Format::kDecimal},
                   {"high", "to", Format::kDecimal},
                   {"base", "base", Format::kText},
                   {"finding", "finding", Format::kText}};
  if (has_settings) table.columns.push_back({"settings", "settings", Format::kText});
  for (const PastOffer& past : of_one ? by_time(offers) : offers) {
    const OfferRow& row = past.offer;
    const auto told = [&](double figure) { return row.is_told() ? Cell(figure) : Cell(); };
    auto& cells = table.rows.emplace_back();
    for (Cell& cell : std::vector<Cell>{of_one ? row.version : row.heuristic,
                                        of_one ? row.plugin_sha256.substr(0, kBuildDigits) : row.version,
                                        past.measured_at, std::int64_t(row.num_seeds), told(row.gain),
                                        told(row.low), told(row.high), row.base, row.finding})
      cells.push_back(std::move(cell));
    if (has_settings) cells.emplace_back(row.settings);
  }
  return render_text(table) + (any_on_shared_base(offers) ? fmt::format("{}\n", kBasesMeaning) : "");
}

std::string lines_of_changes(const HeuristicReport& report) {
  return heading("Classes that it tells better or worse from others") + rival_lines(report) +
         heading("Slices of the held-out pictures that change") + slice_lines(report) +
         heading("Pictures that change most") + picture_lines(report);
}

Json rivals_json(const HeuristicReport& report) {
  Json json = Json::array();
  for (const RivalGain& gain : report.rivals) {
    json.push_back({{"class", report.offer.pictures.class_names[gain.label]},
                    {"rival", report.offer.pictures.class_names[gain.rival]}});
    json.back().update(part_json(gain.part));
  }
  return json;
}

Json slices_json(const HeuristicReport& report) {
  Json json = Json::array();
  for (const SliceGain& slice : report.slices) {
    json.push_back(
        {{"trait", slice.trait}, {"slice", slice.slice}, {"low", slice.low}, {"high", slice.high}});
    json.back().update(part_json(slice.part));
  }
  return json;
}

Json pictures_json(const std::vector<PictureChange>& pictures, const std::vector<std::string>& class_names) {
  Json json = Json::array();
  for (const PictureChange& picture : pictures) {
    const ExampleChange& change = picture.change;
    json.push_back({{"example", picture.example},
                    {"class", class_names[picture.label]},
                    {"predicted_before", class_names[change.predicted_before]},
                    {"predicted_after", class_names[change.predicted_after]},
                    {"probability_before", change.probability_before},
                    {"probability_after", change.probability_after},
                    {"gain", change.gain},
                    {"standard_error", change.standard_error},
                    {"p_corrected", change.p_corrected}});
    if (!picture.name.empty()) json.back()["picture"] = picture.name;
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
                    {"wins", feature.num_wins},
                    {"histograms", feature.histograms}});
  return json;
}

Json costs_json(const HeuristicReport& report) {
  Json json = Json::array();
  for (const CostPoint& point : report.costs)
    json.push_back({{"heuristic", point.name},
                    {"microseconds_per_image", point.microseconds_per_image},
                    {"gain", point.use},
                    {"own", point.is_own},
                    {"on_front", point.is_on_front}});
  return json;
}

}  // namespace

MostChanged most_changed(const HeuristicReport& report, std::size_t most_each) {
  MostChanged most;
  for (const PictureChange& picture : report.pictures)
    if (picture.change.gain != 0) (picture.change.gain > 0 ? most.better : most.worse).push_back(picture);
  for (auto* pictures : {&most.better, &most.worse}) {
    std::stable_sort(pictures->begin(), pictures->end(), [](const PictureChange& a, const PictureChange& b) {
      return std::abs(a.change.gain) > std::abs(b.change.gain);
    });
    if (pictures->size() > most_each)
      pictures->erase(pictures->begin() + std::ptrdiff_t(most_each), pictures->end());
  }
  return most;
}

std::string words_of(const PictureChange& picture, const std::vector<std::string>& class_names) {
  const ExampleChange& change = picture.change;
  const auto said = [&](std::size_t predicted) {
    return predicted == picture.label ? "right" : "taken for " + class_names[predicted];
  };
  const std::string what =
      change.predicted_before == change.predicted_after
          ? fmt::format("is {} before and after", said(change.predicted_after))
          : fmt::format("was {}, is now {}", said(change.predicted_before), said(change.predicted_after));
  return fmt::format("{} (probability of {}: {:.0f} %, now {:.0f} %)", what, class_names[picture.label],
                     100 * change.probability_before, 100 * change.probability_after);
}

std::vector<PastOffer> by_time(std::vector<PastOffer> offers) {
  std::ranges::stable_sort(offers, {}, &PastOffer::measured_at);
  return offers;
}

std::size_t num_used_features(const HeuristicReport& report) {
  return report.wins.size() - std::size_t(std::count(report.wins.begin(), report.wins.end(), 0u));
}

std::string render_text(const HeuristicReport& report) {
  std::string text = render_text(report.offer);
  if (!report.offer.figures.leaves_nothing()) text += lines_of_changes(report);
  text += heading("Best features");
  text += feature_lines(report);
  text += fmt::format("{} of {} features won a round\n", num_used_features(report), report.wins.size());
  text += heading("Versions of it beside this pool");
  text += offer_lines(report.offer.history, true);
  if (!report.others.empty()) {
    text += heading("Other heuristics of this pool");
    text += offer_lines(report.others, false);
  }
  text += heading("To make this again");
  for (const std::string& command : report.commands) text += command + "\n";
  return text;
}

Json to_json(const HeuristicReport& report) {
  const MostChanged most = most_changed(report, kPicturesInJson);
  Json json = to_json(report.offer);
  const bool tells_gain = !report.offer.figures.leaves_nothing();
  json["rivals"] = tells_gain ? rivals_json(report) : Json::array();
  json["slices"] = tells_gain ? slices_json(report) : Json::array();
  json["pictures"] = {{"better", Json::array()}, {"worse", Json::array()}};
  if (tells_gain)
    json["pictures"] = {{"better", pictures_json(most.better, report.offer.pictures.class_names)},
                        {"worse", pictures_json(most.worse, report.offer.pictures.class_names)}};
  json["best_features"] = features_json(report);
  std::vector<std::uint32_t> wins = report.wins;
  std::sort(wins.begin(), wins.end(), std::greater<>());
  wins.resize(num_used_features(report));
  json["feature_use"] = {{"features", report.wins.size()}, {"used", wins.size()}, {"wins", wins}};
  json["cost_front"] = costs_json(report);
  json["others"] = offers_json(report.others);
  json["provenance"] = {{"plugin", report.plugin},
                        {"plugin_sha256", report.offer.plugin_sha256},
                        {"dataset_fingerprint", report.dataset_fingerprint},
                        {"program_version", report.program_version},
                        {"machine", report.machine},
                        {"commands", report.commands}};
  return json;
}

}  // namespace mash
