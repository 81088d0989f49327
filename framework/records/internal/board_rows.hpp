// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "framework/records/boards.hpp"

// Rows of boards, for the sources of this folder only.
namespace mash {

// All that board_in needs, of `boards b` with their terms; what a board does not have is NULL.
inline constexpr std::string_view kBoards = R"sql(
  SELECT b.*, t.title, t.notice, t.contact, t.opens_at, t.closes_at, t.attempts_a_day, t.points
  FROM boards b LEFT JOIN board_terms t ON t.board = b.name )sql";

Board board_in(SQLite::Statement& row);
std::optional<Board> board_of(SQLite::Database& database, std::int64_t id);

// Says that all versions of a board have changed.
void raise_board_revisions(SQLite::Database& database, const std::string& name);
// Says that all boards have changed.
void raise_all_board_revisions(SQLite::Database& database);

}  // namespace mash
