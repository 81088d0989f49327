// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/answers.hpp"

#include <algorithm>
#include <cmath>

#include "framework/records/internal/connection.hpp"

namespace mash {
namespace {

constexpr double kRounding = 1e-9;  // so that a whole number of steps stays one
constexpr double kFindings = 10;    // words of verdicts, at most
constexpr double kErrors = 90;      // numbers of two digits
// The farthest that an end of an interval is from its gain, in units of which the error has at most 99:
// 10.2145 errors (Student's t at the first look).
constexpr double kReaches = 1012;

// Values of a gain in a Ladder's steps, with its interval, "nothing to learn" and the best before among them.
double stepped_values(const ReleasedAnswer& answer, double most_steps) {
  const double better =
      answer.best ? std::max(0.0, most_steps - std::round(*answer.best / answer.step)) : 2 * most_steps + 1;
  return 1 + (answer.best ? 1 : 0) + 2 * better * std::max(1.0, most_steps);
}

}  // namespace

double largest_gain(const PrivatePart& part) {
  const double e = double(part.num_pictures);
  return 100 * std::log(std::log(double(part.num_classes)) * (e + 2) * (e + 2) / (e + 1));
}

double bits_of_labels(const PrivatePart& part) {
  return double(part.num_pictures) * std::log2(double(part.num_classes));
}

double bits_of(const ReleasedAnswer& answer, const PrivatePart& part) {
  const double most_steps = std::max(0.0, std::floor(largest_gain(part) / answer.step + kRounding));
  if (answer.is_stepped) return std::log2(stepped_values(answer, most_steps));
  return std::log2(1 + kFindings * (2 * most_steps + 1) * kErrors * kReaches * kReaches);
}

double bits_of_outcome() { return std::log2(3.0); }

double bits_of_pool(std::size_t num_others) { return std::log2(double(num_others) + 1); }

double bits_of_ranks(std::size_t num_measurements, std::size_t num_entries) {
  if (num_entries < 2) return 0;
  const double n = double(num_entries);
  return double(num_measurements) * n * std::log2((10 * (n - 1) + 1) * n * (n + 1) / 2);
}

Result<ToldCounts> read_told(const RecordsReader& records, const Board& board) {
  return read_records(records, [&](SQLite::Database& database) -> Result<ToldCounts> {
    const auto count = [&](const char* sql) {
      SQLite::Statement row(database, sql);
      row.bind(1, board.id);
      row.executeStep();
      return std::size_t(row.getColumn(0).getInt64());
    };
    ToldCounts counts;
    counts.num_shown = count(R"sql(
      SELECT COUNT(*) FROM submissions s WHERE board_id = ? AND EXISTS (
        SELECT 1 FROM submission_events e WHERE e.submission_id = s.id AND e.state = 'extracting'))sql");
    counts.num_measurements = count(R"sql(
      SELECT COUNT(*) FROM judgement_losses l JOIN submissions s ON s.id = l.submission_id
      WHERE s.board_id = ?)sql");
    counts.num_entries = count("SELECT COUNT(*) FROM board_entries WHERE board_id = ?");
    SQLite::Statement row(database, R"sql(
      SELECT step, is_stepped, best FROM released_answers WHERE board_id = ? ORDER BY id)sql");
    row.bind(1, board.id);
    while (row.executeStep()) {
      ReleasedAnswer answer{row.getColumn(0).getDouble(), row.getColumn(1).getInt() != 0, {}};
      if (!row.getColumn(2).isNull()) answer.best = row.getColumn(2).getDouble();
      counts.answers.push_back(answer);
    }
    SQLite::Statement pool(database, R"sql(
      SELECT length(others) - length(replace(others, ' ', '')) + 1
      FROM beyond_gains g JOIN submissions s ON s.id = g.submission_id WHERE s.board_id = ? ORDER BY g.id)sql");
    pool.bind(1, board.id);
    while (pool.executeStep()) counts.pools.push_back(std::size_t(pool.getColumn(0).getInt64()));
    return counts;
  });
}

ToldBits told_bits(const ToldCounts& counts, bool has_ladder, const PrivatePart& part) {
  ToldBits bits;
  bits.outcomes = double(counts.num_shown) * bits_of_outcome();
  for (const std::size_t num_others : counts.pools) bits.outcomes += bits_of_pool(num_others);
  for (const ReleasedAnswer& answer : counts.answers) bits.gains += bits_of(answer, part);
  if (!has_ladder) bits.ranks = bits_of_ranks(counts.num_measurements, counts.num_entries);
  return bits;
}

}  // namespace mash
