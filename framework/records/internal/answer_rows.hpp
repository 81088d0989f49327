// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/measured_gain.hpp"
#include "framework/base/result.hpp"
#include "framework/records/submissions.hpp"

// Rows of what is told of a board's private part, and of what copies are known by, for the sources of this
// folder only.
namespace mash {

// A gain as it is told, with what bounds the number of gains that could have been told (released_answers).
struct ToldGain {
  MeasuredGain told;
  double step = 0;         // told in multiples of it
  bool is_stepped = true;  // by a Ladder; else as it was measured, with two digits of its error
  std::optional<double> best = {};
};
// step: of the Ladder; 0: there is none.
ToldGain told_of(const MeasuredGain& measured, const std::optional<MeasuredGain>& best_before, double step);

// Notes that it was told, of a submission or of all heuristics of a user together.
void put_answer_of_submission(SQLite::Database& database, std::int64_t submission_id, const ToldGain& told);
void put_answer_of_user(SQLite::Database& database, std::int64_t board_id, std::int64_t user_id,
                        const ToldGain& told);
// Figures in columns released_gain, released_standard_error, ... of a row.
MeasuredGain released_in(SQLite::Statement& row);

// Where features came from.
struct FeaturesOwner {
  std::int64_t submission_id = 0;
  std::string heuristic, version;
};
// The first with features of this digest, of all that was published on any version of the board of
// near_submission and is not removed; what runs again is as old as its original. Nothing: there is none.
std::optional<FeaturesOwner> owner_of_features(SQLite::Database& database, std::int64_t near_submission,
                                               const std::string& digest);

// An entry of a board whose features are nobody's earlier, to the bit.
struct OwnEntry {
  std::int64_t submission_id = 0, user_id = 0;
  std::string contributor;
};
// In the order of their submissions.
std::vector<OwnEntry> own_entries(SQLite::Database& database, std::int64_t board_id);
// "3 7 12": submissions as members of groups are kept.
std::string text_of_members(const std::vector<std::int64_t>& submission_ids);

// Errors (kInput): the board of the submission refuses copies, and features of this digest are those of
// another heuristic (owner_of_features). A rerun is no copy.
Status check_copies(SQLite::Database& database, std::int64_t submission_id, const std::string& digest);

// Keeps the sample of a submission that has none; then it is to be compared again.
void put_sample(SQLite::Database& database, std::int64_t submission_id, const FeatureSample& sample);

}  // namespace mash
