// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/plurality_criterion.hpp"

#include <algorithm>

#include "classifiers/scan/cut_walk.hpp"

namespace mash {
namespace {

// (K right - all) / (K - 1), with the weights that are right on either side of the cut.
struct PluralityEdge {
  double operator()(std::span<const double> totals, std::span<const double> below) const {
    if (totals.size() < 2) return 0;
    double all = 0, most_below = below[0], most_above = totals[0] - below[0];
    for (std::size_t l = 0; l < totals.size(); ++l) {
      all += totals[l];
      most_below = std::max(most_below, below[l]);
      most_above = std::max(most_above, totals[l] - below[l]);
    }
    const auto num_classes = double(totals.size());
    return std::max(0.0, (num_classes * (most_below + most_above) - all) / (num_classes - 1));
  }
};

}  // namespace

DoubleCut PluralityCriterion::best_cut(const CodeSums& sums) const {
  return walk_codes<SumsBelow<PluralityEdge>>(sums);
}

DoubleCut PluralityCriterion::best_cut_of_values(const SortedColumn& column, std::span<const double> rows,
                                                 std::span<const double> totals) const {
  return walk_values<SumsBelow<PluralityEdge>>(column, rows, totals);
}

CutVotes PluralityCriterion::votes(const CodeSums& sums, std::uint32_t cut) const {
  const std::size_t num_classes = sums.row_size;
  std::vector<double> below(num_classes), above(num_classes), totals(num_classes);
  for (std::size_t code = 0; code < sums.num_codes; ++code)
    for (std::size_t l = 0; l < num_classes; ++l)
      (code < cut ? below : above)[l] += sums.sums[code * num_classes + l];
  for (std::size_t l = 0; l < num_classes; ++l) totals[l] = below[l] + above[l];
  // Below the constant learner's cut there is nothing; it gives all examples one class.
  const std::vector<double>& lower_side = cut == 0 ? above : below;
  const auto heaviest = [](const std::vector<double>& side) {
    return std::size_t(std::max_element(side.begin(), side.end()) - side.begin());
  };
  CutVotes votes;
  votes.edge = PluralityEdge()(totals, below);
  votes.cells.resize(2 * num_classes);
  votes.cells[heaviest(lower_side)] = 1;
  votes.cells[num_classes + heaviest(above)] = 1;
  return votes;
}

const Criterion& plurality_criterion() {
  static const PluralityCriterion criterion;
  return criterion;
}

}  // namespace mash
