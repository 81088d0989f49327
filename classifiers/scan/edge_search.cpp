// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/edge_search.hpp"

#include <utility>

#include "classifiers/scan/double_search.hpp"
#include "classifiers/scan/integer_search.hpp"
#include "classifiers/scan/value_search.hpp"
#include "framework/base/require.hpp"

namespace mash {

std::unique_ptr<EdgeSearch> make_edge_search(const ScanSettings& settings, const SearchContext& context) {
  const Criterion& criterion = *settings.criterion;
  require(settings.mode == ScanMode::kF64 || criterion.has_integer_kernel(),
          "make_edge_search: a criterion without an integer kernel needs scan mode f64");
  if (settings.cuts == Cuts::kExact) return std::make_unique<ValueSearch>(context, criterion);
  switch (settings.mode) {
    case ScanMode::kI16: return std::make_unique<IntegerSearch<std::int16_t>>(context, criterion);
    case ScanMode::kI8: return std::make_unique<IntegerSearch<std::int8_t>>(context, criterion);
    case ScanMode::kF64: break;
  }
  return std::make_unique<DoubleSearch>(context, criterion);
}

void take_votes(const Criterion& criterion, const CodeSums& sums, std::uint32_t cut, StumpFit& fit) {
  CutVotes votes = criterion.votes(sums, cut);
  fit.edge = votes.edge;
  fit.cell_votes = std::move(votes.cells);
  fit.class_edges = class_edges(sums, cut);
}

}  // namespace mash
