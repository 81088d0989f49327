// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/samplers/allocate.hpp"
#include "classifiers/samplers/mixture.hpp"
#include "classifiers/samplers/sampler.hpp"

namespace mash {

class WeightedDraw;

// The numbers of examples that M.A.S. chooses from: 16, then ever sqrt 2 times more, and all of them, as far
// as one candidate on that many is within the budget. REQUIRES: budget >= 1.
std::vector<std::uint64_t> sample_sizes(std::uint64_t num_train, double budget);

// Division of a round's cost: candidates of each family, and the examples that they are looked at on.
struct Allocation {
  std::vector<std::uint64_t> num_features;
  std::uint64_t num_examples = 0;
  double expected_edge = 0;
};

// The problem that an allocation solves.
struct AllocationProblem {
  std::span<const Mixture> families;     // what is believed of the edges of each
  std::span<const std::uint64_t> sizes;  // features of each
  std::uint64_t num_train = 0;           // examples there are
  double budget = 0;                     // feature evaluations
};

// The best allocation with all candidates from one of the families (M.A.S. 1.Q; with a single family, M.A.S.
// naive).
Allocation allocate_to_one(const AllocationProblem& problem, const AllocationTies& ties);

// Candidates are added where they raise the expected edge most (M.A.S. Q.1), in about num_blocks steps; the
// best allocation on the way, over all numbers of examples. ties: any thread may call it.
Allocation allocate_greedily(const AllocationProblem& problem, std::uint64_t num_blocks,
                             const Workers& workers, const AllocationTies& ties);

// Maximum Adaptive Sampling (Dubout & Fleuret 2014, section 5): a model of the families' edges says how many
// candidates to look at on how many examples, so that the best that is measured is expected to be good.
class MasSampler final : public Sampler {
 public:
  enum class Kind {
    kNaive,      // one model of all features, from the candidates of the round before (Algorithm 3)
    kOneFamily,  // 1.Q: a model of each family from a probe, all candidates from one
    kFamilies,   // Q.1: candidates from all families
  };
  struct Options {
    double budget = 10;             // per training example
    std::uint64_t num_blocks = 16;  // steps of the greedy allocation
    bool deconvolve = false;        // take the noise of the measurement off the model
  };

  // where: of the budget, for errors.
  MasSampler(Kind kind, const Options& options, std::string where = "budget")
      : kind_(kind), options_(options), where_(std::move(where)) {}

  Status start(StumpScan& scan, const TrainingPlan& plan) override;
  std::uint32_t propose(StumpScan& scan, const Round& round) override;
  std::vector<double> state() const override;
  void restore(std::span<const double> state) override;

 private:
  // Fits the models to a tenth of the budget's evaluations; what that cost.
  double probe(StumpScan& scan, const Round& round, const WeightedDraw& weighted);
  // The edges of the features, by model, fitted where there are enough.
  void fit(const FeatureSet& features, std::span<const Candidate> measured, double noise);
  std::size_t model_of(const FeatureSet& features, std::uint32_t feature) const;

  Kind kind_;
  Options options_;
  std::string where_;
  std::vector<Mixture> models_;       // of all features, or of each family
  std::vector<std::uint64_t> sizes_;  // features behind each model
  bool fitted_ = false;
};

Result<SamplerFactory> make_mas_naive(Settings& settings);
Result<SamplerFactory> make_mas_1q(Settings& settings);
Result<SamplerFactory> make_mas_q1(Settings& settings);

}  // namespace mash
