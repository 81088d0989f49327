// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/scan/ledger.hpp"
#include "classifiers/scan/scan_settings.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// A hypothesis with a smaller edge is none.
inline constexpr double kNoEdge = 1e-12;

// The addition of a round to the model.
struct RoundOutcome {
  Hypothesis hypothesis;         // its coefficient is 0 where the round found nothing to add
  double edge = 0;               // on what the round trained on
  double loss_change_log10 = 0;  // log10 of the factor by which the training loss changed
  bool exceeds_budget = false;   // it was not added, and training ends
  bool reaches_error = false;    // there is nothing left to be added, and training ends
  bool changes_all = false;      // nothing was added: the round changed RoundTraining::whole_model()
};

// The rounds of one training: what they train on, with which weights, and what they keep from one to the
// next. The loop does all the rest.
class RoundTraining {
 public:
  virtual ~RoundTraining() = default;

  // Before the first round. Errors (kInput): settings of the sampler that do not fit the features.
  virtual Status start(const TrainingPlan& plan) = 0;
  // After start, before the first round of a training that does not go on from a checkpoint.
  // Errors: kStopped, after which the training ends as one that was stopped before its first round, and
  // leaves no checkpoint; and the errors of training.
  virtual Status begin() { return Done{}; }
  // After start, in the place of the rounds that made these hypotheses, of which `state` and the weights were
  // left: the rounds that follow are those of a training that was not cut off.
  virtual void restore(std::span<const Hypothesis> hypotheses, std::span<const double> state,
                       std::span<const double> weights) = 0;

  // One round, whose hypothesis it keeps in its own sums.
  virtual RoundOutcome round(const Round& round) = 0;

  // All hypotheses as they are now, where rounds change them all in place of adding one.
  virtual std::vector<Hypothesis> whole_model() const { return {}; }

  // State for a checkpoint, beside the model.
  virtual std::vector<double> state() const = 0;
  virtual std::span<const double> weights() const = 0;

  // Whether a round that found nothing means that there is nothing to be found.
  virtual bool is_exhaustive() const = 0;
  // Problems that take turns, a round each. Where it is not exhaustive, training ends once 100 rounds in a
  // row have found nothing; of 100 problems and more, once ten of each have.
  virtual std::size_t num_problems() const { return 1; }
  // Whether all rounds train on the same examples, so that small losses of theirs tell of an end.
  virtual bool keeps_examples() const = 0;
  // The training error of the model so far, a fraction.
  virtual double train_error() = 0;
  virtual Ledger& ledger() = 0;
};

struct LoopSettings {
  std::uint32_t num_rounds = 100;
  bool stop_on_perfect = false;  // stop at the first hypothesis without a mistake: of edge 1
};

// Reads rounds.
Result<std::uint32_t> read_num_rounds(Settings& settings, std::uint32_t fallback);
// Reads scan.
Result<ScanMode> read_scan_mode(Settings& settings);

// Trains one run: all rounds, with the curve, the checkpoints and the events. As Learner::train.
Result<TrainingResult> run_rounds(const LoopSettings& settings, RoundTraining& training, std::uint64_t seed,
                                  const TrainingContext& context);

}  // namespace mash
