// SPDX-License-Identifier: Apache-2.0
#include "server/http/accounts/answers.hpp"

#include <fmt/format.h>

#include "framework/base/number.hpp"
#include "framework/base/secrets.hpp"
#include "framework/base/utf8.hpp"
#include "framework/render/wording.hpp"
#include "server/http/frame/intake.hpp"
#include "server/http/frame/layout.hpp"
#include "server/http/frame/session.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kLeastPassword = 10, kMostPassword = 200, kMaxLabel = 60;
constexpr int kTokenDays = 365;
constexpr std::size_t kListedTokens = 20;

// Where somebody goes after they logged in: a page of this site, and of no other.
std::string local_address(std::string_view to) {
  const bool is_local = to.starts_with("/") && !to.starts_with("//") && is_line_of_text(to) &&
                        to.find('\t') == std::string_view::npos && to.find('\\') == std::string_view::npos;
  return is_local ? std::string(to) : "/me";
}

Response one_form(const Visit& visit, std::string_view heading, const Html& lead, page::Piece body,
                  int status = 200) {
  const page::Section section{"form", heading, std::move(body)};
  return site_page(visit, heading, lead, {&section, 1}, {}, status);
}

page::Piece problem(std::string_view text) {
  return text.empty() ? page::Piece{} : page::headline(text, "bad");
}

Response register_page(const Visit& visit, std::string_view trouble_text, int status) {
  if (visit.site.settings.registration == Registration::kClosed)
    return trouble(visit, 403, "No new accounts", "This server takes no new contributors. Ask its operator.");
  Html fields;
  if (visit.site.settings.registration == Registration::kInvitation)
    fields += text_field(
        {"invitation", "Invitation", "the code that an operator gave you", "text",
         visit.form.empty() ? visit.request.value("invitation") : value_of(visit.form, "invitation")});
  fields += text_field({"name", "Name", "2 to 32 letters, digits and hyphens; everybody sees it", "text",
                        value_of(visit.form, "name"), "username"});
  fields += text_field({"password", "Password", "at least 10 characters", "password", "", "new-password"});
  fields += submit_button("Register");
  page::Piece body = problem(trouble_text);
  body += page::Piece{form(visit, "/register", fields), ""};
  return one_form(visit, "Register",
                  markup("With an account you submit heuristics. Have one? {}.", link("/login", "Log in")),
                  std::move(body), status);
}

Response login_page(const Visit& visit, std::string_view trouble_text, int status) {
  Html fields = text_field({"name", "Name", "", "text", value_of(visit.form, "name"), "username"});
  fields += text_field({"password", "Password", "or a token of yours", "password", "", "current-password"});
  fields +=
      markup("<input type=\"hidden\" name=\"to\" value=\"{}\">\n",
             local_address(visit.form.empty() ? visit.request.value("to") : value_of(visit.form, "to")));
  fields += submit_button("Log in");
  page::Piece body = problem(trouble_text);
  body += page::Piece{form(visit, "/login", fields), ""};
  return one_form(visit, "Log in", markup("No account yet? {}.", link("/register", "Register")),
                  std::move(body), status);
}

// Passwords are hashed one at a time: each takes 64 MiB and all cores.
Response wait_for_turn() {
  Response response;
  response.wants_turn = true;
  return response;
}

Status check_password(std::string_view password) {
  if (num_code_points(password) >= kLeastPassword && password.size() <= kMostPassword) return Done{};
  return input_error("password: expected {} to {} characters", kLeastPassword, kMostPassword);
}

bool registration_is_open(const Visit& visit) {
  return visit.site.settings.registration == Registration::kOpen;
}

// All that can be said without work that somebody else would wait for.
Status check_contributor(const Visit& visit) {
  MASH_TRY(check_password(value_of(visit.form, "password")));
  if (registration_is_open(visit)) return Done{};
  return check_invitation(visit.records, value_of(visit.form, "invitation"));
}

Result<std::int64_t> add_contributor(Visit& visit) {
  MASH_ASSIGN(const std::string hash, hash_password(value_of(visit.form, "password")));
  const User user{0, std::string(value_of(visit.form, "name")), std::string(kContributorRole), hash};
  if (registration_is_open(visit)) return add_user(visit.records, user);
  return accept_invitation(visit.records, user, value_of(visit.form, "invitation"));
}

// A hash that no password has, so that an unknown name takes as long as a known one.
const std::string& nobodys_hash() {
  static const std::string hash = [] {
    const auto made = hash_password(make_secret());
    return made.ok() ? *made : std::string();
  }();
  return hash;
}

// Whether it is the password of the user. Takes as long where there is none to compare with.
bool has_password(const std::optional<User>& user, std::string_view password) {
  const bool is_known = user && !user->password_hash.empty();
  const bool matches = matches_password(is_known ? user->password_hash : nobodys_hash(), password);
  return matches && is_known;
}

// Rights by a token in place of the password; nothing where it is none of the user.
Result<std::optional<Scope>> scope_of_token(const Visit& visit, const std::optional<User>& user) {
  MASH_ASSIGN(const auto holder, find_holder(visit.records, value_of(visit.form, "password")));
  const bool is_theirs = user && holder && holder->user.id == user->id && holder->token.kind == "api";
  return is_theirs ? std::optional(holder->token.scope) : std::nullopt;
}

page::Section tokens_section(const Visit& visit, const std::vector<Token>& tokens) {
  Html body = markup(
      "<p>A token lets a program act for you: <code>mash submit</code> reads it from "
      "<code>MASH_TOKEN</code>. It "
      "is shown once.</p>\n");
  if (!tokens.empty()) {
    Html rows;
    for (const Token& token : tokens)
      rows += markup(
          "<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"name\">{}</td><td "
          "class=\"name\">{}</td><td>{}</td></tr>\n",
          token.label, word_of(token.scope), token.expires_at,
          button_form(visit, fmt::format("/me/tokens/{}/revoke", token.id),
                      fmt::format("Revoke {}", token.label)));
    body += page::scrollable(
        "Your tokens",
        markup("<table><caption>Your tokens.</caption><thead><tr><th scope=\"col\" "
               "class=\"name\">name</th><th scope=\"col\" class=\"name\">lets its holder</th><th "
               "scope=\"col\" class=\"name\">until (UTC)</th><th scope=\"col\" "
               "class=\"name\">revoke</th></tr></thead><tbody>{}</tbody></table>",
               rows));
  }
  std::vector<Choice> scopes = {{"submit", "submit heuristics"}, {"read", "read only"}};
  if (visit.is_operator()) scopes.push_back({"operate", "operate the server"});
  body +=
      form(visit, "/me/tokens",
           text_field({"label", "Name of a new token", "such as the machine that will use it"}) +=
           select_field({"scope", "It lets its holder"}, scopes, "submit") += submit_button("Make a token"));
  return {"tokens", "Tokens", {std::move(body), ""}};
}

page::Section password_section(const Visit& visit, const User& user) {
  if (user.password_hash.empty())
    return {"password", "Password",
            page::paragraph(markup("You have none: you log in with a token. An operator can give you one."))};
  Html fields = text_field({"old_password", "Present password", "", "password", "", "current-password"});
  fields += text_field({"password", "New password", "at least 10 characters; ends your sessions elsewhere",
                        "password", "", "new-password"});
  fields += submit_button("Change the password");
  return {"password", "Password", {form(visit, "/me/password", fields), ""}};
}

constexpr std::string_view kStays = "stays", kIsRemoved = "removed";

page::Section close_section(const Visit& visit, const User& user) {
  page::Piece body = page::paragraph(markup(
      "For good: your password, tokens and sessions are forgotten, and your name is shown no more. "
      "Nobody else can take it. What waits is cancelled, and what is not published is removed with its "
      "sources. What is published keeps its ids, licences and ranks."));
  if (user.password_hash.empty()) {
    body += page::paragraph(markup("You log in with a token, so ask an operator to close the account."));
    return {"close", "Close the account", std::move(body), true};
  }
  const Choice choices[] = {
      {std::string(kStays), fmt::format("stays, by {}{}", kClosedName, user.id)},
      {std::string(kIsRemoved), "is removed: nobody sees its sources and reports any more"}};
  Html fields = select_field({"published", "What you published"}, choices, kStays);
  fields += text_field({"password", "Present password", "", "password", "", "current-password"});
  fields += submit_button("Close my account for good");
  body += page::Piece{form(visit, "/me/close", fields), ""};
  return {"close", "Close the account", std::move(body), true};
}

page::Section quota_section(const Visit& visit, const Quota& quota) {
  const page::KeyFigure figures[] = {
      {"compute time used", fmt::format("{:.0f} s", shown_seconds(quota.used)),
       fmt::format("of {:.0f} s in {} day(s)", quota.seconds, visit.site.settings.quota_days)},
      {"in work", std::to_string(quota.num_waiting),
       fmt::format("at most {}", visit.site.settings.most_waiting)}};
  page::Piece body = page::key_figures(figures);
  body +=
      page::note("What fails by the server's fault, and what an operator has run again, costs you nothing.");
  return {"quota", "What you may use", std::move(body)};
}

page::Section own_section(const std::vector<Submission>& submissions) {
  std::vector<Html> items;
  for (const Submission& one : submissions)
    items.push_back(markup("{} {}, for {}: {}",
                           link(fmt::format("/submissions/{}", one.id), fmt::format("{}", one.id)),
                           name_of(one), one.board, word_of(one.state)));
  return {"own", "Your latest submissions",
          items.empty() ? page::paragraph(markup("None yet: {}.", link("/submit", "submit the first")))
                        : page::list(items)};
}

Result<std::vector<page::Section>> account_sections(Visit& visit, const User& user) {
  MASH_ASSIGN(const Quota quota, quota_of(visit, user));
  MASH_ASSIGN(const auto tokens, read_tokens(visit.records, user.id));
  SubmissionFilter filter;
  filter.user_id = user.id;
  filter.with_private = true;
  filter.most = kListedTokens;
  MASH_ASSIGN(const auto submissions, read_submissions(visit.records, filter));
  return std::vector<page::Section>{
      own_section(submissions),      quota_section(visit, quota),
      tokens_section(visit, tokens), password_section(visit, user),
      close_section(visit, user),    {"end", "Log out", {button_form(visit, "/logout", "Log out"), ""}}};
}

// The user who has logged in: a token makes and revokes no others.
std::variant<TokenHolder, Response> session_holder(const Visit& visit) {
  auto who = holder(visit, Scope::kSubmit);
  if (const auto* found = std::get_if<TokenHolder>(&who); found != nullptr && found->token.kind != "session")
    return trouble(visit, 403, "Not allowed", "Log in to make or revoke tokens.");
  return who;
}

// Nothing: it was none of both.
std::optional<ClosedWork> closed_work_of(std::string_view word) {
  if (word == kStays) return ClosedWork::kStays;
  return word == kIsRemoved ? std::optional(ClosedWork::kIsRemoved) : std::nullopt;
}

Response closed_page(Visit& visit, const ClosedAccount& closed) {
  visit.who.reset();
  visit.form_token.clear();
  const page::Section section{
      "closed", "What became of it",
      page::paragraph(
          markup("{} published {} by {}; {} removed.", closed.num_published,
                 closed.num_published == 1 ? "submission stands" : "submissions stand", closed.name,
                 counted(std::size_t(closed.num_removed), "submission was", "submissions were")))};
  Response response = site_page(visit, "Account closed", markup("Your account is closed."), {&section, 1});
  forget_cookie(visit, response);
  return response;
}

Response log_in(Visit& visit, const User& user, Scope scope) {
  auto response = begin_session(visit, user, scope, local_address(value_of(visit.form, "to")));
  return response.ok() ? *std::move(response) : failed(visit, response.error());
}

}  // namespace

Response show_register(Visit& visit, const Parts&) { return register_page(visit, "", 200); }

Response take_register(Visit& visit, const Parts&) {
  if (visit.site.settings.registration == Registration::kClosed) return register_page(visit, "", 403);
  const auto refused = [&](const Error& error) {
    return is_of_the_request(visit, error) ? register_page(visit, error.message, 422) : failed(visit, error);
  };
  if (const Status checked = check_contributor(visit); !checked.ok()) return refused(checked.error());
  if (!visit.request.has_turn) return wait_for_turn();
  const auto added = add_contributor(visit);
  if (!added.ok()) return refused(added.error());
  const auto user = find_user(visit.records, value_of(visit.form, "name"));
  if (!user.ok() || !user->has_value()) return not_found(visit);
  auto response = begin_session(visit, **user, Scope::kSubmit, "/me");
  return response.ok() ? *std::move(response) : failed(visit, response.error());
}

Response show_login(Visit& visit, const Parts&) { return login_page(visit, "", 200); }

Response take_login(Visit& visit, const Parts&) {
  const auto user = find_user(visit.records, value_of(visit.form, "name"));
  if (!user.ok()) return failed(visit, user.error());
  const auto scope = scope_of_token(visit, *user);
  if (!scope.ok()) return failed(visit, scope.error());
  if (*scope) return log_in(visit, **user, **scope);
  if (!visit.request.has_turn) return wait_for_turn();
  if (!has_password(*user, value_of(visit.form, "password")))
    return login_page(visit, "Name and password do not belong together.", 401);
  if ((*user)->is_disabled) return login_page(visit, "This account is disabled by an operator.", 403);
  return log_in(visit, **user, (*user)->role == kOperatorRole ? Scope::kOperate : Scope::kSubmit);
}

Response take_logout(Visit& visit, const Parts&) { return end_session(visit); }

Response show_me(Visit& visit, const Parts&) {
  const auto who = holder(visit, Scope::kRead);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const User& user = std::get<TokenHolder>(who).user;
  const auto sections = account_sections(visit, user);
  if (!sections.ok()) return failed(visit, sections.error());
  return site_page(visit, user.name, markup("Your account: you are {} here.", user.role), *sections);
}

Response take_token(Visit& visit, const Parts&) {
  const auto who = session_holder(visit);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const auto& [user, session] = std::get<TokenHolder>(who);
  const std::string label(value_of(visit.form, "label"));
  if (label.empty() || label.size() > kMaxLabel || !is_line_of_text(label))
    return trouble(visit, 422, "Not taken",
                   fmt::format("A token needs a name of at most {} bytes.", kMaxLabel));
  const auto scope = parse_scope(value_of(visit.form, "scope"));
  if (!scope.ok()) return failed(visit, scope.error());
  if (*scope > session.scope)
    return trouble(visit, 403, "Not allowed", "You may not give more than you have.");
  const std::string secret = make_secret();
  const auto added = add_token(visit.records, user.id, {.scope = *scope, .label = label}, secret, kTokenDays);
  if (!added.ok()) return failed(visit, added.error());
  page::Piece body{markup("<p class=\"secret\">{}</p>\n", secret), ""};
  body += page::paragraph(markup("Keep it now: it is shown this once, and kept here only as a hash. {}.",
                                 link("/me", "Back to your account")));
  return one_form(visit, "A new token", markup("{}", label), std::move(body), 201);
}

Response take_password(Visit& visit, const Parts&) {
  const auto who = session_holder(visit);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const auto& [user, session] = std::get<TokenHolder>(who);
  const std::string_view password = value_of(visit.form, "password");
  if (const Status checked = check_password(password); !checked.ok())
    return trouble(visit, 422, "Not taken", checked.error().message);
  if (user.password_hash.empty())
    return trouble(visit, 403, "Not allowed", "You have no password. An operator can give you one.");
  if (!visit.request.has_turn) return wait_for_turn();
  if (!has_password(user, value_of(visit.form, "old_password")))
    return trouble(visit, 403, "Not allowed", "The present password is another one.");
  const auto hash = hash_password(password);
  if (!hash.ok()) return failed(visit, hash.error());
  const Status changed = set_password(visit.records, user.id, *hash);
  if (!changed.ok()) return failed(visit, changed.error());
  auto response = begin_session(visit, user, session.scope, "/me");
  return response.ok() ? *std::move(response) : failed(visit, response.error());
}

Response take_close(Visit& visit, const Parts&) {
  const auto who = session_holder(visit);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const User& user = std::get<TokenHolder>(who).user;
  const auto work = closed_work_of(value_of(visit.form, "published"));
  if (!work) return trouble(visit, 422, "Not taken", "published: expected stays or removed");
  if (user.password_hash.empty())
    return trouble(visit, 403, "Not allowed", "You have no password. Ask an operator to close the account.");
  if (!visit.request.has_turn) return wait_for_turn();
  if (!has_password(user, value_of(visit.form, "password")))
    return trouble(visit, 403, "Not allowed", "The present password is another one.");
  const auto closed = close_account(visit.records, user.id, *work);
  return closed.ok() ? closed_page(visit, *closed) : failed(visit, closed.error());
}

// Ends the sessions of the user as well, which may have begun with the token, and begins this one again.
Response take_revoke(Visit& visit, const Parts& parts) {
  const auto who = session_holder(visit);
  if (const auto* refused = std::get_if<Response>(&who)) return *refused;
  const auto& [user, session] = std::get<TokenHolder>(who);
  const auto id = whole_number_in(parts[0]);
  if (!id) return not_found(visit);
  Status revoked = revoke_token(visit.records, user.id, *id);
  if (revoked.ok()) revoked = revoke_tokens(visit.records, user.id, "session");
  if (!revoked.ok()) return failed(visit, revoked.error());
  auto response = begin_session(visit, user, session.scope, "/me");
  return response.ok() ? *std::move(response) : failed(visit, response.error());
}

}  // namespace mash::server
