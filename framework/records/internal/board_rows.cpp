// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/board_rows.hpp"

#include <fmt/format.h>

#include <string>

namespace mash {

Board board_in(SQLite::Statement& row) {
  const auto text = [&](const char* column) { return row.getColumn(column).getString(); };
  Board board;
  board.id = row.getColumn("id").getInt64();
  board.name = text("name");
  board.experiment = text("experiment");
  board.num_seeds = std::size_t(row.getColumn("num_seeds").getInt64());
  board.ladder_step = row.getColumn("ladder_step").getDouble();
  board.version = row.getColumn("version").getInt64();
  board.revision = row.getColumn("revision").getInt64();
  board.created_at = text("created_at");
  board.terms = {text("title"),    text("notice"),    text("contact"),
                 text("opens_at"), text("closes_at"), row.getColumn("attempts_a_day").getInt64(),
                 text("points")};
  return board;
}

std::optional<Board> board_of(SQLite::Database& database, std::int64_t id) {
  SQLite::Statement row(database, fmt::format("{} WHERE b.id = ?", kBoards));
  row.bind(1, id);
  return row.executeStep() ? std::optional(board_in(row)) : std::nullopt;
}

void raise_board_revisions(SQLite::Database& database, const std::string& name) {
  SQLite::Statement raise(database, "UPDATE boards SET revision = revision + 1 WHERE name = ?");
  raise.bind(1, name);
  raise.exec();
}

void raise_all_board_revisions(SQLite::Database& database) {
  database.exec("UPDATE boards SET revision = revision + 1");
}

}  // namespace mash
