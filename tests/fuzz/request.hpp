// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/beast/http/parser.hpp>
#include <optional>
#include <string_view>

#include "server/http/wire/wire.hpp"

namespace mash::fuzz {

inline constexpr std::size_t kMaxBody = 1 << 16;

// The request that comes over a connection as these bytes, read as the listener reads it. Nothing where it is
// no whole one, or is refused.
inline std::optional<server::Request> read_request(std::string_view input) {
  namespace http = boost::beast::http;
  http::request_parser<http::string_body> parser;
  parser.header_limit(server::kMaxHeaderBytes);
  parser.body_limit(kMaxBody);
  boost::beast::error_code code;
  const std::size_t header = parser.put(boost::asio::buffer(input.data(), input.size()), code);
  if (code || !parser.is_header_done()) return std::nullopt;
  server::Request request;
  if (server::take_header(parser.get(), "127.0.0.1", true, request)) return std::nullopt;
  parser.eager(true);
  if (!parser.is_done()) parser.put(boost::asio::buffer(input.data() + header, input.size() - header), code);
  if (code || !parser.is_done()) return std::nullopt;
  request.body = parser.get().body();
  return request;
}

}  // namespace mash::fuzz
