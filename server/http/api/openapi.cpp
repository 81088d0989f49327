// SPDX-License-Identifier: Apache-2.0
#include "server/http/api/openapi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace mash::server {
namespace {

constexpr ApiParameter kSubmissionId{"id", "path", "integer", "number of the submission"};
constexpr ApiParameter kBoardName{"board", "query", "string",
                                  "name of a board; the oldest that is open where it is left out"};

std::vector<ApiOperation> reading_operations() {
  return {{"GET",
           "/api/v1/me",
           "me",
           "Whose token this is, and how much of the quota is used",
           "read",
           {},
           {},
           "Me"},
          {"GET", "/api/v1/boards", "boards", "The boards in their newest versions", {}, {}, {}, "Boards"},
          {"GET",
           "/api/v1/leaderboard",
           "leaderboard",
           "The ranking of a board: all rows, or one page of them",
           {},
           {kBoardName,
            {"version", "query", "integer", "a former version of the board"},
            {"by", "query", "string", "heuristic (the default) or contributor"},
            {"ranks", "query", "string",
             "own (the default): each set of ranks holds its own rank with 95 %; together: all at once"},
            {"sort", "query", "string", "name of what it is sorted by, such as gain"},
            {"order", "query", "string", "asc or desc"},
            {"find", "query", "string", "only rows that hold this text"},
            {"contributor", "query", "string", "only heuristics of this contributor"},
            {"finding", "query", "string", "only heuristics of this finding, such as adds"},
            {"page", "query", "integer", "page of 50 rows, from 1; all rows where it is left out"}},
           {},
           "Leaderboard"},
          {"GET",
           "/api/v1/heuristics/{id}",
           "heuristic",
           "All versions of a heuristic on a board",
           {},
           {{"id", "path", "string", "its id, such as ada/holes; %2F is read as its slash too"}, kBoardName},
           {},
           "Heuristic"},
          {"GET", "/api/v1/openapi.json", "openapi", "This document", {}, {}, {}, "Document"}};
}

std::vector<ApiOperation> submission_operations() {
  return {
      {"POST",
       "/api/v1/submissions",
       "submit",
       "Hands a source in",
       "submit",
       {{"Idempotency-Key", "header", "string",
         "of your choice: the same key again is the same submission, so that a request may be sent twice; "
         "with another source it is refused"}},
       "NewSubmission",
       "Submission",
       "application/json",
       201},
      {"GET",
       "/api/v1/submissions",
       "submissions",
       "Submissions, the latest first, 100 at most; private ones only for their contributor",
       {},
       {{"user", "query", "string", "only of this contributor"},
        {"heuristic", "query", "string", "only versions of this heuristic"},
        {"state", "query", "string", "work: only what has not come to its end; all (the default)"},
        {"before", "query", "integer", "only those handed in before this one"}},
       {},
       "Submissions"}};
}

std::vector<ApiOperation> result_operations() {
  return {
      {"GET",
       "/api/v1/submissions/{id}",
       "submission",
       "How far a submission is, and what came of it",
       {},
       {kSubmissionId, {"after", "query", "integer", "only events after this one"}},
       {},
       "Submission"},
      {"GET",
       "/api/v1/submissions/{id}/events",
       "events",
       "Its steps as they come, as server-sent events: `step` with an Event, and `end` with the last state",
       {},
       {kSubmissionId, {"Last-Event-ID", "header", "integer", "only events after this one"}},
       {},
       {},
       "text/event-stream"},
      {"GET",
       "/api/v1/submissions/{id}/report",
       "report",
       "The report of what is published",
       {},
       {kSubmissionId},
       {},
       {},
       "text/html"},
      {"GET",
       "/api/v1/submissions/{id}/report.json",
       "report_json",
       "The same as JSON",
       {},
       {kSubmissionId},
       {},
       "Document"},
      {"GET",
       "/api/v1/submissions/{id}/source",
       "source",
       "The source",
       {},
       {kSubmissionId},
       {},
       {},
       "text/plain"},
      {"POST",
       "/api/v1/submissions/{id}/cancel",
       "cancel",
       "Ends it: by its contributor or an operator",
       "submit",
       {kSubmissionId},
       {},
       "Submission"}};
}

std::vector<ApiOperation> operator_operations() {
  return {{"POST",
           "/api/v1/submissions/{id}/hold",
           "hold",
           "Nobody takes it until it is released",
           "operate",
           {kSubmissionId},
           {},
           "Submission"},
          {"POST",
           "/api/v1/submissions/{id}/release",
           "release",
           "Lets it go on",
           "operate",
           {kSubmissionId},
           {},
           "Submission"},
          {"POST",
           "/api/v1/submissions/{id}/rerun",
           "rerun",
           "Judges the same source once more: the same figures verify it, or it is judged on the board's "
           "newest version",
           "operate",
           {kSubmissionId},
           {},
           "Submission",
           "application/json",
           201},
          {"POST",
           "/api/v1/submissions/{id}/remove",
           "remove",
           "Shows nothing of it any more but why",
           "operate",
           {kSubmissionId},
           "Removal",
           "Submission"},
          {"POST",
           "/api/v1/boards/{name}/rerun",
           "rerun_board",
           "Judges all that is published on former versions of a board on its newest one",
           "operate",
           {{"name", "path", "string", "of the board"}},
           {},
           "BoardRerun",
           "application/json",
           201}};
}

Json typed(std::string_view type, std::string_view about = {}) {
  Json schema{{"type", type}};
  if (!about.empty()) schema["description"] = about;
  return schema;
}
Json nullable(Json schema) {
  schema["nullable"] = true;
  return schema;
}
Json reference(std::string_view name) { return {{"$ref", fmt::format("#/components/schemas/{}", name)}}; }
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }
// All of these are always there.
Json object_of(Json properties) {
  Json required = Json::array();
  for (const auto& [name, schema] : properties.items()) required.push_back(name);
  return {{"type", "object"}, {"required", std::move(required)}, {"properties", std::move(properties)}};
}
Json texts(std::initializer_list<std::string_view> names) {
  Json properties = Json::object();
  for (const std::string_view name : names) properties[std::string(name)] = typed("string");
  return properties;
}

Json states() {
  Json states = typed("string");
  states["enum"] = Json::array();
  for (int state = 0; state <= int(SubmissionState::kSuperseded); ++state)
    states["enum"].push_back(word_of(SubmissionState(state)));
  return states;
}

Json rank_schema() {
  Json rank = object_of({{"low", typed("integer", "the best rank that it may have")},
                         {"high", typed("integer", "the worst")},
                         {"expected", typed("number", "to a tenth")},
                         {"num_entries", typed("integer", "of its board that have a rank")}});
  rank["description"] = "null where it has none of its own: it is a copy, or no longer on its board";
  return nullable(std::move(rank));
}

Json beyond_schema() {
  const std::string no_gain = "; null where the finding is \"nothing to learn\"";
  Json beyond =
      object_of({{"gain", nullable(typed("number", "in per cent of the log-loss" + no_gain))},
                 {"gain_ci95", nullable(typed("number", "half the width of its 95 % interval" + no_gain))},
                 {"finding", typed("string")},
                 {"num_seeds", typed("integer")},
                 {"num_others", typed("integer", "that stood in the pool beside the board's own heuristics")},
                 {"num_left_out", typed("integer", "that were to stand there, and could not")},
                 {"measured_at", typed("string", "UTC, ISO 8601")},
                 {"is_current", typed("boolean", "whether these are the other entries now")}});
  beyond["description"] =
      "what it adds beside all others of its board; two of these figures are beside two pools, so they have "
      "no ranks. null where it is not measured: it is a copy, no longer on its board, alone there, or a "
      "runner has not come to it";
  return nullable(std::move(beyond));
}

Json judgement_schema() {
  const std::string no_gain = "; null where the finding is \"nothing to learn\"";
  return nullable(
      object_of({{"rank", rank_schema()},
                 {"gain", nullable(typed("number", "in per cent of the log-loss" + no_gain))},
                 {"gain_ci95", nullable(typed("number", "half the width of its 95 % interval" + no_gain))},
                 {"beyond", beyond_schema()},
                 {"finding", typed("string")},
                 {"copy_of", nullable(typed("integer",
                                            "the submission that had its features first, to the "
                                            "bit, and has these figures"))},
                 {"num_seeds", typed("integer")},
                 {"num_features", typed("integer")},
                 {"microseconds", typed("number", "of extraction, a picture")}}));
}

Json summary_properties() {
  Json fault = nullable(typed("string"));
  fault["enum"] = {"contributor", "server", nullptr};
  return {{"id", typed("integer")},
          {"state", reference("State")},
          {"is_final", typed("boolean")},
          {"board", typed("string")},
          {"contributor", typed("string")},
          {"file_name", typed("string")},
          {"heuristic", typed("string", "empty until it is known")},
          {"version", typed("string")},
          {"reason", typed("string", "why it was rejected or failed")},
          {"fault", std::move(fault)},
          {"seconds", typed("number", "of runners' time")},
          {"received_at", typed("string", "UTC, ISO 8601")},
          {"page", typed("string", "where people see it on this server")}};
}

Json attempts_schema() {
  Json schema = nullable(object_of({{"used", typed("integer", "in the last 24 hours")},
                                    {"most", typed("integer")},
                                    {"next_at", nullable(typed("string", "UTC, ISO 8601; null: at once"))}}));
  schema["description"] = "of its contributor on the board, for themselves; null where it takes any number";
  return schema;
}

Json submission_schema() {
  Json properties = summary_properties();
  properties["board_closes_at"] = nullable(typed("string", "UTC, ISO 8601"));
  properties["attempts"] = attempts_schema();
  properties["source_sha256"] = typed("string");
  properties["licence"] = typed("string");
  properties["settings"] = typed("object", "of the heuristic, in place of its defaults; texts");
  properties["is_held"] = typed("boolean");
  properties["verified_at"] = typed("string", "empty: no other run gave the same figures yet");
  properties["removed_why"] = typed("string", "empty: it is not removed");
  properties["judgement"] = judgement_schema();
  properties["events"] = list_of(reference("Event"));
  return object_of(std::move(properties));
}

Json heuristic_schema() {
  Json version = texts({"verified_at", "removed_why"});
  version["submission"] = typed("integer");
  version["version"] = nullable(typed("string"));
  version["board_version"] = typed("integer", "gains of different ones are not on one scale");
  version["state"] = reference("State");
  for (const char* key : {"judged_at", "finding"}) version[key] = nullable(typed("string"));
  for (const char* key : {"gain", "gain_ci95"}) version[key] = nullable(typed("number"));
  Json properties = texts({"heuristic", "board"});
  properties["versions"] = list_of(object_of(std::move(version)));
  return object_of(std::move(properties));
}

Json leaderboard_schema() {
  Json properties = texts({"title", "board"});
  properties["columns"] = list_of(object_of(texts({"key", "title"})));
  properties["rows"] =
      list_of(typed("object",
                    "a value for each key of the columns; `gain` also has `gain_ci95`, and `beyond` "
                    "`beyond_ci95`"));
  for (const char* key : {"board_version", "page", "num_pages", "num_rows"})
    properties[key] = typed("integer");
  return object_of(std::move(properties));
}

Json new_submission_schema() {
  Json schema = object_of({{"file_name", typed("string", "such as row_means.cpp")},
                           {"source", typed("string", "C++; the page `/rules` says how large it may be")},
                           {"licence", typed("string", "SPDX name of a free licence, such as Apache-2.0")}});
  schema["properties"]["private"] = typed("boolean", "nobody else sees it before it is published");
  schema["properties"]["board"] = typed("string", "the oldest that is open where it is left out");
  schema["properties"]["settings"] =
      typed("object", "of the heuristic, in place of its defaults: numbers or texts by their names");
  return schema;
}

void add_terms(Json& board) {
  board["is_open"] = typed("boolean", "whether anything is taken now");
  board["title"] = nullable(typed("string"));
  board["notice"] = nullable(typed("string", "a line for contributors"));
  board["contact"] = nullable(typed("string", "whom they may ask"));
  board["opens_at"] = nullable(typed("string", "UTC, ISO 8601: nothing is taken before"));
  board["closes_at"] = nullable(typed("string", "UTC, ISO 8601: nothing is taken from then on"));
  board["attempts_a_day"] = nullable(typed("integer", "of each contributor in 24 hours; null: any number"));
  board["points"] = nullable(typed("string", "for gains, such as 0=1, 2=3: from 0 % one, from 2 % three"));
}

Json schemas() {
  Json me = texts({"user", "role", "scope"});
  for (const char* key : {"quota_seconds", "used_seconds"}) me[key] = typed("number");
  for (const char* key : {"quota_days", "num_waiting"}) me[key] = typed("integer");
  Json board = texts({"name", "page"});
  for (const char* key : {"version", "num_seeds", "num_entries"}) board[key] = typed("integer");
  board["ladder_step"] =
      typed("number", "0: gains are shown as they are; null: steps of the placebo's error");
  board["ladder_step"]["nullable"] = true;
  board["copies"] = typed("string", "of features to the bit: mark or refuse");
  add_terms(board);
  Json event = texts({"at", "text"});
  event["id"] = typed("integer");
  event["state"] = reference("State");
  return {{"Error", object_of(texts({"error"}))},
          {"State", states()},
          {"Me", object_of(std::move(me))},
          {"Boards", object_of({{"boards", list_of(object_of(std::move(board)))}})},
          {"BoardRerun", object_of({{"board", typed("string")},
                                    {"num_submissions", typed("integer")},
                                    {"left_out", list_of(typed("integer"))}})},
          {"Leaderboard", leaderboard_schema()},
          {"Heuristic", heuristic_schema()},
          {"NewSubmission", new_submission_schema()},
          {"Removal", object_of({{"why", typed("string", "is shown")}})},
          {"Event", object_of(std::move(event))},
          {"Submission", submission_schema()},
          {"Submissions", object_of({{"submissions", list_of(object_of(summary_properties()))}})},
          {"Document", typed("object")}};
}

Json parameter_json(const ApiParameter& parameter) {
  return {{"name", parameter.name},
          {"in", parameter.place},
          {"required", parameter.place == "path"},
          {"description", parameter.about},
          {"schema", typed(parameter.type)}};
}

Json answers_json(const ApiOperation& operation) {
  const Json schema = operation.answer.empty() ? typed("string") : reference(operation.answer);
  const Json trouble{{"description", "what was wrong"},
                     {"content", {{"application/json", {{"schema", reference("Error")}}}}}};
  const Json content = Json::object({{std::string(operation.media_type), {{"schema", schema}}}});
  return Json::object(
      {{std::to_string(operation.status), {{"description", operation.about}, {"content", content}}},
       {"default", trouble}});
}

Json operation_json(const ApiOperation& operation) {
  Json document{{"operationId", operation.name}, {"summary", operation.about}, {"parameters", Json::array()}};
  for (const ApiParameter& parameter : operation.parameters)
    document["parameters"].push_back(parameter_json(parameter));
  if (!operation.scope.empty()) {
    document["description"] = fmt::format("Needs a token of scope {}.", operation.scope);
    document["security"] = Json::array({Json::object({{"token", Json::array()}})});
  }
  if (!operation.body.empty()) {
    const Json content = Json::object({{"application/json", {{"schema", reference(operation.body)}}}});
    document["requestBody"] = {{"required", true}, {"content", content}};
  }
  document["responses"] = answers_json(operation);
  return document;
}

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return out;
}

}  // namespace

std::span<const ApiOperation> api_operations() {
  static const std::vector<ApiOperation> operations = [] {
    std::vector<ApiOperation> all = reading_operations();
    for (const auto& more : {submission_operations(), result_operations(), operator_operations()})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return operations;
}

Json openapi_document(std::string_view url) {
  Json paths = Json::object();
  for (const ApiOperation& operation : api_operations())
    paths[std::string(operation.path)][in_lower_case(operation.method)] = operation_json(operation);
  const Json token{
      {"type", "http"}, {"scheme", "bearer"}, {"description", "a token that a page of your account makes"}};
  return {{"openapi", "3.0.3"},
          {"info",
           {{"title", "MASH"},
            {"version", "1"},
            {"description", "Boards, heuristics and submissions of a MASH server"}}},
          {"servers", Json::array({Json::object({{"url", url}})})},
          {"paths", std::move(paths)},
          {"components", {{"schemas", schemas()}, {"securitySchemes", {{"token", token}}}}}};
}

}  // namespace mash::server
