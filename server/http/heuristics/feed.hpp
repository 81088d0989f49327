// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// News of the site, for feed readers. Each answers one row of the table in site.cpp; parts: what its address
// leaves open.
namespace mash::server {

Response show_feed(Visit& visit, const Parts& parts);

}  // namespace mash::server
