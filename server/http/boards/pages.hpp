// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/render/page.hpp"
#include "server/http/boards/query.hpp"
#include "server/http/frame/visit.hpp"

// Parts of the pages of a board.
namespace mash::server {

// A version of a board beside the others.
struct BoardView {
  std::vector<Board> versions;  // of the board, the newest first
  std::shared_ptr<const BoardStand> stand;
  std::shared_ptr<const BoardStand> former;  // what the newest version has in place of; else nothing

  const Board& board() const { return stand->board; }
  const BoardTerms& terms() const { return versions.front().terms; }  // as they are now
  bool is_newest() const { return board().version == versions.front().version; }
  // Changes with all that is shown of it.
  std::string key() const;
};

// "/boards/NAME".
std::string board_path(const Board& board);

// The ranking with its filters and pages, plots, and what is measured.
std::vector<page::Section> board_sections(const BoardView& view, const BoardQuery& query);
// One line: what it ranks, and where the same is for machines.
Html board_lead(const BoardView& view, const BoardQuery& query);

// The ranking of contributors alone. query: by contributor.
page::Piece contributors_piece(const BoardView& view, BoardQuery query);

}  // namespace mash::server
