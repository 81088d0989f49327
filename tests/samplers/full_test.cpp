// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/full.hpp"

#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using testing::SamplerWorld;

TEST(Full, ProposesTheLargestEdgeOfAllFeaturesOnAllExamples) {
  SamplerWorld world(testing::families_with_edges({{.2, .1}, {.3}, {.1, .6, .4}}, 20),
                     testing::alternating_labels(20), ScanMode::kF64);
  FullSampler sampler;
  EXPECT_EQ(world.propose(sampler, 1), 4u);
  EXPECT_EQ(world.scan.ledger().meters().fe, 6u * 20);
}

TEST(Full, TakesAnyOfEquals) {
  SamplerWorld world(testing::families_with_edges({{.2, .4}, {.4, .4}}, 20), testing::alternating_labels(20),
                     ScanMode::kF64);
  FullSampler sampler;
  std::vector<int> counts(4);
  for (std::uint32_t round = 1; round <= 300; ++round) ++counts[world.propose(sampler, round)];
  EXPECT_EQ(counts[0], 0);
  for (const std::size_t feature : {1u, 2u, 3u})
    EXPECT_NEAR(counts[feature], 100, 3 * std::sqrt(300 * 2. / 9));
}

TEST(Full, FindsNothingOnlyWhereThereIsNothing) { EXPECT_TRUE(FullSampler().is_exhaustive()); }

TEST(Full, HasNoSettings) {
  Settings settings;
  settings.add("features", "10", "test.yaml:3");
  ASSERT_TRUE(make_full(settings).ok());
  EXPECT_FALSE(settings.finish("sampler full").ok());
}

}  // namespace
}  // namespace mash
