// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "classifiers/learners/standard_rows.hpp"
#include "tests/support/world.hpp"

namespace mash::testing {

// Rows of a table's values or codes, standardised by weights.
class RowsOnTable {
 public:
  // values: row by row.
  RowsOnTable(std::vector<float> values, std::size_t num_columns, const std::vector<double>& weights,
              FeatureNumber number = FeatureNumber::kValue)
      : world_(table(values, std::vector<std::uint16_t>(values.size() / num_columns), 2), 2, true),
        rows_(read(number, weights)) {}

  const StandardRows& operator*() const { return rows_; }
  const StandardRows* operator->() const { return &rows_; }
  std::vector<double> squares() const { return rows_.squares(world_.workers); }

 private:
  StandardRows read(FeatureNumber number, const std::vector<double>& weights) const {
    std::vector<std::uint32_t> columns(world_.features().num_features());
    for (std::uint32_t i = 0; i < columns.size(); ++i) columns[i] = i;
    auto rows = StandardRows::read(FeatureMatrix(world_.features(), Side::kTrain, columns, number), weights,
                                   world_.work);
    if (!rows.ok()) throw std::runtime_error(rows.error().message);
    return *std::move(rows);
  }

  World world_;
  StandardRows rows_;
};

}  // namespace mash::testing
