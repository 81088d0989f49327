// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/libsvm.hpp"

#include <algorithm>
#include <optional>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/source.hpp"
#include "framework/dataset/tables/table_labels.hpp"
#include "framework/dataset/text_table.hpp"

namespace mash {
namespace {

// The rows of LIBSVM and SVMlight (Chang and Lin 2011; Joachims 1999): "label index:value index:value ...",
// indices ascending from 1, or from 0 where any file has a 0; what is absent is 0, "qid:7" behind the label
// is passed over, "#" begins a comment.
constexpr std::size_t kMaxColumns = 10'000'000;
constexpr std::size_t kMaxValues = std::size_t(1) << 31;  // 8 GiB once every zero is written out

struct SparseFile {
  LoadedSource source;
  std::vector<std::string_view> labels;
  std::vector<std::size_t> row_ends;  // into entries
  struct Entry {
    std::uint32_t index;
    float value;
  };
  std::vector<Entry> entries;
  std::optional<std::size_t> largest_index;
  bool has_zero = false;     // an index 0
  bool has_queries = false;  // qid
};

std::string_view cut_token(std::string_view& rest) {
  rest = trimmed(rest);
  const std::string_view token = rest.substr(0, rest.find_first_of(" \t"));
  rest.remove_prefix(token.size());
  return token;
}

Result<SparseFile::Entry> parse_entry(std::string_view token, std::optional<std::size_t> previous) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos) return input_error("found '{}', expected index:value", token);
  const auto index = number_in<std::size_t>(token.substr(0, colon));
  if (!index || *index > kMaxColumns)
    return input_error("found the index '{}', expected a number from 0 to {}", token.substr(0, colon),
                       kMaxColumns);
  if (previous && *index <= *previous)
    return input_error("found the index {} after {}, expected ascending ones", *index, *previous);
  const auto value = data_number_in(token.substr(colon + 1));
  if (!value)
    return input_error("found the value '{}' at index {}, expected a number", token.substr(colon + 1),
                       *index);
  return SparseFile::Entry{std::uint32_t(*index), float(*value)};
}

// may_lack_label: a row that begins with index:value has none, nor has its file.
Status parse_row(std::string_view row, bool may_lack_label, SparseFile& file) {
  if (!may_lack_label || row.substr(0, row.find_first_of(" \t")).find(':') == row.npos) {
    const std::string_view label = cut_token(row);
    if (!data_number_in(label)) return input_error("found the label '{}', expected a number", label);
    file.labels.push_back(label);
  }
  std::optional<std::size_t> previous;
  for (std::string_view token = cut_token(row); !token.empty(); token = cut_token(row)) {
    if (!previous && token.starts_with("qid:")) {
      file.has_queries = true;
      continue;
    }
    MASH_ASSIGN(const SparseFile::Entry entry, parse_entry(token, previous));
    file.entries.push_back(entry);
    previous = entry.index;
    file.has_zero |= entry.index == 0;
  }
  file.row_ends.push_back(file.entries.size());
  file.largest_index = std::max(file.largest_index, previous);
  if (!file.labels.empty() && file.labels.size() < file.row_ends.size())
    return input_error("found a row without a label, expected one in each row or in none");
  return Done{};
}

Status parse_file(bool may_lack_labels, SparseFile& file) {
  MASH_TRY(check_utf8(file.source.bytes, file.source.place()));
  LineReader reader(file.source.bytes);
  for (std::string_view line; reader.next(line);) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    if (const Status status = parse_row(line, may_lack_labels, file); !status.ok())
      return status.error().at(fmt::format("{}:{}", file.source.place(), reader.line_number()));
  }
  if (file.row_ends.empty())
    return input_error("{}: found no rows, expected at least one", file.source.place());
  return Done{};
}

// The columns of both files.
struct Columns {
  std::size_t first_index = 1, count = 1;
  std::size_t num_passed_over = 0;  // entries behind the columns of a model
};

Status fill(const SparseFile& file, Columns& columns, Split& split) {
  const std::size_t num_rows = file.row_ends.size();
  if (num_rows > kMaxValues / columns.count)
    return input_error("{}: found {} rows of {} columns, expected at most {} values in all",
                       file.source.place(), num_rows, columns.count, kMaxValues);
  split.num_examples = num_rows;
  split.values.resize(num_rows * columns.count);
  std::size_t entry = 0;
  for (std::size_t row = 0; row < num_rows; ++row)
    for (; entry < file.row_ends[row]; ++entry) {
      const std::size_t column = file.entries[entry].index - columns.first_index;
      if (column < columns.count)
        split.values[row * columns.count + column] = file.entries[entry].value;
      else
        ++columns.num_passed_over;
    }
  return Done{};
}

Columns find_columns(const SparseFile& train, const SparseFile& test) {
  Columns columns;
  columns.first_index = train.has_zero || test.has_zero ? 0 : 1;
  const std::size_t largest = std::max(train.largest_index, test.largest_index).value_or(0);
  columns.count = std::max<std::size_t>(1, largest + 1 - columns.first_index);
  return columns;
}

// asked: their number, by the key `columns`; 0 where it says nothing.
Result<Columns> asked_columns(Columns found, const SparseFile& train, const SparseFile& test,
                              std::size_t asked) {
  if (asked > 0 && found.count > asked) {
    const std::size_t largest = asked + found.first_index - 1;
    return input_error("{}: found the index {}, expected at most the {} that 'columns' says",
                       (train.largest_index > largest ? train : test).source.place(),
                       found.count + found.first_index - 1, asked);
  }
  found.count = std::max(found.count, asked);
  return found;
}

Result<Columns> columns_of(const TableLayout& layout, const SparseFile& train, const SparseFile& test) {
  Columns columns{layout.names[0] == "0" ? std::size_t(0) : 1, layout.names.size()};
  for (const SparseFile* file : {&train, &test})
    if (file->has_zero && columns.first_index == 1)
      return input_error("{}: found the index 0, expected indices from 1 as the model was trained on",
                         file->source.place());
  return columns;
}

// The classes of both files; a file that is read for a model may have none.
Status set_classes(const SparseFile& train, const SparseFile& test, const TableLayout* layout,
                   Dataset& dataset) {
  std::vector<std::string_view> texts = train.labels;
  texts.insert(texts.end(), test.labels.begin(), test.labels.end());
  if (!layout)
    if (const Status whole = check_whole_labels(texts); !whole.ok())
      return whole.error().at(train.source.place());
  Result<EncodedLabels> labels =
      layout ? encode_labels_for(layout->class_names, texts) : encode_labels(texts);
  if (!labels.ok()) return labels.error().at(train.source.place());
  set_labels(*std::move(labels), train.labels.size(), dataset);
  return Done{};
}

// A warning where one file has the index 0 and the other has not: programs count from 0 or from 1.
void look_at_first_index(const SparseFile& train, const SparseFile& test, Dataset& dataset) {
  if (test.row_ends.empty() || train.has_zero == test.has_zero) return;
  const SparseFile& with = train.has_zero ? train : test;
  const SparseFile& without = train.has_zero ? test : train;
  dataset.warnings.push_back(fmt::format(
      "{} has the index 0, {} has not: both are read as counted from 0; if the second counts from "
      "1, write its indices smaller by one",
      with.source.place(), without.source.place()));
}

Status encode(const SparseFile& train, const SparseFile& test, Columns columns, const TableLayout* layout,
              Dataset& dataset) {
  MASH_TRY(set_classes(train, test, layout, dataset));
  if (!layout) look_at_first_index(train, test, dataset);
  MASH_TRY(fill(train, columns, dataset.train));
  MASH_TRY(fill(test, columns, dataset.test));
  name_rows(0, dataset.train);
  name_rows(1, dataset.test);
  for (std::size_t i = 0; i < columns.count; ++i)
    dataset.column_names.push_back(std::to_string(columns.first_index + i));
  if (columns.num_passed_over > 0)
    dataset.warnings.push_back(fmt::format("{} values behind the {} columns of the model are passed over",
                                           columns.num_passed_over, columns.count));
  if (train.has_queries || test.has_queries)
    dataset.warnings.emplace_back("qid, the query of a row, is passed over");
  if (train.labels.empty() && test.row_ends.empty()) std::swap(dataset.train, dataset.test);
  return Done{};
}

}  // namespace

Result<Dataset> read_libsvm(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const TablePaths paths, find_table_paths(settings, request.name));
  MASH_ASSIGN(const std::int64_t asked, settings.integer("columns", 0, 1, std::int64_t(kMaxColumns)));
  MASH_TRY(settings.finish("data set libsvm"));
  request.work.progress.start("reading libsvm", 1, "tables");
  const TableLayout* layout = request.layout;
  Dataset dataset;
  SparseFile train, test;
  MASH_ASSIGN(train.source, read_source(paths.train));
  MASH_TRY(parse_file(layout != nullptr, train));
  dataset.sources.push_back(train.source.file);
  if (paths.test) {
    MASH_ASSIGN(test.source, read_source(*paths.test));
    MASH_TRY(parse_file(layout != nullptr, test));
    dataset.sources.push_back(test.source.file);
  }
  MASH_ASSIGN(const Columns columns,
              layout ? columns_of(*layout, train, test)
                     : asked_columns(find_columns(train, test), train, test, std::size_t(asked)));
  MASH_TRY(encode(train, test, columns, layout, dataset));
  request.work.progress.finish();
  return dataset;
}

}  // namespace mash
