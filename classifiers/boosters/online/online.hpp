// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/online/online_booster.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Boosters that see one training example at a time and keep none (classifiers/online), one class against all
// others. A round shows the next `fresh` examples of the training side, in shuffled passes, to the boosters
// of all classes (OnlineLoop); after it all hypotheses of the model may be others. What they see of an
// example are codes: the places of its values among the thresholds of the features, from 0. That makes the
// order of values count, and not their scale; what they find are thresholds like all others.
//
// A booster that wants base learners gets stumps of LogitBoost, found offline by the search on the first
// examples of the stream (Lefakis & Fleuret 2013, section 4.2); the rounds go on behind these. Others draw
// their features themselves, and have no use for the search. A data set of one class is an error (kInput).
//
// The error, and what the loss is the log10 of, are of examples before they were learned: the loss of all so
// far, as (number wrong + 1) / (number + 1), the error of the last 1000. The edge of a round is
// 1 - error * K / (K - 1) of its examples, at least 0.
class OnlineOneVsAll final : public Booster {
 public:
  struct Options {
    std::string_view name;  // of the booster's row, for errors
    OnlineFactory factory;
    bool wants_learners = false;
    std::uint32_t num_rounds = 250;
    std::uint32_t num_fresh = 250;     // examples a round
    std::uint32_t num_learners = 250;  // of each class, at most
    std::uint32_t num_start = 1000;    // examples that they are found on
  };

  OnlineOneVsAll(Options options, SearchParts search)
      : Booster(std::move(search)), options_(std::move(options)) {}

  std::optional<std::uint32_t> num_rounds(std::size_t) const override { return options_.num_rounds; }
  // Only stumps are learned online.
  Status check(const WeakLearner& weak) const override;
  LearnerTraits traits() const override { return {.takes_endless = true}; }
  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override;

 private:
  Options options_;
};

// name: of a row of online_boosters. Reads rounds, fresh, where it wants learners stumps and start, and what
// the row reads; the caller refuses the rest.
Result<std::unique_ptr<const Booster>> make_online(std::string_view name, Settings& settings,
                                                   SearchParts search);

}  // namespace mash
