// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/edge_search.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "classifiers/scan/double_search.hpp"
#include "classifiers/scan/integer_search.hpp"
#include "classifiers/scan/value_search.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

template <class Search>
std::unique_ptr<EdgeSearch> make(const SearchContext& context, const Criterion& criterion) {
  return std::make_unique<Search>(context, criterion);
}

constexpr std::array kSearches{
    EdgeSearchRow{"f64", ScanMode::kF64, Cuts::kCodes, make<DoubleSearch>},
    EdgeSearchRow{"i16", ScanMode::kI16, Cuts::kCodes, make<IntegerSearch<std::int16_t>>},
    EdgeSearchRow{"i8", ScanMode::kI8, Cuts::kCodes, make<IntegerSearch<std::int8_t>>},
    EdgeSearchRow{"exact", ScanMode::kF64, Cuts::kExact, make<ValueSearch>},
};

}  // namespace

std::span<const EdgeSearchRow> edge_searches() { return kSearches; }

std::unique_ptr<EdgeSearch> make_edge_search(const ScanSettings& settings, const SearchContext& context) {
  const Criterion& criterion = *settings.criterion;
  require(settings.mode == ScanMode::kF64 || criterion.has_integer_kernel(),
          "make_edge_search: a criterion without an integer kernel needs scan mode f64");
  for (const EdgeSearchRow& row : kSearches)
    if (row.cuts == settings.cuts && (row.cuts == Cuts::kExact || row.mode == settings.mode))
      return row.make(context, criterion);
  throw std::logic_error("make_edge_search: a mode that no search has");
}

void take_votes(const Criterion& criterion, const CodeSums& sums, std::uint32_t cut, StumpFit& fit) {
  CutVotes votes = criterion.votes(sums, cut);
  fit.edge = votes.edge;
  fit.cell_votes = std::move(votes.cells);
  fit.class_edges = class_edges(sums, cut);
}

}  // namespace mash
