// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "framework/records/records.hpp"

namespace mash {

// The class that a finished run gave each test example.
Result<std::vector<std::uint16_t>> read_predictions(const RecordsReader& records, std::int64_t run_id);

}  // namespace mash
