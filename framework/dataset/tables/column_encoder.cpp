// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/tables/column_encoder.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "framework/base/lower_case.hpp"

namespace mash {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kFewestRows = 5;   // of a column of which one can say that all its names differ
constexpr std::size_t kMostRemarks = 5;  // on columns with unknown names
constexpr std::size_t kMostUnknownShown = 5;
constexpr std::size_t kRowsForPrecision = 2'000;  // of a column, where its numbers are compared

// Letters and other signs of a name that numbers, amounts, dates and times do not have; nothing where the
// name has no digit.
std::optional<std::string> rest_of_number(std::string_view name) {
  constexpr std::string_view kSigns = "0123456789.,:;/+-%'_<>~* \t$";
  constexpr std::string_view kWideSigns[] = {"\u00a0", "\u202f", "\u2212", "\u2013", "\u2019",
                                             "\u20ac", "\u00a3", "\u00a5", "\u20b9"};
  if (name.find_first_of("0123456789") == name.npos) return std::nullopt;
  std::string rest(name);
  std::erase_if(rest, [&](char c) { return kSigns.find(c) != kSigns.npos; });
  for (const std::string_view sign : kWideSigns)
    for (std::size_t at = 0; !rest.empty() && (at = rest.find(sign, at)) != rest.npos;)
      rest.erase(at, sign.size());
  return rest;
}

// Whether the rest is of a power of ten, a time or a month; without regard to case.
bool is_of_a_number(std::string_view rest) {
  static constexpr std::string_view kRests[] = {"",    "e",   "d",   "t",   "z",   "tz",  "am",  "pm",  "chf",
                                                "eur", "usd", "gbp", "jan", "feb", "mar", "apr", "may", "jun",
                                                "jul", "aug", "sep", "oct", "nov", "dec", "inf", "nan"};
  return std::ranges::find(kRests, in_lower_case(rest)) != std::end(kRests);
}

// Names that may be numbers: digits with the signs of amounts, dates and times, or all with one short unit
// behind them.
class NumberAlike {
 public:
  bool takes(std::string_view name) {
    const auto rest = rest_of_number(name);
    if (!rest) return false;
    if (is_of_a_number(*rest)) return true;
    const bool has_unit = rest->size() <= kLongestUnit && name.ends_with(*rest);
    if (has_unit && !unit_) unit_ = *rest;
    return has_unit && *rest == *unit_;
  }

 private:
  static constexpr std::size_t kLongestUnit = 4;
  std::optional<std::string> unit_;
};

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
    const bool is_decimal = !*names && cell.find(',') != cell.npos && !options_.has_decimal_comma;
    return input_error("{}: found '{}', expected a {}{}; the key {}'missing' says what stands for no value{}",
                       plan.place(row, column), cell, *names ? "name" : "number", first,
                       kind == ExpectedColumn::Kind::kNumbers ? "" : "'nominal' lists columns of names, ",
                       is_decimal ? R"(, decimal: "," that 1,5 is a number)" : "");
  }));
  return names.value_or(false);
}

// Names of the training file alone: with others, a model would depend on its test file.
std::vector<std::string> ColumnEncoder::distinct(std::size_t column) const {
  std::set<std::string_view> names;
  const TablePlan& train = *plans_[0];
  for (std::size_t row = 0; row < train.table->num_rows(); ++row)
    if (const std::string_view cell = train.cell(row, column); !is_missing(cell)) names.insert(cell);
  return {names.begin(), names.end()};
}

// Notes a column of names that nobody asked for, where its fields seem to be no names.
void ColumnEncoder::look_at_names(std::size_t column, std::size_t num_names) {
  std::size_t num_present = 0, num_alike = 0;
  std::string_view alike;
  NumberAlike number_alike;
  (void)for_cells(column, [&](const TablePlan&, std::size_t, std::string_view cell) -> Status {
    if (is_missing(cell)) return Done{};
    ++num_present;
    if (!number_alike.takes(cell)) return Done{};
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
    if (expected.names && !expected.takes_unknown)
      return input_error("{}: found '{}', expected one of {}", plan.place(row, column), cell,
                         listed(encoded.names));
    ++num_unknown;
    unknown.insert(cell);
    return Done{};
  }));
  if (num_unknown > 0) {
    const std::vector<std::string_view> names(unknown.begin(), unknown.end());
    unknown_.push_back(fmt::format("column {}: {} value{} that the {} does not {} {} taken as missing: {}",
                                   shortened(name_of(column), 100), num_unknown, num_unknown == 1 ? "" : "s",
                                   expected.names ? "model" : "training file",
                                   expected.names ? "know" : "have", num_unknown == 1 ? "is" : "are",
                                   listed(names, kMostUnknownShown)));
  }
  return Done{};
}

// REQUIRES: every present field is a number
void ColumnEncoder::encode_numbers(std::size_t column, EncodedColumn& encoded) {
  std::vector<double> first_numbers;
  (void)for_cells(column, [&](const TablePlan&, std::size_t, std::string_view cell) -> Status {
    const std::optional<double> number = is_missing(cell) ? std::nullopt : options_.number_in(cell);
    encoded.values.push_back(number ? float(*number) : kMissing);
    if (number && first_numbers.size() < kRowsForPrecision) first_numbers.push_back(*number);
    return Done{};
  });
  look_at_precision(column, std::move(first_numbers));
}

// Notes a column many of whose numbers differ only behind the 24 bits that are kept, as times and long
// numbers of articles do.
void ColumnEncoder::look_at_precision(std::size_t column, std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const auto num_different = [&](const auto& same) {
    std::size_t num = numbers.empty() ? 0 : 1;
    for (std::size_t i = 1; i < numbers.size(); ++i) num += !same(numbers[i - 1], numbers[i]);
    return num;
  };
  const std::size_t num_found = num_different([](double a, double b) { return a == b; });
  const std::size_t num_kept = num_different([](double a, double b) { return float(a) == float(b); });
  if (10 * num_kept < 9 * num_found)
    rounded_.push_back(fmt::format(
        "column {}: {} different numbers become {}, as 24 bits of each are kept; a number that all of them "
        "exceed can be subtracted before",
        shortened(name_of(column), 100), num_found, num_kept));
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
  remarks.insert(remarks.end(), rounded_.begin(),
                 rounded_.begin() + std::ptrdiff_t(std::min(rounded_.size(), kMostRemarks)));
  const std::size_t num_shown = std::min(unknown_.size(), kMostRemarks);
  remarks.insert(remarks.end(), unknown_.begin(), unknown_.begin() + std::ptrdiff_t(num_shown));
  if (num_shown < unknown_.size())
    remarks.push_back(
        fmt::format("... and {} more columns with values that are not known", unknown_.size() - num_shown));
  return remarks;
}

}  // namespace mash
