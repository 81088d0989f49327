// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Calls in which heuristics ended their worker process while the features of a run were computed.
const char* const kIncidentsSql = R"sql(
CREATE TABLE incidents (
  experiment_id INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  incident_idx  INTEGER NOT NULL,
  heuristic     TEXT NOT NULL,
  call          TEXT NOT NULL,
  image         INTEGER,
  ended         TEXT NOT NULL,
  errors        TEXT NOT NULL,
  PRIMARY KEY (experiment_id, incident_idx)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace mash
