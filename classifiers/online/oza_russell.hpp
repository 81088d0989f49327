// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/online/error_sums.hpp"
#include "classifiers/online/learner_set.hpp"
#include "classifiers/online/online_booster.hpp"
#include "framework/base/random.hpp"

namespace mash {

// A number of events where `mean` are expected: products of uniform numbers (Knuth 1969, section 3.4.1),
// about mean + 1 of them. REQUIRES: 0 <= mean <= 700.
std::uint32_t draw_poisson(double mean, RandomStream& stream);

// Online AdaBoost (Oza & Russell 2001, Figure 5). An example comes with the importance 1 (times its weight);
// each base learner in turn learns from it with the importance that those before it left (passed_on). The
// score is the sum of ln((1-e)/e) times the answer, of the learners with e < 1/2.
class OzaRussell final : public OnlineBooster {
 public:
  // How an example of importance lambda is learned from.
  enum class Draws {
    kWeighted,  // once, with the weight lambda
    kPoisson,   // k times with the weight 1, k drawn from Poisson(lambda), as published; a lambda above 500
                // is drawn as 500
  };

  OzaRussell(std::uint64_t seed, Learners learners, Draws draws, std::vector<OnlineStump> stumps);

  std::span<const std::uint32_t> features() const override { return set_.features(); }
  bool keeps_features() const override { return true; }
  std::span<const std::uint32_t> changed_places() const override { return {}; }
  void learn(std::span<const float> values, int sign, double weight) override;
  double score(std::span<const float> values) const override;
  std::vector<StumpTerm> terms() const override { return set_.terms(coefficients()); }
  std::vector<double> state() const override;
  void restore(std::span<const double> numbers) override;

  // Sums of the examples that each base learner was right and wrong on.
  std::span<const ErrorSums> sums() const { return sums_; }

 private:
  std::vector<double> coefficients() const;

  std::uint64_t seed_;
  Learners learners_;
  Draws draws_;
  LearnerSet set_;
  std::vector<ErrorSums> sums_;  // of each learner
  std::uint64_t num_learned_ = 0;
};

// learners: fixed|updated, draws: weighted|poisson
Result<OnlineFactory> make_oza_russell(Settings& settings);

}  // namespace mash
