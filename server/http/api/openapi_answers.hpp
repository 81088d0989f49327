// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// Descriptions of the API, for people and for programs. Each answers one row of the table in site.cpp; parts:
// what its address leaves open.
namespace mash::server {

Response show_api(Visit& visit, const Parts& parts);
Response tell_openapi(Visit& visit, const Parts& parts);

}  // namespace mash::server
