// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>

#include "server/http/wire/message.hpp"

namespace mash::server {

using WireRequest = boost::beast::http::request<boost::beast::http::string_body>;

inline std::string text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

inline constexpr std::uint32_t kMaxHeaderBytes = 16 << 10;

// Takes all but the body out of a message of which the header alone was read: fields behind a body in chunks
// would stand among those of the header later. Else why it is refused: no address, or what others on the way
// may read as two requests. peer: who is at the other end. trusted_proxy: X-Real-IP says for whom that asks.
std::optional<std::string> take_header(const WireRequest& message, const std::string& peer,
                                       bool trusted_proxy, Request& request);

}  // namespace mash::server
