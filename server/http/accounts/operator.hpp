// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// Pages that only the operator sees. Each answers one row of the table in site.cpp; parts: what its address
// leaves open.
namespace mash::server {

Response show_operator(Visit& visit, const Parts& parts);
Response take_operator(Visit& visit, const Parts& parts);

}  // namespace mash::server
