// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>

#include "framework/base/file.hpp"
#include "framework/checks/roots.hpp"
#include "framework/cli/heuristic.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/experiment/heuristic_settings.hpp"
#include "framework/operations/workshop/check.hpp"

namespace mash {
namespace {

using namespace checks;

constexpr std::size_t kMostAlike = 3;  // checks that were skipped alike, in lines of their own

struct CheckOptions {
  OutputOptions output;
  CheckSettings check;
  std::vector<std::string> own;  // --setting
  std::string junit;
  bool list = false;
};

Status print_checks(const CheckOptions& options) {
  MASH_ASSIGN(const auto checks, selected_checks(options.check));
  if (options.output.json) {
    print_json(to_json(checks));
    return Done{};
  }
  for (const Check* check : checks)
    fmt::print("{:<27} {:<12} {:<5} {}\n", check->id, level_name(check->level), outcome_name(check->worst),
               check->what);
  return Done{};
}

// The lines below a result: what to do, and what follows from it.
void print_more(const CheckReport& report, const CheckResult& result) {
  constexpr int kIndent = 36;
  if (const std::string place = place_of(report, result); !place.empty() && result.found.place.empty())
    fmt::print("{:{}}at {}\n", "", kIndent, place);
  if (const std::string_view advice = advice_of(result); !advice.empty())
    fmt::print("{:{}}> {}\n", "", kIndent, advice);
  std::vector<std::string_view> failures, warnings;
  for (const CheckResult* other : consequences_of(report, result))
    (other->failed() ? failures : warnings).push_back(other->check->id);
  if (!failures.empty())
    fmt::print("{:{}}{}: {}\n", "", kIndent, consequences_in_words(failures.size()),
               fmt::join(failures, ", "));
  if (!warnings.empty())
    fmt::print("{:{}}and what these warn of: {}\n", "", kIndent, fmt::join(warnings, ", "));
}

// The results from `first` on that were skipped for the same reason.
std::size_t num_skipped_alike(const CheckReport& report, std::size_t first) {
  const auto is_alike = [&](const CheckResult& result) {
    return result.found.outcome == Outcome::kSkip &&
           result.found.evidence == report.results[first].found.evidence;
  };
  const auto begin = report.results.begin() + std::ptrdiff_t(first);
  return std::size_t(std::find_if_not(begin, report.results.end(), is_alike) - begin);
}

// A line for each check, by level, or one for many that were skipped for the same reason; what follows from a
// failure below that, and a summary. quiet: only what fails or warns.
void print_check(const CheckReport& report, bool quiet) {
  fmt::print("{} ({})\n", name_of(report), report.plugin.string());
  const Check* last = nullptr;
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const CheckResult& result = report.results[i];
    if (result.follows_from != nullptr || (quiet && advice_of(result).empty())) continue;
    if (const std::size_t num_alike = num_skipped_alike(report, i); num_alike > kMostAlike) {
      const Check* const end = report.results[i + num_alike - 1].check;
      if (end->level != result.check->level)
        fmt::print("{} to {}\n", level_name(result.check->level), level_name(end->level));
      else if (last == nullptr || last->level != end->level)
        fmt::print("{}\n", level_name(end->level));
      fmt::print("  skip  {:<27} {}\n", fmt::format("{} checks", num_alike), result.found.evidence);
      i += num_alike - 1;
      last = end;
      continue;
    }
    if (last == nullptr || last->level != result.check->level)
      fmt::print("{}\n", level_name(result.check->level));
    last = result.check;
    fmt::print("  {}  {:<27} {}\n", outcome_name(result.found.outcome), result.check->id,
               result.found.evidence);
    print_more(report, result);
  }
  if (!report.log.empty() && !quiet) {
    fmt::print("log\n");
    for (const std::string& line : report.log) fmt::print("  {}\n", line);
  }
  fmt::print("{}: {} passed, {} warnings, {} failed, {} skipped in {:.1f} s\n", name_of(report),
             report.count(Outcome::kPass), report.count(Outcome::kWarn), report.count(Outcome::kFail),
             report.count(Outcome::kSkip), total_seconds(report));
  if (!report.passed()) fmt::print("{}\n", cause_of(report));
}

Status check(const CheckOptions& options) {
  if (options.list) return print_checks(options);
  MASH_TRY(selected_checks(options.check));
  if (options.check.names.empty())
    return input_error(
        "mash heuristic check: expected a heuristic: a project's folder, a C++ source, a plugin file or an "
        "id");
  if (!options.junit.empty()) MASH_TRY(check_output_file("--junit", options.junit));
  const OutputOptions& output = options.output;
  CheckSettings settings = options.check;
  MASH_ASSIGN(settings.target.settings, parse_heuristic_settings({options.own, "--setting"}));
  const CommandWork work(output);
  const auto show = [&](const CheckReport& report) {
    if (!output.json) print_check(report, output.quiet);
  };
  MASH_ASSIGN(const auto reports, output.result_of(check_heuristics(settings, work.context(), show)));
  if (output.json) print_json(to_json(reports));
  if (!options.junit.empty()) MASH_TRY(write_output(options.junit, junit_document(reports)));
  const auto num_failed =
      std::count_if(reports.begin(), reports.end(), [](const auto& report) { return !report.passed(); });
  if (num_failed > 0) return failure("{} of {} heuristics failed", num_failed, reports.size());
  return Done{};
}

void add_check_options(CLI::App& app, CheckOptions& options) {
  CheckSettings& check = options.check;
  options.output.add_to(app);
  add_heuristics_option(app, check.heuristics);
  app.add_option("HEURISTIC", check.names, fmt::format("{}; one or several", kHeuristicNames))
      ->type_name("DIR|FILE|ID");
  add_setting_option(app, options.own);
  const auto add_list = [&](const char* name, std::vector<std::string>& ids, const char* help) {
    app.add_option(name, ids, help)->delimiter(',')->type_name("ID,ID")->allow_extra_args(false);
  };
  add_list("--only", check.only, "Run only these checks; --list shows their ids");
  add_list("--skip", check.skip, "Leave these checks out");
  takes_one_of(app.add_option("--level", check.level, "Run the levels up to this one")->capture_default_str(),
               kLevelNames);
  app.add_option("--seed", check.target.seed, "Seed for the pictures that heuristics are run on")
      ->type_name("N")
      ->check(within(std::int64_t(0), INT64_MAX))
      ->capture_default_str();
  app.add_option("--cycles", check.target.num_cycles, "Number of calls in which memory must not grow")
      ->type_name("N")
      ->check(within(10, 10'000'000))
      ->capture_default_str();
  app.add_option("--time-limit", check.target.time_limit_s,
                 "Seconds that a check may take; waiting for a processor counts in a box only. After the "
                 "first that takes longer the others may take a tenth of it, after the second the rest is "
                 "skipped")
      ->type_name("N")
      ->check(within(1., 86400.))
      ->capture_default_str();
  constexpr std::string_view kPlaces[] = {"process", "box"};
  takes_one_of(
      app.add_option_function<std::string>(
          "--isolation",
          [&isolation = check.target.isolation](const std::string& name) {
            isolation = *isolation_named(name);
          },
          "Where heuristics run: process (apart from this program), box (apart, and out of reach of files "
          "and network; a source is compiled in a box too) [process]"),
      kPlaces);
  app.add_option("--junit", options.junit, "Write the results as JUnit XML too")->type_name("FILE");
  app.add_flag("--list", options.list, "Print the checks and run none");
  app.footer(
      "The plugin runs in processes of its own; a crash or a hang there is a failed check. Without\n"
      "--isolation box they have your rights: all but starting programs and processes.\n"
      "Exit code 0 when no check failed (warnings are allowed), 1 when one did.\n"
      "Examples:\n"
      "  mash heuristic check build/edges.so\n"
      "  mash heuristic check ./my-edges\n"
      "  mash heuristic check edges.cpp\n"
      "  mash heuristic check stranger.cpp --isolation box\n"
      "  mash heuristic check hog --level values --json\n"
      "  mash heuristic check hog --setting cell=7\n"
      "  mash heuristic check edges.so --only resources.leak --cycles 100000");
}

}  // namespace

Subcommand add_heuristic_check(CLI::App& heuristic) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* app =
      heuristic.add_subcommand("check", "Check a plugin: contract, values, determinism, resources");
  add_check_options(*app, *options);
  return {app, [options] { return check(*options); }};
}

}  // namespace mash
