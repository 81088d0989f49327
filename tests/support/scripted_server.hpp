// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mash::testing {

// "HTTP/1.1 200 x" and so on. headers: whole lines, "Retry-After: 1\r\n".
inline std::string http_answer(int status, const std::string& body, const std::string& headers = "",
                               const std::string& type = "application/json") {
  return "HTTP/1.1 " + std::to_string(status) + " x\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n" + headers +
         "\r\n" + body;
}
inline const std::string kCutOff = "HTTP/1.1 200 x\r\nContent-Length: 100\r\n\r\n{\"id\"";
inline const std::string kSilence;

// A server of HTTP that gives the answers it was told, one a connection, to any request. They go out byte by
// byte as they are; after kSilence the connection stays open.
class ScriptedServer {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;

  explicit ScriptedServer(std::vector<std::string> answers)
      : answers_(std::move(answers)), acceptor_(context_, {boost::asio::ip::address_v4::loopback(), 0}) {
    port_ = acceptor_.local_endpoint().port();
    thread_ = std::thread([this] { serve(); });
  }
  ~ScriptedServer() {
    is_over_ = true;
    boost::system::error_code code;
    boost::asio::io_context context;
    boost::asio::ip::tcp::socket(context).connect({boost::asio::ip::address_v4::loopback(), port_}, code);
    thread_.join();
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // Those that came so far.
  std::vector<Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void serve() {
    std::vector<boost::asio::ip::tcp::socket> silent;
    for (std::size_t next = 0;;) {
      boost::asio::ip::tcp::socket socket = acceptor_.accept();
      if (is_over_) return;
      boost::beast::flat_buffer buffer;
      Request request;
      boost::system::error_code code;
      boost::beast::http::read(socket, buffer, request, code);
      if (code) continue;
      const std::lock_guard lock(mutex_);
      requests_.push_back(std::move(request));
      const std::string answer = next < answers_.size() ? answers_[next++] : http_answer(500, "{}");
      boost::asio::write(socket, boost::asio::buffer(answer), code);
      if (answer == kSilence) silent.push_back(std::move(socket));
    }
  }

  std::vector<std::string> answers_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

}  // namespace mash::testing
