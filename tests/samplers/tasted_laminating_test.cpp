// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/tasted_laminating.hpp"

#include <numeric>
#include <vector>

#include "tests/samplers/sampler_world.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using testing::SamplerWorld;

const std::vector<std::vector<double>> kFamilies{{.2, .2, .2, .2}, {.05, .05, .05, .35}};

double expected(std::uint64_t first, std::uint64_t second) {
  const std::vector<std::uint64_t> counts{first, second};
  return expected_best_edge(kFamilies, counts);
}

TEST(ExpectedBestEdgeOfFamilies, WorkedExample) {
  EXPECT_NEAR(expected(2, 0), .2, 1e-9);
  EXPECT_NEAR(expected(0, 2), .18125, 1e-9);
  EXPECT_NEAR(expected(1, 1), .2375, 1e-9);
  EXPECT_NEAR(expected(1, 9), .338737, 1e-6);
  EXPECT_NEAR(expected(5, 5), .314404, 1e-6);
  EXPECT_NEAR(expected(0, 10), .333106, 1e-6);
}

TEST(ExpectedBestEdgeOfFamilies, OfOneFamilyIsThatOfTasting) {
  const std::vector<std::vector<double>> one{{.1, .2, .4}};
  for (const std::uint64_t count : {1, 2, 3, 10, 100})
    EXPECT_NEAR(expected_best_edge(one, std::vector<std::uint64_t>{count}),
                expected_best_edge(one[0], std::uint32_t(count)), 1e-12);
}

TEST(ShareOut, GoesWhereTheEdgeRisesWithinSizesAndAboveTheFloor) {
  const AllocationTies ties = [](std::uint32_t family, std::uint64_t count) {
    return keyed_hash(count, std::uint64_t(family));
  };
  const std::vector<std::vector<double>> families{{.1, .1, .1}, {.1, .3, .5}, {.01, .01, .02}};
  const std::vector<std::uint64_t> sizes{1000, 1000, 1000};
  const auto counts = share_out(families, sizes, 320, .3, ties);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t(0)), 320u);
  for (const std::uint64_t count : counts) EXPECT_GE(count, 32u);
  EXPECT_GT(counts[1], counts[0]);
  EXPECT_GT(counts[1], counts[2]);

  const std::vector<std::uint64_t> small{1000, 40, 7};
  const auto bounded = share_out(families, small, 320, .3, ties);
  EXPECT_LE(bounded[1], 40u);
  EXPECT_LE(bounded[2], 7u);
  EXPECT_EQ(std::accumulate(bounded.begin(), bounded.end(), std::uint64_t(0)), 320u);
  EXPECT_THAT(share_out(families, std::vector<std::uint64_t>{1, 2, 3}, 320, .3, ties), ElementsAre(1, 2, 3))
      << "there are no more";
}

class TastedLaminatingOf : public ::testing::TestWithParam<Passes> {};
INSTANTIATE_TEST_SUITE_P(Passes, TastedLaminatingOf, ::testing::Values(Passes::kFresh, Passes::kNested),
                         [](const auto& info) { return info.param == Passes::kFresh ? "fresh" : "nested"; });

TEST_P(TastedLaminatingOf, SpendsNoMoreThanTheBudgetAndFavoursTheBetterFamily) {
  // Half of the second family's features show the label through noise.
  const auto noise = [](std::uint32_t n, std::uint32_t j) { return (n * 2654435761u + j * 40503u) >> 8; };
  const auto plain = [=](std::uint32_t n, std::uint32_t j) { return float(noise(n, j) % 50); };
  const auto telling = [=](std::uint32_t n, std::uint32_t j) {
    return float(noise(n, j + 999) % 50 + (j % 2 ? 20 * (n % 2) : 0));
  };
  std::vector<std::uint16_t> labels(2000);
  for (std::size_t n = 0; n < labels.size(); ++n) labels[n] = n % 2;
  SamplerWorld w({{"plain", 300, plain}, {"telling", 300, telling}}, labels);
  TastedLaminatingSampler::Options options;
  options.passes = GetParam();
  TastedLaminatingSampler sampler(options);
  ASSERT_TRUE(sampler.start(w.scan, {1, 20}).ok());
  for (std::uint32_t round = 1; round <= 20; ++round) {
    const std::uint64_t before = w.scan.ledger().meters().fe;
    EXPECT_GE(w.propose(sampler, round), 300u) << "a feature of the telling family wins";
    EXPECT_LE(w.scan.ledger().meters().fe - before, 20000u);
  }
  const auto offered = w.offered();
  EXPECT_GT(offered[1], 4 * offered[0]);
  EXPECT_GT(offered[0], 0u) << "the floor";
}

}  // namespace
}  // namespace mash
