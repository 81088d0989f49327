// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/upkeep/kept_records.hpp"

#include <nlohmann/json.hpp>

#include "framework/operations/common/places.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path database_or_default(const fs::path& database) {
  return database.empty() ? default_database() : database;
}

// With its log, which others may be writing.
std::uint64_t bytes_of(const fs::path& database) {
  std::uint64_t sum = 0;
  for (const char* ending : {"", "-wal"}) {
    std::error_code code;
    const std::uintmax_t size = fs::file_size(database.string() + ending, code);
    if (!code) sum += size;
  }
  return sum;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json runs_json(const std::vector<KeptRun>& runs) {
  Json rows = Json::array();
  for (const KeptRun& run : runs) {
    Json row{{"number", run.number},
             {"trial", run.is_trial},
             {"experiment_id", run.is_trial ? -run.number : run.number},
             {"name", run.name},
             {"dataset", run.dataset},
             {"learner", run.learner}};
    if (run.booster) {
      row["booster"] = run.booster->booster;
      row["weak"] = run.booster->weak;
      row["sampler"] = run.booster->sampler;
      row["rounds"] = run.booster->rounds;
      row["num_rounds"] = or_null(run.num_rounds);
    }
    row["seed"] = run.seed;
    row["status"] = run.status;
    row["pid"] = or_null(run.pid);
    row["test_error"] = or_null(run.test_error);
    row["started_at"] = run.started_at;
    rows.push_back(std::move(row));
  }
  return rows;
}

// Differences and judging sides, from the settings of the runs. The rounds have a column.
Status look_at_settings(const RecordsReader& records, RecordsList& list) {
  std::vector<std::int64_t> ids;
  for (const KeptRun& run : list.runs) ids.push_back(run.id);
  MASH_ASSIGN(const std::vector<SettingsOfRun> settings, read_settings(records, ids));
  constexpr std::string_view kShown[] = {"booster.rounds"};
  list.settings = differing_settings(settings, kShown);
  for (const SettingsOfRun& of_run : settings) list.judging_sides.push_back(judging_side(of_run));
  return Done{};
}

}  // namespace

Result<RecordsList> list_records(const fs::path& database, const RunChoice& choice) {
  RecordsList list{database_or_default(database), {}, {}, {}};
  MASH_ASSIGN(const RecordsReader records, open_records(list.database));
  const auto runs = list_runs(records, choice);
  if (!runs.ok()) return runs.error().at(list.database.string());
  list.runs = *runs;
  MASH_TRY(look_at_settings(records, list));
  MASH_ASSIGN(list.num_others, count_runs(records, !choice.trials));
  list.num_bytes = bytes_of(list.database);
  return list;
}

Result<RecordsPrune> prune_records(const fs::path& database, const RunChoice& choice, bool dry_run,
                                   Remarks& remarks) {
  const fs::path file = database_or_default(database);
  RecordsPrune prune;
  MASH_ASSIGN(const RecordsReader reader, open_records(file));
  prune.bytes_before = prune.bytes_after = bytes_of(file);
  const auto plan = plan_prune(reader, choice);
  if (!plan.ok()) return plan.error().at(file.string());
  prune.runs = *plan;
  if (dry_run || plan->removed.empty()) return prune;
  MASH_ASSIGN(Records records, Records::open(file));
  const auto pruned = prune_runs(records, choice);
  if (!pruned.ok()) return pruned.error().at(file.string());
  prune.runs = *pruned;
  if (const auto shrunk = shrink_records(records); !shrunk.ok())
    remarks.warn(fmt::format("{}; the file keeps its size until the next prune", shrunk.error().message));
  prune.bytes_after = bytes_of(file);
  return prune;
}

Result<MergedRecords> merge_records_into(const fs::path& database, std::span<const fs::path> files,
                                         Remarks& remarks) {
  MASH_ASSIGN(const MergedRecords merged, merge_records(files, database_or_default(database)));
  if (merged.has_site)
    remarks.warn("users, boards and submissions of a server stay in its own database; its runs were merged");
  return merged;
}

Json to_json(const RecordsList& list) {
  Json runs = runs_json(list.runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i]["judged_by"] = list.judging_sides[i];
    runs[i]["settings"] = Json::array();
    for (const auto& [key, value] : list.settings[i])
      runs[i]["settings"].push_back({{"key", key}, {"value", value}});
  }
  return {{"database", list.database.string()},
          {"bytes", list.num_bytes},
          {"runs", std::move(runs)},
          {"others", list.num_others}};
}

Json to_json(const RecordsPrune& prune, bool dry_run) {
  return {{"dry_run", dry_run},
          {"removed", runs_json(prune.runs.removed)},
          {"running", runs_json(prune.runs.running)},
          {"bytes_before", prune.bytes_before},
          {"bytes_after", prune.bytes_after}};
}

Json to_json(const MergedRecords& merged) {
  return {{"runs", merged.num_runs},
          {"trials", merged.num_trials},
          {"offer_tests", merged.num_offers},
          {"known", merged.num_known}};
}

}  // namespace mash
