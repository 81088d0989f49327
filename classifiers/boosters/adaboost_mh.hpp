// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "classifiers/events/training.hpp"
#include "classifiers/samplers/sampler.hpp"
#include "classifiers/scan/signed_weights.hpp"
#include "classifiers/weak/weak_learner.hpp"
#include "framework/base/progress.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

enum class LossKind { kExponential, kLogistic };

// What a run of AdaBoost.MH is made of, less sampler and weak learner.
struct BoosterSettings {
  std::uint32_t num_rounds = 100;
  LossKind loss = LossKind::kExponential;
  InitialWeights init = InitialWeights::kUniform;
  ScanSettings scan;
  bool stop_on_perfect = false;  // stop at the first hypothesis without a wrong weight
  // Rounds between two computations of the weights from the scores: of a thousand factors the product is good
  // to 1e-12, and the exponentials take as long as ten rounds of a sampler. Not a setting: it changes last
  // bits.
  std::uint32_t recompute_every = 1000;
  std::uint64_t seed = 1;
};

// Reads rounds, loss, init, scan and stop_on_perfect; the caller refuses the rest.
Result<std::unique_ptr<BoosterSettings>> make_adaboost_mh(Settings& settings);

// What it runs on and reports to. Everything outlives the run.
struct TrainingContext {
  const Dataset& dataset;
  const FeatureSet& features;
  const Workers& workers;
  Observer& observer;
  Progress& progress;
  const StopFlag& stop;
  std::filesystem::path checkpoint;  // where to keep the state of an unfinished run; empty: nowhere
  std::string run_key;               // a checkpoint of another run is not used
  bool keep_finished = false;        // leave a checkpoint of the finished run too, for a job of several
};

// Trains discrete AdaBoost.MH (Schapire & Singer 1999; Busa-Fekete & Kegl 2010, section 2): each round the
// weak learner finds h = v phi with a large edge on the weights W, its coefficient minimises the loss, and W
// moves to the examples and classes that are still wrong. The same seed gives the same model for any number
// of threads; a run that was cut off goes on from its checkpoint and ends in the same model. Errors
// (kFailure): the checkpoint cannot be written.
Result<TrainingResult> train_adaboost_mh(const BoosterSettings& settings, Sampler& sampler, WeakLearner& weak,
                                         const TrainingContext& context);

}  // namespace mash
