// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/code_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "classifiers/serving/cut_answers.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr float kAlways = -std::numeric_limits<float>::infinity();

}  // namespace

void CodeValues::get(std::uint32_t example_idx, std::span<const std::uint32_t> features,
                     std::span<float> values) {
  require(features.size() == values.size(), "CodeValues::get: as many values as features");
  if (!std::equal(features.begin(), features.end(), asked_.begin(), asked_.end())) arrange(features);
  features_.gather(ordered_, {&example_idx, 1}, codes_.data(), 1);
  ledger_.evaluated(ordered_, {{}, 1}, Charge::kCost);
  for (std::size_t i = 0; i < features.size(); ++i) values[i] = float(codes_[place_[features[i]]]);
}

// By one walk over all features: sorting those that are asked for would take longer, where they are many.
void CodeValues::arrange(std::span<const std::uint32_t> features) {
  constexpr std::uint32_t kNotAsked = ~std::uint32_t(0);
  asked_.assign(features.begin(), features.end());
  std::fill(place_.begin(), place_.end(), kNotAsked);
  for (const std::uint32_t feature : features) place_[feature] = 0;
  ordered_.clear();
  for (std::uint32_t feature = 0; feature < place_.size(); ++feature) {
    if (place_[feature] == kNotAsked) continue;
    place_[feature] = std::uint32_t(ordered_.size());
    ordered_.push_back(feature);
  }
  codes_.resize(ordered_.size());
}

StumpTerm CodeValues::in_values(const StumpTerm& term) const {
  if (!(term.threshold > 0)) return {term.feature, kAlways, term.below, term.above};
  const double code = std::ceil(double(term.threshold));
  if (code > double(features_.num_cuts(term.feature))) return {term.feature, kAlways, term.below, term.below};
  return {term.feature, features_.threshold(term.feature, std::uint32_t(code)), term.below, term.above};
}

FeatureStump CodeValues::stump_of(const Hypothesis& hypothesis) const {
  const Cut& cut = hypothesis.cuts[0];
  const auto first_code = first_code_of(cut, features_);
  require(hypothesis.cuts.size() == 1 && first_code, "CodeValues::stump_of: a cut at a threshold");
  const std::vector<double> votes = cell_votes(hypothesis);
  require(votes.size() == 2, "CodeValues::stump_of: one vote for each side");
  const bool is_constant = *first_code == 0 || (votes[0] > 0) == (votes[1] > 0);
  return {feature_of(cut, features_), is_constant ? kAlways : float(*first_code), votes[1] > 0 ? 1 : -1};
}

}  // namespace mash
