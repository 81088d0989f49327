// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "framework/base/store_room.hpp"
#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/submissions.hpp"
#include "server/http/frame/board_cache.hpp"
#include "server/http/frame/page_cache.hpp"
#include "server/http/wire/message.hpp"
#include "server/http/wire/meters.hpp"

namespace mash::server {

using Json = nlohmann::ordered_json;

enum class Registration { kClosed, kInvitation, kOpen };

struct SiteSettings {
  std::string public_url;  // "https://mash.example.org", for links that leave the site; empty: made of Host
  Registration registration = Registration::kInvitation;
  bool secure_cookies = false;  // sent over TLS only
  double quota_seconds = 3600;  // of runners' time for each contributor
  int quota_days = 1;           // in that number of days
  int most_waiting = 10;        // submissions of one contributor that are not final
  std::uint64_t most_source_bytes = kUsualSourceBytes;
  std::filesystem::path store = {};          // of the runners; empty: "store" beside the database
  std::uint64_t free_disk = kUsualFreeDisk;  // bytes of its disk below which no submission is taken
};

// Whether it asks for the API, which knows no cookies.
bool is_api(const Request& request);

// Parts that all answers of a site share. [any thread]
struct SiteParts {
  SiteSettings settings;
  std::string database;  // its file, which errors name
  BoardCache boards;
  PageCache pages;
  Meters* meters = nullptr;
};

// One request, with the records and who asks.
struct Visit {
  Records& records;
  const Request& request;
  SiteParts& site;
  std::optional<TokenHolder> who = {};       // by a token, or by the cookie of a session
  std::optional<std::string> disabled = {};  // whose token it is, where an operator disabled the account
  std::string form_token = {};               // what forms of this session carry; empty: no session
  Fields form = {};                          // of a POST from a page

  bool is_operator() const {
    return who && who->token.scope == Scope::kOperate && who->user.role == kOperatorRole;
  }
  // Whether the user is this one.
  bool is_user(std::int64_t user_id) const { return who && who->user.id == user_id; }
};

// The parts of an address that a pattern leaves open: of "/submissions/{}/report" one.
using Parts = std::vector<std::string>;

Response html(std::string page, int status = 200);
// A page that a runner made, which has its style inside and needs nothing else.
Response whole_page(std::string page);
Response json(const Json& document, int status = 200);
Response see_other(std::string address);  // after a form: 303
Response moved(std::string address);      // for good: 308
// An error as a page or (below /api) as {"error"}.
Response trouble(const Visit& visit, int status, std::string_view heading, std::string_view text);
Response not_found(const Visit& visit);
// Whether an error lies in what was asked; else it is the server's, and its text is nobody's business.
bool is_of_the_request(const Visit& visit, const Error& error);
// 422 or 503, by that.
Response failed(const Visit& visit, const Error& error);

// The visitor, where they may do this; else the answer that says why not: 401 or a way to log in, and 403.
std::variant<TokenHolder, Response> holder(const Visit& visit, Scope needed);

// "https://mash.example.org", without a slash at its end.
std::string site_url(const Visit& visit);

}  // namespace mash::server
