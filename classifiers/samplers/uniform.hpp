// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/samplers/sampler.hpp"

namespace mash {

// The uniform baselines of Dubout & Fleuret 2014, section 6.3: Q distinct features a round, on all examples.
class UniformSampler final : public Sampler {
 public:
  enum class Draw {
    kNaive,      // from all features together, so that large families dominate
    kOneFamily,  // 1.Q: one family, then Q of its features
    kFamilies,   // Q.1: one feature from each of Q families
  };

  UniformSampler(Draw draw, std::uint32_t num_features) : draw_(draw), num_features_(num_features) {}
  std::uint32_t propose(StumpScan& scan, const Round& round) override;

 private:
  std::vector<std::uint32_t> draw(const FeatureSet& features, const Round& round) const;

  Draw draw_;
  std::uint32_t num_features_;  // Q
};

// Q features of one family that is given (Dubout & Fleuret 2014, "best family").
class OneFamilySampler final : public Sampler {
 public:
  OneFamilySampler(std::string family, std::uint32_t num_features, std::string where)
      : family_(std::move(family)), num_features_(num_features), where_(std::move(where)) {}
  Status start(StumpScan& scan, const TrainingPlan& plan) override;
  Status check_families(std::span<const FamilySpec> families) const override;
  std::uint32_t propose(StumpScan& scan, const Round& round) override;

 private:
  // The place of its family among these names. Errors (kInput): it is not there.
  Result<std::uint32_t> find_among(std::span<const std::string_view> names) const;

  std::string family_;  // empty: to be found by whole trainings
  std::uint32_t num_features_;
  std::string where_;  // of the setting, for errors
  std::uint32_t family_idx_ = 0;
};

Result<SamplerFactory> make_best_family(Settings& settings);
// As uniform.naive, with one feature a round by default.
Result<SamplerFactory> make_lazyboost(Settings& settings);
Result<SamplerFactory> make_uniform_naive(Settings& settings);
Result<SamplerFactory> make_uniform_1q(Settings& settings);
Result<SamplerFactory> make_uniform_q1(Settings& settings);

}  // namespace mash
