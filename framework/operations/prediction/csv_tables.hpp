// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "framework/operations/prediction/predict.hpp"
#include "framework/operations/prediction/predict_rows.hpp"
#include "framework/render/data_table.hpp"

// Predictions as tables for other programs: a row for each example. classes: of the model; a column
// score_NAME for each of them, with the score.
namespace mash {

// Columns picture, class, margin; with_broken: and why a picture could not be classified.
DataTable table_of(std::span<const ImagePrediction> predictions, std::span<const std::string> classes,
                   bool with_broken);
// Columns table, row, class, margin, and label where a table has them.
DataTable table_of(std::span<const RowPrediction> predictions, std::span<const std::string> classes);
// Columns example (its name, or else its number from 0), class, margin, and label where there are labels.
// REQUIRES: the prediction has scores.
DataTable table_of(const DatasetPrediction& prediction);

}  // namespace mash
