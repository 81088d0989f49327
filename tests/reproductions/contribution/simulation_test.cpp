// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/contribution/simulation.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(BinomialTail, AsByHand) {
  EXPECT_DOUBLE_EQ(binomial_tail(0, 10, .05), 1);
  EXPECT_NEAR(binomial_tail(1, 10, .05), 1 - std::pow(.95, 10), 1e-12);
  EXPECT_NEAR(binomial_tail(10, 10, .5), std::pow(.5, 10), 1e-15);
}

TEST(OfferSimulation, CountsVerdictsAndWhatNoiseWasToldToAdd) {
  const std::vector<PlantedRepetitions> kinds{
      {"noise", "adds nothing", {}, {{OfferVerdict::kNothing, 0, 8}, {OfferVerdict::kAdds, 1, 16}}, true},
      {"permuted",
       "adds nothing",
       {},
       {{OfferVerdict::kNothing, .2, 8}, {OfferVerdict::kUndecided, 0, 16}},
       true},
      {"knowing", "adds", {4, 6}, {{OfferVerdict::kAddsMuch, 3, 8}, {OfferVerdict::kAdds, 2, 8}}, false}};
  const ReproductionReport report = simulation_report(kinds);
  ASSERT_EQ(report.table.rows.size(), 3u);
  EXPECT_EQ(std::get<std::string>(report.table.rows[0][3]), "1 adds, 1 adds nothing measurable");
  EXPECT_EQ(std::get<double>(report.table.rows[0][6]), 12);
  EXPECT_EQ(std::get<Estimate>(report.table.rows[2][7]).mean, 5);
  EXPECT_THAT(report.remarks,
              ElementsAre(HasSubstr("of 4 families that say nothing 1 were told to add: 25.0 %")));
}

}  // namespace
}  // namespace mash
