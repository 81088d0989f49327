// SPDX-License-Identifier: Apache-2.0
#include "framework/records/submissions.hpp"

#include <algorithm>
#include <array>

#include "framework/base/hash.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/base/utf8.hpp"
#include "framework/records/internal/blobs.hpp"
#include "framework/records/internal/board_rows.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/submission_rows.hpp"
#include "framework/records/offers.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

using State = SubmissionState;

// Submissions that stand on former versions of a board, by its name.
constexpr const char* kPublishedOnFormer = R"sql(
  SELECT s.id FROM submissions s JOIN boards b ON b.id = s.board_id
  WHERE b.name = ?1 AND b.version < (SELECT MAX(version) FROM boards WHERE name = ?1)
    AND s.state = 'published' AND s.removed_why IS NULL
  ORDER BY s.id)sql";

// Another run of the submission that is in work on the newest version of its board; nothing: there is none.
std::optional<std::int64_t> find_rerun(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement row(database, R"sql(
    SELECT r.id FROM submissions s JOIN boards b ON b.id = s.board_id JOIN submissions r ON r.rerun_of = s.id
    WHERE s.id = ? AND r.board_id = (SELECT n.id FROM boards n WHERE n.name = b.name ORDER BY n.version DESC LIMIT 1)
      AND r.state NOT IN ('published', 'rejected', 'failed', 'cancelled', 'superseded') LIMIT 1)sql");
  row.bind(1, id);
  if (!row.executeStep()) return std::nullopt;
  return row.getColumn(0).getInt64();
}

Result<std::int64_t> put_rerun(SQLite::Database& database, std::int64_t id) {
  if (const auto known = find_rerun(database, id))
    return input_error("submission {}: is run again already, as submission {}", id, *known);
  SQLite::Statement insert(database, R"sql(
    INSERT INTO submissions (user_id, board_id, file_name, source, source_sha256, licence, heuristic, rerun_of,
                             original_id)
    SELECT s.user_id, (SELECT n.id FROM boards n WHERE n.name = b.name ORDER BY n.version DESC LIMIT 1),
           s.file_name, s.source, s.source_sha256, s.licence, s.heuristic, s.id,
           COALESCE(s.original_id, s.id)
    FROM submissions s JOIN boards b ON b.id = s.board_id
    WHERE s.id = ? AND s.state = 'published' AND s.removed_why IS NULL)sql");
  insert.bind(1, id);
  if (insert.exec() == 0) return input_error("submission {}: is not published", id);
  const std::int64_t rerun = database.getLastInsertRowid();
  SQLite::Statement settings(database, R"sql(
    INSERT INTO submission_settings (submission_id, key, value)
    SELECT ?, key, value FROM submission_settings WHERE submission_id = ? ORDER BY rowid)sql");
  SQLite::bind(settings, rerun, id);
  settings.exec();
  put_submission_event(database, rerun, State::kReceived, fmt::format("submission {} is run again", id));
  return rerun;
}

// All columns of `s` that a Submission has, except the source, and its contributor.
constexpr std::string_view kSubmissionColumns = R"sql(
  s.id, s.user_id, s.board_id, s.file_name, s.source_sha256, s.licence, s.is_private, s.heuristic, s.version,
  s.summary, s.state, s.reason, s.fault, s.num_attempts, s.seconds, s.received_at, s.rerun_of, s.verified_at,
  s.is_held, s.removed_why, u.name AS contributor,
  (SELECT b.name FROM boards b WHERE b.id = s.board_id) AS board,
  (SELECT json_group_array(json_array(t.key, t.value)) FROM (
     SELECT key, value FROM submission_settings WHERE submission_id = s.id ORDER BY rowid) t) AS settings)sql";

// The conditions of a filter that are set; what is not asked for would keep an index from being used.
std::string conditions_of(const SubmissionFilter& filter) {
  std::vector<std::string_view> conditions{"s.id < :before"};
  if (filter.user_id) conditions.push_back("s.user_id = :user");
  if (filter.heuristic) conditions.push_back("s.heuristic = :heuristic");
  if (!filter.with_private)
    conditions.push_back("(NOT s.is_private OR s.state IN ('published', 'superseded'))");
  if (filter.in_work_only)
    conditions.push_back("s.state NOT IN ('published', 'rejected', 'failed', 'cancelled', 'superseded')");
  if (filter.failed_only) conditions.push_back("s.state = 'failed' AND s.fault = 'server'");
  return fmt::format("{}", fmt::join(conditions, " AND "));
}

// Submissions of the same contributor with the same source, itself among them.
std::vector<std::int64_t> copies_of(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement row(database, R"sql(
    SELECT o.id FROM submissions s
    JOIN submissions o ON o.user_id = s.user_id AND o.source_sha256 = s.source_sha256 WHERE s.id = ?)sql");
  row.bind(1, id);
  std::vector<std::int64_t> ids;
  while (row.executeStep()) ids.push_back(row.getColumn(0).getInt64());
  return ids;
}

Status remove_one(SQLite::Database& database, std::int64_t id, const std::string& why) {
  MASH_ASSIGN(const State state, read_submission_state(database, id));
  if (!is_final(state)) cancel_submission_row(database, id, "its source was removed");
  SQLite::Statement update(database, "UPDATE submissions SET removed_why = ? WHERE id = ?");
  SQLite::bind(update, why, id);
  update.exec();
  raise_board_revision(database, id);
  return Done{};
}

// Errors (kInput): the account is disabled or closed, since its holder was let in.
Status check_may_hand_in(SQLite::Database& database, std::int64_t user_id) {
  SQLite::Statement row(database, "SELECT name, closed_at FROM users WHERE id = ? AND is_disabled");
  row.bind(1, user_id);
  if (!row.executeStep()) return Done{};
  return input_error("the account {} is {}; nothing is taken from it", row.getColumn(0).getString(),
                     row.getColumn(1).isNull() ? "disabled" : "closed");
}

constexpr std::size_t kMostNameBytes = 64;
constexpr std::array<std::string_view, 3> kEndings = {".cpp", ".cc", ".cxx"};

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.';
}

}  // namespace

std::string settings_in_words(const std::vector<SubmissionSetting>& settings) {
  std::string words;
  for (const SubmissionSetting& setting : settings)
    words += fmt::format("{}{}={}", words.empty() ? "" : ", ", setting.key, setting.value);
  return words;
}

Status check_submission_settings(const std::vector<SubmissionSetting>& settings) {
  if (settings.size() > kMostSettings)
    return input_error("key 'settings': found {}, expected at most {}", settings.size(), kMostSettings);
  for (auto setting = settings.begin(); setting != settings.end(); ++setting) {
    for (const std::string& text : {setting->key, setting->value})
      if (text.empty() || text.size() > kMostSettingBytes || !is_line_of_text(text))
        return input_error(
            "key 'settings': found '{}={}', expected a name and a value of 1 to {} bytes of text",
            printable(setting->key, kMostSettingBytes), printable(setting->value, kMostSettingBytes),
            kMostSettingBytes);
    if (std::ranges::find(settings.begin(), setting, setting->key, &SubmissionSetting::key) != setting)
      return input_error("key 'settings': '{}' is given twice", setting->key);
  }
  return Done{};
}

std::string_view word_of(SubmissionState state) { return kSubmissionStates[std::size_t(state)]; }
bool is_final(SubmissionState state) { return state >= State::kPublished; }

bool is_source_name(std::string_view file_name) {
  return file_name.size() <= kMostNameBytes && !file_name.starts_with('.') &&
         std::ranges::all_of(file_name, is_plain) &&
         std::ranges::any_of(kEndings, [&](std::string_view ending) { return file_name.ends_with(ending); });
}

std::optional<std::string> id_in_source(std::string_view source) {
  constexpr std::string_view kMacro = "MASH_HEURISTIC(";
  const std::size_t at = source.find(kMacro);
  if (at == std::string_view::npos || source.find(kMacro, at + 1) != std::string_view::npos)
    return std::nullopt;
  std::string_view rest = source.substr(at + kMacro.size());
  const std::size_t comma = rest.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  rest = rest.substr(comma + 1);
  rest = rest.substr(std::min(rest.size(), rest.find_first_not_of(" \t\r\n")));
  if (!rest.starts_with('"')) return std::nullopt;
  const std::size_t end = rest.find_first_of("\"\\\n", 1);
  if (end == std::string_view::npos || rest[end] != '"') return std::nullopt;
  return std::string(rest.substr(1, end - 1));
}

std::string source_name_of(std::string_view file_name) {
  const std::string_view stem = file_name.substr(0, file_name.rfind('.'));
  std::string ending(file_name.substr(stem.size()));
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  if (std::ranges::find(kEndings, ending) == kEndings.end() || stem.find_first_of("/\\\n\r") != stem.npos ||
      stem.starts_with('.'))
    return std::string(file_name);
  std::string plain;
  for (const char c : stem)
    if (is_plain(c) || !plain.ends_with('_')) plain += is_plain(c) ? c : '_';
  plain.resize(std::min(plain.size(), kMostNameBytes - ending.size()));
  plain.erase(plain.find_last_not_of('_') + 1);
  if (!plain.empty()) return plain + ending;
  const bool has_other_letters = std::ranges::any_of(stem, [](char c) { return (c & 0x80) != 0; });
  return has_other_letters ? "source" + ending : std::string(file_name);
}

Result<BoardIntake> read_intake(const RecordsReader& records, std::int64_t user_id, const Board& board) {
  return read_records(records, [&](SQLite::Database& database) -> Result<BoardIntake> {
    return intake_of(database, user_id, board);
  });
}

std::string next_attempt_in_words(const BoardTerms& terms, const BoardIntake& intake) {
  std::string moment = "the next is possible on " + moment_in_words(intake.next_attempt_at);
  if (!terms.closes_at.empty() && terms.closes_at <= intake.next_attempt_at)
    moment =
        fmt::format("the board closes on {}, before the next is possible", moment_in_words(terms.closes_at));
  if (intake.num_unchecked == 0) return moment;
  return fmt::format("{}; sooner if {} now does not compile or fails a check, which is no attempt", moment,
                     intake.num_unchecked == 1
                         ? "the one that waits or is checked"
                         : fmt::format("one of the {} that wait or are checked", intake.num_unchecked));
}

std::string why_nothing_is_taken(const Board& board, const BoardIntake& intake) {
  const BoardTerms& terms = board.terms;
  if (intake.phase == BoardPhase::kNotYetOpen)
    return fmt::format("the board {} opens on {}; nothing is taken before", board.name,
                       moment_in_words(terms.opens_at));
  if (intake.phase == BoardPhase::kClosed)
    return fmt::format("the board {} closed on {}; nothing more is taken", board.name,
                       moment_in_words(terms.closes_at));
  if (intake.next_attempt_at.empty()) return "";
  return fmt::format("the board {} takes {} of each contributor in 24 hours, and yours are used up; {}",
                     board.name, counted(std::size_t(terms.attempts_a_day), "attempt"),
                     next_attempt_in_words(terms, intake));
}

Result<std::int64_t> add_submission(Records& records, const NewSubmission& submission) {
  return write_records(records, [&](SQLite::Database& database) -> Result<std::int64_t> {
    SQLite::Statement known(database, "SELECT id FROM submissions WHERE user_id = ? AND request_key = ?");
    SQLite::bind(known, submission.user_id, submission.request_key);
    if (known.executeStep()) return known.getColumn(0).getInt64();
    MASH_TRY(check_may_hand_in(database, submission.user_id));
    const auto board = board_of(database, submission.board_id);
    if (!board) return input_error("there is no board {}", submission.board_id);
    if (const std::string why = why_nothing_is_taken(*board, intake_of(database, submission.user_id, *board));
        !why.empty())
      return input_error("{}", why);
    SQLite::Statement insert(database, R"sql(
      INSERT INTO submissions (user_id, board_id, request_key, file_name, source, source_sha256, licence, is_private)
      VALUES (?, ?, NULLIF(?, ''), ?, ?, ?, ?, ?))sql");
    SQLite::bind(insert, submission.user_id, submission.board_id, submission.request_key,
                 submission.file_name, submission.source, sha256(submission.source), submission.licence,
                 int(submission.is_private));
    insert.exec();
    const std::int64_t id = database.getLastInsertRowid();
    for (const SubmissionSetting& setting : submission.settings) {
      SQLite::Statement row(database, "INSERT INTO submission_settings VALUES (?, ?, ?)");
      SQLite::bind(row, id, setting.key, setting.value);
      row.exec();
    }
    put_submission_event(database, id, State::kReceived, "received");
    return id;
  });
}

Result<std::optional<std::int64_t>> find_request(const RecordsReader& records, std::int64_t user_id,
                                                 const std::string& request_key) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<std::int64_t>> {
    SQLite::Statement row(database, "SELECT id FROM submissions WHERE user_id = ? AND request_key = ?");
    SQLite::bind(row, user_id, request_key);
    if (!row.executeStep()) return std::optional<std::int64_t>();
    return std::optional(row.getColumn(0).getInt64());
  });
}

Result<std::optional<Submission>> find_submission(const RecordsReader& records, std::int64_t id,
                                                  SourceText text) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<Submission>> {
    SQLite::Statement row(
        database, fmt::format("SELECT {}, {} AS source FROM submissions s JOIN users u ON u.id = s.user_id "
                              "WHERE s.id = ?",
                              kSubmissionColumns, text == SourceText::kRead ? "s.source" : "''"));
    row.bind(1, id);
    if (!row.executeStep()) return std::optional<Submission>();
    return std::optional(submission_in(row));
  });
}

Result<std::vector<Submission>> read_submissions(const RecordsReader& records,
                                                 const SubmissionFilter& filter) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<Submission>> {
    SQLite::Statement row(database, fmt::format(R"sql(
      SELECT {}, '' AS source FROM submissions s JOIN users u ON u.id = s.user_id
      WHERE {} ORDER BY s.id DESC LIMIT :most)sql",
                                                kSubmissionColumns, conditions_of(filter)));
    row.bind(":before", filter.before_id);
    if (filter.user_id) row.bind(":user", *filter.user_id);
    if (filter.heuristic) row.bind(":heuristic", *filter.heuristic);
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
    SQLite::Statement row(database,
                          fmt::format("SELECT id, submission_id, state, text, at FROM submission_events "
                                      "WHERE {} id > :after ORDER BY id LIMIT :most",
                                      submission_id ? "submission_id = :submission AND" : ""));
    row.bind(":after", after_id);
    if (submission_id) row.bind(":submission", *submission_id);
    row.bind(":most", std::int64_t(most));
    std::vector<SubmissionEvent> events;
    while (row.executeStep())
      events.push_back({row.getColumn(0).getInt64(), row.getColumn(1).getInt64(),
                        submission_state_of(row.getColumn(2).getString()),
                        printable_lines(row.getColumn(3).getString(), kMaxEventBytes),
                        row.getColumn(4).getString()});
    return events;
  });
}

Result<std::int64_t> newest_event(const RecordsReader& records) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::int64_t> {
    return database.execAndGet("SELECT COALESCE(MAX(id), 0) FROM submission_events").getInt64();
  });
}

Result<std::vector<SourceFinding>> read_findings(const RecordsReader& records, std::int64_t submission_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<SourceFinding>> {
    SQLite::Statement row(database, R"sql(
      SELECT line, column, kind, text FROM submission_findings WHERE submission_id = ?
      ORDER BY rowid LIMIT ?)sql");
    SQLite::bind(row, submission_id, std::int64_t(kMaxFindings));
    std::vector<SourceFinding> findings;
    while (row.executeStep())
      findings.push_back({std::uint64_t(row.getColumn(0).getInt64()),
                          std::uint64_t(row.getColumn(1).getInt64()), row.getColumn(2).getString(),
                          printable_lines(row.getColumn(3).getString(), kMaxFindingBytes)});
    return findings;
  });
}

Result<std::optional<Judgement>> find_judgement(const RecordsReader& records, std::int64_t submission_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<Judgement>> {
    SQLite::Statement row(database, R"sql(
      SELECT gain, standard_error, low, high, num_seeds, finding, microseconds, num_features, report_html,
             report_json FROM judgements WHERE submission_id = ?)sql");
    row.bind(1, submission_id);
    if (!row.executeStep()) return std::optional<Judgement>();
    return std::optional(Judgement{{row.getColumn(0).getDouble(), row.getColumn(1).getDouble(),
                                    row.getColumn(2).getDouble(), row.getColumn(3).getDouble(),
                                    std::size_t(row.getColumn(4).getInt64()), row.getColumn(5).getString()},
                                   row.getColumn(6).getDouble(),
                                   std::size_t(row.getColumn(7).getInt64()),
                                   row.getColumn(8).getString(),
                                   row.getColumn(9).getString()});
  });
}

Result<std::vector<std::size_t>> read_measured_seeds(const RecordsReader& records,
                                                     std::int64_t submission_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<std::size_t>> {
    SQLite::Statement row(database, R"sql(
      SELECT num_seeds FROM judgement_losses WHERE submission_id = ? AND procedure = ? ORDER BY num_seeds)sql");
    SQLite::bind(row, submission_id, kOfferProcedure);
    std::vector<std::size_t> measured;
    while (row.executeStep()) measured.push_back(std::size_t(row.getColumn(0).getInt64()));
    return measured;
  });
}

Result<LossSums> read_loss_sums(const RecordsReader& records, std::int64_t submission_id,
                                std::size_t num_seeds) {
  return read_records(records, [&](SQLite::Database& database) -> Result<LossSums> {
    SQLite::Statement row(database, R"sql(
      SELECT of_seeds, of_examples FROM judgement_losses
      WHERE submission_id = ? AND num_seeds = ? AND procedure = ?)sql");
    SQLite::bind(row, submission_id, std::int64_t(num_seeds), kOfferProcedure);
    if (!row.executeStep()) return LossSums{};
    return LossSums{rows::values_in<double>(row.getColumn(0)), rows::values_in<double>(row.getColumn(1))};
  });
}

Status cancel_submission(Records& records, std::int64_t id, CancelledBy by) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    MASH_ASSIGN(const State state, read_submission_state(database, id));
    if (is_final(state)) return input_error("submission {}: has ended already: {}", id, word_of(state));
    cancel_submission_row(database, id,
                          by == CancelledBy::kOperator ? "an operator ended it" : "its contributor ended it");
    return Done{};
  });
}

Result<std::int64_t> num_in_work(const RecordsReader& records, std::int64_t user_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::int64_t> {
    SQLite::Statement row(database, R"sql(
      SELECT COUNT(*) FROM submissions
      WHERE user_id = ? AND rerun_of IS NULL
        AND state NOT IN ('published', 'rejected', 'failed', 'cancelled', 'superseded'))sql");
    row.bind(1, user_id);
    row.executeStep();
    return row.getColumn(0).getInt64();
  });
}

Result<UnjudgedWork> read_unjudged(const RecordsReader& records, const std::string& board_name) {
  return read_records(records, [&](SQLite::Database& database) -> Result<UnjudgedWork> {
    SQLite::Statement in_work(database, R"sql(
      SELECT COUNT(*) FROM submissions s JOIN boards b ON b.id = s.board_id
      WHERE b.name = ? AND s.state NOT IN ('published', 'rejected', 'failed', 'cancelled', 'superseded'))sql");
    in_work.bind(1, board_name);
    in_work.executeStep();
    UnjudgedWork work{in_work.getColumn(0).getInt64()};
    SQLite::Statement former(database, kPublishedOnFormer);
    former.bind(1, board_name);
    while (former.executeStep())
      if (!find_rerun(database, former.getColumn(0).getInt64())) ++work.num_on_former;
    return work;
  });
}

namespace {

Result<double> seconds_of(const RecordsReader& records, std::int64_t user_id, int days,
                          bool with_faults_of_server) {
  return read_records(records, [&](SQLite::Database& database) -> Result<double> {
    SQLite::Statement row(database, R"sql(
      SELECT COALESCE(SUM(seconds), 0.0) FROM submissions
      WHERE user_id = ? AND rerun_of IS NULL
        AND (? OR (fault IS NOT 'server'
                   AND state IN ('published', 'rejected', 'failed', 'cancelled', 'superseded')))
        AND received_at > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-' || ? || ' days'))sql");
    SQLite::bind(row, user_id, int(with_faults_of_server), days);
    row.executeStep();
    return row.getColumn(0).getDouble();
  });
}

}  // namespace

Result<double> seconds_used(const RecordsReader& records, std::int64_t user_id, int days) {
  return seconds_of(records, user_id, days, false);
}

Result<double> seconds_taken(const RecordsReader& records, std::int64_t user_id, int days) {
  return seconds_of(records, user_id, days, true);
}

Status hold_submission(Records& records, std::int64_t id, bool is_held) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    MASH_ASSIGN(const State state, read_submission_state(database, id));
    if (is_final(state)) return input_error("submission {}: has ended already: {}", id, word_of(state));
    SQLite::Statement update(database, "UPDATE submissions SET is_held = ? WHERE id = ?");
    SQLite::bind(update, int(is_held), id);
    update.exec();
    put_submission_event(database, id, state, is_held ? "held by an operator" : "released by an operator");
    return Done{};
  });
}

Status remove_submission(Records& records, std::int64_t id, const std::string& why) {
  if (why.empty()) return input_error("submission {}: expected a reason to remove it", id);
  return write_records(records, [&](SQLite::Database& database) -> Status {
    MASH_ASSIGN(const State state, read_submission_state(database, id));
    if (!is_final(state)) return input_error("submission {}: is {}: cancel it first", id, word_of(state));
    for (const std::int64_t copy : copies_of(database, id)) MASH_TRY(remove_one(database, copy, why));
    return Done{};
  });
}

Result<std::int64_t> rerun_submission(Records& records, std::int64_t id) {
  return write_records(records, [&](SQLite::Database& database) { return put_rerun(database, id); });
}

Result<BoardRerun> rerun_board(Records& records, const std::string& board_name) {
  return write_records(records, [&](SQLite::Database& database) -> Result<BoardRerun> {
    SQLite::Statement row(database, kPublishedOnFormer);
    row.bind(1, board_name);
    std::vector<std::int64_t> ids;
    while (row.executeStep()) ids.push_back(row.getColumn(0).getInt64());
    BoardRerun rerun;
    for (const std::int64_t id : ids) {
      if (find_rerun(database, id)) {
        rerun.left_out.push_back(id);
        continue;
      }
      MASH_TRY(put_rerun(database, id));
      ++rerun.num_submissions;
    }
    return rerun;
  });
}

std::string told(const BoardRerun& rerun, std::int64_t board_version) {
  std::string text = fmt::format("{} of former versions {} again on version {}",
                                 counted(rerun.num_submissions, "submission"),
                                 rerun.num_submissions == 1 ? "runs" : "run", board_version);
  if (!rerun.left_out.empty())
    text += fmt::format("; left out, as they wait for version {} already: {}", board_version,
                        fmt::join(rerun.left_out, ", "));
  return text;
}

}  // namespace mash
