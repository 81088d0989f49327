// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/predictor.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "framework/base/require.hpp"
#include "framework/families/family.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamplesPerTask = 64;
constexpr std::size_t kImagesPerTile = 16;  // few: the maps that families share are kept for each

}  // namespace

Result<const HeuristicInfo*> find_heuristic(const ModelFamily& family, const Catalogue& catalogue) {
  MASH_ASSIGN(const HeuristicInfo* info, catalogue.find(family.heuristic));
  if (info->version != family.version)
    return input_error("heuristic {}: found version {} at {}, the model was trained with {}",
                       family.heuristic, info->version, info->plugin.string(), family.version);
  if (info->parameters.size() != family.values.size())
    return input_error("heuristic {}: found {} parameters, the model has values for {}", family.heuristic,
                       info->parameters.size(), family.values.size());
  for (std::size_t i = 0; i < family.values.size(); ++i) {
    const ParameterInfo& parameter = info->parameters[i];
    if (!(family.values[i] >= parameter.minimum && family.values[i] <= parameter.maximum))
      return input_error("heuristic {}: {}: found {} in the model, expected {} to {}", family.heuristic,
                         parameter.id, family.values[i], parameter.minimum, parameter.maximum);
  }
  return info;
}

Result<Predictor> Predictor::open(const Model& model, Catalogue& catalogue) {
  Predictor predictor;
  predictor.scorer_ = model.scorer();
  predictor.shape_ = model.shape();
  predictor.num_classes_ = model.num_classes();
  predictor.num_columns_ = model.column_names().size();
  predictor.pools_.resize(model.families().size());
  for (std::size_t k = 0; k < predictor.pools_.size(); ++k) {
    const ModelFamily& family = model.families()[k];
    if (predictor.scorer_->features()[k].empty() || family.heuristic == kColumnsFamily) continue;
    MASH_ASSIGN(const HeuristicInfo* info, find_heuristic(family, catalogue));
    auto pool =
        std::make_unique<InstancePool>(catalogue.host(), *info, family.values, model.shape().num_cameras);
    MASH_ASSIGN(auto instance, pool->take());
    MASH_ASSIGN(const std::uint32_t dim, instance->dim({model.shape().width, model.shape().height}));
    pool->give_back(std::move(instance));
    MASH_TRY(check_dim(family, dim));
    predictor.pools_[k] = std::move(pool);
  }
  return predictor;
}

Result<Predictor::Instances> Predictor::take_instances() const {
  Instances instances;
  for (const auto& pool : pools_) {
    instances.emplace_back();
    if (pool == nullptr) continue;
    MASH_ASSIGN(instances.back(), pool->take());
  }
  return instances;
}

std::size_t Predictor::looks_back(const Split& split) const {
  std::size_t most = 0;
  if (split.frames.empty()) return most;
  for (const auto& pool : pools_)
    if (pool != nullptr) most = std::max<std::size_t>(most, pool->heuristic().looks_back);
  return most;
}

Status Predictor::extract_values(const Split& split, std::size_t begin, std::size_t end,
                                 const Instances& instances, ImagePlanes& planes,
                                 std::span<float> values) const {
  const std::size_t num_rows = end - begin, num_values = scorer_->num_values();
  // Shown once, so that families share what is made of the images.
  planes.clear();
  if (num_columns_ == 0)
    for (std::size_t n = begin; n < end; ++n) planes.add(split, n);
  std::vector<float> block;  // a row of a family's features for each example
  std::size_t first_value = 0;
  for (std::size_t k = 0; k < pools_.size(); ++k) {
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
  MASH_ASSIGN(Instances instances, take_instances());
  const std::size_t num_values = scorer_->num_values();
  const std::size_t looks_back = this->looks_back(split);
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
  for (std::size_t k = 0; k < pools_.size(); ++k)
    if (instances[k]) pools_[k]->give_back(std::move(instances[k]));
  return Done{};
}

Result<std::vector<double>> Predictor::scores(const Split& split, const Workers& workers, Progress& progress,
                                              const StopFlag& stop) const {
  require(split.pixels.size() == split.num_examples * shape_.num_bytes() &&
              split.values.size() == split.num_examples * num_columns_,
          "Predictor::scores: images of the model's shape, or as many columns");
  std::vector<double> scores(split.num_examples * num_classes_);
  std::mutex mutex;
  std::optional<Error> error;
  progress.start("predicting", split.num_examples, "examples");
  std::atomic<bool> failed{false};
  const std::size_t task_size = std::max(kExamplesPerTask, tile_capacity(shape_, looks_back(split)));
  workers.for_blocks(split.num_examples, task_size, [&](std::size_t, std::size_t begin, std::size_t end) {
    if (failed) return;
    const Status status = stop.raised() ? Status(Error{ErrorKind::kStopped, "stopped by the user"})
                                        : predict_range(split, begin, end, scores);
    progress.advance(end - begin);
    if (status.ok()) return;
    failed = true;
    const std::lock_guard lock(mutex);
    if (!error) error = status.error();
  });
  progress.finish();
  if (error) return *error;
  return scores;
}

}  // namespace mash
