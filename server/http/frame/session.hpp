// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/frame/visit.hpp"

// The visitor's identity, and whether a form was sent from a page of ours.
namespace mash::server {

inline constexpr std::string_view kSessionCookie = "mash_session";
inline constexpr int kSessionDays = 14;

// Fills `who`, by the token of the header or else the session's cookie, and `form_token`.
Status know_visitor(Visit& visit);

// Reads the form of a POST that comes from a page, where it has the token of the session, or (log in and
// register, where there is no session) comes from this site by its Origin; else the answer that refuses it.
// Nothing is read below /api, where cookies count for nothing.
std::optional<Response> read_page_form(Visit& visit);

// Whether a form that read_page_form refused stood on a page of this site, of a session that is another now.
bool is_of_former_session(const Visit& visit);

// Begins a session that lets the user do as much as `scope` says, and ends the one that the visitor had:
// answers with its cookie.
Result<Response> begin_session(Visit& visit, const User& user, Scope scope, std::string address);
Response end_session(Visit& visit);
// Has the browser forget the session, which has ended.
void forget_cookie(const Visit& visit, Response& response);

// An event of a submission as server-sent event; at the end of the submission with "end" after it.
std::string sent_event(const SubmissionEvent& event);

}  // namespace mash::server
