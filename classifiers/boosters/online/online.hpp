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
// of all classes (OnlineLoop). After a round, any hypothesis of the model may have changed. The boosters see
// an example as codes: the places of its values among the thresholds of the features, from 0. So the order of
// values counts and their scale does not. The thresholds that they find are the features' own.
//
// A booster that wants base learners gets stumps of LogitBoost. The search finds them offline, on the first
// examples of the stream (Lefakis & Fleuret 2013, section 4.2), and the rounds go on with the examples after
// these. Other boosters draw their features themselves and do not use the search. A data set of one class is
// an error (kInput).
//
// Error and loss count each example before it is learned. The loss is the log10 of (number
// wrong + 1) / (number + 1) over all examples so far; the error is that of the last 1000. The edge of a round
// is 1 - error * K / (K - 1), with the error on its own examples, and at least 0.
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
  // Accepts stumps only: only they are learned online.
  Status check(const WeakLearner& weak) const override;
  LearnerTraits traits() const override { return {.takes_endless = true}; }
  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override;

 private:
  Options options_;
};

// name: of a row of online_boosters. Reads rounds and fresh, the keys of the row and, where the booster wants
// learners, stumps and start. The caller refuses the rest.
Result<std::unique_ptr<const Booster>> make_online(std::string_view name, Settings& settings,
                                                   SearchParts search);

}  // namespace mash
