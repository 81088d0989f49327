// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/operations/prediction/budgeted.hpp"

namespace mash {

// A row of a table, classified.
struct RowPrediction {
  std::string table;    // as it was named
  std::size_t row = 0;  // from 1; a header does not count
  std::string class_name;
  std::optional<std::string> label;  // where the table has them
  double margin = 0;
  std::vector<double> scores;  // one of each class of the model
};

// Whether the model was trained on a table, so that its examples are rows. Errors: those of read_model.
Result<bool> takes_rows(const std::filesystem::path& model);

// Classifies the rows of tables, with or without labels. settings: how the files are to be read, as a data
// set's. Errors (kInput): those of load_model and load_rows; the model was trained on images; kStopped.
Result<std::vector<RowPrediction>> predict_rows(const ModelSource& source,
                                                const std::vector<std::string>& tables,
                                                const Settings& settings, const WorkContext& work);

// The same within a budget; each image of the result is "TABLE:ROW".
Result<PaidImages> predict_rows_within(const ModelSource& source, const std::vector<std::string>& tables,
                                       const Settings& settings, const PredictionBudget& budget,
                                       const WorkContext& work);

nlohmann::ordered_json to_json(std::span<const RowPrediction> predictions);

}  // namespace mash
