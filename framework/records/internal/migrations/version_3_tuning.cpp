// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

const char* const kTuningSql = R"sql(
ALTER TABLE experiments ADD COLUMN tuned_setting TEXT;
ALTER TABLE experiments ADD COLUMN tuned_value TEXT;
ALTER TABLE experiments ADD COLUMN num_tunings INTEGER;
ALTER TABLE experiments ADD COLUMN tuning_fe INTEGER;
ALTER TABLE experiments ADD COLUMN tuning_seconds REAL;
)sql";

}  // namespace mash
