// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"
#include "server/http/wire/message.hpp"
#include "server/http/wire/meters.hpp"

namespace mash::server {

struct ListenSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;                      // 0: a free one
  int num_threads = 2;                            // that answer requests; another one reads and writes
  std::size_t most_connections = 2000;            // a new one takes the place of an idle one then
  std::size_t most_connections_per_client = 600;  // behind a trusted proxy it has none
  std::size_t most_streams = 1000, most_streams_per_client = 250;
  std::size_t most_body_bytes = std::size_t(8) << 20;
  // Room for bodies that come or are answered, in all and of one client; at least one largest body.
  std::size_t most_bodies_bytes = std::size_t(64) << 20, most_bodies_bytes_per_client = std::size_t(16) << 20;
  // Room for answers until they are taken, except those that are kept for many; at least one largest page.
  std::size_t most_answers_bytes = std::size_t(128) << 20, most_answers_bytes_per_client = std::size_t(16)
                                                                                           << 20;
  std::size_t most_waiting_per_client = 250;  // requests that have come, and wait for a thread
  double read_seconds = 20;                   // for a whole request to come, and for an answer to be taken
  double requests_per_second = 400, posts_per_minute = 60;  // of one client
  double logins_per_minute = 30;                            // of one client, with a password
  bool trusted_proxy = false;                               // X-Real-IP says who the client is
};

// A message to those who subscribed to a topic: a server-sent event, whole.
struct News {
  std::int64_t topic = 0, id = 0;
  std::string text;
  bool is_last = false;  // nothing more comes of the topic
};

struct AnsweredRequest {
  const Request& request;
  int status = 0;
  std::size_t num_bytes = 0;
  double seconds = 0;
  const std::string& user;
};

// The site behind a listener. [any thread]
struct Service {
  Handler answer;
  // The next pieces of news after that id, oldest first.
  std::function<std::vector<News>(std::int64_t after_id)> news;
  std::function<void(const AnsweredRequest&)> on_answered;
};

// Answers requests (HTTP/1.0 and 1.1) until it is stopped. One thread reads and writes for all connections,
// so that a slow client holds up nobody; the service runs on the others. on_ready hears the port. Errors
// (kInput): the address cannot be listened on.
Status listen(const ListenSettings& settings, const Service& service, Meters& meters,
              const std::function<void(std::uint16_t port)>& on_ready, const StopFlag& stop);

}  // namespace mash::server
