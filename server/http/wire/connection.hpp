// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/http/wire/limits.hpp"
#include "server/http/wire/listener.hpp"
#include "server/http/wire/news_room.hpp"
#include "server/http/wire/turns.hpp"

namespace mash::server {

class Connection;

// State that all connections share. [the thread that reads and writes]
struct Shared {
  const ListenSettings& settings;
  const Service& service;
  Meters& meters;
  boost::asio::thread_pool &answering, &working;  // the latter: one thread, for what is done in turn
  NewsRoom& news;
  RateLimit requests, posts, logins;
  BodyBudget bodies, answers;
  Turns waiting;  // requests, for a thread of `answering`
  int num_answering = 0;
  Turns turns = Turns();
  bool is_turn_taken = false;
  std::size_t num_connections = 0, num_streams = 0;
  std::unordered_map<std::string, std::size_t> streams_of = {}, connections_of = {};  // by network
  // Connections whose next request has not come as a whole, by network, the one that has waited longest
  // first.
  std::unordered_map<std::string, std::map<std::uint64_t, Connection*>> idle = {};
  std::uint64_t num_idle_so_far = 0;

  void take_turn();
  void answer_next();
  // Closes the idle connection that has waited longest, of the network that has most of them. False: none is.
  bool close_an_idle_one();
};

// One connection: a request is read, answered, and the next one read, until the client or the time ends it.
class Connection : public Hearer, public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, std::string client, Shared& shared);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read();
  // Sends it to a stream; a client that does not take what waits for it is left.
  void tell(const std::string& text, bool is_last) override;
  void end();

 private:
  using ErrorCode = boost::system::error_code;

  void expire();
  void begin_idling();
  void end_idling();
  void skip_empty_lines();
  void read_header();
  void on_header(ErrorCode code);
  void ask_for_body(const std::shared_ptr<Request>& request);
  void read_body(const std::shared_ptr<Request>& request);
  bool make_room_for_body();
  bool make_room_for(const Response& response);
  void give_back();
  void on_trouble(ErrorCode code);

  void answer(const std::shared_ptr<Request>& request);
  void answer_on(boost::asio::thread_pool& threads, const std::shared_ptr<Request>& request);
  void on_answer(const std::shared_ptr<Request>& request, Response response);
  void ask_for_turn(const std::shared_ptr<Request>& request);
  double must_wait(const Request& request);
  // Answers that somebody may ask again later.
  void put_off(const Request& request, Response response);
  void refuse(Response response);
  void set_headers(const Response& response);
  void write(Response response);

  void begin_stream(const Request& request, Response response);
  void watch_for_the_end();
  void pulse();
  void write_waiting();
  void leave_streams();

  void close();
  void ignore_the_rest();

  boost::beast::tcp_stream stream_;
  boost::asio::steady_timer pulse_;
  std::string peer_, peer_network_;
  Shared& shared_;
  std::uint64_t idle_number_ = 0;                  // among those of `shared_.idle`; 0: it is none
  std::string network_;                            // by which the client of the last request is counted
  std::size_t body_bytes_ = 0, answer_bytes_ = 0;  // of its budgets
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  std::shared_ptr<const std::string> body_;  // that `response_` shows
  boost::beast::http::response<boost::beast::http::span_body<const char>> response_;
  bool keeps_alive_ = false, is_head_ = false;
  unsigned version_ = 11;
  std::array<char, 512> ignored_{};
  // For a stream:
  std::string waiting_, writing_;
  std::unique_ptr<boost::asio::steady_timer> write_timer_;
  bool is_stream_ = false, is_writing_ = false, ends_ = false;
};

}  // namespace mash::server
