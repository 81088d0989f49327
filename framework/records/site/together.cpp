// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/together.hpp"

#include <algorithm>

#include "framework/records/internal/answer_rows.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/submission_rows.hpp"
#include "framework/records/offers.hpp"

namespace mash {
namespace {

std::vector<TogetherMembers> members_of(SQLite::Database& database, std::int64_t board_id) {
  std::vector<TogetherMembers> all;
  for (const OwnEntry& entry : own_entries(database, board_id)) {
    auto known = std::ranges::find(all, entry.user_id, &TogetherMembers::user_id);
    if (known == all.end()) known = all.insert(all.end(), {entry.user_id, entry.contributor, {}});
    known->submission_ids.push_back(entry.submission_id);
  }
  std::erase_if(all, [](const TogetherMembers& members) { return members.submission_ids.size() < 2; });
  return all;
}

bool is_measured(SQLite::Database& database, std::int64_t board_id, const TogetherMembers& members) {
  SQLite::Statement row(database, R"sql(
    SELECT 1 FROM together_gains WHERE board_id = ? AND user_id = ? AND procedure = ? AND members = ?)sql");
  SQLite::bind(row, board_id, members.user_id, kOfferProcedure, text_of_members(members.submission_ids));
  return row.executeStep();
}

std::optional<MeasuredGain> best_together(SQLite::Database& database, std::int64_t board_id,
                                          std::int64_t user_id) {
  SQLite::Statement row(database, R"sql(
    SELECT released_gain, released_standard_error, released_low, released_high, released_num_seeds,
           released_finding FROM together_gains
    WHERE board_id = ? AND user_id = ? AND procedure = ? ORDER BY released_gain DESC, id LIMIT 1)sql");
  SQLite::bind(row, board_id, user_id, kOfferProcedure);
  if (!row.executeStep()) return std::nullopt;
  return released_in(row);
}

void put_gain(SQLite::Database& database, std::int64_t board_id, const TogetherMembers& members,
              const MeasuredGain& measured, const MeasuredGain& told) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO together_gains (
      board_id, user_id, procedure, members, gain, standard_error, low, high, num_seeds, finding,
      released_gain, released_standard_error, released_low, released_high, released_num_seeds,
      released_finding)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql");
  SQLite::bind(insert, board_id, members.user_id, kOfferProcedure, text_of_members(members.submission_ids),
               measured.gain, measured.standard_error, measured.low, measured.high,
               std::int64_t(measured.num_seeds), measured.finding, told.gain, told.standard_error, told.low,
               told.high, std::int64_t(told.num_seeds), told.finding);
  insert.exec();
}

}  // namespace

Result<std::vector<TogetherMembers>> read_unmeasured_together(const RecordsReader& records,
                                                              std::int64_t board_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<TogetherMembers>> {
    std::vector<TogetherMembers> all = members_of(database, board_id);
    std::erase_if(all,
                  [&](const TogetherMembers& members) { return is_measured(database, board_id, members); });
    return all;
  });
}

Result<std::vector<TogetherGain>> read_together(const RecordsReader& records, std::int64_t board_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<TogetherGain>> {
    const std::vector<TogetherMembers> now = members_of(database, board_id);
    SQLite::Statement row(database, R"sql(
      SELECT t.released_gain, t.released_standard_error, t.released_low, t.released_high,
             t.released_num_seeds, t.released_finding, u.name, t.members, t.measured_at, t.user_id
      FROM together_gains t JOIN users u ON u.id = t.user_id
      WHERE t.id IN (SELECT MAX(id) FROM together_gains WHERE board_id = ? AND procedure = ? GROUP BY user_id)
      ORDER BY u.name)sql");
    SQLite::bind(row, board_id, kOfferProcedure);
    std::vector<TogetherGain> gains;
    while (row.executeStep()) {
      const std::string members = row.getColumn(7).getString();
      const auto of_user = std::ranges::find(now, row.getColumn(9).getInt64(), &TogetherMembers::user_id);
      if (of_user == now.end()) continue;  // they have fewer than two by now
      gains.push_back({released_in(row), row.getColumn(6).getString(),
                       1 + std::size_t(std::ranges::count(members, ' ')), row.getColumn(8).getString(),
                       text_of_members(of_user->submission_ids) == members});
    }
    return gains;
  });
}

Status keep_together(Records& records, const Board& board, const TogetherMembers& members,
                     const Judgement& judgement) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    if (is_measured(database, board.id, members)) return Done{};
    const double step = board.ladder_step == kPlaceboStep ? judgement.placebo_step : board.ladder_step;
    const ToldGain told = told_of(judgement, best_together(database, board.id, members.user_id), step);
    put_gain(database, board.id, members, judgement, told.told);
    put_answer_of_user(database, board.id, members.user_id, told);
    raise_board_revision(database, members.submission_ids.front());
    return Done{};
  });
}

}  // namespace mash
