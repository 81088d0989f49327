// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

namespace mash {

struct HttpRequest {
  enum class Method { kGet, kPost } method = Method::kGet;
  std::string url;
  std::vector<std::string> headers;  // "Accept: application/json"
  std::string body;                  // of a POST
  bool asks_directly = false;        // without any proxy that the environment names
};

struct HttpResponse {
  int status = 0;
  std::string content_type, body;
  std::string location;            // of Location; empty: none
  double retry_after_seconds = 0;  // of Retry-After; 0: none
};

// Why there is no answer.
struct HttpFailure {
  std::string message;
  bool may_pass = false;    // the same may work in a while
  bool is_stopped = false;  // the flag was raised
};

// The head of an answer, known when the first piece of its body comes.
struct HttpHead {
  int status = 0;
  std::optional<std::uint64_t> num_bytes = {};   // of this body
  std::optional<std::uint64_t> first_byte = {};  // that it begins with, where it is a part (206)
};
// Takes the next piece of a body; false ends the transfer.
using HttpTaker = std::function<bool(const HttpHead& head, std::string_view piece)>;

struct HttpLimits {
  double connect_seconds = 10, answer_seconds = 60;
  std::size_t body_bytes = std::size_t(64) << 20;  // of an answer
};

// Asks over HTTP/1.1 or 2, with or without TLS, whose certificates are checked. Connections are kept between
// requests. Redirects are followed for GET alone, at most three, and never from https to http. A machine's
// own addresses are asked without a proxy.
class HttpClient {
 public:
  // stop: ends a request that waits; outlives the client.
  HttpClient(const HttpLimits& limits, const StopFlag& stop);
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;
  ~HttpClient();

  std::variant<HttpResponse, HttpFailure> ask(const HttpRequest& request);
  // For bodies of any size, exactly as they are sent: each piece goes to `take`, the response has no body.
  // The time of answers is a limit for silence, not for the whole. REQUIRES: a GET.
  std::variant<HttpResponse, HttpFailure> fetch(const HttpRequest& request, const HttpTaker& take);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The address in its parts.
struct HttpAddress {
  std::string text;  // without slashes at its end
  bool is_encrypted = false, is_own_machine = false;
};
// Errors (kInput): not http://HOST or https://HOST, with a port and a path if need be and nothing else.
Result<HttpAddress> read_http_address(const std::string& text);

}  // namespace mash
