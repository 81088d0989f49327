// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/code_values.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "classifiers/serving/cut_answers.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::learnable_table;
using testing::World;

class CodesOfATable : public ::testing::Test {
 protected:
  World world{learnable_table(60, 4, 2, 3)};
  Ledger ledger{world.features(), 1};
  CodeValues codes{world.features(), ledger};
};

TEST_F(CodesOfATable, AreThoseOfTheColumnsInTheOrderInWhichTheyAreAskedFor) {
  for (const std::vector<std::uint32_t>& asked :
       std::vector<std::vector<std::uint32_t>>{{2, 0, 3}, {2, 0, 3}, {1}, {3, 2, 1, 0}, {}}) {
    for (const std::uint32_t example : {0u, 17u, 59u}) {
      std::vector<float> values(asked.size());
      codes.get(example, asked, values);
      for (std::size_t i = 0; i < asked.size(); ++i)
        EXPECT_EQ(values[i], float(world.features().column(Side::kTrain, asked[i]).codes[example]));
    }
  }
  EXPECT_EQ(ledger.meters().fe, 3u * (3 + 3 + 1 + 4));
  EXPECT_EQ(ledger.looks()[0].evaluated, 3u * (3 + 3 + 1 + 4));
}

// At all thresholds between codes, on them and beyond.
TEST_F(CodesOfATable, AreCutAsTheirValuesAre) {
  for (std::uint32_t feature = 0; feature < 4; ++feature) {
    const auto column = world.features().column(Side::kTrain, feature).codes;
    for (float threshold = -1; threshold < float(world.features().num_cuts(feature)) + 2;
         threshold += 0.25f) {
      const StumpTerm by_codes{feature, threshold, -0.5, 2}, by_values = codes.in_values(by_codes);
      EXPECT_EQ(by_values.feature, feature);
      Hypothesis hypothesis{1, {{0, feature, by_values.threshold}}, {1}, {}};
      const auto cells = cells_of(hypothesis, world.features(), Side::kTrain);
      for (std::size_t n = 0; n < column.size(); ++n)
        ASSERT_EQ(cells[n] ? by_values.above : by_values.below, float(column[n]) >= threshold ? 2 : -0.5)
            << feature << " " << threshold << " " << n;
    }
    const StumpTerm always = codes.in_values({feature, -std::numeric_limits<float>::infinity(), 1, 2});
    EXPECT_EQ(always.threshold, -std::numeric_limits<float>::infinity());
    EXPECT_EQ(always.above, 2);
  }
}

TEST_F(CodesOfATable, AnswerAsAHypothesisDoes) {
  const float threshold = world.features().threshold(2, 3);
  const std::vector<Hypothesis> hypotheses{{1, {{0, 2, threshold}}, {1}, {}},
                                           {1, {{0, 2, threshold}}, {-1}, {}},
                                           {1, {{0, 2, threshold}}, {1, -1}, {Branches{}}},
                                           {1, {{0, 2, threshold}}, {-1, -1}, {Branches{}}},
                                           {1, {{0, 0, -std::numeric_limits<float>::infinity()}}, {-1}, {}}};
  for (const Hypothesis& hypothesis : hypotheses) {
    const FeatureStump stump = codes.stump_of(hypothesis);
    const auto column = world.features().column(Side::kTrain, stump.feature).codes;
    const auto cells = cells_of(hypothesis, world.features(), Side::kTrain);
    for (std::size_t n = 0; n < column.size(); ++n)
      EXPECT_EQ(stump.answer(float(column[n])), cell_votes(hypothesis)[cells[n]]);
  }
  EXPECT_THROW(codes.stump_of({1, {{0, 2, threshold}, {0, 1, threshold}}, {1}, {}}), std::logic_error);
}

}  // namespace
}  // namespace mash
