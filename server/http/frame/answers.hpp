// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// What the site answers at each address (see the table in site.cpp). parts: what the address leaves open.
namespace mash::server {

// answers_boards.cpp
Response show_start(Visit& visit, const Parts& parts);
Response show_board(Visit& visit, const Parts& parts);  // also NAME.csv and NAME.json
Response show_front(Visit& visit, const Parts& parts);
Response show_contributors(Visit& visit, const Parts& parts);
Response show_contributor(Visit& visit, const Parts& parts);
Response show_compare(Visit& visit, const Parts& parts);
Response tell_boards(Visit& visit, const Parts& parts);
Response tell_leaderboard(Visit& visit, const Parts& parts);

// answers_heuristics.cpp
Response show_heuristic(Visit& visit, const Parts& parts);
Response show_badge(Visit& visit, const Parts& parts);
Response tell_heuristic(Visit& visit, const Parts& parts);

// answers_feed.cpp
Response show_feed(Visit& visit, const Parts& parts);

// answers_about.cpp
Response show_experiments(Visit& visit, const Parts& parts);
Response show_experiment(Visit& visit, const Parts& parts);
Response show_datasets(Visit& visit, const Parts& parts);
Response show_uncovered(Visit& visit, const Parts& parts);

// answers_rules.cpp
Response show_rules(Visit& visit, const Parts& parts);

// answers_openapi.cpp
Response show_api(Visit& visit, const Parts& parts);
Response tell_openapi(Visit& visit, const Parts& parts);

// answers_submissions.cpp
Response show_submissions(Visit& visit, const Parts& parts);
Response show_submission(Visit& visit, const Parts& parts);
Response show_report(Visit& visit, const Parts& parts);
Response show_report_json(Visit& visit, const Parts& parts);
Response show_source(Visit& visit, const Parts& parts);
Response show_submit(Visit& visit, const Parts& parts);
Response take_submit(Visit& visit, const Parts& parts);
Response take_cancel(Visit& visit, const Parts& parts);

// answers_api.cpp
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

// answers_accounts.cpp
Response show_register(Visit& visit, const Parts& parts);
Response take_register(Visit& visit, const Parts& parts);
Response show_login(Visit& visit, const Parts& parts);
Response take_login(Visit& visit, const Parts& parts);
Response take_logout(Visit& visit, const Parts& parts);
Response show_me(Visit& visit, const Parts& parts);
Response take_token(Visit& visit, const Parts& parts);
Response take_revoke(Visit& visit, const Parts& parts);

// answers_operator.cpp
Response show_operator(Visit& visit, const Parts& parts);
Response take_operator(Visit& visit, const Parts& parts);
Response show_metrics(Visit& visit, const Parts& parts);

}  // namespace mash::server
