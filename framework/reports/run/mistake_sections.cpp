// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/run/mistake_sections.hpp"

#include <algorithm>

#include "framework/analysis/answers/confusion.hpp"
#include "framework/render/class_matrix.hpp"
#include "framework/render/gallery.hpp"
#include "framework/render/wording.hpp"

namespace mash::sections {
namespace {

using Prediction = RunRecord::Prediction;

constexpr std::size_t kMaxPictures = 12;
constexpr std::size_t kMaxMatrixClasses = 30;
constexpr std::size_t kMaxPairs = 12;

std::string no_predictions(const RunRecord& record) {
  return fmt::format("No prediction of a {} example is recorded.", record.data.judging_side);
}

Confusion confusion_of_run(const RunRecord& record) {
  Confusion confusion(record.data.class_names.size());
  for (const Prediction& prediction : record.predictions)
    confusion.add(prediction.label, prediction.predicted);
  return confusion;
}

Html matrix_cell(std::uint64_t count, bool is_right, std::uint64_t num_mistakes_of_class) {
  if (is_right) return markup("<td class=\"right\">{}</td>", count);
  if (count == 0) return markup("<td class=\"none\">·</td>");
  return markup("<td style=\"--share:{:.2f}\">{}</td>", double(count) / double(num_mistakes_of_class), count);
}

page::Piece full_matrix(const RunRecord& record) {
  const std::size_t num_classes = record.data.class_names.size();
  const Confusion confusion = confusion_of_run(record);
  const auto row_cells = [&](std::size_t label) {
    std::uint64_t total = 0;
    for (std::size_t predicted = 0; predicted < num_classes; ++predicted)
      total += confusion.count(label, predicted);
    const std::uint64_t mistakes = total - confusion.count(label, label);
    Html cells;
    for (std::size_t predicted = 0; predicted < num_classes; ++predicted)
      cells += matrix_cell(confusion.count(label, predicted), predicted == label, mistakes);
    const Cell error = total > 0 ? Cell(double(mistakes) / double(total)) : Cell();
    cells += markup("<td class=\"right number\">{}</td>", show(error, Format::kPercent));
    return cells;
  };
  Table numbers;
  numbers.columns = {{"label", "true", Format::kText}};
  for (std::size_t label = 0; label < num_classes; ++label) {
    numbers.columns.push_back(
        {record.data.class_names[label], record.data.class_names[label], Format::kCount});
    auto& row = numbers.rows.emplace_back();
    row.emplace_back(record.data.class_names[label]);
    for (std::size_t predicted = 0; predicted < num_classes; ++predicted)
      row.emplace_back(std::int64_t(confusion.count(label, predicted)));
  }
  return class_matrix(
      "Rows: the true class; columns: the predicted class. Mistakes are shaded by their share of the "
      "row's mistakes.",
      record.data.class_names, "error", row_cells, numbers);
}

// Pairs that a matrix of many classes would hide.
page::Piece most_confused_pairs(const RunRecord& record) {
  const std::vector<std::string>& class_names = record.data.class_names;
  Table table;
  table.columns = {{"label", "true", Format::kText},
                   {"said", "predicted", Format::kText},
                   {"count", "examples", Format::kCount}};
  for (const ConfusedPair& pair : confusion_of_run(record).pairs(kMaxPairs))
    table.rows.push_back({class_names[pair.label], class_names[pair.predicted], std::int64_t(pair.count)});
  return page::table(
      table, fmt::format("The pairs that were confused most often, of {} classes", class_names.size()));
}

std::vector<Prediction> worst(const RunRecord& record) {
  std::vector<Prediction> mistakes;
  for (const Prediction& prediction : record.predictions) {
    if (prediction.predicted != prediction.label) mistakes.push_back(prediction);
  }
  std::stable_sort(mistakes.begin(), mistakes.end(),
                   [](const Prediction& a, const Prediction& b) { return a.margin < b.margin; });
  mistakes.resize(std::min(mistakes.size(), kMaxPictures));
  return mistakes;
}

Result<page::Piece> pictures(const RunRecord& record, const Dataset& dataset,
                             const std::vector<Prediction>& mistakes) {
  const std::string noun = fmt::format("{} image", record.data.judging_side);
  std::vector<GalleryPicture> pictures;
  for (const Prediction& mistake : mistakes) {
    const std::string &label = record.data.class_names[mistake.label],
                      &predicted = record.data.class_names[mistake.predicted];
    pictures.push_back({mistake.example_idx,
                        fmt::format("{} {}: true {}, predicted {}", capitalized(noun), mistake.example_idx,
                                    label, predicted),
                        markup("true <b>{}</b>, predicted <b>{}</b>, margin {}", label, predicted,
                               with_minus(mistake.margin, 2)),
                        example_name(dataset, dataset.test, mistake.example_idx)});
  }
  return gallery(pictures, {dataset.test, dataset.shape, noun});
}

page::Piece mistakes_table(const RunRecord& record, const std::vector<Prediction>& mistakes) {
  Table table;
  table.columns = {{"example", fmt::format("{} row", record.data.judging_side), Format::kCount},
                   {"label", "true", Format::kText},
                   {"said", "predicted", Format::kText},
                   {"margin", "margin", Format::kDecimal}};
  for (const Prediction& mistake : mistakes) {
    table.rows.push_back({std::int64_t(mistake.example_idx), record.data.class_names[mistake.label],
                          record.data.class_names[mistake.predicted], mistake.margin});
  }
  return page::table(
      table, fmt::format("Rows are counted from 0 in the order of the {} side.", record.data.judging_side));
}

}  // namespace

page::Piece confusion_matrix(const RunRecord& record) {
  if (record.predictions.empty()) return page::note(no_predictions(record));
  return record.data.class_names.size() <= kMaxMatrixClasses ? full_matrix(record)
                                                             : most_confused_pairs(record);
}

Result<page::Piece> worst_mistakes(const RunRecord& record, const Dataset& dataset) {
  if (record.predictions.empty()) return page::note(no_predictions(record));
  const std::vector<Prediction> mistakes = worst(record);
  if (mistakes.empty())
    return page::note(fmt::format("Every {} example is classified rightly.", record.data.judging_side));
  page::Piece out = page::note(fmt::format(
      "The {} mistakes that the classifier is surest of: the margin runs from −1 (all votes for a "
      "wrong class) to 1 (all for the true one).",
      mistakes.size()));
  if (dataset.is_table()) {
    out += mistakes_table(record, mistakes);
    return out;
  }
  MASH_ASSIGN(const page::Piece shown, pictures(record, dataset, mistakes));
  out += shown;
  return out;
}

}  // namespace mash::sections
