// SPDX-License-Identifier: Apache-2.0
#include "framework/records/kept_runs.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <set>

#include "framework/base/settings.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/process.hpp"
#include "framework/records/internal/rows.hpp"

namespace mash {
namespace {

const char* kind_of(bool is_trial) { return is_trial ? "trial" : "experiment"; }

KeptRun run_in(const SQLite::Statement& row) {
  const auto text = [&](const char* column) { return row.getColumn(column).getString(); };
  const auto integer = [&](const char* column) { return row.getColumn(column).getInt64(); };
  KeptRun run;
  run.id = integer("id");
  run.number = std::abs(run.id);
  run.is_trial = integer("trial") != 0;
  run.name = text("name");
  run.dataset = text("dataset");
  run.learner = text("learner");
  run.booster = rows::booster_of(row);
  run.status = text("status");
  run.started_at = text("started_at");
  run.seed = static_cast<std::uint64_t>(integer("seed"));
  if (const auto rounds = row.getColumn("num_rounds"); !rounds.isNull()) run.num_rounds = rounds.getInt64();
  if (const auto error = row.getColumn("test_error"); !error.isNull()) run.test_error = error.getDouble();
  if (run.status == rows::kRunning) {
    if (is_alive({integer("pid"), integer("process_start"), text("boot_id")}))
      run.pid = integer("pid");
    else
      run.status = rows::kInterrupted;
  }
  return run;
}

Status check_dataset(SQLite::Database& database, const std::string& name) {
  SQLite::Statement row(database, "SELECT DISTINCT name FROM datasets ORDER BY name");
  std::vector<std::string> known;
  while (row.executeStep()) known.push_back(row.getColumn(0).getString());
  for (const std::string& one : known)
    if (one == name) return Done{};
  return unknown_name("data set", name, std::vector<std::string_view>(known.begin(), known.end()));
}

Result<std::vector<KeptRun>> chosen(SQLite::Database& database, const RunChoice& choice) {
  if (choice.dataset) MASH_TRY(check_dataset(database, *choice.dataset));
  SQLite::Statement row(database, R"sql(
    SELECT e.*, d.name AS dataset FROM experiments e JOIN datasets d ON d.id = e.dataset_id
    WHERE e.trial = ?1 AND (?2 IS NULL OR d.name = ?2)
      AND (?3 IS NULL OR strftime('%s', 'now') - strftime('%s', COALESCE(e.ended_at, e.started_at)) >= ?3)
    ORDER BY ABS(e.id))sql");
  row.bind(1, int(choice.trials));
  if (choice.dataset) row.bind(2, *choice.dataset);
  if (choice.older_than) row.bind(3, std::int64_t(choice.older_than->count()));
  std::set<std::int64_t> missing(choice.numbers.begin(), choice.numbers.end());
  const std::set<std::int64_t> wanted = missing;
  std::vector<KeptRun> runs;
  while (row.executeStep()) {
    KeptRun run = run_in(row);
    missing.erase(run.number);
    if (wanted.empty() || wanted.contains(run.number)) runs.push_back(std::move(run));
  }
  if (!missing.empty())
    return input_error("found no {} {}{}", kind_of(choice.trials), *missing.begin(),
                       choice.dataset || choice.older_than ? " that meets the other conditions" : "");
  return runs;
}

Result<PrunedRuns> to_prune(SQLite::Database& database, const RunChoice& choice) {
  MASH_ASSIGN(std::vector<KeptRun> runs, chosen(database, choice));
  PrunedRuns pruned;
  for (KeptRun& run : runs) {
    if (run.pid && !choice.numbers.empty())
      return input_error("{} {}: process {} is training it", kind_of(run.is_trial), run.number, *run.pid);
    (run.pid ? pruned.running : pruned.removed).push_back(std::move(run));
  }
  return pruned;
}

}  // namespace

Result<std::vector<KeptRun>> list_runs(const RecordsReader& records, const RunChoice& choice) {
  return read_records(records, [&](SQLite::Database& database) { return chosen(database, choice); });
}

Result<std::size_t> count_runs(const RecordsReader& records, bool trials) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::size_t> {
    SQLite::Statement count(database, "SELECT COUNT(*) FROM experiments WHERE trial = ?");
    count.bind(1, int(trials));
    count.executeStep();
    return std::size_t(count.getColumn(0).getInt64());
  });
}

Result<PrunedRuns> plan_prune(const RecordsReader& records, const RunChoice& choice) {
  return read_records(records, [&](SQLite::Database& database) { return to_prune(database, choice); });
}

Result<PrunedRuns> prune_runs(Records& records, const RunChoice& choice) {
  return write_records(records, [&](SQLite::Database& database) -> Result<PrunedRuns> {
    MASH_ASSIGN(PrunedRuns pruned, to_prune(database, choice));
    SQLite::Statement remove(database, "DELETE FROM experiments WHERE id = ?");
    for (const KeptRun& run : pruned.removed) {
      remove.bind(1, run.id);
      remove.exec();
      remove.reset();
    }
    database.exec("DELETE FROM datasets WHERE id NOT IN (SELECT dataset_id FROM experiments)");
    database.exec("DELETE FROM heuristics WHERE id NOT IN (SELECT heuristic_id FROM families)");
    return pruned;
  });
}

Result<std::uint64_t> shrink_records(Records& records) {
  return with_database(
      Connection::of(records).writable(), [&](SQLite::Database& database) -> Result<std::uint64_t> {
        database.exec("VACUUM");
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        std::error_code code;
        return std::uint64_t(std::filesystem::file_size(Connection::of(records).path(), code));
      });
}

}  // namespace mash
