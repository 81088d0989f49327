// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "framework/records/records.hpp"

namespace mash {

// The finished runs of the experiment that a run belongs to, by seed: those with the same name, settings
// except the seed, data and features, each seed's latest. Where a run was made again later, that one. The run
// alone where it has not finished. An id that is not there gives none.
Result<std::vector<std::int64_t>> runs_of_experiment(const RecordsReader& records, std::int64_t run_id);

}  // namespace mash
