// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// Submissions: their pages, and handing one in. Each answers one row of the table in site.cpp; parts: what
// its address leaves open.
namespace mash::server {

Response show_submissions(Visit& visit, const Parts& parts);
Response show_submission(Visit& visit, const Parts& parts);
Response show_report(Visit& visit, const Parts& parts);
Response show_report_json(Visit& visit, const Parts& parts);
Response show_source(Visit& visit, const Parts& parts);
Response show_submit(Visit& visit, const Parts& parts);
// The form of take_submit with what was sent, which a session that ended would lose.
Response show_submit_again(Visit& visit);
Response take_submit(Visit& visit, const Parts& parts);
Response take_cancel(Visit& visit, const Parts& parts);

}  // namespace mash::server
