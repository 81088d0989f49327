// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// A tree or a product has several cuts a round.
const char* const kCutsSql = R"sql(
CREATE TABLE cuts (
  experiment_id INTEGER NOT NULL,
  round         INTEGER NOT NULL,
  cut_idx       INTEGER NOT NULL,
  family_idx    INTEGER NOT NULL,
  feature_idx   INTEGER NOT NULL,
  threshold     REAL,
  PRIMARY KEY (experiment_id, round, cut_idx),
  FOREIGN KEY (experiment_id, round) REFERENCES rounds(experiment_id, round) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO cuts SELECT experiment_id, round, 0, family_idx, feature_idx, threshold FROM rounds;
ALTER TABLE rounds DROP COLUMN family_idx;
ALTER TABLE rounds DROP COLUMN feature_idx;
ALTER TABLE rounds DROP COLUMN threshold;
)sql";

}  // namespace mash
