// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/weak/weak_learner.hpp"

namespace mash {

// Hamming trees (Busa-Fekete & Kegl 2010, section 3.4): the leaf whose split raises the edge most is split
// first. Each split is the stump that a search of its own finds on the examples of its leaf.
class TreeLearner final : public WeakLearner {
 public:
  enum class Votes {
    kFree,        // each leaf has the votes that are best for it
    kFactorised,  // a split's leaves vote -v and v of its stump; a leaf whose best stump is the constant
                  // takes that one's votes, which adds no leaf
  };
  struct Options {
    std::uint32_t num_leaves = 8;
    Votes votes = Votes::kFree;
    Cuts cuts = Cuts::kCodes;
  };

  explicit TreeLearner(const Options& options) : options_(options) {}

  Cuts cuts() const override { return options_.cuts; }
  WeakHypothesis learn(StumpScan& scan, Sampler& sampler, const Round& round) const override;

 private:
  Options options_;
};

Result<std::unique_ptr<const WeakLearner>> make_tree(Settings& settings);

}  // namespace mash
