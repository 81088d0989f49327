// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/csv.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/table.hpp"
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
  return options;
}

// The first row of `table` becomes its column names.
Status take_header(TextTable& table) {
  const std::size_t num_columns = table.columns.size();
  const std::vector<std::string_view> names(table.cells.begin(),
                                            table.cells.begin() + std::ptrdiff_t(num_columns));
  for (std::size_t i = 0; i < num_columns; ++i) {
    if (!names[i].empty()) table.columns[i] = names[i];
    if (std::count(names.begin(), names.end(), names[i]) > 1 && !names[i].empty())
      return input_error("{}:{}: found the column name '{}' twice, expected different ones",
                         table.source->place(), table.lines[0], names[i]);
  }
  table.cells.erase(table.cells.begin(), table.cells.begin() + std::ptrdiff_t(num_columns));
  table.lines.erase(table.lines.begin());
  return Done{};
}

// A first row without any number above a second one that has some is taken for a header.
bool looks_like_header(const TextTable& table) {
  if (table.num_rows() < 2) return false;
  bool any_number_below = false;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (data_number_in(table.cell(0, column)) || table.cell(0, column).empty()) return false;
    any_number_below = any_number_below || data_number_in(table.cell(1, column));
  }
  return any_number_below;
}

Result<TextTable> read_text(const std::filesystem::path& path, const CellSyntax& syntax,
                            std::size_t skip_lines) {
  TextTable table;
  MASH_ASSIGN(LoadedSource source, read_source(path));
  MASH_TRY(check_utf8(source.bytes, source.place()));
  table.source = std::make_shared<const LoadedSource>(std::move(source));
  LineReader reader(table.source->bytes);
  std::string_view skipped;
  for (std::size_t i = 0; i < skip_lines; ++i)
    if (!reader.next(skipped))
      return input_error("{}: found {} lines, expected more than the {} to skip", table.source->place(), i,
                         skip_lines);
  MASH_TRY(read_rows(reader, syntax, table));
  if (table.num_rows() == 0)
    return input_error("{}: found no rows, expected at least one", table.source->place());
  return table;
}

// The names of both files' columns become those of the training file.
Status match_test(const CsvOptions& options, bool train_has_header, const TextTable& train, TextTable& test) {
  if (test.columns.size() != train.columns.size())
    return input_error("{}:{}: found {} fields, expected {} as in {}", test.source->place(), test.lines[0],
                       test.columns.size(), train.columns.size(), train.source->place());
  // A column without a name has that of its place.
  const auto is_same = [](std::string_view cell, std::size_t place, const std::string& name) {
    return cell.empty() ? name == fmt::format("c{}", place) : name == cell;
  };
  bool same_header = true;
  for (std::size_t i = 0; i < train.columns.size(); ++i)
    same_header = same_header && is_same(test.cell(0, i), i, train.columns[i]);
  if (options.header == "yes" && !same_header)
    return input_error("{}:{}: found a header other than that of {}, expected {}", test.source->place(),
                       test.lines[0], train.source->place(), fmt::join(train.columns, ","));
  if (train_has_header && same_header) MASH_TRY(take_header(test));
  test.columns = train.columns;
  return Done{};
}

}  // namespace

Result<Dataset> read_csv(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const TablePaths paths, find_table_paths(settings, request.name));
  MASH_ASSIGN(const CsvOptions options, read_csv_options(settings));
  MASH_TRY(settings.finish("data set csv"));
  request.work.progress.start("reading csv", 1, "tables");
  MASH_ASSIGN(TextTable train, read_text(paths.train, options.syntax, options.skip_lines));
  const bool has_header = options.header == "yes" || (options.header == "auto" && looks_like_header(train));
  if (has_header) MASH_TRY(take_header(train));
  std::optional<TextTable> test;
  if (paths.test) {
    MASH_ASSIGN(test, read_text(*paths.test, options.syntax, options.test_skip_lines));
    MASH_TRY(match_test(options, has_header, train, *test));
  }
  Result<Dataset> dataset = encode_table(options.table, train, test ? &*test : nullptr);
  request.work.progress.finish();
  return dataset;
}

}  // namespace mash
