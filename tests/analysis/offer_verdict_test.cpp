// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/offer_verdict.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace mash {
namespace {

OfferFigures figures(double low, double high) {
  OfferFigures figures;
  figures.last.interval = {low, high};
  figures.last.gain = (low + high) / 2;
  figures.progress = 4.8;
  figures.num_candidates = 128;
  figures.num_offered = 32;
  figures.num_duels = 960;
  figures.num_wins = 192;
  figures.pool_features = 10000;
  figures.own_features = 100;
  return figures;
}

TEST(OfferFigures, WorkedNumbers) {
  OfferFigures one = figures(0, 1);
  one.num_wins = 386;
  EXPECT_NEAR(one.win_index(), 2.0104, 1e-4);
  EXPECT_NEAR(one.win_rate_limit(), .003116, 1e-6);
  EXPECT_NEAR(figures(2, 2.8).speed_up(), .5, 1e-12);
}

TEST(VerdictOf, EveryRuleAtItsBorder) {
  EXPECT_EQ(verdict_of(figures(.1, .5)), OfferVerdict::kAdds);
  EXPECT_EQ(verdict_of(figures(2.3, 9)), OfferVerdict::kAdds);
  EXPECT_EQ(verdict_of(figures(2.5, 9)), OfferVerdict::kAddsMuch);
  EXPECT_EQ(verdict_of(figures(-.5, .9)), OfferVerdict::kNothing);
  EXPECT_EQ(verdict_of(figures(-.5, 1.1)), OfferVerdict::kUndecided);
  EXPECT_EQ(verdict_of(figures(-3, -.1)), OfferVerdict::kHarmful);
  EXPECT_EQ(verdict_of(figures(159, 163)), OfferVerdict::kSuspicious);
  EXPECT_EQ(verdict_of(figures(159, 162)), OfferVerdict::kAddsMuch);
}

TEST(VerdictOf, WhereThePoolHasFewMistakesNoGainIsTold) {
  OfferFigures easy = figures(2.5, 9);
  easy.num_judges = 1000;
  easy.pool_wrong = 10;
  EXPECT_EQ(verdict_of(easy), OfferVerdict::kAddsMuch);
  easy.pool_wrong = 9.9;
  EXPECT_EQ(verdict_of(easy), OfferVerdict::kNothingToLearn);
  easy.knows_single_pictures = true;
  EXPECT_EQ(verdict_of(easy), OfferVerdict::kNothingToLearn) << "before all others";
  EXPECT_EQ(to_string(OfferVerdict::kNothingToLearn), "nothing to learn");
}

TEST(VerdictOf, OneFeatureThatKnowsTheClassIsSuspicious) {
  OfferFigures leak = figures(60, 150);
  leak.pool_error = .1;
  leak.single_error = .3;
  EXPECT_EQ(verdict_of(leak), OfferVerdict::kAddsMuch) << "a poor pool may gain as much";
  leak.single_error = .02;
  EXPECT_EQ(verdict_of(leak), OfferVerdict::kSuspicious);
  leak.pool_error = leak.single_error = 0;
  EXPECT_EQ(verdict_of(leak), OfferVerdict::kAddsMuch) << "of an easy data set a feature may know all";
}

TEST(VerdictOf, WhatKnowsSinglePicturesIsSuspicious) {
  OfferFigures knowing = figures(2.5, 9);
  knowing.knows_single_pictures = true;
  EXPECT_EQ(verdict_of(knowing), OfferVerdict::kSuspicious);
}

TEST(VerdictOf, ACopyGainsNoMoreThanMoreOfThePool) {
  OfferFigures copy = figures(.1, .5);
  copy.nearest_cka = 1;
  EXPECT_EQ(verdict_of(copy), OfferVerdict::kAdds) << "the placebo gains nothing";
  copy.placebo_gain = .2;
  EXPECT_EQ(verdict_of(copy), OfferVerdict::kCopy);
  copy.nearest_cka = .98;
  EXPECT_EQ(verdict_of(copy), OfferVerdict::kAdds);
}

TEST(VerdictOf, APoolWithoutProgressIsNoMeasure) {
  OfferFigures stuck = figures(.1, .5);
  stuck.progress = 0;
  EXPECT_EQ(verdict_of(stuck), OfferVerdict::kAdds);
  EXPECT_EQ(stuck.speed_up(), 0);
}

TEST(Crowds, ManyFeaturesThatSeldomWin) {
  OfferFigures many = figures(0, 1);
  many.own_features = 3000;
  EXPECT_FALSE(crowds(many)) << "they win as often as the others";
  many.num_wins = 50;
  EXPECT_TRUE(crowds(many));
  many.own_features = 1000;
  EXPECT_FALSE(crowds(many));
}

}  // namespace
}  // namespace mash
