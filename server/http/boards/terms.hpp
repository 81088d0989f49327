// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "framework/render/page.hpp"
#include "server/http/frame/visit.hpp"

// Words and times of boards, as contributors read them.
namespace mash::server {

// "Board digits", with its title where it has one: "Board digits: Holes and strokes".
std::string board_heading(const Board& board);
// Nothing where a board has none.
page::Piece terms_piece(const BoardTerms& terms);
// Links to the boards, with their titles and times.
page::Piece boards_list(std::span<const Board> boards);
// The terms of boards for somebody who hands in, with their attempts; nothing where no board has any.
Result<page::Piece> intake_piece(const Visit& visit, std::span<const Board> boards);

}  // namespace mash::server
