// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

const char* const kPhasesSql = R"sql(
CREATE TABLE phases (
  experiment_id INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  phase         TEXT NOT NULL,
  seconds       REAL NOT NULL,
  PRIMARY KEY (experiment_id, phase)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace mash
