// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/records/internal/process.hpp"
#include "framework/records/records.hpp"

// Functions that write and read the rows of a run. All throw what SQLiteCpp throws and must be called inside
// a transaction of the caller.
namespace mash::rows {

// Status words of a run whose training has not ended, or not by itself.
inline constexpr const char* kRunning = "running";
inline constexpr const char* kInterrupted = "interrupted";

// Marks the runs that dead processes left "running" as interrupted.
void mark_interrupted(SQLite::Database& database);

// The latest unfinished run with this key that no other living process works at.
std::optional<std::int64_t> find_unfinished(SQLite::Database& database, const RunStart& start,
                                            const ProcessIdentity& self);

// Writes the row of a data set, its classes and files, and returns its id. Where the same data are there
// already, returns that row's id.
std::int64_t put_dataset(SQLite::Database& database, const Dataset& dataset);

// Makes the run's row. With `id`, it replaces that run and all rows that belong to it.
std::int64_t put_run(SQLite::Database& database, std::optional<std::int64_t> id, const RunStart& start,
                     std::int64_t dataset_id, std::span<const FamilyRow> families);

void put_families(SQLite::Database& database, std::int64_t run_id, std::span<const FamilyRow> families);

void put_incidents(SQLite::Database& database, std::int64_t run_id, std::span<const IncidentRow> incidents);
// Adds the settings of a run that has none yet.
void put_settings(SQLite::Database& database, std::int64_t run_id, std::span<const RunSetting> settings);

// Replaces the faults of families that are stored already.
void update_faults(SQLite::Database& database, std::int64_t run_id, std::span<const FamilyRow> families);

// Fills in what is known at the end.
void end_run(SQLite::Database& database, std::int64_t run_id, const TrainingResult& result,
             const RunEnd& end);

void put_family_uses(SQLite::Database& database, std::int64_t run_id, std::span<const FamilyUse> uses);

// The values of the columns booster, weak, sampler and rounds; nothing where they are NULL.
std::optional<BoosterParts> booster_of(const SQLite::Statement& row);
// A number; NaN where the column is NULL.
double real(const SQLite::Column& value);

// By round.
std::vector<CurvePoint> read_curve(SQLite::Database& database, std::int64_t run_id);

// The most scores of a run that are kept: 16 MiB of them.
inline constexpr std::size_t kMostTestScores = std::size_t(1) << 22;
// Keeps the scores of the test side, num_test x K, in single precision; none of a trial, nor of too many.
void put_test_scores(SQLite::Database& database, std::int64_t run_id, std::span<const double> scores);

// Writes the prediction and margin of each test example, and the test error (NULL without examples).
void put_predictions(SQLite::Database& database, std::int64_t run_id, const TrainingResult& result,
                     const Dataset& dataset);

}  // namespace mash::rows
