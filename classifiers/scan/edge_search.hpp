// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "classifiers/events/meters.hpp"
#include "classifiers/scan/drawn_rows.hpp"
#include "classifiers/scan/focused_weights.hpp"
#include "classifiers/scan/scan_settings.hpp"
#include "framework/base/parallel.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The best stump of a feature on all examples in focus, in double precision.
struct StumpFit {
  std::uint32_t feature = 0;
  float threshold = kConstant;
  double edge = 0;                  // >= 0, by the criterion
  std::vector<double> class_edges;  // for each number of a row: sum_n G_nl phi(x_n)
  std::vector<double> cell_votes;   // 2 x K, by the criterion: below the threshold, then from it on
  std::vector<std::uint8_t> above;  // of each example in focus 0 or 1: phi(x_n) = +1

  // K votes, where phi = +1.
  std::span<const double> votes_above() const { return std::span(cell_votes).last(cell_votes.size() / 2); }
};

// Rows for a search: examples with their weights, in the form that the scan mode needs.
struct SearchRows {
  std::span<const std::uint32_t> examples;  // numbers of training examples, increasing; empty: all
  const WeighedRows& weights;               // as many
};

// Finds the best stump of each of many features. This is the long part of training. A search counts no costs
// and keeps nothing from a round. There is one class for each form of weights and cuts; it is chosen when
// training begins.
class EdgeSearch {
 public:
  virtual ~EdgeSearch() = default;

  // Writes into `out`, which has a place for each feature (increasing), the edge of the feature's best stump
  // on these rows. phases: gets the seconds of fetching codes and of the search itself.
  virtual void find(std::span<const std::uint32_t> features, const SearchRows& rows, std::span<Candidate> out,
                    PhaseSeconds& phases) const = 0;

  // Each feature's best stump on all examples in focus, to the last bit of their weights.
  virtual std::vector<StumpFit> fit(std::span<const std::uint32_t> features) const = 0;
};

// Data that a search works on. All of it outlives the search.
struct SearchContext {
  const FeatureSet& features;
  const FocusedWeights& weights;
  const Workers& workers;
};

// A row of the table of searches. Exact cuts never round weights: their mode is kF64.
struct EdgeSearchRow {
  std::string_view name;
  ScanMode mode;
  Cuts cuts;
  std::unique_ptr<EdgeSearch> (*make)(const SearchContext& context, const Criterion& criterion);
};
// All searches, the reference first: "f64", "i16", "i8" among the cuts at codes, then "exact".
std::span<const EdgeSearchRow> edge_searches();

// The search for these settings. Throws std::logic_error where the mode rounds weights and the criterion has
// no integer kernel.
std::unique_ptr<EdgeSearch> make_edge_search(const ScanSettings& settings, const SearchContext& context);

// Fills in what the criterion says of a cut: class_edges, cell_votes and the edge.
void take_votes(const Criterion& criterion, const CodeSums& sums, std::uint32_t cut, StumpFit& fit);

}  // namespace mash
