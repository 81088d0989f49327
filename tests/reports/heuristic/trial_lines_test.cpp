// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/trial_lines.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace mash {
namespace {

using ::testing::HasSubstr;

const std::vector<double> kPool{10, 20, 30};

FamilyCost sound() {
  FamilyCost cost;
  cost.microseconds_per_image = 15;
  cost.dim = 40;
  return cost;
}

TEST(NeighbourLines, ShowTheNearestThree) {
  const std::vector<Neighbour> neighbours{{2, .8, .7, .3}, {0, .4, .2, .1}, {1, .1, 0, 0}, {3, .05, 0, 0}};
  const std::vector<std::string> names{"hog", "lbp", "zernike", "haar"};
  EXPECT_EQ(neighbour_lines(neighbours, names),
            "nearest   zernike            CKA 0.80; explains 70 % of it, is explained to 30 %\n"
            "          hog                CKA 0.40; explains 20 % of it, is explained to 10 %\n"
            "          lbp                CKA 0.10; explains 0 % of it, is explained to 0 %\n");
  EXPECT_EQ(neighbour_lines({}, names), "");
}

TEST(CostText, NamesFaultsWhereThereAreSome) {
  FamilyCost cost = sound();
  EXPECT_EQ(cost_text(cost, kPool),
            "15.0 µs per image (the pool's median 20.0); 40 features: 0 constant, 0 copies, 0 more are in "
            "the pool");
  cost.num_faults = 3;
  EXPECT_THAT(cost_text(cost, kPool), HasSubstr("; 3 values are not finite"));
}

TEST(CostText, SaysWhatIsUnknown) {
  FamilyCost cost = sound();
  cost.microseconds_per_image = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(cost_text(cost, kPool), HasSubstr("unknown cost (the pool's median 20.0); 40 features"));
  EXPECT_THAT(cost_text(sound(), {}),
              HasSubstr("15.0 µs per image (the pool's median unknown); 40 features"));
  EXPECT_EQ(cost_advice(cost, kPool), "");
  cost.microseconds_per_image = 1e6;
  EXPECT_EQ(cost_advice(cost, {}), "") << "slow beside what?";
}

TEST(CostAdvice, NamesTheWorstFirst) {
  FamilyCost cost = sound();
  EXPECT_EQ(cost_advice(cost, kPool), "");
  cost.microseconds_per_image = 1001;
  EXPECT_THAT(cost_advice(cost, kPool), HasSubstr("It is slow, 50 times the pool's median"));
  EXPECT_EQ(cost_advice(cost, {300}), "") << "not beside this pool";
  cost.num_constant = 15;
  cost.num_own_copies = 6;
  EXPECT_THAT(cost_advice(cost, kPool), HasSubstr("52 % of its features are constant or copies"));
  cost.num_faults = 3;
  EXPECT_EQ(cost_advice(cost, kPool), "Fix the 3 values that are not finite.");
}

}  // namespace
}  // namespace mash
