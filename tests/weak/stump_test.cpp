// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/stump.hpp"

#include "classifiers/scan/plurality_criterion.hpp"
#include "tests/weak/weak_world.hpp"

namespace mash {
namespace {

using testing::WeakWorld;

// Six examples of three classes with x = (1, 2, 2, 3, 4, 5).
Dataset six_examples() { return testing::table({1, 2, 2, 3, 4, 5}, {0, 0, 1, 1, 2, 2}, 3); }

TEST(Stump, OfTheWorkedExample) {
  WeakWorld small(six_examples(), InitialWeights::kUniform);
  const WeakHypothesis stump = small.learn("stump", {});
  EXPECT_EQ(stump.model.cuts, (std::vector<Cut>{{0, 0, 3.5f}}));
  EXPECT_NEAR(stump.edge, 0.555556, 1e-6);
  EXPECT_THAT(stump.model.votes, ::testing::ElementsAre(-1, -1, 1));
  EXPECT_FALSE(stump.model.is_tree());
  EXPECT_THAT(stump.cells, ::testing::ElementsAre(0, 0, 0, 0, 1, 1));
  EXPECT_EQ(stump.votes, cell_votes(stump.model));
}

// Votes that are not opposite make it a tree of one cut.
TEST(Stump, OfAnotherCriterionIsWrittenAsATree) {
  const testing::World world(six_examples());
  SignedWeights weights(world.dataset.train.labels, 3);
  for (std::size_t n = 0; n < 6; ++n) weights.row(n)[weights.labels()[n]] = 1;
  weights.normalise(world.workers);
  StumpScan scan(world.features(), weights, {ScanMode::kF64, Cuts::kCodes, &plurality_criterion()},
                 world.workers);
  scan.new_round(1, 1);
  FullSampler sampler;
  const WeakHypothesis stump = StumpLearner().learn(scan, sampler, {1, 1});
  // The cuts at 2.5 and 3.5 are both right about 4 of 6; the lower one is taken: 1 - 1/3 * 3/2.
  EXPECT_EQ(stump.model.cuts, (std::vector<Cut>{{0, 0, 2.5f}}));
  EXPECT_NEAR(stump.edge, 0.5, 1e-12);
  EXPECT_TRUE(stump.model.is_tree());
  EXPECT_THAT(stump.votes, ::testing::ElementsAre(1, 0, 0, 0, 0, 1));
  EXPECT_THAT(stump.cells, ::testing::ElementsAre(0, 0, 0, 1, 1, 1));
}

TEST(Stump, CutsWhereItsSettingSays) {
  for (const auto& [name, cuts] : {std::pair{"codes", Cuts::kCodes}, {"exact", Cuts::kExact}}) {
    Settings settings;
    settings.add("cuts", name, "");
    EXPECT_EQ((*make_stump(settings))->cuts(), cuts);
  }
  Settings wrong;
  wrong.add("cuts", "fine", "test.yaml:4");
  EXPECT_THAT(make_stump(wrong).error().message, ::testing::HasSubstr("test.yaml:4"));
}

}  // namespace
}  // namespace mash
