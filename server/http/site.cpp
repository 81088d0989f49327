// SPDX-License-Identifier: Apache-2.0
#include "server/http/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "framework/base/utf8.hpp"
#include "framework/records/accounts.hpp"
#include "framework/records/submissions.hpp"
#include "server/http/pages.hpp"

namespace mash::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxEvents = 1000;
constexpr std::size_t kMaxFileName = 100, kMaxLicence = 100;

Response json(const Json& document, int status = 200) {
  return {status, "application/json", document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"};
}
Response page(std::string html, int status = 200) {
  return {status, "text/html; charset=utf-8", std::move(html)};
}

bool is_api(const Request& request) { return !request.path.empty() && request.path[0] == "api"; }

// For those who asked: a document or a page.
Response trouble(const Request& request, int status, std::string_view heading, std::string_view text) {
  if (is_api(request)) return json({{"error", text}}, status);
  return page(message_page(heading, text), status);
}
Response not_found(const Request& request) {
  return trouble(request, 404, "Not found", "There is nothing at this address. Begin at the board.");
}
Response failed(const Request& request, const Error& error) {
  if (error.kind == ErrorKind::kInput) return trouble(request, 422, "Not taken", error.message);
  return trouble(request, 503, "Not now", "The server cannot do this now. Try again in a minute.");
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

Json to_json(const SubmissionEvent& event) {
  return {{"id", event.id}, {"at", event.at}, {"state", word_of(event.state)}, {"text", event.text}};
}

Json to_json(const Submission& submission, const std::vector<SubmissionEvent>& events) {
  Json document{{"id", submission.id},
                {"state", word_of(submission.state)},
                {"is_final", is_final(submission.state)},
                {"contributor", submission.contributor},
                {"file_name", submission.file_name},
                {"source_sha256", submission.source_sha256},
                {"licence", submission.licence},
                {"heuristic", submission.heuristic},
                {"version", submission.version},
                {"reason", submission.reason},
                {"seconds", submission.seconds},
                {"received_at", submission.received_at},
                {"events", Json::array()}};
  document["fault"] = !submission.fault                     ? Json()
                      : *submission.fault == Blame::kServer ? Json("server")
                                                            : Json("contributor");
  for (const SubmissionEvent& event : events) document["events"].push_back(to_json(event));
  return document;
}

// What a POST of a submission holds. Errors (kInput): which key, what was found.
Result<NewSubmission> read_submission(const std::string& body) {
  const Json document = Json::parse(body, nullptr, false);
  if (!document.is_object()) return input_error("the body: expected a JSON object");
  for (const auto& [key, value] : document.items()) {
    if (key != "file_name" && key != "source" && key != "licence" && key != "private" && key != "board")
      return input_error("key '{}': is unknown; known are file_name, source, licence, private, board", key);
    if (key == "private" ? !value.is_boolean() : !value.is_string())
      return input_error("key '{}': expected {}", key, key == "private" ? "true or false" : "text");
  }
  NewSubmission submission;
  submission.file_name = document.value("file_name", "");
  submission.source = document.value("source", "");
  submission.licence = document.value("licence", "");
  submission.is_private = document.value("private", false);
  if (submission.file_name.empty() || submission.file_name.size() > kMaxFileName ||
      submission.file_name.find_first_of("/\\") != std::string::npos)
    return input_error("key 'file_name': expected a name of at most {} bytes without a folder", kMaxFileName);
  if (submission.licence.empty() || submission.licence.size() > kMaxLicence)
    return input_error("key 'licence': expected the licence of the source, such as Apache-2.0");
  if (submission.source.empty()) return input_error("key 'source': expected the text of a C++ source");
  return submission;
}

}  // namespace

struct Site::Store {
  std::mutex mutex;  // one at a time at the connection
  Records records;
};

namespace {

// One request, with the records.
class Answer {
 public:
  Answer(Records& records, const Request& request) : records_(records), request_(request) {}

  Response run() {
    const auto& path = request_.path;
    const bool is_get = request_.method == "GET";
    if (path.empty()) return is_get ? board("html") : no_method("GET");
    if (path.size() == 1 && path[0] == "healthz") return {200, "text/plain; charset=utf-8", "ok\n"};
    if (path.size() == 1 && path[0] == "board.csv") return is_get ? board("csv") : no_method("GET");
    if (path[0] == "submissions" && is_get) return submission_pages();
    if (path.size() >= 3 && path[0] == "api" && path[1] == "v1") return api();
    return not_found(request_);
  }

 private:
  Response no_method(std::string_view known) {
    Response response = trouble(request_, 405, "Not possible", fmt::format("Expected {} here.", known));
    response.headers.emplace_back("Allow", known);
    return response;
  }

  Response api() {
    const auto& path = request_.path;
    const bool is_get = request_.method == "GET", is_post = request_.method == "POST";
    if (path[2] == "board" && path.size() == 3) return is_get ? board("json") : no_method("GET");
    if (path[2] != "submissions") return not_found(request_);
    if (path.size() == 3) return is_post ? submit() : no_method("POST");
    if (path.size() == 4) return is_get ? submission(path[3]) : no_method("GET");
    if (path.size() == 5 && path[4] == "cancel") return is_post ? cancel(path[3]) : no_method("POST");
    return not_found(request_);
  }

  // The token's holder, where the token lets them do this; else the answer that says why not.
  std::variant<TokenHolder, Response> holder(Scope needed) {
    const auto found = find_holder(records_, request_.bearer);
    if (!found.ok()) return failed(request_, found.error());
    if (!found->has_value()) {
      Response response = trouble(request_, 401, "Who are you?",
                                  "expected a token that holds, in the header 'Authorization: Bearer TOKEN'");
      response.headers.emplace_back("WWW-Authenticate", "Bearer");
      return response;
    }
    if ((*found)->token.scope < needed)
      return trouble(request_, 403, "Not allowed",
                     fmt::format("this token lets its holder {}, expected one that lets them {}",
                                 word_of((*found)->token.scope), word_of(needed)));
    return **found;
  }

  Response submit() {
    const auto who = holder(Scope::kSubmit);
    if (const auto* refused = std::get_if<Response>(&who)) return *refused;
    auto submission = read_submission(request_.body);
    if (!submission.ok()) return failed(request_, submission.error());
    const auto boards = read_boards(records_);
    if (!boards.ok()) return failed(request_, boards.error());
    if (boards->empty()) return trouble(request_, 503, "No board", "the server has no board yet");
    submission->board_id = boards->front().id;
    submission->user_id = std::get<TokenHolder>(who).user.id;
    submission->request_key = request_.request_key;
    const auto id = add_submission(records_, *submission);
    if (!id.ok()) return failed(request_, id.error());
    Response response = json({{"id", *id}, {"page", fmt::format("/submissions/{}", *id)}}, 201);
    response.headers.emplace_back("Location", fmt::format("/api/v1/submissions/{}", *id));
    return response;
  }

  // The submission, where whoever asks may see it; nothing otherwise, as if there were none.
  Result<std::optional<Submission>> visible(std::string_view number) {
    const auto id = number_in(number);
    if (!id) return std::optional<Submission>();
    MASH_ASSIGN(auto submission, find_submission(records_, *id));
    if (!submission) return submission;
    const bool is_published =
        submission->state == SubmissionState::kPublished || submission->state == SubmissionState::kSuperseded;
    if (is_published || !submission->is_private) return submission;
    MASH_ASSIGN(const auto who, find_holder(records_, request_.bearer));
    if (!who || (who->user.id != submission->user_id && who->user.role != kOperatorRole))
      return std::optional<Submission>();
    return submission;
  }

  Response submission(std::string_view number) {
    const auto found = visible(number);
    if (!found.ok()) return failed(request_, found.error());
    if (!found->has_value()) return not_found(request_);
    const std::int64_t after = number_in(request_.value("after")).value_or(0);
    const auto events = read_events(records_, after, (*found)->id, kMaxEvents);
    if (!events.ok()) return failed(request_, events.error());
    return json(to_json(**found, *events));
  }

  Response cancel(std::string_view number) {
    const auto who = holder(Scope::kSubmit);
    if (const auto* refused = std::get_if<Response>(&who)) return *refused;
    const auto found = visible(number);
    if (!found.ok()) return failed(request_, found.error());
    if (!found->has_value()) return not_found(request_);
    const User& user = std::get<TokenHolder>(who).user;
    if (user.id != (*found)->user_id && user.role != kOperatorRole)
      return trouble(request_, 403, "Not allowed",
                     "only its contributor or an operator may cancel a submission");
    const Status cancelled = cancel_submission(records_, (*found)->id);
    if (!cancelled.ok()) return failed(request_, cancelled.error());
    return submission(number);
  }

  Response submission_pages() {
    const auto& path = request_.path;
    if (path.size() < 2 || path.size() > 3) return not_found(request_);
    const auto found = visible(path[1]);
    if (!found.ok()) return failed(request_, found.error());
    if (!found->has_value()) return not_found(request_);
    if (path.size() == 3) return report(path[2], (*found)->id);
    const auto events = read_events(records_, 0, (*found)->id, kMaxEvents);
    if (!events.ok()) return failed(request_, events.error());
    Response response = page(submission_page(**found, *events));
    if (!is_final((*found)->state)) response.headers.emplace_back("Refresh", "2");
    return response;
  }

  Response report(std::string_view what, std::int64_t id) {
    if (what != "report" && what != "report.json") return not_found(request_);
    const auto judgement = find_judgement(records_, id);
    if (!judgement.ok()) return failed(request_, judgement.error());
    if (!judgement->has_value()) return not_found(request_);
    if (what == "report") return page((*judgement)->report_html);
    return {200, "application/json", (*judgement)->report_json};
  }

  Response board(std::string_view format) {
    const auto boards = read_boards(records_);
    if (!boards.ok()) return failed(request_, boards.error());
    if (boards->empty())
      return trouble(request_, 200, "A new site", "There is no board yet. Its operator makes the first one.");
    const auto entries = read_board_entries(records_, boards->front().id);
    if (!entries.ok()) return failed(request_, entries.error());
    if (format == "html") return page(board_page(boards->front(), *entries));
    const Table table = board_table(boards->front(), *entries);
    if (format == "csv") return {200, "text/csv; charset=utf-8", render_csv(table)};
    return {200, "application/json", render_json(table) + "\n"};
  }

  Records& records_;
  const Request& request_;
};

}  // namespace

Result<Site> Site::open(const std::filesystem::path& database) {
  MASH_ASSIGN(Records records, Records::open(database));
  return Site(std::shared_ptr<Store>(new Store{{}, std::move(records)}));
}

Response Site::answer(const Request& request) {
  const std::lock_guard lock(store_->mutex);
  return Answer(store_->records, request).run();
}

}  // namespace mash::server
