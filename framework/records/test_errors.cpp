// SPDX-License-Identifier: Apache-2.0
#include "framework/records/database.hpp"
#include "framework/records/records.hpp"

namespace mash {

Status Records::put_test_errors(std::int64_t experiment_id, std::span<const RoundError> errors) {
  return with_database(database(), [&](SQLite::Database& database) -> Status {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement remove(database, "DELETE FROM test_errors WHERE experiment_id = ?");
    SQLite::bind(remove, experiment_id);
    remove.exec();
    SQLite::Statement insert(database, "INSERT INTO test_errors VALUES (?, ?, ?, ?)");
    for (std::size_t i = 0; i < errors.size(); ++i) {
      SQLite::bind(insert, experiment_id, std::int64_t(i + 1), errors[i].test_error, errors[i].seconds);
      insert.exec();
      insert.reset();
    }
    transaction.commit();
    return Done{};
  });
}

Result<std::vector<RoundError>> Records::test_errors(std::int64_t experiment_id) {
  return with_database(database(), [&](SQLite::Database& database) -> Result<std::vector<RoundError>> {
    SQLite::Statement query(
        database, "SELECT test_error, seconds FROM test_errors WHERE experiment_id = ? ORDER BY round");
    query.bind(1, experiment_id);
    std::vector<RoundError> errors;
    while (query.executeStep())
      errors.push_back({query.getColumn(0).getDouble(), query.getColumn(1).getDouble()});
    return errors;
  });
}

}  // namespace mash
