// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/csv_tables.hpp"

#include <algorithm>
#include <limits>

#include "framework/base/require.hpp"

namespace mash {
namespace {

using Texts = std::vector<std::optional<std::string>>;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// scores_of(n): the scores of row n; none where it has none.
template <class ScoresOf>
void add_scores(std::span<const std::string> classes, std::size_t num_rows, const ScoresOf& scores_of,
                DataTable& table) {
  for (std::size_t l = 0; l < classes.size(); ++l) {
    std::vector<double> column;
    for (std::size_t n = 0; n < num_rows; ++n) {
      const std::span<const double> scores = scores_of(n);
      column.push_back(scores.empty() ? kMissing : scores[l]);
    }
    table.columns.push_back({"score_" + classes[l], std::move(column)});
  }
}

}  // namespace

DataTable table_of(std::span<const ImagePrediction> predictions, std::span<const std::string> classes,
                   bool with_broken) {
  Texts pictures, names, reasons;
  std::vector<double> margins;
  for (const ImagePrediction& prediction : predictions) {
    pictures.push_back(prediction.image);
    names.push_back(prediction.broken ? std::nullopt : std::optional(prediction.class_name));
    margins.push_back(prediction.broken ? kMissing : prediction.margin);
    reasons.push_back(prediction.broken);
  }
  DataTable table{"predictions", {{"picture", pictures}, {"class", names}, {"margin", margins}}};
  if (with_broken) table.columns.push_back({"broken", reasons});
  add_scores(
      classes, predictions.size(), [&](std::size_t n) { return std::span(predictions[n].scores); }, table);
  return table;
}

DataTable table_of(std::span<const RowPrediction> predictions, std::span<const std::string> classes) {
  Texts tables, names, labels;
  std::vector<std::int64_t> rows;
  std::vector<double> margins;
  for (const RowPrediction& prediction : predictions) {
    tables.push_back(prediction.table);
    rows.push_back(std::int64_t(prediction.row));
    names.push_back(prediction.class_name);
    margins.push_back(prediction.margin);
    labels.push_back(prediction.label);
  }
  DataTable table{"predictions", {{"table", tables}, {"row", rows}, {"class", names}, {"margin", margins}}};
  if (std::ranges::any_of(labels, [](const auto& label) { return label.has_value(); }))
    table.columns.push_back({"label", labels});
  add_scores(
      classes, predictions.size(), [&](std::size_t n) { return std::span(predictions[n].scores); }, table);
  return table;
}

DataTable table_of(const DatasetPrediction& prediction) {
  const std::size_t num_classes = prediction.model_classes.size();
  require(prediction.scores.size() == prediction.classes.size() * num_classes,
          "table_of: the prediction has scores");
  Texts examples, labels;
  for (std::size_t n = 0; n < prediction.classes.size(); ++n)
    examples.push_back(prediction.names.empty() ? std::to_string(n) : prediction.names[n]);
  for (const std::uint16_t label : prediction.labels) labels.push_back(prediction.dataset_classes[label]);
  DataTable table{"predictions",
                  {{"example", examples},
                   {"class", Texts(prediction.classes.begin(), prediction.classes.end())},
                   {"margin", prediction.margins}}};
  if (!labels.empty()) table.columns.push_back({"label", labels});
  add_scores(
      prediction.model_classes, prediction.classes.size(),
      [&](std::size_t n) { return std::span(prediction.scores).subspan(n * num_classes, num_classes); },
      table);
  return table;
}

}  // namespace mash
