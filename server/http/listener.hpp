// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"
#include "server/http/message.hpp"

namespace mash::server {

struct ListenSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: a free one
  int num_threads = 2;        // that answer requests; another one reads and writes
  std::size_t most_connections = 2000;
  std::size_t most_body_bytes = std::size_t(2) << 20;
  double read_seconds = 20;  // for a whole request to come, and for an answer to be taken
};

// Answers requests (HTTP/1.0 and 1.1) until it is stopped. One thread reads and writes for all connections,
// so that a slow client holds up nobody; the handler runs on the others. on_ready hears the port. Errors
// (kInput): the address cannot be listened on.
Status listen(const ListenSettings& settings, const Handler& handler,
              const std::function<void(std::uint16_t port)>& on_ready, const StopFlag& stop);

}  // namespace mash::server
