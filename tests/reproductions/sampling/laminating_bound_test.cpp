// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/laminating_bound.hpp"

#include <cmath>

namespace mash {
namespace {

constexpr std::uint32_t kTrials = 20000;

// The largest probability that so few failures leave plausible: 99.9 %, one side.
double upper_limit(double share, double num_trials = kTrials) {
  return share + 3.1 * std::sqrt(share * (1 - share) / num_trials) + 4.0 / num_trials;
}
// The least that this number makes plausible.
double lower_limit(double share, double num_trials = kTrials) {
  return share - 3.1 * std::sqrt(share * (1 - share) / num_trials);
}

TEST(LaminatingBound, KnownValues) {
  EXPECT_NEAR(laminating_lemma(.4, 100).printed, .00134, 1e-5);
  EXPECT_NEAR(laminating_lemma(.4, 100).corrected, .541, 1e-3);
  EXPECT_NEAR(laminating_lemma(.25, 400).printed, 1.5e-5, 1e-6);
  EXPECT_NEAR(laminating_lemma(.25, 400).corrected, .176, 1e-3);
  // The theorem says something only above delta^2 S = 276 ln 5 (as printed 69 ln 5).
  const double corrected_border = 276 * std::log(5.), printed_border = 69 * std::log(5.);
  EXPECT_NEAR(corrected_border, 444.2, .05);
  EXPECT_NEAR(laminating_theorem(1, 444).corrected, 1, 2e-3);
  EXPECT_NEAR(laminating_theorem(1, 111).printed, 1, 2e-3);
  EXPECT_NEAR(printed_border, 111.05, .01);
}

TEST(LaminatingBound, ThePrintedLemmaFails) {
  constexpr std::uint32_t kMany = 20 * kTrials;
  const double failures = laminating_failures(2, 100, .4, false, kMany, 1);
  EXPECT_NEAR(failures, .0023, .0005);
  EXPECT_GT(lower_limit(failures, kMany), laminating_lemma(.4, 100).printed);
}

TEST(LaminatingBound, TheCorrectedLemmaHolds) {
  for (const std::uint32_t num_features : {2u, 8u, 64u})
    for (const std::uint64_t num_examples : {25u, 100u, 400u})
      for (const double delta : {.1, .2, .4}) {
        const double failures = laminating_failures(num_features, num_examples, delta, false, kTrials, 2);
        const double bound = laminating_lemma(delta, num_examples).corrected;
        EXPECT_LE(lower_limit(failures), bound) << num_features << ' ' << num_examples << ' ' << delta;
        if (bound < .5) {
          EXPECT_LE(upper_limit(failures), bound);
        }
      }
}

TEST(LaminatingBound, TheCorrectedTheoremHolds) {
  for (const std::uint32_t num_features : {2u, 8u, 64u})
    for (const std::uint64_t num_examples : {900u, 1600u})  // with 444 at least it says something
      for (const double delta : {.75, 1.}) {
        const double failures = laminating_failures(num_features, num_examples, delta, true, kTrials / 10, 3);
        const double bound = laminating_theorem(delta, num_examples).corrected;
        EXPECT_LT(bound, 1);
        EXPECT_LE(upper_limit(failures, kTrials / 10), bound)
            << num_features << ' ' << num_examples << ' ' << delta;
      }
}

TEST(LaminatingBound, MoreExamplesLoseLess) {
  double before = 1;
  for (const std::uint64_t num_examples : {10u, 40u, 160u, 640u}) {
    const double failures = laminating_failures(16, num_examples, .2, true, kTrials, 4);
    EXPECT_LT(failures, before);
    before = failures;
  }
}

}  // namespace
}  // namespace mash
