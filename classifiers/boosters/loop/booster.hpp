// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "classifiers/events/training.hpp"
#include "classifiers/samplers/sampler.hpp"
#include "classifiers/weak/weak_learner.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// What a run trains on and reports to. Everything outlives the run.
struct TrainingContext {
  const Dataset& dataset;
  const FeatureSet& features;
  WorkContext work;
  Observer& observer;
  std::filesystem::path checkpoint;  // where to keep the state of an unfinished run; empty: nowhere
  std::string run_key;               // a checkpoint of another run is not used
  bool keep_finished = false;        // leave a checkpoint of the finished run too, for a job of several
  std::span<const std::uint32_t> left_out = {};  // training examples (increasing) that weigh nothing
  // False where nobody looks at the test side: the curve has no points then, and the result no test scores.
  bool scores_test_side = true;
  // True where only the seconds are of use: what comes before the first round may be done in part, with its
  // seconds taken for the whole, and the model may be another.
  bool only_measures = false;
};

// How a round looks for its hypothesis. Values: any number of runs may use them.
struct SearchParts {
  SamplerFactory sampler;
  std::shared_ptr<const WeakLearner> weak;
};

// A booster with its settings: a value, which trains any number of runs, also side by side.
class Booster {
 public:
  virtual ~Booster() = default;

  // The rounds of a training that nothing ends before the last one.
  virtual std::uint32_t num_rounds(std::size_t num_classes) const = 0;

  // Whether it can train with this weak learner. Errors (kInput): it cannot; says with which it can.
  virtual Status check(const WeakLearner& weak) const = 0;

  // Whether it can train on features of these families, as far as their names tell; asked before anything is
  // computed. Errors (kInput): it cannot.
  virtual Status check_families(std::span<const FamilySpec>) const { return Done{}; }

  // Whether a round adds at most one hypothesis and leaves those before it as they are, so that the first of
  // a model are the model of fewer rounds.
  virtual bool adds_hypotheses() const { return true; }

  // Whether it can train on a side that never ends: it looks at new examples for ever, and knows few at a
  // time.
  virtual bool takes_endless() const { return false; }

  // One run: each round the weak learner finds a hypothesis on the round's weights, which gets a coefficient
  // and moves the weights. The same seed gives the same model for any number of threads; a run that was cut
  // off goes on from its checkpoint and ends in the same model. Errors: settings of the sampler that do not
  // fit the features (kInput); the checkpoint cannot be written (kFailure). REQUIRES: check(*search.weak).
  virtual Result<TrainingResult> train(const SearchParts& search, std::uint64_t seed,
                                       const TrainingContext& context) const = 0;
};

}  // namespace mash
