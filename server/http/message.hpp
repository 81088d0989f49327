// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A request and its answer, as the site sees them.
namespace mash::server {

struct Request {
  std::string method;                        // "GET"
  std::vector<std::string> path;             // decoded: {"submissions", "7"}; none: "/"
  std::map<std::string, std::string> query;  // decoded
  std::string bearer;                        // of the header Authorization
  std::string request_key;                   // of the header Idempotency-Key
  std::string body;

  // Empty where there is none.
  std::string_view value(const std::string& key) const {
    const auto found = query.find(key);
    return found == query.end() ? std::string_view() : std::string_view(found->second);
  }
};

struct Response {
  int status = 200;
  std::string content_type = "text/html; charset=utf-8";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// [any thread]
using Handler = std::function<Response(const Request&)>;

// Takes a target such as "/submissions/7?sort=gain" apart, with %41 and (in the query) + decoded. False where
// it is no such target: it does not begin with a slash, has a part "." or "..", an empty part in the middle,
// a % without two hexadecimal digits, a control character, or is no UTF-8.
bool read_target(std::string_view target, Request& request);

}  // namespace mash::server
