// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifiers/events/training.hpp"
#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// How much of a training its caller uses.
enum class Purpose {
  kResult,   // everything: the model, its curve, its scores on the test side
  kModel,    // the model: nobody looks at the test side, so the curve has no points and the result no test
             // scores
  kSeconds,  // the seconds: the preparation may be sampled and its time extrapolated; the model may differ
};

// The surroundings of a run: what it trains on and reports to. Everything outlives the run.
struct TrainingContext {
  const Dataset& dataset;
  const FeatureSet& features;
  WorkContext work;
  Observer& observer;
  std::filesystem::path checkpoint;  // where to keep the state of an unfinished run; empty: nowhere
  std::string run_key;               // a checkpoint of another run is not used
  bool keep_finished = false;        // leave a checkpoint of the finished run too, for a job of several
  std::span<const std::uint32_t> left_out = {};  // training examples (increasing) that weigh nothing
  // A weight of 0 or more for each training example, not all 0; none where all weigh the same. REQUIRES,
  // where there are some: traits().weighs_examples.
  std::span<const double> example_weights = {};
  Purpose purpose = Purpose::kResult;
  // A file with the rounds of the longest finished training that differs from this one in their number alone,
  // and the key that such trainings share. Rounds that are there are not trained again; a training that has
  // more puts its own there. Empty: none. REQUIRES, where there is one: the rows of booster and sampler keep
  // their prefix.
  std::filesystem::path rounds_file = {};
  std::string rounds_key = {};

  bool scores_test_side() const { return purpose != Purpose::kModel; }
};

// Traits of a learner: what it needs, and what its trainings are like.
struct LearnerTraits {
  // A training goes in rounds. Each round adds at most one hypothesis and leaves the earlier ones as they
  // are. So the first hypotheses of a model are the model of fewer rounds.
  bool adds_hypotheses = false;
  // It can train on a side that never ends: it always looks at new examples, and holds only few at a time.
  bool takes_endless = false;
  // It can train on examples of different weights.
  bool weighs_examples = false;
  // It reads the values of features, not only their codes.
  bool wants_values = false;
};

// The size of what a training is made on.
struct TrainingSize {
  std::uint64_t num_train = 0, num_test = 0, num_features = 0, num_classes = 0;

  // Bytes of the scores of both sides.
  std::uint64_t score_bytes() const { return (num_train + num_test) * num_classes * sizeof(double); }
};

// A learner with its settings. It is a value: it can train any number of runs, also side by side.
class Learner {
 public:
  virtual ~Learner() = default;

  virtual LearnerTraits traits() const = 0;

  // The number of rounds of a training that does not end early; nothing where trainings do not go in rounds.
  virtual std::optional<std::uint32_t> num_rounds(std::size_t num_classes) const = 0;

  // Whether it can train on features of these families, as far as their names tell. Asked before any feature
  // is computed. Errors (kInput): it cannot.
  virtual Status check_families(std::span<const FamilySpec> families) const = 0;

  // Bytes of memory that a training holds at most, beside the examples and the codes and thresholds of
  // features; about.
  virtual std::uint64_t training_bytes(const TrainingSize& size) const = 0;

  // The files that its settings name. Their content decides what is trained, so a run with other content is
  // another run.
  virtual std::vector<std::filesystem::path> identity_files() const = 0;

  // Trains one run. The same seed gives the same model for any number of threads. A run that was cut off goes
  // on from its checkpoint, where the learner keeps one, and ends in the same model. Errors: settings that do
  // not fit the features (kInput); the checkpoint cannot be written (kFailure); the user stopped a learner
  // without rounds (kStopped).
  virtual Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const = 0;
};

}  // namespace mash
