// SPDX-License-Identifier: Apache-2.0
#include "framework/python/rows.hpp"

#include <memory>
#include <numeric>

#include "framework/dataset/tables/table.hpp"
#include "framework/python/work.hpp"

namespace mash::python {
namespace {

constexpr const char* kPlace = "the table";  // in errors, where others have a file

// Views into the columns, which stay.
TextTable text_table(const std::vector<std::string>& names,
                     const std::vector<std::vector<std::string>>& columns) {
  TextTable table;
  LoadedSource source;
  source.file.path = kPlace;
  table.source = std::make_shared<const LoadedSource>(std::move(source));
  table.columns = names;
  table.lines.resize(columns.empty() ? 0 : columns[0].size());
  std::iota(table.lines.begin(), table.lines.end(), std::size_t(1));
  for (std::size_t row = 0; row < table.num_rows(); ++row)
    for (const std::vector<std::string>& column : columns) table.cells.push_back(column.at(row));
  return table;
}

}  // namespace

Split rows_of(const TableLayout& layout, const std::vector<std::string>& names,
              const std::vector<std::vector<std::string>>& columns) {
  const TextTable table = text_table(names, columns);
  Dataset dataset = value_of(encode_table({}, {.train = table, .layout = &layout}));
  for (const std::string& warning : dataset.warnings) PythonRemarks::instance().warn(warning);
  return std::move(dataset.test.num_examples > 0 ? dataset.test : dataset.train);
}

}  // namespace mash::python
