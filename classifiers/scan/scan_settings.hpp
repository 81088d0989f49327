// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "classifiers/scan/hamming_criterion.hpp"

namespace mash {

// The edge of a candidate's best stump on the examples that it was shown.
struct Candidate {
  std::uint32_t feature = 0;
  double edge = 0;
  double merit = edge;  // the number by which candidates are compared
};

// An order of candidates other than that of their edges.
class Ranking {
 public:
  virtual ~Ranking() = default;
  // Sets the merit of each candidate: the larger, the better. Candidates have edges >= 0. Called once for
  // each look at candidates, by one thread.
  virtual void rank(std::span<Candidate> candidates) = 0;
};

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
  const Criterion* criterion = &hamming_criterion();  // says which stump is best; outlives the scan
  Ranking* ranking = nullptr;                         // outlives the scan; null: by their edges
};

}  // namespace mash
