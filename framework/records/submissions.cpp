// SPDX-License-Identifier: Apache-2.0
#include "framework/records/submissions.hpp"

#include <time.h>

#include <algorithm>
#include <array>

#include "framework/base/hash.hpp"
#include "framework/records/connection.hpp"
#include "framework/records/process.hpp"

namespace mash {
namespace {

using State = SubmissionState;

constexpr std::array<std::string_view, 11> kStates = {"received",   "checking",  "compiling", "validating",
                                                      "extracting", "judging",   "published", "rejected",
                                                      "failed",     "cancelled", "superseded"};

State state_of(const std::string& word) {
  const auto found = std::ranges::find(kStates, word);
  return static_cast<State>(found - kStates.begin());
}

std::string stored(State state) { return std::string(word_of(state)); }

// Since boot, sleep counted in: a clock that nobody can set back.
std::int64_t boot_milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

void put_event(SQLite::Database& database, std::int64_t id, State state, std::string_view text) {
  SQLite::Statement insert(database,
                           "INSERT INTO submission_events (submission_id, state, text) VALUES (?, ?, ?)");
  SQLite::bind(insert, id, stored(state), std::string(text));
  insert.exec();
}

Result<State> read_state(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement row(database, "SELECT state FROM submissions WHERE id = ?");
  row.bind(1, id);
  if (!row.executeStep()) return input_error("there is no submission {}", id);
  return state_of(row.getColumn(0).getString());
}

// Whether this process still holds the lease.
Status check_lease(SQLite::Database& database, const Lease& lease) {
  const ProcessIdentity self = this_process();
  SQLite::Statement row(database, R"sql(
    SELECT 1 FROM submissions
    WHERE id = ? AND num_attempts = ? AND lease_pid = ? AND lease_start = ? AND lease_boot_id = ?)sql");
  SQLite::bind(row, lease.submission_id, lease.num_attempts, self.pid, self.start, self.boot_id);
  if (row.executeStep()) return Done{};
  return Error{
      ErrorKind::kStopped,
      fmt::format("submission {}: was cancelled, or another runner has taken it", lease.submission_id)};
}

// Runs body(database) in a transaction where the lease holds.
template <class Body>
Status write_leased(Records& records, const Lease& lease, const Body& body) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    MASH_TRY(check_lease(database, lease));
    return body(database);
  });
}

// Sets the state, notes it, and gives the lease back where that ends the work.
void set_state(SQLite::Database& database, std::int64_t id, State state, std::string_view text) {
  SQLite::Statement update(database, is_final(state) ? R"sql(
      UPDATE submissions SET state = ?, lease_pid = NULL, lease_start = NULL, lease_boot_id = NULL,
                             lease_until_ms = NULL WHERE id = ?)sql"
                                                     : "UPDATE submissions SET state = ? WHERE id = ?");
  SQLite::bind(update, stored(state), id);
  update.exec();
  put_event(database, id, state, text);
}

void set_end(SQLite::Database& database, std::int64_t id, const std::string& reason, Blame fault,
             double seconds) {
  SQLite::Statement update(database, R"sql(
    UPDATE submissions SET reason = ?, fault = ?, seconds = seconds + ? WHERE id = ?)sql");
  SQLite::bind(update, reason, fault == Blame::kServer ? "server" : "contributor", seconds, id);
  update.exec();
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
  submission.heuristic = text("heuristic");
  submission.version = text("version");
  submission.summary = text("summary");
  submission.state = state_of(text("state"));
  submission.reason = text("reason");
  if (!row.getColumn("fault").isNull())
    submission.fault = text("fault") == "server" ? Blame::kServer : Blame::kContributor;
  submission.num_attempts = row.getColumn("num_attempts").getInt64();
  submission.seconds = row.getColumn("seconds").getDouble();
  submission.received_at = text("received_at");
  return submission;
}

// The oldest submission of the contributor who waits longest since one of theirs was taken; skips those that
// a living runner works at.
std::optional<std::int64_t> find_waiting(SQLite::Database& database) {
  SQLite::Statement row(database, R"sql(
    SELECT s.id, s.lease_pid, s.lease_start, s.lease_boot_id, s.lease_until_ms FROM submissions s
    WHERE s.state NOT IN ('published', 'rejected', 'failed', 'cancelled', 'superseded')
    ORDER BY s.num_attempts = 0,
             (SELECT COALESCE(MAX(e.id), 0) FROM submission_events e JOIN submissions o ON o.id = e.submission_id
              WHERE o.user_id = s.user_id AND e.state = 'checking'), s.id)sql");
  while (row.executeStep()) {
    const std::int64_t id = row.getColumn(0).getInt64();
    if (row.getColumn(1).isNull()) return id;
    const ProcessIdentity holder{row.getColumn(1).getInt64(), row.getColumn(2).getInt64(),
                                 row.getColumn(3).getString()};
    if (!is_alive(holder) || row.getColumn(4).getInt64() < boot_milliseconds()) return id;
  }
  return std::nullopt;
}

std::int64_t lease_end(double seconds) { return boot_milliseconds() + std::int64_t(1000 * seconds); }

}  // namespace

std::string_view word_of(SubmissionState state) { return kStates[std::size_t(state)]; }
bool is_final(SubmissionState state) { return state >= State::kPublished; }

Result<std::int64_t> put_board(Records& records, const Board& board) {
  return write_records(records, [&](SQLite::Database& database) -> Result<std::int64_t> {
    SQLite::Statement insert(database, R"sql(
      INSERT INTO boards (name, experiment, num_seeds) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET experiment = excluded.experiment, num_seeds = excluded.num_seeds
      RETURNING id)sql");
    SQLite::bind(insert, board.name, board.experiment, std::int64_t(board.num_seeds));
    insert.executeStep();
    return insert.getColumn(0).getInt64();
  });
}

Result<std::vector<Board>> read_boards(const RecordsReader& records) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<Board>> {
    SQLite::Statement row(database, "SELECT id, name, experiment, num_seeds FROM boards ORDER BY id");
    std::vector<Board> boards;
    while (row.executeStep())
      boards.push_back({row.getColumn(0).getInt64(), row.getColumn(1).getString(),
                        row.getColumn(2).getString(), std::size_t(row.getColumn(3).getInt64())});
    return boards;
  });
}

Result<std::int64_t> add_submission(Records& records, const NewSubmission& submission) {
  return write_records(records, [&](SQLite::Database& database) -> Result<std::int64_t> {
    SQLite::Statement known(database, "SELECT id FROM submissions WHERE user_id = ? AND request_key = ?");
    SQLite::bind(known, submission.user_id, submission.request_key);
    if (known.executeStep()) return known.getColumn(0).getInt64();
    SQLite::Statement insert(database, R"sql(
      INSERT INTO submissions (user_id, board_id, request_key, file_name, source, source_sha256, licence, is_private)
      VALUES (?, ?, NULLIF(?, ''), ?, ?, ?, ?, ?))sql");
    SQLite::bind(insert, submission.user_id, submission.board_id, submission.request_key,
                 submission.file_name, submission.source, sha256(submission.source), submission.licence,
                 int(submission.is_private));
    insert.exec();
    const std::int64_t id = database.getLastInsertRowid();
    put_event(database, id, State::kReceived, "received");
    return id;
  });
}

Result<std::optional<Submission>> find_submission(const RecordsReader& records, std::int64_t id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<Submission>> {
    SQLite::Statement row(database, R"sql(
      SELECT s.*, u.name AS contributor FROM submissions s JOIN users u ON u.id = s.user_id WHERE s.id = ?)sql");
    row.bind(1, id);
    if (!row.executeStep()) return std::optional<Submission>();
    return std::optional(submission_in(row));
  });
}

Result<std::vector<Submission>> read_submissions(const RecordsReader& records,
                                                 const SubmissionFilter& filter) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<Submission>> {
    SQLite::Statement row(database, R"sql(
      SELECT s.id, s.user_id, s.board_id, s.file_name, '' AS source, s.source_sha256, s.licence, s.is_private,
             s.heuristic, s.version, s.summary, s.state, s.reason, s.fault, s.num_attempts, s.seconds,
             s.received_at, u.name AS contributor
      FROM submissions s JOIN users u ON u.id = s.user_id
      WHERE s.id < :before AND (:user IS NULL OR s.user_id = :user)
        AND (:heuristic IS NULL OR s.heuristic = :heuristic)
        AND (NOT :in_work OR s.state NOT IN ('published', 'rejected', 'failed', 'cancelled', 'superseded'))
      ORDER BY s.id DESC LIMIT :most)sql");
    row.bind(":before", filter.before_id);
    if (filter.user_id) row.bind(":user", *filter.user_id);
    if (filter.heuristic) row.bind(":heuristic", *filter.heuristic);
    row.bind(":in_work", int(filter.in_work_only));
    row.bind(":most", std::int64_t(filter.most));
    std::vector<Submission> submissions;
    while (row.executeStep()) submissions.push_back(submission_in(row));
    return submissions;
  });
}

Result<std::vector<SubmissionEvent>> read_events(const RecordsReader& records, std::int64_t after_id,
                                                 std::optional<std::int64_t> submission_id,
                                                 std::size_t most) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<SubmissionEvent>> {
    SQLite::Statement row(database, R"sql(
      SELECT id, submission_id, state, text, at FROM submission_events
      WHERE id > ? AND (?2 IS NULL OR submission_id = ?2) ORDER BY id LIMIT ?3)sql");
    row.bind(1, after_id);
    if (submission_id) row.bind(2, *submission_id);
    row.bind(3, std::int64_t(most));
    std::vector<SubmissionEvent> events;
    while (row.executeStep())
      events.push_back({row.getColumn(0).getInt64(), row.getColumn(1).getInt64(),
                        state_of(row.getColumn(2).getString()), row.getColumn(3).getString(),
                        row.getColumn(4).getString()});
    return events;
  });
}

Result<std::optional<Judgement>> find_judgement(const RecordsReader& records, std::int64_t submission_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<Judgement>> {
    SQLite::Statement row(database, R"sql(
      SELECT gain, standard_error, low, high, num_seeds, finding, microseconds, num_features, report_html,
             report_json FROM judgements WHERE submission_id = ?)sql");
    row.bind(1, submission_id);
    if (!row.executeStep()) return std::optional<Judgement>();
    return std::optional(Judgement{row.getColumn(0).getDouble(), row.getColumn(1).getDouble(),
                                   row.getColumn(2).getDouble(), row.getColumn(3).getDouble(),
                                   std::size_t(row.getColumn(4).getInt64()), row.getColumn(5).getString(),
                                   row.getColumn(6).getDouble(), std::size_t(row.getColumn(7).getInt64()),
                                   row.getColumn(8).getString(), row.getColumn(9).getString()});
  });
}

Result<std::optional<Lease>> take_submission(Records& records, double lease_seconds) {
  return write_records(records, [&](SQLite::Database& database) -> Result<std::optional<Lease>> {
    while (const auto id = find_waiting(database)) {
      const ProcessIdentity self = this_process();
      SQLite::Statement update(database, R"sql(
        UPDATE submissions SET num_attempts = num_attempts + 1, lease_pid = ?, lease_start = ?,
                               lease_boot_id = ?, lease_until_ms = ?
        WHERE id = ? RETURNING num_attempts)sql");
      SQLite::bind(update, self.pid, self.start, self.boot_id, lease_end(lease_seconds), *id);
      update.executeStep();
      const Lease lease{*id, update.getColumn(0).getInt64()};
      update.reset();
      if (lease.num_attempts <= kMaxAttempts) return std::optional(lease);
      const std::string reason =
          fmt::format("the runner ended {} times while it worked at this", kMaxAttempts);
      set_end(database, *id, reason, Blame::kServer, 0);
      set_state(database, *id, State::kFailed, reason);
    }
    return std::optional<Lease>();
  });
}

Status renew_lease(Records& records, const Lease& lease, double lease_seconds) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    SQLite::Statement update(database, "UPDATE submissions SET lease_until_ms = ? WHERE id = ?");
    SQLite::bind(update, lease_end(lease_seconds), lease.submission_id);
    update.exec();
    return Done{};
  });
}

Status enter_state(Records& records, const Lease& lease, SubmissionState state, std::string_view text) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    set_state(database, lease.submission_id, state, text);
    return Done{};
  });
}

Status add_event(Records& records, const Lease& lease, std::string_view text) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    MASH_ASSIGN(const State state, read_state(database, lease.submission_id));
    put_event(database, lease.submission_id, state, text);
    return Done{};
  });
}

Status name_submission(Records& records, const Lease& lease, const std::string& heuristic,
                       const std::string& version, const std::string& summary) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    SQLite::Statement others(database, R"sql(
      SELECT o.user_id = s.user_id, o.version, u.name FROM submissions s, submissions o
      JOIN users u ON u.id = o.user_id
      WHERE s.id = ? AND o.id <> s.id AND o.heuristic = ? AND o.board_id = s.board_id
        AND o.state IN ('published', 'superseded'))sql");
    SQLite::bind(others, lease.submission_id, heuristic);
    while (others.executeStep()) {
      if (others.getColumn(0).getInt() == 0)
        return input_error("the heuristic '{}' belongs to {}: choose another id", heuristic,
                           others.getColumn(2).getString());
      if (others.getColumn(1).getString() == version)
        return input_error("version {} of '{}' was published before: raise the version", version, heuristic);
    }
    SQLite::Statement update(database,
                             "UPDATE submissions SET heuristic = ?, version = ?, summary = ? WHERE id = ?");
    SQLite::bind(update, heuristic, version, summary, lease.submission_id);
    update.exec();
    return Done{};
  });
}

Status end_submission(Records& records, const Lease& lease, SubmissionState state, const std::string& reason,
                      Blame fault, double seconds) {
  require(state == State::kRejected || state == State::kFailed, "end_submission: rejected or failed");
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    set_end(database, lease.submission_id, reason, fault, seconds);
    set_state(database, lease.submission_id, state, reason);
    return Done{};
  });
}

Status publish_submission(Records& records, const Lease& lease, const Judgement& judgement, double seconds) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    const std::int64_t id = lease.submission_id;
    SQLite::Statement insert(database, R"sql(
      INSERT OR REPLACE INTO judgements (submission_id, gain, standard_error, low, high, num_seeds, finding,
                                         microseconds, num_features, report_html, report_json)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql");
    SQLite::bind(insert, id, judgement.gain, judgement.standard_error, judgement.low, judgement.high,
                 std::int64_t(judgement.num_seeds), judgement.finding, judgement.microseconds,
                 std::int64_t(judgement.num_features), judgement.report_html, judgement.report_json);
    insert.exec();
    SQLite::Statement former(database, R"sql(
      SELECT o.id FROM submissions s JOIN submissions o ON o.heuristic = s.heuristic AND o.board_id = s.board_id
      WHERE s.id = ? AND o.id <> s.id AND o.state = 'published')sql");
    former.bind(1, id);
    std::vector<std::int64_t> superseded;
    while (former.executeStep()) superseded.push_back(former.getColumn(0).getInt64());
    for (const std::int64_t older : superseded)
      set_state(database, older, State::kSuperseded, fmt::format("submission {} is the next version", id));
    SQLite::Statement update(database, "UPDATE submissions SET seconds = seconds + ? WHERE id = ?");
    SQLite::bind(update, seconds, id);
    update.exec();
    set_state(database, id, State::kPublished, "published");
    return Done{};
  });
}

Status cancel_submission(Records& records, std::int64_t id) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    MASH_ASSIGN(const State state, read_state(database, id));
    if (is_final(state)) return input_error("submission {}: has ended already: {}", id, word_of(state));
    set_state(database, id, State::kCancelled, "cancelled");
    return Done{};
  });
}

Result<double> seconds_used(const RecordsReader& records, std::int64_t user_id, int days) {
  return read_records(records, [&](SQLite::Database& database) -> Result<double> {
    SQLite::Statement row(database, R"sql(
      SELECT COALESCE(SUM(seconds), 0.0) FROM submissions
      WHERE user_id = ? AND fault IS NOT 'server'
        AND received_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-' || ? || ' days'))sql");
    SQLite::bind(row, user_id, days);
    row.executeStep();
    return row.getColumn(0).getDouble();
  });
}

Result<std::vector<BoardEntry>> read_board_entries(const RecordsReader& records, std::int64_t board_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<BoardEntry>> {
    SQLite::Statement row(database,
                          "SELECT * FROM board_entries WHERE board_id = ? ORDER BY gain DESC, heuristic");
    row.bind(1, board_id);
    std::vector<BoardEntry> entries;
    while (row.executeStep()) {
      const auto text = [&](const char* column) { return row.getColumn(column).getString(); };
      const auto real = [&](const char* column) { return row.getColumn(column).getDouble(); };
      const auto count = [&](const char* column) { return std::size_t(row.getColumn(column).getInt64()); };
      entries.push_back({row.getColumn("submission_id").getInt64(), text("heuristic"), text("version"),
                         text("summary"), text("contributor"), text("licence"), text("finding"),
                         text("judged_at"), real("gain"), real("standard_error"), real("low"), real("high"),
                         count("num_seeds"), count("num_features"), real("microseconds")});
    }
    return entries;
  });
}

}  // namespace mash
