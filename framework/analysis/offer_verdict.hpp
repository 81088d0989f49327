// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "framework/analysis/looks.hpp"

namespace mash {

// Judging examples that a pool has to get wrong, by the mean of the seeds, for a gain to be measured.
inline constexpr double kLeastWrong = 10;
// CKA from which two families span the same.
inline constexpr double kSameSpace = .99;

// Figures of an offer test, in per cent of the held-out log-loss where nothing else is said.
struct OfferFigures {
  GainAtLook last;             // what the newcomer removes in its rounds more than the pool alone
  double relevant = 1;         // the smallest gain that one would want to know of
  double placebo_gain = 0;     // of as many candidates more of the pool itself
  double progress = 0;         // that the pool alone makes in these rounds
  std::uint64_t num_wins = 0;  // rounds in which it had the larger edge
  std::uint64_t num_duels = 0;
  std::uint64_t num_candidates = 0, num_offered = 0;  // of the pool and of the newcomer, in each
  std::uint64_t pool_features = 0, own_features = 0;
  double nearest_cka = 0;  // to any family of the pool
  // Shares of the judging examples that are wrong: by its best single feature, and by the pool alone.
  double single_error = 1, pool_error = 0;
  double pool_wrong = 0;               // judging examples that the pool alone gets wrong, mean over seeds
  std::size_t num_judges = 0;          // all of them; 0 where they are not counted
  bool knows_single_pictures = false;  // what it tells of the class is lost on slightly changed copies

  // Against the share of the candidates that were the newcomer's: 1, as good as the pool's average candidate.
  double win_index() const;
  // Whether its features win much more seldom than the pool's.
  bool seldom_wins() const;
  // With the newcomer the pool goes on 1 + this times as fast; 0 where the pool makes no progress.
  double speed_up() const;
  // Whether the pool gets fewer than kLeastWrong judging examples wrong: what could be gained is too little
  // to be measured, and no gain is told.
  bool leaves_nothing() const;
  // Whether a feature all by itself makes at most a fifth of the mistakes that the pool makes.
  bool one_feature_knows() const;
  // The win rate in a duel that m lost ones leave possible, at 95 %. REQUIRES: num_wins = 0.
  double win_rate_limit() const;
};

enum class OfferVerdict {
  kNothingToLearn,
  kSuspicious,
  kCopy,
  kAddsMuch,
  kAdds,
  kHarmful,
  kNothing,
  kUndecided
};
// "nothing to learn", "suspicious", ..., "adds much", "adds nothing measurable"
std::string_view to_string(OfferVerdict verdict);

// The first of these that holds:
//   nothing to learn  these data leave nothing that a newcomer could add (leaves_nothing): no gain is told;
//   suspicious  what is left of the log-loss is at most a fifth, or one feature alone knows the class, or it
//               knows single pictures;
//   copy        CKA >= .99 with a family of the pool, and no gain above the placebo's;
//   adds much   the interval is above half of what the pool makes of these rounds by itself;
//   adds, harmful, adds nothing measurable: as decision_of;
//   undecided   otherwise.
OfferVerdict verdict_of(const OfferFigures& figures);

// Whether it takes offers away from others where features are drawn alike: a tenth of all are its own, and
// they win much more seldom than the others.
bool crowds(const OfferFigures& figures);

}  // namespace mash
