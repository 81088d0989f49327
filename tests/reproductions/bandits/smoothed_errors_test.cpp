// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/bandits/smoothed_errors.hpp"

namespace mash {
namespace {

using Errors = std::vector<RoundError>;

// A run with these errors; its rounds take a second each.
Errors run_of(std::initializer_list<double> errors) {
  Errors run;
  for (const double error : errors) run.push_back({error, double(run.size() + 1)});
  return run;
}

SmoothedErrors smoothed(const std::vector<Errors>& runs, std::uint32_t num_rounds) {
  return SmoothedErrors(runs, num_rounds);
}

TEST(ErrorWindow, IsFromFourToSixFifths) {
  EXPECT_EQ(error_window(1).first, 1u);
  EXPECT_EQ(error_window(1).last, 1u);
  EXPECT_EQ(error_window(4).first, 4u) << "3.2 rounded up";
  EXPECT_EQ(error_window(4).last, 4u) << "4.8 rounded down";
  EXPECT_EQ(error_window(10).first, 8u);
  EXPECT_EQ(error_window(10).last, 12u);
  EXPECT_EQ(error_window(4'000'000'000).first, 3'200'000'000u);
}

TEST(SmoothedErrors, AreMeansOverTheWindow) {
  const auto errors = smoothed({run_of({.9, .8, .7, .6, .5, .4})}, 6);
  EXPECT_EQ(errors.last(), 5u);
  EXPECT_DOUBLE_EQ(errors.at(1), .9);
  EXPECT_DOUBLE_EQ(errors.at(5), .5) << "rounds 4, 5 and 6: a mean, not twice of it";
  EXPECT_EQ(errors.best(), 5u);
}

TEST(SmoothedErrors, LastIsTheLargestRoundWithItsWholeWindow) {
  for (std::uint32_t num_rounds = 1; num_rounds < 100; ++num_rounds) {
    const auto errors = smoothed({Errors(num_rounds, {.5, 1})}, num_rounds);
    EXPECT_LE(error_window(errors.last()).last, num_rounds);
    EXPECT_GT(error_window(errors.last() + 1).last, num_rounds);
  }
}

TEST(SmoothedErrors, AreOfTheMeanOverSeeds) {
  const auto errors = smoothed({run_of({.4, .2}), run_of({.6, .8})}, 2);
  EXPECT_DOUBLE_EQ(errors.at(1), .5);
  EXPECT_DOUBLE_EQ(errors.at(2), .5);
  EXPECT_DOUBLE_EQ(errors.seconds(2), 2);
  EXPECT_EQ(errors.best(), 1u) << "the first among equals";
}

TEST(SmoothedErrors, ATrainingThatEndedEarlyKeepsItsError) {
  const auto errors = smoothed({run_of({.4, .2}), run_of({.4, .2, .4, .4, .4, .4})}, 6);
  EXPECT_DOUBLE_EQ(errors.at(5), .3);
  EXPECT_DOUBLE_EQ(errors.seconds(6), 4) << "the mean of 2 and 6";
}

TEST(SmoothedErrors, TimeToAnError) {
  const auto errors = smoothed({run_of({.9, .5, .7, .6, .5, .4})}, 6);
  EXPECT_EQ(errors.seconds_to(.95), 1);
  EXPECT_EQ(errors.seconds_to(.5), 2);
  EXPECT_EQ(errors.seconds_to(.49), std::nullopt);
  EXPECT_EQ(smoothed({run_of({.1})}, 0).seconds_to(.5), std::nullopt);
}

TEST(SmoothedErrors, RoundsThatAreNotThereBreakARequirement) {
  const auto errors = smoothed({run_of({.9, .5, .7, .6, .5, .4})}, 6);
  EXPECT_THROW((void)errors.at(0), std::logic_error);
  EXPECT_THROW((void)errors.at(6), std::logic_error) << "its window ends after the last round";
  EXPECT_THROW((void)errors.seconds(7), std::logic_error);
  EXPECT_THROW((void)smoothed({run_of({.1})}, 0).best(), std::logic_error);
  EXPECT_THROW((void)smoothed({run_of({})}, 6), std::logic_error);
}

}  // namespace
}  // namespace mash
