// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/explain.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/serving/predictor.hpp"

namespace mash {
namespace {

double lead_in(const std::vector<double>& votes, const Explanation& explanation) {
  const bool has_rival = explanation.rival != explanation.predicted;
  return votes[explanation.predicted] - (has_rival ? votes[explanation.rival] : 0);
}

// A picture, and then a copy with each of the places covered.
Split with_covered_copies(std::span<const std::uint8_t> picture, const ImageShape& shape,
                          const std::vector<Place>& places) {
  Split split;
  split.num_examples = 1 + places.size();
  for (std::size_t i = 0; i < split.num_examples; ++i) {
    split.labels.push_back(0);
    split.pixels.insert(split.pixels.end(), picture.begin(), picture.end());
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    cover(places[i], shape, std::span(split.pixels).subspan((i + 1) * shape.num_bytes(), shape.num_bytes()));
  return split;
}

ExplainedPlace explained(const Place& place, const Explanation& whole, const Explanation& covered) {
  ExplainedPlace result{place, lead_in(whole.scores, whole) - lead_in(covered.scores, whole), 0, 0};
  for (std::uint32_t k = 0; k < whole.families.size(); ++k) {
    const double effect = lead_in(whole.families[k], whole) - lead_in(covered.families[k], whole);
    // The one that moves the lead in the direction of all of them.
    if (std::abs(effect) > std::abs(result.family_effect) && effect * result.effect >= 0) {
      result.family_idx = k;
      result.family_effect = effect;
    }
  }
  return result;
}

Result<ExplainedPicture> explain_picture(const Model& model, const Predictor& predictor,
                                         std::span<const std::uint8_t> pixels, const WorkContext& work) {
  const std::vector<Place> places = places_of(model.shape());
  const Split split = with_covered_copies(pixels, model.shape(), places);
  MASH_ASSIGN(const std::vector<float> values,
              predictor.values(split, work.workers, work.progress, work.stop));
  const auto values_of = [&](std::size_t example) {
    return std::span(values).subspan(example * predictor.num_values(), predictor.num_values());
  };
  ExplainedPicture picture;
  picture.pixels.assign(pixels.begin(), pixels.end());
  picture.explanation = explain(model, values_of(0));
  picture.margin = margin(picture.explanation.scores, picture.explanation.predicted, model.score_bound());
  for (std::size_t i = 0; i < places.size(); ++i)
    picture.places.push_back(explained(places[i], picture.explanation, votes_of(model, values_of(i + 1))));
  return picture;
}

}  // namespace

Result<ExplanationReport> explain_pictures(const ModelSource& source,
                                           const std::vector<std::string>& pictures,
                                           const WorkContext& work) {
  if (pictures.size() > kMostExplained)
    return input_error("found {} pictures, expected at most {} to explain", pictures.size(), kMostExplained);
  MASH_ASSIGN(LoadedModel loaded, load_model(source, work));
  const Model& model = loaded.model;
  if (model.shape().width == 0)
    return input_error(
        "{}: was trained on a table, not on images; only the answers on pictures are explained", loaded.name);
  if (!model.has_votes())
    return input_error(
        "{}: is of the kind {}, whose features have no votes of their own; expected sum, linear, gaussian or "
        "tree",
        loaded.name, model.kind());
  const auto predictor = Predictor::open(model, loaded.catalogue);
  if (!predictor.ok()) return predictor.error().at(loaded.name);
  MASH_ASSIGN(const ReadPictures read, read_pictures_for(loaded, {pictures}, work));
  ExplanationReport report;
  report.model = loaded.name;
  report.kind = model.kind();
  report.classes = model.class_names();
  for (const ModelFamily& family : model.families()) report.families.push_back(family.name);
  report.shape = model.shape();
  for (std::size_t n = 0; n < pictures.size(); ++n) {
    MASH_ASSIGN(ExplainedPicture picture,
                explain_picture(model, *predictor, read.split.image(n, model.shape()), work));
    picture.picture = pictures[n];
    report.pictures.push_back(std::move(picture));
  }
  return report;
}

}  // namespace mash
