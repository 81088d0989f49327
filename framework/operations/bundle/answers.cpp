// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/bundle/answers.hpp"

#include <algorithm>

#include "framework/dataset/image_file.hpp"
#include "framework/dataset/resize.hpp"
#include "framework/families/tile_walk.hpp"
#include "framework/operations/bundle/check_pictures.hpp"

namespace mash {
namespace {

DecodedImage three_channels(const CheckPicture& picture) {
  DecodedImage image{{picture.width, picture.height, 3}, {}, picture.channels == 1};
  for (std::size_t i = 0; i < picture.pixels.size(); i += picture.channels)
    for (std::size_t c = 0; c < 3; ++c)
      image.pixels.push_back(picture.pixels[i + (picture.channels == 1 ? 0 : c)]);
  return image;
}

// The values of all features that the scorer needs: a row for each picture.
Result<std::vector<float>> values_on(const Split& pictures, const Model& model, const Scorer& scorer,
                                     Catalogue& catalogue) {
  const ImageShape& shape = model.shape();
  MASH_ASSIGN(const FamilyPools pools,
              FamilyPools::open(model.families(), scorer.features(), shape, catalogue));
  MASH_ASSIGN(FamilyPools::Instances instances, pools.take());
  const std::size_t num_values = scorer.num_values();
  std::vector<float> values(pictures.num_examples * num_values), block;
  std::size_t first_value = 0;
  for (std::size_t k = 0; k < instances.size(); ++k) {
    const std::vector<std::uint32_t>& features = scorer.features()[k];
    if (features.empty()) continue;
    TileWalk walk(shape, pictures_of(pictures, 0, pictures.num_examples), 0, tile_capacity(shape));
    while (walk.next()) {
      block.resize(walk.size() * features.size());
      MASH_TRY(instances[k]->extract(walk.tile(), features, block).status);
      for (std::size_t i = 0; i < walk.size(); ++i)
        std::copy_n(&block[i * features.size()], features.size(),
                    &values[(walk.first() + i) * num_values + first_value]);
    }
    first_value += features.size();
  }
  pools.give_back(std::move(instances));
  return values;
}

}  // namespace

Split check_examples(const ImageShape& shape) {
  const bool resizes = shape.resize != ResizeMode::kNone;
  Split split;
  for (const CheckPicture& picture : check_pictures(shape.width, shape.height, resizes)) {
    DecodedImage image = three_channels(picture);
    if (resizes) image = resized(image, {shape.width, shape.height, shape.resize});
    if (shape.num_channels == 1) {
      std::vector<std::uint8_t> grey(image.pixels.size() / 3);
      to_grey(image.pixels, grey);
      image.pixels = std::move(grey);
    }
    split.pixels.insert(split.pixels.end(), image.pixels.begin(), image.pixels.end());
    split.labels.push_back(0);
    ++split.num_examples;
  }
  return split;
}

Result<ExpectedAnswers> expected_answers(const Model& model, Catalogue& catalogue) {
  const Split pictures = check_examples(model.shape());
  const auto scorer = model.scorer();
  ExpectedAnswers expected;
  MASH_ASSIGN(expected.values, values_on(pictures, model, *scorer, catalogue));
  const std::size_t num_values = scorer->num_values();
  std::vector<double> scores(model.num_classes());
  for (std::size_t n = 0; n < pictures.num_examples; ++n) {
    scorer->scores(std::span(expected.values).subspan(n * num_values, num_values), scores);
    expected.scores.insert(expected.scores.end(), scores.begin(), scores.end());
    expected.classes.push_back(std::uint16_t(predicted_class(scores)));
  }
  return expected;
}

Result<ExpectedAnswers> expected_answers_within(const StrongClassifier& planned,
                                                const PaidPredictor& predictor, const BudgetRule& rule,
                                                Catalogue& catalogue, const WorkContext& work) {
  MASH_ASSIGN(ExpectedAnswers expected, expected_answers(planned, catalogue));
  const Split pictures = check_examples(planned.shape);
  MASH_ASSIGN(const auto predictions,
              predictor.predict(pictures, rule, work.workers, work.progress, work.stop));
  expected.scores.clear();
  expected.classes = classes_of(predictions);
  return expected;
}

}  // namespace mash
