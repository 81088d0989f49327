// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Losses, seed by seed and example by example: from the sums of offer_tests two versions of a heuristic could
// not be compared on the same seeds and examples.
const char* const kOfferDetailsSql = R"sql(
CREATE TABLE offer_judges (
  offer_id    INTEGER PRIMARY KEY REFERENCES offer_tests(id) ON DELETE CASCADE,
  class_names TEXT NOT NULL,
  labels      BLOB NOT NULL
) STRICT;

CREATE TABLE offer_details (
  id       INTEGER PRIMARY KEY,
  offer_id INTEGER NOT NULL REFERENCES offer_tests(id) ON DELETE CASCADE,
  seed     INTEGER NOT NULL,
  gain     REAL NOT NULL,
  losses   BLOB NOT NULL,
  UNIQUE (offer_id, seed)
) STRICT;
)sql";

}  // namespace mash
