// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/wire.hpp"

#include <boost/beast/http/verb.hpp>

#include "framework/base/number.hpp"

namespace mash::server {
namespace {

namespace http = boost::beast::http;

}  // namespace

std::optional<std::string> take_message(WireRequest& message, const std::string& peer, bool trusted_proxy,
                                        Request& request) {
  const bool is_chunked = message.count(http::field::transfer_encoding) > 0;
  if (is_chunked && (message.count(http::field::content_length) > 0 || message.version() < 11))
    return "found Transfer-Encoding beside Content-Length, or in HTTP/1.0";
  if (message.count(http::field::host) > 1) return "found more than one Host";
  const auto target = message.target();
  if (!read_target({target.data(), target.size()}, request)) return "no such address";
  request.method = text_of(message.method_string());
  const auto real = message["X-Real-IP"];
  request.client = trusted_proxy && !real.empty() ? text_of(real) : peer;
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
  request.body = std::move(message.body());
  return std::nullopt;
}

}  // namespace mash::server
