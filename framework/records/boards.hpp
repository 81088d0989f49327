// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/base/loss_sums.hpp"
#include "framework/base/measured_gain.hpp"
#include "framework/records/records.hpp"

// The boards on which a server ranks contributions, and the ranking.
namespace mash {

// A ladder's step that depends on the test: what the gains of a placebo differ by chance.
inline constexpr double kPlaceboStep = -1;
inline constexpr std::string_view kPlaceboWord = "placebo";  // as people read and write it
// A step that is not 0, as pages say it: "0.5 % of the log-loss".
std::string ladder_step_in_words(double step);
// A step in documents: its per cent; null: the placebo's.
nlohmann::ordered_json ladder_step_json(double step);

// Words and times of a board, which hold for all of its versions and may change at any time.
struct BoardTerms {
  std::string title = {}, notice = {}, contact = {};  // lines of text; empty: none
  std::string opens_at = {}, closes_at = {};  // UTC, ISO 8601; empty: it was always open, it does not close
  std::int64_t attempts_a_day = 0;            // of each contributor; 0: any number
  std::string points = {};                    // for gains, as PointScale has them; empty: none
  bool operator==(const BoardTerms&) const = default;
};
enum class BoardPhase { kNotYetOpen, kOpen, kClosed };
BoardPhase phase_of(const BoardTerms& terms, std::string_view moment);
// "opens on 2026-12-01 07:00 UTC", "closes on ...", "closed on ..."; empty: it is open, and has no end.
std::string times_in_words(const BoardTerms& terms, std::string_view moment);
// {"title", "notice", "contact", "opens_at", "closes_at", "attempts_a_day", "points"}; null: there is none.
nlohmann::ordered_json terms_json(const BoardTerms& terms);

// An experiment: contributions are offered beside its heuristics. A change of the experiment, the number of
// seeds or the ladder step makes a new version of the board; judgements on a former version stay with that
// version.
struct Board {
  std::int64_t id = 0;  // of this version
  std::string name;
  std::string experiment;  // as YAML
  std::size_t num_seeds = 16;
  // Gains are released in steps of ladder_step per cent of the log-loss. A new gain is released only where it
  // exceeds the best before by at least one step (the Ladder of Blum and Hardt, 2015). 0: gains are released
  // as they are. kPlaceboStep: each in steps that its placebo gives, Judgement::placebo_step.
  double ladder_step = 0;
  std::int64_t version = 0, revision = 0;  // revision: raised when what it shows changes
  std::string created_at = {};
  BoardTerms terms = {};
};

// Makes the board, or its next version where it differs from the newest one; leaves its terms as they are.
// Returns the id of that version.
Result<std::int64_t> put_board(Records& records, const Board& board);
// Keeps the terms of all versions of the board.
Status put_board_terms(Records& records, const std::string& name, const BoardTerms& terms);
// The newest version of each board, in the order in which they were made.
Result<std::vector<Board>> read_boards(const RecordsReader& records);
// All versions of one board, the newest first.
Result<std::vector<Board>> read_board_versions(const RecordsReader& records, const std::string& name);
Result<std::optional<Board>> find_board(const RecordsReader& records, std::int64_t id);

// Pages and documents that a runner makes about a board, each kept whole under a name.
Status put_board_page(Records& records, std::int64_t board_id, const std::string& name,
                      const std::string& content);
Result<std::optional<std::string>> find_board_page(const RecordsReader& records, std::int64_t board_id,
                                                   const std::string& name);
// Whether there is such a page; does not read it.
Result<bool> has_board_page(const RecordsReader& records, std::int64_t board_id, const std::string& name);

// The newest version of a heuristic that was judged on a board.
struct BoardEntry : MeasuredGain {
  std::int64_t submission_id = 0;
  std::string heuristic, version, summary, contributor, licence, judged_at,
      verified_at;  // empty: it was not run again
  std::size_t num_features = 0;
  double microseconds = 0;
  std::string features_digest = {};  // equal for equal features; empty: not known
  std::string settings = {};         // in place of its defaults, as in "levels=8, grid=3"
  // The submission of another heuristic, which had its features first, to the bit: its entry, where that
  // still has them. original: "ada/hog 1.0.0", or "submission 7" of one that stands no more.
  std::optional<std::int64_t> copy_of = {};
  std::string original = {};
};
// "has the features of ada/hog 1.0.0, to the bit"; else its finding.
std::string finding_in_words(const BoardEntry& entry);
// By gain, the highest first; equal ones by name. A copy has the gain of its original, with all its figures,
// where that was judged on the same version of the board: equal features have equal gains.
Result<std::vector<BoardEntry>> read_board_entries(const RecordsReader& records, std::int64_t board_id);

// The entry that one submission has or had on a board, as read_board_entries has it; nothing where it was not
// judged, or is removed.
Result<std::optional<BoardEntry>> find_judged(const RecordsReader& records, std::int64_t submission_id);

// The figures that the Ladder releases of a gain (Blum and Hardt, 2015, algorithm 1, for a gain, which is to
// be high, in place of a loss): the best before, with all its figures, where the gain is not better by at
// least a step. Else the gain in whole steps, with an interval that is made wider, to whole steps on either
// side of it, the standard error that belongs to that, and the finding adds, harmful or undecided, by that
// interval; suspicious and nothing to learn stay. step 0: what was measured, with as many decimals as give
// two digits of the standard error.
MeasuredGain release_figures(const MeasuredGain& measured, const std::optional<MeasuredGain>& best_before,
                             double step);

// The decimals with which a gain of this standard error is shown: those that give two digits of the error.
int told_decimals(double standard_error);

// Where an entry stands on its board.
struct EntryRank {
  // Ranks that it may have (RankSet::own); together: sets that hold the ranks of all entries at once.
  // Nothing: it has no rank of its own, as it is a copy, no gain may be told, or it was measured by a former
  // procedure.
  std::optional<RankInterval> own = {}, together = {};
  double expected = 0;  // REQUIRES: own
  // Whether no number of seeds parts it from those that may be better or worse, as far as the errors tell:
  // the judging pictures are the limit. About how many of them would part it from the easiest; 0: none does.
  bool is_limited_by_pictures = false;
  double wanted_pictures = 0;
  std::vector<std::size_t> open_to = {};  // the entries that may be better or worse, and more seeds may tell
  std::optional<std::int64_t> copy_of = {};  // the submission of another heuristic whose features it has
  bool is_measured_before = false;           // by a former procedure: its gain is not set beside the others'
};

// The ranks of a board's entries, from sums of their losses, which are read once. Entries share judges and
// seeds, so they are told apart by paired differences; with different numbers of seeds, by those that both
// have. The kMostExactPairs pairs nearest to their critical value are told apart by all of their losses, as
// the error from sums is a little too large. Where a Ladder withholds gains, ranks follow from the released
// ones alone: others would tell of the hidden pictures what it withholds.
class BoardRanks {
 public:
  // entries: of the board, as read_board_entries gives them. Errors: the database.
  Result<std::vector<EntryRank>> ranks(const RecordsReader& records, const Board& board,
                                       std::span<const BoardEntry> entries);

 private:
  using Pair = std::pair<std::int64_t, std::int64_t>;  // submissions, as their entries stand

  Status learn(const RecordsReader& records, std::span<const BoardEntry> entries);
  // The differences of these pairs by all of their losses; without those of which losses were not kept.
  Result<std::map<Pair, PairDifference>> exact_differences(const RecordsReader& records,
                                                           std::span<const Pair> pairs);

  SeedLevels levels_;             // of submissions
  std::size_t num_pictures_ = 0;  // that judge; 0: not known yet
  // A difference by all losses of that number of seeds; nothing where they are not kept. They are kept before
  // the sums of them are, so those that are missing do not come later.
  struct ExactDifference {
    std::size_t num_seeds = 0;
    std::optional<PairDifference> difference = {};
  };
  std::map<Pair, ExactDifference> exact_;
};
inline constexpr std::size_t kMostExactPairs = 50;

// The entry that is to be measured with more seeds first: one that was measured by a former procedure, the
// oldest first; else that with the most ranks that it may have, of equal ones the best, or a neighbour of it
// with fewer seeds (next_to_measure). Nothing where each has one rank, or the most seeds, or pictures are its
// limit. most_seeds: no entry is measured with more. ranks: of entries.
std::optional<std::size_t> least_certain(std::span<const BoardEntry> entries,
                                         std::span<const EntryRank> ranks, std::size_t most_seeds);

}  // namespace mash
