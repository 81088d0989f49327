// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Pages of boards told where data lie, and errors on the private part: they are made again.
const char* const kPublicTrainingSql = R"sql(
DELETE FROM board_pages WHERE name LIKE 'experiment.%' OR content LIKE '{"error"%';
)sql";

}  // namespace mash
