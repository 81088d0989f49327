// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/base/result.hpp"

// A request and its answer, as the site sees them.
namespace mash::server {

// Decoded names and values: of a query, a form or cookies. A name that comes twice has its first value.
using Fields = std::map<std::string, std::string, std::less<>>;
// Empty where there is none.
std::string_view value_of(const Fields& fields, std::string_view name);

struct Request {
  std::string method;             // "GET"
  std::vector<std::string> path;  // decoded: {"submissions", "7"}; none: "/"
  std::string target;             // as it came: "/submissions/7?sort=gain"
  // Names and values in their order, also those that come more than once.
  std::vector<std::pair<std::string, std::string>> query;
  Fields cookies;
  std::string client;              // address of the visitor
  std::string network;             // by which clients are counted: network_of(client)
  std::string bearer;              // of the header Authorization
  std::string request_key;         // of Idempotency-Key
  std::string content_type;        // of Content-Type
  std::string host, origin;        // of Host and Origin
  std::string if_none_match;       // of If-None-Match
  std::int64_t last_event_id = 0;  // of Last-Event-ID
  std::string body;
  bool has_turn = false;  // its answer may do costly work: no other does at the same time

  // The first value in the query; empty where there is none.
  std::string_view value(std::string_view name) const;
};

// More is told to the client as it happens (server-sent events), after the body.
struct Subscription {
  std::int64_t topic = 0;     // pieces of news about this one
  std::int64_t after_id = 0;  // and after that one
};

struct Response {
  int status = 200;
  std::string content_type = "text/html; charset=utf-8";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::optional<Subscription> stream = {};
  std::string user = {};  // who asked, for the log
  // In place of an answer: it needs costly work, and waits for its turn.
  bool wants_turn = false;
  // In place of `body`: that of a page that is kept for many, of which none has a copy of its own.
  std::shared_ptr<const std::string> shared_body = {};

  const std::string& text() const { return shared_body ? *shared_body : body; }
};

// [any thread]
using Handler = std::function<Response(const Request&)>;

// Takes a target such as "/submissions/7?sort=gain" apart, with %41 and (in the query) + decoded. False where
// it is no such target: it does not begin with a slash, has a part "." or "..", an empty part in the middle,
// a % without two hexadecimal digits, a control character, or is no UTF-8.
bool read_target(std::string_view target, Request& request);

// The value of a header Cookie: "a=1; b=2".
Fields read_cookies(std::string_view header);

// The fields of a form as browsers send them: application/x-www-form-urlencoded, or multipart/form-data,
// whose files are fields with `NAME.file_name` beside them. Errors (kInput), in words for a page: the body is
// no such form, has more than 100 fields, or text that is no UTF-8.
Result<Fields> read_form(std::string_view content_type, std::string_view body);

}  // namespace mash::server
