// SPDX-License-Identifier: Apache-2.0
#include "server/http/accounts/operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "framework/base/number.hpp"
#include "framework/base/secrets.hpp"
#include "framework/records/submission_queue.hpp"
#include "server/http/accounts/health.hpp"
#include "server/http/accounts/told.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

constexpr int kInvitationDays = 14;
constexpr std::size_t kListedUsers = 100, kListedFailures = 20;

std::string action(std::string_view name) { return fmt::format("/operator/{}", name); }

// A form of one button that names a submission or user.
Html button_for(const Visit& visit, std::string_view name, std::int64_t id, std::string_view label) {
  return markup(
      "<form class=\"inline\" method=\"post\" action=\"{}\"><input type=\"hidden\" name=\"form_token\" "
      "value=\"{}\"><input type=\"hidden\" name=\"id\" value=\"{}\"><button class=\"plain\" aria-label=\"{} "
      "{}\">{}</button></form> ",
      action(name), visit.form_token, id, label, id, label);
}

Html number_field(std::string_view label, std::string_view name) {
  return text_field({name, label, "", "number"});
}

page::Section queue_section(const Visit& visit, const std::vector<Submission>& waiting) {
  std::vector<Html> items;
  for (const Submission& one : waiting)
    items.push_back(markup("{} of {}, for {}: {}{} {}{}",
                           link(fmt::format("/submissions/{}", one.id), fmt::format("{}", one.id)),
                           one.contributor, one.board, word_of(one.state), one.is_held ? ", held" : "",
                           one.is_held ? button_for(visit, "release", one.id, "Release")
                                       : button_for(visit, "hold", one.id, "Hold"),
                           button_for(visit, "cancel", one.id, "Cancel")));
  page::Piece piece = items.empty() ? page::paragraph(markup("Nothing waits.")) : page::list(items);
  if (const StoreRoom room = room_for_features(visit); !room.is_enough())
    piece = page::headline(said_of(room), "bad") += piece;
  return {"queue", "Queue", std::move(piece)};
}

page::Section failures_section(const std::vector<Submission>& failures) {
  std::vector<Html> items;
  for (const Submission& one : failures)
    items.push_back(markup("{} of {}, for {}, received on {}: {}",
                           link(fmt::format("/submissions/{}", one.id), fmt::format("{}", one.id)),
                           one.contributor, one.board, one.received_at,
                           one.removed_why.empty() ? one.reason : "removed: " + one.removed_why));
  page::Piece piece =
      items.empty() ? page::paragraph(markup("Nothing failed by the server's fault.")) : page::list(items);
  if (!items.empty())
    piece +=
        page::note(fmt::format("The last {} at most; the runner's log says more of each.", kListedFailures));
  return {"failures", "Failed by the server's fault", std::move(piece)};
}

page::Section runners_section(const std::vector<RunnerSeen>& runners) {
  Table table{"Runners",
              {{"pid", "process", Format::kCount},
               {"started_at", "began (UTC)"},
               {"submission", "works at", Format::kCount},
               {"seconds_ago", "heard of, s ago", Format::kDecimal}},
              {},
              "no runner lives: start one"};
  for (const RunnerSeen& runner : runners)
    table.rows.push_back({runner.pid, runner.started_at,
                          runner.submission_id ? Cell(*runner.submission_id) : Cell(), runner.seconds_ago});
  if (table.rows.empty()) return {"runners", "Runners", page::headline("No runner lives: start one.", "bad")};
  return {"runners", "Runners", page::table(table, "Runners that live on this machine.")};
}

Html access_piece(const Visit& visit, const User& user) {
  if (user.is_closed()) return markup("closed");
  return user.is_disabled ? button_for(visit, "enable", user.id, "Enable")
                          : button_for(visit, "disable", user.id, "Disable");
}

// Another name for an account, or its end.
page::Section accounts_section(const Visit& visit) {
  const Choice choices[] = {{"stays", "stays, without the name"}, {"removed", "is removed"}};
  Html body = form(visit, action("rename"),
                   text_field({"name", "Name of a user"}) +=
                   text_field({"new_name", "New name", "nobody else can take the former one"}) +=
                   submit_button("Rename the user"));
  body += form(visit, action("close"),
               text_field({"name", "Name of a user", "this cannot be undone"}) +=
               select_field({"published", "What they published"}, choices, "stays") +=
               submit_button("Close the account"));
  return {"accounts", "Rename or close an account", {std::move(body), ""}, true};
}

page::Section users_section(const Visit& visit, const std::vector<User>& users,
                            const std::vector<double>& used) {
  Html rows;
  for (std::size_t i = 0; i < users.size(); ++i) {
    const User& user = users[i];
    rows += markup(
        "<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"name\">{}</td><td "
        "class=\"number\">{:.0f}</td>"
        "<td class=\"number\">{:.0f}</td><td class=\"name\">{}</td></tr>\n",
        user.name, user.role, used[i], user.quota_seconds.value_or(visit.site.settings.quota_seconds),
        access_piece(visit, user));
  }
  Html body = page::scrollable(
      "Users", markup("<table><caption>Users, and the compute time that they used in the window, "
                      "s.</caption><thead><tr><th scope=\"col\" class=\"name\">name</th><th scope=\"col\" "
                      "class=\"name\">role</th><th scope=\"col\" class=\"number\">used</th><th scope=\"col\" "
                      "class=\"number\">quota</th><th scope=\"col\" "
                      "class=\"name\">access</th></tr></thead><tbody>{}</tbody></table>",
                      rows));
  body += form(visit, action("quota"),
               text_field({"name", "Name of a user"}) +=
               text_field({"seconds", "Quota, s", "empty: that of the server", "number", "", "off", false}) +=
               submit_button("Set the quota"));
  body += form(visit, action("invite"), submit_button("Make an invitation"));
  return {"users", "Users", {std::move(body), ""}};
}

page::Section published_section(const Visit& visit, const std::vector<Board>& boards) {
  Html body = form(visit, action("rerun"),
                   number_field("Number of a published submission", "id") += submit_button("Run it again"));
  body += form(visit, action("remove"),
               number_field("Number of a submission", "id") +=
               text_field({"why", "Why it is removed", "everybody reads this in its place"}) +=
               submit_button("Remove it"));
  std::vector<Choice> choices;
  for (const Board& board : boards)
    choices.push_back({board.name, fmt::format("{}, version {}", board.name, board.version)});
  if (!choices.empty())
    body += form(visit, action("rerun-board"),
                 select_field({"board", "Board", "all that was judged by former versions"}, choices, "") +=
                 submit_button("Run all of it again"));
  return {"published", "Run again, remove", {std::move(body), ""}};
}

page::Piece copies_piece() {
  return page::paragraph(markup("{}: features and sources of judged submissions beside each other.",
                                link("/operator/copies", "What is alike")));
}

Result<std::vector<page::Section>> operator_sections(const Visit& visit) {
  SubmissionFilter filter;
  filter.in_work_only = filter.with_private = true;
  filter.most = kListedUsers;
  MASH_ASSIGN(const auto waiting, read_submissions(visit.records, filter));
  SubmissionFilter failed;
  failed.failed_only = failed.with_private = true;
  failed.most = kListedFailures;
  MASH_ASSIGN(const auto failures, read_submissions(visit.records, failed));
  MASH_ASSIGN(const auto runners, read_runners(visit.records));
  MASH_ASSIGN(const auto users, read_users(visit.records));
  MASH_ASSIGN(const auto boards, read_boards(visit.records));
  std::vector<double> used;
  for (const User& user : users) {
    MASH_ASSIGN(const double seconds, seconds_used(visit.records, user.id, visit.site.settings.quota_days));
    used.push_back(seconds);
  }
  MASH_ASSIGN(page::Section told, told_section(visit));
  return std::vector<page::Section>{queue_section(visit, waiting),
                                    failures_section(failures),
                                    runners_section(runners),
                                    users_section(visit, users, used),
                                    accounts_section(visit),
                                    published_section(visit, boards),
                                    {"copies", "Copies", copies_piece()},
                                    std::move(told)};
}

Result<User> user_of_form(const Visit& visit) {
  MASH_ASSIGN(const auto user, find_user(visit.records, value_of(visit.form, "name")));
  if (!user) return input_error("name: there is no such user");
  return *user;
}

Status close_user(Visit& visit) {
  MASH_ASSIGN(const User user, user_of_form(visit));
  const std::string_view published = value_of(visit.form, "published");
  if (published != "stays" && published != "removed")
    return input_error("published: found '{}', expected stays or removed", published);
  MASH_TRY(close_account(visit.records, user.id,
                         published == "removed" ? ClosedWork::kIsRemoved : ClosedWork::kStays));
  return Done{};
}

// Does what a form of the page asks for. Errors (kInput): what is wrong in it.
Status act(Visit& visit, const std::string& name) {
  Records& records = visit.records;
  const std::string board(value_of(visit.form, "board"));
  if (name == "rerun-board") {
    const auto num = rerun_board(records, board);
    return num.ok() ? Status(Done{}) : num.error();
  }
  const auto seconds = whole_number_in(value_of(visit.form, "seconds"));
  if (name == "quota") {
    const std::string_view text = value_of(visit.form, "seconds");
    if (!seconds && !text.empty()) return input_error("seconds: found '{}', expected a number", text);
    MASH_ASSIGN(const User user, user_of_form(visit));
    return set_quota(records, user.id, seconds ? std::optional<double>(double(*seconds)) : std::nullopt);
  }
  if (name == "close") return close_user(visit);
  if (name == "rename") {
    MASH_ASSIGN(const User user, user_of_form(visit));
    return rename_user(records, user.id, std::string(value_of(visit.form, "new_name")));
  }
  const auto id = whole_number_in(value_of(visit.form, "id"));
  if (!id) return input_error("id: found '{}', expected a number", value_of(visit.form, "id"));
  if (name == "hold") return hold_submission(records, *id, true);
  if (name == "release") return hold_submission(records, *id, false);
  if (name == "cancel") return cancel_submission(records, *id, CancelledBy::kOperator);
  if (name == "enable") return disable_user(records, *id, false);
  if (name == "disable") return disable_user(records, *id);
  if (name == "remove") return remove_submission(records, *id, std::string(value_of(visit.form, "why")));
  const auto rerun = rerun_submission(records, *id);
  return rerun.ok() ? Status(Done{}) : rerun.error();
}

Response invite(Visit& visit) {
  const std::string secret = make_secret();
  const Status added = add_invitation(visit.records, visit.who->user.id, secret, kInvitationDays);
  if (!added.ok()) return failed(visit, added.error());
  const std::string address = fmt::format("{}/register?invitation={}", site_url(visit), secret);
  const page::Section section{
      "link",
      "The link",
      {markup("<p class=\"secret\">{}</p>\n<p>It lets one person register within {} days, and is shown this "
              "once. {}.</p>\n",
              address, kInvitationDays, link("/operator", "Back")),
       ""}};
  return site_page(visit, "An invitation", markup("Send this address to one person."), {&section, 1}, {},
                   201);
}

}  // namespace

Response show_operator(Visit& visit, const Parts&) {
  const auto who = holder(visit, Scope::kOperate);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const auto sections = operator_sections(visit);
  if (!sections.ok()) return failed(visit, sections.error());
  return site_page(visit, "Operator", markup("The queue, the runners, and the users of this server."),
                   *sections);
}

Response take_operator(Visit& visit, const Parts& parts) {
  constexpr std::array<std::string_view, 12> kActions = {"hold",   "release",     "cancel", "rerun",
                                                         "remove", "disable",     "enable", "quota",
                                                         "invite", "rerun-board", "rename", "close"};
  const auto who = holder(visit, Scope::kOperate);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  if (std::ranges::find(kActions, parts[0]) == kActions.end()) return not_found(visit);
  if (parts[0] == "invite") return invite(visit);
  const Status done = act(visit, parts[0]);
  return done.ok() ? see_other("/operator") : failed(visit, done.error());
}

}  // namespace mash::server
