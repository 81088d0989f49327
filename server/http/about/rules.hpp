// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// The rules: what contributors may expect, and what is expected of them. Each answers one row of the table in
// site.cpp; parts: what its address leaves open.
namespace mash::server {

Response show_rules(Visit& visit, const Parts& parts);

}  // namespace mash::server
