// SPDX-License-Identifier: Apache-2.0
#include "server/http/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "framework/base/hash.hpp"
#include "framework/base/secrets.hpp"
#include "server/http/about/answers.hpp"
#include "server/http/about/rules.hpp"
#include "server/http/accounts/answers.hpp"
#include "server/http/accounts/health.hpp"
#include "server/http/accounts/operator.hpp"
#include "server/http/api/answers.hpp"
#include "server/http/api/openapi_answers.hpp"
#include "server/http/boards/answers.hpp"
#include "server/http/frame/layout.hpp"
#include "server/http/frame/records_pool.hpp"
#include "server/http/frame/session.hpp"
#include "server/http/heuristics/answers.hpp"
#include "server/http/heuristics/feed.hpp"
#include "server/http/heuristics/likeness.hpp"
#include "server/http/submissions/answers.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostNews = 1000;

Response fixed(std::string_view type, std::string_view text) {
  Response response{200, std::string(type), std::string(text)};
  response.headers.emplace_back("Cache-Control", "max-age=3600");
  return response;
}
Response show_style(Visit&, const Parts&) { return fixed("text/css; charset=utf-8", site_style()); }
Response show_script(Visit&, const Parts&) { return fixed("text/javascript; charset=utf-8", live_script()); }

struct Route {
  std::string_view method, pattern;  // {}: any one part; {id}: of a heuristic, "holes" or "ada/holes"
  Response (*answer)(Visit&, const Parts&);
};

constexpr std::array kRoutes = {
    Route{"GET", "/", show_start},
    Route{"GET", "/boards/{}", show_board},
    Route{"GET", "/boards/{}/front.svg", show_front},
    Route{"GET", "/contributors", show_contributors},
    Route{"GET", "/contributors/{}", show_contributor},
    Route{"GET", "/compare", show_compare},
    Route{"GET", "/heuristics/{id}/badge.svg", show_badge},
    Route{"GET", "/heuristics/{id}", show_heuristic},
    Route{"GET", "/feed.atom", show_feed},
    Route{"GET", "/experiments", show_experiments},
    Route{"GET", "/experiments/{}", show_experiment},
    Route{"GET", "/datasets", show_datasets},
    Route{"GET", "/uncovered", show_uncovered},
    Route{"GET", "/rules", show_rules},
    Route{"GET", "/api", show_api},
    Route{"GET", "/submissions", show_submissions},
    Route{"GET", "/submissions/{}", show_submission},
    Route{"GET", "/submissions/{}/report", show_report},
    Route{"GET", "/submissions/{}/report.json", show_report_json},
    Route{"GET", "/submissions/{}/source", show_source},
    Route{"GET", "/submissions/{}/events", tell_events},
    Route{"POST", "/submissions/{}/cancel", take_cancel},
    Route{"GET", "/submit", show_submit},
    Route{"POST", "/submit", take_submit},
    Route{"GET", "/register", show_register},
    Route{"POST", "/register", take_register},
    Route{"GET", "/login", show_login},
    Route{"POST", "/login", take_login},
    Route{"POST", "/logout", take_logout},
    Route{"GET", "/me", show_me},
    Route{"POST", "/me/close", take_close},
    Route{"POST", "/me/password", take_password},
    Route{"POST", "/me/tokens", take_token},
    Route{"POST", "/me/tokens/{}/revoke", take_revoke},
    Route{"GET", "/operator", show_operator},
    Route{"GET", "/operator/copies", show_copies},
    Route{"POST", "/operator/{}", take_operator},
    Route{"GET", "/metrics", show_metrics},
    Route{"GET", "/healthz", show_health},
    Route{"GET", "/healthz.json", tell_health},
    Route{"GET", "/style.css", show_style},
    Route{"GET", "/live.js", show_script},
    Route{"GET", "/api/v1/me", tell_me},
    Route{"GET", "/api/v1/boards", tell_boards},
    Route{"POST", "/api/v1/boards/{}/rerun", api_rerun_board},
    Route{"GET", "/api/v1/leaderboard", tell_leaderboard},
    Route{"GET", "/api/v1/submissions", tell_submissions},
    Route{"POST", "/api/v1/submissions", api_submit},
    Route{"GET", "/api/v1/submissions/{}", tell_submission},
    Route{"GET", "/api/v1/submissions/{}/events", tell_events},
    Route{"GET", "/api/v1/submissions/{}/report", show_report},
    Route{"GET", "/api/v1/submissions/{}/report.json", show_report_json},
    Route{"GET", "/api/v1/submissions/{}/source", show_source},
    Route{"POST", "/api/v1/submissions/{}/cancel", api_cancel},
    Route{"POST", "/api/v1/submissions/{}/hold", api_hold},
    Route{"POST", "/api/v1/submissions/{}/release", api_release},
    Route{"POST", "/api/v1/submissions/{}/rerun", api_rerun},
    Route{"POST", "/api/v1/submissions/{}/remove", api_remove},
    Route{"GET", "/api/v1/heuristics/{id}", tell_heuristic},
    Route{"GET", "/api/v1/openapi.json", tell_openapi},
};

// The open parts, where the path is of this pattern.
std::optional<Parts> matched(std::string_view pattern, const std::vector<std::string>& path) {
  const auto length = std::size_t(std::ranges::count(pattern, '/'));
  Parts parts;
  std::size_t num = 0;
  for (pattern.remove_prefix(1); !pattern.empty(); ++num) {
    const std::string_view part = pattern.substr(0, pattern.find('/'));
    pattern.remove_prefix(std::min(part.size() + 1, pattern.size()));
    if (num == path.size()) return std::nullopt;
    const bool is_id = part == "{id}";
    if (part != "{}" && !is_id && part != path[num]) return std::nullopt;
    if (part == "{}" || is_id) parts.push_back(path[num]);
    if (is_id && path.size() == length + 1) parts.back() += "/" + path[++num];
  }
  return num == path.size() ? std::optional(parts) : std::nullopt;
}

Response no_method(const Visit& visit, std::string_view known) {
  Response response = trouble(visit, 405, "Not possible", fmt::format("Expected {} here.", known));
  response.headers.emplace_back("Allow", known);
  return response;
}

Response dispatch(Visit& visit) {
  std::string known;
  for (const Route& route : kRoutes) {
    const auto parts = matched(route.pattern, visit.request.path);
    if (!parts) continue;
    if (route.method == visit.request.method) return route.answer(visit, *parts);
    known += (known.empty() ? "" : ", ") + std::string(route.method);
  }
  return known.empty() ? not_found(visit) : no_method(visit, known);
}

Response answer_with(Records& records, const Request& request, SiteParts& site) {
  Visit visit{records, request, site};
  if (const Status known = know_visitor(visit); !known.ok()) return failed(visit, known.error());
  if (const auto refused = read_page_form(visit))
    return is_of_former_session(visit) && request.target == "/submit" ? show_submit_again(visit) : *refused;
  Response response = dispatch(visit);
  if (response.body.size() > kMaxPageBytes)
    response = trouble(visit, 500, "Too large", "This page is larger than this server sends.");
  if (visit.who) response.user = visit.who->user.name;
  return response;
}

}  // namespace

struct Site::Store {
  Store(const std::filesystem::path& database, const SiteSettings& settings, Meters* meters)
      : pool(database) {
    parts.settings = settings;
    if (settings.store.empty()) parts.settings.store = database.parent_path() / "store";
    parts.database = database.string();
    parts.meters = meters;
  }
  RecordsPool pool;
  SiteParts parts;
};

Result<Site> Site::open(const std::filesystem::path& database, const SiteSettings& settings, Meters* meters) {
  auto store = std::make_shared<Store>(database, settings, meters);
  // Slow parts are made before anybody waits for them.
  MASH_ASSIGN(const Status warm, store->pool.with([&](Records& records) -> Status {
    MASH_ASSIGN(const std::vector<Board> boards, read_boards(records));
    for (const Board& board : boards) MASH_TRY(store->parts.boards.stand(records, board));
    return Done{};
  }));
  MASH_TRY(warm);
  return Site(std::move(store));
}

Response Site::answer(const Request& request) {
  auto response =
      store_->pool.with([&](Records& records) { return answer_with(records, request, store_->parts); });
  if (response.ok()) return *std::move(response);
  return {503, "text/plain; charset=utf-8", "the records cannot be read now; try again in a minute\n"};
}

std::vector<News> Site::news(std::int64_t after_id) {
  const auto events = store_->pool.with(
      [&](Records& records) { return read_events(records, after_id, std::nullopt, kMostNews); });
  std::vector<News> news;
  if (!events.ok() || !events->ok()) return news;
  for (const SubmissionEvent& event : **events)
    news.push_back({event.submission_id, event.id, sent_event(event), is_final(event.state)});
  return news;
}

std::vector<std::string> routes_below(std::string_view beginning) {
  std::vector<std::string> routes;
  for (const Route& route : kRoutes)
    if (route.pattern.starts_with(beginning)) {
      std::string pattern(route.pattern);
      if (const std::size_t id = pattern.find("{id}"); id != std::string::npos) pattern.replace(id, 4, "{}");
      routes.push_back(fmt::format("{} {}", route.method, pattern));
    }
  return routes;
}

}  // namespace mash::server
