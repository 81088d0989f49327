// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/verb.hpp>
#include <string_view>

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
  if (num_lengths == 1 && !whole_number_in(text_of(message[http::field::content_length])))
    return "found a Content-Length that is no number";
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

// Without regard to case.
bool begins_as(std::string_view text, std::string_view beginning) {
  const std::string_view own = text.substr(0, beginning.size());
  return boost::beast::iequals({own.data(), own.size()}, {beginning.data(), beginning.size()});
}

// The host and the rest of "http://mash.example.org/submissions?before=7", as proxies are asked; the host of
// a target that begins with a slash is empty. Nothing where it is no such target.
struct HostAndRest {
  std::string_view host, rest;
};
std::optional<HostAndRest> host_and_rest(std::string_view target) {
  if (target.starts_with('/')) return HostAndRest{{}, target};
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!begins_as(target, scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::string_view host = target.substr(0, target.find_first_of("/?"));
    if (host.empty() || host.find('@') != std::string_view::npos || !is_line_of_text(host))
      return std::nullopt;
    return HostAndRest{host, target.substr(host.size())};
  }
  return std::nullopt;
}

// The token of "Bearer TOKEN"; empty where it is no such line.
std::string bearer_of(std::string_view authorization) {
  constexpr std::string_view kBearer = "Bearer ";
  if (!begins_as(authorization, kBearer)) return {};
  const std::size_t begin = authorization.find_first_not_of(' ', kBearer.size());
  return std::string(authorization.substr(std::min(begin, authorization.size())));
}

// Reads the address that is asked for. Else why it is refused.
std::optional<std::string> take_target(const WireRequest& message, Request& request) {
  const std::string whole = text_of(message.target());
  const auto target = host_and_rest(whole);
  if (!target) return "no such address";
  const std::string slash = target->rest.starts_with('/') ? "" : "/";
  if (!read_target(slash + std::string(target->rest), request)) return "no such address";
  // A host in the address counts in place of the field (RFC 9112, section 3.2.2).
  request.host = target->host.empty() ? text_of(message[http::field::host]) : std::string(target->host);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> take_header(const WireRequest& message, const std::string& peer,
                                       bool trusted_proxy, Request& request) {
  if (auto doubt = doubt_about_the_end(message)) return doubt;
  const auto num_hosts = message.count(http::field::host);
  if (num_hosts > 1) return "found more than one Host";
  if (num_hosts == 0 && message.version() >= 11) return "found no Host";
  if (auto field = field_that_is_no_text(message)) return field;
  if (auto trouble = take_target(message, request)) return trouble;
  request.method = text_of(message.method_string());
  const auto real = message["X-Real-IP"];
  request.client = trusted_proxy && !real.empty() ? text_of(real) : peer;
  request.network = network_of(request.client);
  request.bearer = bearer_of(text_of(message[http::field::authorization]));
  const auto cookie = message[http::field::cookie];
  request.cookies = read_cookies({cookie.data(), cookie.size()});
  request.request_key = text_of(message["Idempotency-Key"]);
  request.content_type = text_of(message[http::field::content_type]);
  request.origin = text_of(message[http::field::origin]);
  request.if_none_match = text_of(message[http::field::if_none_match]);
  const auto last = message["Last-Event-ID"];
  std::string_view last_event(last.data(), last.size());
  request.last_event_id = take_number<std::int64_t>(last_event).value_or(0);
  return std::nullopt;
}

}  // namespace mash::server
