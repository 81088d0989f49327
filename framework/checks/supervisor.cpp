// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/supervisor.hpp"

#include <fmt/ranges.h>

#include <deque>
#include <optional>

#include "framework/base/scratch_folder.hpp"
#include "framework/base/utf8.hpp"
#include "framework/extractors/plugin_file.hpp"
#include "framework/isolation/box_layers.hpp"
#include "framework/isolation/line_worker.hpp"
#include "framework/isolation/plugin_access.hpp"

namespace mash::checks {
namespace {

using Json = nlohmann::json;

// The text of a member; nothing where there is none. A plugin that runs in the worker can write answers of
// its own: nothing in one is taken for granted.
std::optional<std::string> text_at(const Json& object, const char* key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

// Limits of the boxes of a heuristic's checks together, beside the limits of each.
constexpr GroupLimits kGroup{std::uint64_t(4) << 30, 512};
constexpr std::uint64_t kTemporaryBytes = std::uint64_t(256) << 20;  // the plugin, twice, and features

// Where the workers of a heuristic's checks run.
class CheckPlace {
 public:
  explicit CheckPlace(Isolation isolation)
      : isolation_(isolation), group_(isolation == Isolation::kBox ? make_box_group(kGroup) : std::nullopt) {}

  // scratch: what a crash leaves in it goes with it.
  WorkerPlace with(const ScratchFolder& scratch) const {
    return {isolation_, scratch.path(), group_ ? &*group_ : nullptr};
  }

 private:
  Isolation isolation_;
  std::optional<ControlGroup> group_;
};

// The task of a worker: a request about the plugin, which a box has in a folder of its own.
WorkerTask task_of(const CheckTarget& target, nlohmann::json request) {
  WorkerTask task;
  if (target.isolation == Isolation::kBox) {
    // A folder apart: a plugin may be called as the program is.
    const std::filesystem::path inside =
        kBoxFolder / std::filesystem::path("plugin") / target.plugin.filename();
    request["plugin"] = inside.string();
    task.box = {{{target.plugin, inside}}, kTemporaryBytes};
    task.limits.processes = kGroup.processes;
  }
  task.arguments = {request.dump()};
  return task;
}

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

// The first checks in which a heuristic took longer than it may; none while it is worth to ask it again.
std::vector<std::string_view> too_slow(const CheckReport& report) {
  constexpr std::size_t kEnough = 2;
  std::vector<std::string_view> ids;
  for (const CheckResult& result : report.results)
    if (result.found.symptom == Symptom::kTimeout && ids.size() < kEnough) ids.push_back(result.check->id);
  if (ids.size() < kEnough) ids.clear();
  return ids;
}

// The checks of one level in one worker after another, until each has a result.
class LevelRun {
 public:
  LevelRun(const CheckTarget& target, const CheckPlace& place, std::deque<const Check*> waiting,
           CheckReport& report, Progress& progress, const StopFlag& stop)
      : target_(target),
        place_(place),
        waiting_(std::move(waiting)),
        report_(report),
        progress_(progress),
        stop_(stop) {}

  Status run() {
    while (!waiting_.empty()) {
      if (const auto slow = too_slow(report_); !slow.empty())
        finish(finding(Outcome::kSkip, "it took longer than {} s in {} already", target_.time_limit_s,
                       fmt::join(slow, " and ")),
               0);
      else
        MASH_TRY(run_worker());
    }
    return Done{};
  }

 private:
  Status run_worker() {
    MASH_ASSIGN(const ScratchFolder folder, ScratchFolder::make("check"));
    Json request = target_.to_json();
    request["mode"] = "check";
    for (const Check* check : waiting_) request["checks"].push_back(check->id);
    WorkerTask task = task_of(target_, std::move(request));
    task.limits.cpu_seconds = std::uint64_t(4 * target_.time_limit_s * double(waiting_.size())) + 1;
    // Not for other levels: the caches find double frees.
    if (waiting_.front()->level == Level::kResources) task.variables.push_back(without_heap_caches());
    MASH_ASSIGN(auto worker, LineWorker::start(std::move(task), place_.with(folder)));
    num_log_lines_ = 0;
    has_begun_ = false;
    std::string line;
    Stopwatch watch;
    for (;;) switch (worker.next_line(line, target_.time_limit_s, stop_)) {
        case LineWorker::Event::kStopped: return stopped_error();
        case LineWorker::Event::kTimeout:
          if (waiting_.empty()) return Done{};  // all have answered; it merely does not end
          finish({Outcome::kFail,
                  fmt::format("took longer than {} s", target_.time_limit_s),
                  Symptom::kTimeout,
                  {}},
                 watch.seconds());
          return Done{};
        case LineWorker::Event::kEnd:
          if (waiting_.empty()) return Done{};
          finish(end_of_process(worker.how_it_ended(), worker.crash()), watch.seconds());
          return Done{};
        case LineWorker::Event::kLine:
          if (!take(line, worker)) {
            if (waiting_.empty()) return Done{};
            finish(finding(Outcome::kFail, "wrote to the descriptor of the checks: {}", printable(line, 80)),
                   watch.seconds());
            return Done{};
          }
          if (!has_begun_) watch = {};
      }
  }

  // Whether the line is one that a worker writes now. A check's time begins with its first line, and again
  // with no other.
  bool take(const std::string& line, LineWorker& worker) {
    const Json answer = Json::parse(line, nullptr, false);
    if (!answer.is_object() || waiting_.empty()) return false;
    if (text_at(answer, "begin") == waiting_.front()->id) {
      worker.start_clock();
      return !std::exchange(has_begun_, true);
    }
    if (const auto line = text_at(answer, "log")) return take_log(*line);
    if (!has_begun_ || text_at(answer, "end") != waiting_.front()->id) return false;
    const auto name = std::find(std::begin(kOutcomeNames), std::end(kOutcomeNames),
                                text_at(answer, "outcome").value_or(""));
    const auto seconds = answer.find("seconds");
    if (name == std::end(kOutcomeNames) || seconds == answer.end() || !seconds->is_number()) return false;
    finish({Outcome(name - std::begin(kOutcomeNames)), text_at(answer, "evidence").value_or(""),
            Symptom::kFound},
           seconds->get<double>());
    has_begun_ = false;
    worker.start_clock();
    return true;
  }

  // A worker tells of a few lines only.
  bool take_log(const std::string& line) {
    if (++num_log_lines_ > kMaxLogLines) return false;
    auto& log = report_.log;
    if (log.size() < kMaxLogLines && std::find(log.begin(), log.end(), line) == log.end())
      log.push_back(printable(line, kMaxLogLine));
    return true;
  }

  static Finding end_of_process(const std::string& end, const std::string& crash) {
    if (crash.starts_with(kOutsideMark)) return {Outcome::kFail, crash.substr(1), Symptom::kOutside, {}};
    if (!crash.empty()) return {Outcome::kFail, "crash: " + crash, Symptom::kCrash, {}};
    return {Outcome::kFail, "ended the process: " + (end.empty() ? "exit code 0" : end), Symptom::kCrash, {}};
  }

  void finish(Finding found, double seconds) {
    report_.results.push_back({waiting_.front(), std::move(found), seconds});
    waiting_.pop_front();
    progress_.advance(1);
  }

  const CheckTarget& target_;
  const CheckPlace& place_;
  std::deque<const Check*> waiting_;
  std::size_t num_log_lines_ = 0;  // of the worker
  bool has_begun_ = false;         // the first check that waits
  CheckReport& report_;
  Progress& progress_;
  const StopFlag& stop_;
};

}  // namespace

std::size_t CheckReport::count(Outcome outcome) const {
  return std::size_t(std::count_if(results.begin(), results.end(), [&](const CheckResult& result) {
    return result.found.outcome == outcome;
  }));
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
  const auto infos = IsolatedHost(isolation_for(settings), no_remarks()).describe(*file);
  if (!infos.ok() && infos.error().kind != ErrorKind::kInput) return infos.error();
  if (!infos.ok()) {
    subject.refusal = infos.error().message;
    return std::vector{subject};
  }
  std::vector<CheckSubject> subjects;
  for (const HeuristicInfo& info : *infos) {
    subject.id = info.id;
    if (is_file || subject.id == file_or_id) subjects.push_back(subject);
    ++subject.target.heuristic_idx;
  }
  return subjects;
}

Result<CheckReport> run_checks(const CheckSubject& subject, std::span<const Check* const> checks,
                               Progress& progress, const StopFlag& stop) {
  CheckReport report{subject.id, subject.target.plugin, {}, {}};
  const CheckPlace place(subject.target.isolation);
  for (std::size_t level = 0; level < std::size(kLevelNames); ++level) {
    std::deque<const Check*> of_level;
    for (const Check* check : checks)
      if (std::size_t(check->level) == level) of_level.push_back(check);
    if (level == std::size_t(Level::kLoad) || subject.refusal.empty()) {
      MASH_TRY(LevelRun(subject.target, place, of_level, report, progress, stop).run());
      continue;
    }
    for (const Check* check : of_level)
      report.results.push_back(
          {check, finding(Outcome::kSkip, "the plugin cannot be loaded: {}", subject.refusal), 0});
  }
  return report;
}

}  // namespace mash::checks
