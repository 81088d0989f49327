// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/table_layout.hpp"

#include <algorithm>
#include <set>

namespace mash {

bool TableLayout::has(std::string_view name) const { return std::ranges::find(names, name) != names.end(); }

bool TableLayout::has_only_places() const {
  return std::ranges::all_of(names, [](std::string_view name) {
    return name.size() > 1 && name[0] == 'c' && name.find_first_not_of("0123456789", 1) == name.npos;
  });
}

Error lacks_column(std::string_view wanted, const std::vector<std::string>& found) {
  return input_error("found no column '{}', which the model was trained on; found {}", wanted, listed(found));
}

Status check_layout(const TableLayout& layout, const Dataset& dataset) {
  if (dataset.column_names == layout.names) return Done{};
  const std::set<std::string_view> found(dataset.column_names.begin(), dataset.column_names.end());
  for (const std::string& name : layout.names)
    if (!found.contains(name)) return lacks_column(name, dataset.column_names);
  return input_error("found the columns {}, expected {} as the model was trained on",
                     listed(dataset.column_names), listed(layout.names));
}

}  // namespace mash
