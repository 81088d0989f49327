// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/libsvm.hpp"

#include <algorithm>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/source.hpp"
#include "framework/dataset/table.hpp"
#include "framework/dataset/text_table.hpp"

namespace mash {
namespace {

// The rows of LIBSVM and SVMlight (Chang and Lin 2011; Joachims 1999): "label index:value index:value ...",
// indices from 1 and ascending, what is absent is 0, "#" begins a comment.
constexpr std::size_t kMaxColumns = 10'000'000;
constexpr std::size_t kMaxValues = std::size_t(1) << 31;  // 8 GiB once every zero is written out

struct SparseFile {
  LoadedSource source;
  std::vector<std::string_view> labels;
  std::vector<std::size_t> row_ends;  // into entries
  struct Entry {
    std::uint32_t column;  // from 0
    float value;
  };
  std::vector<Entry> entries;
  std::size_t num_columns = 0;
};

std::string_view cut_token(std::string_view& rest) {
  rest = trimmed(rest);
  const std::string_view token = rest.substr(0, rest.find_first_of(" \t"));
  rest.remove_prefix(token.size());
  return token;
}

Result<SparseFile::Entry> parse_entry(std::string_view token, std::size_t previous_index) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos) return input_error("found '{}', expected index:value", token);
  const std::size_t index = number_in<std::size_t>(token.substr(0, colon)).value_or(0);
  if (index < 1 || index > kMaxColumns)
    return input_error("found the index '{}', expected a number from 1 to {}", token.substr(0, colon),
                       kMaxColumns);
  if (index <= previous_index)
    return input_error("found the index {} after {}, expected ascending ones", index, previous_index);
  const auto value = data_number_in(token.substr(colon + 1));
  if (!value)
    return input_error("found the value '{}' at index {}, expected a number", token.substr(colon + 1), index);
  return SparseFile::Entry{std::uint32_t(index - 1), float(*value)};
}

Status parse_row(std::string_view row, SparseFile& file) {
  const std::string_view label = cut_token(row);
  if (!data_number_in(label)) return input_error("found the label '{}', expected a number", label);
  std::size_t previous_index = 0;
  for (std::string_view token = cut_token(row); !token.empty(); token = cut_token(row)) {
    MASH_ASSIGN(const SparseFile::Entry entry, parse_entry(token, previous_index));
    file.entries.push_back(entry);
    previous_index = entry.column + std::size_t(1);
  }
  file.labels.push_back(label);
  file.row_ends.push_back(file.entries.size());
  file.num_columns = std::max(file.num_columns, previous_index);
  return Done{};
}

Status parse_file(SparseFile& file) {
  MASH_TRY(check_utf8(file.source.bytes, file.source.place()));
  LineReader reader(file.source.bytes);
  for (std::string_view line; reader.next(line);) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    if (const Status status = parse_row(line, file); !status.ok())
      return status.error().at(fmt::format("{}:{}", file.source.place(), reader.line_number()));
  }
  if (file.labels.empty())
    return input_error("{}: found no rows, expected at least one", file.source.place());
  return Done{};
}

Status fill(const SparseFile& file, std::size_t num_columns, Split& split) {
  if (file.labels.size() > kMaxValues / num_columns)
    return input_error("{}: found {} rows of {} columns, expected at most {} values in all",
                       file.source.place(), file.labels.size(), num_columns, kMaxValues);
  split.values.resize(file.labels.size() * num_columns);
  std::size_t entry = 0;
  for (std::size_t row = 0; row < file.labels.size(); ++row)
    for (; entry < file.row_ends[row]; ++entry)
      split.values[row * num_columns + file.entries[entry].column] = file.entries[entry].value;
  return Done{};
}

Status encode(const SparseFile& train, const SparseFile& test, std::size_t asked_columns, Dataset& dataset) {
  std::size_t num_columns = std::max({train.num_columns, test.num_columns, std::size_t(1)});
  if (asked_columns > 0 && num_columns > asked_columns)
    return input_error("{}: found the index {}, expected at most the {} that 'columns' says",
                       (train.num_columns > asked_columns ? train : test).source.place(), num_columns,
                       asked_columns);
  num_columns = std::max(num_columns, asked_columns);
  MASH_TRY(fill(train, num_columns, dataset.train));
  MASH_TRY(fill(test, num_columns, dataset.test));
  std::vector<std::string_view> texts = train.labels;
  texts.insert(texts.end(), test.labels.begin(), test.labels.end());
  Result<EncodedLabels> labels = encode_labels(texts);
  if (!labels.ok()) return labels.error().at(train.source.place());
  set_labels(*std::move(labels), train.labels.size(), dataset);
  for (std::size_t i = 1; i <= num_columns; ++i) dataset.column_names.push_back(std::to_string(i));
  return Done{};
}

}  // namespace

Result<Dataset> read_libsvm(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const TablePaths paths, find_table_paths(settings, request.name));
  MASH_ASSIGN(const std::int64_t asked_columns, settings.integer("columns", 0, 1, std::int64_t(kMaxColumns)));
  MASH_TRY(settings.finish("data set libsvm"));
  request.work.progress.start("reading libsvm", 1, "tables");
  Dataset dataset;
  SparseFile train, test;
  MASH_ASSIGN(train.source, read_source(paths.train));
  MASH_TRY(parse_file(train));
  dataset.sources.push_back(train.source.file);
  if (paths.test) {
    MASH_ASSIGN(test.source, read_source(*paths.test));
    MASH_TRY(parse_file(test));
    dataset.sources.push_back(test.source.file);
  }
  MASH_TRY(encode(train, test, std::size_t(asked_columns), dataset));
  request.work.progress.finish();
  return dataset;
}

}  // namespace mash
