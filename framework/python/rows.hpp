// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/dataset/dataset.hpp"
#include "framework/dataset/table_layout.hpp"

namespace mash::python {

// The rows of a table as a model with this layout takes them, by the rules of files of text: columns are
// found by their names, and names become codes. columns: the fields of each named column, "" where a value is
// missing; as many in each. What is passed over or unknown becomes a warning of Python. Raises ValueError:
// as load_rows.
Split rows_of(const TableLayout& layout, const std::vector<std::string>& names,
              const std::vector<std::vector<std::string>>& columns);

}  // namespace mash::python
