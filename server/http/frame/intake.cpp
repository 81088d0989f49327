// SPDX-License-Identifier: Apache-2.0
#include "server/http/frame/intake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "framework/base/bounded_json.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/licences.hpp"
#include "framework/base/number.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/utc_time.hpp"
#include "framework/base/utf8.hpp"

namespace mash::server {
namespace {

// Times the compute time that is a contributor's: so much may be taken with what failed by the server's
// fault.
constexpr double kMostTaken = 3;

Status check_handed(const Handed& handed, std::uint64_t most_source_bytes) {
  if (!is_source_name(source_name_of(handed.file_name)))
    return input_error("key 'file_name': expected {}", kSourceNameRule);
  if (const Status licence = check_licence(handed.licence); !licence.ok())
    return licence.error().at("key 'licence'");
  if (handed.source.empty()) return input_error("key 'source': expected the text of a C++ source");
  if (handed.source.size() > most_source_bytes)
    return input_error("key 'source': found {} bytes, expected at most {}", handed.source.size(),
                       most_source_bytes);
  return check_submission_settings(handed.settings);
}

Result<Board> board_named(Visit& visit, const std::string& name) {
  MASH_ASSIGN(const std::vector<Board> boards, read_boards(visit.records));
  if (boards.empty()) return failure("the server has no board yet");
  if (name.empty()) return usual_board(boards);
  const auto found = std::ranges::find(boards, name, &Board::name);
  if (found != boards.end()) return *found;
  std::string known;
  for (const Board& board : boards) known += (known.empty() ? "" : ", ") + board.name;
  return input_error("key 'board': unknown board '{}'; known are {}", name, known);
}

// Errors (kInput): the heuristic has the id of one of the board's own, as far as the text of its source and
// the board's pages say; the runner knows for sure.
Status check_id(const Visit& visit, const Board& board, std::string_view source) {
  const auto id = id_in_source(source);
  if (!id) return Done{};
  MASH_ASSIGN(const auto page, find_board_page(visit.records, board.id, "uncovered.json"));
  const nlohmann::json facts = parse_object(page.value_or("{}"));
  const nlohmann::json own = facts.value("families", nlohmann::json::array());
  if (std::ranges::find(own, nlohmann::json(*id)) == own.end()) return Done{};
  return input_error("key 'source': '{}' is the id of a heuristic of the board {}, expected another one", *id,
                     board.name);
}

NotTaken not_taken(const Visit& visit, const Error& error) {
  if (is_of_the_request(visit, error)) return {422, error.message};
  return {503, "The server cannot do this now. Try again in a minute."};
}

// The submission that was made with the key of this one: the same request again.
std::variant<std::int64_t, NotTaken> same_request(const Visit& visit, std::int64_t id, const Handed& handed) {
  const auto known = find_submission(visit.records, id, SourceText::kLeftOut);
  if (!known.ok()) return not_taken(visit, known.error());
  if (known->has_value() && (*known)->source_sha256 == sha256(handed.source) &&
      (*known)->settings == handed.settings)
    return id;
  return NotTaken{422, fmt::format("Idempotency-Key: submission {} was handed in with this key and another "
                                   "source or settings, expected a new key",
                                   id)};
}

std::optional<NotTaken> board_refusal(const Board& board, const BoardIntake& intake) {
  std::string why = why_nothing_is_taken(board, intake);
  if (why.empty()) return std::nullopt;
  const bool is_open = intake.phase == BoardPhase::kOpen;
  return NotTaken{is_open ? 429 : 409, std::move(why), intake.next_attempt_seconds};
}

// Why nothing more is taken from the user now.
std::optional<NotTaken> quota_refusal(const Visit& visit, const Quota& quota) {
  const SiteSettings& settings = visit.site.settings;
  if (quota.num_waiting >= settings.most_waiting)
    return NotTaken{429, fmt::format("{} of your submissions wait or are in work: at most {} may. Try again "
                                     "when one has ended, or cancel one.",
                                     quota.num_waiting, settings.most_waiting)};
  if (quota.used >= quota.seconds)
    return NotTaken{429,
                    fmt::format("your submissions used {:.0f} s of the {:.0f} s of compute time that are "
                                "yours in {} day(s). Try again later.",
                                shown_seconds(quota.used), quota.seconds, settings.quota_days)};
  if (const double most = kMostTaken * quota.seconds; quota.taken >= most)
    return NotTaken{429,
                    fmt::format("your submissions took {:.0f} s in {} day(s), with those that failed by the "
                                "server's fault: at most {:.0f} s are taken. Ask the operator, or try again "
                                "later.",
                                shown_seconds(quota.taken), settings.quota_days, most)};
  return std::nullopt;
}

}  // namespace

const Board& usual_board(const std::vector<Board>& boards) {
  const std::string now = moment_now();
  const auto open = std::ranges::find_if(
      boards, [&](const Board& board) { return phase_of(board.terms, now) == BoardPhase::kOpen; });
  return open == boards.end() ? boards.front() : *open;
}

Result<std::vector<SubmissionSetting>> settings_of_line(std::string_view line) {
  std::vector<SubmissionSetting> settings;
  if (line.find_first_not_of(" \t") == std::string_view::npos) return settings;
  for (const std::string& part : split_list(line)) {
    const auto equals = part.find('=');
    if (equals == std::string::npos)
      return input_error("key 'settings': found '{}', expected such as levels=8, grid=3",
                         printable(part, 200));
    settings.push_back({part.substr(0, equals), part.substr(equals + 1)});
  }
  return settings;
}

Response refusal(const Visit& visit, const NotTaken& not_taken) {
  Response response = trouble(visit, not_taken.status, "Not taken", not_taken.why);
  constexpr std::int64_t kUsualWait = 600, kShortWait = 60;
  const std::int64_t wait = not_taken.retry_seconds > 0 ? not_taken.retry_seconds
                            : not_taken.status == 429   ? kUsualWait
                                                        : kShortWait;
  if (not_taken.status == 429 || not_taken.status == 503)
    response.headers.emplace_back("Retry-After", std::to_string(wait));
  return response;
}

std::variant<std::int64_t, NotTaken> hand_in(Visit& visit, const User& user, const Handed& handed) {
  if (const Status checked = check_handed(handed, visit.site.settings.most_source_bytes); !checked.ok())
    return not_taken(visit, checked.error());
  const auto board = board_named(visit, handed.board);
  if (!board.ok()) return not_taken(visit, board.error());
  if (const Status free = check_id(visit, *board, handed.source); !free.ok())
    return not_taken(visit, free.error());
  NewSubmission submission{
      user.id,       board->id,      handed.request_key, source_name_of(handed.file_name),
      handed.source, handed.licence, handed.is_private,  handed.settings};
  const auto known = find_request(visit.records, user.id, submission.request_key);
  if (!known.ok()) return not_taken(visit, known.error());
  if (*known) return same_request(visit, **known, handed);
  const auto intake = read_intake(visit.records, user.id, *board);
  if (!intake.ok()) return not_taken(visit, intake.error());
  if (const auto refusal = board_refusal(*board, *intake)) return *refusal;
  const auto quota = quota_of(visit, user);
  if (!quota.ok()) return not_taken(visit, quota.error());
  if (const auto refusal = quota_refusal(visit, *quota)) return *refusal;
  const SiteSettings& settings = visit.site.settings;
  if (!store_room(settings.store, settings.free_disk).has_space())
    return NotTaken{503, "The disk of this server has no room for submissions now. Try again later."};
  const auto id = add_submission(visit.records, submission);
  if (!id.ok()) return not_taken(visit, id.error());
  return *id;
}

Result<Quota> quota_of(Visit& visit, const User& user) {
  const SiteSettings& settings = visit.site.settings;
  Quota quota{user.quota_seconds.value_or(settings.quota_seconds)};
  MASH_ASSIGN(quota.used, seconds_used(visit.records, user.id, settings.quota_days));
  MASH_ASSIGN(quota.taken, seconds_taken(visit.records, user.id, settings.quota_days));
  MASH_ASSIGN(quota.num_waiting, num_in_work(visit.records, user.id));
  return quota;
}

double shown_seconds(double seconds) {
  if (!(seconds > 0)) return 0;
  for (double unit = 10;; unit *= 10)
    for (const double part : {1., 2., 5.})
      if (seconds <= part * unit) return part * unit;
}

std::string name_of(const Submission& submission) {
  if (!submission.removed_why.empty()) return "removed";
  return submission.heuristic.empty() ? submission.file_name : submission.heuristic;
}

bool is_judged(const Submission& submission) {
  return submission.state == SubmissionState::kPublished || submission.state == SubmissionState::kSuperseded;
}

bool may_see(const Visit& visit, const Submission& submission) {
  if (visit.is_operator() || visit.is_user(submission.user_id)) return true;
  return is_judged(submission) || !submission.is_private;
}

Result<std::optional<Submission>> visible_submission(const Visit& visit, std::string_view number,
                                                     SourceText text) {
  const auto id = whole_number_in(number);
  if (!id) return std::optional<Submission>();
  MASH_ASSIGN(auto submission, find_submission(visit.records, *id, text));
  if (submission && !may_see(visit, *submission)) submission.reset();
  return submission;
}

std::variant<Submission, Response> own_submission(const Visit& visit, std::string_view number) {
  const auto who = holder(visit, Scope::kSubmit);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const auto found = visible_submission(visit, number);
  if (!found.ok()) return failed(visit, found.error());
  if (!found->has_value()) return not_found(visit);
  if (!visit.is_user((*found)->user_id) && !visit.is_operator())
    return trouble(visit, 403, "Not allowed", "only its contributor or an operator may do this");
  return **found;
}

Status cancel_for(Visit& visit, const Submission& submission) {
  return cancel_submission(
      visit.records, submission.id,
      visit.is_user(submission.user_id) ? CancelledBy::kContributor : CancelledBy::kOperator);
}

}  // namespace mash::server
