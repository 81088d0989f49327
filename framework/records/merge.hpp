// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "framework/base/result.hpp"

namespace mash {

struct MergedRecords {
  std::size_t num_runs = 0, num_trials = 0;  // that are new here, under numbers of this database
  std::size_t num_offers = 0;                // offer tests that are new here, or were taken further there
  std::size_t num_known = 0;                 // runs and trials that were here already
  bool has_site = false;  // one of the files is of a server; users and submissions stay there
};

// Adds what other databases hold to `database`, which is made where it is missing: all or nothing, also where
// the program is killed. Each file is read in one moment, beside the programs that use it, and is not
// changed; of an older schema it is a copy that is brought up to date. A run that is in both is recognised by
// its key, its start and its process; where it had not ended here and has there, it is taken from there.
// Errors (kInput): there is no such file, it is no database of ours, damaged, of a newer program, or
// `database` itself.
Result<MergedRecords> merge_records(std::span<const std::filesystem::path> files,
                                    const std::filesystem::path& database);

}  // namespace mash
