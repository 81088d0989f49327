// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/contribution/truth.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// Losses of ten examples that fall by this many per cent, with a little that differs between seeds and
// examples.
MeasuredFamily family(std::string name, double gain, double offered, double error, OfferVerdict verdict) {
  MeasuredFamily made{std::move(name), PairedLosses(10), {}, {}, verdict};
  for (int s = 0; s < 6; ++s) {
    std::vector<double> before(10), after(10);
    for (int n = 0; n < 10; ++n) {
      before[std::size_t(n)] = 1 + .1 * n;
      after[std::size_t(n)] = before[std::size_t(n)] * std::exp(-gain / 100) + .001 * ((s + n) % 3 - 1);
    }
    made.trained.add(before, after);
    made.errors.push_back(error + .001 * (s % 2));
  }
  made.offered.look = {8, .01};
  made.offered.gain = offered;
  made.offered.interval = {offered - .5, offered + .5};
  return made;
}

MeasuredPool pool() {
  return {
      "digits",
      1000,
      100,
      4800,
      {family("hog", 9, 2, .01, OfferVerdict::kAddsMuch), family("phog", 6, .2, .02, OfferVerdict::kNothing),
       family("haar", 3, 1, -.01, OfferVerdict::kAdds), family("noise", 0, 0, 0, OfferVerdict::kNothing)}};
}

TEST(ContributionTruth, GainOfTrainingsHasTheTwoWayInterval) {
  const Estimate gain = trained_gain(family("hog", 9, 0, 0, OfferVerdict::kNothing));
  EXPECT_NEAR(gain.mean, 9, .1);
  ASSERT_TRUE(gain.half_width);
  EXPECT_GT(*gain.half_width, 0);
  EXPECT_LT(*gain.half_width, 3);
}

TEST(ContributionTruth, CorrelationsAreOfRanks) {
  const std::vector<double> truth{1, 2, 3, 4, 5}, same{1, 10, 100, 1000, 1e4}, opposite{5, 4, 3, 2, 1};
  const ComparedCorrelations compared = compare_correlations(truth, same, opposite);
  EXPECT_DOUBLE_EQ(compared.offered.value, 1);
  EXPECT_DOUBLE_EQ(compared.offered.high, 1);
  EXPECT_DOUBLE_EQ(compared.errors.value, -1);
  EXPECT_DOUBLE_EQ(compared.difference.value, 2);
  const std::vector<double> mixed{2, 1, 3, 5, 4};
  const ComparedCorrelations wide = compare_correlations(truth, mixed, opposite);
  EXPECT_DOUBLE_EQ(wide.offered.value, .8);
  EXPECT_LT(wide.offered.low, .8) << "five families say little";
  EXPECT_GE(wide.offered.high, .8);
}

TEST(ContributionTruth, TheReportNamesWhatTheOfferTestMissed) {
  const std::vector<MeasuredPool> pools{pool()};
  const ReproductionReport report = contribution_report(pools);
  ASSERT_EQ(report.table.rows.size(), 4u);
  EXPECT_EQ(std::get<std::string>(report.table.rows[0][1]), "hog") << "the most useful first";
  EXPECT_EQ(std::get<std::string>(report.table.rows[3][1]), "noise");
  EXPECT_THAT(report.remarks, Contains(HasSubstr("Spearman's correlation with the truth over 4 families")));
  EXPECT_THAT(report.remarks, Contains(HasSubstr("that the offer test calls nothing: phog")));
  EXPECT_THAT(report.remarks, Contains(HasSubstr("30 trainings, 30000 rounds in all; 6 short ones of")));
  EXPECT_THAT(report.svg, HasSubstr("<text"));
  EXPECT_THAT(report.svg, HasSubstr(">haar</text>"));
  EXPECT_EQ(report.svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace mash
