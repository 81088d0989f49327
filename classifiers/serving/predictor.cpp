// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/predictor.hpp"

#include <algorithm>
#include <numeric>

#include "classifiers/serving/example_blocks.hpp"
#include "framework/base/require.hpp"
#include "framework/base/secrets.hpp"
#include "framework/families/family.hpp"
#include "framework/families/secret_order.hpp"
#include "framework/families/tile_walk.hpp"

namespace mash {
namespace {

constexpr std::size_t kImagesPerTile = 16;  // few: the maps that families share are kept for each

// Those of a table: they have values, and nothing to show.
Pictures rows_without_pictures(std::size_t count) {
  return {count, [](std::size_t, ImagePlanes&) { return true; }};
}

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

Status Predictor::extract_values(const Split& split, std::span<const std::uint32_t> examples,
                                 const ImageTile& tile, const FamilyPools::Instances& instances,
                                 std::span<float> values) const {
  const std::size_t num_values = scorer_->num_values(), num_rows = examples.size();
  std::vector<float> block;  // a row of a family's features for each example
  std::size_t first_value = 0;
  for (std::size_t k = 0; k < instances.size(); ++k) {
    const std::vector<std::uint32_t>& features = scorer_->features()[k];
    const std::size_t width = features.size();
    if (width == 0) continue;
    block.resize(num_rows * width);
    if (instances[k] != nullptr) {
      MASH_TRY(instances[k]->extract(tile, features, block).status);
    } else {
      for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = split.values[examples[i / width] * num_columns_ + features[i % width]];
    }
    for (std::size_t r = 0; r < num_rows; ++r)
      std::copy_n(&block[r * width], width, &values[r * num_values + first_value]);
    first_value += width;
  }
  return Done{};
}

Status Predictor::extract_some(const Split& split, std::span<const std::uint32_t> examples,
                               const TakeValues& take) const {
  MASH_ASSIGN(FamilyPools::Instances instances, pools_.take());
  const std::size_t num_values = scorer_->num_values();
  const std::size_t looks_back = pools_.looks_back(split);
  const std::size_t capacity = tile_capacity(shape_, looks_back, kImagesPerTile);
  // Maps of as many images as a tile of a film has would take too much memory.
  TileWalk walk(shape_,
                num_columns_ == 0 ? pictures_of(split, examples) : rows_without_pictures(examples.size()),
                looks_back, capacity, looks_back == 0 ? capacity : 1);
  std::vector<float> values(capacity * num_values);
  while (walk.next()) {
    const auto wanted = examples.subspan(walk.first(), walk.size());
    MASH_TRY(extract_values(split, wanted, walk.tile(), instances, values));
    for (std::size_t i = 0; i < walk.size(); ++i)
      take(wanted[i], std::span(values).subspan(i * num_values, num_values));
  }
  pools_.give_back(std::move(instances));
  return Done{};
}

Status Predictor::extract_all(const Split& split, const Workers& workers, Progress& progress,
                              const StopFlag& stop, const TakeValues& take) const {
  require(split.pixels.size() == split.num_examples * shape_.num_bytes() &&
              split.values.size() == split.num_examples * num_columns_,
          "Predictor: images of the model's shape, or as many columns");
  const std::size_t task_size = pictures_per_task(shape_, pools_.looks_back(split));
  // The order of the examples may tell their classes, which heuristics must not know.
  std::vector<std::uint32_t> rows(split.num_examples);
  std::iota(rows.begin(), rows.end(), 0u);
  const std::vector<std::uint32_t> order = secret_order(split, rows, make_secret_number());
  return for_example_blocks(split.num_examples, task_size, workers, progress, stop,
                            [&](std::size_t begin, std::size_t end) {
                              return extract_some(split, std::span(order).subspan(begin, end - begin), take);
                            });
}

Result<std::vector<double>> Predictor::scores(const Split& split, const Workers& workers, Progress& progress,
                                              const StopFlag& stop) const {
  std::vector<double> scores(split.num_examples * num_classes_);
  MASH_TRY(
      extract_all(split, workers, progress, stop, [&](std::uint32_t example, std::span<const float> values) {
        scorer_->scores(values, std::span(scores).subspan(example * num_classes_, num_classes_));
      }));
  return scores;
}

Result<std::vector<float>> Predictor::values(const Split& split, const Workers& workers, Progress& progress,
                                             const StopFlag& stop) const {
  std::vector<float> all(split.num_examples * num_values());
  MASH_TRY(
      extract_all(split, workers, progress, stop, [&](std::uint32_t example, std::span<const float> values) {
        std::ranges::copy(values, all.begin() + std::ptrdiff_t(example * num_values()));
      }));
  return all;
}

}  // namespace mash
