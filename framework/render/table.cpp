// SPDX-License-Identifier: Apache-2.0
#include "framework/render/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

constexpr const char* kDash = "–";

std::string show_count(double count) {
  if (std::abs(count) < 1e6) return fmt::format("{:.0f}", count);
  constexpr std::array<const char*, 5> kPrefixes = {"M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  double scaled = count / 1e6;
  while (std::abs(scaled) >= 999.5 && prefix + 1 < kPrefixes.size()) {
    scaled /= 1000;
    ++prefix;
  }
  const int num_decimals = std::abs(scaled) < 9.995 ? 2 : std::abs(scaled) < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", scaled, num_decimals, kPrefixes[prefix]);
}

std::string show_number(double value, Format format) {
  if (!std::isfinite(value)) return std::isnan(value) ? kDash : value > 0 ? "∞" : "−∞";
  switch (format) {
    case Format::kCount: return show_count(value);
    case Format::kPercent: return fmt::format("{:.2f} %", 100 * value);
    case Format::kPoints: return with_sign(100 * value, 2);
    case Format::kMicroseconds: return fmt::format("{:.1f}", 1e6 * value);
    default: return in_digits(value, 3);
  }
}

std::string show_half_width(double value, Format format) {
  const bool is_fraction = format == Format::kPercent || format == Format::kPoints;
  return is_fraction ? fmt::format("{:.2f}", 100 * value) : show_number(value, format);
}

bool is_name(const Column& column) { return column.format == Format::kText; }

void append_line(std::string& out, const Table& table, const std::vector<std::string>& cells,
                 const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - num_code_points(cells[i]), ' ');
    line += i == 0 ? "" : "  ";
    line += is_name(table.columns[i]) ? cells[i] + padding : padding + cells[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

nlohmann::ordered_json json_number(double value) {
  if (std::isfinite(value)) return value;
  return nullptr;
}

nlohmann::ordered_json json_value(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer;
  if (const auto* real = std::get_if<double>(&cell)) return json_number(*real);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* mean = std::get_if<Estimate>(&cell)) return json_number(mean->mean);
  return nullptr;
}

nlohmann::ordered_json json_half_width(const Cell& cell) {
  const auto* mean = std::get_if<Estimate>(&cell);
  if (mean == nullptr || !mean->half_width) return nullptr;
  return json_number(*mean->half_width);
}

std::string csv_cell(const nlohmann::ordered_json& value) {
  if (value.is_null()) return "";
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string show(const Cell& cell, Format format) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return show_number(double(*integer), format);
  if (const auto* real = std::get_if<double>(&cell)) return show_number(*real, format);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* mean = std::get_if<Estimate>(&cell)) {
    const std::string shown = show_number(mean->mean, format);
    return mean->half_width ? fmt::format("{} ± {}", shown, show_half_width(*mean->half_width, format))
                            : shown;
  }
  return kDash;
}

bool has_intervals(const Table& table) {
  return std::ranges::any_of(table.rows, [](const std::vector<Cell>& row) {
    return std::ranges::any_of(row, [](const Cell& cell) {
      const auto* mean = std::get_if<Estimate>(&cell);
      return mean != nullptr && mean->half_width;
    });
  });
}

std::size_t place_of_column(const Table& table, std::string_view key) {
  return std::size_t(std::ranges::find(table.columns, key, &Column::key) - table.columns.begin());
}

const Cell* find_cell(const Table& table, std::size_t row, std::string_view key) {
  const std::size_t place = place_of_column(table, key);
  return place == table.columns.size() ? nullptr : &table.rows[row][place];
}

Table without_column(Table table, std::string_view key) {
  const std::size_t place = place_of_column(table, key);
  if (place == table.columns.size()) return table;
  table.columns.erase(table.columns.begin() + std::ptrdiff_t(place));
  for (std::vector<Cell>& row : table.rows) row.erase(row.begin() + std::ptrdiff_t(place));
  return table;
}

Table without_empty_column(Table table, std::string_view key) {
  const std::size_t place = place_of_column(table, key);
  const auto is_empty = [&](const std::vector<Cell>& row) {
    return place < row.size() && std::holds_alternative<std::monostate>(row[place]);
  };
  return std::ranges::all_of(table.rows, is_empty) ? without_column(std::move(table), key) : table;
}

std::string render_text(const Table& table) {
  if (table.rows.empty()) return table.hint + '\n';
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : table.columns) lines[0].push_back(column.title);
  for (const auto& row : table.rows) {
    auto& line = lines.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i)
      line.push_back(printable(show(row[i], table.columns[i].format)));
  }
  std::vector<std::size_t> widths(table.columns.size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], num_code_points(line[i]));
  }
  std::string out;
  for (const auto& line : lines) append_line(out, table, line, widths);
  if (has_intervals(table)) out += fmt::format("{}\n", kHalfInterval);
  return out;
}

std::string render_markdown(const Table& table) {
  if (table.rows.empty()) return table.hint + '\n';
  const auto cell = [](const std::string& text) {
    std::string out = " ";
    for (const char c : printable(text)) out.append(c == '|' ? 1 : 0, '\\').push_back(c);
    return out.append(" |");
  };
  std::string out = "|", rule = "|";
  for (const Column& column : table.columns) {
    out += cell(column.title);
    rule += is_name(column) ? "---|" : "---:|";
  }
  out += '\n' + rule + '\n';
  for (const auto& row : table.rows) {
    out += '|';
    for (std::size_t i = 0; i < row.size(); ++i) out += cell(show(row[i], table.columns[i].format));
    out += '\n';
  }
  return out;
}

std::string render_json(const Table& table) {
  nlohmann::ordered_json document;
  document["title"] = table.title;
  document["columns"] = nlohmann::ordered_json::array();
  for (const Column& column : table.columns) {
    document["columns"].push_back({{"key", column.key}, {"title", column.title}});
  }
  document["rows"] = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < row.size(); ++i) {
      object[table.columns[i].key] = json_value(row[i]);
      if (table.columns[i].is_estimate) object[table.columns[i].key + "_ci95"] = json_half_width(row[i]);
    }
    document["rows"].push_back(std::move(object));
  }
  if (table.rows.empty()) document["hint"] = table.hint;
  // Names come from plugins and may not be UTF-8.
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

Table without_formulas(Table table) {
  constexpr std::string_view kFormula = "=+-@\t\r";
  for (auto& row : table.rows)
    for (Cell& cell : row)
      if (auto* text = std::get_if<std::string>(&cell);
          text != nullptr && !text->empty() && kFormula.find(text->front()) != std::string_view::npos)
        text->insert(text->begin(), '\'');
  return table;
}

std::string render_csv(const Table& table) {
  std::string out;
  const auto append = [&](bool first, const std::string& field) { out += first ? field : ',' + field; };
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    append(i == 0, table.columns[i].key);
    if (table.columns[i].is_estimate) append(false, table.columns[i].key + "_ci95");
  }
  out += "\r\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      append(i == 0, csv_cell(json_value(row[i])));
      if (table.columns[i].is_estimate) append(false, csv_cell(json_half_width(row[i])));
    }
    out += "\r\n";
  }
  return out;
}

}  // namespace mash
