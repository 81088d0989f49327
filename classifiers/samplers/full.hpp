// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/samplers/sampler.hpp"

namespace mash {

// All features on all examples: what the others are measured against.
class FullSampler final : public Sampler {
 public:
  std::uint32_t propose(StumpScan& scan, const Round& round) override;
  bool is_exhaustive() const override { return true; }
};

Result<std::unique_ptr<Sampler>> make_full(Settings& settings);

}  // namespace mash
