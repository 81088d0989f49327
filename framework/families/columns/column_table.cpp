// SPDX-License-Identifier: Apache-2.0
#include "framework/families/columns/column_table.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "framework/base/file.hpp"
#include "framework/base/utf8.hpp"
#include "framework/families/columns/npy_array.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestColumnsName = 64;

bool is_in_columns_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.';
}

// A name a line; the ends of lines are those of any system.
std::vector<std::string> lines_of_names(std::string_view text) {
  std::vector<std::string> names;
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    names.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

fs::path file_of_names(const fs::path& file, std::string_view ending) {
  fs::path beside = file;
  return beside.replace_filename(file.stem().string() + ".names" + std::string(ending));
}

struct PictureNames {
  fs::path file;
  std::vector<std::string> names;
};

// Nothing where neither of the files is there.
Result<std::optional<PictureNames>> read_names(const fs::path& text_file, const fs::path& array_file) {
  std::error_code code;
  const bool has_text = fs::exists(text_file, code), has_array = fs::exists(array_file, code);
  if (has_text && has_array)
    return input_error("{}: found {} beside it, expected one file with the names of the pictures",
                       text_file.string(), array_file.filename().string());
  if (has_array) {
    MASH_ASSIGN(const std::string bytes, read_file(array_file, kAnyFileBytes));
    auto names = parse_npy_texts(bytes);
    if (!names.ok()) return names.error().at(array_file.string());
    return std::optional(PictureNames{array_file, *std::move(names)});
  }
  if (!has_text) return std::optional<PictureNames>();
  MASH_ASSIGN(const std::string text, read_file(text_file));
  MASH_TRY(check_utf8(text, text_file.string()));
  return std::optional(PictureNames{text_file, lines_of_names(text)});
}

Status check_names(const PictureNames& found, std::size_t num_rows) {
  const std::string file = found.file.string();
  if (found.names.size() != num_rows)
    return input_error("{}: found {} names of pictures beside {} rows, expected a name for each row", file,
                       found.names.size(), num_rows);
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::size_t i = 0; i < num_rows; ++i)
    if (const auto [row, is_new] = rows.emplace(found.names[i], i); !is_new)
      return input_error(
          "{}: found the picture '{}' as name {} and as name {}, expected one row for a picture", file,
          printable(found.names[i]), row->second + 1, i + 1);
  return Done{};
}

}  // namespace

bool is_columns_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestColumnsName && std::ranges::all_of(name, is_in_columns_name);
}

std::string columns_id(const fs::path& file) {
  std::string name = file.stem().string().substr(0, kLongestColumnsName);
  std::ranges::replace_if(
      name, [](char c) { return !is_in_columns_name(c); }, '_');
  return std::string(kGivenColumns) + (name.empty() ? "_" : name);
}

Result<ColumnTable> read_column_table(const fs::path& file) {
  MASH_ASSIGN(const std::string bytes, read_file(file, kAnyFileBytes));
  auto numbers = parse_npy_numbers(bytes);
  if (!numbers.ok()) return numbers.error().at(file.string());
  ColumnTable table{numbers->num_rows, std::uint32_t(numbers->num_columns), std::move(numbers->values), {}};
  MASH_ASSIGN(auto names, read_names(file_of_names(file, ".txt"), file_of_names(file, ".npy")));
  if (!names) return table;
  MASH_TRY(check_names(*names, table.num_rows));
  table.names = std::move(names->names);
  return table;
}

}  // namespace mash
