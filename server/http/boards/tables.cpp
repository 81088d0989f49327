// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/base/bounded_json.hpp"
#include "framework/base/percent.hpp"
#include "framework/render/wording.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kDateLength = 10;  // of "2026-11-20T12:00:00Z"

std::string date_of(const std::string& time) { return time.substr(0, kDateLength); }

Cell expected_cell(const EntryRank& rank) {
  return rank.own ? Cell(std::round(10 * rank.expected) / 10) : Cell();
}

// The reason why a rank is open: more seeds may part it from others, or only more pictures. Nothing where it
// is certain, or not known.
Cell limit_of(const BoardStand& stand, const EntryRank& rank) {
  if (!rank.own || rank.own->low == rank.own->high || stand.board.ladder_step != 0) return {};
  return std::string(rank.is_limited_by_pictures ? "pictures" : "seeds");
}

Cell wanted_cell(const EntryRank& rank) {
  return rank.wanted_pictures > 0 ? Cell(std::int64_t(std::ceil(rank.wanted_pictures))) : Cell();
}

Cell text_or_nothing(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

Column rank_column(bool together) {
  return {"rank", together ? "rank (all at once)" : "rank", Format::kCount};
}

// The text of a cell as it stands in an address.
std::string encoded(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return percent_encoded(*text);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
  return {};
}

}  // namespace

std::string rank_text(const EntryRank& rank, bool together) {
  if (rank.copy_of) return "copy";
  const auto& set = together ? rank.together : rank.own;
  if (!set) return "–";
  return set->low == set->high ? std::to_string(set->low) : fmt::format("{}–{}", set->low, set->high);
}

std::string finding_text(const BoardStand& stand, std::size_t entry_idx) {
  const BoardEntry& entry = stand.entries[entry_idx];
  if (stand.ranks[entry_idx].is_measured_before) return entry.finding + ", measured by a former procedure";
  return finding_in_words(entry);
}

Estimate gain_of(const MeasuredGain& measured) { return {measured.gain, measured.half_width()}; }

Cell gain_cell(const MeasuredGain& measured) { return measured.is_told() ? Cell(gain_of(measured)) : Cell(); }

Cell together_cell(const TogetherGain* together) {
  return together == nullptr ? Cell() : gain_cell(*together);
}

Cell beyond_cell(const EntryBeyond* beyond) {
  return beyond == nullptr || !beyond->gain ? Cell() : gain_cell(*beyond->gain);
}

std::string beyond_remark(const EntryBeyond* beyond) {
  if (beyond == nullptr) return "not measured: a copy";
  if (beyond->num_others == 0) return "no others yet: it is the gain";
  if (!beyond->gain) return "not measured yet";
  const BeyondGain& gain = *beyond->gain;
  std::string remark;
  const auto add = [&](const std::string& text) { remark += (remark.empty() ? "" : "; ") + text; };
  if (!gain.is_told()) add(gain.finding);
  if (gain.num_left_out > 0)
    add(fmt::format("{} could not stand in the pool", counted(gain.num_left_out, "other")));
  if (!gain.is_current) add("the others have changed since");
  return remark;
}

Table entries_table(const BoardStand& stand, std::span<const std::size_t> rows, bool together) {
  Table table{"Board " + stand.board.name,
              {rank_column(together),
               {"heuristic", "heuristic"},
               {"settings", "settings"},
               {"version", "version"},
               {"contributor", "contributor"},
               {"expected_rank", "expected rank", Format::kDecimal},
               {"gain", "gain, % of the log-loss", Format::kDecimal, true},
               {"beyond", "beyond, % of the log-loss", Format::kDecimal, true},
               {"beyond_others", "beside others", Format::kCount},
               {"beyond_at", "beyond measured"},
               {"beyond_remark", "remark on beyond"},
               {"finding", "finding"},
               {"limited_by", "limited by"},
               {"wanted_pictures", "pictures wanted", Format::kCount},
               {"num_seeds", "seeds", Format::kCount},
               {"num_features", "features", Format::kCount},
               {"microseconds", "µs a picture", Format::kDecimal},
               {"verified", "verified"},
               {"submission", "submission", Format::kCount}},
              {},
              stand.entries.empty() ? "nothing is published yet: submit the first heuristic"
                                    : "no heuristic of this board is so"};
  for (const std::size_t i : rows) {
    const BoardEntry& entry = stand.entries[i];
    const EntryRank& rank = stand.ranks[i];
    const EntryBeyond* beyond = stand.beyond_of(entry.submission_id);
    const BeyondGain* measured = beyond != nullptr && beyond->gain ? &*beyond->gain : nullptr;
    table.rows.push_back(
        {rank_text(rank, together), entry.heuristic, text_or_nothing(entry.settings), entry.version,
         entry.contributor, expected_cell(rank), gain_cell(entry), beyond_cell(beyond),
         measured == nullptr ? Cell() : Cell(std::int64_t(measured->num_others)),
         measured == nullptr ? Cell() : Cell(date_of(measured->measured_at)),
         text_or_nothing(beyond_remark(beyond)), finding_text(stand, i), limit_of(stand, rank),
         wanted_cell(rank), std::int64_t(entry.num_seeds), std::int64_t(entry.num_features),
         entry.microseconds, date_of(entry.verified_at), entry.submission_id});
  }
  return table;
}

Table contributors_table(const BoardStand& stand, std::span<const ContributorStand> rows, bool together) {
  Table table{"Contributors of board " + stand.board.name,
              {rank_column(together),
               {"contributor", "contributor"},
               {"num_heuristics", "heuristics", Format::kCount},
               {"num_adds", "that add", Format::kCount},
               {"gain", "best gain, % of the log-loss", Format::kDecimal, true},
               {"heuristic", "best heuristic"},
               {"together", "all together, % of the log-loss", Format::kDecimal, true},
               {"num_together", "heuristics in it", Format::kCount},
               {"submission", "submission", Format::kCount},
               {"judged_at", "last"}},
              {},
              stand.entries.empty() ? "nothing is published yet: submit the first heuristic"
                                    : "no contributor of this board is so"};
  for (const ContributorStand& row : rows) {
    const BoardEntry& best = stand.entries[row.best_idx];
    const TogetherGain* all = stand.together_of(row.name);
    table.rows.push_back({rank_text(stand.ranks[row.best_idx], together), row.name,
                          std::int64_t(row.num_heuristics), std::int64_t(row.num_adds), gain_cell(best),
                          best.heuristic, together_cell(all),
                          all == nullptr ? Cell() : Cell(std::int64_t(all->num_heuristics)),
                          best.submission_id, date_of(row.last_at)});
  }
  return table;
}

std::string heuristic_path(std::string_view id) { return "/heuristics/" + percent_encoded(id, "/"); }

std::string cell_address(const Table& table, std::size_t row, std::size_t column) {
  const std::string& key = table.columns[column].key;
  if (const auto* id = std::get_if<std::string>(&table.rows[row][column]);
      id != nullptr && key == "heuristic")
    return id->empty() ? "" : heuristic_path(*id);
  const std::string text = encoded(table.rows[row][column]);
  if (key == "contributor" && !text.empty()) return "/contributors/" + text;
  if (key == "submission" && !text.empty()) return "/submissions/" + text;
  if (key == "board" && !text.empty()) return "/boards/" + text;
  const Cell* submission = key == "finding" ? find_cell(table, row, "submission") : nullptr;
  if (submission != nullptr) return fmt::format("/submissions/{}/report", encoded(*submission));
  return {};
}

Table with_dashes(Table table) {
  for (auto& row : table.rows)
    for (Cell& cell : row)
      if (const auto* text = std::get_if<std::string>(&cell); text != nullptr && text->empty()) cell = {};
  return table;
}

std::string csv_of(Table table) { return render_csv(without_formulas(std::move(table))); }

std::string json_of(const Table& table, const Board& board, const PageSpan& span, std::size_t num_rows) {
  Json document = *parse_json<Json>(render_json(table), kOurOwnJson);
  document["board"] = board.name;
  document["board_version"] = board.version;
  document["page"] = span.page;
  document["num_pages"] = span.num_pages;
  document["num_rows"] = num_rows;
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace mash::server
