// SPDX-License-Identifier: Apache-2.0
#include "server/runner/features_digest.hpp"

#include <fmt/format.h>

#include <span>

#include "framework/analysis/similarity.hpp"
#include "framework/base/hash.hpp"

namespace mash::server {

std::string features_digest(const FeatureSet& features) {
  std::string digest =
      fmt::format("{} features of {} pictures", features.num_features(), features.num_train());
  for (std::uint32_t feature = 0; feature < features.num_features(); ++feature) {
    std::string content = digest;
    for (std::uint32_t cut = 1; cut <= features.num_cuts(feature); ++cut) {
      // -0 and 0 are the same value.
      const float threshold = features.threshold(feature, cut) + 0.0f;
      content.append(reinterpret_cast<const char*>(&threshold), sizeof threshold);
    }
    const FeatureColumn column = features.column(Side::kTrain, feature);
    content.append(reinterpret_cast<const char*>(column.codes.data()), column.codes.size());
    digest = sha256(content);
  }
  return digest;
}

FeatureSample feature_sample(const FeatureSet& features) {
  FeatureSample sample;
  for (std::size_t k = 0; k < features.num_families(); ++k) {
    const SampledCodes of_family = sampled_codes(features, k, {});
    sample.num_examples = of_family.num_examples;
    sample.codes.insert(sample.codes.end(), of_family.codes.begin(), of_family.codes.end());
  }
  return sample;
}

}  // namespace mash::server
