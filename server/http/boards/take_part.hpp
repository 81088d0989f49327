// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/render/page.hpp"
#include "server/http/frame/visit.hpp"

// Texts for a first visitor.
namespace mash::server {

// The site in two sentences.
Html what_this_is();
// The steps from nothing to a place on a board.
page::Piece how_to_take_part(const Visit& visit);
// Where there is no board: what the operator does.
page::Piece how_to_make_a_board();

}  // namespace mash::server
