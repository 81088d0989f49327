// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "classifiers/samplers/mixture.hpp"
#include "classifiers/samplers/sampler.hpp"

namespace mash {

// The loss of edge by a choice with few evaluations (Dubout & Fleuret 2014, sections 5 and 6; their Figures 1
// and 2).

// Proposes what another sampler does, and measures each round how much larger than the edge of that feature
// the largest edge of all features is, on all examples. The measurement is not part of the cost.
class EdgeGapSampler final : public Sampler {
 public:
  // gaps: gets one more number, >= 0, by each search; a stump makes one a round. Outlives the sampler.
  EdgeGapSampler(std::unique_ptr<Sampler> sampler, std::vector<double>& gaps)
      : sampler_(std::move(sampler)), gaps_(gaps) {}

  Status start(StumpScan& scan, const TrainingPlan& plan) override { return sampler_->start(scan, plan); }
  std::uint32_t propose(StumpScan& scan, const Round& round) override;

  std::vector<double> state() const override { return sampler_->state(); }
  void restore(std::span<const double> state) override { sampler_->restore(state); }
  bool is_exhaustive() const override { return sampler_->is_exhaustive(); }

 private:
  std::unique_ptr<Sampler> sampler_;
  std::vector<double>& gaps_;
};

// All features on the same few examples, drawn by weight: the second strategy of Figure 2.
class FewExamplesSampler final : public Sampler {
 public:
  explicit FewExamplesSampler(std::uint64_t num_examples) : num_examples_(num_examples) {}
  std::uint32_t propose(StumpScan& scan, const Round& round) override;

 private:
  std::uint64_t num_examples_;
};

// The mean over trials of the true edge of the candidate with the largest measured one, by simulation: edges
// are drawn from N(0, variance), measurements add N(0, noise). The reference of expected_edge, with the
// standard error of the mean.
struct SimulatedEdge {
  double mean = 0, standard_error = 0;
};
SimulatedEdge simulate_edge(double variance, std::uint64_t num_candidates, double noise,
                            std::uint32_t num_trials, RandomStream& stream);

}  // namespace mash
