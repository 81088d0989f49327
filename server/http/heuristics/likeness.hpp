// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// Evidence of copies, for operators alone. It answers one row of the table in site.cpp; parts: what its
// address leaves open.
namespace mash::server {

// The pairs of each board that are alike, with their figures; with one=3&other=7 both sources side by side.
Response show_copies(Visit& visit, const Parts& parts);

}  // namespace mash::server
