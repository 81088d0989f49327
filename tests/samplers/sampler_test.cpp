// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/sampler.hpp"

#include <gmock/gmock.h>

#include <set>
#include <stdexcept>
#include <vector>

#include "classifiers/samplers/feature_draw.hpp"
#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using testing::random_ties;

TEST(BestOf, IsTheFirstByPriorityOfTheLargestEdges) {
  const std::vector<Candidate> candidates{{3, 0.1}, {5, 0.4}, {7, 0.4 * (1 + 1e-14)}, {9, 0.2}};
  std::set<std::uint32_t> best;
  for (std::uint64_t number = 0; number < 100; ++number) {
    const Priority ties = random_ties(number);
    best.insert(best_of(candidates, ties).feature);
    EXPECT_EQ(best_of(candidates, ties).feature, ties(5) < ties(7) ? 5u : 7u) << "equal but for rounding";
  }
  EXPECT_EQ(best, (std::set<std::uint32_t>{5, 7}));
  const std::vector<Candidate> negative{{1, -0.2}, {2, -0.1}};
  EXPECT_EQ(best_of(negative, random_ties(1)).feature, 2u);
  EXPECT_THROW(best_of({}, random_ties(1)), std::logic_error);
}

TEST(Argmax, DecidesAmongTheLargestAlone) {
  const std::vector<double> scores{1, 4, 2, 4};
  std::set<std::uint32_t> drawn;
  for (std::uint64_t number = 0; number < 100; ++number) drawn.insert(argmax(scores, random_ties(number)));
  EXPECT_EQ(drawn, (std::set<std::uint32_t>{1, 3}));
  EXPECT_EQ(argmax(std::vector<double>{5}, random_ties(1)), 0u);
  EXPECT_THROW(argmax({}, random_ties(1)), std::logic_error);
}

TEST(Largest, AreInOrderAndTiesByPriority) {
  const std::vector<double> scores{1, 4, 2, 4, 0};
  const Priority ties = [](std::uint32_t index) { return 10 - index; };
  EXPECT_THAT(largest(scores, 3, ties), ::testing::ElementsAre(3, 1, 2));
  EXPECT_THAT(largest(scores, 9, ties), ::testing::ElementsAre(3, 1, 2, 0, 4));
  EXPECT_THAT(largest(scores, 0, ties), ::testing::ElementsAre());
}

TEST(BestOfOffered, TakesIncreasingFeaturesAlone) {
  const testing::World world(testing::learnable_table(100, 4, 3, 1));
  SignedWeights weights(world.dataset.train.labels, 3);
  initialise(InitialWeights::kUniform, world.workers, weights);
  StumpScan scan(world.features(), weights, {}, world.workers);
  scan.new_round(1, 1);
  const std::vector<std::uint32_t> increasing{0, 2, 3}, turned{2, 0}, twice{1, 1};
  const Round round{1, 1};
  EXPECT_EQ(
      best_of_offered(scan, round, increasing),
      best_of(scan.evaluate(increasing), FeatureDraw(world.features(), round, "sampler.ties").feature_ties())
          .feature);
  EXPECT_THROW(best_of_offered(scan, round, turned), std::logic_error);
  EXPECT_THROW(best_of_offered(scan, round, twice), std::logic_error);
  EXPECT_THROW(best_of_offered(scan, round, {}), std::logic_error);
}

}  // namespace
}  // namespace mash
