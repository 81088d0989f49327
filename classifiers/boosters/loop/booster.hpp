// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "classifiers/learners/learner.hpp"
#include "classifiers/samplers/sampler.hpp"
#include "classifiers/weak/weak_learner.hpp"

namespace mash {

// The parts with which a round searches for its hypothesis. They are values: any number of runs may use them.
struct SearchParts {
  SamplerFactory sampler;
  std::shared_ptr<const WeakLearner> weak;
};

// A learner that goes in rounds. In each round the weak learner finds a hypothesis on the round's weights;
// the hypothesis gets a coefficient, and the weights change. A run that the user stops gives the model
// trained until then. REQUIRES, to train: check(*search().weak).
class Booster : public Learner {
 public:
  explicit Booster(SearchParts search) : search_(std::move(search)) {}
  const SearchParts& search() const { return search_; }

  // Whether it can train with this weak learner. Errors (kInput): it cannot; the message names those with
  // which it can.
  virtual Status check(const WeakLearner& weak) const = 0;

  LearnerTraits traits() const override {
    return {.adds_hypotheses = true, .wants_values = search_.weak->cuts() == Cuts::kExact};
  }
  // Asks its sampler.
  Status check_families(std::span<const FamilySpec> families) const override {
    return search_.sampler()->check_families(families);
  }
  // Scores, weights, margins and the sums of weights by code.
  std::uint64_t training_bytes(const TrainingSize& size) const override {
    constexpr std::uint64_t kBytesOfSums = 16 * 256 * sizeof(double);
    return size.num_train * (26 * size.num_classes + 8) + size.score_bytes() +
           kBytesOfSums * size.num_classes;
  }
  std::vector<std::filesystem::path> identity_files() const override { return {}; }

 private:
  SearchParts search_;
};

}  // namespace mash
