// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/analysis/paired_differences.hpp"

namespace mash {

// A part of a gain is beyond chance where its corrected p is below this.
inline constexpr double kCertain = .05;

// The part of some examples in a gain.
struct GainPart {
  std::size_t group_idx = 0;
  std::size_t num_examples = 0;
  double gain = 0;  // in per cent of the log-loss of all examples: parts add up
  MeanError error = {};
  double p_corrected = 1;  // of no difference, corrected for all parts (Holm)
  double half_width = 0;   // of the interval that leaves out 0 where p_corrected < kCertain

  double standard_error() const { return error.standard_error(); }
};

// The part of some examples, of num_all together. factor: the gain_factor of all. Its error takes the factor
// as known, and so contains what seeds have in common: it is rather too large. Its p_corrected is corrected
// for nothing yet. REQUIRES: two seeds, two examples.
GainPart part_of(const PairedDifferences& differences, std::size_t group_idx, std::size_t num_all,
                 double factor);
// Corrects parts that are looked at together.
void correct_together(std::vector<GainPart>& parts);

// The gains of groups of the examples, to tell where a gain comes from.
class GroupedGains {
 public:
  // groups: the examples of each; they may overlap.
  GroupedGains(std::size_t num_examples, std::vector<std::vector<std::size_t>> groups);

  // One seed: the loss_differences of all examples.
  void add(std::span<const double> differences);

  // One part for each group with at least two examples, in their order. factor: the gain_factor of the same
  // seeds, so that parts of all examples add up to their gain. REQUIRES: two seeds.
  std::vector<GainPart> parts(double factor) const;

 private:
  std::size_t num_examples_;
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<PairedDifferences> differences_;  // of each group
};

// The examples of each class.
std::vector<std::vector<std::size_t>> groups_by_class(std::span<const std::uint16_t> labels,
                                                      std::size_t num_classes);

}  // namespace mash
