// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/tables/table_labels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "framework/base/number.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

std::string_view without(std::string_view text, std::string_view characters) {
  const std::size_t begin = text.find_first_not_of(characters);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(characters) - begin + 1);
}

Status collect_labels(const TableOptions& options, const TablePlan& plan,
                      std::vector<std::string_view>& texts) {
  const TextTable& table = *plan.table;
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    const std::string_view cell = table.cell(row, *plan.label);
    const std::string_view label = without(cell, options.label_strip);
    if (label.empty() || options.is_missing(cell) || cell == "?")
      return input_error("{}: found '{}', expected a label; every example needs one",
                         table.place(row, *plan.label), cell);
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
      return input_error("{}: found label '{}', expected one of {}", place(n), texts[n], listed(classes));
    encoded.labels.push_back(found->second);
  }
  return encoded;
}

// Whether the user says that the labels are names even where they are numbers.
bool are_names(const TableOptions& options, const TablePlan& plan) {
  const ColumnIndex index(*plan.table);
  return std::ranges::any_of(options.nominal, [&](const std::string& name) {
    const auto column = index.column(name, "nominal");
    return column.ok() && *column == *plan.label;
  });
}

bool any_known(const std::vector<std::string>& classes, const TableLayout& layout) {
  const std::set<std::string_view> known(layout.class_names.begin(), layout.class_names.end());
  return std::ranges::any_of(classes, [&](const std::string& name) { return known.contains(name); });
}

}  // namespace

Status encode_label_columns(const TableOptions& options, std::span<const TablePlan* const> plans,
                            const ColumnType& type, const TableLayout* layout, Dataset& dataset) {
  std::vector<std::string_view> texts;
  for (const TablePlan* plan : plans)
    if (plan->label) MASH_TRY(collect_labels(options, *plan, texts));
  const TablePlan& first = *plans[0];
  const std::size_t num_first = first.label ? first.table->num_rows() : 0;
  if (type.kind == ColumnType::Kind::kNominal) {
    MASH_ASSIGN(EncodedLabels encoded, encode_declared(texts, type.values, [&](std::size_t n) {
                  const TablePlan& plan = n < num_first ? first : *plans[1];
                  return plan.table->place(n < num_first ? n : n - num_first, *plan.label);
                }));
    set_labels(std::move(encoded), num_first, dataset);
    return Done{};
  }
  const auto place = [&] {
    return fmt::format("{}: label {}", first.table->source->place(),
                       first.label ? first.table->columns[*first.label] : "");
  };
  if (!layout && !are_names(options, first))
    if (const Status whole = check_whole_labels(texts); !whole.ok())
      return input_error("{}, or that 'nominal' lists it", whole.error().at(place()).message);
  Result<EncodedLabels> encoded =
      layout ? encode_labels_for(layout->class_names, texts) : encode_labels(texts);
  if (!encoded.ok()) return encoded.error().at(place());
  if (layout && layout->has_only_places() && !texts.empty() && !any_known(encoded->class_names, *layout))
    return input_error(
        "{}: found labels such as '{}', none of which is a class of the model; columns without names are "
        "known "
        "by their places: expected the {} columns of the model, with or without the labels",
        first.table->source->place(), texts[0], layout->names.size());
  set_labels(*std::move(encoded), num_first, dataset);
  return Done{};
}

Status check_whole_labels(std::span<const std::string_view> texts) {
  std::string_view fraction;
  std::size_t num_numbers = 0;
  for (const std::string_view text : texts) {
    std::string amount(without(text, " $%\t"));
    if (std::ranges::count(amount, ',') == 1) amount[amount.find(',')] = '.';
    const auto number = data_number_in(amount);
    num_numbers += number.has_value();
    if (number && *number != std::trunc(*number)) fraction = text;
  }
  if (fraction.empty() || 2 * num_numbers <= texts.size()) return Done{};
  return input_error(
      "found labels such as '{}' that are no whole numbers; is it the right column? expected the key 'label' "
      "to name the column of classes",
      fraction);
}

Result<EncodedLabels> encode_labels(std::span<const std::string_view> texts, bool are_names) {
  std::map<std::string_view, std::uint16_t> distinct;
  for (const std::string_view text : texts) require(!text.empty(), "encode_labels: no text is empty");
  for (const std::string_view text : texts) distinct.emplace(text, std::uint16_t(0));
  if (distinct.size() > UINT16_MAX)
    return input_error("found {} different labels, expected at most {}; is it the right column?",
                       distinct.size(), UINT16_MAX);
  const bool all_numbers = !are_names && std::all_of(distinct.begin(), distinct.end(), [](const auto& entry) {
    return bool(data_number_in(entry.first));
  });
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

Result<EncodedLabels> encode_labels_for(std::span<const std::string> class_names,
                                        std::span<const std::string_view> texts) {
  const std::set<std::string_view> known(class_names.begin(), class_names.end());
  std::map<double, std::string_view> by_number;
  for (const std::string& name : class_names)
    if (const auto number = data_number_in(name)) by_number.emplace(*number + 0.0, name);
  std::vector<std::string_view> names(texts.begin(), texts.end());
  for (std::string_view& name : names) {
    const auto number = data_number_in(name);
    if (!number || known.contains(name)) continue;
    if (const auto found = by_number.find(*number + 0.0); found != by_number.end()) name = found->second;
  }
  return encode_labels(names, true);
}

void set_labels(EncodedLabels labels, std::size_t num_train, Dataset& dataset) {
  const auto middle = labels.labels.begin() + std::ptrdiff_t(num_train);
  dataset.class_names = std::move(labels.class_names);
  dataset.train.labels.assign(labels.labels.begin(), middle);
  dataset.test.labels.assign(middle, labels.labels.end());
  dataset.train.num_examples = dataset.train.labels.size();
  dataset.test.num_examples = dataset.test.labels.size();
}

}  // namespace mash
