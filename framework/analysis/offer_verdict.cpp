// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/offer_verdict.hpp"

#include <array>
#include <cmath>

namespace mash {
namespace {

constexpr double kToAFifth = 160.94379124341003;  // 100 ln 5
constexpr double kMuch = .5;                      // of the pool's own progress
constexpr double kCrowdShare = .1;                // of all features
constexpr double kSeldomWins = .3;                // win index

}  // namespace

double OfferFigures::win_index() const {
  if (num_duels == 0) return 0;
  const double share = double(num_offered) / double(num_candidates + num_offered);
  return double(num_wins) / double(num_duels) / share;
}

bool OfferFigures::seldom_wins() const { return win_index() < kSeldomWins; }

double OfferFigures::speed_up() const { return progress > 0 ? last.gain / progress : 0; }

bool OfferFigures::leaves_nothing() const { return num_judges > 0 && pool_wrong < kLeastWrong; }

bool OfferFigures::one_feature_knows() const { return pool_error > 0 && single_error <= pool_error / 5; }

double OfferFigures::win_rate_limit() const { return 1 - std::pow(.05, 1 / double(num_duels)); }

std::string_view to_string(OfferVerdict verdict) {
  constexpr std::array<std::string_view, 8> kNames{
      kNothingToLearn,           "suspicious", "copy", "adds much", "adds", "harmful",
      "adds nothing measurable", "undecided"};
  return kNames[std::size_t(verdict)];
}

OfferVerdict verdict_of(const OfferFigures& figures) {
  if (figures.leaves_nothing()) return OfferVerdict::kNothingToLearn;
  const Interval& interval = figures.last.interval;
  if (figures.last.gain >= kToAFifth || figures.one_feature_knows() || figures.knows_single_pictures)
    return OfferVerdict::kSuspicious;
  if (figures.nearest_cka >= kSameSpace && interval.low <= figures.placebo_gain) return OfferVerdict::kCopy;
  switch (decision_of(interval, figures.relevant)) {
    case GainDecision::kAdds:
      return figures.progress > 0 && interval.low > kMuch * figures.progress ? OfferVerdict::kAddsMuch
                                                                             : OfferVerdict::kAdds;
    case GainDecision::kHarms: return OfferVerdict::kHarmful;
    case GainDecision::kNothing: return OfferVerdict::kNothing;
    case GainDecision::kUndecided: break;
  }
  return OfferVerdict::kUndecided;
}

bool crowds(const OfferFigures& figures) {
  const double share = double(figures.own_features) / double(figures.own_features + figures.pool_features);
  return share >= kCrowdShare && figures.seldom_wins();
}

}  // namespace mash
