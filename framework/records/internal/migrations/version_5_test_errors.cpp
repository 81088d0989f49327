// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

const char* const kTestErrorsSql = R"sql(
CREATE TABLE test_errors (
  experiment_id INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  round         INTEGER NOT NULL,
  test_error    REAL NOT NULL,
  seconds       REAL NOT NULL,
  PRIMARY KEY (experiment_id, round)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace mash
