// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/hamming_criterion.hpp"

#include <array>
#include <cmath>

#include "classifiers/scan/cut_walk.hpp"

namespace mash {
namespace {

// sum over l of |c_l - 2 p_l|, with c all rows and p those below the cut.
struct HammingEdge {
  double operator()(std::span<const double> totals, std::span<const double> below) const {
    double edge = 0;
    for (std::size_t l = 0; l < totals.size(); ++l) edge += std::abs(totals[l] - 2 * below[l]);
    return edge;
  }
};

// The same for walks of one step an example: eight magnitudes are added up side by side, so that none waits
// for the one before and compilers make vectors of them.
class WideSums {
 public:
  explicit WideSums(std::span<const double> totals)
      : num_classes_(totals.size()), totals_(totals.begin(), totals.end()) {
    totals_.resize((num_classes_ + kLanes - 1) / kLanes * kLanes);
    below_.resize(totals_.size());
  }

  void add_below(const double* row) {
    for (std::size_t l = 0; l < num_classes_; ++l) below_[l] += row[l];
  }
  double edge() const {
    std::array<double, kLanes> parts{};
    for (std::size_t l = 0; l < totals_.size(); l += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        parts[lane] += std::abs(totals_[l + lane] - 2 * below_[l + lane]);
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
      for (std::size_t lane = 0; lane < half; ++lane) parts[lane] += parts[lane + half];
    return parts[0];
  }

 private:
  static constexpr std::size_t kLanes = 8;

  std::size_t num_classes_;
  std::vector<double> totals_, below_;
};

}  // namespace

DoubleCut HammingCriterion::best_cut(const CodeSums& sums) const {
  return walk_codes<SumsBelow<HammingEdge>>(sums);
}

DoubleCut HammingCriterion::best_cut_of_values(const SortedColumn& column, std::span<const double> rows,
                                               std::span<const double> totals) const {
  return walk_values<WideSums>(column, rows, totals);
}

CutVotes HammingCriterion::votes(const CodeSums& sums, std::uint32_t cut) const {
  const std::vector<double> edges = class_edges(sums, cut);
  CutVotes votes;
  votes.cells.resize(2 * edges.size());
  for (std::size_t l = 0; l < edges.size(); ++l) {
    const double vote = edges[l] >= 0 ? 1 : -1;
    votes.cells[l] = -vote;
    votes.cells[edges.size() + l] = vote;
    votes.edge += std::abs(edges[l]);
  }
  return votes;
}

const Criterion& hamming_criterion() {
  static const HammingCriterion criterion;
  return criterion;
}

}  // namespace mash
