// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/base/statistics.hpp"
#include "server/http/frame/visit.hpp"

// Submissions beside each other.
namespace mash::server {

struct Compared {
  Submission submission;  // without its source
  Board board;
  std::string name = {};                 // "holes 1.1.0"; no two are the same
  std::optional<BoardEntry> shown = {};  // what its board shows or showed of it
  Json report = {};                      // of its judgement; null: none that can be read
};

// Reads the parts of each that the visitor may see. Errors (kInput): an address without 2 to 6 different
// submissions, or one that is not there for them.
Result<std::vector<Compared>> read_compared(Visit& visit);

// How two gains of the same version of a board differ.
struct GainDifference {
  std::size_t a = 0, b = 0;  // places among the compared; a has the higher gain
  // The difference a - b, in per cent of the log-loss, with half the interval that leaves out 0 where
  // p_corrected is below 5 %.
  Estimate difference;
  double p_corrected = 1;  // Student's t of no difference, corrected for all that are made at once (Holm)
  bool is_beyond_chance() const;
};
// All pairs that can be compared. Errors are taken as independent: the squared error of a difference is the
// sum of both, its degrees of freedom are those of the fewer seeds.
std::vector<GainDifference> gain_differences(std::span<const Compared> compared);
// Whether all values of their features on the board's pictures are equal, as far as that is known.
bool have_same_features(const Compared& one, const Compared& other);
// In a sentence. What is not told apart is not said to be equal, unless the features are.
std::string words_of(const GainDifference& difference, std::span<const Compared> compared);

}  // namespace mash::server
