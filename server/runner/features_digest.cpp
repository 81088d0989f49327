// SPDX-License-Identifier: Apache-2.0
#include "server/runner/features_digest.hpp"

#include <fmt/format.h>

#include <span>

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

}  // namespace mash::server
