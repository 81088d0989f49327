// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/held_out.hpp"

#include <algorithm>
#include <map>

#include "framework/base/hash.hpp"

namespace mash {

namespace {

constexpr std::uint64_t kParts = 6;

std::vector<std::uint32_t> whole_groups(const std::vector<std::uint32_t>& groups) {
  std::map<std::uint64_t, std::vector<std::uint32_t>> members;  // of each group, by the hash of its number
  for (std::uint32_t n = 0; n < groups.size(); ++n)
    members[keyed_hash(kParts, std::uint64_t(groups[n]))].push_back(n);
  std::vector<std::uint32_t> rows;
  for (const auto& [hash, of_group] : members)
    if (kParts * rows.size() < groups.size()) rows.insert(rows.end(), of_group.begin(), of_group.end());
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

std::vector<std::uint32_t> held_out_part(const Dataset& dataset) {
  if (!dataset.train.groups.empty()) return whole_groups(dataset.train.groups);
  std::vector<std::uint32_t> rows;
  const std::size_t num_columns = dataset.column_names.size();
  for (std::uint32_t n = 0; n < dataset.train.num_examples; ++n) {
    const auto example =
        dataset.is_table()
            ? std::as_bytes(std::span(dataset.train.values).subspan(n * num_columns, num_columns))
            : std::as_bytes(dataset.train.image(n, dataset.shape));
    if (checksum(example) % kParts == 0) rows.push_back(n);
  }
  return rows;
}

}  // namespace mash
