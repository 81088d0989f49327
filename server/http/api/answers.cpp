// SPDX-License-Identifier: Apache-2.0
#include "server/http/api/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/base/bounded_json.hpp"
#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"
#include "framework/records/submission_queue.hpp"
#include "server/http/frame/intake.hpp"
#include "server/http/frame/session.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMaxEvents = 1000, kMostListed = 100;
// Bounds on an object of texts. Its size was bounded when it came.
JsonBounds bounds_of(const std::string& body) { return {body.size(), 3, 100}; }

std::string page_of(std::int64_t id) { return fmt::format("/submissions/{}", id); }

Json fault_of(const Submission& submission) {
  if (!submission.fault) return nullptr;
  return *submission.fault == Blame::kServer ? "server" : "contributor";
}

Json summary_of(const Submission& submission) {
  return {{"id", submission.id},
          {"state", word_of(submission.state)},
          {"is_final", is_final(submission.state)},
          {"board", submission.board},
          {"contributor", submission.contributor},
          {"file_name", submission.file_name},
          {"heuristic", submission.heuristic},
          {"version", submission.version},
          {"reason", submission.reason},
          {"fault", fault_of(submission)},
          {"seconds", shown_seconds(submission.seconds)},
          {"received_at", submission.received_at},
          {"page", page_of(submission.id)}};
}

// Where it stands on its board: null where it has no rank of its own.
Json rank_json(const BoardStand& stand, const BoardEntry& entry) {
  const auto found = std::ranges::find(stand.entries, entry.submission_id, &BoardEntry::submission_id);
  if (found == stand.entries.end()) return nullptr;
  const EntryRank& rank = stand.ranks[std::size_t(found - stand.entries.begin())];
  if (!rank.own) return nullptr;
  return {{"low", rank.own->low},
          {"high", rank.own->high},
          {"expected", std::round(10 * rank.expected) / 10},
          {"num_entries", stand.num_ranked()}};
}

// The gain beside all others of its board: null where that is not measured.
Json beyond_json(const BoardStand& stand, const BoardEntry& entry) {
  const EntryBeyond* beyond = stand.beyond_of(entry.submission_id);
  if (beyond == nullptr || !beyond->gain) return nullptr;
  const BeyondGain& gain = *beyond->gain;
  return {{"gain", gain.is_told() ? Json(gain.gain) : Json()},
          {"gain_ci95", gain.is_told() ? Json(gain.half_width()) : Json()},
          {"finding", gain.finding},
          {"num_seeds", gain.num_seeds},
          {"num_others", gain.num_others},
          {"num_left_out", gain.num_left_out},
          {"measured_at", gain.measured_at},
          {"is_current", gain.is_current}};
}

// The judgement as the board shows it: the gain that is released, not what was measured.
Json judgement_json(const std::optional<BoardEntry>& entry, Json rank, Json beyond) {
  if (!entry) return nullptr;
  return {{"rank", std::move(rank)},
          {"gain", entry->is_told() ? Json(entry->gain) : Json()},
          {"gain_ci95", entry->is_told() ? Json(entry->half_width()) : Json()},
          {"beyond", std::move(beyond)},
          {"finding", entry->finding},
          {"copy_of", entry->copy_of ? Json(*entry->copy_of) : Json()},
          {"num_seeds", entry->num_seeds},
          {"num_features", entry->num_features},
          {"microseconds", entry->microseconds}};
}

Json event_json(const SubmissionEvent& event) {
  return {{"id", event.id}, {"at", event.at}, {"state", word_of(event.state)}, {"text", event.text}};
}

// The attempts of its contributor, for themselves; null where the board takes any number.
Result<Json> attempts_json(const Visit& visit, const Submission& submission, const Board& board) {
  if (board.terms.attempts_a_day == 0 || !visit.is_user(submission.user_id)) return Json();
  MASH_ASSIGN(const BoardIntake intake, read_intake(visit.records, submission.user_id, board));
  return Json{{"used", intake.num_attempts},
              {"most", board.terms.attempts_a_day},
              {"next_at", intake.next_attempt_at.empty() ? Json() : Json(intake.next_attempt_at)}};
}

Result<Json> document_of(const Visit& visit, const Submission& submission, std::int64_t after_id) {
  MASH_ASSIGN(const auto entry, find_judged(visit.records, submission.id));
  MASH_ASSIGN(const auto events, read_events(visit.records, after_id, submission.id, kMaxEvents));
  MASH_ASSIGN(const auto board, find_board(visit.records, submission.board_id));
  if (!board) return failure("submission {}: has no board", submission.id);
  MASH_ASSIGN(const Json attempts, attempts_json(visit, submission, *board));
  Json document = summary_of(submission);
  document["board_closes_at"] = board->terms.closes_at.empty() ? Json() : Json(board->terms.closes_at);
  document["attempts"] = attempts;
  document["source_sha256"] = submission.source_sha256;
  document["licence"] = submission.licence;
  document["settings"] = Json::object();
  for (const SubmissionSetting& setting : submission.settings)
    document["settings"][setting.key] = setting.value;
  document["is_held"] = submission.is_held;
  document["verified_at"] = submission.verified_at;
  document["removed_why"] = submission.removed_why;
  Json rank, beyond;
  if (entry && board) {
    MASH_ASSIGN(const auto stand, visit.site.boards.stand(visit.records, *board));
    rank = rank_json(*stand, *entry);
    beyond = beyond_json(*stand, *entry);
  }
  document["judgement"] = judgement_json(entry, std::move(rank), std::move(beyond));
  document["events"] = Json::array();
  if (submission.removed_why.empty())
    for (const SubmissionEvent& event : events) document["events"].push_back(event_json(event));
  return document;
}

Response tell(const Visit& visit, std::int64_t id, std::int64_t after_id = 0, int status = 200) {
  const auto submission = find_submission(visit.records, id, SourceText::kLeftOut);
  if (!submission.ok()) return failed(visit, submission.error());
  if (!submission->has_value()) return not_found(visit);
  const auto document = document_of(visit, **submission, after_id);
  if (!document.ok()) return failed(visit, document.error());
  return json(*document, status);
}

// {"levels": 8}, or with texts as values. Errors (kInput): which value, what was expected.
Result<std::vector<SubmissionSetting>> settings_in(const Json& object) {
  std::vector<SubmissionSetting> settings;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string() && !value.is_number())
      return input_error("key 'settings': '{}': expected a number or text",
                         printable(key, kMostSettingBytes));
    settings.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  return settings;
}

// The body of a POST of a submission. Errors (kInput): which key, what was found.
Result<Handed> read_handed(const std::string& body) {
  MASH_TRY(check_utf8(body, "the body"));
  const auto parsed = parse_json<Json>(body, bounds_of(body));
  if (!parsed.ok() || !parsed->is_object()) return input_error("the body: expected a JSON object");
  const Json& document = *parsed;
  for (const auto& [key, value] : document.items()) {
    if (key != "file_name" && key != "source" && key != "licence" && key != "private" && key != "board" &&
        key != "settings")
      return input_error(
          "key '{}': is unknown; known are file_name, source, licence, private, board, settings", key);
    if (key == "settings" && !value.is_object())
      return input_error("key 'settings': expected an object, such as {{\"levels\": 8}}");
    if (key != "settings" && (key == "private" ? !value.is_boolean() : !value.is_string()))
      return input_error("key '{}': expected {}", key, key == "private" ? "true or false" : "text");
  }
  MASH_ASSIGN(std::vector<SubmissionSetting> settings,
              settings_in(document.value("settings", Json::object())));
  return Handed{document.value("file_name", ""),
                document.value("source", ""),
                document.value("licence", ""),
                document.value("board", ""),
                "",
                document.value("private", false),
                std::move(settings)};
}

// Has an operator do something to a submission, and tells the submission.
template <class Action>
Response operate(Visit& visit, const Parts& parts, const Action& action) {
  const auto who = holder(visit, Scope::kOperate);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const auto id = whole_number_in(parts[0]);
  if (!id) return not_found(visit);
  const Status done = action(*id);
  return done.ok() ? tell(visit, *id) : failed(visit, done.error());
}

}  // namespace

Response tell_me(Visit& visit, const Parts&) {
  const auto who = holder(visit, Scope::kRead);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const auto& [user, token] = std::get<TokenHolder>(who);
  const auto quota = quota_of(visit, user);
  if (!quota.ok()) return failed(visit, quota.error());
  return json({{"user", user.name},
               {"role", user.role},
               {"scope", word_of(token.scope)},
               {"quota_seconds", quota->seconds},
               {"used_seconds", shown_seconds(quota->used)},
               {"quota_days", visit.site.settings.quota_days},
               {"num_waiting", quota->num_waiting}});
}

Response tell_submissions(Visit& visit, const Parts&) {
  SubmissionFilter filter;
  filter.most = kMostListed;
  const Request& request = visit.request;
  if (const auto name = request.value("user"); !name.empty()) {
    const auto user = find_user(visit.records, name);
    if (!user.ok()) return failed(visit, user.error());
    filter.user_id = *user ? (*user)->id : 0;  // nobody's business whether there is one
  }
  if (const auto id = request.value("heuristic"); !id.empty()) filter.heuristic = std::string(id);
  if (const auto before = request.value("before"); !before.empty()) {
    if (!whole_number_in(before))
      return trouble(visit, 422, "", "before: expected the number of a submission");
    filter.before_id = *whole_number_in(before);
  }
  const auto state = request.value("state");
  if (!state.empty() && state != "work" && state != "all")
    return trouble(visit, 422, "", fmt::format("state: found '{}', expected work or all", state));
  filter.in_work_only = state == "work";
  filter.with_private = visit.is_operator() || (filter.user_id && visit.is_user(*filter.user_id));
  const auto submissions = read_submissions(visit.records, filter);
  if (!submissions.ok()) return failed(visit, submissions.error());
  Json document{{"submissions", Json::array()}};
  for (const Submission& submission : *submissions) document["submissions"].push_back(summary_of(submission));
  return json(document);
}

Response tell_submission(Visit& visit, const Parts& parts) {
  const auto found = visible_submission(visit, parts[0]);
  if (!found.ok()) return failed(visit, found.error());
  if (!found->has_value()) return not_found(visit);
  return tell(visit, (*found)->id, whole_number_in(visit.request.value("after")).value_or(0));
}

Response tell_events(Visit& visit, const Parts& parts) {
  const auto found = visible_submission(visit, parts[0]);
  if (!found.ok()) return failed(visit, found.error());
  if (!found->has_value() || !(*found)->removed_why.empty()) return not_found(visit);
  const std::int64_t id = (*found)->id;
  const std::int64_t after_id =
      std::max(visit.request.last_event_id, whole_number_in(visit.request.value("after")).value_or(0));
  const auto newest = newest_event(visit.records);
  if (!newest.ok()) return failed(visit, newest.error());
  const auto events = read_events(visit.records, after_id, id, kMaxEvents);
  if (!events.ok()) return failed(visit, events.error());
  Response response{200, "text/event-stream", "retry: 2000\n\n"};
  bool has_ended = false;
  for (const SubmissionEvent& event : *events) {
    response.body += sent_event(event);
    has_ended = has_ended || is_final(event.state);
  }
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("X-Accel-Buffering", "no");
  if (has_ended || is_final((*found)->state)) {
    if (!has_ended)
      response.body += fmt::format("event: end\ndata: {{\"state\": \"{}\"}}\n\n", word_of((*found)->state));
    return response;
  }
  response.stream = Subscription{id, std::max(*newest, events->empty() ? 0 : events->back().id)};
  return response;
}

Response api_submit(Visit& visit, const Parts&) {
  const auto who = holder(visit, Scope::kSubmit);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  auto handed = read_handed(visit.request.body);
  if (!handed.ok()) return failed(visit, handed.error());
  handed->request_key = visit.request.request_key;
  const auto taken = hand_in(visit, std::get<TokenHolder>(who).user, *handed);
  if (const auto* refused = std::get_if<NotTaken>(&taken)) return refusal(visit, *refused);
  const std::int64_t id = std::get<std::int64_t>(taken);
  Response response = tell(visit, id, 0, 201);
  response.headers.emplace_back("Location", fmt::format("/api/v1/submissions/{}", id));
  return response;
}

Response api_cancel(Visit& visit, const Parts& parts) {
  const auto found = own_submission(visit, parts[0]);
  if (const auto* refused = std::get_if<Response>(&found)) return *refused;
  const Submission& submission = std::get<Submission>(found);
  const std::int64_t id = submission.id;
  const Status cancelled = cancel_for(visit, submission);
  return cancelled.ok() ? tell(visit, id) : failed(visit, cancelled.error());
}

Response api_hold(Visit& visit, const Parts& parts) {
  return operate(visit, parts, [&](std::int64_t id) { return hold_submission(visit.records, id, true); });
}
Response api_release(Visit& visit, const Parts& parts) {
  return operate(visit, parts, [&](std::int64_t id) { return hold_submission(visit.records, id, false); });
}

Response api_rerun(Visit& visit, const Parts& parts) {
  std::int64_t rerun = 0;
  Response response = operate(visit, parts, [&](std::int64_t id) -> Status {
    MASH_ASSIGN(rerun, rerun_submission(visit.records, id));
    return Done{};
  });
  return response.status == 200 ? tell(visit, rerun, 0, 201) : response;
}

Response api_remove(Visit& visit, const Parts& parts) {
  return operate(visit, parts, [&](std::int64_t id) -> Status {
    const Json document = parse_object<Json>(visit.request.body, bounds_of(visit.request.body));
    if (!document.contains("why") || !document["why"].is_string())
      return input_error("key 'why': expected the reason as text");
    return remove_submission(visit.records, id, document["why"].get<std::string>());
  });
}

Response api_rerun_board(Visit& visit, const Parts& parts) {
  const auto who = holder(visit, Scope::kOperate);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const auto rerun = rerun_board(visit.records, parts[0]);
  if (!rerun.ok()) return failed(visit, rerun.error());
  return json(
      {{"board", parts[0]}, {"num_submissions", rerun->num_submissions}, {"left_out", rerun->left_out}}, 201);
}

}  // namespace mash::server
