// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/records/records.hpp"

namespace mash {

// The test error after a round. Only runs that were asked for it have these.
struct RoundError {
  double test_error = 0;  // fraction
  double seconds = 0;     // of training until then
};

// Stores the test error after every round of a run, replacing what is there.
Status put_test_errors(Records& records, std::int64_t run_id, std::span<const RoundError> errors);
// In order of rounds; none where they were never stored.
Result<std::vector<RoundError>> read_test_errors(const RecordsReader& records, std::int64_t run_id);

}  // namespace mash
