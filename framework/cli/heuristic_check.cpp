// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "framework/base/file.hpp"
#include "framework/base/settings.hpp"
#include "framework/checks/supervisor.hpp"
#include "framework/cli/check_report.hpp"
#include "framework/cli/heuristic.hpp"

namespace mash {
namespace {

using namespace checks;

struct CheckOptions {
  OutputOptions output;
  CatalogueOptions catalogue;
  std::vector<std::string> names, only, skip;
  std::string level{kLevelNames[std::size(kLevelNames) - 1]};
  std::string junit;
  CheckTarget settings;
  bool list = false;
};

// The checks that --level, --only and --skip leave.
Result<std::vector<const Check*>> selected_checks(const CheckOptions& options) {
  const auto level = std::find(std::begin(kLevelNames), std::end(kLevelNames), options.level);
  if (level == std::end(kLevelNames)) return unknown_name("level", options.level, kLevelNames);
  std::vector<const Check*> only, skip;
  for (const std::string& id : options.only) {
    MASH_ASSIGN(only.emplace_back(), find_check(id));
  }
  for (const std::string& id : options.skip) {
    MASH_ASSIGN(skip.emplace_back(), find_check(id));
  }
  std::vector<const Check*> selected;
  for (const Check& check : all_checks()) {
    const auto is_in = [&](const auto& list) {
      return std::find(list.begin(), list.end(), &check) != list.end();
    };
    const bool is_wanted = only.empty()
                               ? level_name(check.level) == *level || check.level < Level(level - kLevelNames)
                               : is_in(only);
    if (is_wanted && !is_in(skip)) selected.push_back(&check);
  }
  if (selected.empty()) return input_error("--only, --skip and --level leave no check to run");
  return selected;
}

Status check(const CheckOptions& options) {
  MASH_ASSIGN(const auto checks, selected_checks(options));
  if (options.list) {
    print_checks(checks, options.output.json);
    return Done{};
  }
  if (options.names.empty())
    return input_error("mash heuristic check: expected a plugin file or a heuristic's id");
  if (!options.junit.empty()) MASH_TRY(check_output_file("--junit", options.junit));
  std::vector<CheckSubject> subjects;
  for (const std::string& name : options.names) {
    MASH_ASSIGN(const auto found, find_subjects(name, options.catalogue.heuristics, options.settings));
    subjects.insert(subjects.end(), found.begin(), found.end());
  }
  const auto progress = options.output.progress();
  std::vector<CheckReport> reports;
  for (const CheckSubject& subject : subjects) {
    progress->start(subject.id.empty() ? subject.target.plugin.filename().string() : subject.id,
                    checks.size(), "checks");
    MASH_ASSIGN(reports.emplace_back(), run_checks(subject, checks, *progress));
    progress->finish();
    if (!options.output.json) print_report(reports.back(), options.output.quiet);
  }
  if (options.output.json) print_reports_as_json(reports);
  if (!options.junit.empty()) MASH_TRY(write_file_atomically(options.junit, junit_document(reports)));
  const auto num_failed =
      std::count_if(reports.begin(), reports.end(), [](const auto& report) { return !report.passed(); });
  if (num_failed > 0) return failure("{} of {} heuristics failed", num_failed, reports.size());
  return Done{};
}

void add_options(CLI::App& app, CheckOptions& options) {
  options.output.add_to(app);
  options.catalogue.add_to(app);
  app.add_option("FILE|ID", options.names, "Plugin files, or heuristics as mash heuristic list shows them");
  app.add_option("--only", options.only, "Run these checks only")
      ->delimiter(',')
      ->type_name("ID,ID")
      ->allow_extra_args(false);
  app.add_option("--skip", options.skip, "Leave these checks out")
      ->delimiter(',')
      ->type_name("ID,ID")
      ->allow_extra_args(false);
  app.add_option("--level", options.level,
                 fmt::format("Run the levels up to this one: {}", fmt::join(kLevelNames, ", ")))
      ->type_name("LEVEL")
      ->capture_default_str();
  app.add_option("--seed", options.settings.seed, "Of the pictures")
      ->check(CLI::Range(std::int64_t(0), INT64_MAX))
      ->capture_default_str();
  app.add_option("--cycles", options.settings.num_cycles, "Calls over which memory may not grow")
      ->check(CLI::Range(10, 10'000'000))
      ->capture_default_str();
  app.add_option("--time-limit", options.settings.time_limit_s,
                 "Of one check, seconds, waiting for a processor not counted")
      ->check(CLI::Range(1., 86400.))
      ->capture_default_str();
  app.add_option("--junit", options.junit, "Write the results as JUnit XML too")->type_name("FILE");
  app.add_flag("--list", options.list, "Print the checks and run none");
  app.footer(
      "The plugin runs in processes of its own; a crash or a hang there is a failed check.\n"
      "Exit code 0 when no check failed (warnings are allowed), 1 when one did.\n"
      "Examples:\n"
      "  mash heuristic check build/edges.so\n"
      "  mash heuristic check hog --level values --json\n"
      "  mash heuristic check edges.so --only resources.leak --cycles 100000");
}

}  // namespace

Subcommand add_heuristic_check(CLI::App& heuristic) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* app =
      heuristic.add_subcommand("check", "Validates a plugin: contract, values, determinism, resources");
  add_options(*app, *options);
  return {app, [options] { return check(*options); }};
}

}  // namespace mash
