// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/explanation.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "framework/render/marked_picture.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kFeaturesOfText = 3, kFeaturesOfJson = 20, kMostPlaces = 3;

// The votes for the class of the picture less those for its rival.
double lead_of(const Explanation& explanation, const std::vector<double>& votes) {
  return votes[explanation.predicted] -
         (explanation.rival == explanation.predicted ? 0 : votes[explanation.rival]);
}

// The features of a family, those with the largest part in the lead first.
std::vector<const FeatureVotes*> strongest(const Explanation& explanation, std::uint32_t family_idx) {
  std::vector<const FeatureVotes*> features;
  for (const FeatureVotes& feature : explanation.features)
    if (feature.family_idx == family_idx) features.push_back(&feature);
  std::stable_sort(features.begin(), features.end(), [&](const FeatureVotes* a, const FeatureVotes* b) {
    return std::abs(lead_of(explanation, a->votes)) > std::abs(lead_of(explanation, b->votes));
  });
  return features;
}

// The families that the model asks, those with the largest part in the lead first.
std::vector<std::uint32_t> families_by_lead(const Explanation& explanation) {
  std::vector<std::uint32_t> families;
  for (const FeatureVotes& feature : explanation.features)
    if (families.empty() || families.back() != feature.family_idx) families.push_back(feature.family_idx);
  std::stable_sort(families.begin(), families.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::abs(lead_of(explanation, explanation.families[a])) >
           std::abs(lead_of(explanation, explanation.families[b]));
  });
  return families;
}

bool has_constant(const Explanation& explanation) {
  return std::ranges::any_of(explanation.constant, [](double vote) { return vote != 0; });
}

std::string strongest_in_words(const Explanation& explanation, std::uint32_t family_idx) {
  std::vector<std::string> words;
  for (const FeatureVotes* feature : strongest(explanation, family_idx)) {
    if (words.size() == kFeaturesOfText) break;
    words.push_back(
        fmt::format("{} ({})", feature->feature_idx, with_sign(lead_of(explanation, feature->votes), 3)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

Table votes_table(const ExplanationReport& report, const Explanation& explanation) {
  const std::string &predicted = report.classes[explanation.predicted],
                    &rival = report.classes[explanation.rival];
  Table table;
  table.columns = {{"family", "family", Format::kText},
                   {"votes", fmt::format("for {}", predicted), Format::kDecimal},
                   {"rival_votes", fmt::format("for {}", rival), Format::kDecimal},
                   {"lead", "part in the lead", Format::kDecimal},
                   {"features", "strongest features", Format::kText}};
  const auto add = [&](const std::string& name, const std::vector<double>& votes,
                       const std::string& features) {
    table.rows.push_back({name, votes[explanation.predicted], votes[explanation.rival],
                          lead_of(explanation, votes), features});
  };
  for (const std::uint32_t k : families_by_lead(explanation))
    add(report.families[k], explanation.families[k], strongest_in_words(explanation, k));
  if (has_constant(explanation)) add("(none: constant)", explanation.constant, "");
  add("all", explanation.scores, "");
  return table;
}

std::string answer_in_words(const ExplanationReport& report, const ExplainedPicture& picture) {
  const Explanation& explanation = picture.explanation;
  return fmt::format("{}: {}, margin {}; next comes {}, which it leads by {}", picture.picture,
                     report.classes[explanation.predicted], with_minus(picture.margin, 3),
                     report.classes[explanation.rival], with_minus(picture.lead(), 3));
}

std::string place_in_words(const Place& place) {
  return fmt::format("x {} to {}, y {} to {}", place.x, place.x + place.width - 1, place.y,
                     place.y + place.height - 1);
}

// The places that speak for the class most, then the one that speaks against it most.
std::vector<std::string> places_in_words(const ExplanationReport& report, const ExplainedPicture& picture) {
  std::vector<const ExplainedPlace*> order;
  for (const ExplainedPlace& place : picture.places) order.push_back(&place);
  std::stable_sort(order.begin(), order.end(),
                   [](const ExplainedPlace* a, const ExplainedPlace* b) { return a->effect > b->effect; });
  std::vector<std::string> words;
  const auto add = [&](const ExplainedPlace& place, const auto& verb) {
    const double size = std::abs(place.effect);
    words.push_back(fmt::format("covering {} {} {} {} the lead (through {} alone {})",
                                place_in_words(place.place), verb.first, with_minus(size, 3), verb.second,
                                report.families[place.family_idx],
                                with_minus(place.family_effect / place.effect * size, 3)));
  };
  constexpr std::pair<std::string_view, std::string_view> kTakes{"takes", "from"}, kAdds{"adds", "to"};
  for (std::size_t i = 0; i < std::min(kMostPlaces, order.size()); ++i)
    if (order[i]->effect > 0) add(*order[i], kTakes);
  if (!order.empty() && order.back()->effect < 0) add(*order.back(), kAdds);
  return words;
}

std::string family_change_in_words(const ExplanationReport& report, const Explanation& explanation) {
  const auto& change = explanation.family_change;
  if (!change) return "no family could change the answer alone";
  return fmt::format("with {} of the {} votes of {} changed, the answer would be {}", change->num_changed,
                     change->num_votes, report.families[change->family_idx],
                     report.classes[change->class_idx]);
}

// Two numbers with four digits, or with as many more as it takes to tell them apart.
std::pair<std::string, std::string> told_apart(double one, double other) {
  constexpr int kUsual = 4, kAllDigits = 17;
  std::pair<std::string, std::string> texts;
  for (int digits = kUsual; digits <= kAllDigits; ++digits) {
    texts = {fmt::format("{:.{}g}", one, digits), fmt::format("{:.{}g}", other, digits)};
    if (texts.first != texts.second) break;
  }
  return one == other ? std::pair(fmt::format("{:.4g}", one), fmt::format("{:.4g}", other)) : texts;
}

std::string feature_change_in_words(const ExplanationReport& report, const Explanation& explanation) {
  const auto& change = explanation.feature_change;
  if (!change) return "no single feature could change the answer";
  const std::string thresholds =
      change->num_steps == 0 ? "" : fmt::format(" (across {})", counted(change->num_steps, "threshold"));
  const auto [bound, value] = told_apart(change->bound, change->value);
  return fmt::format("with feature {} of {} {} {} in place of {}{}, the answer would be {}",
                     change->feature_idx, report.families[change->family_idx],
                     change->must_rise ? "at or above" : "below", bound, value, thresholds,
                     report.classes[change->class_idx]);
}

std::vector<std::string> changes_in_words(const ExplanationReport& report, const Explanation& explanation) {
  std::vector<std::string> words;
  if (report.kind == StrongClassifier::kKind) words.push_back(family_change_in_words(report, explanation));
  words.push_back(feature_change_in_words(report, explanation));
  return words;
}

Json family_json(const ExplanationReport& report, const Explanation& explanation, std::uint32_t family_idx) {
  const std::vector<const FeatureVotes*> features = strongest(explanation, family_idx);
  Json json{{"name", report.families[family_idx]},
            {"votes", explanation.families[family_idx]},
            {"num_features", features.size()},
            {"features", Json::array()}};
  for (std::size_t i = 0; i < std::min(kFeaturesOfJson, features.size()); ++i) {
    const float value = features[i]->value;
    json["features"].push_back({{"feature", features[i]->feature_idx},
                                {"value", std::isfinite(value) ? Json(value) : Json()},
                                {"votes", features[i]->votes}});
  }
  return json;
}

Json change_json(const ExplanationReport& report, const Explanation& explanation) {
  Json family, feature;
  if (const auto& change = explanation.family_change)
    family = {{"family", report.families[change->family_idx]},
              {"changed", change->num_changed},
              {"votes", change->num_votes},
              {"class", report.classes[change->class_idx]}};
  if (const auto& change = explanation.feature_change)
    feature = {{"family", report.families[change->family_idx]},
               {"feature", change->feature_idx},
               {"value", std::isfinite(change->value) ? Json(change->value) : Json()},
               {"bound", change->bound},
               {"must_rise", change->must_rise},
               {"thresholds", change->num_steps},
               {"class", report.classes[change->class_idx]}};
  return {{"family", family}, {"feature", feature}};
}

Json place_json(const ExplanationReport& report, const ExplainedPlace& place) {
  return {{"x", place.place.x},
          {"y", place.place.y},
          {"width", place.place.width},
          {"height", place.place.height},
          {"effect", place.effect},
          {"family", report.families[place.family_idx]},
          {"family_effect", place.family_effect}};
}

Json picture_json(const ExplanationReport& report, const ExplainedPicture& picture) {
  const Explanation& explanation = picture.explanation;
  Json json{{"picture", picture.picture},
            {"class", report.classes[explanation.predicted]},
            {"rival", report.classes[explanation.rival]},
            {"margin", picture.margin},
            {"lead", picture.lead()},
            {"scores", explanation.scores},
            {"constant", explanation.constant},
            {"families", Json::array()},
            {"places", Json::array()},
            {"changes", change_json(report, explanation)}};
  for (const std::uint32_t k : families_by_lead(explanation))
    json["families"].push_back(family_json(report, explanation, k));
  for (const ExplainedPlace& place : picture.places) json["places"].push_back(place_json(report, place));
  return json;
}

Result<page::Piece> marked_piece(const ExplanationReport& report, const ExplainedPicture& picture,
                                 std::size_t number) {
  double largest = 0;
  for (const ExplainedPlace& place : picture.places) largest = std::max(largest, std::abs(place.effect));
  std::vector<PictureMark> marks;
  for (const auto& [place, effect, family_idx, family_effect] : picture.places)
    marks.push_back({place.x, place.y, place.width, place.height, largest > 0 ? effect / largest : 0});
  const std::vector<std::string> words = places_in_words(report, picture);
  const std::string id = fmt::format("picture-{}", number),
                    description = words.empty() ? "No place changes the lead."
                                                : fmt::format("{}.", fmt::join(words, "; "));
  MASH_ASSIGN(const Html image,
              marked_picture({picture.pixels, report.shape, id, picture.picture, description}, marks));
  page::Piece piece{markup("<ul class=\"pictures\"><li><figure>{}</figure></li></ul>\n", image), ""};
  piece.html += page::note(description).html;
  piece.markdown = description + "\n\n";
  return piece;
}

Result<page::Piece> picture_section(const ExplanationReport& report, const ExplainedPicture& picture,
                                    std::size_t number) {
  page::Piece out = page::paragraph(markup("{}.", answer_in_words(report, picture)));
  MASH_ASSIGN(const page::Piece marked, marked_piece(report, picture, number));
  out += marked;
  out +=
      page::table(votes_table(report, picture.explanation),
                  "Votes for the class and for the one that comes next; they add up to the scores. Strongest "
                  "features: with their part in the lead.");
  out += page::heading("What would change the answer");
  std::vector<Html> items;
  for (const std::string& words : changes_in_words(report, picture.explanation))
    items.push_back(markup("{}", words));
  out += page::list(items);
  return out;
}

}  // namespace

double ExplainedPicture::lead() const { return lead_of(explanation, explanation.scores); }

std::string render_text(const ExplanationReport& report) {
  std::string text;
  for (const ExplainedPicture& picture : report.pictures) {
    text += fmt::format("{}{}\n\n", text.empty() ? "" : "\n", answer_in_words(report, picture));
    text += render_text(votes_table(report, picture.explanation)) + "\n";
    for (const std::string& words : places_in_words(report, picture)) text += words + "\n";
    for (const std::string& words : changes_in_words(report, picture.explanation)) text += words + "\n";
  }
  return text;
}

Json to_json(const ExplanationReport& report) {
  Json json{{"model", report.model},
            {"kind", report.kind},
            {"classes", report.classes},
            {"pictures", Json::array()}};
  for (const ExplainedPicture& picture : report.pictures)
    json["pictures"].push_back(picture_json(report, picture));
  return json;
}

Result<page::Piece> explanation_page(const ExplanationReport& report, std::string_view program_version) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < report.pictures.size(); ++i) ids.push_back(fmt::format("explained-{}", i));
  std::vector<page::Section> sections;
  for (std::size_t i = 0; i < report.pictures.size(); ++i) {
    MASH_ASSIGN(page::Piece body, picture_section(report, report.pictures[i], i));
    sections.push_back({ids[i], report.pictures[i].picture, std::move(body)});
  }
  const Html lead = markup(
      "What {} says of {}, and why. Places in warm colours speak for the answer: covered by the mean of what "
      "is around them, they take from the lead of the class over the next one. Places in cool colours speak "
      "against it.",
      report.model, counted(report.pictures.size(), "picture"));
  return page::page("Explanation", lead, sections, program_version);
}

}  // namespace mash
