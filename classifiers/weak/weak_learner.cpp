// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/weak_learner.hpp"

#include <array>
#include <string>
#include <utility>

namespace mash {

std::vector<std::uint8_t> cells_of(const Hypothesis& hypothesis, const StumpScan& scan, Side side) {
  const FeatureSet& features = scan.features();
  std::vector<std::vector<std::uint8_t>> above;  // of each cut
  for (const Cut& cut : hypothesis.cuts)
    above.push_back(
        scan.above(side, features.first_feature(cut.family_idx) + cut.feature_idx, cut.threshold));
  if (above.size() == 1 && !hypothesis.is_tree()) return std::move(above[0]);  // a stump's answer is its cell
  std::vector<std::uint8_t> cells(above[0].size());
  for (std::size_t n = 0; n < cells.size(); ++n)
    cells[n] = std::uint8_t(cell_of(hypothesis, [&](std::size_t i) { return above[i][n] != 0; }));
  return cells;
}

Cut cut_of(const StumpFit& fit, const FeatureSet& features) {
  return {features.family_of(fit.feature), features.index_in_family(fit.feature), fit.threshold};
}

Result<Cuts> read_cuts(Settings& settings) {
  constexpr std::array<std::string_view, 2> kCuts{"codes", "exact"};
  MASH_ASSIGN(const std::string cuts, settings.choice("cuts", "codes", kCuts));
  return cuts == "exact" ? Cuts::kExact : Cuts::kCodes;
}

}  // namespace mash
