// SPDX-License-Identifier: Apache-2.0
#include "framework/render/data_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace mash {
namespace {

std::string field(std::int64_t value) { return std::to_string(value); }
std::string field(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }
std::string field(const std::optional<std::string>& value) { return value ? csv_field(*value) : ""; }

}  // namespace

std::size_t DataTable::num_rows() const {
  if (columns.empty()) return 0;
  return std::visit([](const auto& values) { return values.size(); }, columns.front().values);
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted(1, '"');
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  quoted += '"';
  return quoted;
}

std::string to_csv(const DataTable& table) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) out += ',';
    out += csv_field(table.columns[i].name);
  }
  out += "\r\n";
  for (std::size_t n = 0; n < table.num_rows(); ++n) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) out += ',';
      std::visit([&](const auto& values) { out += field(values[n]); }, table.columns[i].values);
    }
    out += "\r\n";
  }
  return out;
}

nlohmann::ordered_json to_json(std::span<const DataTable> tables) {
  nlohmann::ordered_json json{{"tables", nlohmann::ordered_json::array()}};
  for (const DataTable& table : tables) {
    auto columns = nlohmann::ordered_json::array();
    for (const DataColumn& column : table.columns) columns.push_back(column.name);
    json["tables"].push_back({{"name", table.name}, {"rows", table.num_rows()}, {"columns", columns}});
  }
  return json;
}

}  // namespace mash
