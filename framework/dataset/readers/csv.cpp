// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/csv.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "framework/base/lower_case.hpp"
#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/tables/table_header.hpp"
#include "framework/dataset/tables/table_plan.hpp"
#include "framework/dataset/text_table.hpp"

namespace mash {
namespace {

struct CsvOptions {
  CellSyntax syntax;
  std::string header;
  std::size_t skip_lines = 0;
  std::size_t test_skip_lines = 0;
  TableOptions table;
};

Result<CellSyntax> read_delimiter(Settings& settings) {
  CellSyntax syntax;
  syntax.has_breaks = true;
  MASH_ASSIGN(const std::string text, settings.text("delimiter", ","));
  if (text == "space") {
    syntax.runs_of_blanks = true;
  } else if (text == "tab") {
    syntax.delimiter = '\t';
  } else if (text.size() == 1 && text != "\"" && text != " ") {
    syntax.delimiter = text[0];
  } else {
    MASH_TRY(settings.refuse(
        settings.unexpected("delimiter", "one character, tab, or space (for runs of blanks)")));
  }
  return syntax;
}

Result<CsvOptions> read_csv_options(Settings& settings) {
  static constexpr std::array<std::string_view, 3> kHeader{"auto", "yes", "no"};
  constexpr std::int64_t kMaxSkip = 1'000'000;
  CsvOptions options;
  MASH_ASSIGN(options.syntax, read_delimiter(settings));
  MASH_ASSIGN(options.header, settings.choice("header", "auto", kHeader));
  MASH_ASSIGN(const std::int64_t skip, settings.integer("skip_lines", 0, 0, kMaxSkip));
  MASH_ASSIGN(const std::int64_t test_skip, settings.integer("test_skip_lines", skip, 0, kMaxSkip));
  options.skip_lines = std::size_t(skip);
  options.test_skip_lines = std::size_t(test_skip);
  if (!settings.has("test_path")) MASH_TRY(settings.refuse_without("test_skip_lines", "test_path"));
  MASH_ASSIGN(options.table, read_table_options(settings));
  static constexpr std::array<std::string_view, 2> kDecimal{".", ","};
  MASH_ASSIGN(const std::string decimal, settings.choice("decimal", ".", kDecimal));
  options.table.has_decimal_comma = decimal == ",";
  if (options.table.has_decimal_comma && !options.syntax.runs_of_blanks && options.syntax.delimiter == ',')
    MASH_TRY(settings.refuse(settings.unexpected("decimal", "another sign than the delimiter")));
  return options;
}

// The first row of `table` becomes its column names. A column without a name has that of its place.
Status take_header(TextTable& table) {
  const auto end = table.cells.begin() + std::ptrdiff_t(table.columns.size());
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (const std::string_view name = table.cells[i]; !name.empty()) table.columns[i] = name;
    if (!names.insert(table.columns[i]).second)
      return input_error("{}:{}: found the column name '{}' twice, expected different ones",
                         table.source->place(), table.lines[0], table.columns[i]);
  }
  table.cells.erase(table.cells.begin(), end);
  table.lines.erase(table.lines.begin());
  return Done{};
}

Result<bool> has_header(const CsvOptions& options, const TableLayout* layout, const TextTable& table) {
  if (options.header != "auto") return options.header == "yes";
  if (layout) return has_header_for(*layout, table);
  if (const auto guess = guess_header(table, options.table)) return *guess;
  const std::span row(table.cells.data(), table.columns.size());
  return input_error(
      "{}:{}: found a first row that may be a header or an example ({}); expected the key 'header' to say "
      "yes or no",
      table.source->place(), table.lines[0], listed(row, 5));
}

// Whether a column numbers the rows, as programs do that write tables: whole numbers that are all different,
// or that count up again from the first one.
bool numbers_rows(const TextTable& table, std::size_t column) {
  std::unordered_set<double> numbers;
  std::optional<double> first, previous;
  bool are_different = true, count_up = true, steps = false;
  for (std::size_t row = 0; row < table.num_rows() && (are_different || count_up); ++row) {
    const auto number = data_number_in(table.cell(row, column));
    if (!number || *number != std::trunc(*number)) return false;
    are_different = are_different && numbers.insert(*number).second;
    if (!first) first = number;
    const bool is_next = previous && *number == *previous + 1;
    steps = steps || is_next;
    count_up = count_up && (is_next || *number == *first);
    previous = number;
  }
  return are_different || (count_up && steps);
}

// The first columns that have no name and number the rows; a table that was saved and read several times has
// several. A warning tells of one that has no name and is none of these.
std::vector<std::string> row_numbers(const TextTable& table, std::size_t num_unnamed,
                                     const TableOptions& options, std::vector<std::string>& warnings) {
  std::vector<std::string> names;
  const auto label = label_column(options, table);
  for (std::size_t column = 0; column < num_unnamed; ++column) {
    const bool is_label = !label.ok() || *label == column;
    const bool is_ignored = std::ranges::find(options.ignore, table.columns[column]) != options.ignore.end();
    if (is_label || is_ignored) continue;
    if (numbers_rows(table, column))
      names.push_back(table.columns[column]);
    else
      warnings.push_back(fmt::format(
          "{}: the column {} has no name; it is a feature as the others are, unless 'ignore' lists "
          "it",
          table.source->place(), table.columns[column]));
  }
  if (names.size() == 1)
    warnings.push_back(fmt::format("{}: left out the first column, which has no name and numbers the rows",
                                   table.source->place()));
  if (names.size() > 1)
    warnings.push_back(fmt::format("{}: left out {} columns, which have no name and number the rows: {}",
                                   table.source->place(), names.size(), listed(names)));
  return names;
}

// The error of a table of one column whose first field holds what may be the delimiter; nothing otherwise.
std::optional<Error> other_delimiter(const TextTable& table) {
  if (table.columns.size() != 1 || table.cells.empty()) return std::nullopt;
  for (const auto& [sign, value] : {std::pair(';', "\";\""), {'\t', "tab"}, {'|', "\"|\""}, {',', "\",\""}})
    if (table.cells[0].find(sign) != std::string_view::npos)
      return input_error(
          "{}:{}: found one field, '{}', expected several; if they are parted so, say delimiter: {}",
          table.source->place(), table.lines[0], table.cells[0], value);
  return std::nullopt;
}

// The content of a file that is no table of text; empty where it may be one.
std::string_view other_content(std::string_view bytes) {
  using namespace std::string_view_literals;
  static constexpr std::pair<std::string_view, std::string_view> kBeginnings[] = {
      {"\xff\xfe"sv, "text in UTF-16"},
      {"\xfe\xff"sv, "text in UTF-16"},
      {"PK\x03\x04"sv, "an archive (ZIP) or a workbook of spreadsheets"},
      {"\xd0\xcf\x11\xe0"sv, "a workbook of spreadsheets"},
      {"\x1f\x8b"sv, "a file packed by gzip, whose name must end with .gz"},
      {"\xfd"
       "7zXZ"sv,
       "a file packed by xz"},
      {"BZh"sv, "a file packed by bzip2"},
      {"<!DOCTYPE"sv, "a page of the web"},
      {"<html"sv, "a page of the web"},
  };
  for (const auto& [beginning, content] : kBeginnings)
    if (bytes.starts_with(beginning)) return content;
  const bool ends_lines_otherwise = bytes.find('\r') != bytes.npos && bytes.find('\n') == bytes.npos;
  return ends_lines_otherwise ? "lines that end with a carriage return alone" : "";
}

// Spreadsheets may write a first line "sep=;" that says how fields are parted.
Status pass_over_delimiter(const CellSyntax& syntax, const TextTable& table, LineReader& reader) {
  const std::string_view bytes = table.source->bytes;
  const bool is_there =
      bytes.starts_with("sep=") && bytes.size() > 5 && (bytes[5] == '\n' || bytes[5] == '\r');
  if (!is_there) return Done{};
  if (syntax.runs_of_blanks || bytes[4] != syntax.delimiter)
    return input_error("{}:1: found '{}', expected the key delimiter: \"{}\"", table.source->place(),
                       bytes.substr(0, 5), bytes[4]);
  std::string_view line;
  reader.next(line);
  return Done{};
}

Result<TextTable> read_text(const std::filesystem::path& path, const CellSyntax& syntax,
                            std::size_t skip_lines) {
  TextTable table;
  MASH_ASSIGN(LoadedSource source, read_source(path));
  if (const std::string_view other = other_content(source.bytes); !other.empty())
    return input_error("{}: found {}, expected text in UTF-8", source.place(), other);
  MASH_TRY(check_utf8(source.bytes, source.place()));
  table.source = std::make_shared<const LoadedSource>(std::move(source));
  LineReader reader(table.source->bytes);
  std::string_view skipped;
  for (std::size_t i = 0; i < skip_lines; ++i)
    if (!reader.next(skipped))
      return input_error("{}: found {} lines, expected more than the {} to skip", table.source->place(), i,
                         skip_lines);
  if (skip_lines == 0) MASH_TRY(pass_over_delimiter(syntax, table, reader));
  const Status read = read_rows(reader, syntax, table);
  if (const auto error = other_delimiter(table)) return *error;
  MASH_TRY(read);
  if (table.num_rows() == 0)
    return input_error("{}: found no rows, expected at least one", table.source->place());
  return table;
}

// The columns of a test file without a header are those of the training file, in the same order.
Status name_by_place(const TextTable& train, TextTable& test) {
  if (test.columns.size() != train.columns.size())
    return input_error("{}:{}: found {} fields, expected {} as in {}", test.source->place(), test.lines[0],
                       test.columns.size(), train.columns.size(), train.source->place());
  test.columns = train.columns;
  return Done{};
}

// The test file of a training file with a header has one, too, where its first row has most of the names, in
// capitals or not, or is clearly one.
Status name_test_columns(const CsvOptions& options, const TextTable& train, TextTable& test) {
  std::unordered_set<std::string> first;
  for (const std::string_view cell : first_row(test)) first.insert(in_lower_case(cell));
  std::size_t num_named = 0, num_wanted = 0;
  for (std::size_t i = 0; i < train.columns.size(); ++i) {
    if (train.columns[i] == place_name(i)) continue;
    ++num_wanted;
    num_named += first.contains(in_lower_case(train.columns[i]));
  }
  const bool is_header = options.header == "yes" || 2 * num_named > num_wanted ||
                         guess_header(test, options.table) == std::optional(true);
  if (is_header) return take_header(test);
  return name_by_place(train, test);
}

// The names of a table without a header that is read for a model: those of the model where it has its columns
// alone.
void name_columns_of(const TableLayout& layout, TextTable& table) {
  if (layout.has_only_places() && table.columns.size() == layout.names.size()) table.columns = layout.names;
}

}  // namespace

Result<Dataset> read_csv(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const TablePaths paths, find_table_paths(settings, request.name));
  MASH_ASSIGN(CsvOptions options, read_csv_options(settings));
  MASH_TRY(settings.finish("data set csv"));
  request.work.progress.start("reading csv", 1, "tables");
  MASH_ASSIGN(TextTable train, read_text(paths.train, options.syntax, options.skip_lines));
  MASH_ASSIGN(const bool train_has_header, has_header(options, request.layout, train));
  std::vector<std::string> warnings;
  if (train_has_header) {
    const std::size_t num_unnamed = request.layout ? 0 : num_without_name(train);
    MASH_TRY(take_header(train));
    const auto unnamed = row_numbers(train, num_unnamed, options.table, warnings);
    options.table.ignore.insert(options.table.ignore.end(), unnamed.begin(), unnamed.end());
  } else if (request.layout) {
    name_columns_of(*request.layout, train);
  }
  std::optional<TextTable> test;
  if (paths.test) {
    MASH_ASSIGN(test, read_text(*paths.test, options.syntax, options.test_skip_lines));
    if (train_has_header)
      MASH_TRY(name_test_columns(options, train, *test));
    else
      MASH_TRY(name_by_place(train, *test));
  }
  Result<Dataset> dataset = encode_table(
      options.table, {.train = train, .test = test ? &*test : nullptr, .layout = request.layout});
  request.work.progress.finish();
  if (dataset.ok()) dataset->warnings.insert(dataset->warnings.end(), warnings.begin(), warnings.end());
  return dataset;
}

}  // namespace mash
