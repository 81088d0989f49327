// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/answer_rows.hpp"

#include <SQLiteCpp/VariadicBind.h>
#include <fmt/ranges.h>

#include <cmath>

#include "framework/records/boards.hpp"
#include "framework/records/internal/blobs.hpp"

namespace mash {
namespace {

void bind_answer(SQLite::Statement& insert, const ToldGain& told) {
  insert.bind(":step", told.step);
  insert.bind(":stepped", int(told.is_stepped));
  if (told.best) insert.bind(":best", *told.best);
  insert.exec();
}

}  // namespace

ToldGain told_of(const MeasuredGain& measured, const std::optional<MeasuredGain>& best_before, double step) {
  ToldGain told{release_figures(measured, best_before, step), step, step > 0, {}};
  if (!told.is_stepped) told.step = std::pow(10.0, -told_decimals(measured.standard_error));
  if (told.is_stepped && best_before) told.best = best_before->gain;
  return told;
}

void put_answer_of_submission(SQLite::Database& database, std::int64_t submission_id, const ToldGain& told) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO released_answers (board_id, submission_id, step, is_stepped, best)
    SELECT board_id, id, :step, :stepped, :best FROM submissions WHERE id = :id)sql");
  insert.bind(":id", submission_id);
  bind_answer(insert, told);
}

void put_answer_of_user(SQLite::Database& database, std::int64_t board_id, std::int64_t user_id,
                        const ToldGain& told) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO released_answers (board_id, user_id, step, is_stepped, best)
    VALUES (:board, :user, :step, :stepped, :best))sql");
  insert.bind(":board", board_id);
  insert.bind(":user", user_id);
  bind_answer(insert, told);
}

MeasuredGain released_in(SQLite::Statement& row) {
  return {row.getColumn("released_gain").getDouble(),
          row.getColumn("released_standard_error").getDouble(),
          row.getColumn("released_low").getDouble(),
          row.getColumn("released_high").getDouble(),
          std::size_t(row.getColumn("released_num_seeds").getInt64()),
          row.getColumn("released_finding").getString()};
}

std::optional<FeaturesOwner> owner_of_features(SQLite::Database& database, std::int64_t near_submission,
                                               const std::string& digest) {
  SQLite::Statement row(database, R"sql(
    SELECT o.id, o.heuristic, o.version FROM submissions s
    JOIN boards b ON b.id = s.board_id JOIN boards ob ON ob.name = b.name
    JOIN submissions o ON o.board_id = ob.id JOIN judgement_features f ON f.submission_id = o.id
    WHERE s.id = ? AND f.digest = ? AND o.state IN ('published', 'superseded') AND o.removed_why IS NULL
    ORDER BY COALESCE(o.original_id, o.id), o.id LIMIT 1)sql");
  SQLite::bind(row, near_submission, digest);
  if (!row.executeStep()) return std::nullopt;
  return FeaturesOwner{row.getColumn(0).getInt64(), row.getColumn(1).getString(),
                       row.getColumn(2).getString()};
}

std::vector<OwnEntry> own_entries(SQLite::Database& database, std::int64_t board_id) {
  SQLite::Statement row(database, R"sql(
    SELECT s.user_id, e.contributor, e.submission_id, f.digest, e.heuristic FROM board_entries e
    JOIN submissions s ON s.id = e.submission_id LEFT JOIN judgement_features f ON f.submission_id = s.id
    WHERE e.board_id = ? ORDER BY e.submission_id)sql");
  row.bind(1, board_id);
  std::vector<OwnEntry> own;
  while (row.executeStep()) {
    const std::int64_t id = row.getColumn(2).getInt64();
    const std::string digest = row.getColumn(3).getString();  // empty: not known
    const auto owner = digest.empty() ? std::nullopt : owner_of_features(database, id, digest);
    if (owner && owner->heuristic != row.getColumn(4).getString()) continue;
    own.push_back({id, row.getColumn(0).getInt64(), row.getColumn(1).getString()});
  }
  return own;
}

std::string text_of_members(const std::vector<std::int64_t>& submission_ids) {
  return fmt::format("{}", fmt::join(submission_ids, " "));
}

Status check_copies(SQLite::Database& database, std::int64_t submission_id, const std::string& digest) {
  SQLite::Statement row(database, R"sql(
    SELECT s.heuristic FROM submissions s
    JOIN boards b ON b.id = s.board_id JOIN board_copies c ON c.board = b.name AND c.rule = 'refuse'
    WHERE s.id = ? AND s.rerun_of IS NULL)sql");
  row.bind(1, submission_id);
  if (!row.executeStep()) return Done{};
  const auto owner = owner_of_features(database, submission_id, digest);
  if (!owner || owner->heuristic == row.getColumn(0).getString()) return Done{};
  return input_error("has the features of {} {}, to the bit, and this board takes no copies",
                     owner->heuristic, owner->version);
}

void put_sample(SQLite::Database& database, std::int64_t submission_id, const FeatureSample& sample) {
  if (sample.codes.empty()) return;
  SQLite::Statement insert(database, R"sql(
    INSERT INTO judgement_samples VALUES (?, ?, ?) ON CONFLICT DO NOTHING)sql");
  SQLite::bind(insert, submission_id, std::int64_t(sample.num_examples));
  rows::bind_blob(insert, 3, sample.codes);
  if (insert.exec() == 0) return;
  SQLite::Statement again(database, "DELETE FROM compared_submissions WHERE submission_id = ?");
  again.bind(1, submission_id);
  again.exec();
}

}  // namespace mash
