// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "framework/base/result.hpp"

namespace mash {

struct MergedRecords {
  std::size_t num_runs = 0, num_trials = 0;  // new here; they get numbers of this database
  std::size_t num_offers = 0;                // offer tests that are new here, or have more seeds there
  std::size_t num_known = 0;                 // runs and trials that were here already
  bool has_site = false;  // one of the files is a server's; its users and submissions are not merged
};

// Adds the content of other databases to `database`, which is made where it is missing. It is all or nothing,
// also where the program is killed. Each file is read as it is at one moment and is not changed; other
// programs may use it meanwhile. Where its schema is older, a copy of it is brought up to date. A run that is
// in both is recognised by its key, its start and its process; where it has ended there but not here, it is
// taken from there. Errors (kInput): a file is missing, is no database of ours, is damaged, is of a newer
// program, or is `database` itself.
Result<MergedRecords> merge_records(std::span<const std::filesystem::path> files,
                                    const std::filesystem::path& database);

}  // namespace mash
