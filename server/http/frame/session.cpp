// SPDX-License-Identifier: Apache-2.0
#include "server/http/frame/session.hpp"

#include <fmt/format.h>

#include "framework/base/hash.hpp"
#include "framework/base/secrets.hpp"

namespace mash::server {
namespace {

// A token that only pages of this session know: it cannot be made without the cookie's secret, and does not
// tell it.
std::string form_token_of(std::string_view session) { return sha256(fmt::format("form {}", session)); }

std::string_view without_scheme(std::string_view url) {
  const std::size_t found = url.find("://");
  return found == std::string_view::npos ? url : url.substr(found + 3);
}

// Browsers say where a form stands; a page of somebody else is refused.
bool is_from_here(const Visit& visit) {
  const std::string& origin = visit.request.origin;
  if (origin.empty()) return false;
  return without_scheme(origin) == visit.request.host || origin == visit.site.settings.public_url;
}

std::string cookie(const Visit& visit, std::string_view value, int seconds) {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={}{}", kSessionCookie, value, seconds,
                     visit.site.settings.secure_cookies ? "; Secure" : "");
}

}  // namespace

Status know_visitor(Visit& visit) {
  if (!visit.request.bearer.empty()) {
    MASH_ASSIGN(visit.who, find_holder(visit.records, visit.request.bearer));
    if (visit.who && visit.who->token.kind != "api") visit.who.reset();
    if (!visit.who) {
      MASH_ASSIGN(visit.disabled, find_disabled_holder(visit.records, visit.request.bearer));
    }
    return Done{};
  }
  const std::string_view session = value_of(visit.request.cookies, kSessionCookie);
  if (session.empty() || is_api(visit.request)) return Done{};
  MASH_ASSIGN(visit.who, find_holder(visit.records, session));
  if (visit.who && visit.who->token.kind != "session") visit.who.reset();
  if (visit.who) visit.form_token = form_token_of(session);
  return Done{};
}

std::optional<Response> read_page_form(Visit& visit) {
  const Request& request = visit.request;
  if (request.method != "POST" || is_api(request)) return std::nullopt;
  auto form = read_form(request.content_type, request.body);
  if (!form.ok()) return trouble(visit, 400, "Not taken", form.error().message);
  visit.form = *std::move(form);
  const bool is_ours = visit.form_token.empty()
                           ? is_from_here(visit)
                           : equal_secrets(value_of(visit.form, "form_token"), visit.form_token);
  if (is_ours) return std::nullopt;
  return trouble(
      visit, 403, "Not from here",
      "This form was not sent from a page of your session. Open the page again and send it again.");
}

bool is_of_former_session(const Visit& visit) { return !visit.form.empty() && is_from_here(visit); }

Result<Response> begin_session(Visit& visit, const User& user, Scope scope, std::string address) {
  if (visit.who && visit.who->token.kind == "session")
    MASH_TRY(revoke_token(visit.records, visit.who->user.id, visit.who->token.id));
  const std::string secret = make_secret();
  MASH_TRY(add_token(visit.records, user.id, {.kind = "session", .scope = scope, .label = "browser"}, secret,
                     kSessionDays));
  Response response = see_other(std::move(address));
  response.headers.emplace_back("Set-Cookie", cookie(visit, secret, kSessionDays * 24 * 3600));
  return response;
}

Response end_session(Visit& visit) {
  if (visit.who && visit.who->token.kind == "session") {
    const Status revoked = revoke_token(visit.records, visit.who->user.id, visit.who->token.id);
    if (!revoked.ok()) return failed(visit, revoked.error());
  }
  Response response = see_other("/");
  forget_cookie(visit, response);
  return response;
}

void forget_cookie(const Visit& visit, Response& response) {
  response.headers.emplace_back("Set-Cookie", cookie(visit, "", 0));
}

std::string sent_event(const SubmissionEvent& event) {
  const Json document{
      {"id", event.id}, {"at", event.at}, {"state", word_of(event.state)}, {"text", event.text}};
  std::string out = fmt::format("id: {}\nevent: step\ndata: {}\n\n", event.id,
                                document.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (is_final(event.state))
    out += fmt::format("event: end\ndata: {{\"state\": \"{}\"}}\n\n", word_of(event.state));
  return out;
}

}  // namespace mash::server
