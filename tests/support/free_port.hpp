// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>

namespace mash::testing {

// A port of this machine that nobody listens on now.
inline std::uint16_t free_port() {
  using boost::asio::ip::tcp;
  boost::asio::io_context context;
  const tcp::acceptor acceptor(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
  return acceptor.local_endpoint().port();
}

}  // namespace mash::testing
