// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/scan/edge_search.hpp"
#include "classifiers/scan/kernels/histogram.hpp"

namespace mash {

// Searches among the cuts at the store's thresholds, on columns of codes. This part is common to integer
// weights and double weights.
class CodeSearch : public EdgeSearch {
 public:
  CodeSearch(const SearchContext& context, const Criterion& criterion)
      : context_(context), criterion_(criterion) {}

  void find(std::span<const std::uint32_t> features, const SearchRows& rows, std::span<Candidate> out,
            PhaseSeconds& phases) const override;
  std::vector<StumpFit> fit(std::span<const std::uint32_t> features) const override;

 protected:
  // A search of as many (feature, example) pairs follows. Called by one thread.
  virtual void prepare(double /*num_pairs*/) const {}
  // out[i].edge = the edge of the best cut of columns[i]. Each column has rows.num_rows codes. [any thread]
  virtual void find_edges(std::span<const CodeColumn> columns, const WeighedRows& rows,
                          std::span<Candidate> out) const = 0;

  const SearchContext& context() const { return context_; }
  const Criterion& criterion() const { return criterion_; }

 private:
  void find_some(std::span<const std::uint32_t> features, const SearchRows& rows, std::span<Candidate> out,
                 PhaseSeconds& phases) const;
  // Searches some features on one thread. gather_seconds: set to the time of fetching the codes.
  void find_group(std::span<const std::uint32_t> features, const SearchRows& rows, std::span<Candidate> out,
                  double& gather_seconds) const;
  // The codes of a feature for the examples in focus.
  FeatureColumn focused_codes(std::uint32_t feature) const;

  SearchContext context_;
  const Criterion& criterion_;
};

}  // namespace mash
