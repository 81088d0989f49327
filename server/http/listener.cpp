// SPDX-License-Identifier: Apache-2.0
#include "server/http/listener.hpp"

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace mash::server {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Tcp = net::ip::tcp;
using ErrorCode = beast::error_code;

constexpr std::uint32_t kMaxHeaderBytes = 16 << 10;
constexpr auto kStopInterval = std::chrono::milliseconds(50);

// What all connections share.
struct Shared {
  const ListenSettings& settings;
  const Handler& handler;
  net::thread_pool& answering;
  std::size_t num_connections = 0;  // [the thread that reads and writes]
};

Response plain(int status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::move(text) + "\n"};
}

// One connection: a request is read, answered, and the next one read, until the client or the time ends it.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Tcp::socket socket, Shared& shared) : stream_(std::move(socket)), shared_(shared) {
    ++shared_.num_connections;
  }
  ~Session() { --shared_.num_connections; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(kMaxHeaderBytes);
    parser_->body_limit(shared_.settings.most_body_bytes);
    expire();
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](ErrorCode code, std::size_t) { self->on_read(code); });
  }

 private:
  void expire() {
    stream_.expires_after(std::chrono::milliseconds(std::int64_t(1000 * shared_.settings.read_seconds)));
  }

  void on_read(ErrorCode code) {
    if (code == http::error::end_of_stream) return close();
    if (code == http::error::body_limit) return refuse(plain(413, "the body is too large"));
    if (code == http::error::header_limit) return refuse(plain(431, "the header is too large"));
    if (code.category() == http::make_error_code(http::error::bad_method).category())
      return refuse(plain(400, "this is no HTTP request"));
    if (code) return;  // the client has gone, or was too slow
    const auto& message = parser_->get();
    // Whoever stands between us and a client may read such a request in another way.
    if (message.count(http::field::transfer_encoding) > 0 && message.count(http::field::content_length) > 0)
      return refuse(plain(400, "found Transfer-Encoding beside Content-Length"));
    answer();
  }

  void answer() {
    auto request = std::make_shared<Request>();
    auto& message = parser_->get();
    request->method = std::string(message.method_string());
    const auto target = message.target();
    if (!read_target({target.data(), target.size()}, *request)) return refuse(plain(400, "no such address"));
    constexpr std::string_view kBearer = "Bearer ";
    const auto authorization = message[http::field::authorization];
    if (authorization.starts_with(kBearer.data()))
      request->bearer = std::string(authorization.substr(kBearer.size()));
    request->request_key = std::string(message["Idempotency-Key"]);
    request->body = std::move(message.body());
    is_head_ = message.method() == http::verb::head;
    if (is_head_) request->method = "GET";
    keeps_alive_ = message.keep_alive();
    version_ = message.version();
    stream_.expires_never();  // our own time is not the client's
    net::post(shared_.answering, [self = shared_from_this(), request] {
      Response response;
      try {
        response = self->shared_.handler(*request);
      } catch (const std::exception&) {
        response = plain(500, "the server made a mistake");
      }
      net::post(self->stream_.get_executor(),
                [self, response = std::move(response)]() mutable { self->write(std::move(response)); });
    });
  }

  void refuse(Response response) {
    keeps_alive_ = false;
    write(std::move(response));
  }

  void write(Response response) {
    response_ = {};
    response_.version(version_);
    response_.result(unsigned(response.status));
    response_.set(http::field::content_type, response.content_type);
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "same-origin");
    response_.set("Content-Security-Policy",
                  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; "
                  "base-uri 'none'; frame-ancestors 'none'");
    for (const auto& [name, value] : response.headers) response_.set(name, value);
    response_.keep_alive(keeps_alive_);
    response_.body() = std::move(response.body);
    response_.prepare_payload();
    if (is_head_) response_.body().clear();
    expire();
    http::async_write(stream_, response_, [self = shared_from_this()](ErrorCode code, std::size_t) {
      if (code) return;
      if (self->keeps_alive_) return self->read();
      self->close();
    });
  }

  void close() {
    ErrorCode ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
  }

  beast::tcp_stream stream_;
  Shared& shared_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  bool keeps_alive_ = false, is_head_ = false;
  unsigned version_ = 11;
};

class Listener {
 public:
  Listener(net::io_context& context, Shared& shared, const StopFlag& stop)
      : context_(context), acceptor_(context), timer_(context), shared_(shared), stop_(stop) {}

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
      if (!code && shared_.num_connections < shared_.settings.most_connections) {
        socket.set_option(Tcp::no_delay(true), code);
        std::make_shared<Session>(std::move(socket), shared_)->read();
      }
      accept();
    });
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
  net::steady_timer timer_;
  Shared& shared_;
  const StopFlag& stop_;
};

}  // namespace

Status listen(const ListenSettings& settings, const Handler& handler,
              const std::function<void(std::uint16_t port)>& on_ready, const StopFlag& stop) {
  net::thread_pool answering(std::size_t(settings.num_threads));
  Shared shared{settings, handler, answering};
  {
    net::io_context context(1);
    Listener listener(context, shared, stop);
    MASH_TRY(listener.open());
    on_ready(listener.port());
    listener.accept();
    listener.watch_for_the_stop();
    context.run();
    answering.join();  // its answers go to the context, which ends with its sessions
  }
  return Done{};
}

}  // namespace mash::server
