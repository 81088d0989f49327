// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// The pages of heuristics, and submissions beside each other. Each answers one row of the table in site.cpp;
// parts: what its address leaves open.
namespace mash::server {

Response show_heuristic(Visit& visit, const Parts& parts);
Response show_badge(Visit& visit, const Parts& parts);
Response tell_heuristic(Visit& visit, const Parts& parts);
Response show_compare(Visit& visit, const Parts& parts);

}  // namespace mash::server
