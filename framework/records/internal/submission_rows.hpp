// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <string>
#include <string_view>

#include "framework/records/submissions.hpp"

// Rows of submissions, for the sources of this folder only.
namespace mash {

// The words of SubmissionState, in its order.
inline constexpr std::array<std::string_view, 11> kSubmissionStates = {
    "received",  "checking", "compiling", "validating", "extracting", "judging",
    "published", "rejected", "failed",    "cancelled",  "superseded"};

inline std::string stored(SubmissionState state) { return std::string(word_of(state)); }
SubmissionState submission_state_of(const std::string& word);

// Needs all columns of `submissions`, and `contributor`. What was removed is told without its words.
Submission submission_in(SQLite::Statement& row);

// Errors (kInput): there is no such submission.
Result<SubmissionState> read_submission_state(SQLite::Database& database, std::int64_t id);

void put_submission_event(SQLite::Database& database, std::int64_t id, SubmissionState state,
                          std::string_view text);
// Nobody works at it any more.
void drop_lease(SQLite::Database& database, std::int64_t id);
// Sets the state, notes it, and gives the lease back where that ends the work.
void set_submission_state(SQLite::Database& database, std::int64_t id, SubmissionState state,
                          std::string_view text);
// Since boot, sleep counted in: a clock that nobody can set back.
std::int64_t boot_milliseconds();
// Whether a living runner holds the lease that `row` tells of. Needs the `lease_` columns.
bool is_leased(SQLite::Statement& row);
// Tells that the board of a submission has changed.
void raise_board_revision(SQLite::Database& database, std::int64_t submission_id);

}  // namespace mash
