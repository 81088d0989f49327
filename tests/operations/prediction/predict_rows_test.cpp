// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/prediction/predict_rows.hpp"

#include <rapidcheck/gtest.h>

#include <fstream>
#include <numeric>

#include "classifiers/model/model_file.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "tests/support/generated_table.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

// A model with some stumps on each column of a table, in a file.
class TableModel {
 public:
  TableModel(const testing::GeneratedTable& table, const std::vector<std::size_t>& order) {
    Settings settings;
    settings.add("path", write("train.csv", table.text(order, 0, true, 0)), "test");
    settings.add("label", "class", "test");
    settings.add("header", "yes", "test");
    const auto dataset = load_dataset("csv", settings, 1, testing::quiet_work());
    RC_ASSERT(dataset.ok());
    const auto num_columns = std::uint32_t(dataset->column_names.size());
    StrongClassifier model;
    model.class_names = dataset->class_names;
    model.column_names = dataset->column_names;
    model.category_names = dataset->category_names;
    model.category_names->resize(num_columns);
    model.label_name = dataset->label_name;
    model.families = {{"columns", "columns", "", {}, num_columns}};
    for (std::uint32_t column = 0; column < num_columns; ++column)
      for (const float threshold : {.5f, 1.5f, 2.5f})
        model.hypotheses.push_back(
            {1.0 / (3.0 * column + double(threshold)), {{0, column, threshold}}, {1, -1}, {}});
    write("model.json", serialise(Model(model)));
  }

  Result<std::vector<RowPrediction>> predict(const std::string& text) const {
    return predict_rows({folder_ / "model.json", {}}, {write("new.csv", text)}, {}, testing::quiet_work());
  }

 private:
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  testing::ScratchFolder folder_;
};

// Any order of columns, any part of the rows (and so of the names), any further columns, with or without
// labels: each row is classified as in the table that the model was trained on.
RC_GTEST_PROP(PredictRows, DoNotDependOnTheLayoutOfTheTable, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.rows");
  const testing::GeneratedTable table = testing::generated_table(stream);
  std::vector<std::size_t> order(table.columns.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const TableModel model(table, order);
  const auto all = model.predict(table.text(order, 0, true, 0));
  RC_ASSERT(all.ok());
  stream.shuffle(std::span(order));
  const std::size_t first_row = stream.below(table.cells.size());
  const bool has_labels = stream.below(2) == 0;
  const auto part = model.predict(table.text(order, first_row, has_labels, stream.below(3)));
  RC_ASSERT(part.ok());
  RC_ASSERT(part->size() == all->size() - first_row);
  for (std::size_t n = 0; n < part->size(); ++n) {
    RC_ASSERT((*part)[n].scores == (*all)[first_row + n].scores);
    RC_ASSERT((*part)[n].class_name == (*all)[first_row + n].class_name);
    RC_ASSERT((*part)[n].label.has_value() == has_labels);
  }
}

}  // namespace
}  // namespace mash
