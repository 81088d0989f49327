// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio.hpp>
#include <future>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "server/http/wire/listener.hpp"

namespace mash::server::testing {

// A server on a free port, which answers with the path and the length of the body. The first connection
// starts it: a test changes the settings before.
class ListenerTest : public ::testing::Test {
 protected:
  using Tcp = boost::asio::ip::tcp;
  using Connection = Tcp::iostream;

  ListenerTest() {
    settings_.port = 0;
    settings_.most_body_bytes = 1000;
    settings_.most_connections_per_client = 20;
    settings_.read_seconds = 0.5;
  }
  void start() {
    thread_ = std::thread([this] {
      const Service service{[this](const Request& request) { return answer(request); },
                            [this](std::int64_t after_id) { return news_after(after_id); },
                            [](const AnsweredRequest&) {}};
      const auto on_ready = [this](std::uint16_t port) { port_.set_value(port); };
      EXPECT_TRUE(listen(settings_, service, meters_, on_ready, stop_).ok());
    });
    at_ = port_.get_future().get();
  }
  Response answer(const Request& request) {
    const std::string first = request.path.empty() ? "" : request.path[0];
    if (first == "turn") return answer_in_turn(request);
    if (first == "queue") return answer_when_let_go(request);
    if (first == "large") return {200, "text/plain", std::string(kLarge, 'x')};
    if (first == "fields") return {200, "text/plain", all_fields(request)};
    if (first == "throws") throw std::runtime_error("secret");
    if (first == "ahead") return {200, "text/event-stream", "", {}, Subscription{9, std::int64_t(1) << 60}};
    if (first == "stream") return {200, "text/event-stream", "data: begin\n\n", {}, Subscription{7, 1}};
    return {200, "text/plain",
            fmt::format("{} {} {}", request.method, request.path.size(), request.body.size())};
  }
  // Tells the order; the first turn lasts until `all_wait_`.
  Response answer_in_turn(const Request& request) {
    if (!request.has_turn) {
      ++num_asked_;
      Response response;
      response.wants_turn = true;
      return response;
    }
    return answer_when_let_go(request);
  }
  Response answer_when_let_go(const Request& request) {
    all_wait_.wait();
    order_ += request.client;
    return {200, "text/plain", ""};
  }
  static std::string all_fields(const Request& request) {
    std::string all = fmt::format("{} {} {} {} {} {} {} {} {}", request.client, request.bearer,
                                  request.request_key, request.content_type, request.host, request.origin,
                                  request.if_none_match, request.last_event_id, request.body);
    for (const auto& [name, value] : request.cookies) all += " " + value;
    return all;
  }
  // Topic 7 is told three things, the last of them after topic 8 was told one.
  static std::vector<News> all_news() {
    return {{7, 1, "data: old\n\n"},
            {7, 2, "data: two\n\n"},
            {8, 3, "data: other\n\n"},
            {7, 4, "data: end\n\n", true}};
  }
  std::vector<News> news_after(std::int64_t after_id) const {
    std::vector<News> news;
    for (const News& piece : all_news())
      if (piece.id > after_id) news.push_back(piece);
    return news;
  }
  ~ListenerTest() override {
    stop_.raise();
    if (thread_.joinable()) thread_.join();
  }
  // Over which that was sent; a client that waits longer for an answer gives up.
  std::unique_ptr<Connection> connect(const std::string& text) {
    if (!thread_.joinable()) start();
    auto stream = std::make_unique<Connection>("127.0.0.1", std::to_string(at_));
    stream->expires_after(std::chrono::seconds(60));
    *stream << text << std::flush;
    return stream;
  }
  static std::string first_line(Connection& stream) {
    std::string line;
    std::getline(stream, line);
    return line;
  }
  static std::string rest(Connection& stream) {
    std::ostringstream all;
    all << stream.rdbuf();
    return all.str();
  }
  // Whether its meters say that, in a while.
  bool comes_to_say(const std::string& line) const {
    for (int i = 0; i < 500 && meters_.text().find(line + "\n") == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return meters_.text().find(line + "\n") != std::string::npos;
  }
  // All that comes back until the server closes.
  std::string send(const std::string& text) { return rest(*connect(text)); }

  static constexpr std::size_t kLarge = 16 << 20;  // more than sockets hold by themselves

  std::promise<void> let_go_;
  std::shared_future<void> all_wait_ = let_go_.get_future().share();
  std::atomic<int> num_asked_ = 0;
  std::string order_;  // written by one thread at a time
  ListenSettings settings_;
  Meters meters_;
  StopFlag stop_;
  std::promise<std::uint16_t> port_;
  std::uint16_t at_ = 0;
  std::thread thread_;
};

}  // namespace mash::server::testing
