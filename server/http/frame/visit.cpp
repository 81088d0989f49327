// SPDX-License-Identifier: Apache-2.0
#include "server/http/frame/visit.hpp"

#include <fmt/format.h>

#include "framework/base/percent.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

Response led_to(int status, std::string address) {
  Response response{status, "text/plain; charset=utf-8", "see " + address + "\n"};
  response.headers.emplace_back("Location", std::move(address));
  return response;
}

}  // namespace

bool is_api(const Request& request) {
  return request.path.size() >= 2 && request.path[0] == "api";  // /api is a page
}

Response html(std::string page, int status) { return {status, "text/html; charset=utf-8", std::move(page)}; }

Response whole_page(std::string page) {
  Response response = html(std::move(page));
  response.headers.emplace_back(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
      "base-uri 'none'; frame-ancestors 'none'");
  return response;
}

Response json(const Json& document, int status) {
  return {status, "application/json", document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"};
}

Response see_other(std::string address) { return led_to(303, std::move(address)); }

Response moved(std::string address) {
  Response response = led_to(308, std::move(address));
  response.headers.emplace_back("Cache-Control", "no-cache");  // a user may take a former name back
  return response;
}

Response trouble(const Visit& visit, int status, std::string_view heading, std::string_view text) {
  if (is_api(visit.request)) return json({{"error", text}}, status);
  return site_page(visit, heading, markup("{}", text), {}, {}, status);
}

Response not_found(const Visit& visit) {
  return trouble(visit, 404, "Not found", "There is nothing at this address. Begin at the leaderboard.");
}

bool is_of_the_request(const Visit& visit, const Error& error) {
  return error.kind == ErrorKind::kInput && error.message.find(visit.site.database) == std::string::npos;
}

Response failed(const Visit& visit, const Error& error) {
  if (is_of_the_request(visit, error)) return trouble(visit, 422, "Not taken", error.message);
  Response response = trouble(visit, 503, "Not now", "The server cannot do this now. Try again in a minute.");
  response.headers.emplace_back("Retry-After", "60");
  return response;
}

std::variant<TokenHolder, Response> holder(const Visit& visit, Scope needed) {
  if (visit.disabled)
    return trouble(visit, 403, "Not allowed",
                   fmt::format("the account {} is disabled by an operator", *visit.disabled));
  if (!visit.who && !is_api(visit.request))
    return see_other("/login?to=" + percent_encoded(visit.request.target));
  if (!visit.who) {
    Response response =
        trouble(visit, 401, "Who are you?",
                "expected a token that holds, in the header 'Authorization: Bearer TOKEN'; a page of your "
                "account (/me) makes one");
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
  }
  if (visit.who->token.scope < needed)
    return trouble(visit, 403, "Not allowed",
                   fmt::format("this token lets its holder {}, expected one that lets them {}",
                               word_of(visit.who->token.scope), word_of(needed)));
  if (needed == Scope::kOperate && !visit.is_operator())
    return trouble(visit, 403, "Not allowed", "only an operator may do this");
  return *visit.who;
}

std::string site_url(const Visit& visit) {
  const std::string& url = visit.site.settings.public_url;
  if (!url.empty()) return url.ends_with('/') ? url.substr(0, url.size() - 1) : url;
  return "http://" + (visit.request.host.empty() ? "localhost" : visit.request.host);
}

}  // namespace mash::server
