// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/scan/hamming_criterion.hpp"

namespace mash {

enum class ScanMode {
  kI16,  // weights rounded to 16 bits: the default
  kI8,   // 8 bits, rounded up or down at random in proportion (to nearest, training stalls)
  kF64,  // no rounding: the reference
};

enum class Cuts {
  kCodes,  // at the thresholds of the store
  kExact,  // between any two values of the examples looked at; needs the values in the store. Never rounds
};

struct ScanSettings {
  ScanMode mode = ScanMode::kI16;
  Cuts cuts = Cuts::kCodes;
  const Criterion* criterion = &hamming_criterion();  // what the best stump is; outlives the scan
};

}  // namespace mash
