// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/site/client.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "framework/base/bounded_json.hpp"
#include "framework/base/percent.hpp"
#include "framework/base/secrets.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

using Document = ServerClient::Document;

constexpr std::string_view kApi = "/api/v1/";
constexpr double kFirstWaitSeconds = 0.25, kLongestWaitSeconds = 10;
constexpr double kFirstLookSeconds = 1, kLastLookSeconds = 2;
constexpr double kMostToldSeconds = 3600;  // later ones are moments, which the server's words have
constexpr double kRestartSeconds = 120;    // a server may take as long to be there again

// The server's words on an error.
std::string said(const HttpResponse& response) {
  const Document document = parse_object<Document>(response.body, kBoundsOfAnAnswer);
  if (document.contains("error") && document["error"].is_string())
    return printable(document["error"].get_ref<const std::string&>());
  return fmt::format("status {}", response.status);
}

// A sentence of the server that goes on with something of ours, or with nothing.
std::string with_more(std::string text, std::string_view more) {
  if (!more.empty() && text.ends_with('.')) text.pop_back();
  return text.append(more);
}

// Something between may answer in the server's place.
bool speaks_json(const HttpResponse& response) {
  return response.content_type.starts_with("application/json");
}

bool may_pass(const HttpResponse& response) {
  return response.status == 429 || (response.status >= 502 && response.status <= 504);
}

Status pause(double seconds, const StopFlag& stop) {
  constexpr auto kStep = std::chrono::milliseconds(50);
  for (const Stopwatch watch; watch.seconds() < seconds; std::this_thread::sleep_for(kStep))
    if (stop.raised()) return Error{ErrorKind::kStopped, "stopped"};
  return Done{};
}

// The kind that a document is to have at a key.
struct Expected {
  const char* key;
  bool (Document::*is_it)() const noexcept;
  const char* kind;
};
Result<Document> with_keys(Result<Document> answer, const std::string& url,
                           std::initializer_list<Expected> keys) {
  if (!answer.ok()) return answer;
  for (const Expected& expected : keys)
    if (!answer->contains(expected.key) || !((*answer)[expected.key].*expected.is_it)())
      return failure("{}: the answer has no {} '{}'; is the server of another version?", url, expected.kind,
                     expected.key);
  return answer;
}

constexpr auto kIsNumber = &Document::is_number_integer;
constexpr auto kIsText = &Document::is_string;
constexpr auto kIsList = &Document::is_array;
constexpr auto kIsFlag = &Document::is_boolean;

}  // namespace

ServerClient::ServerClient(ServerAccess access, const ServerPatience& patience, const WorkContext& work)
    : access_(std::move(access)), patience_(patience), work_(&work), http_(patience.limits, work.stop) {}

Result<ServerClient> ServerClient::open(ServerAccess access, const ServerPatience& patience,
                                        const WorkContext& work) {
  MASH_ASSIGN(const HttpAddress address, read_http_address(access.url));
  const bool is_token =
      std::all_of(access.token.begin(), access.token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!is_token)
    return input_error("{}: found blanks or other characters that no token has", access.token_from);
  if (!access.token.empty() && !address.is_encrypted && !address.is_own_machine)
    work.remarks.warn(fmt::format("{}: the token is sent without encryption; expected https", address.text));
  access.url = address.text;
  ServerClient client(std::move(access), patience, work);
  client.asks_directly_ = address.is_own_machine;
  return client;
}

Result<Document> ServerClient::submit(const SourceToSubmit& source) {
  Document document{{"file_name", source.file_name},
                    {"source", source.source},
                    {"licence", source.licence},
                    {"private", source.is_private}};
  if (!source.board.empty()) document["board"] = source.board;
  for (const Settings::Entry& entry : source.settings.entries())
    document["settings"][entry.key] = entry.value;
  HttpRequest request;
  request.method = HttpRequest::Method::kPost;
  request.url = access_.url + std::string(kApi) + "submissions";
  request.headers = {"Content-Type: application/json", "Idempotency-Key: " + make_secret(), "Expect:"};
  request.body = document.dump(-1, ' ', false, Document::error_handler_t::replace);
  return with_keys(ask(std::move(request), ""), access_.url, {{"id", kIsNumber, "number"}});
}

Result<Document> ServerClient::status(std::int64_t id, std::int64_t after_event) {
  auto answer = with_keys(
      get(fmt::format("submissions/{}?after={}", id, after_event),
          fmt::format("submission {} that {} may see", id,
                      access_.token.empty() ? "those without a token" : "you")),
      access_.url, {{"state", kIsText, "text"}, {"is_final", kIsFlag, "flag"}, {"events", kIsList, "list"}});
  if (!answer.ok()) return answer;
  for (const Document& event : (*answer)["events"])
    if (!event.is_object() || !event.contains("id") || !event["id"].is_number_integer())
      return failure("{}: an event has no number 'id'; is the server of another version?", access_.url);
  return answer;
}

Result<Document> ServerClient::submissions(const std::string& user, bool in_work_only) {
  return with_keys(
      get(fmt::format("submissions?user={}&state={}", percent_encoded(user), in_work_only ? "work" : "all")),
      access_.url, {{"submissions", kIsList, "list"}});
}

Result<Document> ServerClient::leaderboard(const LeaderboardQuery& query) {
  return with_keys(get(fmt::format("leaderboard?board={}&by={}{}", percent_encoded(query.board),
                                   percent_encoded(query.by), query.together ? "&ranks=together" : "")),
                   access_.url, {{"columns", kIsList, "list"}, {"rows", kIsList, "list"}});
}

Result<Document> ServerClient::me() { return with_keys(get("me"), access_.url, {{"user", kIsText, "text"}}); }

std::string ServerClient::address_of(std::string_view page) const {
  return page.starts_with('/') ? access_.url + std::string(page) : std::string(page);
}

Result<Document> ServerClient::get(const std::string& path, const std::string& missing) {
  HttpRequest request;
  request.url = access_.url + std::string(kApi) + path;
  return ask(std::move(request), missing);
}

Result<Document> ServerClient::ask(HttpRequest request, const std::string& missing) {
  request.headers.push_back("Accept: application/json");
  if (!access_.token.empty()) request.headers.push_back("Authorization: Bearer " + access_.token);
  request.asks_directly = asks_directly_;
  MASH_ASSIGN(const HttpResponse response, last_answer(request));
  if (response.status < 200 || response.status >= 300) return refusal(response, missing);
  auto document = parse_json<Document>(response.body, kBoundsOfAnAnswer);
  if (document.ok() && document->is_object()) return *std::move(document);
  if (!speaks_json(response))
    return input_error("{}: found {}, expected the documents of a MASH server; is the address right?",
                       access_.url, response.content_type.empty() ? "no document" : response.content_type);
  return failure("{}: the answer is no JSON object: {}", access_.url, printable(response.body, 80));
}

Result<HttpResponse> ServerClient::last_answer(const HttpRequest& request) {
  const Stopwatch watch;
  for (double grown = kFirstWaitSeconds;; grown = std::min(2 * grown, kLongestWaitSeconds)) {
    auto outcome = http_.ask(request);
    auto* response = std::get_if<HttpResponse>(&outcome);
    const auto* failed = std::get_if<HttpFailure>(&outcome);
    if (failed && failed->is_stopped) return Error{ErrorKind::kStopped, "stopped"};
    const bool passes = failed ? failed->may_pass : may_pass(*response);
    const double asked_for = response ? response->retry_after_seconds : 0;
    const double wait = std::max(grown, asked_for);
    const bool is_told_when = asked_for > 0 || (response && response->status == 429);
    const double most = is_told_when ? std::max(patience_.retry_after_seconds, patience_.retry_seconds)
                                     : patience_.retry_seconds;
    if (!passes || watch.seconds() + wait > most) {
      if (failed) return failure("{}: {}", access_.url, failed->message);
      return std::move(*response);
    }
    const std::string what = failed ? failed->message : said(*response);
    work_->remarks.tell(fmt::format("{}: {}; trying again in {:.2g} s", access_.url, what, wait));
    MASH_TRY(pause(wait, work_->stop));
  }
}

Error ServerClient::refusal(const HttpResponse& response, const std::string& missing) const {
  const std::string& url = access_.url;
  const int status = response.status;
  if (status >= 300 && status < 400)
    return input_error("{}: the server is at another address: {}", url, response.location);
  if (!speaks_json(response) && (status == 404 || status == 405))
    return input_error("{}: there is no MASH server at this address (status {})", url, status);
  if (status == 404 && !missing.empty()) return input_error("{}: there is no {}", url, missing);
  const std::string text = said(response);
  // The server's words may name the page.
  const bool names_page = text.find("/me)") != std::string::npos;
  const std::string page = names_page ? "" : fmt::format("; the page {}/me makes one", url);
  if (status == 401 && access_.token.empty())
    return input_error("{}: no token was given: {}", url, with_more(text, page));
  if (status == 401)
    return input_error("{}: the token of {} does not hold: {}", url, access_.token_from,
                       with_more(text, page));
  if (status == 403 && !access_.token.empty())
    return input_error("{}: not with the token of {}: {}", url, access_.token_from, text);
  const bool is_soon = response.retry_after_seconds > 0 && response.retry_after_seconds <= kMostToldSeconds;
  const std::string when =
      is_soon ? fmt::format("; it may be asked again in {:.0f} s", response.retry_after_seconds) : "";
  // A wait that is too long for this call is an answer about what was asked, not about how busy the server
  // is.
  const bool is_refused = status == 429 && response.retry_after_seconds > patience_.retry_after_seconds;
  if (is_refused) return input_error("{}: {}", url, with_more(text, when));
  if (status == 408 || status == 429 || status >= 500) return failure("{}: {}", url, with_more(text, when));
  return input_error("{}: {}", url, text);
}

Result<Document> wait_for_end(ServerClient& client, std::int64_t id, double most_seconds,
                              const WorkContext& work, const std::function<void(const Document&)>& on_look) {
  const Stopwatch watch;
  std::int64_t last_event = 0;
  for (double wait = kFirstLookSeconds;; wait = std::min(1.2 * wait, kLastLookSeconds)) {
    const double left = most_seconds - watch.seconds();
    client.set_retry_seconds(std::clamp(left, kFirstLookSeconds, kRestartSeconds));
    MASH_ASSIGN(const Document document, client.status(id, last_event));
    for (const Document& event : document["events"])
      last_event = std::max(last_event, event["id"].get<std::int64_t>());
    on_look(document);
    if (document["is_final"].get<bool>() || left <= 0) return client.status(id);
    MASH_TRY(pause(std::min(wait, left), work.stop));
  }
}

}  // namespace mash
