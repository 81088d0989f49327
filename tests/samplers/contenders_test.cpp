// SPDX-License-Identifier: Apache-2.0
//
// That features which cannot win are left out, and none that can (T-K1 for one search).
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "classifiers/samplers/sampler.hpp"
#include "classifiers/scan/stump_scan.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

constexpr std::size_t kFeatures = 200;

struct Search {
  Search(double sigma, ScanMode mode, std::uint64_t seed)
      : world(testing::learnable_table(2000, kFeatures, 3, seed)),
        weights(world.dataset.train.labels, 3),
        scan(world.features(), weights, {mode, Cuts::kCodes}, world.workers),
        all(feature_range(0, kFeatures)) {
    initialise(InitialWeights::kUniform, world.workers, weights);
    RandomStream stream(seed, "test.contenders");
    for (std::size_t n = 0; n < weights.num_examples(); ++n) {
      const double factor = std::exp(sigma * stream.normal());
      for (double& g : weights.row(n)) g *= factor;
    }
    weights.normalise(world.workers);
    scan.new_round(seed, 1);
  }

  testing::World world;
  SignedWeights weights;
  StumpScan scan;
  std::vector<std::uint32_t> all;
};

void expect_the_same_winner(Search& search) {
  const auto every = search.scan.evaluate(search.all);
  const auto contenders = search.scan.evaluate_contenders(search.all);
  RC_ASSERT(best_of(contenders).feature == best_of(every).feature);
  for (const Candidate& candidate : contenders) RC_ASSERT(candidate.edge == every[candidate.feature].edge);
}

RC_GTEST_PROP(Contenders, HaveTheWinnerWithItsEdge, ()) {
  const auto sigma = double(*rc::gen::inRange(0, 40)) / 10;
  const auto mode = *rc::gen::element(ScanMode::kI16, ScanMode::kI8, ScanMode::kF64);
  Search search(sigma, mode, *rc::gen::arbitrary<std::uint64_t>());
  expect_the_same_winner(search);
}

RC_GTEST_PROP(Contenders, HaveTheWinnerOfAFocus, ()) {
  Search search(*rc::gen::element(0.5, 3.0), ScanMode::kI16, *rc::gen::arbitrary<std::uint64_t>());
  std::vector<std::uint32_t> rows;
  double share = 0;
  for (std::uint32_t n = 0; n < search.weights.num_examples(); n += 3) {
    rows.push_back(n);
    share += search.weights.example_weights()[n];
  }
  const std::vector<std::uint8_t> negated(rows.size(), 1);
  search.scan.focus({rows, share, negated});
  expect_the_same_winner(search);
}

TEST(Contenders, OfSkewedWeightsAreFewAndTheirSearchIsCheap) {
  Search search(3, ScanMode::kI16, 1);
  const auto contenders = search.scan.evaluate_contenders(search.all);
  EXPECT_LT(contenders.size(), kFeatures / 2);
  EXPECT_LT(search.scan.meters().fe, 2000 * kFeatures * 2 / 3);
}

// Without heavy examples, and where these are too many for the edge that is reached.
TEST(Contenders, OfWeightsThatDoNotAllowItAreAllFeaturesAtTheUsualCost) {
  for (const double sigma : {0.0, 1.6}) {
    Search search(sigma, ScanMode::kI16, 1);
    EXPECT_EQ(search.scan.evaluate_contenders(search.all).size(), kFeatures);
    EXPECT_EQ(search.scan.meters().fe, 2000 * kFeatures);
  }
}

}  // namespace
}  // namespace mash
