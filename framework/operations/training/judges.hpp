// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// The examples that judge a trained model.
enum class Judges {
  kHeldOut,  // a part of the training side that does not train; for trials, which are repeated often
  kTest      // the test side; for leaderboards
};

// The examples of a data set that judge.
struct JudgingExamples {
  // Training examples (increasing) that judge and do not train; none: the test side judges, and all train.
  std::vector<std::uint32_t> held_out;
  std::vector<std::uint16_t> labels;  // of those that judge
};
JudgingExamples judging_examples(const Dataset& dataset, Judges judges);

// As judging_examples. Errors (kInput): too few examples judge, or none are left to train on.
Result<JudgingExamples> enough_judges(const Dataset& dataset, Judges judges);

}  // namespace mash
