// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/online/learner_set.hpp"
#include "classifiers/online/online_booster.hpp"

namespace mash {

// theta = gamma / (2 + gamma): the margin that OSBoost wants of its learners, each better than chance by
// gamma.
double osboost_margin(double gamma);
// min(1, (1 - gamma)^(z/2)): what an example weighs for the next learner, where z is the sum of
// y * h_i(x) - theta over those before it (Chen, Lin & Lu 2012, Algorithm 1). REQUIRES: 0 < gamma < 1.
double osboost_weight(double z, double gamma);

// The closest point of the simplex (numbers >= 0 whose sum is 1), in squared distance: all numbers are
// lowered by the same amount and cut off at 0 (Duchi et al. 2008, Figure 1). REQUIRES: at least one number,
// all finite.
void project_to_simplex(std::span<double> point);

// Online boosting with smooth weights (Chen, Lin & Lu 2012): no example ever weighs more than it did at
// first. What the variants differ in is how much each base learner's answer counts.
class OsBoost final : public OnlineBooster {
 public:
  enum class Votes {
    kUniform,  // OSBoost: 1/M each
    // OSBoost.EXP: the first i learners are an expert, for each i from 1 to M. An expert's weight is halved
    // when the sum of its learners' answers, before they learn, has not the sign of the example (a tie is an
    // error). Here an expert answers with the mean of its learners instead of its sign: so the score stays a
    // sum of stumps, which any model can hold, and where one expert prevails its sign is the same.
    kPrefixes,
    // OSBoost.OCP: coefficients alpha on the simplex, from 1/M each. For the t-th example they go a step
    // 1/sqrt(t) against the slope of max(0, theta - y sum_i alpha_i h_i(x)) and are projected back (Zinkevich
    // 2003).
    kSimplex,
  };
  struct Options {
    double gamma = 0.1;
    Learners learners = Learners::kFixed;
    Votes votes = Votes::kUniform;
  };

  // REQUIRES: 0 < gamma < 1, at least one stump.
  OsBoost(const Options& options, std::vector<OnlineStump> stumps);

  std::span<const std::uint32_t> features() const override { return set_.features(); }
  bool keeps_features() const override { return true; }
  std::span<const std::uint32_t> changed_places() const override { return {}; }
  void learn(std::span<const float> values, int sign, double weight) override;
  double score(std::span<const float> values) const override { return set_.score(values, coefficients_); }
  std::vector<StumpTerm> terms() const override { return set_.terms(coefficients_); }
  std::vector<double> state() const override;
  void restore(std::span<const double> numbers) override;

  // One for each base learner; >= 0, the sum is 1.
  std::span<const double> coefficients() const { return coefficients_; }

 private:
  void weigh_prefixes(int sign, double weight);
  void move_on_simplex(int sign, double weight);

  Options options_;
  LearnerSet set_;
  std::vector<double> coefficients_;
  std::vector<double> prefix_errors_;  // the weight of the examples that each prefix erred on
  std::uint64_t num_learned_ = 0;
  std::vector<int> answers_;  // of each learner to the current example, before it learns
};

// gamma: 0.1. The base learners always learn: with equal votes there would be nothing else to learn.
Result<OnlineFactory> make_osboost(Settings& settings);
// gamma: 0.1, learners: fixed|updated; gamma only beside learners: updated.
Result<OnlineFactory> make_osboost_exp(Settings& settings);
// gamma: 0.1, learners: fixed|updated
Result<OnlineFactory> make_osboost_ocp(Settings& settings);

}  // namespace mash
