// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/records/internal/process.hpp"
#include "framework/records/records.hpp"

// The rows of a run, as values go into them and come back. All of these throw what SQLiteCpp throws and
// belong inside a transaction of the caller.
namespace mash::rows {

// Status words of rows that training has not (or not yet) set by its end.
inline constexpr const char* kRunning = "running";
inline constexpr const char* kInterrupted = "interrupted";

// Marks as interrupted what dead processes left running.
void mark_interrupted(SQLite::Database& database);

// The latest unfinished run of that key that no other living process is at.
std::optional<std::int64_t> find_unfinished(SQLite::Database& database, const RunStart& start,
                                            const ProcessIdentity& self);

// The row of a data set, its classes and files; the id of the one that is there already where the data are
// the same.
std::int64_t put_dataset(SQLite::Database& database, const Dataset& dataset);

// Makes the run's row; with `id`, replaces that run and all that hangs on it.
std::int64_t put_run(SQLite::Database& database, std::optional<std::int64_t> id, const RunStart& start,
                     std::int64_t dataset_id, std::span<const FamilyRow> families);

void put_families(SQLite::Database& database, std::int64_t run_id, std::span<const FamilyRow> families);

// Replaces the faults of families that are stored already.
void put_incidents(SQLite::Database& database, std::int64_t run_id, std::span<const IncidentRow> incidents);
void update_faults(SQLite::Database& database, std::int64_t run_id, std::span<const FamilyRow> families);

// Fills in what is known at the end.
void end_run(SQLite::Database& database, std::int64_t run_id, const TrainingResult& result,
             const RunEnd& end);

void put_family_uses(SQLite::Database& database, std::int64_t run_id, std::span<const FamilyUse> uses);

// A number that may be NULL, which is NaN.
double real(const SQLite::Column& value);

// By round.
std::vector<CurvePoint> read_curve(SQLite::Database& database, std::int64_t run_id);

// The prediction and margin of each test example, and the test error over them (NULL without examples).
void put_predictions(SQLite::Database& database, std::int64_t run_id, const TrainingResult& result,
                     const Dataset& dataset);

}  // namespace mash::rows
