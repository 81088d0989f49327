// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/samplers/allocate.hpp"
#include "classifiers/samplers/laminating.hpp"
#include "classifiers/samplers/tasting.hpp"

namespace mash {

// E[max] of counts[k] draws from each family whose stocked features have these edges (increasing): the sum
// over the pooled values x_i of x_i (G(x_i) - G(x_(i-1))), G(x) = prod_k F_k(x)^counts[k]. With one family it
// is expected_best_edge. REQUIRES: some count is not 0.
double expected_best_edge(std::span<const std::vector<double>> families,
                          std::span<const std::uint64_t> counts);

// Shares num_features candidates out: each family gets a floor of floor_share / M of them, the rest goes in
// blocks to where the expected best edge rises most; none gets more than its size.
std::vector<std::uint64_t> share_out(std::span<const std::vector<double>> families,
                                     std::span<const std::uint64_t> sizes, std::uint64_t num_features,
                                     double floor_share, const AllocationTies& ties);

// Tasting and Laminating together, which Dubout & Fleuret 2014 name as future work: the stock says how many
// candidates each family gets, Laminating finds the best of them. The stock is looked at on a sample.
class TastedLaminatingSampler final : public Sampler {
 public:
  struct Options {
    LaminatingSize wanted;  // 0: chosen as Laminating does
    Passes passes = Passes::kFresh;
    double budget = 10;              // per training example
    std::uint32_t stock_size = 100;  // R
    std::uint64_t stock_examples = 1000;
    double floor_share = 0.1;
  };
  explicit TastedLaminatingSampler(const Options& options) : options_(options) {}

  Status start(StumpScan& scan, const TrainingPlan& plan) override;
  std::uint32_t propose(StumpScan& scan, const Round& round) override;

 private:
  Options options_;
  LaminatingSize size_;
  std::vector<std::uint64_t> family_sizes_;
  Stock stock_;
};

Result<SamplerFactory> make_tasting_laminating(Settings& settings);
Result<SamplerFactory> make_tasting_nested(Settings& settings);

}  // namespace mash
