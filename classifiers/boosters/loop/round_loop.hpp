// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/scan/ledger.hpp"
#include "classifiers/scan/scan_settings.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// The smallest edge that counts: with a smaller one, the round has found nothing.
inline constexpr double kNoEdge = 1e-12;

// The addition of a round to the model.
struct RoundOutcome {
  Hypothesis hypothesis;         // its coefficient is 0 where the round found nothing to add
  double edge = 0;               // on what the round trained on
  double loss_change_log10 = 0;  // log10 of the factor by which the training loss changed
  bool exceeds_budget = false;   // the hypothesis was not added, and training ends
  bool reaches_error = false;    // there is nothing left to be added, and training ends
  bool changes_all = false;      // nothing was added: the round changed RoundTraining::whole_model()
};

// The rounds of one training. An object of this class holds the examples and weights that they train on, and
// the state that they keep from one to the next. The loop does all the rest.
class RoundTraining {
 public:
  virtual ~RoundTraining() = default;

  // Called before the first round. Errors (kInput): settings of the sampler that do not fit the features.
  virtual Status start(const TrainingPlan& plan) = 0;
  // Called after start, before the first round, where the training does not go on from a checkpoint. Errors:
  // those of training; kStopped. After kStopped the training ends as if it was stopped before its first
  // round, and leaves no checkpoint.
  virtual Status begin() { return Done{}; }
  // Called after start, where the training goes on from a checkpoint. It takes the place of the rounds that
  // made these hypotheses and left this `state` and these weights. All later rounds are the same as in a
  // training that was not cut off.
  virtual void restore(std::span<const Hypothesis> hypotheses, std::span<const double> state,
                       std::span<const double> weights) = 0;

  // Called in the place of start, where the training ends with these hypotheses and no round follows: it only
  // takes what train_error looks at. For trainings whose rounds add hypotheses.
  virtual void show(std::span<const Hypothesis>) {}

  // Does one round. Adds the round's hypothesis to its own sums.
  virtual RoundOutcome round(const Round& round) = 0;

  // All hypotheses as they are now. For trainings whose rounds change all hypotheses and do not add one.
  virtual std::vector<Hypothesis> whole_model() const { return {}; }

  // State for a checkpoint, in addition to the model.
  virtual std::vector<double> state() const = 0;
  virtual std::span<const double> weights() const = 0;

  // Whether a round that found nothing proves that there is nothing to find.
  virtual bool is_exhaustive() const = 0;
  // The number of problems, which take turns, a round each. Where is_exhaustive() is false, training ends
  // once 100 rounds in a row have found nothing; with 100 problems or more, once ten rounds of each problem
  // have.
  virtual std::size_t num_problems() const { return 1; }
  // Whether all rounds train on the same examples. Only then does a small loss on them mean that training can
  // end.
  virtual bool keeps_examples() const = 0;
  // The training error of the model so far, a fraction.
  virtual double train_error() = 0;
  // The same where it is nothing that follows from the hypotheses; else nothing.
  virtual std::optional<double> passing_error() const { return std::nullopt; }
  virtual Ledger& ledger() = 0;
};

struct LoopSettings {
  std::uint32_t num_rounds = 100;
  bool stop_on_perfect = false;  // stop at the first hypothesis without a mistake (edge 1)
};

// Reads rounds.
Result<std::uint32_t> read_num_rounds(Settings& settings, std::uint32_t fallback);
// Reads scan.
Result<ScanMode> read_scan_mode(Settings& settings);

// Trains one run, as Learner::train: all rounds, with the curve, the checkpoints and the events.
Result<TrainingResult> run_rounds(const LoopSettings& settings, RoundTraining& training, std::uint64_t seed,
                                  const TrainingContext& context);

}  // namespace mash
