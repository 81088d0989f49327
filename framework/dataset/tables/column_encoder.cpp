// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/tables/column_encoder.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace mash {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kFewestRows = 5;   // of a column of which one can say that all its names differ
constexpr std::size_t kMostRemarks = 5;  // on columns with unknown names
constexpr std::size_t kMostUnknownShown = 5;

// Whether a name is made of digits and the signs that numbers, amounts, dates and times have.
bool looks_like_a_number(std::string_view name) {
  constexpr std::string_view kSigns = "0123456789.,:;/+-%'eE \t$";
  const bool has_digit = name.find_first_of("0123456789") != name.npos;
  const bool is_ascii = name.find_first_not_of(kSigns) == name.npos;
  constexpr std::string_view kWideSigns[] = {"\u00a0", "\u202f", "\u2212", "\u20ac", "\u00a3", "\u2019"};
  std::string narrow(name);
  if (!is_ascii)
    for (const std::string_view sign : kWideSigns)
      for (std::size_t at = 0; (at = narrow.find(sign, at)) != narrow.npos;) narrow.erase(at, sign.size());
  return has_digit && narrow.find_first_not_of(kSigns) == narrow.npos;
}

}  // namespace

template <class Body>
Status ColumnEncoder::for_cells(std::size_t column, const Body& body) const {
  for (const TablePlan* plan : plans_)
    for (std::size_t row = 0; row < plan->table->num_rows(); ++row)
      MASH_TRY(body(*plan, row, plan->cell(row, column)));
  return Done{};
}

const std::string& ColumnEncoder::name_of(std::size_t column) const {
  return plans_[0]->table->columns[plans_[0]->columns[column]];
}

// Refuses "?" where nobody declared it; counts empty fields that nobody declared.
Status ColumnEncoder::check_undeclared(std::size_t column) {
  std::size_t num_empty = 0;
  MASH_TRY(for_cells(column, [&](const TablePlan& plan, std::size_t row, std::string_view cell) -> Status {
    if (options_.is_missing(cell)) return Done{};
    num_empty += cell.empty();
    if (cell != "?") return Done{};
    return input_error("{}: found '{}', expected a value; the key 'missing' declares what stands for none",
                       plan.place(row, column), cell);
  }));
  if (num_empty > 0) with_empty_.push_back(name_of(column));
  num_empty_ += num_empty;
  return Done{};
}

// Whether the column is of names. The first present field decides; the others must be of its kind.
Result<bool> ColumnEncoder::guess_names(std::size_t column, ExpectedColumn::Kind kind) const {
  std::optional<bool> names;
  if (kind == ExpectedColumn::Kind::kNumbers) names = false;
  std::string first;
  MASH_TRY(for_cells(column, [&](const TablePlan& plan, std::size_t row, std::string_view cell) -> Status {
    if (is_missing(cell)) return Done{};
    const bool is_name = !options_.number_in(cell);
    if (!names) first = fmt::format(" like '{}' in line {}", shortened(cell, 100), plan.table->lines[row]);
    if (is_name == names.value_or(is_name)) {
      names = is_name;
      return Done{};
    }
    return input_error(
        "{}: found '{}', expected a {}{}; the key 'nominal' lists columns of names, 'missing' what stands "
        "for no value",
        plan.place(row, column), cell, *names ? "name" : "number", first);
  }));
  return names.value_or(false);
}

std::vector<std::string> ColumnEncoder::distinct(std::size_t column) const {
  std::set<std::string_view> names;
  (void)for_cells(column, [&](const TablePlan&, std::size_t, std::string_view cell) -> Status {
    if (!is_missing(cell)) names.insert(cell);
    return Done{};
  });
  return {names.begin(), names.end()};
}

// Notes a column of names that nobody asked for, where its fields seem to be no names.
void ColumnEncoder::look_at_names(std::size_t column, std::size_t num_names) {
  std::size_t num_present = 0, num_alike = 0;
  std::string_view alike;
  (void)for_cells(column, [&](const TablePlan&, std::size_t, std::string_view cell) -> Status {
    if (is_missing(cell)) return Done{};
    ++num_present;
    if (!looks_like_a_number(cell)) return Done{};
    ++num_alike;
    alike = cell;
    return Done{};
  });
  if (10 * num_alike > 9 * num_present) {
    if (like_numbers_.empty()) number_alike_ = shortened(alike, 100);
    like_numbers_.push_back(name_of(column));
  } else if (num_present >= kFewestRows && 10 * num_names > 9 * num_present) {
    all_different_.push_back(name_of(column));
  }
}

Status ColumnEncoder::encode_names(std::size_t column, const ExpectedColumn& expected,
                                   EncodedColumn& encoded) {
  encoded.names = expected.names ? *expected.names : distinct(column);
  std::unordered_map<std::string_view, float> codes;
  for (std::size_t i = 0; i < encoded.names.size(); ++i) codes.emplace(encoded.names[i], float(i));
  std::set<std::string_view> unknown;
  std::size_t num_unknown = 0;
  MASH_TRY(for_cells(column, [&](const TablePlan& plan, std::size_t row, std::string_view cell) -> Status {
    const auto found = codes.find(cell);
    encoded.values.push_back(found == codes.end() ? kMissing : found->second);
    if (found != codes.end() || is_missing(cell)) return Done{};
    if (!expected.takes_unknown)
      return input_error("{}: found '{}', expected one of {}", plan.place(row, column), cell,
                         listed(encoded.names));
    ++num_unknown;
    unknown.insert(cell);
    return Done{};
  }));
  if (num_unknown > 0) {
    const std::vector<std::string_view> names(unknown.begin(), unknown.end());
    unknown_.push_back(
        fmt::format("column {}: {} value{} that the model does not know {} taken as missing: {}",
                    shortened(name_of(column), 100), num_unknown, num_unknown == 1 ? "" : "s",
                    num_unknown == 1 ? "is" : "are", listed(names, kMostUnknownShown)));
  }
  return Done{};
}

// REQUIRES: every present field is a number
void ColumnEncoder::encode_numbers(std::size_t column, EncodedColumn& encoded) const {
  (void)for_cells(column, [&](const TablePlan&, std::size_t, std::string_view cell) -> Status {
    encoded.values.push_back(is_missing(cell) ? kMissing : float(*options_.number_in(cell)));
    return Done{};
  });
}

Result<EncodedColumn> ColumnEncoder::encode(std::size_t column, const ExpectedColumn& expected) {
  EncodedColumn encoded;
  MASH_TRY(check_undeclared(column));
  const bool is_guess = expected.kind == ExpectedColumn::Kind::kGuess;
  bool is_names = expected.kind == ExpectedColumn::Kind::kNames;
  if (!is_names) {
    MASH_ASSIGN(is_names, guess_names(column, expected.kind));
  }
  if (!is_names) {
    encode_numbers(column, encoded);
    return encoded;
  }
  MASH_TRY(encode_names(column, expected, encoded));
  if (is_guess) look_at_names(column, encoded.names.size());
  return encoded;
}

std::vector<std::string> ColumnEncoder::remarks() const {
  const auto columns = [](const std::vector<std::string>& names) {
    return fmt::format("{} {}", names.size() == 1 ? "column" : "columns", listed(names));
  };
  std::vector<std::string> remarks;
  if (num_empty_ > 0)
    remarks.push_back(
        fmt::format("{} of {}: taken as missing",
                    num_empty_ == 1 ? "1 empty field" : fmt::format("{} empty fields", num_empty_),
                    columns(with_empty_)));
  if (!like_numbers_.empty())
    remarks.push_back(fmt::format(
        "{}: found names such as '{}' that look like numbers; as names they have the order of their texts{}; "
        "'ignore' leaves columns out, 'nominal' says that they are names",
        columns(like_numbers_), number_alike_,
        number_alike_.find(',') != number_alike_.npos ? " (decimal: \",\" reads 1,5 as a number)" : ""));
  if (!all_different_.empty())
    remarks.push_back(fmt::format(
        "{}: nearly every row has a name of its own, from which nothing can be learned; 'ignore' leaves "
        "columns out",
        columns(all_different_)));
  const std::size_t num_shown = std::min(unknown_.size(), kMostRemarks);
  remarks.insert(remarks.end(), unknown_.begin(), unknown_.begin() + std::ptrdiff_t(num_shown));
  if (num_shown < unknown_.size())
    remarks.push_back(fmt::format("... and {} more columns with values that the model does not know",
                                  unknown_.size() - num_shown));
  return remarks;
}

}  // namespace mash
