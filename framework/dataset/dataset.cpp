// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "framework/base/require.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// The class of the first training example.
const std::string& first_class(const Dataset& dataset) {
  return dataset.class_names[dataset.train.labels[0]];
}

}  // namespace

std::string file_name(const SourceFile& file) {
  return printable(file.name.empty() ? file.path.filename().string() : file.name);
}

std::string example_name(const Dataset& dataset, const Split& side, std::size_t example_idx) {
  if (example_idx >= side.files.size()) return "";
  const std::string file = file_name(dataset.sources.at(side.files[example_idx]));
  return side.rows.empty() ? file : fmt::format("{}#{}", file, side.rows[example_idx]);
}

std::vector<std::string> example_names(const Dataset& dataset, const Split& side) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < side.files.size(); ++n) names.push_back(example_name(dataset, side, n));
  return names;
}

void name_rows(std::uint32_t file, Split& side) {
  for (std::uint32_t row = 0; side.files.size() < side.num_examples; ++row) {
    side.files.push_back(file);
    side.rows.push_back(row);
  }
}

void drop_sources(const std::vector<bool>& forgotten, Dataset& dataset) {
  std::vector<std::uint32_t> places(dataset.sources.size());
  std::vector<SourceFile> kept;
  for (std::size_t i = 0; i < dataset.sources.size(); ++i) {
    places[i] = std::uint32_t(kept.size());
    if (!forgotten[i]) kept.push_back(std::move(dataset.sources[i]));
  }
  for (Split* side : {&dataset.train, &dataset.test})
    for (std::uint32_t& file : side->files) {
      require(!forgotten[file], "drop_sources: no example of a side has such a file");
      file = places[file];
    }
  dataset.sources = std::move(kept);
}

void forget_names(Dataset& dataset) {
  std::vector<bool> forgotten(dataset.sources.size());
  for (Split* side : {&dataset.train, &dataset.test}) {
    if (side->has_a_file_each())
      for (const std::uint32_t file : side->files) forgotten[file] = true;
    side->files.clear();
    side->rows.clear();
  }
  drop_sources(forgotten, dataset);
}

void list_examples(Dataset& dataset) {
  if (dataset.train.is_endless()) return;
  dataset.num_listed = 0;
  for (Split* side : {&dataset.train, &dataset.test}) {
    side->listed.resize(side->num_examples);
    std::iota(side->listed.begin(), side->listed.end(), std::uint32_t(dataset.num_listed));
    dataset.num_listed += side->num_examples;
  }
}

std::size_t listed_examples(const Dataset& dataset) {
  return dataset.num_listed > 0 ? dataset.num_listed : dataset.train.num_examples + dataset.test.num_examples;
}

std::vector<std::size_t> class_counts(const Split& split, std::size_t num_classes) {
  std::vector<std::size_t> counts(num_classes);
  for (const std::uint16_t label : split.labels) ++counts[label];
  return counts;
}

std::size_t num_sequences(const Dataset& dataset) {
  const auto of_side = [](const Split& split) {
    return std::ranges::count_if(split.frames, [](const Frame& frame) { return frame.place == 0; });
  };
  return std::size_t(of_side(dataset.train) + of_side(dataset.test));
}

Status check_classes(const Dataset& dataset) {
  const auto train = class_counts(dataset.train, dataset.num_classes()),
             test = class_counts(dataset.test, dataset.num_classes());
  // Pictures with a file each are of the class of their folder; others come with their labels.
  const auto is_right = dataset.is_table() ? "is the column right that the key 'label' names?"
                        : dataset.train.has_a_file_each()
                            ? "are the pictures in a folder for each class?"
                            : "are 'train' and 'test' large enough, and the labels those of the pictures?";
  const auto num_learnt = std::ranges::count_if(train, [](std::size_t count) { return count > 0; });
  if (num_learnt < 2)
    return input_error(
        "data set {}: found {} with training examples, expected two classes at least; {}", dataset.name,
        num_learnt == 0 ? "no class" : fmt::format("one class, '{}',", shortened(first_class(dataset), 100)),
        is_right);
  std::size_t num_alone = 0;
  for (std::size_t l = 0; l < train.size(); ++l) num_alone += train[l] + test[l] == 1;
  const std::size_t num_examples = dataset.train.num_examples + dataset.test.num_examples;
  if (2 * num_alone > num_examples)
    return input_error(
        "data set {}: found {} of {} examples alone in their class, expected classes of several examples; {}",
        dataset.name, num_alone, num_examples, is_right);
  return Done{};
}

std::vector<ColumnSummary> column_summaries(const Dataset& dataset) {
  std::vector<ColumnSummary> summaries;
  const std::size_t num_columns = dataset.column_names.size();
  std::vector<float> present;
  for (std::size_t column = 0; column < num_columns; ++column) {
    ColumnSummary& summary = summaries.emplace_back();
    summary.name = dataset.column_names[column];
    summary.has_names = !dataset.categories_of(column).empty();
    present.clear();
    for (const Split* side : {&dataset.train, &dataset.test})
      for (std::size_t n = 0; n < side->num_examples; ++n)
        if (const float value = side->values[n * num_columns + column]; std::isnan(value))
          ++summary.num_missing;
        else
          present.push_back(value);
    std::ranges::sort(present);
    summary.num_distinct = std::size_t(std::unique(present.begin(), present.end()) - present.begin());
  }
  return summaries;
}

Json to_json(const Dataset& dataset) {
  Json json{{"name", dataset.name},
            {"fingerprint", dataset.fingerprint},
            {"train", dataset.train.num_examples},
            {"endless", dataset.train.is_endless()},
            {"test", dataset.test.num_examples},
            {"width", dataset.shape.width},
            {"height", dataset.shape.height},
            {"channels", dataset.shape.num_channels},
            {"cameras", dataset.shape.num_cameras},
            {"sequences", num_sequences(dataset)},
            {"columns", dataset.column_names},
            {"column_summaries", Json::array()},
            {"classes", Json::array()},
            {"sources", Json::array()},
            {"warnings", dataset.warnings}};
  const auto train = class_counts(dataset.train, dataset.num_classes()),
             test = class_counts(dataset.test, dataset.num_classes());
  for (std::size_t l = 0; l < dataset.num_classes(); ++l)
    json["classes"].push_back({{"name", dataset.class_names[l]}, {"train", train[l]}, {"test", test[l]}});
  for (const ColumnSummary& column : column_summaries(dataset))
    json["column_summaries"].push_back({{"name", column.name},
                                        {"kind", column.has_names ? "names" : "numbers"},
                                        {"distinct", column.num_distinct},
                                        {"missing", column.num_missing}});
  for (const SourceFile& source : dataset.sources)
    json["sources"].push_back(
        {{"path", source.path.string()}, {"sha256", source.sha256}, {"bytes", source.num_bytes}});
  return json;
}

}  // namespace mash
