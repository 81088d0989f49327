// SPDX-License-Identifier: Apache-2.0
#include "framework/records/submission_queue.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/internal/answer_rows.hpp"
#include "framework/records/internal/blobs.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/process.hpp"
#include "framework/records/internal/submission_rows.hpp"
#include "framework/records/offers.hpp"

namespace mash {
namespace {

using State = SubmissionState;

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

// seconds: of the judging that ended. Those of runners that ended before it stay only where the server is at
// fault, so that seconds_taken has them.
void set_end(SQLite::Database& database, std::int64_t id, const std::string& reason, Blame fault,
             double seconds) {
  SQLite::Statement update(database, R"sql(
    UPDATE submissions SET reason = ?1, fault = ?2,
      seconds = CASE WHEN ?2 = 'server' THEN seconds + ?3 ELSE ?3 END WHERE id = ?4)sql");
  SQLite::bind(update, reason, fault == Blame::kServer ? "server" : "contributor", seconds, id);
  update.exec();
}

// One that was begun, or else the oldest submission of the contributor who waits longest since one of theirs
// was taken; skips those that a living runner works at.
std::optional<std::int64_t> find_waiting(SQLite::Database& database) {
  SQLite::Statement row(database, R"sql(
    SELECT s.id, s.lease_pid, s.lease_start, s.lease_boot_id, s.lease_until_ms
    FROM submissions s JOIN users u ON u.id = s.user_id
    WHERE NOT s.is_held AND s.state NOT IN ('published', 'rejected', 'failed', 'cancelled', 'superseded')
    ORDER BY s.state = 'received', u.last_taken, s.id)sql");
  while (row.executeStep())
    if (!is_leased(row)) return row.getColumn("id").getInt64();
  return std::nullopt;
}

// Moves this contributor to the end of the turn order.
void end_turn(SQLite::Database& database, std::int64_t submission_id) {
  SQLite::Statement update(database, R"sql(
    UPDATE users SET last_taken = (SELECT MAX(last_taken) + 1 FROM users)
    WHERE id = (SELECT user_id FROM submissions WHERE id = ?))sql");
  update.bind(1, submission_id);
  update.exec();
}

std::int64_t lease_end(double seconds) { return boot_milliseconds() + std::int64_t(1000 * seconds); }

// The first run, and whether another gave the same, as it should.
struct Rerun {
  std::int64_t first_id = 0;
  bool gave_the_same = false;
};

// Nothing where the submission is none that was run again on its own version of the board.
// The first may have been measured with more seeds by now: then the sums of its losses are compared.
std::optional<Rerun> compare_rerun(SQLite::Database& database, std::int64_t id, const Judgement& judgement) {
  SQLite::Statement row(database, R"sql(
    SELECT j.submission_id,
           (j.gain = ? AND j.standard_error = ? AND j.low = ? AND j.high = ? AND j.num_seeds = ?)
             OR (l.of_seeds = ? AND l.of_examples = ?)
    FROM submissions s JOIN submissions f ON f.id = s.rerun_of AND f.board_id = s.board_id
    JOIN judgements j ON j.submission_id = f.id
    LEFT JOIN judgement_losses l ON l.submission_id = f.id AND l.num_seeds = ? AND l.procedure = ? AND l.num_seeds < j.num_seeds
    WHERE s.id = ?)sql");
  const auto num_seeds = std::int64_t(judgement.num_seeds);
  SQLite::bind(row, judgement.gain, judgement.standard_error, judgement.low, judgement.high, num_seeds);
  rows::bind_blob(row, 6, judgement.losses.of_seeds);
  rows::bind_blob(row, 7, judgement.losses.of_examples);
  row.bind(8, num_seeds);
  row.bind(9, kOfferProcedure);
  row.bind(10, id);
  if (!row.executeStep()) return std::nullopt;
  return Rerun{row.getColumn(0).getInt64(), row.getColumn(1).getInt() != 0};
}

void end_rerun(SQLite::Database& database, std::int64_t id, const Rerun& rerun) {
  if (!rerun.gave_the_same) {
    const std::string reason = fmt::format("another run of submission {} gave other figures", rerun.first_id);
    set_end(database, id, reason, Blame::kServer, 0);
    return set_submission_state(database, id, State::kFailed, reason);
  }
  SQLite::Statement update(
      database, "UPDATE submissions SET verified_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?");
  update.bind(1, rerun.first_id);
  update.exec();
  set_submission_state(database, id, State::kSuperseded,
                       fmt::format("gave the same figures as submission {}", rerun.first_id));
  raise_board_revision(database, id);
}

// The best that was released of the same heuristic on this version of the board.
std::optional<MeasuredGain> best_released(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement row(database, R"sql(
    SELECT j.released_gain, j.released_standard_error, j.released_low, j.released_high, j.released_num_seeds,
           j.released_finding FROM submissions s
    JOIN submissions o ON o.heuristic = s.heuristic AND o.board_id = s.board_id AND o.id <> s.id
    JOIN judgements j ON j.submission_id = o.id
    WHERE s.id = ? AND o.state IN ('published', 'superseded')
    ORDER BY j.released_gain DESC, o.id LIMIT 1)sql");
  row.bind(1, id);
  if (!row.executeStep()) return std::nullopt;
  return MeasuredGain{row.getColumn(0).getDouble(),
                      row.getColumn(1).getDouble(),
                      row.getColumn(2).getDouble(),
                      row.getColumn(3).getDouble(),
                      std::size_t(row.getColumn(4).getInt64()),
                      row.getColumn(5).getString()};
}

double ladder_step(SQLite::Database& database, std::int64_t id, const Judgement& judgement) {
  SQLite::Statement row(
      database, "SELECT b.ladder_step FROM boards b JOIN submissions s ON s.board_id = b.id WHERE s.id = ?");
  row.bind(1, id);
  row.executeStep();
  const double step = row.getColumn(0).getDouble();
  return step == kPlaceboStep ? judgement.placebo_step : step;
}

void put_losses(SQLite::Database& database, std::int64_t id, const Judgement& judgement) {
  if (!judgement.losses.is_empty()) {
    // Those of a former procedure do not stay beside it.
    SQLite::Statement former(database,
                             "DELETE FROM judgement_losses WHERE submission_id = ? AND procedure <> ?");
    SQLite::bind(former, id, kOfferProcedure);
    former.exec();
    SQLite::Statement insert(database, "INSERT OR REPLACE INTO judgement_losses VALUES (?, ?, ?, ?, ?)");
    SQLite::bind(insert, id, std::int64_t(judgement.num_seeds), kOfferProcedure);
    rows::bind_blob(insert, 4, judgement.losses.of_seeds);
    rows::bind_blob(insert, 5, judgement.losses.of_examples);
    insert.exec();
  }
  if (judgement.features_digest.empty()) return;
  SQLite::Statement digest(database, "INSERT OR REPLACE INTO judgement_features VALUES (?, ?)");
  SQLite::bind(digest, id, judgement.features_digest);
  digest.exec();
  put_sample(database, id, judgement.sample);
}

ToldGain told_gain(SQLite::Database& database, std::int64_t id, const Judgement& judgement) {
  return told_of(judgement, best_released(database, id), ladder_step(database, id, judgement));
}

void put_judgement(SQLite::Database& database, std::int64_t id, const Judgement& judgement, bool is_rerun) {
  const ToldGain told = told_gain(database, id, judgement);
  const MeasuredGain& released = told.told;
  if (!is_rerun) put_answer_of_submission(database, id, told);  // the same once more tells nothing
  SQLite::Statement insert(database, R"sql(
    INSERT OR REPLACE INTO judgements (
      submission_id, gain, standard_error, low, high, num_seeds, finding, released_gain,
      released_standard_error, released_low, released_high, released_num_seeds, released_finding,
      microseconds, num_features, report_html, report_json)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql");
  SQLite::bind(insert, id, judgement.gain, judgement.standard_error, judgement.low, judgement.high,
               std::int64_t(judgement.num_seeds), judgement.finding, released.gain, released.standard_error,
               released.low, released.high, std::int64_t(released.num_seeds), released.finding,
               judgement.microseconds, std::int64_t(judgement.num_features), judgement.report_html,
               judgement.report_json);
  insert.exec();
  put_losses(database, id, judgement);
}

// Parts of "1.10.0" as numbers, by which versions are ordered.
std::array<std::uint64_t, 3> parts_of(std::string_view version) {
  std::array<std::uint64_t, 3> parts{};
  for (std::uint64_t& part : parts) {
    const std::string_view word = version.substr(0, version.find('.'));
    std::string_view digits = word;
    part = take_number<std::uint64_t>(digits).value_or(word.empty() ? 0 : UINT64_MAX);
    version.remove_prefix(std::min(word.size() + 1, version.size()));
  }
  return parts;
}

// Publishes one of the published versions of its heuristic, on any version of the board: only the highest
// stays so, whichever was judged first; of equal ones the last run.
void publish_highest(SQLite::Database& database, std::int64_t id) {
  set_submission_state(database, id, State::kPublished, "published");
  raise_board_revision(database, id);
  SQLite::Statement row(database, R"sql(
    SELECT o.version, o.id FROM submissions s JOIN boards b ON b.id = s.board_id
    JOIN boards ob ON ob.name = b.name JOIN submissions o ON o.heuristic = s.heuristic AND o.board_id = ob.id
    WHERE s.id = ? AND o.state = 'published' AND o.removed_why IS NULL)sql");
  row.bind(1, id);
  std::vector<std::pair<std::array<std::uint64_t, 3>, std::int64_t>> published;
  while (row.executeStep())
    published.emplace_back(parts_of(row.getColumn(0).getString()), row.getColumn(1).getInt64());
  const std::int64_t highest = std::ranges::max(published).second;
  for (const auto& [version, other] : published) {
    if (other == highest) continue;
    set_submission_state(database, other, State::kSuperseded, fmt::format("by submission {}", highest));
    raise_board_revision(database, other);
  }
}

// Errors (kInput): ids that begin so are another user's: of who published the first, has this name, or had
// it.
Status check_beginning(SQLite::Database& database, std::int64_t id, const std::string& heuristic) {
  const std::size_t slash = heuristic.find('/');
  if (slash == std::string::npos) return Done{};
  const std::string beginning = heuristic.substr(0, slash);
  SQLite::Statement owner(database, R"sql(
    SELECT u.id = s.user_id, u.name FROM submissions s JOIN users u WHERE s.id = ?1 AND u.id = COALESCE(
      (SELECT o.user_id FROM submissions o WHERE o.heuristic >= ?2 || '/' AND o.heuristic < ?2 || '0'
         AND o.state IN ('published', 'superseded') AND o.removed_why IS NULL ORDER BY o.id LIMIT 1),
      (SELECT n.id FROM users n WHERE n.name = ?2),
      (SELECT f.user_id FROM former_names f WHERE f.hash = ?3)))sql");
  SQLite::bind(owner, id, beginning, hash_of_name(beginning));
  if (!owner.executeStep() || owner.getColumn(0).getInt() != 0) return Done{};
  return input_error("ids that begin with '{}/' belong to {}: choose another id than '{}'", beginning,
                     owner.getColumn(1).getString(), heuristic);
}

// Errors (kInput): the heuristic, or the beginning of its id, is somebody else's, on any board, or this
// version of it was published on this board before.
Status check_name(SQLite::Database& database, std::int64_t id, const std::string& heuristic,
                  const std::string& version) {
  SQLite::Statement others(database, R"sql(
    SELECT o.user_id = s.user_id, CASE WHEN s.rerun_of IS NULL AND ob.name = b.name THEN o.version END, u.name
    FROM submissions s JOIN boards b ON b.id = s.board_id JOIN submissions o ON o.id <> s.id
    JOIN boards ob ON ob.id = o.board_id JOIN users u ON u.id = o.user_id
    WHERE s.id = ? AND o.heuristic = ? AND o.state IN ('published', 'superseded'))sql");
  SQLite::bind(others, id, heuristic);
  while (others.executeStep()) {
    if (others.getColumn(0).getInt() == 0)
      return input_error("the heuristic '{}' belongs to {}: choose another id", heuristic,
                         others.getColumn(2).getString());
    if (others.getColumn(1).getString() == version)
      return input_error("version {} of '{}' was published before: raise the version", version, heuristic);
  }
  return check_beginning(database, id, heuristic);
}

// The same for one that has its name, which another runner may have published since.
Status check_kept_name(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement row(database, "SELECT heuristic, version FROM submissions WHERE id = ?");
  row.bind(1, id);
  row.executeStep();
  return check_name(database, id, row.getColumn(0).getString(), row.getColumn(1).getString());
}

// In a row of `runners`.
ProcessIdentity runner_in(SQLite::Statement& row) {
  return {row.getColumn("pid").getInt64(), row.getColumn("start").getInt64(),
          row.getColumn("boot_id").getString()};
}

void remove_ended_runners(SQLite::Database& database) {
  SQLite::Statement row(database, "SELECT * FROM runners");
  std::vector<ProcessIdentity> ended;
  while (row.executeStep())
    if (const ProcessIdentity runner = runner_in(row); !is_alive(runner)) ended.push_back(runner);
  for (const ProcessIdentity& runner : ended) {
    SQLite::Statement remove(database, "DELETE FROM runners WHERE pid = ? AND start = ? AND boot_id = ?");
    SQLite::bind(remove, runner.pid, runner.start, runner.boot_id);
    remove.exec();
  }
}

}  // namespace

Result<std::optional<Lease>> take_submission(Records& records, double lease_seconds) {
  return write_records(records, [&](SQLite::Database& database) -> Result<std::optional<Lease>> {
    while (const auto id = find_waiting(database)) {
      const ProcessIdentity self = this_process();
      SQLite::Statement update(database, R"sql(
        UPDATE submissions
        SET seconds = seconds + COALESCE(MAX(0, MIN(lease_until_ms, ?1) - lease_since_ms), 0) / 1000.0,
            num_attempts = num_attempts + 1, lease_pid = ?2, lease_start = ?3, lease_boot_id = ?4,
            lease_since_ms = ?1, lease_until_ms = ?5
        WHERE id = ?6 RETURNING num_attempts)sql");
      // The time of a runner that ended meanwhile, until the submission ends.
      SQLite::bind(update, boot_milliseconds(), self.pid, self.start, self.boot_id, lease_end(lease_seconds),
                   *id);
      update.executeStep();
      const Lease lease{*id, update.getColumn(0).getInt64()};
      update.reset();
      end_turn(database, *id);
      if (lease.num_attempts <= kMaxAttempts) return std::optional(lease);
      const std::string reason =
          fmt::format("the runner ended {} times while it worked at this", kMaxAttempts);
      set_end(database, *id, reason, Blame::kServer, 0);
      set_submission_state(database, *id, State::kFailed, reason);
    }
    return std::optional<Lease>();
  });
}

Result<bool> is_any_waiting(const RecordsReader& records) {
  return read_records(records, [&](SQLite::Database& database) -> Result<bool> {
    return find_waiting(database).has_value();
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
    set_submission_state(database, lease.submission_id, state, text);
    return Done{};
  });
}

Status add_event(Records& records, const Lease& lease, std::string_view text) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    MASH_ASSIGN(const State state, read_submission_state(database, lease.submission_id));
    put_submission_event(database, lease.submission_id, state, text);
    return Done{};
  });
}

Status give_back(Records& records, const Lease& lease, bool counts, std::string_view text) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    MASH_ASSIGN(const State state, read_submission_state(database, lease.submission_id));
    put_submission_event(database, lease.submission_id, state, text);
    SQLite::Statement update(database, "UPDATE submissions SET num_attempts = num_attempts - ? WHERE id = ?");
    SQLite::bind(update, counts ? 0 : 1, lease.submission_id);
    update.exec();
    drop_lease(database, lease.submission_id);
    return Done{};
  });
}

Status put_findings(Records& records, const Lease& lease, const std::vector<SourceFinding>& findings) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    SQLite::Statement former(database, "DELETE FROM submission_findings WHERE submission_id = ?");
    former.bind(1, lease.submission_id);
    former.exec();
    SQLite::Statement insert(database, R"sql(
      INSERT INTO submission_findings (submission_id, line, column, kind, text) VALUES (?, ?, ?, ?, ?))sql");
    for (const SourceFinding& finding : std::span(findings).first(std::min(findings.size(), kMaxFindings))) {
      SQLite::bind(insert, lease.submission_id, std::int64_t(finding.line), std::int64_t(finding.column),
                   printable(finding.kind, kMaxNameBytes), printable_lines(finding.text, kMaxFindingBytes));
      insert.exec();
      insert.reset();
    }
    return Done{};
  });
}

Status check_submission_id(Records& records, const Lease& lease, const std::string& heuristic,
                           const std::string& version) {
  return write_leased(records, lease, [&](SQLite::Database& database) {
    return check_name(database, lease.submission_id, heuristic, version);
  });
}

Status name_submission(Records& records, const Lease& lease, const std::string& heuristic,
                       const std::string& version, const std::string& summary) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    MASH_TRY(check_name(database, lease.submission_id, heuristic, version));
    SQLite::Statement update(database,
                             "UPDATE submissions SET heuristic = ?, version = ?, summary = ? WHERE id = ?");
    SQLite::bind(update, printable(heuristic, kMaxNameBytes), printable(version, kMaxNameBytes),
                 printable(summary, kMaxReasonBytes), lease.submission_id);
    update.exec();
    return Done{};
  });
}

Status check_features(Records& records, const Lease& lease, const std::string& digest) {
  return write_leased(records, lease, [&](SQLite::Database& database) {
    return check_copies(database, lease.submission_id, digest);
  });
}

Status end_submission(Records& records, const Lease& lease, SubmissionState state, const std::string& reason,
                      Blame fault, double seconds) {
  require(state == State::kRejected || state == State::kFailed, "end_submission: rejected or failed");
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    const std::string shown = printable_lines(reason, kMaxReasonBytes);
    set_end(database, lease.submission_id, shown, fault, seconds);
    set_submission_state(database, lease.submission_id, state, shown);
    return Done{};
  });
}

Status publish_submission(Records& records, const Lease& lease, const Judgement& judgement, double seconds) {
  return write_leased(records, lease, [&](SQLite::Database& database) -> Status {
    const std::int64_t id = lease.submission_id;
    SQLite::Statement update(database, "UPDATE submissions SET seconds = ? WHERE id = ?");
    SQLite::bind(update, seconds, id);
    update.exec();
    Status allowed = check_kept_name(database, id);
    if (allowed.ok()) allowed = check_copies(database, id, judgement.features_digest);
    if (!allowed.ok()) {
      set_end(database, id, allowed.error().message, Blame::kContributor, seconds);
      set_submission_state(database, id, State::kRejected, allowed.error().message);
      return Done{};
    }
    const std::optional<Rerun> rerun = compare_rerun(database, id, judgement);
    if (!rerun || rerun->gave_the_same) put_judgement(database, id, judgement, rerun.has_value());
    if (rerun) {
      end_rerun(database, id, *rerun);
    } else {
      publish_highest(database, id);
    }
    return Done{};
  });
}

Status keep_measurement(Records& records, std::int64_t submission_id, const Judgement& judgement) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    const ToldGain told = told_gain(database, submission_id, judgement);
    const MeasuredGain& released = told.told;
    SQLite::Statement update(database, R"sql(
      UPDATE judgements SET gain = ?, standard_error = ?, low = ?, high = ?, num_seeds = ?, finding = ?,
        released_gain = ?, released_standard_error = ?, released_low = ?, released_high = ?,
        released_num_seeds = ?, released_finding = ?
      WHERE submission_id = ? AND submission_id IN
        (SELECT id FROM submissions WHERE state = 'published' AND removed_why IS NULL))sql");
    SQLite::bind(update, judgement.gain, judgement.standard_error, judgement.low, judgement.high,
                 std::int64_t(judgement.num_seeds), judgement.finding, released.gain, released.standard_error,
                 released.low, released.high, std::int64_t(released.num_seeds), released.finding,
                 submission_id);
    if (update.exec() == 0) return Done{};
    put_answer_of_submission(database, submission_id, told);
    put_losses(database, submission_id, judgement);
    raise_board_revision(database, submission_id);
    return Done{};
  });
}

Status report_runner(Records& records, std::optional<std::int64_t> submission_id) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    const ProcessIdentity self = this_process();
    SQLite::Statement update(database, R"sql(
      UPDATE runners SET submission_id = NULLIF(?, 0), seen_ms = ?
      WHERE pid = ? AND start = ? AND boot_id = ?)sql");
    SQLite::bind(update, submission_id.value_or(0), boot_milliseconds(), self.pid, self.start, self.boot_id);
    if (update.exec() > 0) return Done{};
    remove_ended_runners(database);
    SQLite::Statement insert(database, R"sql(
      INSERT INTO runners (submission_id, seen_ms, pid, start, boot_id) VALUES (NULLIF(?, 0), ?, ?, ?, ?))sql");
    SQLite::bind(insert, submission_id.value_or(0), boot_milliseconds(), self.pid, self.start, self.boot_id);
    insert.exec();
    return Done{};
  });
}

Result<std::vector<RunnerSeen>> read_runners(const RecordsReader& records) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<RunnerSeen>> {
    SQLite::Statement row(database, "SELECT * FROM runners ORDER BY started_at, pid");
    std::vector<RunnerSeen> runners;
    while (row.executeStep()) {
      const ProcessIdentity process = runner_in(row);
      if (!is_alive(process)) continue;
      RunnerSeen runner{process.pid, std::nullopt, row.getColumn("started_at").getString(),
                        double(boot_milliseconds() - row.getColumn("seen_ms").getInt64()) / 1000};
      if (!row.getColumn("submission_id").isNull())
        runner.submission_id = row.getColumn("submission_id").getInt64();
      runners.push_back(std::move(runner));
    }
    return runners;
  });
}

}  // namespace mash
