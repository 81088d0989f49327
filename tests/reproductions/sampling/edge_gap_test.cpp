// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/edge_gap.hpp"

#include <cmath>

#include "classifiers/samplers/full.hpp"
#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using testing::SamplerWorld;

// Always proposes the same feature.
class FixedSampler final : public Sampler {
 public:
  explicit FixedSampler(std::uint32_t feature) : feature_(feature) {}
  std::uint32_t propose(StumpScan&, const Round&) override { return feature_; }

 private:
  std::uint32_t feature_;
};

TEST(EdgeGap, IsTheLargestEdgeLessThatOfTheProposal) {
  SamplerWorld world(300, {7, 5}, ScanMode::kF64);
  const auto all = world.scan.evaluate(feature_range(0, 12));
  const double largest = best_of(all, testing::random_ties(1)).edge;
  const std::uint64_t cost = world.scan.ledger().meters().fe;
  for (std::uint32_t feature = 0; feature < 12; ++feature) {
    std::vector<double> gaps;
    EdgeGapSampler sampler(std::make_unique<FixedSampler>(feature), gaps);
    EXPECT_EQ(world.propose(sampler, 1), feature);
    ASSERT_EQ(gaps.size(), 1u);
    EXPECT_DOUBLE_EQ(gaps[0], std::max(0.0, largest - all[feature].edge));
  }
  EXPECT_EQ(world.scan.ledger().meters().fe, cost) << "the measurement is not part of the cost";
}

TEST(EdgeGap, OfFullSearchIsZero) {
  SamplerWorld world(300, {7, 5});
  std::vector<double> gaps;
  EdgeGapSampler sampler(std::make_unique<FullSampler>(), gaps);
  for (std::uint32_t round = 1; round <= 3; ++round) world.propose(sampler, round);
  EXPECT_THAT(gaps, ::testing::ElementsAre(0, 0, 0));
}

TEST(FewExamples, LooksAtAllFeaturesOnSoManyExamples) {
  SamplerWorld world(1000, {7, 5});
  FewExamplesSampler sampler(50);
  world.propose(sampler, 1);
  EXPECT_THAT(world.offered(), ::testing::ElementsAre(7, 5));
  EXPECT_GT(world.scan.ledger().meters().fe, 12u * 40);
  EXPECT_LE(world.scan.ledger().meters().fe, 12u * 50) << "an example drawn twice costs once";
}

TEST(FewExamples, OnAllExamplesFindsTheBest) {
  SamplerWorld world(300, {7, 5}, ScanMode::kF64);
  FewExamplesSampler sampler(300);
  EXPECT_EQ(world.propose(sampler, 1),
            best_of(world.scan.evaluate(feature_range(0, 12)), testing::random_ties(1)).feature);
}

TEST(SimulateEdge, AgreesWithTheClosedFormOfOneNormal) {
  // s^2 / sqrt(s^2 + noise) times the expected maximum of ten standard normals.
  RandomStream stream(1, "test.edge");
  const SimulatedEdge simulated = simulate_edge(.01, 10, .01, 100'000, stream);
  EXPECT_NEAR(simulated.mean, .108806, 4 * simulated.standard_error);
  EXPECT_NEAR(simulated.standard_error, .0003, .0001);
}

TEST(SimulateEdge, OfOneCandidateIsTheMeanOfAll) {
  RandomStream stream(1, "test.edge");
  const SimulatedEdge simulated = simulate_edge(.01, 1, .01, 10'000, stream);
  EXPECT_NEAR(simulated.mean, 0, 4 * simulated.standard_error);
  EXPECT_NEAR(simulated.standard_error, .1 / 100, 1e-4);
}

}  // namespace
}  // namespace mash
