// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/sampler.hpp"

#include <gmock/gmock.h>

#include <set>
#include <stdexcept>
#include <vector>

#include "tests/support/world.hpp"

namespace mash {
namespace {

TEST(BestOf, IsTheFirstOfTheLargestEdges) {
  const std::vector<Candidate> candidates{{3, 0.1}, {5, 0.4}, {7, 0.4}, {9, 0.2}};
  EXPECT_EQ(best_of(candidates).feature, 5u);
  EXPECT_EQ(best_of(std::vector<Candidate>{{3, 0.4}, {5, 0.4 * (1 + 1e-14)}}).feature, 3u)
      << "equal but for rounding";
  EXPECT_THROW(best_of({}), std::logic_error);
}

TEST(Argmax, DrawsAmongTheLargestAlone) {
  RandomStream ties(1, "test");
  const std::vector<double> scores{1, 4, 2, 4};
  std::set<std::uint32_t> drawn;
  for (int i = 0; i < 100; ++i) drawn.insert(argmax(scores, ties));
  EXPECT_EQ(drawn, (std::set<std::uint32_t>{1, 3}));
  EXPECT_EQ(argmax(std::vector<double>{5}, ties), 0u);
  EXPECT_THROW(argmax({}, ties), std::logic_error);
}

TEST(BestOfOffered, TakesIncreasingFeaturesAlone) {
  const testing::World world(testing::learnable_table(100, 4, 3, 1));
  SignedWeights weights(world.dataset.train.labels, 3);
  initialise(InitialWeights::kUniform, world.workers, weights);
  StumpScan scan(world.features(), weights, {}, world.workers);
  scan.new_round(1, 1);
  const std::vector<std::uint32_t> increasing{0, 2, 3}, turned{2, 0}, twice{1, 1};
  EXPECT_EQ(best_of_offered(scan, increasing), best_of(scan.evaluate(increasing)).feature);
  EXPECT_THROW(best_of_offered(scan, turned), std::logic_error);
  EXPECT_THROW(best_of_offered(scan, twice), std::logic_error);
  EXPECT_THROW(best_of_offered(scan, {}), std::logic_error);
}

}  // namespace
}  // namespace mash
