// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/full.hpp"

namespace mash {

std::uint32_t FullSampler::propose(StumpScan& scan, const Round& round) {
  const auto features = feature_range(0, std::uint32_t(scan.features().num_features()));
  return best_of_offered(scan, round, features);
}

Result<SamplerFactory> make_full(Settings&) { return sampler_factory<FullSampler>(); }

}  // namespace mash
