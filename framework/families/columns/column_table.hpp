// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// The families of columns that somebody gives for pictures are called "columns:NAME".
inline constexpr std::string_view kGivenColumns = "columns:";

// Whether a family of this id has columns of a file: no plugin computes them.
inline bool has_given_columns(std::string_view heuristic_id) {
  return heuristic_id.starts_with(kGivenColumns);
}

// "columns:embeddings" of data/embeddings.npy, where letters other than those of is_columns_name are '_'.
std::string columns_id(const std::filesystem::path& file);

// Whether a name consists of letters of ASCII, digits, '_', '-' and '.', at most 64 of them.
bool is_columns_name(std::string_view name);

// Values that somebody gives for pictures, a row for each.
struct ColumnTable {
  std::size_t num_rows = 0;
  std::uint32_t num_columns = 0;
  std::vector<float> values;       // finite, row by row
  std::vector<std::string> names;  // of the picture of each row; none: of all pictures in listed order
};

// Reads a .npy file of numbers (parse_npy_numbers), and the names of the pictures beside it: of
// "embeddings.npy" the file "embeddings.names.txt", with a name a line, or "embeddings.names.npy", an array
// of texts. Errors (kInput): there is no such file; those of the two readers; both files of names are there;
// another number of names than of rows; a name that is there twice.
Result<ColumnTable> read_column_table(const std::filesystem::path& file);

}  // namespace mash
