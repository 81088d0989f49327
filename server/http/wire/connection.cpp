// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>

#include "server/http/wire/wire.hpp"

namespace mash::server {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr auto kLingering = std::chrono::seconds(2);
constexpr auto kPulseInterval = std::chrono::seconds(15);
// Seconds after which to ask again.
constexpr double kBodyPause = 5, kAnswerPause = 5, kThreadPause = 2, kTurnPause = 2, kStreamPause = 30;
constexpr std::size_t kMostWaitingBytes = 256 << 10;  // of a stream whose client does not take them
constexpr std::size_t kFirstBytes = 2048;             // of a request: the header of most

constexpr const char* kPolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

Response plain(int status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::move(text) + "\n"};
}
// With the seconds after which to ask again.
Response later(int status, std::string text, double seconds) {
  Response response = plain(status, std::move(text));
  response.headers.emplace_back("Retry-After", fmt::format("{}", std::ceil(seconds)));
  return response;
}

Response no_room_for_it() { return later(503, "too much is on its way to readers: try again", kAnswerPause); }

}  // namespace

void Shared::take_turn() {
  if (is_turn_taken) return;
  const auto work = turns.next();
  is_turn_taken = work.has_value();
  if (work) (*work)(Turn::kTaken);
}

void Shared::answer_next() {
  while (num_answering < settings.num_threads) {
    const auto work = waiting.next();
    if (!work) return;
    ++num_answering;
    (*work)(Turn::kTaken);
  }
}

bool Shared::close_an_idle_one() {
  const auto most = std::ranges::max_element(idle, {}, [](const auto& one) { return one.second.size(); });
  if (most == idle.end()) return false;
  most->second.begin()->second->end();
  return true;
}

Connection::Connection(net::ip::tcp::socket socket, std::string client, Shared& shared)
    : stream_(std::move(socket)),
      pulse_(stream_.get_executor()),
      peer_(std::move(client)),
      peer_network_(network_of(peer_)),
      shared_(shared) {
  ++shared_.num_connections;
  ++shared_.connections_of[peer_network_];
  shared_.meters.connections(1);
}

Connection::~Connection() {
  --shared_.num_connections;
  if (--shared_.connections_of[peer_network_] == 0) shared_.connections_of.erase(peer_network_);
  shared_.meters.connections(-1);
  end_idling();
  give_back();
  if (is_stream_) leave_streams();
}

void Connection::read() {
  give_back();
  parser_.emplace();
  parser_->header_limit(kMaxHeaderBytes);
  parser_->body_limit(shared_.settings.most_body_bytes);
  expire();
  begin_idling();
  skip_empty_lines();
}

void Connection::tell(const std::string& text, bool is_last) {
  if (!waiting_.empty() && waiting_.size() + text.size() > kMostWaitingBytes) return end();
  waiting_ += text;
  ends_ = ends_ || is_last;
  write_waiting();
}

void Connection::expire() {
  stream_.expires_after(std::chrono::milliseconds(std::int64_t(1000 * shared_.settings.read_seconds)));
}

void Connection::begin_idling() {
  idle_number_ = ++shared_.num_idle_so_far;
  shared_.idle[peer_network_].emplace(idle_number_, this);
}

void Connection::end_idling() {
  if (idle_number_ == 0) return;
  const auto own = shared_.idle.find(peer_network_);
  own->second.erase(std::exchange(idle_number_, 0));
  if (own->second.empty()) shared_.idle.erase(own);
}

// Empty lines before a request, which some clients send behind a body (RFC 9112, section 2.2).
void Connection::skip_empty_lines() {
  std::string_view begun(static_cast<const char*>(buffer_.cdata().data()), buffer_.size());
  while (begun.starts_with("\r\n")) begun.remove_prefix(2);
  buffer_.consume(buffer_.size() - begun.size());
  if (buffer_.size() > 1 || (buffer_.size() == 1 && begun[0] != '\r')) return read_header();
  stream_.async_read_some(buffer_.prepare(kFirstBytes),
                          [self = shared_from_this()](ErrorCode code, std::size_t num_bytes) {
                            if (code == net::error::eof) return self->close();
                            if (code) return self->on_trouble(code);
                            self->buffer_.commit(num_bytes);
                            self->skip_empty_lines();
                          });
}

void Connection::read_header() {
  http::async_read_header(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](ErrorCode code, std::size_t) { self->on_header(code); });
}

void Connection::on_header(ErrorCode code) {
  if (code) return on_trouble(code);
  const auto& message = parser_->get();
  version_ = message.version();
  keeps_alive_ = message.keep_alive();
  auto request = std::make_shared<Request>();
  if (const auto why = take_header(message, peer_, shared_.settings.trusted_proxy, *request))
    return refuse(plain(400, *why));
  is_head_ = request->method == "HEAD";
  if (is_head_) request->method = "GET";
  network_ = request->network;
  if (!make_room_for_body()) return refuse(later(503, "too much is sent at once: try again", kBodyPause));
  const auto expected = version_ < 11 ? beast::string_view() : message[http::field::expect];
  if (!expected.empty() && !beast::iequals(expected, "100-continue"))
    return refuse(plain(417, "found another Expect than '100-continue'"));
  // A client that sends its body at once does not wait to be asked for it.
  if (!expected.empty() && !parser_->is_done() && buffer_.size() == 0) return ask_for_body(request);
  read_body(request);
}

void Connection::ask_for_body(const std::shared_ptr<Request>& request) {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  net::async_write(stream_, net::buffer(kContinue),
                   [self = shared_from_this(), request](ErrorCode code, std::size_t) {
                     if (!code) self->read_body(request);
                   });
}

void Connection::read_body(const std::shared_ptr<Request>& request) {
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this(), request](ErrorCode code, std::size_t) {
                     if (code) return self->on_trouble(code);
                     request->body = std::move(self->parser_->get().body());
                     self->answer(request);
                   });
}

// The length of a body in chunks is known at its end only: it counts as the largest.
bool Connection::make_room_for_body() {
  const std::size_t num_bytes = parser_->chunked() ? shared_.settings.most_body_bytes
                                                   : std::size_t(parser_->content_length().value_or(0));
  const auto taken = shared_.bodies.take(network_, num_bytes);
  body_bytes_ = taken.value_or(0);
  return taken.has_value();
}

// A body that is kept for many takes no memory of this connection; HEAD has none.
bool Connection::make_room_for(const Response& response) {
  const auto taken = shared_.answers.take(network_, is_head_ ? 0 : response.body.size());
  answer_bytes_ = taken.value_or(0);
  return taken.has_value();
}

void Connection::give_back() {
  shared_.bodies.give_back(network_, std::exchange(body_bytes_, 0));
  shared_.answers.give_back(network_, std::exchange(answer_bytes_, 0));
}

void Connection::on_trouble(ErrorCode code) {
  if (code == http::error::end_of_stream) return close();
  if (code == http::error::body_limit)
    return refuse(
        plain(413, fmt::format("the body is larger than {} bytes", shared_.settings.most_body_bytes)));
  if (code == http::error::header_limit) return refuse(plain(431, "the header is too large"));
  if (code.category() == http::make_error_code(http::error::bad_method).category())
    return refuse(plain(400, "this is no HTTP request"));
  // Else the client has gone, or was too slow.
}

void Connection::answer(const std::shared_ptr<Request>& request) {
  end_idling();
  if (const double wait = must_wait(*request); wait > 0)
    return put_off(*request, later(429, "too many requests: wait a little", wait));
  stream_.expires_never();  // our own time is not the client's
  shared_.waiting.add(request->network, [self = shared_from_this(), request](Turn turn) {
    if (turn == Turn::kRefused)
      return self->put_off(*request, later(503, "too many requests wait just now: try again", kThreadPause));
    self->answer_on(self->shared_.answering, request);
  });
  shared_.answer_next();
}

void Connection::answer_on(net::thread_pool& threads, const std::shared_ptr<Request>& request) {
  // The last hand on a connection is always that of the thread that reads and writes.
  net::post(threads, [self = shared_from_this(), request]() mutable {
    const auto executor = self->stream_.get_executor();
    const Stopwatch stopwatch;
    Response response;
    try {
      response = self->shared_.service.answer(*request);
    } catch (const std::exception&) {
      response = plain(500, "the server made a mistake");
    }
    if (!response.wants_turn) {
      const double seconds = stopwatch.seconds();
      self->shared_.meters.count_answer(response.status, seconds);
      self->shared_.service.on_answered(
          {*request, response.status, response.text().size(), seconds, response.user});
    }
    net::post(executor, [self = std::move(self), request, response = std::move(response)]() mutable {
      self->on_answer(request, std::move(response));
    });
  });
}

void Connection::on_answer(const std::shared_ptr<Request>& request, Response response) {
  if (request->has_turn) {
    shared_.is_turn_taken = false;
    shared_.take_turn();
  } else {
    --shared_.num_answering;
    shared_.answer_next();
  }
  if (response.wants_turn) return ask_for_turn(request);
  if (response.stream && !is_head_) return begin_stream(*request, std::move(response));
  write(std::move(response));
}

void Connection::ask_for_turn(const std::shared_ptr<Request>& request) {
  if (const double wait = shared_.logins.take(request->network, RateLimit::Clock::now()); wait > 0)
    return put_off(*request, later(429, "too many logins: wait a little", wait));
  shared_.turns.add(request->network, [self = shared_from_this(), request](Turn turn) {
    if (turn == Turn::kRefused)
      return self->put_off(*request, later(503, "many others log in just now: try again", kTurnPause));
    request->has_turn = true;
    self->answer_on(self->shared_.working, request);
  });
  shared_.take_turn();
}

void Connection::put_off(const Request& request, Response response) {
  shared_.meters.count_refusal();
  shared_.service.on_answered({request, response.status, response.body.size(), 0, response.user});
  write(std::move(response));
}

double Connection::must_wait(const Request& request) {
  const auto now = RateLimit::Clock::now();
  const double wait = shared_.requests.take(request.network, now);
  if (wait > 0 || request.method != "POST") return wait;
  return shared_.posts.take(request.network, now);
}

void Connection::refuse(Response response) {
  shared_.meters.count_refusal();
  keeps_alive_ = false;
  write(std::move(response));
}

void Connection::set_headers(const Response& response) {
  response_ = {};
  response_.version(version_);
  response_.result(unsigned(response.status));
  response_.set(http::field::content_type, response.content_type);
  response_.set("X-Content-Type-Options", "nosniff");
  response_.set("X-Frame-Options", "DENY");
  response_.set("Referrer-Policy", "same-origin");
  response_.set("Cross-Origin-Opener-Policy", "same-origin");
  response_.set("Content-Security-Policy", kPolicy);
  for (const auto& [name, value] : response.headers) {
    if (value.find_first_of("\r\n") != std::string::npos) continue;  // it would begin a header of its own
    if (name == "Set-Cookie")
      response_.insert(name, value);
    else
      response_.set(name, value);
  }
  response_.keep_alive(keeps_alive_);
}

void Connection::write(Response response) {
  end_idling();
  parser_.reset();
  give_back();
  if (!make_room_for(response)) {
    shared_.meters.count_refusal();
    response = no_room_for_it();
  }
  set_headers(response);
  body_ = response.shared_body ? std::move(response.shared_body)
                               : std::make_shared<const std::string>(std::move(response.body));
  response_.body() = {body_->data(), body_->size()};
  response_.prepare_payload();
  if (is_head_) {
    response_.body() = {};
    body_.reset();
  }
  expire();
  http::async_write(stream_, response_, [self = shared_from_this()](ErrorCode code, std::size_t) {
    if (code) return;
    self->body_.reset();
    self->give_back();
    if (self->keeps_alive_) return self->read();
    self->close();
  });
}

void Connection::begin_stream(const Request& request, Response response) {
  if (shared_.num_streams >= shared_.settings.most_streams ||
      shared_.streams_of[request.network] >= shared_.settings.most_streams_per_client)
    return refuse(later(503, "too many streams are open: ask again, or look without one", kStreamPause));
  give_back();
  if (!make_room_for(response)) return refuse(no_room_for_it());
  is_stream_ = true;
  ++shared_.num_streams;
  ++shared_.streams_of[network_];
  shared_.meters.streams(1);
  keeps_alive_ = false;
  set_headers(response);
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status, text_of(response_.reason()));
  for (const auto& field : response_)
    head += fmt::format("{}: {}\r\n", text_of(field.name_string()), text_of(field.value()));
  stream_.expires_never();
  watch_for_the_end();
  pulse();
  tell(head + "\r\n" + response.body, false);
  shared_.news.subscribe(shared_from_this(), *response.stream);
}

// A client of a stream says nothing more; when it goes, this ends.
void Connection::watch_for_the_end() {
  stream_.async_read_some(net::buffer(ignored_), [self = shared_from_this()](ErrorCode code, std::size_t) {
    if (code) return self->end();
    self->watch_for_the_end();
  });
}

// Keeps those who stand between from taking a quiet stream for a dead one.
void Connection::pulse() {
  pulse_.expires_after(kPulseInterval);
  pulse_.async_wait([self = std::weak_ptr(shared_from_this())](ErrorCode code) {
    const auto connection = self.lock();
    if (code || !connection) return;
    connection->tell(": still here\n\n", false);
    connection->pulse();
  });
}

void Connection::write_waiting() {
  if (is_writing_) return;
  if (waiting_.empty()) return ends_ ? end() : void();
  is_writing_ = true;
  writing_ = std::exchange(waiting_, {});
  write_timer_ = std::make_unique<net::steady_timer>(stream_.get_executor());
  write_timer_->expires_after(std::chrono::milliseconds(std::int64_t(1000 * shared_.settings.read_seconds)));
  write_timer_->async_wait([self = std::weak_ptr(shared_from_this())](ErrorCode code) {
    if (const auto connection = self.lock(); connection && !code) connection->end();
  });
  net::async_write(stream_, net::buffer(writing_), [self = shared_from_this()](ErrorCode code, std::size_t) {
    self->write_timer_->cancel();
    self->is_writing_ = false;
    self->give_back();  // with its first piece the answer is sent
    if (code) return self->end();
    self->write_waiting();
  });
}

void Connection::leave_streams() {
  is_stream_ = false;
  --shared_.num_streams;
  shared_.meters.streams(-1);
  if (--shared_.streams_of[network_] == 0) shared_.streams_of.erase(network_);
}

void Connection::end() {
  end_idling();
  pulse_.cancel();
  ErrorCode ignored;
  stream_.socket().shutdown(net::ip::tcp::socket::shutdown_both, ignored);
  stream_.close();
}

// A client that still sends what was refused is heard for a while: a reset would take the answer from it.
void Connection::close() {
  ErrorCode ignored;
  stream_.socket().shutdown(net::ip::tcp::socket::shutdown_send, ignored);
  stream_.expires_after(kLingering);
  ignore_the_rest();
}

void Connection::ignore_the_rest() {
  stream_.async_read_some(net::buffer(ignored_), [self = shared_from_this()](ErrorCode code, std::size_t) {
    if (!code) self->ignore_the_rest();
  });
}

}  // namespace mash::server
