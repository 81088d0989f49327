// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "framework/base/work_context.hpp"
#include "framework/records/kept_runs.hpp"
#include "framework/records/merge.hpp"
#include "framework/reports/differing_settings.hpp"

// Functions that list, remove and merge runs and trials in the records. database: empty for the default one.
namespace mash {

struct RecordsList {
  std::filesystem::path database;
  std::vector<KeptRun> runs;                // those that were asked for
  std::vector<DifferingSettings> settings;  // by which each of them differs from the others
  std::vector<std::string> judging_sides;   // "test" or "validation", of each
  std::size_t num_others = 0;               // trials where runs were asked for, or runs
  std::uint64_t num_bytes = 0;              // of the database
};
// Errors (kInput): there are no records, or they have nothing with this number or data set.
Result<RecordsList> list_records(const std::filesystem::path& database, const RunChoice& choice);

struct RecordsPrune {
  PrunedRuns runs;
  std::uint64_t bytes_before = 0, bytes_after = 0;  // of the database
};
// Removes runs or trials, and gives their space back to the disk. Where the space cannot be given back now, a
// remark says why, and the next prune does it. Errors: as above; kInput: a run that was named by its number
// is being trained.
Result<RecordsPrune> prune_records(const std::filesystem::path& database, const RunChoice& choice,
                                   bool dry_run, Remarks& remarks);

// As merge_records. Warns that the tables of a server are not merged.
Result<MergedRecords> merge_records_into(const std::filesystem::path& database,
                                         std::span<const std::filesystem::path> files, Remarks& remarks);

nlohmann::ordered_json to_json(const RecordsList& list);
nlohmann::ordered_json to_json(const RecordsPrune& prune, bool dry_run);
nlohmann::ordered_json to_json(const MergedRecords& merged);

}  // namespace mash
