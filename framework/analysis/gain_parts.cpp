// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/gain_parts.hpp"

#include <cmath>

#include "framework/base/paired_test.hpp"
#include "framework/base/statistics.hpp"

namespace mash {

GroupedLosses::GroupedLosses(std::vector<std::uint16_t> group_of, std::size_t num_groups)
    : group_of_(std::move(group_of)) {
  std::vector<std::size_t> sizes(num_groups);
  for (const std::uint16_t group : group_of_) ++sizes[group];
  for (const std::size_t size : sizes) groups_.emplace_back(size);
}

void GroupedLosses::add(std::span<const double> before, std::span<const double> after) {
  std::vector<std::vector<double>> of_before(groups_.size()), of_after(groups_.size());
  for (std::size_t n = 0; n < group_of_.size(); ++n) {
    of_before[group_of_[n]].push_back(before[n]);
    of_after[group_of_[n]].push_back(after[n]);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].add(of_before[g], of_after[g]);
}

std::vector<GainPart> GroupedLosses::parts(const PairedLosses& whole) const {
  std::vector<GainPart> parts;
  std::vector<double> p_values;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const PairedLosses& group = groups_[g];
    if (group.num_examples() < 2) continue;
    const double share = double(group.num_examples()) / double(whole.num_examples());
    const double unit = 100 * share / whole.mean_before();
    GainPart part{g, group.num_examples(), unit * group.difference(),
                  unit * std::sqrt(group.difference_variance()), 1};
    const bool is_sure = part.standard_error == 0;
    const double p = !is_sure ? student_p_value(part.gain / part.standard_error, whole.num_seeds() - 1)
                              : double(part.gain == 0);
    p_values.push_back(p);
    parts.push_back(part);
  }
  const std::vector<double> corrected = holm_corrected(p_values);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].p_corrected = corrected[i];
  return parts;
}

}  // namespace mash
