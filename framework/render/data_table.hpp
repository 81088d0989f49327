// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mash {

// Whole numbers, none of which is missing; numbers, NaN where one is missing; or texts.
using DataValues =
    std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::optional<std::string>>>;

struct DataColumn {
  std::string name;
  DataValues values;
};

// A table for other programs to compute with: columns of one type each, and nothing for people to look at.
struct DataTable {
  std::string name;
  std::vector<DataColumn> columns;  // of one length

  std::size_t num_rows() const;
};

// A field as RFC 4180 has it.
std::string csv_field(std::string_view text);
// RFC 4180, the names of the columns as its first line. Numbers are the shortest that read back to the same
// bits; what is missing is empty.
std::string to_csv(const DataTable& table);
// The list of tables, without their values: the document of commands that write tables.
nlohmann::ordered_json to_json(std::span<const DataTable> tables);

}  // namespace mash
