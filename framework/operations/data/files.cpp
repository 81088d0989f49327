// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/files.hpp"

#include <array>

#include "framework/base/file.hpp"
#include "framework/base/settings.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/data/npz_writer.hpp"

namespace mash {

std::string_view to_string(DataFormat format) { return format == DataFormat::kNpz ? "npz" : "csv"; }

Result<DataFormat> data_format_named(std::string_view name) {
  constexpr std::array<std::string_view, 2> kKnown{"npz", "csv"};
  if (name == kKnown[0]) return DataFormat::kNpz;
  if (name == kKnown[1]) return DataFormat::kCsv;
  return unknown_name("format", name, kKnown);
}

Status check_data_files(DataFormat format, const std::filesystem::path& path) {
  if (format == DataFormat::kNpz) return check_output_file("output", path);
  std::error_code code;
  if (std::filesystem::exists(path, code) && !std::filesystem::is_directory(path, code))
    return input_error("output {}: is a file, expected a folder, which gets a file for each table",
                       path.string());
  return check_output_file("output", path / "table.csv");
}

Status write_tables(std::span<const DataTable> tables, DataFormat format, const std::filesystem::path& path) {
  MASH_TRY(check_data_files(format, path));
  if (format == DataFormat::kCsv) {
    for (const DataTable& table : tables)
      MASH_TRY(write_file_atomically(path / (table.name + ".csv"), to_csv(table)));
    return Done{};
  }
  MASH_ASSIGN(NpzWriter file, NpzWriter::open(path));
  for (const DataTable& table : tables)
    for (const DataColumn& column : table.columns)
      MASH_TRY(file.add(table.name + "/" + column.name, column.values));
  return file.close();
}

}  // namespace mash
