// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/mistakes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "framework/base/statistics.hpp"
#include "framework/render/gallery.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::optional<std::string>>;

constexpr std::size_t kMostOfPage = 60;

std::string headline(const MistakeReport& report) {
  const bool is_test = report.judging_side == "test";
  return fmt::format("{} on {}{}: {}", report.classifier,
                     is_test ? "" : fmt::format("the {} side of ", report.judging_side), report.dataset,
                     wrong_in_words(report.mistakes.size(), report.num_examples));
}

std::string name_or_nothing(const MistakeReport& report, const std::optional<std::size_t>& example) {
  return example ? report.name_of(*example) : "";
}

Json example_json(const MistakeReport& report, const std::optional<std::size_t>& example) {
  if (!example) return {};
  return {{"example_idx", *example}, {"picture", report.name_of(*example)}};
}

Table listed(const MistakeReport& report, std::size_t most) {
  const bool has_likes = std::ranges::any_of(report.mistakes, [](const ToldMistake& mistake) {
    return mistake.like_truth || mistake.like_predicted;
  });
  Table table;
  table.columns = {{"picture", "picture", Format::kText},
                   {"truth", "true", Format::kText},
                   {"predicted", "predicted", Format::kText},
                   {"margin", "margin", Format::kDecimal}};
  if (has_likes) {
    table.columns.push_back({"like_truth", "nearest of the true class", Format::kText});
    table.columns.push_back({"like_predicted", "nearest of the predicted class", Format::kText});
  }
  for (std::size_t i = 0; i < std::min(most, report.mistakes.size()); ++i) {
    const ToldMistake& mistake = report.mistakes[i];
    auto& row = table.rows.emplace_back();
    row = {report.name_of(mistake.example_idx), mistake.truth, mistake.predicted, mistake.margin};
    if (!has_likes) continue;
    row.emplace_back(name_or_nothing(report, mistake.like_truth));
    row.emplace_back(name_or_nothing(report, mistake.like_predicted));
  }
  return table;
}

// A mistake beside the pictures that are like it.
Result<page::Piece> beside_others(const MistakeReport& report, const ToldMistake& mistake,
                                  const Dataset& dataset) {
  const std::string noun = fmt::format("{} image", report.judging_side);
  const auto name = [&](std::size_t example) {
    return report.names.empty() ? std::string() : report.names[example];
  };
  std::vector<GalleryPicture> pictures{
      {mistake.example_idx,
       fmt::format("{} {}: true {}, predicted {}", capitalized(noun), mistake.example_idx, mistake.truth,
                   mistake.predicted),
       markup("true <b>{}</b>, predicted <b>{}</b>, margin {}", mistake.truth, mistake.predicted,
              with_minus(mistake.margin, 2)),
       name(mistake.example_idx)}};
  const std::pair<const std::optional<std::size_t>&, const std::string&> likes[] = {
      {mistake.like_truth, mistake.truth}, {mistake.like_predicted, mistake.predicted}};
  for (const auto& [example, class_name] : likes)
    if (example)
      pictures.push_back({*example,
                          fmt::format("{} {}: a {} that is right", capitalized(noun), *example, class_name),
                          markup("a right <b>{}</b>, nearest by its scores", class_name), name(*example)});
  return gallery(pictures, {dataset.test, dataset.shape, noun});
}

Result<page::Piece> pictures_section(const MistakeReport& report, const Dataset& dataset) {
  const std::size_t most = std::min(kMostOfPage, report.mistakes.size());
  if (most == 0)
    return page::note(fmt::format("Every {} example is classified rightly.", report.judging_side));
  page::Piece out = page::note(fmt::format(
      "{} of {}, the surest first. The margin runs from −1 (all votes for a wrong class) to 1 (all for the "
      "true one). Beside each: the {} pictures that are classified rightly, of the true and of the "
      "predicted class, whose scores are nearest to its own.",
      counted(most, "mistake"), report.mistakes.size(), report.judging_side));
  if (dataset.is_table()) {
    out += page::table(listed(report, most), "Rows are counted from 0.");
    return out;
  }
  for (std::size_t i = 0; i < most; ++i) {
    const ToldMistake& mistake = report.mistakes[i];
    out += page::heading(fmt::format("{} taken for {}", mistake.truth, mistake.predicted));
    MASH_ASSIGN(const page::Piece shown, beside_others(report, mistake, dataset));
    out += shown;
  }
  return out;
}

}  // namespace

std::string MistakeReport::name_of(std::size_t example_idx) const {
  return names.empty() ? fmt::format("example {}", example_idx) : names[example_idx];
}

std::string render_text(const MistakeReport& report, std::size_t most) {
  std::string text = headline(report) + "\n";
  if (report.mistakes.empty()) return text;
  text += "\n" + render_text(listed(report, most));
  if (report.mistakes.size() > most)
    text += fmt::format("... and {} more: --csv FILE lists all\n", report.mistakes.size() - most);
  return text;
}

Json to_json(const MistakeReport& report) {
  Json json{{"classifier", report.classifier},
            {"dataset", report.dataset},
            {"judged_by", report.judging_side},
            {"examples", report.num_examples},
            {"wrong", report.mistakes.size()}};
  if (report.num_examples > 0) {
    const ShareInterval interval = share_interval(report.mistakes.size(), report.num_examples);
    json["error"] = double(report.mistakes.size()) / double(report.num_examples);
    json["error_low"] = interval.low;
    json["error_high"] = interval.high;
  }
  json["classes"] = report.classes;
  json["mistakes"] = Json::array();
  for (const ToldMistake& mistake : report.mistakes)
    json["mistakes"].push_back({{"picture", report.name_of(mistake.example_idx)},
                                {"example_idx", mistake.example_idx},
                                {"truth", mistake.truth},
                                {"predicted", mistake.predicted},
                                {"margin", mistake.margin},
                                {"scores", mistake.scores},
                                {"nearest_of_truth", example_json(report, mistake.like_truth)},
                                {"nearest_of_predicted", example_json(report, mistake.like_predicted)}});
  return json;
}

DataTable table_of(const MistakeReport& report) {
  Texts pictures, truths, predicted, like_truth, like_predicted;
  std::vector<std::int64_t> examples;
  std::vector<double> margins;
  const auto name = [&](const std::optional<std::size_t>& example) {
    return example ? std::optional(report.name_of(*example)) : std::nullopt;
  };
  for (const ToldMistake& mistake : report.mistakes) {
    pictures.push_back(report.name_of(mistake.example_idx));
    examples.push_back(std::int64_t(mistake.example_idx));
    truths.push_back(mistake.truth);
    predicted.push_back(mistake.predicted);
    margins.push_back(mistake.margin);
    like_truth.push_back(name(mistake.like_truth));
    like_predicted.push_back(name(mistake.like_predicted));
  }
  DataTable table{"mistakes",
                  {{"picture", pictures},
                   {"example_idx", examples},
                   {"truth", truths},
                   {"predicted", predicted},
                   {"margin", margins},
                   {"nearest_of_truth", like_truth},
                   {"nearest_of_predicted", like_predicted}}};
  for (std::size_t l = 0; l < report.classes.size(); ++l) {
    std::vector<double> scores;
    for (const ToldMistake& mistake : report.mistakes) {
      if (mistake.scores.empty()) return table;
      scores.push_back(mistake.scores[l]);
    }
    table.columns.push_back({"score_" + report.classes[l], std::move(scores)});
  }
  return table;
}

Result<page::Piece> mistakes_page(const MistakeReport& report, const Dataset& dataset,
                                  std::string_view program_version) {
  MASH_ASSIGN(page::Piece pictures, pictures_section(report, dataset));
  const page::Section sections[] = {{"mistakes", "Mistakes", std::move(pictures)}};
  return page::page("Mistakes", markup("{}.", headline(report)), sections, program_version);
}

}  // namespace mash
