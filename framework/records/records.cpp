// SPDX-License-Identifier: Apache-2.0
#include "framework/records/records.hpp"

#include <map>
#include <utility>

#include "framework/records/database.hpp"
#include "framework/records/recorder.hpp"
#include "framework/records/rows.hpp"

namespace mash {

struct Records::State {
  std::unique_ptr<SQLite::Database> database;
  std::map<std::int64_t, std::shared_ptr<RoundBuffer>> buffers;  // of the experiments that have a recorder
};

Records::Records(std::unique_ptr<State> state) : state_(std::move(state)) {}
Records::Records(Records&&) noexcept = default;
Records& Records::operator=(Records&&) noexcept = default;
Records::~Records() = default;

Result<Records> Records::open(const std::filesystem::path& path) {
  auto state = std::make_unique<State>();
  MASH_ASSIGN(state->database, open_database(path));
  return Records(std::move(state));
}

Result<std::int64_t> Records::begin(const ExperimentStart& start, const Dataset& dataset,
                                    std::span<const FamilyInfo> families) {
  const auto write = [&](SQLite::Database& database) -> Result<std::int64_t> {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    rows::mark_interrupted(database);
    const auto unfinished = rows::find_unfinished(database, start.run_key, this_process());
    const std::int64_t dataset_id = rows::put_dataset(database, dataset);
    const std::int64_t id = rows::put_experiment(database, unfinished, start, dataset_id, families);
    rows::put_families(database, id, families);
    transaction.commit();
    return id;
  };
  MASH_ASSIGN(const std::int64_t id, with_database(*state_->database, write));
  state_->buffers.erase(id);
  return id;
}

std::unique_ptr<Observer> Records::recorder(std::int64_t experiment_id) {
  std::shared_ptr<RoundBuffer>& buffer = state_->buffers[experiment_id];
  if (!buffer) buffer = std::make_shared<RoundBuffer>(*state_->database, experiment_id);
  return make_recorder(buffer);
}

namespace {

Status check_shapes(SQLite::Database& database, std::int64_t experiment_id, const TrainingResult& result,
                    const Dataset& dataset) {
  SQLite::Statement query(database, R"sql(
    SELECT (SELECT COUNT(*) FROM families WHERE experiment_id = e.id), d.fingerprint
    FROM experiments e JOIN datasets d ON d.id = e.dataset_id WHERE e.id = ?)sql");
  query.bind(1, experiment_id);
  if (!query.executeStep()) return failure("experiment {} is not in the database", experiment_id);
  const auto num_families = std::size_t(query.getColumn(0).getInt64());
  const std::size_t num_scores = dataset.test.num_examples * dataset.num_classes();
  if (result.families.size() != num_families) {
    return failure("experiment {} has {} families, its result {}", experiment_id, num_families,
                   result.families.size());
  }
  if (result.test_scores.size() != num_scores) {
    return failure("experiment {} has {} test scores, expected {} examples x {} classes", experiment_id,
                   result.test_scores.size(), dataset.test.num_examples, dataset.num_classes());
  }
  if (query.getColumn(1).getString() != dataset.fingerprint) {
    return failure("experiment {} was begun on another data set than {}", experiment_id, dataset.name);
  }
  return Done{};
}

}  // namespace

Status Records::finish(std::int64_t experiment_id, const TrainingResult& result, const ExperimentEnd& end,
                       const Dataset& dataset) {
  if (const auto found = state_->buffers.find(experiment_id); found != state_->buffers.end()) {
    MASH_TRY(found->second->flush());
  }
  const auto write = [&](SQLite::Database& database) -> Status {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    MASH_TRY(check_shapes(database, experiment_id, result, dataset));
    rows::end_experiment(database, experiment_id, result, end);
    rows::update_faults(database, experiment_id, end.families);
    rows::put_family_uses(database, experiment_id, result.families);
    write_curve(database, experiment_id, result.curve);
    rows::put_predictions(database, experiment_id, result, dataset);
    transaction.commit();
    return Done{};
  };
  MASH_TRY(with_database(*state_->database, write));
  state_->buffers.erase(experiment_id);
  return Done{};
}

Result<std::optional<std::int64_t>> Records::find_finished(const std::string& run_key) {
  return with_database(*state_->database,
                       [&](SQLite::Database& database) -> Result<std::optional<std::int64_t>> {
                         SQLite::Statement query(database, "SELECT id FROM finished WHERE run_key = ?");
                         query.bind(1, run_key);
                         std::optional<std::int64_t> id;
                         if (query.executeStep()) id = query.getColumn(0).getInt64();
                         return id;
                       });
}

SQLite::Database& Records::database() { return *state_->database; }

}  // namespace mash
