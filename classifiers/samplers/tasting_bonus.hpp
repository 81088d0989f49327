// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/samplers/tasting.hpp"

namespace mash {

// Tasting 1.Q that does not taste every family every round: the best of upper bounds, which Dubout & Fleuret
// 2014, section 7, name as future work ("lack of samples and obsolescence"). The index of family k is
//   E_k(Q) + beta sqrt(v_k / n_k) + rho min(1, d_k),
// with E_k of its n_k stocked features when it was last tasted, v_k the variance of their edges, and d_k how
// far the weights have moved since, the sum of their L1 distances from call to call
// (|edge - edge'| <= |W - W'|_1 for every feature, so that rho = 1, beta = 0 finds what Tasting 1.Q finds,
// except for the rounding of the scan). The family of the largest index is tasted until that is one which was
// tasted in this call.
class TastingBonusSampler final : public Sampler {
 public:
  struct Options {
    std::uint32_t num_features = 10;  // Q
    std::uint32_t stock_size = 100;   // of a family
    double beta = 1;
    double rho = 0.5;
  };
  explicit TastingBonusSampler(const Options& options) : options_(options) {}

  Status start(StumpScan& scan, const TrainingPlan& plan) override;
  std::uint32_t propose(StumpScan& scan, const Round& round) override;
  // Per family the distance, the number of edges and the edges; then the weights of the last call.
  std::vector<double> state() const override;
  void restore(std::span<const double> state) override;

 private:
  struct Tasted {
    std::vector<double> edges;  // increasing; none before the first time
    double distance = 0;        // that the weights have moved since
  };
  double index(const Tasted& tasted) const;
  void follow(const StumpScan& scan);
  // Tastes as few families as it takes to find the one with the largest index.
  std::uint32_t choose_family(StumpScan& scan, const Priority& ties);

  Options options_;
  Stock stock_;
  std::vector<Tasted> families_;
  std::vector<double> last_weights_;  // of the last call, N x K
};

Result<SamplerFactory> make_tasting_bonus(Settings& settings);

}  // namespace mash
