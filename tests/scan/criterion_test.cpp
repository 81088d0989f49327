// SPDX-License-Identifier: Apache-2.0
// That the scan finds the best stumps by any criterion, shown by one that exists here alone.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "classifiers/scan/cut_walk.hpp"
#include "classifiers/scan/stump_scan.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

// The largest of the classes' edges; the votes are the class edges themselves.
struct LargestEdge {
  double operator()(std::span<const double> totals, std::span<const double> below) const {
    double largest = 0;
    for (std::size_t l = 0; l < totals.size(); ++l)
      largest = std::max(largest, std::abs(totals[l] - 2 * below[l]));
    return largest;
  }
};

class OneClassCriterion final : public Criterion {
 public:
  DoubleCut best_cut(const CodeSums& sums) const override { return walk_codes<SumsBelow<LargestEdge>>(sums); }
  DoubleCut best_cut_of_values(const SortedColumn& column, std::span<const double> rows,
                               std::span<const double> totals) const override {
    return walk_values<SumsBelow<LargestEdge>>(column, rows, totals);
  }
  CutVotes votes(const CodeSums& sums, std::uint32_t cut) const override {
    CutVotes votes;
    const std::vector<double> edges = class_edges(sums, cut);
    for (const double edge : edges) votes.cells.push_back(-edge);
    votes.cells.insert(votes.cells.end(), edges.begin(), edges.end());
    for (const double edge : edges) votes.edge = std::max(votes.edge, std::abs(edge));
    return votes;
  }
  bool has_integer_kernel() const override { return false; }
};

class ScanByAnyCriterion : public ::testing::TestWithParam<Cuts> {
 protected:
  ScanByAnyCriterion() { initialise(InitialWeights::kBalanced, world.workers, weights); }

  float value(std::size_t example, std::uint32_t feature) const {
    return world.dataset.train.values[example * world.dataset.column_names.size() + feature];
  }
  // The largest edge of a class over all cuts of a feature, from the values.
  double best_edge(std::uint32_t feature) const {
    double best = edge_at(feature, kConstant);
    for (std::size_t n = 0; n < weights.num_examples(); ++n)
      best = std::max(best, edge_at(feature, value(n, feature)));
    return best;
  }
  double edge_at(std::uint32_t feature, float threshold) const {
    std::vector<double> edges(weights.num_classes());
    for (std::size_t n = 0; n < weights.num_examples(); ++n)
      for (std::size_t l = 0; l < edges.size(); ++l)
        edges[l] += weights.row(n)[l] * (value(n, feature) >= threshold ? 1 : -1);
    double largest = 0;
    for (const double edge : edges) largest = std::max(largest, std::abs(edge));
    return largest;
  }

  testing::World world{testing::learnable_table(300, 5, 4, 3), 1, true};
  SignedWeights weights{world.dataset.train.labels, 4};
  OneClassCriterion criterion;
};

TEST_P(ScanByAnyCriterion, FindsItsBestStumps) {
  StumpScan scan(world.features(), weights, {ScanMode::kF64, GetParam(), &criterion}, world.workers);
  scan.new_round(1, 1);
  const std::vector<std::uint32_t> features{0, 1, 2, 3, 4};
  for (const Candidate& candidate : scan.evaluate(features)) {
    const double expected = best_edge(candidate.feature);
    EXPECT_NEAR(candidate.edge, expected, 1e-12);
    const StumpFit fit = scan.refit(candidate.feature);
    EXPECT_NEAR(fit.edge, expected, 1e-12);
    EXPECT_NEAR(edge_at(candidate.feature, fit.threshold), expected, 1e-12);
    ASSERT_EQ(fit.cell_votes.size(), 8u);
    for (std::size_t l = 0; l < 4; ++l) EXPECT_EQ(fit.votes_above()[l], fit.class_edges[l]);
  }
}

TEST_P(ScanByAnyCriterion, IsRefusedWhereWeightsAreRounded) {
  for (const ScanMode mode : {ScanMode::kI16, ScanMode::kI8})
    EXPECT_THROW(StumpScan(world.features(), weights, {mode, GetParam(), &criterion}, world.workers),
                 std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(Cuts, ScanByAnyCriterion, ::testing::Values(Cuts::kCodes, Cuts::kExact),
                         [](const auto& info) { return info.param == Cuts::kCodes ? "codes" : "exact"; });

}  // namespace
}  // namespace mash
