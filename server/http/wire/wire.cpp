// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/wire.hpp"

#include <fmt/format.h>

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/verb.hpp>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "server/http/wire/limits.hpp"

namespace mash::server {
namespace {

namespace http = boost::beast::http;

// Why two readers may see different ends of the message.
std::optional<std::string> doubt_about_the_end(const WireRequest& message) {
  const auto num_codings = message.count(http::field::transfer_encoding);
  const auto num_lengths = message.count(http::field::content_length);
  if (num_lengths > 1) return "found more than one Content-Length";
  if (num_codings == 0) return std::nullopt;
  if (num_lengths > 0 || message.version() < 11)
    return "found Transfer-Encoding beside Content-Length, or in HTTP/1.0";
  // Other codings are none of ours, and in lists readers find different ones.
  if (num_codings > 1 || !boost::beast::iequals(message[http::field::transfer_encoding], "chunked"))
    return "found another Transfer-Encoding than 'chunked'";
  return std::nullopt;
}

// The field that may be shown, kept or logged, and is no text: pages, records and logs are UTF-8.
std::optional<std::string> field_that_is_no_text(const WireRequest& message) {
  for (const char* name :
       {"Host", "Origin", "X-Real-IP", "Authorization", "Idempotency-Key", "Content-Type", "If-None-Match"})
    if (!is_line_of_text(text_of(message[name]))) return fmt::format("found a {} that is no text", name);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> take_header(const WireRequest& message, const std::string& peer,
                                       bool trusted_proxy, Request& request) {
  if (auto doubt = doubt_about_the_end(message)) return doubt;
  if (message.count(http::field::host) > 1) return "found more than one Host";
  if (auto field = field_that_is_no_text(message)) return field;
  const auto target = message.target();
  if (!read_target({target.data(), target.size()}, request)) return "no such address";
  request.method = text_of(message.method_string());
  const auto real = message["X-Real-IP"];
  request.client = trusted_proxy && !real.empty() ? text_of(real) : peer;
  request.network = network_of(request.client);
  constexpr std::string_view kBearer = "Bearer ";
  const auto authorization = message[http::field::authorization];
  if (authorization.starts_with(kBearer.data()))
    request.bearer = text_of(authorization.substr(kBearer.size()));
  const auto cookie = message[http::field::cookie];
  request.cookies = read_cookies({cookie.data(), cookie.size()});
  request.request_key = text_of(message["Idempotency-Key"]);
  request.content_type = text_of(message[http::field::content_type]);
  request.host = text_of(message[http::field::host]);
  request.origin = text_of(message[http::field::origin]);
  request.if_none_match = text_of(message[http::field::if_none_match]);
  const auto last = message["Last-Event-ID"];
  std::string_view last_event(last.data(), last.size());
  request.last_event_id = take_number<std::int64_t>(last_event).value_or(0);
  return std::nullopt;
}

}  // namespace mash::server
