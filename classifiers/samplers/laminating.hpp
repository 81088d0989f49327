// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/samplers/sampler.hpp"

namespace mash {

// How many candidates a round of Laminating begins with, and on how many examples.
struct LaminatingSize {
  std::uint64_t num_features = 0;  // Q
  std::uint64_t num_examples = 0;  // S, of the first pass
};

// Reads "auto", which gives 0, or a whole number from 1.
Result<std::uint64_t> auto_or_integer(Settings& settings, std::string_view key);

// Reads `features`, `examples` and `budget`. Errors (kInput): a value out of range; a budget that decides
// nothing, beside numbers of both others.
struct LaminatingSettings {
  LaminatingSize wanted;
  double budget = 10;
};
Result<LaminatingSettings> laminating_settings(Settings& settings);

// How a pass of Laminating comes by its examples.
enum class Passes {
  kFresh,   // S, 2S, 4S, ... drawn again (Dubout & Fleuret 2014, Algorithm 4)
  kNested,  // S, 3S, 7S, ...: those of the pass before, which the candidates have been looked at on already,
            // and S, 2S, 4S, ... more. For the same cost each choice rests on all that was seen.
};

// Candidates x examples over all passes: Q on S, the better half (rounded up) on 2S more or others, ... until
// one is left; a pass on all num_train examples is the last.
std::uint64_t laminating_cost(const LaminatingSize& size, std::uint64_t num_train,
                              Passes passes = Passes::kFresh);

// The largest power of two Q <= num_features with S = budget / (Q log2 Q) >= 64 (nested: 48), and the largest
// S whose cost is within the budget. A fixed Q or S (not 0) is kept. budget: feature evaluations a round.
LaminatingSize laminating_size(LaminatingSize wanted, std::uint64_t num_features, std::uint64_t num_train,
                               double budget, Passes passes = Passes::kFresh);

// The same for the features of a data set, with a budget in evaluations for each training example. Warns
// where even one example in the first pass costs more, with what a round costs then.
LaminatingSize laminating_size(LaminatingSize wanted, const FeatureSet& features, double budget,
                               Passes passes, Remarks& remarks);

// The tournament itself: the winner of these candidates (increasing), the first pass on num_examples examples
// drawn by weight.
std::uint32_t laminate(StumpScan& scan, const Round& round, std::vector<std::uint32_t> candidates,
                       std::uint64_t num_examples, Passes passes = Passes::kFresh);
// The same with a choice of one's own among candidates of equal merit.
std::uint32_t laminate(StumpScan& scan, const Round& round, std::vector<std::uint32_t> candidates,
                       std::uint64_t num_examples, Passes passes, const Priority& ties);

// Laminating (Dubout & Fleuret 2014, Algorithm 4): tournament of Q uniform candidates; each pass looks at the
// rest on twice as many examples, drawn by weight, and keeps the better half.
class LaminatingSampler final : public Sampler {
 public:
  LaminatingSampler(LaminatingSize wanted, double budget, bool family_balanced,
                    Passes passes = Passes::kFresh)
      : wanted_(wanted), budget_(budget), family_balanced_(family_balanced), passes_(passes) {}

  Status start(StumpScan& scan, const TrainingPlan& plan) override;
  std::uint32_t propose(StumpScan& scan, const Round& round) override;

 private:
  std::vector<std::uint32_t> draw_candidates(const FeatureSet& features, const Round& round) const;

  LaminatingSize wanted_;
  double budget_;  // per training example
  bool family_balanced_;
  Passes passes_;
  LaminatingSize size_;
};

Result<SamplerFactory> make_laminating(Settings& settings);
Result<SamplerFactory> make_laminating_nested(Settings& settings);

}  // namespace mash
