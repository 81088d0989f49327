// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// The API below /api/v1. Each answers one row of the table in site.cpp; parts: what its address leaves open.
namespace mash::server {

Response tell_me(Visit& visit, const Parts& parts);
Response tell_submissions(Visit& visit, const Parts& parts);
Response tell_submission(Visit& visit, const Parts& parts);
Response tell_events(Visit& visit, const Parts& parts);
Response api_submit(Visit& visit, const Parts& parts);
Response api_cancel(Visit& visit, const Parts& parts);
Response api_hold(Visit& visit, const Parts& parts);
Response api_release(Visit& visit, const Parts& parts);
Response api_rerun(Visit& visit, const Parts& parts);
Response api_remove(Visit& visit, const Parts& parts);
Response api_rerun_board(Visit& visit, const Parts& parts);

}  // namespace mash::server
