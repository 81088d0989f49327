// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/regression_criterion.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/losses/working_response.hpp"
#include "classifiers/scan/cut_walk.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// sum(w z) and sum(w) on one side of a cut.
struct SideSums {
  double responses = 0, weights = 0;

  // A difference of two sums that is rounding alone must not look like a response beyond all others.
  double vote() const {
    return weights > 0 ? std::clamp(responses / weights, -kMostResponse, kMostResponse) : 0;
  }
  double explained() const { return std::max(0.0, weights) * vote() * vote(); }
};

double edge_of(const SideSums& below, const SideSums& above) {
  const double weights = below.weights + above.weights;
  return weights > 0 ? std::sqrt((below.explained() + above.explained()) / weights) / kMostResponse : 0;
}

struct RegressionEdge {
  double operator()(std::span<const double> totals, std::span<const double> below) const {
    return edge_of({below[0], below[1]}, {totals[0] - below[0], totals[1] - below[1]});
  }
};

}  // namespace

DoubleCut RegressionCriterion::best_cut(const CodeSums& sums) const {
  return walk_codes<SumsBelow<RegressionEdge>>(sums);
}

DoubleCut RegressionCriterion::best_cut_of_values(const SortedColumn& column, std::span<const double> rows,
                                                  std::span<const double> totals) const {
  return walk_values<SumsBelow<RegressionEdge>>(column, rows, totals);
}

CutVotes RegressionCriterion::votes(const CodeSums& sums, std::uint32_t cut) const {
  require(sums.row_size == 2, "RegressionCriterion::votes: rows of two numbers");
  SideSums below, above;
  for (std::size_t code = 0; code < sums.num_codes; ++code) {
    SideSums& side = code < cut ? below : above;
    side.responses += sums.sums[2 * code];
    side.weights += sums.sums[2 * code + 1];
  }
  // Nobody is below the constant learner's cut; opposite votes make it a stump like others.
  return {edge_of(below, above), {cut == 0 ? -above.vote() : below.vote(), above.vote()}};
}

const Criterion& regression_criterion() {
  static const RegressionCriterion criterion;
  return criterion;
}

}  // namespace mash
