// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/listener.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "server/http/wire/limits.hpp"
#include "server/http/wire/news_room.hpp"
#include "server/http/wire/turns.hpp"
#include "server/http/wire/wire.hpp"

namespace mash::server {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Tcp = net::ip::tcp;
using ErrorCode = beast::error_code;

constexpr auto kStopInterval = std::chrono::milliseconds(50);
constexpr auto kLingering = std::chrono::seconds(2);
constexpr auto kPulseInterval = std::chrono::seconds(15);
constexpr double kBodyPause = 5, kTurnPause = 2, kStreamPause = 30;  // seconds after which to ask again
constexpr std::size_t kMostWaitingBytes = 256 << 10;  // of a stream whose client does not take them

constexpr const char* kPolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

// State that all connections share. [the thread that reads and writes]
struct Shared {
  const ListenSettings& settings;
  const Service& service;
  Meters& meters;
  net::thread_pool &answering, &working;  // the latter: one thread, for what is done in turn
  NewsRoom& news;
  RateLimit requests, posts, logins;
  BodyBudget bodies;
  Turns turns = Turns();
  bool is_turn_taken = false;
  std::size_t num_connections = 0, num_streams = 0;
  std::unordered_map<std::string, std::size_t> streams_of = {}, connections_of = {};  // by network

  void take_turn() {
    if (is_turn_taken) return;
    const auto work = turns.next();
    is_turn_taken = work.has_value();
    if (work) (*work)(Turn::kTaken);
  }
};

Response plain(int status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::move(text) + "\n"};
}
// With the seconds after which to ask again.
Response later(int status, std::string text, double seconds) {
  Response response = plain(status, std::move(text));
  response.headers.emplace_back("Retry-After", fmt::format("{}", std::ceil(seconds)));
  return response;
}

// One connection: a request is read, answered, and the next one read, until the client or the time ends it.
class Session : public Hearer, public std::enable_shared_from_this<Session> {
 public:
  Session(Tcp::socket socket, std::string client, Shared& shared)
      : stream_(std::move(socket)),
        pulse_(stream_.get_executor()),
        peer_(std::move(client)),
        peer_network_(network_of(peer_)),
        shared_(shared) {
    ++shared_.num_connections;
    ++shared_.connections_of[peer_network_];
    shared_.meters.connections(1);
  }
  ~Session() override {
    --shared_.num_connections;
    if (--shared_.connections_of[peer_network_] == 0) shared_.connections_of.erase(peer_network_);
    shared_.meters.connections(-1);
    give_back_body();
    if (is_stream_) leave_streams();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void read() {
    give_back_body();
    parser_.emplace();
    parser_->header_limit(kMaxHeaderBytes);
    parser_->body_limit(shared_.settings.most_body_bytes);
    expire();
    http::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](ErrorCode code, std::size_t) { self->on_header(code); });
  }

  // Sends it to a stream; a client that does not take what waits for it is left.
  void tell(const std::string& text, bool is_last) override {
    if (!waiting_.empty() && waiting_.size() + text.size() > kMostWaitingBytes) return end();
    waiting_ += text;
    ends_ = ends_ || is_last;
    write_waiting();
  }

 private:
  void expire() {
    stream_.expires_after(std::chrono::milliseconds(std::int64_t(1000 * shared_.settings.read_seconds)));
  }

  void on_header(ErrorCode code) {
    if (code) return on_trouble(code);
    const auto& message = parser_->get();
    version_ = message.version();
    keeps_alive_ = message.keep_alive();
    auto request = std::make_shared<Request>();
    if (const auto why = take_header(message, peer_, shared_.settings.trusted_proxy, *request))
      return refuse(plain(400, *why));
    is_head_ = request->method == "HEAD";
    if (is_head_) request->method = "GET";
    if (!make_room_for_body(request->network))
      return refuse(later(503, "too much is sent at once: try again", kBodyPause));
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this(), request](ErrorCode code, std::size_t) {
                       if (code) return self->on_trouble(code);
                       request->body = std::move(self->parser_->get().body());
                       self->answer(request);
                     });
  }

  // The length of a body in chunks is known at its end only: it counts as the largest.
  bool make_room_for_body(const std::string& network) {
    const std::size_t num_bytes = parser_->chunked() ? shared_.settings.most_body_bytes
                                                     : std::size_t(parser_->content_length().value_or(0));
    const auto taken = shared_.bodies.take(network, num_bytes);
    body_of_ = network;
    body_bytes_ = taken.value_or(0);
    return taken.has_value();
  }
  void give_back_body() { shared_.bodies.give_back(body_of_, std::exchange(body_bytes_, 0)); }

  void on_trouble(ErrorCode code) {
    if (code == http::error::end_of_stream) return close();
    if (code == http::error::body_limit)
      return refuse(
          plain(413, fmt::format("the body is larger than {} bytes", shared_.settings.most_body_bytes)));
    if (code == http::error::header_limit) return refuse(plain(431, "the header is too large"));
    if (code.category() == http::make_error_code(http::error::bad_method).category())
      return refuse(plain(400, "this is no HTTP request"));
    // Else the client has gone, or was too slow.
  }

  void answer(const std::shared_ptr<Request>& request) {
    if (const double wait = must_wait(*request); wait > 0)
      return put_off(*request, later(429, "too many requests: wait a little", wait));
    stream_.expires_never();  // our own time is not the client's
    answer_on(shared_.answering, request);
  }

  void answer_on(net::thread_pool& threads, const std::shared_ptr<Request>& request) {
    // The last hand on a session is always that of the thread that reads and writes.
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

  void on_answer(const std::shared_ptr<Request>& request, Response response) {
    if (request->has_turn) {
      shared_.is_turn_taken = false;
      shared_.take_turn();
    }
    if (response.wants_turn) return ask_for_turn(request);
    if (response.stream && !is_head_) return begin_stream(*request, std::move(response));
    write(std::move(response));
  }

  void ask_for_turn(const std::shared_ptr<Request>& request) {
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

  // Answers that somebody may ask again later.
  void put_off(const Request& request, Response response) {
    shared_.meters.count_refusal();
    shared_.service.on_answered({request, response.status, response.body.size(), 0, response.user});
    write(std::move(response));
  }

  double must_wait(const Request& request) {
    const auto now = RateLimit::Clock::now();
    const double wait = shared_.requests.take(request.network, now);
    if (wait > 0 || request.method != "POST") return wait;
    return shared_.posts.take(request.network, now);
  }

  void refuse(Response response) {
    shared_.meters.count_refusal();
    keeps_alive_ = false;
    write(std::move(response));
  }

  void set_headers(const Response& response) {
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

  void write(Response response) {
    parser_.reset();
    give_back_body();
    set_headers(response);
    body_ = response.shared_body ? std::move(response.shared_body)
                                 : std::make_shared<const std::string>(std::move(response.body));
    response_.body() = {body_->data(), body_->size()};
    response_.prepare_payload();
    if (is_head_) response_.body() = {};
    expire();
    http::async_write(stream_, response_, [self = shared_from_this()](ErrorCode code, std::size_t) {
      if (code) return;
      self->body_.reset();
      if (self->keeps_alive_) return self->read();
      self->close();
    });
  }

  void begin_stream(const Request& request, Response response) {
    if (shared_.num_streams >= shared_.settings.most_streams ||
        shared_.streams_of[request.network] >= shared_.settings.most_streams_per_client)
      return refuse(later(503, "too many streams are open: ask again, or look without one", kStreamPause));
    give_back_body();
    is_stream_ = true;
    network_ = request.network;
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
  void watch_for_the_end() {
    stream_.async_read_some(net::buffer(ignored_), [self = shared_from_this()](ErrorCode code, std::size_t) {
      if (code) return self->end();
      self->watch_for_the_end();
    });
  }

  // Keeps those who stand between from taking a quiet stream for a dead one.
  void pulse() {
    pulse_.expires_after(kPulseInterval);
    pulse_.async_wait([self = std::weak_ptr(shared_from_this())](ErrorCode code) {
      const auto session = self.lock();
      if (code || !session) return;
      session->tell(": still here\n\n", false);
      session->pulse();
    });
  }

  void write_waiting() {
    if (is_writing_) return;
    if (waiting_.empty()) return ends_ ? end() : void();
    is_writing_ = true;
    writing_ = std::exchange(waiting_, {});
    write_timer_ = std::make_unique<net::steady_timer>(stream_.get_executor());
    write_timer_->expires_after(
        std::chrono::milliseconds(std::int64_t(1000 * shared_.settings.read_seconds)));
    write_timer_->async_wait([self = std::weak_ptr(shared_from_this())](ErrorCode code) {
      if (const auto session = self.lock(); session && !code) session->end();
    });
    net::async_write(stream_, net::buffer(writing_),
                     [self = shared_from_this()](ErrorCode code, std::size_t) {
                       self->write_timer_->cancel();
                       self->is_writing_ = false;
                       if (code) return self->end();
                       self->write_waiting();
                     });
  }

  void leave_streams() {
    is_stream_ = false;
    --shared_.num_streams;
    shared_.meters.streams(-1);
    if (--shared_.streams_of[network_] == 0) shared_.streams_of.erase(network_);
  }

  void end() {
    pulse_.cancel();
    ErrorCode ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_both, ignored);
    stream_.close();
  }

  // A client that still sends what was refused is heard for a while: a reset would take the answer from it.
  void close() {
    ErrorCode ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    stream_.expires_after(kLingering);
    ignore_the_rest();
  }
  void ignore_the_rest() {
    stream_.async_read_some(net::buffer(ignored_), [self = shared_from_this()](ErrorCode code, std::size_t) {
      if (!code) self->ignore_the_rest();
    });
  }

  beast::tcp_stream stream_;
  net::steady_timer pulse_;
  std::string peer_, peer_network_;
  Shared& shared_;
  std::string body_of_;  // who has `body_bytes_` of the budget
  std::size_t body_bytes_ = 0;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::shared_ptr<const std::string> body_;  // that `response_` shows
  http::response<http::span_body<const char>> response_;
  bool keeps_alive_ = false, is_head_ = false;
  unsigned version_ = 11;
  std::array<char, 512> ignored_{};
  // For a stream:
  std::string network_, waiting_, writing_;
  std::unique_ptr<net::steady_timer> write_timer_;
  bool is_stream_ = false, is_writing_ = false, ends_ = false;
};

class Listener {
 public:
  Listener(net::io_context& context, Shared& shared, const StopFlag& stop)
      : context_(context),
        acceptor_(context),
        timer_(context),
        pause_(context),
        shared_(shared),
        stop_(stop) {}

  Status open() {
    ErrorCode code;
    const auto address = net::ip::make_address(shared_.settings.address, code);
    if (code)
      return input_error("address {}: expected an IP address, such as 127.0.0.1", shared_.settings.address);
    const Tcp::endpoint place(address, shared_.settings.port);
    acceptor_.open(place.protocol(), code);
    if (!code) acceptor_.set_option(net::socket_base::reuse_address(true), code);
    if (!code) acceptor_.bind(place, code);
    if (!code) acceptor_.listen(net::socket_base::max_listen_connections, code);
    if (code)
      return input_error("address {}, port {}: cannot be listened on: {}", shared_.settings.address,
                         shared_.settings.port, code.message());
    return Done{};
  }
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void accept() {
    acceptor_.async_accept([this](ErrorCode code, Tcp::socket socket) {
      if (stop_.raised()) return;
      if (!code) begin(std::move(socket));
      if (code) return accept_later();  // no file is left for another connection
      accept();
    });
  }
  void begin(Tcp::socket socket) {
    ErrorCode code;
    const std::string peer = socket.remote_endpoint(code).address().to_string();
    if (code || shared_.num_connections >= shared_.settings.most_connections) return;
    const auto known = shared_.connections_of.find(network_of(peer));
    const bool is_one_of_many = !shared_.settings.trusted_proxy && known != shared_.connections_of.end() &&
                                known->second >= shared_.settings.most_connections_per_client;
    if (is_one_of_many) return;
    socket.set_option(Tcp::no_delay(true), code);
    std::make_shared<Session>(std::move(socket), peer, shared_)->read();
  }
  void accept_later() {
    pause_.expires_after(kStopInterval);
    pause_.async_wait([this](ErrorCode) { accept(); });
  }
  void watch_for_the_stop() {
    timer_.expires_after(kStopInterval);
    timer_.async_wait([this](ErrorCode) {
      if (stop_.raised()) return context_.stop();
      watch_for_the_stop();
    });
  }

 private:
  net::io_context& context_;
  Tcp::acceptor acceptor_;
  net::steady_timer timer_, pause_;
  Shared& shared_;
  const StopFlag& stop_;
};

}  // namespace

Status listen(const ListenSettings& settings, const Service& service, Meters& meters,
              const std::function<void(std::uint16_t port)>& on_ready, const StopFlag& stop) {
  net::thread_pool answering{std::size_t(settings.num_threads)}, working{1};
  std::optional<NewsRoom> news;
  std::optional<Shared> shared;
  Status opened = Done{};
  {
    net::io_context context(1);
    news.emplace(context, answering, service);
    shared.emplace(
        Shared{settings, service, meters, answering, working, *news,
               RateLimit(settings.requests_per_second, 2 * settings.requests_per_second),
               RateLimit(settings.posts_per_minute / 60, settings.posts_per_minute),
               RateLimit(settings.logins_per_minute / 60, settings.logins_per_minute),
               BodyBudget(std::max(settings.most_bodies_bytes, settings.most_body_bytes),
                          std::max(settings.most_bodies_bytes_per_client, settings.most_body_bytes))});
    Listener listener(context, *shared, stop);
    opened = listener.open();
    if (opened.ok()) {
      on_ready(listener.port());
      listener.accept();
      listener.watch_for_the_stop();
      context.run();
    }
    answering.join();  // its answers go to the context, which ends with its sessions
    working.join();
    shared->turns = Turns();  // sessions that wait end before the context
    news.reset();             // its timer is the context's
  }
  return opened;
}

}  // namespace mash::server
