// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "classifiers/events/meters.hpp"
#include "classifiers/model/strong_classifier.hpp"

namespace mash {

// One boosting round. An idle round (no weak learner found) has alpha = 0 and appended nothing. Online
// boosters change the whole model each round: such a round also has alpha = 0 and no cuts, and FamilyUse
// describes their model at the end.
struct RoundEvent {
  std::uint32_t round = 0;  // from 1
  std::vector<Cut> cuts;    // of the hypothesis
  double edge = 0;          // on what the round trained on; of single examples, before they were learned
  double alpha = 0;
  double train_loss_log10 = 0;  // after the round
  std::uint64_t cost = 0;       // FE up to and with this round
  double seconds = 0;           // of training up to and with this round
};

// The state of the strong classifier after some round; stands at 1, 2, 5 x 10^k and at the last round.
struct CurvePoint {
  std::uint32_t round = 0;
  double train_loss_log10 = 0;
  double train_error = 0;  // fraction
  double test_error = 0;   // fraction
  std::uint64_t cost = 0;
  double seconds = 0;  // of training only, evaluation of the curve excluded
};

// How a run used one family. Where rounds change the whole model, chosen and alpha_sum count the hypotheses
// that it has at the end, and loss_removed is 0.
struct FamilyUse {
  std::uint64_t offered = 0;    // features proposed as candidates, summed over rounds
  std::uint64_t evaluated = 0;  // feature x example evaluations
  std::uint64_t chosen = 0;     // cuts
  double alpha_sum = 0;         // of its rounds; the cuts of a round share its alpha
  double loss_removed = 0;      // sum of -log10 Z, shared in the same way
};

// Watches a training run; called on the training thread, in order. Recording is an observer.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_round(const RoundEvent&) {}
  virtual void on_curve(const CurvePoint&) {}
};

}  // namespace mash
