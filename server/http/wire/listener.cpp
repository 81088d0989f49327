// SPDX-License-Identifier: Apache-2.0
#include "server/http/wire/listener.hpp"

#include <algorithm>
#include <boost/asio.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "server/http/wire/connection.hpp"
#include "server/http/wire/limits.hpp"
#include "server/http/wire/news_room.hpp"
#include "server/http/wire/turns.hpp"

namespace mash::server {
namespace {

namespace net = boost::asio;
using Tcp = net::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr auto kStopInterval = std::chrono::milliseconds(50);

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
    if (code) return;
    const auto known = shared_.connections_of.find(network_of(peer));
    const bool is_one_of_many = !shared_.settings.trusted_proxy && known != shared_.connections_of.end() &&
                                known->second >= shared_.settings.most_connections_per_client;
    if (is_one_of_many) return;
    const bool is_full = shared_.num_connections >= shared_.settings.most_connections;
    if (is_full && !shared_.close_an_idle_one()) return;
    socket.set_option(Tcp::no_delay(true), code);
    std::make_shared<Connection>(std::move(socket), peer, shared_)->read();
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
                          std::max(settings.most_bodies_bytes_per_client, settings.most_body_bytes)),
               BodyBudget(settings.most_answers_bytes, settings.most_answers_bytes_per_client),
               Turns(settings.most_connections, settings.most_waiting_per_client)});
    Listener listener(context, *shared, stop);
    opened = listener.open();
    if (opened.ok()) {
      on_ready(listener.port());
      listener.accept();
      listener.watch_for_the_stop();
      context.run();
    }
    answering.join();  // its answers go to the context, which ends with its connections
    working.join();
    shared->waiting = Turns();  // connections that wait end before the context
    shared->turns = Turns();
    news.reset();  // its timer is the context's
  }
  return opened;
}

}  // namespace mash::server
