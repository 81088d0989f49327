// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/submission_rows.hpp"

#include <SQLiteCpp/VariadicBind.h>
#include <time.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "framework/base/bounded_json.hpp"
#include "framework/base/require.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/base/utf8.hpp"
#include "framework/records/internal/process.hpp"

namespace mash {
namespace {

void take_words_away(Submission& submission) {
  for (std::string* text : {&submission.file_name, &submission.source, &submission.heuristic,
                            &submission.version, &submission.summary, &submission.reason})
    text->clear();
  submission.settings.clear();
}

std::vector<SubmissionSetting> settings_in(const std::string& json) {
  std::vector<SubmissionSetting> settings;
  const nlohmann::json pairs = *parse_json(json, kOurOwnJson);
  for (const auto& pair : pairs) settings.push_back({pair.at(0), pair.at(1)});
  return settings;
}

// The time since a living runner took it, which will not tell that itself any more; no time of others.
void count_time_of_runner(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement row(database, R"sql(
    SELECT lease_pid, lease_start, lease_boot_id, lease_until_ms FROM submissions WHERE id = ?)sql");
  row.bind(1, id);
  const bool is_at_work = row.executeStep() && is_leased(row);
  SQLite::Statement update(database, R"sql(
    UPDATE submissions SET seconds = CASE WHEN ? THEN COALESCE(? - lease_since_ms, 0) / 1000.0 ELSE 0 END
    WHERE id = ?)sql");
  SQLite::bind(update, int(is_at_work), boot_milliseconds(), id);
  update.exec();
}

}  // namespace

SubmissionState submission_state_of(const std::string& word) {
  const auto found = std::ranges::find(kSubmissionStates, word);
  require(found != kSubmissionStates.end(), "submission_state_of: a word that word_of gives");
  return SubmissionState(found - kSubmissionStates.begin());
}

Submission submission_in(SQLite::Statement& row) {
  const auto text = [&](const char* column) { return row.getColumn(column).getString(); };
  Submission submission;
  submission.id = row.getColumn("id").getInt64();
  submission.user_id = row.getColumn("user_id").getInt64();
  submission.board_id = row.getColumn("board_id").getInt64();
  submission.contributor = text("contributor");
  submission.file_name = text("file_name");
  submission.source = text("source");
  submission.source_sha256 = text("source_sha256");
  submission.licence = text("licence");
  submission.is_private = row.getColumn("is_private").getInt() != 0;
  submission.settings = settings_in(text("settings"));
  submission.heuristic = text("heuristic");
  submission.version = text("version");
  submission.summary = text("summary");
  if (!row.getColumn("rerun_of").isNull()) submission.rerun_of = row.getColumn("rerun_of").getInt64();
  submission.verified_at = text("verified_at");
  submission.is_held = row.getColumn("is_held").getInt() != 0;
  submission.removed_why = text("removed_why");
  submission.board = text("board");
  submission.state = submission_state_of(text("state"));
  submission.reason = text("reason");
  if (!row.getColumn("fault").isNull())
    submission.fault = text("fault") == "server" ? Blame::kServer : Blame::kContributor;
  submission.num_attempts = row.getColumn("num_attempts").getInt64();
  submission.seconds = row.getColumn("seconds").getDouble();
  submission.received_at = text("received_at");
  if (!submission.removed_why.empty()) take_words_away(submission);
  return submission;
}

Result<SubmissionState> read_submission_state(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement row(database, "SELECT state FROM submissions WHERE id = ?");
  row.bind(1, id);
  if (!row.executeStep()) return input_error("there is no submission {}", id);
  return submission_state_of(row.getColumn(0).getString());
}

void put_submission_event(SQLite::Database& database, std::int64_t id, SubmissionState state,
                          std::string_view text) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO submission_events (submission_id, state, text) SELECT ?, ?, ?
    WHERE ? OR (SELECT COUNT(*) FROM submission_events WHERE submission_id = ?) < ?)sql");
  SQLite::bind(insert, id, stored(state), printable_lines(text, kMaxEventBytes), int(is_final(state)), id,
               std::int64_t(kMaxEventsOfOne));
  insert.exec();
}

void drop_lease(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement update(database, R"sql(
    UPDATE submissions SET lease_pid = NULL, lease_start = NULL, lease_boot_id = NULL, lease_since_ms = NULL,
                           lease_until_ms = NULL
    WHERE id = ?)sql");
  update.bind(1, id);
  update.exec();
}

void set_submission_state(SQLite::Database& database, std::int64_t id, SubmissionState state,
                          std::string_view text) {
  SQLite::Statement update(database, "UPDATE submissions SET state = ? WHERE id = ?");
  SQLite::bind(update, stored(state), id);
  update.exec();
  if (is_final(state)) drop_lease(database, id);
  put_submission_event(database, id, state, text);
}

std::int64_t boot_milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

bool is_leased(SQLite::Statement& row) {
  if (row.getColumn("lease_pid").isNull()) return false;
  const ProcessIdentity holder{row.getColumn("lease_pid").getInt64(), row.getColumn("lease_start").getInt64(),
                               row.getColumn("lease_boot_id").getString()};
  return row.getColumn("lease_until_ms").getInt64() >= boot_milliseconds() && is_alive(holder);
}

void cancel_submission_row(SQLite::Database& database, std::int64_t id, std::string_view text) {
  count_time_of_runner(database, id);
  SQLite::Statement update(database, "UPDATE submissions SET source = '' WHERE id = ? AND num_attempts = 0");
  update.bind(1, id);
  update.exec();
  set_submission_state(database, id, SubmissionState::kCancelled, text);
}

BoardIntake intake_of(SQLite::Database& database, std::int64_t user_id, const Board& board) {
  SQLite::Statement row(database, R"sql(
    SELECT strftime('%Y-%m-%dT%H:%M:%SZ', s.received_at, '+1 day'),
           CAST(strftime('%s', s.received_at, '+1 day') AS INTEGER) - CAST(strftime('%s', 'now') AS INTEGER),
           s.state IN ('received', 'checking', 'compiling', 'validating')
    FROM submissions s JOIN boards b ON b.id = s.board_id
    WHERE s.user_id = ? AND b.name = ? AND s.rerun_of IS NULL AND s.fault IS NOT 'server'
      AND NOT (s.state = 'cancelled' AND s.num_attempts = 0)
      AND NOT (s.state = 'rejected' AND
        (SELECT COUNT(*) < ? AND TOTAL(e.state IN ('extracting', 'judging')) = 0
         FROM submission_events e WHERE e.submission_id = s.id))
      AND s.received_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 day')
    ORDER BY s.received_at DESC)sql");
  SQLite::bind(row, user_id, board.name, std::int64_t(kMaxEventsOfOne));  // later events are not kept
  BoardIntake intake;
  intake.phase = phase_of(board.terms, moment_now());
  while (row.executeStep()) {
    intake.num_unchecked += row.getColumn(2).getInt();
    if (++intake.num_attempts != board.terms.attempts_a_day) continue;
    intake.next_attempt_at = row.getColumn(0).getString();
    intake.next_attempt_seconds = std::max<std::int64_t>(1, row.getColumn(1).getInt64());
  }
  return intake;
}

void raise_board_revision(SQLite::Database& database, std::int64_t submission_id) {
  SQLite::Statement update(database, R"sql(
    UPDATE boards SET revision = revision + 1 WHERE id = (SELECT board_id FROM submissions WHERE id = ?))sql");
  update.bind(1, submission_id);
  update.exec();
}

}  // namespace mash
