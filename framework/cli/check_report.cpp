// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/check_report.hpp"

#include "framework/base/utf8.hpp"
#include "framework/cli/json_output.hpp"

namespace mash {
namespace {

using namespace checks;

using Json = nlohmann::ordered_json;

bool wants_advice(const Finding& found) {
  return found.outcome == Outcome::kFail || found.outcome == Outcome::kWarn;
}

std::string_view advice_of(const CheckResult& result) {
  return wants_advice(result.found) ? result.check->advice : "";
}

double total_seconds(const CheckReport& report) {
  double sum = 0;
  for (const CheckResult& result : report.results) sum += result.seconds;
  return sum;
}

std::string name_of(const CheckReport& report) {
  return report.heuristic.empty() ? report.plugin.filename().string() : report.heuristic;
}

Json to_json(const CheckReport& report) {
  Json json{{"heuristic", report.heuristic.empty() ? Json() : Json(report.heuristic)},
            {"plugin", report.plugin.string()},
            {"passed", report.passed()},
            {"checks", Json::array()}};
  for (const CheckResult& result : report.results)
    json["checks"].push_back({{"id", result.check->id},
                              {"level", level_name(result.check->level)},
                              {"result", outcome_name(result.found.outcome)},
                              {"evidence", result.found.evidence},
                              {"advice", advice_of(result)},
                              {"seconds", result.seconds}});
  return json;
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
  const std::string evidence = xml_text(result.found.evidence), advice = xml_text(advice_of(result));
  switch (result.found.outcome) {
    case Outcome::kPass: return fmt::format("<system-out>{}</system-out>", evidence);
    case Outcome::kWarn: return fmt::format("<system-out>warning: {} {}</system-out>", evidence, advice);
    case Outcome::kFail: return fmt::format("<failure message=\"{}\">{}</failure>", evidence, advice);
    case Outcome::kSkip: return fmt::format("<skipped message=\"{}\"/>", evidence);
  }
  return "";
}

}  // namespace

void print_checks(std::span<const Check* const> checks, bool as_json) {
  Json json = Json::array();
  for (const Check* check : checks) {
    if (as_json)
      json.push_back({{"id", check->id},
                      {"level", level_name(check->level)},
                      {"worst", outcome_name(check->worst)},
                      {"what", check->what},
                      {"advice", check->advice}});
    else
      fmt::print("{:<27} {:<12} {:<5} {}\n", check->id, level_name(check->level), outcome_name(check->worst),
                 check->what);
  }
  if (as_json) print_json({{"checks", json}});
}

void print_report(const CheckReport& report, bool quiet) {
  fmt::print("{} ({})\n", name_of(report), report.plugin.string());
  const Check* last = nullptr;
  for (const CheckResult& result : report.results) {
    if (quiet && !wants_advice(result.found)) continue;
    if (last == nullptr || last->level != result.check->level)
      fmt::print("{}\n", level_name(result.check->level));
    last = result.check;
    fmt::print("  {}  {:<27} {}\n", outcome_name(result.found.outcome), result.check->id,
               result.found.evidence);
    if (wants_advice(result.found)) fmt::print("        {:<27} > {}\n", "", result.check->advice);
  }
  fmt::print("{}: {} passed, {} warnings, {} failed, {} skipped in {:.1f} s\n", name_of(report),
             report.count(Outcome::kPass), report.count(Outcome::kWarn), report.count(Outcome::kFail),
             report.count(Outcome::kSkip), total_seconds(report));
}

void print_reports_as_json(std::span<const CheckReport> reports) {
  if (reports.size() == 1) return print_json(to_json(reports[0]));
  Json json{{"passed", true}, {"heuristics", Json::array()}};
  for (const CheckReport& report : reports) {
    json["passed"] = json["passed"].get<bool>() && report.passed();
    json["heuristics"].push_back(to_json(report));
  }
  print_json(json);
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
