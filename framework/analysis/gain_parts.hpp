// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/analysis/paired_losses.hpp"

namespace mash {

// What some of the examples have of a gain.
struct GainPart {
  std::size_t group_idx = 0;
  std::size_t num_examples = 0;
  double gain = 0;            // in per cent of the log-loss of all examples: parts add up
  double standard_error = 0;  // over seeds and examples
  double p_corrected = 1;     // of no difference: Student's t, corrected for all parts (Holm)
};

// The losses of seeds on groups of the examples, to tell where a gain comes from.
class GroupedLosses {
 public:
  // group_of: of each example, below num_groups.
  GroupedLosses(std::vector<std::uint16_t> group_of, std::size_t num_groups);

  // As PairedLosses::add, of all examples.
  void add(std::span<const double> before, std::span<const double> after);

  // One part for each group with at least two examples, in their order. whole: the same losses together.
  // REQUIRES: two seeds.
  std::vector<GainPart> parts(const PairedLosses& whole) const;

 private:
  std::vector<std::uint16_t> group_of_;
  std::vector<PairedLosses> groups_;
};

}  // namespace mash
