// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Settings of a submitted heuristic, in place of its defaults: a row for each, in the order in which they
// were given. Submissions of former versions have none.
const char* const kSubmissionSettingsSql = R"sql(
CREATE TABLE submission_settings (
  submission_id INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
  key           TEXT NOT NULL,
  value         TEXT NOT NULL,
  PRIMARY KEY (submission_id, key)
) STRICT;
)sql";

}  // namespace mash
