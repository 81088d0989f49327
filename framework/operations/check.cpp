// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/check.hpp"

#include <algorithm>

#include "framework/base/require.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/utf8.hpp"
#include "framework/checks/roots.hpp"

namespace mash {

using namespace checks;

namespace {

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

// What a plugin says may be no UTF-8 at all.
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

// The heuristics that are named, each to be checked. settings: seed, cycles and time limit.
Result<std::vector<CheckSubject>> subjects_of(const NamedHeuristic& named,
                                              const std::vector<std::string>& places,
                                              const CheckTarget& settings, const StopFlag& stop) {
  std::vector<std::string> files_or_id = named.places_before({});
  if (files_or_id.empty()) files_or_id = {named.name};
  std::vector<CheckSubject> subjects;
  for (const std::string& one : files_or_id) {
    MASH_ASSIGN(const auto found, find_subjects(one, places, settings, stop));
    subjects.insert(subjects.end(), found.begin(), found.end());
  }
  return subjects;
}

// The same of several names. What compilers print is added to `diagnostics`.
Result<std::vector<CheckSubject>> find_all_subjects(const CheckSettings& settings, const WorkContext& work,
                                                    std::string& diagnostics) {
  std::vector<CheckSubject> subjects;
  for (const std::string& name : settings.names) {
    const auto named = find_named_heuristic(name, work);
    diagnostics += named.diagnostics;
    MASH_ASSIGN(const NamedHeuristic heuristic, named.result);
    MASH_ASSIGN(const auto found, subjects_of(heuristic, settings.heuristics, settings.target, work.stop));
    subjects.insert(subjects.end(), found.begin(), found.end());
  }
  return subjects;
}

Result<CheckReport> check_one(const CheckSubject& subject, std::span<const Check* const> checks,
                              const WorkContext& work) {
  work.progress.start(subject.id.empty() ? subject.target.plugin.filename().string() : subject.id,
                      checks.size(), "checks");
  MASH_ASSIGN(CheckReport report, run_checks(subject, checks, work.progress, work.stop));
  work.progress.finish();
  find_roots(report);
  return report;
}

Result<std::vector<CheckReport>> run_selected(const CheckSettings& settings, const WorkContext& work,
                                              const std::function<void(const CheckReport&)>& on_report,
                                              std::string& diagnostics) {
  MASH_ASSIGN(const auto checks, selected_checks(settings));
  MASH_ASSIGN(const auto subjects, find_all_subjects(settings, work, diagnostics));
  std::vector<CheckReport> reports;
  for (const CheckSubject& subject : subjects) {
    MASH_ASSIGN(reports.emplace_back(), check_one(subject, checks, work));
    on_report(reports.back());
  }
  return reports;
}

std::size_t num_failures(std::span<const CheckResult* const> results) {
  return std::size_t(std::count_if(results.begin(), results.end(),
                                   [](const CheckResult* result) { return result->failed(); }));
}

// "one other check fails", "ten other failures"; digits beyond twelve.
std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  constexpr std::string_view kNames[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                         "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  const std::string number = count < std::size(kNames) ? std::string(kNames[count]) : std::to_string(count);
  return fmt::format("{} {}", number, count == 1 ? one : several);
}

}  // namespace

std::string consequences_in_words(std::size_t count) {
  return counted(count, "other failure follows from it", "other failures follow from it");
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
  const std::size_t num_following = num_failures(consequences_of(report, *root));
  const std::size_t num_others = report.count(Outcome::kFail) - 1 - num_following;
  if (num_following > 0) cause += "; " + consequences_in_words(num_following);
  if (num_others > 0)
    cause += fmt::format("; {} for {} own", counted(num_others, "other check fails", "other checks fail"),
                         num_others == 1 ? "a reason of its" : "reasons of their");
  return cause;
}

Status check_before_trial(const NamedHeuristic& named, const std::vector<std::string>& places, bool anyway,
                          const WorkContext& work, const OnFailedChecks& on_failed) {
  MASH_ASSIGN(const auto subjects, subjects_of(named, places, {}, work.stop));
  if (subjects.size() != 1) return Done{};
  if (!subjects[0].refusal.empty())
    return input_error("{}", subjects[0].refusal).at(subjects[0].target.plugin.string());
  std::vector<const Check*> checks;
  for (const Check& check : all_checks())
    if (check.level <= kLevelBeforeTrial) checks.push_back(&check);
  MASH_ASSIGN(const CheckReport report, check_one(subjects[0], checks, work));
  if (report.passed()) return Done{};
  if (anyway) {
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

}  // namespace mash
