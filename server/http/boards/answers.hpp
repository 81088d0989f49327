// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// The pages and documents of boards and of contributors. Each answers one row of the table in site.cpp;
// parts: what its address leaves open.
namespace mash::server {

Response show_start(Visit& visit, const Parts& parts);
Response show_board(Visit& visit, const Parts& parts);  // also NAME.csv and NAME.json
Response show_front(Visit& visit, const Parts& parts);
Response show_contributors(Visit& visit, const Parts& parts);
Response show_contributor(Visit& visit, const Parts& parts);
Response tell_boards(Visit& visit, const Parts& parts);
Response tell_leaderboard(Visit& visit, const Parts& parts);

}  // namespace mash::server
