// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/product.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/weak/weak_world.hpp"

namespace mash {
namespace {

using testing::SettingList;
using testing::WeakWorld;

SettingList terms(std::size_t count, const char* stop = "cycle") {
  return {{"terms", std::to_string(count)}, {"stop", stop}};
}

TEST(Product, SolvesXorWithTwoTerms) {
  WeakWorld corners(testing::xor_table(), {.4, .2, .25, .15});
  for (const char* stop : {"cycle", "first"}) {
    const WeakHypothesis product = corners.learn("product", terms(2, stop));
    EXPECT_NEAR(product.edge, 1, 1e-12);
    ASSERT_EQ(product.model.cuts.size(), 2u);
    EXPECT_EQ(product.model.cuts[0].feature_idx, 0u) << "the best stump, of edge 0.3, is on the first";
    EXPECT_EQ(product.model.cuts[1].feature_idx, 1u);
  }
}

TEST(Product, IsTheConstantWhereThatIsBest) {
  WeakWorld corners(testing::xor_table(), {.4, .2, .2, .2});
  const WeakHypothesis product = corners.learn("product", terms(3));
  EXPECT_NEAR(product.edge, 0.2, 1e-12);
  EXPECT_TRUE(product.model.is_constant());
}

TEST(Product, OfOneTermIsAStump) {
  WeakWorld small(testing::learnable_table(200, 5, 3, 1), InitialWeights::kUniform);
  const WeakHypothesis product = small.learn("product", terms(1)), stump = small.learn("stump", {});
  EXPECT_EQ(product.model, stump.model);
  EXPECT_EQ(product.cells, stump.cells);
  EXPECT_NEAR(product.edge, stump.edge, 1e-12);
}

// phi_i of the terms on every example, and their votes, optimised in turn by trying every cut.
class ReferenceProduct {
 public:
  ReferenceProduct(const WeakWorld& small, std::size_t num_terms)
      : small_(small),
        phi_(num_terms, std::vector<int>(small.weights.num_examples(), 1)),
        votes_(num_terms, std::vector<int>(small.weights.num_classes(), 1)) {
    for (bool improved = true; improved;) {
      improved = false;
      for (std::size_t term = 0; term < num_terms; ++term) improved |= fit(term);
      if (num_terms == 1) break;
    }
  }
  double edge = 0;

 private:
  bool fit(std::size_t term) {
    const std::size_t num_examples = small_.weights.num_examples(),
                      num_classes = small_.weights.num_classes();
    const auto& dataset = small_.world.dataset;
    bool improved = false;
    std::vector<std::vector<int>> candidates{std::vector<int>(num_examples, 1)};
    for (std::size_t j = 0; j < dataset.column_names.size(); ++j)
      for (std::size_t at = 0; at < num_examples; ++at) {
        const auto value = [&](std::size_t n) {
          return dataset.train.values[n * dataset.column_names.size() + j];
        };
        std::vector<int> phi;
        for (std::size_t n = 0; n < num_examples; ++n) phi.push_back(value(n) >= value(at) ? 1 : -1);
        candidates.push_back(phi);
      }
    std::vector<int> best_phi;
    std::vector<int> best_votes;
    double best = -1;
    for (const auto& phi : candidates) {
      std::vector<int> votes;
      double sum = 0;
      for (std::size_t l = 0; l < num_classes; ++l) {
        double class_edge = 0;
        for (std::size_t n = 0; n < num_examples; ++n)
          class_edge += small_.weights.row(n)[l] * others(term, n, l) * phi[n];
        votes.push_back(class_edge >= 0 ? 1 : -1);
        sum += std::abs(class_edge);
      }
      if (sum > best * (1 + 1e-12)) {
        best = sum;
        best_phi = phi;
        best_votes = votes;
      }
    }
    if (best > edge + 1e-12) {
      improved = true;
      edge = best;
      phi_[term] = best_phi;
      votes_[term] = best_votes;
    }
    return improved;
  }
  int others(std::size_t term, std::size_t n, std::size_t l) const {
    int sign = 1;
    for (std::size_t i = 0; i < phi_.size(); ++i)
      if (i != term) sign *= phi_[i][n] * votes_[i][l];
    return sign;
  }

  const WeakWorld& small_;
  std::vector<std::vector<int>> phi_, votes_;
};

RC_GTEST_PROP(Product, IsTheLocalOptimumOfTheDefinition, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.product");
  WeakWorld small(
      testing::learnable_table(20 + stream.below(30), 1 + stream.below(4), 1 + stream.below(4), seed),
      InitialWeights::kUniform);
  testing::spread(small, seed);
  const std::size_t num_terms = 1 + stream.below(4);
  const double expected = ReferenceProduct(small, num_terms).edge;
  RC_ASSERT(std::abs(small.learn("product", terms(num_terms)).edge - expected) < 1e-9);
}

TEST(Product, EdgeIsThatOfTheProductOnRawValuesAndNeverBelowAStumps) {
  WeakWorld small(testing::learnable_table(300, 7, 4, 3), InitialWeights::kBalanced);
  testing::spread(small, 8);
  const double stump = small.learn("stump", {}).edge;
  for (const char* stop : {"cycle", "first"})
    for (std::size_t num_terms = 1; num_terms <= 8; ++num_terms) {
      const WeakHypothesis product = small.learn("product", terms(num_terms, stop));
      EXPECT_NEAR(product.edge, small.edge_of(product.model), 1e-12);
      EXPECT_GE(product.edge, stump - 1e-12);
      EXPECT_LE(product.model.cuts.size(), num_terms);
      EXPECT_EQ(product.cells, cells_of(product.model, small.world.features(), Side::kTrain));
    }
}

TEST(Product, StopsWhereItIsTold) {
  WeakWorld small(testing::learnable_table(300, 7, 4, 3), InitialWeights::kBalanced);
  small.learn("product", {{"terms", "5"}, {"max_cycles", "1"}});
  EXPECT_EQ(small.scan.ledger().meters().fe, 5u * 300 * 7) << "one search a term";
}

}  // namespace
}  // namespace mash
