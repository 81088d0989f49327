// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/dataset/tables/table_plan.hpp"

namespace mash {

// Kind of a column that is settled before its fields are looked at.
struct ExpectedColumn {
  enum class Kind { kGuess, kNumbers, kNames } kind = Kind::kGuess;
  // The names behind the codes, in their order; null: those of the first file, in byte order.
  const std::vector<std::string>* names = nullptr;
  bool takes_unknown = false;  // a name that is not among `names` is missing; else it is an error
};

// A column as numbers: of all rows, those of the first file first.
struct EncodedColumn {
  std::vector<float> values;
  std::vector<std::string> names;  // behind the codes, where it is one of names
};

// Turns the fields of columns into numbers, and keeps what is worth a remark.
class ColumnEncoder {
 public:
  // plans: of one or two files with the same columns; they outlive the encoder.
  ColumnEncoder(const TableOptions& options, std::vector<const TablePlan*> plans)
      : options_(options), plans_(std::move(plans)) {}

  // Errors: as encode_table.
  Result<EncodedColumn> encode(std::size_t column, const ExpectedColumn& expected);

  // About the columns so far: empty fields, unknown names, names that look like numbers or are all different,
  // numbers that are no longer different.
  std::vector<std::string> remarks() const;

 private:
  template <class Body>
  Status for_cells(std::size_t column, const Body& body) const;
  const std::string& name_of(std::size_t column) const;
  bool is_missing(std::string_view cell) const { return cell.empty() || options_.is_missing(cell); }
  Status check_undeclared(std::size_t column);
  Result<bool> guess_names(std::size_t column, ExpectedColumn::Kind kind) const;
  std::vector<std::string> distinct(std::size_t column) const;
  void look_at_names(std::size_t column, std::size_t num_names);
  Status encode_names(std::size_t column, const ExpectedColumn& expected, EncodedColumn& encoded);
  void encode_numbers(std::size_t column, EncodedColumn& encoded);
  void look_at_precision(std::size_t column, std::vector<double> numbers);

  const TableOptions& options_;
  std::vector<const TablePlan*> plans_;
  std::size_t num_empty_ = 0;
  std::vector<std::string> with_empty_, like_numbers_, all_different_;  // names of columns
  std::string number_alike_;                    // a name in the first of like_numbers_
  std::vector<std::string> unknown_, rounded_;  // a remark for each column
};

}  // namespace mash
