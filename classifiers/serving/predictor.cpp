// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/predictor.hpp"

#include <algorithm>

#include "classifiers/serving/example_blocks.hpp"
#include "framework/base/require.hpp"
#include "framework/families/family.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamplesPerTask = 64;
constexpr std::size_t kImagesPerTile = 16;  // few: the maps that families share are kept for each

}  // namespace

Result<Predictor> Predictor::open(const Model& model, Catalogue& catalogue) {
  Predictor predictor;
  predictor.scorer_ = model.scorer();
  predictor.shape_ = model.shape();
  predictor.num_classes_ = model.num_classes();
  predictor.num_columns_ = model.column_names().size();
  MASH_ASSIGN(predictor.pools_,
              FamilyPools::open(model.families(), predictor.scorer_->features(), model.shape(), catalogue));
  return predictor;
}

Status Predictor::extract_values(const Split& split, std::size_t begin, std::size_t end,
                                 const FamilyPools::Instances& instances, ImagePlanes& planes,
                                 std::span<float> values) const {
  const std::size_t num_rows = end - begin, num_values = scorer_->num_values();
  // Shown once, so that families share what is made of the images.
  planes.clear();
  if (num_columns_ == 0)
    for (std::size_t n = begin; n < end; ++n) planes.add(split, n);
  std::vector<float> block;  // a row of a family's features for each example
  std::size_t first_value = 0;
  for (std::size_t k = 0; k < instances.size(); ++k) {
    const std::vector<std::uint32_t>& features = scorer_->features()[k];
    const std::size_t width = features.size();
    if (width == 0) continue;
    block.resize(num_rows * width);
    if (instances[k] != nullptr) {
      MASH_TRY(instances[k]->extract(planes.tile(), features, block).status);
    } else {
      for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = split.values[(begin + i / width) * num_columns_ + features[i % width]];
    }
    for (std::size_t r = 0; r < num_rows; ++r)
      std::copy_n(&block[r * width], width, &values[r * num_values + first_value]);
    first_value += width;
  }
  return Done{};
}

Status Predictor::predict_range(const Split& split, std::size_t begin, std::size_t end,
                                std::span<double> scores) const {
  MASH_ASSIGN(FamilyPools::Instances instances, pools_.take());
  const std::size_t num_values = scorer_->num_values();
  const std::size_t looks_back = pools_.looks_back(split);
  const std::size_t tile_size =
      looks_back == 0 ? std::min(kImagesPerTile, tile_capacity(shape_)) : tile_capacity(shape_, looks_back);
  // Maps of as many images as a tile of a film has would take too much memory.
  ImagePlanes planes(shape_, tile_size, looks_back == 0 ? tile_size : 1, looks_back);
  std::vector<float> values(tile_size * num_values);
  for (std::size_t n = begin; n < end; ++n) {
    const std::size_t place = (n - begin) % tile_size;
    if (place == 0)
      MASH_TRY(extract_values(split, n, std::min(n + tile_size, end), instances, planes, values));
    scorer_->scores(std::span(values).subspan(place * num_values, num_values),
                    scores.subspan(n * num_classes_, num_classes_));
  }
  pools_.give_back(std::move(instances));
  return Done{};
}

Result<std::vector<double>> Predictor::scores(const Split& split, const Workers& workers, Progress& progress,
                                              const StopFlag& stop) const {
  require(split.pixels.size() == split.num_examples * shape_.num_bytes() &&
              split.values.size() == split.num_examples * num_columns_,
          "Predictor::scores: images of the model's shape, or as many columns");
  std::vector<double> scores(split.num_examples * num_classes_);
  const std::size_t task_size = std::max(kExamplesPerTask, tile_capacity(shape_, pools_.looks_back(split)));
  MASH_TRY(for_example_blocks(
      split.num_examples, task_size, workers, progress, stop,
      [&](std::size_t begin, std::size_t end) { return predict_range(split, begin, end, scores); }));
  return scores;
}

}  // namespace mash
