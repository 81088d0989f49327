// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/scan/edge_search.hpp"
#include "classifiers/scan/sorted_columns.hpp"

namespace mash {

// Searches among the cuts between any two values of the examples in a search, with weights in double
// precision. REQUIRES: the values are in the store.
class ValueSearch final : public EdgeSearch {
 public:
  ValueSearch(const SearchContext& context, const Criterion& criterion);

  void find(std::span<const std::uint32_t> features, const SearchRows& rows, std::span<Candidate> out,
            PhaseSeconds& phases) const override;
  std::vector<StumpFit> fit(std::span<const std::uint32_t> features) const override;

 private:
  // The values of a feature for these examples (increasing); empty: for all examples.
  std::shared_ptr<const SortedColumn> sorted_column(std::uint32_t feature,
                                                    std::span<const std::uint32_t> examples) const;

  SearchContext context_;
  const Criterion& criterion_;
  mutable SortedColumns sorted_;
};

}  // namespace mash
