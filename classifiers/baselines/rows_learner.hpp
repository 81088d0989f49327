// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/baselines/linear_training.hpp"
#include "classifiers/learners/input_settings.hpp"
#include "classifiers/learners/one_step.hpp"
#include "classifiers/learners/standard_rows.hpp"

namespace mash {

// A learner of linear models that looks at the standardised rows of all examples, in memory.
class RowsLearner : public OneStepLearner {
 public:
  LearnerTraits traits() const final {
    return {.weighs_examples = true, .wants_values = inputs_.number == FeatureNumber::kValue};
  }
  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const final;

 protected:
  // name: of the learner, which outlives it.
  RowsLearner(const char* name, const InputOptions& inputs) : name_(name), inputs_(inputs) {}

  const char* name() const { return name_; }
  // Columns of the rows.
  std::uint64_t num_columns(const TrainingSize& size) const;
  // Bytes of the rows, of reading them, and of scores.
  std::uint64_t rows_bytes(const TrainingSize& size) const;

  struct Fitted {
    LinearFit fit;           // `number` is not needed
    double earlier_seconds;  // of processes that were cut off
    ChosenSetting chosen;
  };
  // features: those of the columns.
  virtual Result<Fitted> fit(const StandardRows& rows, std::span<const std::uint32_t> features,
                             std::span<const double> weights, std::uint64_t seed,
                             const TrainingContext& context) const = 0;

 private:
  const char* name_;
  InputOptions inputs_;
};

}  // namespace mash
