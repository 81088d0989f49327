// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/copies.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "framework/base/bounded_json.hpp"
#include "framework/base/suggestion.hpp"
#include "framework/records/internal/blobs.hpp"
#include "framework/records/internal/board_rows.hpp"
#include "framework/records/internal/connection.hpp"

namespace mash {
namespace {

constexpr std::array<std::string_view, 2> kRules{"mark", "refuse"};

// Submissions that were judged, without reruns on the same version of their board.
constexpr std::string_view kJudged = R"sql(
  SELECT s.id, s.heuristic, s.user_id, s.board_id, s.original_id, b.name AS board
  FROM submissions s JOIN boards b ON b.id = s.board_id
  JOIN judgements j ON j.submission_id = s.id LEFT JOIN submissions r ON r.id = s.rerun_of
  WHERE s.state IN ('published', 'superseded') AND s.removed_why IS NULL AND r.board_id IS NOT s.board_id)sql";

// A row for each pair of them of which something is kept, or whose features are the same: the later one
// first, of different heuristics.
constexpr std::string_view kPairs = R"sql(
  SELECT one.id AS submission_id, other.id AS other_id, one.board AS board,
         f.digest IS NOT NULL AND f.digest = g.digest AS is_same, l.submission_id IS NOT NULL AS is_compared, l.cka,
         COALESCE(l.num_tokens, 0) AS num_tokens, COALESCE(l.num_other_tokens, 0) AS num_other_tokens,
         COALESCE(l.num_equal_tokens, 0) AS num_equal_tokens, COALESCE(l.num_prints, 0) AS num_prints,
         COALESCE(l.num_other_prints, 0) AS num_other_prints, COALESCE(l.num_shared_prints, 0) AS num_shared_prints,
         COALESCE(l.parts, '[]') AS parts
  FROM (SELECT submission_id, other_id FROM likenesses
        UNION
        SELECT a.submission_id, b.submission_id FROM judgement_features a
        JOIN judgement_features b ON b.digest = a.digest AND b.submission_id < a.submission_id) p
  JOIN judged one ON one.id = p.submission_id
  JOIN judged other ON other.id = p.other_id AND other.board = one.board AND other.heuristic <> one.heuristic
  LEFT JOIN likenesses l ON l.submission_id = one.id AND l.other_id = other.id
  LEFT JOIN judgement_features f ON f.submission_id = one.id
  LEFT JOIN judgement_features g ON g.submission_id = other.id)sql";

std::string pairs_where(std::string_view condition) {
  return fmt::format("WITH judged AS ({}), pairs AS ({}) SELECT * FROM pairs WHERE {}", kJudged, kPairs,
                     condition);
}

std::string text_of_parts(const std::vector<LikePart>& parts) {
  nlohmann::json rows = nlohmann::json::array();
  for (const LikePart& part : parts)
    rows.push_back({part.first, part.last, part.other_first, part.other_last});
  return rows.dump();
}

std::vector<LikePart> parts_in(const std::string& text) {
  std::vector<LikePart> parts;
  const auto rows = parse_json(text, kOurOwnJson);
  if (!rows.ok() || !rows->is_array()) return parts;
  for (const nlohmann::json& row : *rows) parts.push_back({row.at(0), row.at(1), row.at(2), row.at(3)});
  return parts;
}

KeptLikeness likeness_in(SQLite::Statement& row) {
  const auto count = [&](const char* column) { return std::size_t(row.getColumn(column).getInt64()); };
  KeptLikeness likeness;
  likeness.submission_id = row.getColumn("submission_id").getInt64();
  likeness.other_id = row.getColumn("other_id").getInt64();
  likeness.is_same = row.getColumn("is_same").getInt() != 0;
  likeness.is_compared = row.getColumn("is_compared").getInt() != 0;
  if (!row.getColumn("cka").isNull()) likeness.cka = row.getColumn("cka").getDouble();
  likeness.num_tokens = count("num_tokens");
  likeness.num_other_tokens = count("num_other_tokens");
  likeness.num_equal = count("num_equal_tokens");
  likeness.num_prints = count("num_prints");
  likeness.num_other_prints = count("num_other_prints");
  likeness.num_shared = count("num_shared_prints");
  likeness.parts = parts_in(row.getColumn("parts").getString());
  return likeness;
}

void put_likeness(SQLite::Database& database, const KeptLikeness& likeness) {
  SQLite::Statement insert(database, R"sql(
    INSERT INTO likenesses (submission_id, other_id, num_tokens, num_other_tokens, num_equal_tokens, num_prints,
                            num_other_prints, num_shared_prints, parts, cka)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?))sql");
  SQLite::bind(insert, likeness.submission_id, likeness.other_id, std::int64_t(likeness.num_tokens),
               std::int64_t(likeness.num_other_tokens), std::int64_t(likeness.num_equal),
               std::int64_t(likeness.num_prints), std::int64_t(likeness.num_other_prints),
               std::int64_t(likeness.num_shared), text_of_parts(likeness.parts));
  if (likeness.cka) insert.bind(10, *likeness.cka);
  insert.exec();
}

}  // namespace

std::string_view word_of(CopiesRule rule) { return kRules[std::size_t(rule)]; }

Result<CopiesRule> parse_copies_rule(std::string_view word) {
  const auto found = std::ranges::find(kRules, word);
  if (found == kRules.end()) return unknown_name("copies", word, kRules);
  return CopiesRule(found - kRules.begin());
}

double KeptLikeness::share_equal() const {
  const std::size_t shorter = std::min(num_tokens, num_other_tokens);
  return shorter == 0 ? 0 : double(num_equal) / double(shorter);
}

Result<CopiesRule> read_copies_rule(const RecordsReader& records, const std::string& board) {
  return read_records(records, [&](SQLite::Database& database) -> Result<CopiesRule> {
    SQLite::Statement row(database, "SELECT rule FROM board_copies WHERE board = ?");
    row.bind(1, board);
    if (!row.executeStep()) return CopiesRule::kMark;
    return parse_copies_rule(row.getColumn(0).getString());
  });
}

Status set_copies_rule(Records& records, const std::string& board, CopiesRule rule) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement insert(database, R"sql(
      INSERT INTO board_copies (board, rule) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET rule = excluded.rule WHERE rule <> excluded.rule)sql");
    SQLite::bind(insert, board, std::string(word_of(rule)));
    if (insert.exec() == 0) return Done{};
    raise_board_revisions(database, board);
    return Done{};
  });
}

Result<std::optional<std::int64_t>> next_to_compare(const RecordsReader& records) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<std::int64_t>> {
    SQLite::Statement row(database, fmt::format(R"sql(
      SELECT id FROM ({}) WHERE id NOT IN (SELECT submission_id FROM compared_submissions) ORDER BY id LIMIT 1)sql",
                                                kJudged));
    if (!row.executeStep()) return std::optional<std::int64_t>();
    return std::optional(row.getColumn(0).getInt64());
  });
}

Result<std::vector<std::int64_t>> read_to_compare_with(const RecordsReader& records,
                                                       std::int64_t submission_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<std::int64_t>> {
    SQLite::Statement row(database, fmt::format(R"sql(
      WITH judged AS ({})
      SELECT other.id FROM judged one JOIN judged other
        ON other.board = one.board AND other.heuristic <> one.heuristic
      WHERE one.id = ?
        AND (other.id < one.id OR other.id IN (SELECT submission_id FROM compared_submissions))
        AND (other.board_id = one.board_id
          OR (one.original_id IS NULL AND other.original_id IS NULL AND NOT EXISTS (
            SELECT 1 FROM judged again WHERE again.original_id = other.id AND again.board_id = one.board_id)))
      ORDER BY other.id)sql",
                                                kJudged));
    row.bind(1, submission_id);
    std::vector<std::int64_t> ids;
    while (row.executeStep()) ids.push_back(row.getColumn(0).getInt64());
    return ids;
  });
}

Result<FeatureSample> read_feature_sample(const RecordsReader& records, std::int64_t submission_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<FeatureSample> {
    SQLite::Statement row(database, R"sql(
      SELECT num_examples, codes FROM judgement_samples WHERE submission_id = ?)sql");
    row.bind(1, submission_id);
    if (!row.executeStep()) return FeatureSample();
    return FeatureSample{std::size_t(row.getColumn(0).getInt64()),
                         rows::values_in<std::uint8_t>(row.getColumn(1))};
  });
}

Status keep_likenesses(Records& records, std::int64_t submission_id, std::span<const std::int64_t> others,
                       std::span<const KeptLikeness> likenesses) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement former(database, "DELETE FROM likenesses WHERE submission_id = ?");
    former.bind(1, submission_id);
    former.exec();
    for (const std::int64_t other_id : others) {
      SQLite::Statement later(database, "DELETE FROM likenesses WHERE submission_id = ? AND other_id = ?");
      SQLite::bind(later, other_id, submission_id);
      later.exec();
    }
    for (const KeptLikeness& likeness : likenesses) put_likeness(database, likeness);
    SQLite::Statement compared(database, R"sql(
      INSERT OR REPLACE INTO compared_submissions (submission_id, num_others) VALUES (?, ?))sql");
    SQLite::bind(compared, submission_id, std::int64_t(others.size()));
    compared.exec();
    return Done{};
  });
}

Result<std::vector<KeptLikeness>> read_likenesses(const RecordsReader& records, const std::string& board) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<KeptLikeness>> {
    SQLite::Statement row(database, pairs_where("board = ? ORDER BY submission_id DESC, other_id DESC"));
    row.bind(1, board);
    std::vector<KeptLikeness> likenesses;
    while (row.executeStep()) likenesses.push_back(likeness_in(row));
    return likenesses;
  });
}

Result<std::optional<KeptLikeness>> find_likeness(const RecordsReader& records, std::int64_t one,
                                                  std::int64_t other) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<KeptLikeness>> {
    SQLite::Statement row(database, pairs_where("submission_id = ? AND other_id = ?"));
    SQLite::bind(row, std::max(one, other), std::min(one, other));
    if (!row.executeStep()) return std::optional<KeptLikeness>();
    return std::optional(likeness_in(row));
  });
}

Result<std::size_t> num_to_compare(const RecordsReader& records, const std::string& board) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::size_t> {
    SQLite::Statement row(database, fmt::format(R"sql(
      SELECT COUNT(*) FROM ({})
      WHERE board = ? AND id NOT IN (SELECT submission_id FROM compared_submissions))sql",
                                                kJudged));
    row.bind(1, board);
    row.executeStep();
    return std::size_t(row.getColumn(0).getInt64());
  });
}

}  // namespace mash
