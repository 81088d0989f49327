// SPDX-License-Identifier: Apache-2.0
#include "framework/records/records.hpp"

#include <map>
#include <utility>

#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/recorder.hpp"
#include "framework/records/internal/rows.hpp"

namespace mash {

RecordsReader::RecordsReader(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
RecordsReader::RecordsReader(RecordsReader&&) noexcept = default;
RecordsReader& RecordsReader::operator=(RecordsReader&&) noexcept = default;
RecordsReader::~RecordsReader() = default;

namespace {

// name: of the experiment, whose trials are not asked for; nothing: any run or trial.
Result<std::optional<std::int64_t>> latest_finished(const RecordsReader& records, const std::string& run_key,
                                                    const std::optional<std::string>& name) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<std::int64_t>> {
    // As the view `finished`, which would look at all runs.
    SQLite::Statement query(
        database,
        "SELECT id FROM experiments WHERE run_key = ?1 AND (?2 IS NULL OR name = ?2 AND trial = 0) AND "
        "status NOT IN ('running', 'interrupted', 'stopped') ORDER BY ABS(id) DESC LIMIT 1");
    query.bind(1, run_key);
    if (name) query.bind(2, *name);
    std::optional<std::int64_t> id;
    if (query.executeStep()) id = query.getColumn(0).getInt64();
    return id;
  });
}

}  // namespace

Result<std::optional<std::int64_t>> RecordsReader::find_finished(const std::string& run_key) const {
  return latest_finished(*this, run_key, {});
}

Result<std::optional<std::int64_t>> RecordsReader::find_finished_run(const std::string& run_key,
                                                                     const std::string& name) const {
  return latest_finished(*this, run_key, name);
}

struct Records::Buffers {
  std::map<std::int64_t, std::shared_ptr<RoundBuffer>> of;  // the runs that have a recorder
};

Records::Records(std::unique_ptr<Connection> connection)
    : RecordsReader(std::move(connection)), buffers_(std::make_unique<Buffers>()) {}
Records::Records(Records&&) noexcept = default;
Records& Records::operator=(Records&&) noexcept = default;
Records::~Records() = default;

Result<Records> Records::open(const std::filesystem::path& path) {
  MASH_ASSIGN(auto database, open_database(path));
  return Records(std::make_unique<Connection>(path, std::move(database)));
}

Result<RecordsReader> Records::open_read_only(const std::filesystem::path& path) {
  MASH_TRY(read_database(path, [&](SQLite::Database& database) { return check_pages(database, path); }));
  return RecordsReader(std::make_unique<Connection>(path));
}

Result<std::int64_t> Records::begin(const RunStart& start, const Dataset& dataset,
                                    std::span<const FamilyRow> families) {
  const auto write = [&](SQLite::Database& database) -> Result<std::int64_t> {
    rows::mark_interrupted(database);
    const auto unfinished = rows::find_unfinished(database, start, this_process());
    const std::int64_t dataset_id = rows::put_dataset(database, dataset);
    const std::int64_t id = rows::put_run(database, unfinished, start, dataset_id, families);
    rows::put_families(database, id, families);
    rows::put_incidents(database, id, start.incidents);
    rows::put_settings(database, id, start.settings);
    return id;
  };
  MASH_ASSIGN(const std::int64_t id, write_records(*this, write));
  buffers_->of.erase(id);
  return id;
}

std::unique_ptr<Observer> Records::recorder(std::int64_t run_id) {
  std::shared_ptr<RoundBuffer>& buffer = buffers_->of[run_id];
  if (!buffer) buffer = std::make_shared<RoundBuffer>(connection_->writable(), run_id);
  return make_recorder(buffer);
}

namespace {

Status check_shapes(SQLite::Database& database, std::int64_t run_id, const TrainingResult& result,
                    const Dataset& dataset) {
  SQLite::Statement query(database, R"sql(
    SELECT (SELECT COUNT(*) FROM families WHERE experiment_id = e.id), d.fingerprint
    FROM experiments e JOIN datasets d ON d.id = e.dataset_id WHERE e.id = ?)sql");
  query.bind(1, run_id);
  if (!query.executeStep()) return failure("run {} is not in the database", run_id);
  const auto num_families = std::size_t(query.getColumn(0).getInt64());
  const std::size_t num_scores = dataset.test.num_examples * dataset.num_classes();
  if (result.families.size() != num_families) {
    return failure("run {} has {} families, its result {}", run_id, num_families, result.families.size());
  }
  if (result.test_scores.size() != num_scores) {
    return failure("run {} has {} test scores, expected {} examples x {} classes", run_id,
                   result.test_scores.size(), dataset.test.num_examples, dataset.num_classes());
  }
  if (query.getColumn(1).getString() != dataset.fingerprint) {
    return failure("run {} was begun on another data set than {}", run_id, dataset.name);
  }
  return Done{};
}

}  // namespace

Status Records::finish(std::int64_t run_id, const TrainingResult& result, const RunEnd& end,
                       const Dataset& dataset) {
  if (const auto found = buffers_->of.find(run_id); found != buffers_->of.end()) {
    MASH_TRY(found->second->flush());
  }
  const auto write = [&](SQLite::Database& database) -> Status {
    MASH_TRY(check_shapes(database, run_id, result, dataset));
    rows::end_run(database, run_id, result, end);
    rows::update_faults(database, run_id, end.families);
    rows::put_family_uses(database, run_id, result.families);
    write_curve(database, run_id, result.curve);
    rows::put_predictions(database, run_id, result, dataset);
    rows::put_test_scores(database, run_id, result.test_scores);
    return Done{};
  };
  MASH_TRY(write_records(*this, write));
  buffers_->of.erase(run_id);
  return Done{};
}

}  // namespace mash
