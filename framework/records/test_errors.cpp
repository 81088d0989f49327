// SPDX-License-Identifier: Apache-2.0
#include "framework/records/test_errors.hpp"

#include "framework/records/internal/connection.hpp"

namespace mash {

Status put_test_errors(Records& records, std::int64_t run_id, std::span<const RoundError> errors) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement remove(database, "DELETE FROM test_errors WHERE experiment_id = ?");
    SQLite::bind(remove, run_id);
    remove.exec();
    SQLite::Statement insert(database, "INSERT INTO test_errors VALUES (?, ?, ?, ?)");
    for (std::size_t i = 0; i < errors.size(); ++i) {
      SQLite::bind(insert, run_id, std::int64_t(i + 1), errors[i].test_error, errors[i].seconds);
      insert.exec();
      insert.reset();
    }
    return Done{};
  });
}

Result<std::vector<RoundError>> read_test_errors(const RecordsReader& records, std::int64_t run_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<RoundError>> {
    SQLite::Statement query(
        database, "SELECT test_error, seconds FROM test_errors WHERE experiment_id = ? ORDER BY round");
    query.bind(1, run_id);
    std::vector<RoundError> errors;
    while (query.executeStep())
      errors.push_back({query.getColumn(0).getDouble(), query.getColumn(1).getDouble()});
    return errors;
  });
}

}  // namespace mash
