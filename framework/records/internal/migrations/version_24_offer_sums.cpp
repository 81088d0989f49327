// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Sums by which gains of a pool are told apart, seed by seed and example by example: a row for each number of
// seeds with which a test was looked at. The nearest family of the pool says of what a heuristic is a near
// copy. Tests of former versions have neither.
const char* const kOfferSumsSql = R"sql(
ALTER TABLE offer_tests ADD COLUMN nearest TEXT NOT NULL DEFAULT '';
ALTER TABLE offer_tests ADD COLUMN nearest_cka REAL NOT NULL DEFAULT 0;

CREATE TABLE offer_sums (
  offer_id    INTEGER NOT NULL REFERENCES offer_tests(id) ON DELETE CASCADE,
  num_seeds   INTEGER NOT NULL,
  gain        REAL NOT NULL,
  of_seeds    BLOB NOT NULL,
  of_examples BLOB NOT NULL,
  PRIMARY KEY (offer_id, num_seeds)
) STRICT;
)sql";

}  // namespace mash
