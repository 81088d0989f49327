// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/samplers/sampler.hpp"

namespace mash {

// The best of all features on all examples: what the others are measured against.
class FullSampler final : public Sampler {
 public:
  std::uint32_t propose(StumpScan& scan, const Round& round) override;
  bool is_exhaustive() const override { return true; }
};

// Reads no settings.
Result<SamplerFactory> make_full(Settings& settings);

}  // namespace mash
