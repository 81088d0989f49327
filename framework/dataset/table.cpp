// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/table.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

#include "framework/base/number.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

using Kind = ColumnType::Kind;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

Result<std::size_t> find_column(const std::vector<std::string>& columns, std::string_view wanted,
                                std::string_view key, const TextTable& table) {
  if (const auto named = std::find(columns.begin(), columns.end(), wanted); named != columns.end())
    return std::size_t(named - columns.begin());
  const auto num_columns = std::int64_t(columns.size());
  const auto index = number_in<std::int64_t>(wanted);
  if (index && *index >= -num_columns && *index < num_columns)
    return std::size_t(*index < 0 ? *index + num_columns : *index);
  const std::size_t num_shown = std::min<std::size_t>(columns.size(), 20);
  return input_error("{}: {}: found no column '{}', expected an index from {} to {} or one of {}{}",
                     table.source->place(), key, wanted, -num_columns, num_columns - 1,
                     fmt::join(columns.begin(), columns.begin() + std::ptrdiff_t(num_shown), ", "),
                     num_shown < columns.size() ? ", ..." : "");
}

// Treatment of each column.
struct Plan {
  std::size_t label = 0;
  std::vector<std::size_t> features;
  std::vector<bool> is_nominal;  // by column: asked for by the user
};

Result<Plan> make_plan(const TableOptions& options, const TextTable& table) {
  Plan plan;
  const std::size_t num_columns = table.columns.size();
  if (options.label == "last") {
    plan.label = num_columns - 1;
  } else if (options.label != "first") {
    MASH_ASSIGN(plan.label, find_column(table.columns, options.label, "label", table));
  }
  std::vector<bool> is_ignored(num_columns);
  plan.is_nominal.resize(num_columns);
  for (const std::string& name : options.ignore) {
    MASH_ASSIGN(const std::size_t column, find_column(table.columns, name, "ignore", table));
    is_ignored[column] = true;
  }
  for (const std::string& name : options.nominal) {
    MASH_ASSIGN(const std::size_t column, find_column(table.columns, name, "nominal", table));
    plan.is_nominal[column] = true;
  }
  if (is_ignored[plan.label])
    return input_error("{}: ignore: column {} is the label", table.source->place(),
                       table.columns[plan.label]);
  for (std::size_t column = 0; column < num_columns; ++column)
    if (column != plan.label && !is_ignored[column]) plan.features.push_back(column);
  if (plan.features.empty())
    return input_error("{}: found no column beside the label, expected at least one", table.source->place());
  return plan;
}

// One column of both files after another.
class ColumnEncoder {
 public:
  ColumnEncoder(const TableOptions& options, const TextTable& train, const TextTable* test)
      : missing_(options.missing), tables_{&train} {
    if (test) tables_.push_back(test);
  }

  // Gives the values of all rows, those of the training file first.
  // forced: the user wants names.
  Result<std::vector<float>> encode(std::size_t column, const ColumnType& type, bool forced) {
    values_.clear();
    if (type.kind == Kind::kUnusable)
      return input_error(
          "{}: column {} holds neither numbers nor declared names; the key 'ignore' leaves it out",
          tables_[0]->source->place(), tables_[0]->columns[column]);
    if (type.kind == Kind::kNominal) {
      MASH_TRY(encode_names(column, type.values));
      return std::move(values_);
    }
    MASH_TRY(for_cells(column, [&](const TextTable& table, std::size_t row, std::string_view cell) -> Status {
      if (is_missing(cell) || (!cell.empty() && cell != "?")) return Done{};
      return input_error("{}: found '{}', expected a value; the key 'missing' declares what stands for none",
                         table.place(row, column), cell);
    }));
    MASH_ASSIGN(const bool is_nominal, forced ? Result<bool>(true) : guess_nominal(column, type));
    if (is_nominal) {
      MASH_TRY(encode_names(column, distinct(column)));
    } else {
      encode_numbers(column);
    }
    return std::move(values_);
  }

 private:
  bool is_missing(std::string_view cell) const {
    return std::find(missing_.begin(), missing_.end(), cell) != missing_.end();
  }

  // Calls body(table, row, cell) for every field of the column.
  template <class Body>
  Status for_cells(std::size_t column, const Body& body) const {
    for (const TextTable* table : tables_)
      for (std::size_t row = 0; row < table->num_rows(); ++row)
        MASH_TRY(body(*table, row, table->cell(row, column)));
    return Done{};
  }

  // Whether the column is of names. The first present field decides; the others must be of its kind.
  Result<bool> guess_nominal(std::size_t column, const ColumnType& type) const {
    std::optional<bool> nominal;
    if (type.kind == Kind::kNumeric) nominal = false;
    std::string first;
    MASH_TRY(for_cells(column, [&](const TextTable& table, std::size_t row, std::string_view cell) -> Status {
      if (is_missing(cell)) return Done{};
      const bool is_name = !data_number_in(cell);
      if (!nominal) first = fmt::format(" like '{}' in line {}", cell, table.lines[row]);
      if (is_name == nominal.value_or(is_name)) {
        nominal = is_name;
        return Done{};
      }
      return input_error("{}: found '{}', expected a {}{}; the key 'nominal' lists columns of names",
                         table.place(row, column), cell, *nominal ? "name" : "number", first);
    }));
    return nominal.value_or(false);
  }

  std::vector<std::string> distinct(std::size_t column) const {
    std::map<std::string_view, bool> names;
    (void)for_cells(column, [&](const TextTable&, std::size_t, std::string_view cell) -> Status {
      if (!is_missing(cell)) names[cell] = true;
      return Done{};
    });
    std::vector<std::string> sorted;
    for (const auto& [name, present] : names) sorted.emplace_back(name);
    return sorted;
  }

  Status encode_names(std::size_t column, const std::vector<std::string>& names) {
    std::map<std::string_view, float> index;
    for (std::size_t i = 0; i < names.size(); ++i) index.emplace(names[i], float(i));
    return for_cells(column, [&](const TextTable& table, std::size_t row, std::string_view cell) -> Status {
      const auto found = index.find(cell);
      if (found == index.end() && !is_missing(cell))
        return input_error("{}: found '{}', expected one of {}", table.place(row, column), cell,
                           fmt::join(names, ", "));
      values_.push_back(found == index.end() ? kMissing : found->second);
      return Done{};
    });
  }

  // REQUIRES: every present field is a number
  void encode_numbers(std::size_t column) {
    (void)for_cells(column, [&](const TextTable&, std::size_t, std::string_view cell) -> Status {
      values_.push_back(is_missing(cell) ? kMissing : float(*data_number_in(cell)));
      return Done{};
    });
  }

  std::span<const std::string> missing_;
  std::vector<const TextTable*> tables_;
  std::vector<float> values_;
};

std::string_view without(std::string_view text, std::string_view characters) {
  const std::size_t begin = text.find_first_not_of(characters);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(characters) - begin + 1);
}

Status collect_labels(const TableOptions& options, const TextTable& table, std::size_t column,
                      std::vector<std::string_view>& texts) {
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    const std::string_view cell = table.cell(row, column);
    const std::string_view label = without(cell, options.label_strip);
    const bool is_missing =
        std::find(options.missing.begin(), options.missing.end(), cell) != options.missing.end();
    if (label.empty() || is_missing || cell == "?")
      return input_error("{}: found '{}', expected a label; every example needs one",
                         table.place(row, column), cell);
    texts.push_back(label);
  }
  return Done{};
}

// Declared classes keep their declared order and are there even when no example is of them.
// place: of an example's label.
template <class Place>
Result<EncodedLabels> encode_declared(std::span<const std::string_view> texts,
                                      const std::vector<std::string>& classes, const Place& place) {
  if (classes.size() > UINT16_MAX)
    return input_error("{}: found {} declared classes, expected at most {}", place(0), classes.size(),
                       UINT16_MAX);
  std::map<std::string_view, std::uint16_t> index;
  for (std::size_t i = 0; i < classes.size(); ++i) index.emplace(classes[i], std::uint16_t(i));
  EncodedLabels encoded{classes, {}};
  for (std::size_t n = 0; n < texts.size(); ++n) {
    const auto found = index.find(texts[n]);
    if (found == index.end())
      return input_error("{}: found label '{}', expected one of {}", place(n), texts[n],
                         fmt::join(classes, ", "));
    encoded.labels.push_back(found->second);
  }
  return encoded;
}

Status encode_label_column(const TableOptions& options, const TextTable& train, const TextTable* test,
                           const Plan& plan, const ColumnType& type, Dataset& dataset) {
  std::vector<std::string_view> texts;
  MASH_TRY(collect_labels(options, train, plan.label, texts));
  if (test) MASH_TRY(collect_labels(options, *test, plan.label, texts));
  const auto place = [&](std::size_t example_idx) {
    const bool in_train = example_idx < train.num_rows();
    return (in_train ? train : *test)
        .place(in_train ? example_idx : example_idx - train.num_rows(), plan.label);
  };
  if (type.kind == Kind::kNominal) {
    MASH_ASSIGN(EncodedLabels encoded, encode_declared(texts, type.values, place));
    set_labels(std::move(encoded), train.num_rows(), dataset);
    return Done{};
  }
  Result<EncodedLabels> encoded = encode_labels(texts);
  if (!encoded.ok())
    return encoded.error().at(fmt::format("{}: label {}", train.source->place(), train.columns[plan.label]));
  set_labels(*std::move(encoded), train.num_rows(), dataset);
  return Done{};
}

// Writes a column of values (of both sides) into the rows.
void put_column(const std::vector<float>& column, std::size_t position, Dataset& dataset) {
  const std::size_t num_columns = dataset.column_names.size();
  for (std::size_t row = 0; row < column.size(); ++row) {
    const bool in_train = row < dataset.train.num_examples;
    Split& side = in_train ? dataset.train : dataset.test;
    const std::size_t side_row = in_train ? row : row - dataset.train.num_examples;
    side.values[side_row * num_columns + position] = column[row];
  }
}

}  // namespace

Result<TableOptions> read_table_options(Settings& settings) {
  TableOptions options;
  // Their order has no meaning.
  const auto list = [&](std::string_view key, std::vector<std::string>& parts) -> Status {
    MASH_ASSIGN(parts, settings.list(key));
    std::vector<std::string> sorted = parts;
    std::ranges::sort(sorted);
    if (!parts.empty()) settings.holds(key, list_in_words(sorted));
    return Done{};
  };
  MASH_ASSIGN(options.label, settings.text("label", "last"));
  MASH_ASSIGN(options.label_strip, settings.text("label_strip", ""));
  MASH_TRY(list("ignore", options.ignore));
  MASH_TRY(list("nominal", options.nominal));
  MASH_TRY(list("missing", options.missing));
  return options;
}

Result<EncodedLabels> encode_labels(std::span<const std::string_view> texts) {
  std::map<std::string_view, std::uint16_t> distinct;
  for (const std::string_view text : texts) require(!text.empty(), "encode_labels: no text is empty");
  for (const std::string_view text : texts) distinct.emplace(text, std::uint16_t(0));
  if (distinct.size() > UINT16_MAX)
    return input_error("found {} different labels, expected at most {}", distinct.size(), UINT16_MAX);
  const bool all_numbers = std::all_of(distinct.begin(), distinct.end(),
                                       [](const auto& entry) { return bool(data_number_in(entry.first)); });
  EncodedLabels encoded;
  if (all_numbers) {
    std::map<double, std::uint16_t> numbers;
    for (const auto& entry : distinct) numbers.emplace(*data_number_in(entry.first) + 0.0, std::uint16_t(0));
    for (auto& [number, class_idx] : numbers) {
      class_idx = std::uint16_t(encoded.class_names.size());
      encoded.class_names.push_back(fmt::format("{}", number));
    }
    for (auto& [text, class_idx] : distinct) class_idx = numbers.at(*data_number_in(text));
  } else {
    for (auto& [text, class_idx] : distinct) {
      class_idx = std::uint16_t(encoded.class_names.size());
      encoded.class_names.emplace_back(text);
    }
  }
  encoded.labels.reserve(texts.size());
  for (const std::string_view text : texts) encoded.labels.push_back(distinct.at(text));
  return encoded;
}

void set_labels(EncodedLabels labels, std::size_t num_train, Dataset& dataset) {
  const auto middle = labels.labels.begin() + std::ptrdiff_t(num_train);
  dataset.class_names = std::move(labels.class_names);
  dataset.train.labels.assign(labels.labels.begin(), middle);
  dataset.test.labels.assign(middle, labels.labels.end());
  dataset.train.num_examples = dataset.train.labels.size();
  dataset.test.num_examples = dataset.test.labels.size();
}

Result<Dataset> encode_table(const TableOptions& options, const TextTable& train, const TextTable* test,
                             std::span<const ColumnType> types) {
  for (const TextTable* table : {&train, test})
    if (table && table->num_rows() == 0)
      return input_error("{}: found no rows, expected at least one", table->source->place());
  MASH_ASSIGN(const Plan plan, make_plan(options, train));
  const auto type_of = [&](std::size_t column) { return types.empty() ? ColumnType{} : types[column]; };
  Dataset dataset;
  MASH_TRY(encode_label_column(options, train, test, plan, type_of(plan.label), dataset));

  for (const std::size_t column : plan.features) dataset.column_names.push_back(train.columns[column]);
  dataset.train.values.resize(dataset.train.num_examples * plan.features.size());
  dataset.test.values.resize(dataset.test.num_examples * plan.features.size());
  ColumnEncoder encoder(options, train, test);
  for (std::size_t i = 0; i < plan.features.size(); ++i) {
    const std::size_t column = plan.features[i];
    MASH_ASSIGN(const std::vector<float> values,
                encoder.encode(column, type_of(column), plan.is_nominal[column]));
    put_column(values, i, dataset);
  }
  dataset.sources.push_back(train.source->file);
  if (test) dataset.sources.push_back(test->source->file);
  return dataset;
}

}  // namespace mash
