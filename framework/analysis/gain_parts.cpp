// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/gain_parts.hpp"

#include "framework/base/paired_tests.hpp"
#include "framework/base/require.hpp"

namespace mash {

GainPart part_of(const PairedDifferences& differences, std::size_t group_idx, std::size_t num_all,
                 double factor) {
  const double share = factor * double(differences.num_examples()) / double(num_all);
  GainPart part{group_idx, differences.num_examples(), share * differences.mean(), differences.error()};
  for (double* square : {&part.error.squares.seeds, &part.error.squares.examples, &part.error.squares.rest})
    *square *= share * share;
  // Equal values of a few may be chance.
  part.p_corrected = part.error.p_value(part.gain).value_or(1);
  part.half_width = part.error.reach();
  return part;
}

void correct_together(std::vector<GainPart>& parts) {
  std::vector<double> p_values;
  for (const GainPart& part : parts) p_values.push_back(part.p_corrected);
  const std::vector<double> corrected = holm_corrected(p_values), factors = holm_factors(p_values);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].p_corrected = corrected[i];
    parts[i].half_width = parts[i].error.reach(kMiss / factors[i]);
  }
}

GroupedGains::GroupedGains(std::size_t num_examples, std::vector<std::vector<std::size_t>> groups)
    : num_examples_(num_examples), groups_(std::move(groups)) {
  for (const auto& examples : groups_) differences_.emplace_back(examples.size());
}

void GroupedGains::add(std::span<const double> differences) {
  require(differences.size() == num_examples_, "a difference for each example");
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::vector<double> of_group;
    for (const std::size_t n : groups_[g]) of_group.push_back(differences[n]);
    differences_[g].add(of_group);
  }
}

std::vector<GainPart> GroupedGains::parts(double factor) const {
  std::vector<GainPart> parts;
  for (std::size_t g = 0; g < differences_.size(); ++g)
    if (differences_[g].num_examples() >= 2)
      parts.push_back(part_of(differences_[g], g, num_examples_, factor));
  correct_together(parts);
  return parts;
}

std::vector<std::vector<std::size_t>> groups_by_class(std::span<const std::uint16_t> labels,
                                                      std::size_t num_classes) {
  std::vector<std::vector<std::size_t>> groups(num_classes);
  for (std::size_t n = 0; n < labels.size(); ++n) groups[labels[n]].push_back(n);
  return groups;
}

}  // namespace mash
