// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/held_out.hpp"

#include <algorithm>
#include <map>

#include "framework/base/hash.hpp"

namespace mash {

namespace {

// The held-out part is one of kHeldOutParts, the private part of the test side one of kTestParts.
constexpr std::uint64_t kHeldOutParts = 6, kTestParts = 2;

std::vector<std::uint32_t> whole_groups(const std::vector<std::uint32_t>& groups, std::uint64_t num_parts) {
  std::map<std::uint64_t, std::vector<std::uint32_t>> members;  // of each group, by the hash of its number
  for (std::uint32_t n = 0; n < groups.size(); ++n)
    members[keyed_hash(num_parts, std::uint64_t(groups[n]))].push_back(n);
  std::vector<std::uint32_t> rows;
  for (const auto& [hash, of_group] : members)
    if (num_parts * rows.size() < groups.size()) rows.insert(rows.end(), of_group.begin(), of_group.end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

// One of several parts of a side, by the hashes of its examples or of their groups. Increasing.
std::vector<std::uint32_t> part_of(const Dataset& dataset, const Split& side, std::uint64_t num_parts) {
  if (!side.groups.empty()) return whole_groups(side.groups, num_parts);
  std::vector<std::uint32_t> rows;
  const std::size_t num_columns = dataset.column_names.size();
  for (std::uint32_t n = 0; n < side.num_examples; ++n) {
    const auto example = dataset.is_table()
                             ? std::as_bytes(std::span(side.values).subspan(n * num_columns, num_columns))
                             : std::as_bytes(side.image(n, dataset.shape));
    if (checksum(example) % num_parts == 0) rows.push_back(n);
  }
  return rows;
}

}  // namespace

std::vector<std::uint32_t> held_out_part(const Dataset& dataset) {
  return part_of(dataset, dataset.train, kHeldOutParts);
}

std::vector<std::uint32_t> private_part(const Dataset& dataset) {
  return part_of(dataset, dataset.test, kTestParts);
}

}  // namespace mash
