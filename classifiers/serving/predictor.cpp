// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/predictor.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "framework/families/family.hpp"
#include "framework/families/image_planes.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamplesPerTask = 64;

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

Result<Predictor> Predictor::open(const StrongClassifier& model, Catalogue& catalogue) {
  Predictor predictor;
  predictor.model_ = &model;
  predictor.families_.resize(model.families.size());
  for (const Hypothesis& hypothesis : model.hypotheses)
    for (const Cut& cut : hypothesis.cuts)
      predictor.families_[cut.family_idx].features.push_back(cut.feature_idx);
  for (std::size_t k = 0; k < model.families.size(); ++k) {
    UsedFamily& used = predictor.families_[k];
    std::sort(used.features.begin(), used.features.end());
    used.features.erase(std::unique(used.features.begin(), used.features.end()), used.features.end());
    used.first_slot = predictor.num_slots_;
    predictor.num_slots_ += used.features.size();
    if (used.features.empty() || model.families[k].heuristic == kColumnsFamily) continue;
    MASH_ASSIGN(const HeuristicInfo* info, find_heuristic(model.families[k], catalogue));
    used.pool = std::make_unique<InstancePool>(catalogue.host(), *info, model.families[k].values);
    MASH_ASSIGN(auto instance, used.pool->take());
    MASH_ASSIGN(const std::uint32_t dim, instance->dim({model.shape.width, model.shape.height}));
    used.pool->give_back(std::move(instance));
    MASH_TRY(check_dim(model.families[k], dim));
  }
  for (const Hypothesis& hypothesis : model.hypotheses) {
    for (const Cut& cut : hypothesis.cuts) {
      const UsedFamily& used = predictor.families_[cut.family_idx];
      const auto place = std::lower_bound(used.features.begin(), used.features.end(), cut.feature_idx);
      predictor.slots_.push_back(used.first_slot + std::size_t(place - used.features.begin()));
    }
    predictor.votes_.push_back(cell_votes(hypothesis));
  }
  return predictor;
}

Result<Predictor::Instances> Predictor::take_instances() const {
  Instances instances;
  for (const UsedFamily& used : families_) {
    instances.emplace_back();
    if (used.pool == nullptr) continue;
    MASH_ASSIGN(instances.back(), used.pool->take());
  }
  return instances;
}

Status Predictor::predict_range(const Split& split, std::size_t begin, std::size_t end,
                                std::span<double> scores) const {
  MASH_ASSIGN(Instances instances, take_instances());
  const std::size_t num_classes = model_->num_classes(), num_columns = model_->column_names.size();
  ImagePlanes planes(model_->shape);
  std::vector<float> values(num_slots_);
  for (std::size_t n = begin; n < end; ++n) {
    // Shown once, so that families share what is made of the image.
    const mash_image_t* image = num_columns == 0 ? &planes.show(split.image(n, model_->shape)) : nullptr;
    for (std::size_t k = 0; k < families_.size(); ++k) {
      const UsedFamily& used = families_[k];
      const auto out = std::span(values).subspan(used.first_slot, used.features.size());
      if (out.empty()) continue;
      if (instances[k] == nullptr) {
        for (std::size_t i = 0; i < out.size(); ++i)
          out[i] = split.values[n * num_columns + used.features[i]];
      } else {
        MASH_TRY(instances[k]->extract(*image, planes.view(), used.features, out));
      }
    }
    double* row = &scores[n * num_classes];
    const std::size_t* slot = slots_.data();
    for (std::size_t t = 0; t < model_->hypotheses.size(); ++t) {
      const Hypothesis& hypothesis = model_->hypotheses[t];
      const std::size_t cell = cell_of(hypothesis, [&](std::size_t i) {
        return hypothesis.cuts[i].always_holds() || values[slot[i]] >= hypothesis.cuts[i].threshold;
      });
      slot += hypothesis.cuts.size();
      const std::int8_t* votes = &votes_[t][cell * num_classes];
      for (std::size_t l = 0; l < num_classes; ++l) row[l] += hypothesis.alpha * votes[l];
    }
  }
  for (std::size_t k = 0; k < families_.size(); ++k)
    if (instances[k]) families_[k].pool->give_back(std::move(instances[k]));
  return Done{};
}

Result<std::vector<double>> Predictor::scores(const Split& split, const Workers& workers, Progress& progress,
                                              const StopFlag& stop) const {
  std::vector<double> scores(split.num_examples * model_->num_classes());
  std::mutex mutex;
  std::optional<Error> error;
  progress.start("predicting", split.num_examples, "examples");
  std::atomic<bool> failed{false};
  workers.for_blocks(
      split.num_examples, kExamplesPerTask, [&](std::size_t, std::size_t begin, std::size_t end) {
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
