// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/weak/weak_learner.hpp"

namespace mash {

// Products of stumps (Kegl & Busa-Fekete 2009, "Boosting products of base classifiers"): the terms are fitted
// one after the other, each to the weights with the labels that the others leave it, and again in turn until
// none gets better. A local optimum; the edge never falls. Each fit asks the sampler again.
class ProductLearner final : public WeakLearner {
 public:
  struct Options {
    std::uint32_t num_terms = 3;
    std::uint32_t max_cycles = 20;
    bool stop_at_first = false;  // at the first term that does not get better, as MultiBoost does
    Cuts cuts = Cuts::kCodes;
  };

  explicit ProductLearner(const Options& options) : options_(options) {}

  Cuts cuts() const override { return options_.cuts; }
  WeakHypothesis learn(StumpScan& scan, Sampler& sampler, const Round& round) const override;

 private:
  class Product;
  void fit_terms(StumpScan& scan, Sampler& sampler, const Round& round, Product& product) const;

  Options options_;
};

Result<std::unique_ptr<const WeakLearner>> make_product(Settings& settings);

}  // namespace mash
