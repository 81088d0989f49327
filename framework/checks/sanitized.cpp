// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/sanitized.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

#include "framework/base/child_process.hpp"
#include "framework/base/file.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/base/utf8.hpp"
#include "framework/checks/runner.hpp"
#include "framework/isolation/line_worker.hpp"

namespace mash::checks {
namespace {

namespace fs = std::filesystem;

// AddressSanitizer's name of a fault, and what it is. {}: reads or writes.
struct Fault {
  std::string_view kind, what;
};
constexpr Fault kFaults[] = {
    {"heap-buffer-overflow", "{} outside an array on the heap"},
    {"stack-buffer-overflow", "{} outside an array on the stack"},
    {"stack-buffer-underflow", "{} outside an array on the stack"},
    {"dynamic-stack-buffer-overflow", "{} outside an array on the stack"},
    {"global-buffer-overflow", "{} outside a global array"},
    {"container-overflow", "{} outside the elements of a container"},
    {"heap-use-after-free", "{} memory that was freed"},
    {"stack-use-after-return", "{} a variable of a function that has returned"},
    {"stack-use-after-scope", "{} a variable whose scope has ended"},
    {"SEGV", "{} where it has no memory"},
    {"BUS", "{} where it has no memory"},
    {"attempting double-free", "frees memory twice"},
    {"attempting free on address which was not malloc()-ed", "frees what malloc did not give"},
    {"alloc-dealloc-mismatch", "frees memory by another function than the one that goes with its allocation"},
    {"stack-overflow", "uses up the stack"},
    {"FPE", "divides by zero"},
    {"ABRT", "aborts"},
};

// Checks that run in the worker's own process, on pictures that take no time.
std::vector<std::string_view> checks_to_run() {
  std::vector<std::string_view> ids{"contract.create", "contract.sizes", "contract.indices",
                                    "contract.parameters", "contract.life-cycle"};
  for (const std::string_view id :
       {"values.finite", "values.input", "values.row-bounds", "values.plane-bounds", "values.out-bounds",
        "values.index-bounds", "determinism.history", "determinism.instance", "determinism.threads",
        "robustness.flat", "robustness.noise", "robustness.tiny"})
    ids.push_back(id);
  return ids;
}

// Where the first stack of a report passes through the plugin: "    #1 0x7f... (.../HASH.so+0x128ca)". A
// worker runs a copy of the plugin that is gone by the time it is looked at, so that the report has no lines.
std::vector<std::string> offsets_in_plugin(const std::string& text) {
  static const std::regex frame(R"(^\s*#\d+ )"),
      of_plugin(R"(/mash-tmp-plugins-[^/]+/[0-9a-f]+\.so\+(0x[0-9a-f]+)\))");
  std::vector<std::string> offsets;
  std::istringstream lines(text);
  bool is_inside = false;
  for (std::string line; std::getline(lines, line);) {
    const bool is_frame = std::regex_search(line, frame);
    if (is_inside && !is_frame) break;
    is_inside = is_frame;
    std::smatch match;
    if (is_frame && std::regex_search(line, match, of_plugin)) offsets.push_back(match[1]);
  }
  return offsets;
}

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

// "(anonymous namespace)::Mean::compute(mash::View const&, ...)" as "Mean::compute"
std::string short_name(std::string function) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (std::size_t at; (at = function.find(kAnonymous)) != std::string::npos;)
    function.erase(at, kAnonymous.size());
  return function.substr(0, function.find('('));
}

// "/home/me/edges.cpp:12" below /home/me as "edges.cpp:12"; nothing for a place elsewhere.
std::optional<std::string> place_below(const fs::path& sources, const std::string& place) {
  const fs::path folder = (fs::absolute(sources) / "").lexically_normal().parent_path();
  const fs::path file = fs::path(place.substr(0, place.find(" (discriminator"))).lexically_normal();
  if (!is_below(file, folder)) return std::nullopt;
  return file.lexically_relative(folder).string();
}

// Finds where the stack first comes to the heuristic's own source. Without binutils nobody knows.
Status find_place(const SanitizedPlugin& built, const std::string& text, const StopFlag& stop,
                  SanitizerReport& report) {
  std::vector<std::string> command{"addr2line", "-Cfie", built.plugin.string()};
  const auto offsets = offsets_in_plugin(text);
  command.insert(command.end(), offsets.begin(), offsets.end());
  const auto answer = run_child(std::move(command), stop);
  if (!answer.ok()) return answer.error().kind == ErrorKind::kStopped ? Status(answer.error()) : Done{};
  std::istringstream lines(answer->out);
  for (std::string function, place; std::getline(lines, function) && std::getline(lines, place);)
    if (const auto below = place_below(built.sources, place)) {
      report.place = *below;
      report.function = short_name(function);
      if (report.function.starts_with("mash::")) report.function.clear();  // inlined into the SDK's own
      break;
    }
  return Done{};
}

std::optional<SanitizerReport> address_report(const std::string& text) {
  static const std::regex header(R"(ERROR: AddressSanitizer:? ([^\n]+))");
  std::smatch match;
  if (!std::regex_search(text, match, header)) return std::nullopt;
  const std::string title = match[1];
  const bool writes = text.find("\nWRITE of size") != std::string::npos ||
                      text.find("caused by a WRITE") != std::string::npos;
  SanitizerReport report;
  report.is_of_memory = true;
  for (const Fault& fault : kFaults)
    if (title.starts_with(fault.kind)) {
      report.what =
          fmt::format("{} (AddressSanitizer: {})",
                      fmt::format(fmt::runtime(fault.what), writes ? "writes" : "reads"), fault.kind);
      return report;
    }
  report.what = fmt::format("AddressSanitizer: {}", title.substr(0, title.find(" on address")));
  return report;
}

std::optional<SanitizerReport> undefined_report(const std::string& text) {
  static const std::regex line(R"(([^\s:]+:\d+):\d+: runtime error: ([^\n]+))");
  std::smatch match;
  if (!std::regex_search(text, match, line)) return std::nullopt;
  return SanitizerReport{fmt::format("undefined behaviour: {}", printable(match[2].str())), match[1], "",
                         false};
}

}  // namespace

std::optional<SanitizerReport> read_sanitizer_report(const std::string& text) {
  auto report = address_report(text);
  return report ? report : undefined_report(text);
}

Result<Finding> run_sanitized(const CheckTarget& target, const SanitizedPlugin& built, const StopFlag& stop) {
#if defined(__SANITIZE_THREAD__)
  return finding(Outcome::kSkip, "a program with ThreadSanitizer cannot load another sanitizer");
#endif
  MASH_ASSIGN(const ScratchFolder folder, ScratchFolder::make("check"));
  CheckTarget sanitized = target;
  sanitized.plugin = built.plugin;
  nlohmann::json request = sanitized.to_json();
  request["mode"] = "check";
  request["checks"] = checks_to_run();
  const fs::path log = folder / "report";
  request["log"] = log.string();
  const std::vector<std::string> variables{
      "LD_PRELOAD=" + built.runtime.string(),
      "ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:handle_segv=2:handle_sigbus=2:handle_sigfpe=2:"
      "handle_sigill=2:handle_abort=2",
      "UBSAN_OPTIONS=print_stacktrace=1"};
  WorkerTask task{.arguments = {request.dump()}, .variables = variables};
  task.limits.address_bytes = ProcessLimits::kUnlimited;  // sanitizers reserve terabytes
  task.limits.file_bytes = std::uint64_t(1) << 24;        // of what a heuristic prints beside their report
  MASH_ASSIGN(auto worker, LineWorker::start(std::move(task), {Isolation::kProcess, folder.path()}));
  std::string line;
  LineWorker::Event event = LineWorker::Event::kLine;
  // Two lines a check, and what it logs: each begins the time again.
  for (std::size_t left = 2 * checks_to_run().size() + kMaxLogLines;
       event == LineWorker::Event::kLine && left > 0; --left) {
    event = worker.next_line(line, target.time_limit_s, stop);
    worker.start_clock();
  }
  if (event == LineWorker::Event::kStopped)
    return Error{ErrorKind::kStopped, "stopped before all heuristics were checked"};
  const std::string end = event == LineWorker::Event::kEnd ? worker.how_it_ended() : "";
  const auto text = read_file(log);
  auto report = text.ok() ? read_sanitizer_report(*text) : std::nullopt;
  if (!report && event == LineWorker::Event::kTimeout)
    return finding(Outcome::kSkip, "built with sanitizers it takes longer than {} s", target.time_limit_s);
  if (!report && !end.empty()) return finding(Outcome::kSkip, "built with sanitizers it ends with {}", end);
  if (!report)
    return finding(Outcome::kPass, "built with address and undefined-behaviour sanitizers: no report");
  MASH_TRY(find_place(built, *text, stop, *report));
  Finding found{Outcome::kFail, report->place.empty() ? report->what : report->place + ": " + report->what,
                report->is_of_memory ? Symptom::kOutside : Symptom::kFound, report->place};
  if (!report->function.empty()) found.evidence += ", in " + report->function;
  return found;
}

}  // namespace mash::checks
