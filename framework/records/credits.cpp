// SPDX-License-Identifier: Apache-2.0
#include "framework/records/credits.hpp"

#include "framework/records/internal/blobs.hpp"
#include "framework/records/internal/connection.hpp"

namespace mash {
namespace {

void put_parts(SQLite::Database& database, const CreditedPool& pool, const CreditRow& row) {
  SQLite::Statement insert(database, "INSERT INTO credit_parts VALUES (?, ?, ?, ?, ?, ?, ?)");
  SQLite::bind(insert, pool.dataset_fingerprint, pool.together_key, row.heuristic, row.version);
  rows::bind_blob(insert, 5, row.parts.of_pairs);
  rows::bind_blob(insert, 6, row.parts.of_seeds);
  rows::bind_blob(insert, 7, row.parts.of_pictures);
  insert.exec();
}

}  // namespace

Status keep_credits(Records& records, const CreditedPool& pool, std::span<const CreditRow> credits) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement former(database,
                             "DELETE FROM credits WHERE dataset_fingerprint = ? AND together_key = ?");
    SQLite::bind(former, pool.dataset_fingerprint, pool.together_key);
    former.exec();
    SQLite::Statement insert(database, R"sql(
      INSERT INTO credits (dataset_fingerprint, together_key, rounds, heuristic, version, credit, standard_error)
      VALUES (?, ?, ?, ?, ?, ?, ?))sql");
    for (const CreditRow& row : credits) {
      SQLite::bind(insert, pool.dataset_fingerprint, pool.together_key, pool.rounds, row.heuristic,
                   row.version, row.credit);
      if (row.standard_error)
        insert.bind(7, *row.standard_error);
      else
        insert.bind(7);
      insert.exec();
      insert.reset();
      put_parts(database, pool, row);
    }
    return Done{};
  });
}

}  // namespace mash
