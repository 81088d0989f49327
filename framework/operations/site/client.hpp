// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "framework/base/bounded_json.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/net/http_client.hpp"

namespace mash {

// Bounds of an answer, which may come from any server.
inline constexpr JsonBounds kBoundsOfAnAnswer{std::size_t(64) << 20, 32, 4'000'000};

// A server, and the user who asks it.
struct ServerAccess {
  std::string url;              // "https://mash.example.org"; may end with a path below which the server is
  std::string token = {};       // empty: nobody
  std::string token_from = {};  // as errors name it: "$MASH_TOKEN"
};

// The time for which temporary failures are tried again, with growing waits.
struct ServerPatience {
  HttpLimits limits = {};
  double retry_seconds = 5;         // connections that fail, a server that is busy (502, 503, 504)
  double retry_after_seconds = 60;  // where the server says when to come back, or that requests were too many
};

struct SourceToSubmit {
  std::string file_name, source, licence;
  std::string board = {};  // empty: the first
  bool is_private = false;
  Settings settings = {};  // of the heuristic, in place of its defaults
};

struct LeaderboardQuery {
  std::string board = {};        // empty: the first
  std::string by = "heuristic";  // or contributor
  bool together = false;         // sets of ranks that hold all ranks at once
};

// Asks a server's API (version 1). A submission has a key, so that a second attempt counts as the same
// request. Answers are the server's documents, which are objects; only the keys named here are checked.
//
// Errors: kInput: there is no such server at the address, or the server refuses the request or the token,
// takes it only after a longer time (attempts of a day, quotas), or does not know the thing that is asked
// for. kFailure: there is no connection, the certificate is not valid, the server is too busy or cannot do it
// now, or its answer is broken. kStopped: the flag was raised.
class ServerClient {
 public:
  using Document = nlohmann::ordered_json;

  // work: its stop flag and remarks. Errors (kInput): the address is not valid, or the token has characters
  // that no token has.
  static Result<ServerClient> open(ServerAccess access, const ServerPatience& patience,
                                   const WorkContext& work);

  // {"id": number, "page", "state"}
  Result<Document> submit(const SourceToSubmit& source);
  // {"state": text, "is_final": bool, "events": [{"id": number, "state", "text", "at"}], ...}; events: those
  // after after_event.
  Result<Document> status(std::int64_t id, std::int64_t after_event = 0);
  // {"submissions": list}, newest first; in_work_only: those that have not ended.
  Result<Document> submissions(const std::string& user, bool in_work_only);
  // {"columns": [{"key": text, "title": text}], "rows": [object]}
  Result<Document> leaderboard(const LeaderboardQuery& query);
  // {"user": text, ...}
  Result<Document> me();

  // Sets the retry time, for a wait that a restart of the server should not end.
  void set_retry_seconds(double seconds) { patience_.retry_seconds = seconds; }
  // The "page" of a document, as an address.
  std::string address_of(std::string_view page) const;
  const std::string& url() const { return access_.url; }

 private:
  ServerClient(ServerAccess access, const ServerPatience& patience, const WorkContext& work);

  // missing: the name, for the error, of the thing that the server does not find; empty: the server's own
  // words.
  Result<Document> get(const std::string& path, const std::string& missing = "");
  Result<Document> ask(HttpRequest request, const std::string& missing);
  // The first answer that is not a temporary failure.
  Result<HttpResponse> last_answer(const HttpRequest& request);
  Error refusal(const HttpResponse& response, const std::string& missing) const;

  ServerAccess access_;
  ServerPatience patience_;
  bool asks_directly_ = false;
  const WorkContext* work_;
  HttpClient http_;
};

// Asks for the state every second or two until the submission has ended, or for most_seconds, and returns its
// whole document. on_look: called with every answer, which holds only new events. Errors: those of
// ServerClient::status. The submission goes on in any case.
Result<ServerClient::Document> wait_for_end(
    ServerClient& client, std::int64_t id, double most_seconds, const WorkContext& work,
    const std::function<void(const ServerClient::Document&)>& on_look);

}  // namespace mash
