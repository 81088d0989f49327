// SPDX-License-Identifier: Apache-2.0
#include "framework/families/columns/given_columns.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "framework/base/hash.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

// By the numbers of the pictures in listed order.
Result<std::vector<std::uint32_t>> listed_rows(const ColumnTable& table, const Dataset& dataset) {
  const std::size_t num_listed = listed_examples(dataset);
  if (table.num_rows != num_listed)
    return input_error(
        "found {} rows, expected {}, one for each picture that data set {} lists; or rows with the names of "
        "their pictures beside them",
        table.num_rows, num_listed, dataset.name);
  std::vector<std::uint32_t> rows;
  for (const Split* side : {&dataset.train, &dataset.test})
    for (std::size_t n = 0; n < side->num_examples; ++n)
      rows.push_back(side->listed.empty() ? std::uint32_t(rows.size()) : side->listed[n]);
  return rows;
}

Error without_row(const Dataset& dataset, const std::string& picture, const ColumnTable& table) {
  return input_error(
      "found no row for the picture '{}' of data set {}, expected one for each of its pictures (the first of "
      "{} names is '{}')",
      picture, dataset.name, table.names.size(), printable(table.names[0]));
}

// A path from the root, without "." and ".."; nothing of a name that is no path.
std::string whole_path(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::absolute(path, code).lexically_normal().string();
}

// Rows by the names of pictures and, where these are paths, by whole paths; of two names of
// one path the first counts.
class NamedRows {
 public:
  explicit NamedRows(const ColumnTable& table) {
    for (std::uint32_t row = 0; row < table.names.size(); ++row) by_name_.emplace(table.names[row], row);
  }
  std::optional<std::uint32_t> by_name(const std::string& name) const { return find(by_name_, name); }
  std::optional<std::uint32_t> by_path(const std::filesystem::path& path) {
    if (by_path_.empty())  // most tables name all pictures as they are listed
      for (const auto& [name, row] : by_name_) {
        const auto [known, is_new] = by_path_.emplace(whole_path(name), row);
        if (!is_new) known->second = std::min(known->second, row);
      }
    return find(by_path_, whole_path(path));
  }

 private:
  using Rows = std::unordered_map<std::string, std::uint32_t>;
  static std::optional<std::uint32_t> find(const Rows& rows, const std::string& name) {
    const auto found = rows.find(name);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
  }
  Rows by_name_, by_path_;
};

Result<std::vector<std::uint32_t>> named_rows(const ColumnTable& table, const Dataset& dataset) {
  NamedRows row_of(table);
  std::vector<std::uint32_t> rows;
  for (const Split* side : {&dataset.train, &dataset.test})
    for (std::size_t n = 0; n < side->num_examples; ++n) {
      const std::string name = example_name(dataset, *side, n);
      if (name.empty())
        return input_error(
            "found names of pictures, but no name is known of {} picture {} of data set {}; expected a row "
            "for each of its {} pictures in listed order, without names",
            side == &dataset.train ? "training" : "test", n, dataset.name, listed_examples(dataset));
      auto found = row_of.by_name(name);
      if (!found && side->rows.empty()) found = row_of.by_path(dataset.sources[side->files[n]].path);
      if (!found) return without_row(dataset, name, table);
      rows.push_back(*found);
    }
  return rows;
}

}  // namespace

GivenColumns::GivenColumns(ColumnTable table, std::vector<std::uint32_t> rows)
    : table_(std::move(table)), rows_(std::move(rows)) {
  Sha256 hash;
  hash.update(fmt::format("mash-columns-1 {} x {}:", rows_.size(), table_.num_columns));
  for (std::size_t n = 0; n < rows_.size(); ++n) hash.update(std::as_bytes(row(n)));
  sha256_ = hash.hex();
}

Result<GivenColumns> GivenColumns::match(ColumnTable table, const Dataset& dataset) {
  if (dataset.is_table())
    return input_error("found a table, data set {}, expected pictures for columns beside heuristics",
                       dataset.name);
  if (dataset.train.is_endless())
    return input_error(
        "found training pictures without end in data set {}, expected as many as there are rows",
        dataset.name);
  MASH_ASSIGN(std::vector<std::uint32_t> rows,
              table.names.empty() ? listed_rows(table, dataset) : named_rows(table, dataset));
  return GivenColumns(std::move(table), std::move(rows));
}

}  // namespace mash
