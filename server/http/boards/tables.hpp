// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/render/page.hpp"
#include "server/http/boards/query.hpp"
#include "server/http/frame/visit.hpp"

// Rankings as tables, for people and for machines.
namespace mash::server {

// "1", or "2–5" where it may be any of these; "copy"; "–" where it has no rank. together: of the sets that
// hold all ranks at once.
std::string rank_text(const EntryRank& rank, bool together = false);
// The finding of an entry of a board as it is shown: of copies "has the features of ada/strokes 1.2.0, to the
// bit", and what was measured by a former procedure.
std::string finding_text(const BoardStand& stand, std::size_t entry_idx);
// The gain with half the width of its interval.
// REQUIRES: measured.is_told.
Estimate gain_of(const MeasuredGain& measured);
// Nothing where no gain may be told.
Cell gain_cell(const MeasuredGain& measured);
// The gain of all heuristics of a contributor together; nothing: not measured.
Cell together_cell(const TogetherGain* together);
// The gain of an entry beside the base and all others; nothing where that is not measured, or may not be
// told.
Cell beyond_cell(const EntryBeyond* beyond);
// Why there is nothing, or what the figure leaves out: "not measured yet", "the others have changed since".
// Empty: it is what an entry adds beside all others that stand there now.
std::string beyond_remark(const EntryBeyond* beyond);

// rows: places in stand.entries. Ranks are those among all entries. together: as of rank_text.
Table entries_table(const BoardStand& stand, std::span<const std::size_t> rows, bool together = false);
Table contributors_table(const BoardStand& stand, std::span<const ContributorStand> rows,
                         bool together = false);
// "/heuristics/ada/holes": its slash is one of the address.
std::string heuristic_path(std::string_view id);
// Where cells of either lead, by the keys of their columns.
std::string cell_address(const Table& table, std::size_t row, std::size_t column);

// As people read it: dashes in place of empty text.
Table with_dashes(Table table);
// RFC 4180; text that a spreadsheet would take for a formula begins with an apostrophe.
std::string csv_of(Table table);
// The document of the API.
std::string json_of(const Table& table, const Board& board, const PageSpan& span, std::size_t num_rows);

}  // namespace mash::server
