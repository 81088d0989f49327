// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "framework/families/feature_set.hpp"

namespace mash {

// Codes of the training examples that are held at the moment. Where all features will be asked for, the codes
// of an example are computed once, when it comes, and kept while it is held. Else codes are computed each
// time they are asked for.
class HeldCodes {
 public:
  // features: outlives it.
  HeldCodes(const FeatureSet& features, bool keeps_all) : features_(features), keeps_all_(keeps_all) {}

  const FeatureSet& features() const { return features_; }

  // The bytes of codes that are kept at the moment.
  std::size_t num_bytes() const { return codes_.size() * features_.num_features(); }

  // From now on these examples (increasing) are held, and no others.
  void hold(std::span<const std::uint32_t> examples);

  // out[i * examples.size() + r] = the code of features[i] (increasing) for examples[r] (increasing, held).
  void gather(std::span<const std::uint32_t> features, std::span<const std::uint32_t> examples,
              std::uint8_t* out) const;

  // The features on these examples (increasing, held), as if there were no others.
  FeatureSet view(std::vector<std::uint32_t> examples) const;

 private:
  const FeatureSet& features_;
  bool keeps_all_;
  std::map<std::uint32_t, std::vector<std::uint8_t>> codes_;  // of each example held: of all features
};

}  // namespace mash
