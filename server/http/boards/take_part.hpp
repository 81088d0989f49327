// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/render/page.hpp"
#include "server/http/frame/visit.hpp"

// What a first visitor reads.
namespace mash::server {

// What this is, in two sentences.
Html what_this_is();
// The steps from nothing to a place on a board.
page::Piece how_to_take_part(const Visit& visit);
// Where there is no board: what the operator does.
page::Piece how_to_make_a_board();

}  // namespace mash::server
