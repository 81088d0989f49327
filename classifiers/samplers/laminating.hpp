// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/samplers/sampler.hpp"

namespace mash {

// How many candidates a round of Laminating begins with, and on how many examples.
struct LaminatingSize {
  std::uint64_t num_features = 0;  // Q
  std::uint64_t num_examples = 0;  // S, of the first pass
};

// Candidates x examples over all passes: Q on S, the better half (rounded up) on 2S, ... until one is left; a
// pass on all num_train examples is the last.
std::uint64_t laminating_cost(const LaminatingSize& size, std::uint64_t num_train);

// The largest power of two Q <= num_features with S = budget / (Q log2 Q) >= 64, and the largest S whose cost
// is within the budget. A fixed Q or S (not 0) is kept. budget: feature evaluations a round.
LaminatingSize laminating_size(LaminatingSize wanted, std::uint64_t num_features, std::uint64_t num_train,
                               double budget);

// Laminating (Dubout & Fleuret 2014, Algorithm 4): tournament of Q uniform candidates; each pass looks at the
// rest on twice as many examples, drawn by weight, and keeps the better half.
class LaminatingSampler final : public Sampler {
 public:
  LaminatingSampler(LaminatingSize wanted, double budget, bool family_balanced)
      : wanted_(wanted), budget_(budget), family_balanced_(family_balanced) {}

  Status start(StumpScan& scan, const TrainingPlan& plan) override;
  std::uint32_t propose(StumpScan& scan, const Round& round) override;

 private:
  std::vector<std::uint32_t> draw_candidates(const FeatureSet& features, const Round& round) const;
  // One draw per pass: as many as it takes to halve the candidates, rounded up, to one.
  std::vector<ExampleDraw> draw_examples(const StumpScan& scan, const Round& round,
                                         std::size_t num_candidates) const;

  LaminatingSize wanted_;
  double budget_;  // per training example
  bool family_balanced_;
  LaminatingSize size_;
};

Result<std::unique_ptr<Sampler>> make_laminating(Settings& settings);

}  // namespace mash
