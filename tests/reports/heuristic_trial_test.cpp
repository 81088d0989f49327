// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic_trial.hpp"

#include <gmock/gmock.h>

#include "tests/reports/heuristic_report_sample.hpp"

namespace mash {
namespace {

TEST(TrialRow, HasTheFiguresOfTheTrial) {
  HeuristicTrial trial = sample::trial(sample::striped_dataset(3, 6, 8));
  const TrialRow row = trial_row(trial);
  EXPECT_EQ(row.heuristic, "<b>&");
  EXPECT_EQ(row.version, "1.2.0");
  EXPECT_EQ(row.settings, "cells=4");
  EXPECT_EQ(row.rounds, 100u);
  EXPECT_EQ(row.num_seeds, 3u);
  EXPECT_EQ(row.pool_size, 3u);
  EXPECT_DOUBLE_EQ(row.alone_error.mean, 0.30);
  EXPECT_DOUBLE_EQ(*row.alone_error.half_width, 0.02);
  EXPECT_DOUBLE_EQ(row.gain.mean, 0.02);
  EXPECT_DOUBLE_EQ(*row.gain.half_width, *trial.contribution.family.added.gain.half_width);
  EXPECT_DOUBLE_EQ(row.margin_share, 0.21);
  EXPECT_DOUBLE_EQ(row.importance, 0.015);
  EXPECT_DOUBLE_EQ(row.importance_se, 0.002);
  EXPECT_DOUBLE_EQ(*row.shapley, 0.025);
  EXPECT_DOUBLE_EQ(*row.shapley_se, 0.004);
  trial.contribution.family.shapley.reset();
  EXPECT_FALSE(trial_row(trial).shapley || trial_row(trial).shapley_se);
}

}  // namespace
}  // namespace mash
