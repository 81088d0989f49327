// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "framework/families/feature_set.hpp"

namespace mash {

// Codes of the training examples that somebody holds at the moment. Where all features will be asked for,
// they are computed once for each example, when it comes, and kept for as long as it is held; else each time
// for what is asked for.
class HeldCodes {
 public:
  // features: outlives it.
  HeldCodes(const FeatureSet& features, bool keeps_all) : features_(features), keeps_all_(keeps_all) {}

  const FeatureSet& features() const { return features_; }

  // Bytes that are kept at the moment, by the size of the codes.
  std::size_t num_bytes() const { return codes_.size() * features_.num_features(); }

  // From now on these examples (increasing) are held, and no others.
  void hold(std::span<const std::uint32_t> examples);

  // out[i * examples.size() + r] = the code of features[i] (increasing) for examples[r] (increasing, held).
  void gather(std::span<const std::uint32_t> features, std::span<const std::uint32_t> examples,
              std::uint8_t* out) const;

  // The features on these examples (increasing, held) as if there were no others.
  FeatureSet view(std::vector<std::uint32_t> examples) const;

 private:
  const FeatureSet& features_;
  bool keeps_all_;
  std::map<std::uint32_t, std::vector<std::uint8_t>> codes_;  // of each example held: of all features
};

}  // namespace mash
