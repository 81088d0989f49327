// SPDX-License-Identifier: Apache-2.0
// Bytes that come over a connection: a request as the listener reads it, with its address, cookies and form.
#include "framework/base/percent.hpp"
#include "tests/fuzz/request.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {
namespace {

// One line of text, such as may stand in a header.
bool is_one_line(std::string_view text) { return text.find_first_of("\r\n") == std::string_view::npos; }

void check_address(const server::Request& request) {
  for (const std::string& part : request.path) {
    MASH_PROMISE(!part.empty() && part != "." && part != "..");
    MASH_PROMISE(is_utf8(part) && is_one_line(part) && part.find('\0') == std::string::npos);
  }
  for (const auto& [key, value] : request.query)
    MASH_PROMISE(is_utf8(key) && is_utf8(value) && is_one_line(value));
  server::Request again;
  std::string target = "/";
  for (const std::string& part : request.path) target += percent_encoded(part) + "/";
  MASH_PROMISE(server::read_target(target, again) && again.path == request.path);
}

}  // namespace

bool take(std::string_view input) {
  const auto read = read_request(input);
  if (!read) return false;
  const server::Request& request = *read;
  check_address(request);
  for (const std::string& text :
       {request.host, request.origin, request.bearer, request.client, request.request_key})
    MASH_PROMISE(is_one_line(text));
  MASH_PROMISE(request.body.size() <= kMaxBody);
  if (const auto form = server::read_form(request.content_type, request.body)) {
    std::size_t num_bytes = 0;
    for (const auto& [name, value] : *form) {
      MASH_PROMISE(!name.empty() && is_utf8(name) && is_utf8(value));
      num_bytes += name.size() + value.size();
    }
    MASH_PROMISE(num_bytes <= 2 * request.body.size());
  }
  return true;
}

std::vector<std::string> seeds() {
  const std::string parts =
      "--xy\r\nContent-Disposition: form-data; name=\"licence\"\r\n\r\nMIT\r\n"
      "--xy\r\nContent-Disposition: form-data; name=\"file\"; filename=\"rows.cpp\"\r\n"
      "Content-Type: text/plain\r\n\r\nint a;\r\nint b;\r\n--xy--\r\n";
  const std::string fields = "name=ada&password=long+enough&to=%2Fme&text=%0D%0Aa";
  return {
      "GET / HTTP/1.1\r\nHost: mash.test\r\n\r\n",
      "GET /boards/digits?sort=gain&find=%C3%A4+b HTTP/1.1\r\nHost: mash.test\r\nCookie: mash_session=abc; "
      "x=1\r\nIf-None-Match: \"1-2\"\r\n\r\n",
      "GET /submissions/7/events?after=12 HTTP/1.1\r\nHost: mash.test\r\nLast-Event-ID: 12\r\n\r\n",
      "POST /api/v1/submissions HTTP/1.1\r\nHost: mash.test\r\nAuthorization: Bearer abc\r\nIdempotency-Key: "
      "k\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n2\r\n1}\r\n0\r\n\r\n",
      fmt::format("POST /login HTTP/1.1\r\nHost: mash.test\r\nOrigin: https://mash.test\r\nContent-Type: "
                  "application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{}",
                  fields.size(), fields),
      fmt::format("POST /submit HTTP/1.1\r\nHost: mash.test\r\nX-Real-IP: 192.0.2.1\r\nContent-Type: "
                  "multipart/form-data; boundary=xy\r\nContent-Length: {}\r\n\r\n{}",
                  parts.size(), parts)};
}

}  // namespace mash::fuzz
