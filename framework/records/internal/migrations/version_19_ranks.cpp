// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Figures from which ranks are computed. Offers of one procedure alone are set side by side: the first one
// scaled scores without an example in doubt, and drew the newcomer's features by its name. Credits keep the
// parts of which they are means, so that two of one pool can be told apart by the differences of their parts.
// Judgements keep sums of losses for the same end, and a digest of the features, by which copies are known.
const char* const kRanksSql = R"sql(
ALTER TABLE offer_tests ADD COLUMN procedure INTEGER NOT NULL DEFAULT 1;

CREATE TABLE credit_parts (
  dataset_fingerprint TEXT NOT NULL,
  together_key        TEXT NOT NULL,
  heuristic           TEXT NOT NULL,
  version             TEXT NOT NULL,
  of_pairs            BLOB NOT NULL,
  of_seeds            BLOB NOT NULL,
  PRIMARY KEY (dataset_fingerprint, together_key, heuristic, version),
  FOREIGN KEY (dataset_fingerprint, together_key, heuristic, version) REFERENCES credits ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE judgement_losses (
  submission_id INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
  num_seeds     INTEGER NOT NULL,
  procedure     INTEGER NOT NULL,
  of_seeds      BLOB NOT NULL,
  of_examples   BLOB NOT NULL,
  PRIMARY KEY (submission_id, num_seeds)
) STRICT;

CREATE TABLE judgement_features (
  submission_id INTEGER PRIMARY KEY REFERENCES submissions(id) ON DELETE CASCADE,
  digest        TEXT NOT NULL
) STRICT;
)sql";

}  // namespace mash
