// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "framework/base/require.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/utf8.hpp"
#include "framework/checks/roots.hpp"
#include "framework/checks/sanitized.hpp"
#include "framework/operations/workshop/sanitized_build.hpp"
#include "framework/render/wording.hpp"

namespace mash {

using namespace checks;

namespace {

using Json = nlohmann::ordered_json;

Json report_json(const CheckReport& report) {
  Json json{{"heuristic", report.heuristic.empty() ? Json() : Json(report.heuristic)},
            {"plugin", report.plugin.string()},
            {"passed", report.passed()},
            {"cause", report.passed() ? Json() : Json(cause_of(report))},
            {"log", report.log},
            {"checks", Json::array()}};
  for (const CheckResult& result : report.results) {
    json["checks"].push_back({{"id", result.check->id},
                              {"level", level_name(result.check->level)},
                              {"result", outcome_name(result.found.outcome)},
                              {"evidence", result.found.evidence},
                              {"advice", advice_of(result)},
                              {"follows_from", result.follows_from ? Json(result.follows_from->id) : Json()},
                              {"seconds", result.seconds}});
    if (!result.found.place.empty()) json["checks"].back()["place"] = result.found.place;
  }
  return json;
}

bool contains(std::span<const Check* const> list, const Check& check) {
  return std::find(list.begin(), list.end(), &check) != list.end();
}

Result<std::vector<const Check*>> find_checks(std::span<const std::string> ids) {
  std::vector<const Check*> found;
  for (const std::string& id : ids) {
    MASH_ASSIGN(found.emplace_back(), find_check(id));
  }
  return found;
}

// A byte of a text as XML may hold it.
std::string xml_byte(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return static_cast<unsigned char>(c) < 0x20 ? " " : std::string(1, c);
  }
}

// A plugin's text may be no UTF-8 at all.
std::string xml_text(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t num_good = utf8_prefix(text);
    for (const char c : text.substr(0, num_good)) safe += xml_byte(c);
    if (num_good < text.size()) safe += '?';
    text.remove_prefix(std::min(num_good + 1, text.size()));
  }
  return safe;
}

std::string xml_result(const CheckResult& result) {
  const std::string evidence = xml_text(result.found.evidence);
  const std::string advice = result.follows_from == nullptr
                                 ? xml_text(advice_of(result))
                                 : fmt::format("It follows from {}.", result.follows_from->id);
  switch (result.found.outcome) {
    case Outcome::kPass: return fmt::format("<system-out>{}</system-out>", evidence);
    case Outcome::kWarn: return fmt::format("<system-out>warning: {} {}</system-out>", evidence, advice);
    case Outcome::kFail: return fmt::format("<failure message=\"{}\">{}</failure>", evidence, advice);
    case Outcome::kSkip: return fmt::format("<skipped message=\"{}\"/>", evidence);
  }
  return "";
}

// The heuristics that are named, each to be checked. settings: seed, cycles, time limit, isolation.
Result<std::vector<CheckSubject>> subjects_of(const NamedHeuristic& named,
                                              const std::vector<std::string>& places,
                                              const CheckTarget& settings, const WorkContext& work) {
  std::vector<std::string> files_or_id = named.places_before({});
  if (files_or_id.empty()) files_or_id = {named.name};
  std::vector<CheckSubject> subjects;
  for (const std::string& one : files_or_id) {
    MASH_ASSIGN(const auto found, find_subjects(one, places, settings, work));
    subjects.insert(subjects.end(), found.begin(), found.end());
  }
  return subjects;
}

// Heuristics of one name, with what is built to check them.
struct Subjects {
  std::vector<CheckSubject> subjects;
  std::unique_ptr<SanitizedBuild> sanitized = {};  // null where it adds nothing
};

// The heuristics of all names. What compilers print is added to `diagnostics`.
Result<std::vector<Subjects>> find_all_subjects(const CheckSettings& settings, bool with_sanitizers,
                                                const WorkContext& work, std::string& diagnostics) {
  std::vector<Subjects> all;
  for (const std::string& name : settings.names) {
    const auto named = find_named_heuristic(name, settings.target.isolation, work);
    diagnostics += named.diagnostics;
    MASH_ASSIGN(const NamedHeuristic heuristic, named.result);
    Subjects subjects;
    MASH_ASSIGN(subjects.subjects, subjects_of(heuristic, settings.heuristics, settings.target, work));
    if (with_sanitizers && heuristic.source) {
      MASH_ASSIGN(subjects.sanitized, SanitizedBuild::start(heuristic));
    }
    all.push_back(std::move(subjects));
  }
  return all;
}

bool is_sanitizers_check(const Check* check) { return check->id == kSanitizersCheck; }

// Puts what the sanitizers find in its place among the other results.
Status add_sanitized(SanitizedBuild& build, const CheckTarget& target, const StopFlag& stop,
                     CheckReport& report) {
  CheckTarget limited = target;
  limited.time_limit_s = limit_of_next(report, target.time_limit_s);
  MASH_ASSIGN(CheckResult result, build.check(limited, stop));
  const auto is_earlier = [](const CheckResult& one, const CheckResult& other) {
    return one.check < other.check;
  };
  const auto place = std::upper_bound(report.results.begin(), report.results.end(), result, is_earlier);
  report.results.insert(place, std::move(result));
  return Done{};
}

Result<CheckReport> check_one(const CheckSubject& subject, std::vector<const Check*> checks,
                              SanitizedBuild* sanitized, const WorkContext& work) {
  work.progress.start(subject.id.empty() ? subject.target.plugin.filename().string() : subject.id,
                      checks.size(), "checks");
  if (!subject.refusal.empty()) sanitized = nullptr;
  if (sanitized != nullptr) std::erase_if(checks, is_sanitizers_check);
  MASH_ASSIGN(CheckReport report, run_checks(subject, checks, work.progress, work.stop));
  if (sanitized != nullptr) MASH_TRY(add_sanitized(*sanitized, subject.target, work.stop, report));
  work.progress.finish();
  find_roots(report);
  return report;
}

Result<std::vector<CheckReport>> run_selected(const CheckSettings& settings, const WorkContext& work,
                                              const std::function<void(const CheckReport&)>& on_report,
                                              std::string& diagnostics) {
  MASH_ASSIGN(const auto checks, selected_checks(settings));
  // They would be built and run outside of a box.
  const bool with_sanitizers = settings.target.isolation != Isolation::kBox &&
                               std::any_of(checks.begin(), checks.end(), is_sanitizers_check);
  MASH_ASSIGN(const auto named, find_all_subjects(settings, with_sanitizers, work, diagnostics));
  std::vector<CheckReport> reports;
  for (const auto& [subjects, sanitized] : named)
    for (const CheckSubject& subject : subjects) {
      MASH_ASSIGN(reports.emplace_back(), check_one(subject, checks, sanitized.get(), work));
      on_report(reports.back());
    }
  return reports;
}

// Whether the sanitizers may know where the fault is.
bool is_of_memory(const CheckReport& report) {
  return std::any_of(report.results.begin(), report.results.end(), [](const CheckResult& result) {
    return result.found.symptom == Symptom::kOutside || result.found.symptom == Symptom::kCrash;
  });
}

std::size_t num_failures(std::span<const CheckResult* const> results) {
  return std::size_t(std::count_if(results.begin(), results.end(),
                                   [](const CheckResult* result) { return result->failed(); }));
}

// "one other check fails", "ten other failures"; digits beyond twelve.
std::string in_words(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", number_in_words(count), count == 1 ? one : several);
}

}  // namespace

std::string consequences_in_words(std::size_t count) {
  return in_words(count, "other failure follows from it", "other failures follow from it");
}

Result<std::vector<const Check*>> selected_checks(const CheckSettings& settings) {
  const auto level = std::find(std::begin(kLevelNames), std::end(kLevelNames), settings.level);
  if (level == std::end(kLevelNames)) return unknown_name("level", settings.level, kLevelNames);
  MASH_ASSIGN(const auto only, find_checks(settings.only));
  MASH_ASSIGN(const auto skip, find_checks(settings.skip));
  std::vector<const Check*> selected;
  for (const Check& check : all_checks()) {
    const bool is_wanted =
        only.empty() ? check.level <= Level(level - std::begin(kLevelNames)) : contains(only, check);
    if (is_wanted && !contains(skip, check)) selected.push_back(&check);
  }
  if (selected.empty()) return input_error("only, skip and level leave no check to run");
  return selected;
}

Diagnosed<std::vector<CheckReport>> check_heuristics(
    const CheckSettings& settings, const WorkContext& work,
    const std::function<void(const CheckReport&)>& on_report) {
  std::string diagnostics;
  auto reports = run_selected(settings, work, on_report, diagnostics);
  return {std::move(reports), std::move(diagnostics)};
}

std::string cause_of(const CheckReport& report) {
  const CheckResult* root = main_cause(report);
  require(root != nullptr, "cause_of: a report that did not pass");
  const std::string& evidence = root->found.evidence;
  const bool says_what_it_does = evidence.starts_with("reads ") || evidence.starts_with("writes ");
  std::string cause = name_of(report);
  cause += says_what_it_does ? " " : fmt::format(" fails {}: ", root->check->id);
  cause += evidence;
  if (root->found.symptom == Symptom::kTimeout)
    cause += ", by an endless loop or by work that grows faster than the picture";
  if (const std::string place = place_of(report, *root); !place.empty() && root->found.place.empty())
    cause += ", at " + place;
  const std::size_t num_following = num_failures(consequences_of(report, *root));
  const std::size_t num_others = report.count(Outcome::kFail) - 1 - num_following;
  if (num_following > 0) cause += "; " + consequences_in_words(num_following);
  if (num_others > 0)
    cause += fmt::format("; {} for {} own", in_words(num_others, "other check fails", "other checks fail"),
                         num_others == 1 ? "a reason of its" : "reasons of their");
  return cause;
}

Status check_before_trial(const NamedHeuristic& named, const HeuristicInfo& heuristic, const BeforeTrial& how,
                          const WorkContext& work, const OnFailedChecks& on_failed) {
  CheckSubject subject{
      {.plugin = heuristic.plugin, .heuristic_idx = heuristic.idx_in_plugin}, heuristic.id, ""};
  if (how.isolation == Isolation::kBox) subject.target.isolation = how.isolation;
  subject.target.values = how.values;
  std::vector<const Check*> checks;
  for (const Check& check : all_checks())
    if (check.level <= kLevelBeforeTrial && !is_sanitizers_check(&check)) checks.push_back(&check);
  MASH_ASSIGN(CheckReport report, check_one(subject, checks, nullptr, work));
  if (report.passed()) return Done{};
  if (named.source && how.isolation != Isolation::kBox && is_of_memory(report)) {
    MASH_ASSIGN(const auto sanitized, SanitizedBuild::start(named));
    MASH_TRY(add_sanitized(*sanitized, subject.target, work.stop, report));
    find_roots(report);
  }
  if (how.anyway) {
    work.remarks.warn(cause_of(report));
    return Done{};
  }
  on_failed(report);
  return failure("{}", cause_of(report));
}

double total_seconds(const CheckReport& report) {
  double sum = 0;
  for (const CheckResult& result : report.results) sum += result.seconds;
  return sum;
}

std::string name_of(const CheckReport& report) {
  return report.heuristic.empty() ? report.plugin.filename().string() : report.heuristic;
}

std::string junit_document(std::span<const CheckReport> reports) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const CheckReport& report : reports) {
    xml +=
        fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
                    xml_text(name_of(report)), report.results.size(), report.count(Outcome::kFail),
                    report.count(Outcome::kSkip), total_seconds(report));
    for (const CheckResult& result : report.results)
      xml +=
          fmt::format("<testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">{}</testcase>\n",
                      level_name(result.check->level), result.check->id, result.seconds, xml_result(result));
    xml += "</testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

Json to_json(std::span<const CheckReport> reports) {
  if (reports.size() == 1) return report_json(reports[0]);
  Json json{{"passed", true}, {"heuristics", Json::array()}};
  for (const CheckReport& report : reports) {
    json["passed"] = json["passed"].get<bool>() && report.passed();
    json["heuristics"].push_back(report_json(report));
  }
  return json;
}

Json to_json(std::span<const Check* const> checks) {
  Json list = Json::array();
  for (const Check* check : checks)
    list.push_back({{"id", check->id},
                    {"level", level_name(check->level)},
                    {"worst", outcome_name(check->worst)},
                    {"what", check->what},
                    {"advice", check->advice}});
  return {{"checks", list}};
}

}  // namespace mash
