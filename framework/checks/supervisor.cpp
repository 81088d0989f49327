// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/supervisor.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "framework/base/utf8.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "framework/isolation/box_layers.hpp"
#include "framework/isolation/plugin_access.hpp"

namespace mash::checks {
namespace {

// Limits of the boxes of a heuristic's checks together, beside the limits of each.
constexpr GroupLimits kGroup{std::uint64_t(4) << 30, kMostProcessesTogether};

Error stopped_error() { return {ErrorKind::kStopped, "stopped before all heuristics were checked"}; }

// How plugins are looked at before they are checked: what goes wrong then is not yet a finding.
IsolationSettings isolation_for(const CheckTarget& settings) {
  IsolationSettings isolation;
  isolation.isolation = settings.isolation;
  isolation.budget.init_seconds = settings.time_limit_s;
  return isolation;
}

// The plugin file of a heuristic.
Result<std::string> find_plugin(const std::string& id, const std::vector<std::string>& heuristics,
                                const CheckTarget& settings, const WorkContext& work) {
  const WorkContext quiet{work.workers, work.progress, no_remarks(), work.stop};
  MASH_ASSIGN(const Catalogue catalogue,
              Catalogue::open(heuristics, access_to_plugins(isolation_for(settings), quiet)));
  MASH_ASSIGN(const HeuristicInfo* info, catalogue.find(id));
  return info->plugin.string();
}

bool is_file_name(const std::string& name) {
  std::error_code code;
  return name.ends_with(".so") || std::filesystem::is_regular_file(name, code);
}

// The checks in which a heuristic took longer than it may, "contract.sizes took longer than 30 s" each; none
// while it is worth to ask it again.
std::vector<std::string> why_to_end(const CheckReport& report) {
  constexpr std::size_t kEnough = 2;
  std::vector<std::string> hangs;
  for (const CheckResult& result : report.results)
    if (result.found.symptom == Symptom::kTimeout)
      hangs.push_back(fmt::format("{} {}", result.check->id, result.found.evidence));
  if (hangs.size() < kEnough) hangs.clear();
  return hangs;
}

// Whether an error says that another process of the check has taken longer than it may.
bool is_hang_elsewhere(std::string_view error) {
  return error.find(kOtherHangs) != error.npos || error.starts_with("took longer than ");
}

// The checks of one level, one after another, with one process of the plugin as long as it lives.
class LevelRun {
 public:
  LevelRun(const CheckTarget& target, Level level, const ControlGroup* group, CheckReport& report,
           const StopFlag& stop)
      : place_{.isolation = target.isolation, .group = group},
        target_(target),
        time_limit_s_(target.time_limit_s),
        report_(report),
        bench_(target_, place_, stop) {
    // Not for other levels: the caches find double frees.
    if (level == Level::kResources) place_.variables.push_back(without_heap_caches());
  }

  // Errors: kStopped; no process can be started (kFailure).
  Status run(const Check& check) {
    if (const auto hangs = why_to_end(report_); !hangs.empty()) {
      report_.results.push_back(
          {&check, finding(Outcome::kSkip, "not checked: {}", fmt::join(hangs, ", and ")), 0});
      return Done{};
    }
    target_.time_limit_s = limit_of_next(report_, time_limit_s_);
    MASH_TRY(bench_.begin_check(check.asks));
    const Stopwatch watch;
    MASH_ASSIGN(Finding found, find(check));
    report_.results.push_back({&check, std::move(found), watch.seconds()});
    take_log();
    return Done{};
  }

 private:
  // The end of the process is what it did, no matter what the check made of it.
  Result<Finding> find(const Check& check) {
    const auto found = [&]() -> Result<Finding> {
      if (check.level != Level::kLoad) MASH_TRY(bench_.load());
      return check.run(bench_);
    }();
    // A process that this machine cannot start is no fault of the heuristic.
    if (!found.ok() && found.error().kind != ErrorKind::kInput) return found.error();
    if (const auto& end = bench_.process().end()) return *end;
    Finding shown = found.ok() ? *found : finding(Outcome::kFail, "{}", found.error().message);
    if (!found.ok() && is_hang_elsewhere(found.error().message)) shown.symptom = Symptom::kTimeout;
    shown.evidence = printable(shown.evidence);
    return shown;
  }

  void take_log() {
    for (const std::string& line : bench_.process().log())
      if (report_.log.size() < kMaxLogLines && std::ranges::find(report_.log, line) == report_.log.end())
        report_.log.push_back(line);
  }

  CheckPlace place_;
  CheckTarget target_;   // with the time limit of the next check
  double time_limit_s_;  // while no check has taken longer
  CheckReport& report_;
  Bench bench_;
};

}  // namespace

std::size_t CheckReport::count(Outcome outcome) const {
  return std::size_t(std::count_if(results.begin(), results.end(), [&](const CheckResult& result) {
    return result.found.outcome == outcome;
  }));
}

double limit_of_next(const CheckReport& report, double time_limit_s) {
  constexpr double kLeastSeconds = 1;
  const bool hangs = std::ranges::any_of(
      report.results, [](const CheckResult& result) { return result.found.symptom == Symptom::kTimeout; });
  return hangs ? std::min(time_limit_s, std::max(kLeastSeconds, time_limit_s / 10)) : time_limit_s;
}

Result<std::vector<CheckSubject>> find_subjects(const std::string& file_or_id,
                                                const std::vector<std::string>& heuristics,
                                                const CheckTarget& settings, const WorkContext& work) {
  if (work.stop.raised()) return stopped_error();
  const bool is_file = is_file_name(file_or_id);
  CheckSubject subject{settings, "", ""};
  subject.target.plugin = file_or_id;
  if (!is_file) {
    MASH_ASSIGN(subject.target.plugin, find_plugin(file_or_id, heuristics, settings, work));
  }
  const auto file = read_plugin_file(subject.target.plugin);
  if (!file.ok()) return file.error().at(file_or_id);
  subject.target.plugin = file->path;
  const auto infos = IsolatedHost(isolation_for(settings), no_remarks()).describe(*file, &work.stop);
  if (!infos.ok() && infos.error().kind == ErrorKind::kStopped) return stopped_error();
  if (!infos.ok() && infos.error().kind != ErrorKind::kInput) return infos.error();
  if (!infos.ok()) {
    subject.refusal = infos.error().message;
    return std::vector{subject};
  }
  std::vector<CheckSubject> subjects;
  for (const HeuristicInfo& info : *infos) {
    subject.id = info.id;
    if (is_file || subject.id == file_or_id) {
      if (!settings.settings.entries().empty()) {
        MASH_ASSIGN(subject.target.values, parameter_values(info, settings.settings));
      }
      subjects.push_back(subject);
    }
    ++subject.target.heuristic_idx;
  }
  return subjects;
}

Result<CheckReport> run_checks(const CheckSubject& subject, std::span<const Check* const> checks,
                               Progress& progress, const StopFlag& stop) {
  CheckReport report{subject.id, subject.target.plugin, {}, {}};
  const auto group = subject.target.isolation == Isolation::kBox ? make_box_group(kGroup) : std::nullopt;
  std::optional<LevelRun> run;
  std::optional<Level> level;
  for (const Check* check : checks) {
    if (stop.raised()) return stopped_error();
    if (level != check->level)
      run.emplace(subject.target, check->level, group ? &*group : nullptr, report, stop);
    level = check->level;
    if (check->level == Level::kLoad || subject.refusal.empty())
      MASH_TRY(run->run(*check));
    else
      report.results.push_back(
          {check, finding(Outcome::kSkip, "the plugin cannot be loaded: {}", subject.refusal), 0});
    progress.advance(1);
  }
  return report;
}

}  // namespace mash::checks
