// SPDX-License-Identifier: Apache-2.0
#include "framework/records/boards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "framework/base/mean_error.hpp"
#include "framework/base/number.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/records/internal/answer_rows.hpp"
#include "framework/records/internal/board_rows.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/offer_details.hpp"
#include "framework/records/submissions.hpp"

namespace mash {
namespace {

std::vector<Board> boards_in(SQLite::Statement& row) {
  std::vector<Board> boards;
  while (row.executeStep()) boards.push_back(board_in(row));
  return boards;
}

// The settings of submission e, as settings_in_words has them; NULL where it has none.
constexpr std::string_view kSettingsInWords = R"sql((
  SELECT group_concat(key || '=' || value, ', ') FROM (
    SELECT key, value FROM submission_settings t WHERE t.submission_id = e.submission_id ORDER BY t.rowid)))sql";

BoardEntry entry_in(SQLite::Statement& row) {
  const auto text = [&](const char* column) { return row.getColumn(column).getString(); };
  const auto real = [&](const char* column) { return row.getColumn(column).getDouble(); };
  const auto count = [&](const char* column) { return std::size_t(row.getColumn(column).getInt64()); };
  return {
      {real("gain"), real("standard_error"), real("low"), real("high"), count("num_seeds"), text("finding")},
      row.getColumn("submission_id").getInt64(),
      text("heuristic"),
      text("version"),
      text("summary"),
      text("contributor"),
      text("licence"),
      text("judged_at"),
      text("verified_at"),
      count("num_features"),
      real("microseconds"),
      row.getColumn("digest").isNull() ? std::string() : text("digest"),
      row.getColumn("settings").isNull() ? std::string() : text("settings")};
}

// The standard error with two digits, the others with as many decimals: what is behind them is chance, and
// would tell of single pictures.
MeasuredGain rounded_to_error(const MeasuredGain& measured) {
  if (!(measured.standard_error > 0) || !std::isfinite(measured.standard_error)) return measured;
  const int num_decimals = told_decimals(measured.standard_error);
  const auto rounded = [&](double value) {
    return *number_in<double>(fmt::format("{:.{}f}", value, num_decimals));
  };
  MeasuredGain released = measured;
  for (double* value : {&released.gain, &released.standard_error, &released.low, &released.high})
    *value = rounded(*value);
  return released;
}

// Each doubling of the seeds, five at most, spends a fifth of kMiss.
constexpr double kMissOfLevel = kMiss / 5;

// Both gains as they are shown, as if their errors had nothing in common.
PairDifference shown_difference(const MeasuredGain& one, const MeasuredGain& other) {
  const std::size_t fewest = std::max<std::size_t>(2, std::min(one.num_seeds, other.num_seeds));
  return {one.gain - other.gain, std::hypot(one.standard_error, other.standard_error), double(fewest - 1)};
}

// A row of a view with the columns of entries; the query goes on.
std::string entries_of(std::string_view view) {
  return fmt::format(
      "SELECT e.*, f.digest, {} AS settings FROM {} e LEFT JOIN judgement_features f USING (submission_id) ",
      kSettingsInWords, view);
}

// Looks for another heuristic that had the features first, to the bit. Its entry on the board is the
// original, where that still has them; else the submission that had them.
void stand_with_original(SQLite::Database& database, std::int64_t board_id, BoardEntry& entry) {
  if (entry.features_digest.empty()) return;
  const auto owner = owner_of_features(database, entry.submission_id, entry.features_digest);
  if (!owner || owner->heuristic == entry.heuristic) return;
  SQLite::Statement standing(
      database, entries_of("board_entries") + "WHERE board_id = ? AND heuristic = ? AND f.digest = ?");
  SQLite::bind(standing, board_id, owner->heuristic, entry.features_digest);
  SQLite::Statement judged(database,
                           entries_of("judged_submissions") + "WHERE board_id = ? AND submission_id = ?");
  SQLite::bind(judged, board_id, owner->submission_id);
  const bool stands = standing.executeStep();
  entry.copy_of = owner->submission_id;
  entry.original = fmt::format("submission {}", owner->submission_id);
  if (!stands && !judged.executeStep()) return;
  const BoardEntry original = entry_in(stands ? standing : judged);
  static_cast<MeasuredGain&>(entry) = original;
  if (!stands) return;
  entry.copy_of = original.submission_id;
  entry.original = original.heuristic + " " + original.version;
}

}  // namespace

std::string ladder_step_in_words(double step) {
  return step == kPlaceboStep ? "the error of a placebo's gain in their own test"
                              : fmt::format("{:.3g} % of the log-loss", step);
}

nlohmann::ordered_json ladder_step_json(double step) {
  return step == kPlaceboStep ? nlohmann::ordered_json() : nlohmann::ordered_json(step);
}

nlohmann::ordered_json terms_json(const BoardTerms& terms) {
  using Json = nlohmann::ordered_json;
  const auto or_nothing = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"title", or_nothing(terms.title)},
          {"notice", or_nothing(terms.notice)},
          {"contact", or_nothing(terms.contact)},
          {"opens_at", or_nothing(terms.opens_at)},
          {"closes_at", or_nothing(terms.closes_at)},
          {"attempts_a_day", terms.attempts_a_day > 0 ? Json(terms.attempts_a_day) : Json()},
          {"points", or_nothing(terms.points)}};
}

BoardPhase phase_of(const BoardTerms& terms, std::string_view moment) {
  if (!terms.opens_at.empty() && moment < terms.opens_at) return BoardPhase::kNotYetOpen;
  return !terms.closes_at.empty() && moment >= terms.closes_at ? BoardPhase::kClosed : BoardPhase::kOpen;
}

std::string times_in_words(const BoardTerms& terms, std::string_view moment) {
  const BoardPhase phase = phase_of(terms, moment);
  if (phase == BoardPhase::kNotYetOpen) return "opens on " + moment_in_words(terms.opens_at);
  if (terms.closes_at.empty()) return "";
  return fmt::format("{} on {}", phase == BoardPhase::kClosed ? "closed" : "closes",
                     moment_in_words(terms.closes_at));
}

Result<std::int64_t> put_board(Records& records, const Board& board) {
  return write_records(records, [&](SQLite::Database& database) -> Result<std::int64_t> {
    SQLite::Statement newest(database,
                             fmt::format("{} WHERE b.name = ? ORDER BY b.version DESC LIMIT 1", kBoards));
    newest.bind(1, board.name);
    std::int64_t version = 1;
    if (newest.executeStep()) {
      const Board former = board_in(newest);
      if (former.experiment == board.experiment && former.num_seeds == board.num_seeds &&
          former.ladder_step == board.ladder_step)
        return former.id;
      version = former.version + 1;
    }
    SQLite::Statement insert(database, R"sql(
      INSERT INTO boards (name, version, experiment, num_seeds, ladder_step) VALUES (?, ?, ?, ?, ?))sql");
    SQLite::bind(insert, board.name, version, board.experiment, std::int64_t(board.num_seeds),
                 board.ladder_step);
    insert.exec();
    return database.getLastInsertRowid();
  });
}

Status put_board_terms(Records& records, const std::string& name, const BoardTerms& terms) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement insert(database, R"sql(
      INSERT OR REPLACE INTO board_terms (board, opens_at, closes_at, attempts_a_day, points, title, contact, notice)
      VALUES (?, NULLIF(?, ''), NULLIF(?, ''), NULLIF(?, 0), NULLIF(?, ''), NULLIF(?, ''), NULLIF(?, ''),
              NULLIF(?, '')))sql");
    SQLite::bind(insert, name, terms.opens_at, terms.closes_at, terms.attempts_a_day, terms.points,
                 terms.title, terms.contact, terms.notice);
    insert.exec();
    raise_board_revisions(database, name);
    return Done{};
  });
}

Result<std::vector<Board>> read_boards(const RecordsReader& records) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<Board>> {
    SQLite::Statement row(database, fmt::format(R"sql(
      {} WHERE b.version = (SELECT MAX(o.version) FROM boards o WHERE o.name = b.name)
      ORDER BY (SELECT MIN(o.id) FROM boards o WHERE o.name = b.name))sql",
                                                kBoards));
    return boards_in(row);
  });
}

Result<std::vector<Board>> read_board_versions(const RecordsReader& records, const std::string& name) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<Board>> {
    SQLite::Statement row(database, fmt::format("{} WHERE b.name = ? ORDER BY b.version DESC", kBoards));
    row.bind(1, name);
    return boards_in(row);
  });
}

Result<std::optional<Board>> find_board(const RecordsReader& records, std::int64_t id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<Board>> {
    return board_of(database, id);
  });
}

Status put_board_page(Records& records, std::int64_t board_id, const std::string& name,
                      const std::string& content) {
  return write_records(records, [&](SQLite::Database& database) -> Status {
    SQLite::Statement insert(database,
                             "INSERT OR REPLACE INTO board_pages (board_id, name, content) VALUES (?, ?, ?)");
    SQLite::bind(insert, board_id, name, content);
    insert.exec();
    return Done{};
  });
}

Result<std::optional<std::string>> find_board_page(const RecordsReader& records, std::int64_t board_id,
                                                   const std::string& name) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<std::string>> {
    SQLite::Statement row(database, "SELECT content FROM board_pages WHERE board_id = ? AND name = ?");
    SQLite::bind(row, board_id, name);
    if (!row.executeStep()) return std::optional<std::string>();
    return std::optional(row.getColumn(0).getString());
  });
}

Result<bool> has_board_page(const RecordsReader& records, std::int64_t board_id, const std::string& name) {
  return read_records(records, [&](SQLite::Database& database) -> Result<bool> {
    SQLite::Statement row(database, "SELECT 1 FROM board_pages WHERE board_id = ? AND name = ?");
    SQLite::bind(row, board_id, name);
    return row.executeStep();
  });
}

std::string finding_in_words(const BoardEntry& entry) {
  return entry.copy_of ? fmt::format("has the features of {}, to the bit", entry.original) : entry.finding;
}

Result<std::vector<BoardEntry>> read_board_entries(const RecordsReader& records, std::int64_t board_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<BoardEntry>> {
    SQLite::Statement row(database, entries_of("board_entries") + "WHERE board_id = ?");
    row.bind(1, board_id);
    std::vector<BoardEntry> entries;
    while (row.executeStep()) entries.push_back(entry_in(row));
    for (BoardEntry& entry : entries) stand_with_original(database, board_id, entry);
    std::ranges::sort(entries, [](const BoardEntry& a, const BoardEntry& b) {
      return std::tie(b.gain, a.heuristic) < std::tie(a.gain, b.heuristic);
    });
    return entries;
  });
}

Result<std::optional<BoardEntry>> find_judged(const RecordsReader& records, std::int64_t submission_id) {
  return read_records(records, [&](SQLite::Database& database) -> Result<std::optional<BoardEntry>> {
    SQLite::Statement row(database, entries_of("judged_submissions") + "WHERE submission_id = ?");
    row.bind(1, submission_id);
    if (!row.executeStep()) return std::optional<BoardEntry>();
    BoardEntry entry = entry_in(row);
    stand_with_original(database, row.getColumn("board_id").getInt64(), entry);
    return std::optional(std::move(entry));
  });
}

int told_decimals(double standard_error) {
  constexpr double kLeast = 1e-9;  // an error of 0 has no digits
  return std::max(0, 1 - int(std::floor(std::log10(std::max(standard_error, kLeast)))));
}

MeasuredGain release_figures(const MeasuredGain& measured, const std::optional<MeasuredGain>& best_before,
                             double step) {
  if (!measured.is_told()) return measured;
  if (step <= 0) return rounded_to_error(measured);
  if (best_before && measured.gain < best_before->gain + step) return *best_before;
  constexpr double kRounding = 1e-9;           // so that a whole number of steps stays one
  constexpr double kErrorsPerInterval = 1.96;  // half of it; of the normal distribution, 95 %
  // As people write it: 1.26, not 1.2600000000000002.
  const auto written = [](double value) { return *number_in<double>(fmt::format("{:.10g}", value)); };
  MeasuredGain released = measured;
  released.gain = written(std::round(measured.gain / step) * step);
  const double half_width = std::max(measured.high - measured.gain, measured.gain - measured.low);
  const double released_half = std::max(1.0, std::ceil(half_width / step - kRounding)) * step;
  released.low = written(released.gain - released_half);
  released.high = written(released.gain + released_half);
  released.standard_error = released_half / kErrorsPerInterval;
  // A heuristic that may know the answer stays so, no matter on which step its gain stands.
  if (measured.finding == "suspicious") return released;
  released.finding = released.low > 0 ? "adds" : released.high < 0 ? "harmful" : "undecided";
  return released;
}

Status BoardRanks::learn(const RecordsReader& records, std::span<const BoardEntry> entries) {
  for (const BoardEntry& entry : entries) {
    MASH_ASSIGN(const std::vector<std::size_t> measured, read_measured_seeds(records, entry.submission_id));
    for (const std::size_t num_seeds : measured) {
      if (levels_.has(entry.submission_id, num_seeds)) continue;
      MASH_ASSIGN(const LossSums sums, read_loss_sums(records, entry.submission_id, num_seeds));
      if (sums.is_empty()) continue;
      num_pictures_ = sums.of_examples.size();
      levels_.put(entry.submission_id, sums);
    }
  }
  return Done{};
}

Result<std::map<BoardRanks::Pair, PairDifference>> BoardRanks::exact_differences(
    const RecordsReader& records, std::span<const Pair> pairs) {
  std::map<std::pair<std::int64_t, std::size_t>, LossCells> read;  // by submission and seeds
  const auto losses_of = [&](std::int64_t id, std::size_t num_seeds) -> Result<const LossCells*> {
    const auto [place, is_new] = read.try_emplace({id, num_seeds});
    if (is_new) {
      MASH_ASSIGN(const LossSums sums, read_loss_sums(records, id, num_seeds));
      MASH_ASSIGN(place->second, read_judging_losses(records, id, sums));
    }
    return &place->second;
  };
  std::map<Pair, PairDifference> differences;
  for (const Pair& pair : pairs) {
    const std::size_t num_seeds = levels_.common_seeds(pair.first, pair.second);
    auto known = exact_.find(pair);
    if (known == exact_.end() || known->second.num_seeds != num_seeds) {
      MASH_ASSIGN(const LossCells* one, losses_of(pair.first, num_seeds));
      MASH_ASSIGN(const LossCells* other, losses_of(pair.second, num_seeds));
      ExactDifference exact{num_seeds, std::nullopt};
      if (!one->is_empty() && !other->is_empty()) exact.difference = exact_difference(*one, *other);
      known = exact_.insert_or_assign(pair, exact).first;
    }
    if (known->second.difference) differences.emplace(pair, *known->second.difference);
  }
  return differences;
}

Result<std::vector<EntryRank>> BoardRanks::ranks(const RecordsReader& records, const Board& board,
                                                 std::span<const BoardEntry> entries) {
  const bool is_withheld = board.ladder_step != 0;
  if (!is_withheld) MASH_TRY(learn(records, entries));
  std::vector<EntryRank> ranks(entries.size());
  std::vector<std::size_t> ranked;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ranks[i].copy_of = entries[i].copy_of;
    ranks[i].is_measured_before = !is_withheld && !levels_.has(entries[i].submission_id);
    if (!ranks[i].copy_of && !ranks[i].is_measured_before && entries[i].is_told()) ranked.push_back(i);
  }
  const double alpha = is_withheld ? kMiss : kMissOfLevel;
  std::vector<std::int64_t> ids;
  for (const std::size_t i : ranked) ids.push_back(entries[i].submission_id);
  const auto pair_of = [&](std::size_t i, std::size_t j) { return Pair(ids[i], ids[j]); };
  DifferenceOf by_sums = levels_.among(ids);
  if (is_withheld)
    by_sums = [&](std::size_t i, std::size_t j) {
      return shown_difference(entries[ranked[i]], entries[ranked[j]]);
    };
  std::map<Pair, PairDifference> exact;
  if (!is_withheld) {
    std::vector<Pair> near;
    for (const auto& [i, j] : pairs_near_limit(ranked.size(), by_sums, alpha, kMostExactPairs))
      near.push_back(pair_of(i, j));
    MASH_ASSIGN(exact, exact_differences(records, near));
  }
  const auto sets = rank_sets(
      ranked.size(),
      [&](std::size_t i, std::size_t j) {
        const auto found = exact.find(pair_of(i, j));
        return found == exact.end() ? by_sums(i, j) : found->second;
      },
      alpha);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    EntryRank& rank = ranks[ranked[i]];
    rank.own = sets[i].own;
    rank.together = sets[i].together;
    rank.expected = sets[i].expected;
    rank.is_limited_by_pictures = sets[i].is_limited_by_examples();
    if (rank.is_limited_by_pictures) rank.wanted_pictures = double(sets[i].num_wanted(num_pictures_));
    for (const std::size_t other : sets[i].open_to_seeds) rank.open_to.push_back(ranked[other]);
  }
  return ranks;
}

std::optional<std::size_t> least_certain(std::span<const BoardEntry> entries,
                                         std::span<const EntryRank> ranks, std::size_t most_seeds) {
  std::optional<std::size_t> oldest;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (ranks[i].is_measured_before && (!oldest || entries[i].submission_id < entries[*oldest].submission_id))
      oldest = i;
  if (oldest) return oldest;
  std::vector<RankSet> sets(entries.size());
  std::vector<std::size_t> num_seeds;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    num_seeds.push_back(entries[i].num_seeds);
    if (!ranks[i].own) continue;
    sets[i].own = *ranks[i].own;
    sets[i].expected = ranks[i].expected;
    sets[i].open_to_seeds = ranks[i].open_to;
  }
  return next_to_measure(sets, num_seeds, most_seeds);
}

}  // namespace mash
