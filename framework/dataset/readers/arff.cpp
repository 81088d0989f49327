// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/arff.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "framework/base/lower_case.hpp"
#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/tables/table.hpp"
#include "framework/dataset/text_table.hpp"

namespace mash {
namespace {

// Weka's attribute-relation files (Witten and Frank 1999): @relation, one @attribute per column, @data and
// then rows with commas; "?" is a missing value, "%" begins a comment.
constexpr CellSyntax kSyntax{',', false, "'\"", true, '%'};

constexpr std::size_t kMaxSparseCells = std::size_t(1) << 27;  // 2 GiB of places in the text

struct ArffTable {
  TextTable text;
  std::vector<ColumnType> types;
  std::unordered_set<std::string> names;  // of the columns
};

// Cuts the first word, which may be quoted, off `rest`.
Result<std::string> cut_word(std::string_view& rest, TextTable& table) {
  rest = trimmed(rest);
  CellSyntax words = kSyntax;
  words.runs_of_blanks = true;
  std::size_t size = rest.find_first_of(" \t{");
  if (!rest.empty() && kSyntax.quotes.find(rest[0]) != std::string_view::npos) {
    size = 1;
    while (size < rest.size() && rest[size] != rest[0]) size += rest[size] == '\\' ? 2 : 1;
    size = std::min(size + 1, rest.size());
  }
  const std::string_view word = rest.substr(0, size);
  rest = trimmed(rest.substr(word.size()));
  MASH_ASSIGN(const auto fields, split_line(word, words, table));
  return fields.size() == 1 ? std::string(fields[0]) : std::string();
}

Result<ColumnType> parse_type(std::string_view text, TextTable& table) {
  if (text.starts_with('{') && text.ends_with('}')) {
    MASH_ASSIGN(const auto names, split_line(text.substr(1, text.size() - 2), kSyntax, table));
    ColumnType type{ColumnType::Kind::kNominal, {names.begin(), names.end()}};
    std::vector<std::string> sorted = type.values;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty() || sorted[0].empty())
      return input_error("found an empty name among the values, expected {{value, ...}}");
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      return input_error("found '{}' twice among the values, expected different ones", *twice);
    return type;
  }
  const std::string kind = in_lower_case(text.substr(0, text.find_first_of(" \t")));
  if (kind == "numeric" || kind == "real" || kind == "integer")
    return ColumnType{ColumnType::Kind::kNumeric, {}};
  if (kind == "string" || kind == "date") return ColumnType{ColumnType::Kind::kUnusable, {}};
  return input_error("found the type '{}', expected numeric, real, integer, string, date or {{value, ...}}",
                     text);
}

Status parse_attribute(std::string_view rest, ArffTable& table) {
  MASH_ASSIGN(std::string name, cut_word(rest, table.text));
  if (name.empty()) return input_error("found no name, expected @attribute NAME TYPE");
  if (!table.names.insert(name).second)
    return input_error("found the attribute '{}' twice, expected different ones", name);
  MASH_ASSIGN(ColumnType type, parse_type(rest, table.text));
  table.text.columns.push_back(std::move(name));
  table.types.push_back(std::move(type));
  return Done{};
}

// One line above the data. Gives true when it was @data.
Result<bool> parse_declaration(std::string_view line, ArffTable& table) {
  std::string_view rest = trimmed(line);
  if (rest.empty() || rest[0] == kSyntax.comment) return false;
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
  rest.remove_prefix(word.size());
  const std::string keyword = in_lower_case(word);
  if (keyword == "@relation") return false;
  if (keyword == "@data" && table.types.empty())
    return input_error("found @data, expected an @attribute before it");
  if (keyword == "@data") return true;
  if (keyword != "@attribute")
    return input_error("found '{}', expected @relation, @attribute or @data", word);
  MASH_TRY(parse_attribute(rest, table));
  return false;
}

// The parts between the commas that stand outside of quotes.
std::vector<std::string_view> entries_of(std::string_view row) {
  std::vector<std::string_view> entries;
  char quote = '\0';
  std::size_t begin = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char c = row[i];
    if (quote != '\0' && c == '\\')
      ++i;
    else if (quote != '\0')
      quote = c == quote ? '\0' : quote;
    else if (kSyntax.quotes.find(c) != std::string_view::npos)
      quote = c;
    else if (c == kSyntax.delimiter)
      entries.push_back(row.substr(begin, i - begin)), begin = i + 1;
  }
  entries.push_back(row.substr(begin));
  return entries;
}

// The value of a column that a sparse row leaves out.
std::string_view left_out_value(const ColumnType& type) {
  return type.kind == ColumnType::Kind::kNominal ? std::string_view(type.values[0]) : "0";
}

// A sparse row, "{1 X, 3 Y}": columns, counted from 0, with their values.
Status append_sparse_row(std::string_view row, std::size_t line, ArffTable& table) {
  TextTable& text = table.text;
  const std::size_t num_columns = table.types.size(), first = text.cells.size();
  if (text.lines.size() >= kMaxSparseCells / num_columns)
    return input_error(
        "found more than {} fields once sparse rows are written out; the format libsvm takes more",
        kMaxSparseCells);
  if (!row.ends_with('}')) return input_error("found a sparse row without its end, expected '}}'");
  for (const ColumnType& type : table.types) text.cells.push_back(left_out_value(type));
  text.lines.push_back(line);
  row = trimmed(row.substr(1, row.size() - 2));
  if (row.empty()) return Done{};
  CellSyntax pair = kSyntax;
  pair.runs_of_blanks = true;
  for (const std::string_view entry : entries_of(row)) {
    MASH_ASSIGN(const auto fields, split_line(entry, pair, text));
    const auto index = fields.size() == 2 ? number_in<std::size_t>(fields[0]) : std::nullopt;
    if (!index || *index >= num_columns)
      return input_error("found '{}' in a sparse row, expected a column from 0 to {} and its value", entry,
                         num_columns - 1);
    text.cells[first + *index] = fields[1];
  }
  return Done{};
}

Status append_sparse_rows(LineReader reader, ArffTable& table) {
  for (std::string_view line; reader.next(line);) {
    line = trimmed(line);
    if (line.empty() || line[0] == kSyntax.comment) continue;
    const Status row = line[0] == '{' ? append_sparse_row(line, reader.line_number(), table)
                                      : input_error("found a dense row behind sparse ones, expected '{{'");
    if (!row.ok())
      return row.error().at(fmt::format("{}:{}", table.text.source->place(), reader.line_number()));
  }
  return Done{};
}

bool has_sparse_rows(LineReader reader) {
  for (std::string_view line; reader.next(line);)
    if (line = trimmed(line); !line.empty() && line[0] != kSyntax.comment) return line[0] == '{';
  return false;
}

Result<ArffTable> read_arff_file(const std::filesystem::path& path) {
  ArffTable table;
  MASH_ASSIGN(LoadedSource source, read_source(path));
  MASH_TRY(check_utf8(source.bytes, source.place()));
  table.text.source = std::make_shared<const LoadedSource>(std::move(source));
  LineReader reader(table.text.source->bytes);
  bool in_data = false;
  for (std::string_view line; !in_data && reader.next(line);) {
    const Result<bool> parsed = parse_declaration(line, table);
    if (!parsed.ok())
      return parsed.error().at(fmt::format("{}:{}", table.text.source->place(), reader.line_number()));
    in_data = *parsed;
  }
  if (!in_data)
    return input_error("{}:{}: found the end of the file, expected @data", table.text.source->place(),
                       reader.line_number());
  MASH_TRY(has_sparse_rows(reader) ? append_sparse_rows(reader, table)
                                   : read_rows(reader, kSyntax, table.text));
  return table;
}

Status same_attributes(const ArffTable& train, const ArffTable& test) {
  const auto& columns = train.text.columns;
  for (std::size_t i = 0; i < columns.size() && i < test.types.size(); ++i)
    if (test.text.columns[i] != columns[i] || test.types[i].kind != train.types[i].kind ||
        test.types[i].values != train.types[i].values)
      return input_error("{}: found another attribute '{}', expected '{}' as declared in {}",
                         test.text.source->place(), test.text.columns[i], columns[i],
                         train.text.source->place());
  if (test.types.size() != columns.size())
    return input_error("{}: found {} attributes, expected {} as in {}", test.text.source->place(),
                       test.types.size(), columns.size(), train.text.source->place());
  return Done{};
}

}  // namespace

Result<Dataset> read_arff(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const TablePaths paths, find_table_paths(settings, request.name));
  MASH_ASSIGN(TableOptions options, read_table_options(settings));
  MASH_TRY(settings.finish("data set arff"));
  options.missing.emplace_back("?");
  request.work.progress.start("reading arff", 1, "tables");
  MASH_ASSIGN(const ArffTable train, read_arff_file(paths.train));
  std::optional<ArffTable> test;
  if (paths.test) {
    MASH_ASSIGN(test, read_arff_file(*paths.test));
    MASH_TRY(same_attributes(train, *test));
  }
  Result<Dataset> dataset =
      encode_table(options, {train.text, test ? &test->text : nullptr, train.types, request.layout});
  request.work.progress.finish();
  return dataset;
}

}  // namespace mash
