// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/check_process.hpp"

#include <algorithm>

#include "framework/base/file.hpp"
#include "framework/base/raw_values.hpp"
#include "framework/base/utf8.hpp"
#include "framework/checks/bench.hpp"
#include "framework/isolation/box_layers.hpp"

namespace mash::checks {
namespace {

using Json = nlohmann::json;

// The most values of an answer whose number is not known before: 256 MiB.
constexpr std::size_t kMostValues = std::size_t(1) << 26;
constexpr std::uint64_t kTemporaryBytes = std::uint64_t(256) << 20;  // the plugin, and a locale

// Variables that libraries have read by the time that a plugin is loaded, and that no run sets.
constexpr const char* kForgotten[] = {"GLIBC_TUNABLES", "MALLOC_PERTURB_"};

// The plugin where a box has it: in a folder apart, for it may be called as the program is.
std::filesystem::path place_in_box(const CheckTarget& target) {
  return kBoxFolder / std::filesystem::path("plugin") / target.plugin.filename();
}

std::string request_of(const CheckTarget& target, const CheckPlace& place) {
  const bool is_box = place.isolation == Isolation::kBox;
  Json request{{"heuristic_idx", target.heuristic_idx},
               {"plugin", (is_box ? place_in_box(target) : target.plugin).string()},
               {"threads", place.threads == Threads::kAllowed},
               {"forget", kForgotten}};
  // Sanitizers start programs of their own.
  if (!place.has_sanitizers) request["walls"] = to_string(place.isolation);
  if (!place.log.empty()) request["log"] = place.log.string();
  return request.dump();
}

WorkerTask task_of(const CheckTarget& target, const CheckPlace& place) {
  WorkerTask task;
  if (place.isolation == Isolation::kBox) {
    task.box = {{{target.plugin, place_in_box(target)}}, kTemporaryBytes};
    task.limits.processes = kMostProcesses;
  }
  task.variables = place.variables;
  // The time of each check is counted; this ends what has escaped from that.
  task.limits.cpu_seconds = std::uint64_t(4 * target.time_limit_s * double(all_checks().size())) + 1;
  if (place.has_sanitizers) {
    task.limits.address_bytes = ProcessLimits::kUnlimited;  // they reserve terabytes
    task.limits.file_bytes = std::uint64_t(1) << 24;        // of what a heuristic prints beside their report
  }
  return task;
}

Finding end_of_process(const std::string& end, const std::string& crash, const std::string& exception) {
  if (crash.starts_with(kOutsideMark))
    return {Outcome::kFail, printable(crash.substr(1)), Symptom::kOutside, {}};
  const std::string how = !crash.empty() ? "crash: " + printable(crash)
                                         : "ended the process: " + (end.empty() ? "exit code 0" : end);
  return {Outcome::kFail, words_with_exception(how, exception), Symptom::kCrash, {}};
}

}  // namespace

Result<std::unique_ptr<CheckProcess>> CheckProcess::start(const CheckTarget& target, const CheckPlace& place,
                                                          const StopFlag& stop) {
  MASH_ASSIGN(ScratchFolder folder, ScratchFolder::make("workers"));  // as for a host
  MASH_ASSIGN(const std::string content, read_file(target.plugin));
  MASH_ASSIGN(const OwnedDescriptor plugin, sealed_file("mash-plugin", content));
  WorkerTask task = task_of(target, place);
  task.descriptors = {plugin.number()};
  MASH_ASSIGN(auto worker, LineWorker::start(request_of(target, place), std::move(task),
                                             {place.isolation, folder.path(), place.group}));
  return std::unique_ptr<CheckProcess>(new CheckProcess(target, stop, std::move(folder), std::move(worker)));
}

double CheckProcess::seconds_left() const { return std::max(0.0, target_.time_limit_s - seconds_); }

Error CheckProcess::end_with(Finding found) {
  end_ = std::move(found);
  return input_error("{}", end_->evidence);
}

Status CheckProcess::expect_line(LineWorker::Event event) {
  switch (event) {
    case LineWorker::Event::kLine: return Done{};
    case LineWorker::Event::kStopped:
      return Error{ErrorKind::kStopped, "stopped before all heuristics were checked"};
    case LineWorker::Event::kTimeout:
      return end_with({Outcome::kFail,
                       fmt::format("took longer than {} s", target_.time_limit_s),
                       Symptom::kTimeout,
                       {}});
    case LineWorker::Event::kEnd: {
      const std::string end = worker_.how_it_ended();
      return end_with(end_of_process(end, worker_.crash(), worker_.exception()));
    }
  }
  return Done{};
}

bool CheckProcess::take_log(const std::string& line) {
  const Json json = parse_object(line, kBoundsOfAnswer);
  if (json.size() != 1 || !json.contains("log") || !json["log"].is_string()) return false;
  if (++num_log_lines_ > kMaxLogLines) return false;
  std::string text = printable(json["log"].get_ref<const std::string&>(), kMaxLogLine);
  if (std::ranges::find(log_, text) == log_.end()) log_.push_back(std::move(text));
  return true;
}

Result<AnswerLine> CheckProcess::next_answer() {
  std::string line;
  do {
    MASH_TRY(expect_line(worker_.next_line(line, seconds_left(), stop_)));
  } while (take_log(line));
  auto answer = read_answer_line(line);
  if (!answer.ok())
    return end_with(
        finding(Outcome::kFail, "wrote to the descriptor of the checks: {}", printable(line, 80)));
  return answer;
}

Result<StepAnswer> CheckProcess::exchange(const Step& step, std::size_t num_values) {
  const StepMessage message = message_of(step);
  MASH_TRY(expect_line(worker_.send(message.line + "\n" + message.bytes, seconds_left(), stop_)));
  MASH_ASSIGN(AnswerLine read, next_answer());
  const bool has_values = !read.answer.error && !read.answer.is_refused;
  const bool is_asked_for = num_values == kAnyNumber
                                ? read.num_bytes <= kMostValues * sizeof(float)
                                : read.num_bytes == (has_values ? num_values * sizeof(float) : 0);
  if (!is_asked_for)
    return end_with(finding(Outcome::kFail, "answered {} bytes, {} values were asked for", read.num_bytes,
                            num_values == kAnyNumber ? kMostValues : num_values));
  std::string bytes;
  MASH_TRY(expect_line(worker_.next_bytes(bytes, read.num_bytes, seconds_left(), stop_)));
  read.answer.values = values_from_bytes<float>(bytes.data(), bytes.size());
  return std::move(read.answer);
}

Result<StepAnswer> CheckProcess::ask(const Step& step, std::size_t num_values) {
  if (end_) return input_error("{}", end_->evidence);
  worker_.start_clock(std::max(0.0, kMostCheckWaits * target_.time_limit_s - waits_));
  auto answer = exchange(step, num_values);
  seconds_ += worker_.seconds();
  waits_ += worker_.waits();
  if (!answer.ok()) return answer.error();
  arithmetic_ = answer->arithmetic;
  if (answer->error) return input_error("{}", *answer->error);
  return answer;
}

}  // namespace mash::checks
