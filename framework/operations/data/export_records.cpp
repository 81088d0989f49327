// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/export_records.hpp"

#include "framework/operations/common/places.hpp"
#include "framework/records/data_tables.hpp"

namespace mash {

Result<std::vector<DataTable>> record_tables(const std::filesystem::path& database,
                                             std::vector<std::string> names) {
  if (names.empty()) names.assign(data_table_names().begin(), data_table_names().end());
  MASH_ASSIGN(const RecordsReader records, open_records(database));
  return read_data_tables(records, names);
}

Result<std::vector<DataTable>> export_records(const std::filesystem::path& database,
                                              std::vector<std::string> names, DataFormat format,
                                              const std::filesystem::path& output) {
  MASH_TRY(check_data_files(format, output));
  MASH_ASSIGN(std::vector<DataTable> tables, record_tables(database, std::move(names)));
  MASH_TRY(write_tables(tables, format, output));
  return tables;
}

}  // namespace mash
