// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/beyond.hpp"

#include <algorithm>

#include "framework/records/internal/answer_rows.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/submission_rows.hpp"
#include "framework/records/offers.hpp"

namespace mash {
namespace {

// The entries of a board, each with all others. A board may have a thousand, so that the texts of others are
// cut out of one.
class EntriesAndOthers {
 public:
  EntriesAndOthers(SQLite::Database& database, std::int64_t board_id) {
    for (const OwnEntry& entry : own_entries(database, board_id)) ids_.push_back(entry.submission_id);
    for (const std::int64_t id : ids_) {
      begins_.push_back(text_.size());
      text_ += fmt::format("{} ", id);
    }
    begins_.push_back(text_.size());
  }

  const std::vector<std::int64_t>& ids() const { return ids_; }
  std::vector<std::int64_t> others(std::size_t i) const {
    std::vector<std::int64_t> others = ids_;
    others.erase(others.begin() + std::ptrdiff_t(i));
    return others;
  }
  // As text_of_members has them.
  std::string text_of_others(std::size_t i) const {
    std::string text = text_.substr(0, begins_[i]) + text_.substr(begins_[i + 1]);
    if (!text.empty()) text.pop_back();
    return text;
  }

 private:
  std::vector<std::int64_t> ids_;
  std::string text_;                 // a blank after each
  std::vector<std::size_t> begins_;  // of each in the text, and its end
};

std::size_t num_members(const std::string& text) {
  return text.empty() ? 0 : 1 + std::size_t(std::ranges::count(text, ' '));
}

// The measurements of an entry so far, by the procedure of this program.
struct MeasuredSoFar {
  std::string last_at = {};  // empty: none
  bool is_recent = false;    // the last, in the last 24 hours
  bool has_these = false;    // one beside these others
};
MeasuredSoFar measured_so_far(SQLite::Database& database, std::int64_t submission_id,
                              const std::string& others) {
  SQLite::Statement row(database, R"sql(
    SELECT COALESCE(MAX(measured_at), ''),
           COALESCE(MAX(measured_at) > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 day'), 0),
           COALESCE(MAX(others = ?), 0)
    FROM beyond_gains WHERE submission_id = ? AND procedure = ?)sql");
  SQLite::bind(row, others, submission_id, kOfferProcedure);
  row.executeStep();
  return {row.getColumn(0).getString(), row.getColumn(1).getInt() != 0, row.getColumn(2).getInt() != 0};
}

// now: the others.
std::optional<BeyondGain> gain_beside(SQLite::Database& database, std::int64_t submission_id,
                                      const std::string& now) {
  SQLite::Statement row(database, R"sql(
    SELECT released_gain, released_standard_error, released_low, released_high, released_num_seeds,
           released_finding, measured_at, others, left_out
    FROM beyond_gains WHERE submission_id = ? AND procedure = ? ORDER BY others = ? DESC, id DESC LIMIT 1)sql");
  SQLite::bind(row, submission_id, kOfferProcedure, now);
  if (!row.executeStep()) return std::nullopt;
  const std::string beside = row.getColumn("others").getString();
  const std::size_t num_left_out = num_members(row.getColumn("left_out").getString());
  return BeyondGain{released_in(row), num_members(beside) - num_left_out, num_left_out,
                    row.getColumn("measured_at").getString(), beside == now};
}

// The best that was told of any version of its heuristic, on this version of the board, beside these others.
std::optional<MeasuredGain> best_beyond(SQLite::Database& database, const WantedBeyond& wanted) {
  SQLite::Statement row(database, R"sql(
    SELECT g.* FROM submissions s
    JOIN submissions o ON o.board_id = s.board_id AND o.heuristic = s.heuristic
    JOIN beyond_gains g ON g.submission_id = o.id
    WHERE s.id = ? AND g.procedure = ? AND g.others = ? ORDER BY g.released_gain DESC, g.id LIMIT 1)sql");
  SQLite::bind(row, wanted.submission_id, kOfferProcedure, text_of_members(wanted.others));
  if (!row.executeStep()) return std::nullopt;
  return released_in(row);
}

bool stands_on_board(SQLite::Database& database, std::int64_t submission_id) {
  SQLite::Statement row(database, "SELECT 1 FROM board_entries WHERE submission_id = ?");
  row.bind(1, submission_id);
  return row.executeStep();
}

void put_gain_beyond(SQLite::Database& database, const WantedBeyond& wanted,
                     std::span<const std::int64_t> left_out, const MeasuredGain& measured,
                     const MeasuredGain& told) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO beyond_gains (
      submission_id, procedure, gain, standard_error, low, high, num_seeds, finding, released_gain,
      released_standard_error, released_low, released_high, released_num_seeds, released_finding, others,
      left_out)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql");
  SQLite::bind(insert, wanted.submission_id, kOfferProcedure, measured.gain, measured.standard_error,
               measured.low, measured.high, std::int64_t(measured.num_seeds), measured.finding, told.gain,
               told.standard_error, told.low, told.high, std::int64_t(told.num_seeds), told.finding,
               text_of_members(wanted.others), text_of_members({left_out.begin(), left_out.end()}));
  insert.exec();
}

}  // namespace

Result<std::vector<WantedBeyond>> read_wanted_beyond(const RecordsReader& records, std::int64_t board_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<WantedBeyond>> {
    const EntriesAndOthers entries(database, board_id);
    std::vector<WantedBeyond> wanted;
    if (entries.ids().size() < 2) return wanted;
    for (std::size_t i = 0; i < entries.ids().size(); ++i) {
      const std::int64_t id = entries.ids()[i];
      MeasuredSoFar measured = measured_so_far(database, id, entries.text_of_others(i));
      if (measured.has_these || measured.is_recent) continue;
      wanted.push_back({id, entries.others(i), std::move(measured.last_at)});
    }
    std::ranges::stable_sort(wanted, {}, &WantedBeyond::measured_at);
    return wanted;
  });
}

Result<std::vector<EntryBeyond>> read_beyond(const RecordsReader& records, std::int64_t board_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<EntryBeyond>> {
    const EntriesAndOthers entries(database, board_id);
    std::vector<EntryBeyond> all;
    for (std::size_t i = 0; i < entries.ids().size(); ++i) {
      EntryBeyond beyond{entries.ids()[i], entries.ids().size() - 1, {}};
      if (beyond.num_others > 0)
        beyond.gain = gain_beside(database, beyond.submission_id, entries.text_of_others(i));
      all.push_back(std::move(beyond));
    }
    return all;
  });
}

Status keep_beyond(Records& records, const Board& board, const WantedBeyond& wanted,
                   const Judgement& judgement, std::span<const std::int64_t> left_out) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    const std::int64_t id = wanted.submission_id;
    if (!stands_on_board(database, id) ||
        measured_so_far(database, id, text_of_members(wanted.others)).has_these)
      return Done{};
    const double step = board.ladder_step == kPlaceboStep ? judgement.placebo_step : board.ladder_step;
    const ToldGain told = told_of(judgement, best_beyond(database, wanted), step);
    put_gain_beyond(database, wanted, left_out, judgement, told.told);
    put_answer_of_submission(database, id, told);
    raise_board_revision(database, id);
    return Done{};
  });
}

}  // namespace mash
