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

// Needs all columns of `submissions`, `contributor`, and `settings`, a JSON array of [key, value]. The texts
// of a removed submission are left empty.
Submission submission_in(SQLite::Statement& row);

// Errors (kInput): there is no such submission.
Result<SubmissionState> read_submission_state(SQLite::Database& database, std::int64_t id);

void put_submission_event(SQLite::Database& database, std::int64_t id, SubmissionState state,
                          std::string_view text);
// Gives up the lease: nobody works at the submission any more.
void drop_lease(SQLite::Database& database, std::int64_t id);
// Sets the state and adds an event that says so. Gives up the lease where the work has ended.
void set_submission_state(SQLite::Database& database, std::int64_t id, SubmissionState state,
                          std::string_view text);
// Cancels it. The time of the living runner that works at it counts. Sources that no runner took have cost no
// quota, and would fill the disk for nothing: they are dropped.
void cancel_submission_row(SQLite::Database& database, std::int64_t id, std::string_view text);
// The intake of the board now, as read_intake gives it.
BoardIntake intake_of(SQLite::Database& database, std::int64_t user_id, const Board& board);
// Milliseconds since boot, the time asleep included: a clock that nobody can set back.
std::int64_t boot_milliseconds();
// Whether a living runner holds the lease in `row`. Needs the `lease_` columns.
bool is_leased(SQLite::Statement& row);
// Raises the revision of a submission's board, which says that the board has changed.
void raise_board_revision(SQLite::Database& database, std::int64_t submission_id);

}  // namespace mash
