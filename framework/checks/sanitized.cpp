// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/sanitized.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "framework/base/child_process.hpp"
#include "framework/base/file.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/base/utf8.hpp"
#include "framework/checks/bench.hpp"

namespace mash::checks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFrames = 100;  // looked up

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

// Checks that take no time, and last the one that shows large pictures as far as there is time for them.
std::vector<std::string_view> checks_to_run() {
  std::vector<std::string_view> ids{"contract.create", "contract.sizes", "contract.indices",
                                    "contract.parameters", "contract.life-cycle"};
  for (const std::string_view id :
       {"values.finite", "values.input", "values.row-bounds", "values.plane-bounds", "values.out-bounds",
        "values.index-bounds", "determinism.history", "determinism.instance", "determinism.threads",
        "robustness.flat", "robustness.noise", "robustness.tiny", "robustness.structured"})
    ids.push_back(id);
  return ids;
}

// Where the first stack of a report passes through the plugin: "    #1 0x7f... (.../HASH.so+0x128ca)". A
// worker runs a copy of the plugin that is gone by the time it is looked at, so that the report has no lines.
// The part of the text between two marks, after `from`; nothing where they are not there.
std::optional<std::string_view> between(std::string_view text, std::string_view begin, std::string_view end,
                                        std::size_t from = 0) {
  const std::size_t first = text.find(begin, from);
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t start = first + begin.size(), last = text.find(end, start);
  if (last == std::string_view::npos) return std::nullopt;
  return text.substr(start, last - start);
}

bool is_frame(std::string_view line) {
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
  return line.size() > 1 && line[0] == '#' && std::isdigit(static_cast<unsigned char>(line[1]));
}

// The offset in the plugin that a frame's line names, "0x128ca".
std::optional<std::string_view> offset_in(std::string_view line) {
  const std::size_t folder = line.find("/mash-tmp-plugins-");
  if (folder == std::string_view::npos) return std::nullopt;
  const auto offset = between(line, ".so+", ")", folder);
  const bool is_number = offset && offset->starts_with("0x") && offset->size() > 2 &&
                         offset->find_first_not_of("0123456789abcdef", 2) == std::string_view::npos;
  return is_number ? offset : std::nullopt;
}

std::vector<std::string> offsets_in_plugin(const std::string& text) {
  std::vector<std::string> offsets;
  std::istringstream lines(text);
  bool is_inside = false;
  for (std::string line; std::getline(lines, line) && offsets.size() < kMaxFrames;) {
    if (is_inside && !is_frame(line)) break;
    is_inside = is_frame(line);
    if (!is_inside) continue;
    if (const auto offset = offset_in(line)) offsets.emplace_back(*offset);
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
  const std::string lines = text + "\n";
  const auto line = between(lines, "ERROR: AddressSanitizer", "\n");
  if (!line) return std::nullopt;
  const std::string title = printable(line->substr(std::min(line->size(), line->find_first_not_of(": "))));
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

// "edges.cpp:12" of "edges.cpp:12:5"; "" where it is no place.
std::string_view place_in(std::string_view text) {
  const std::size_t column = text.rfind(':');
  const std::string_view place = text.substr(0, std::min(text.size(), column));
  const std::size_t line = place.rfind(':');
  const auto is_number = [](std::string_view digits) {
    return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const bool is_place = column != std::string_view::npos && line != std::string_view::npos && line > 0 &&
                        is_number(text.substr(column + 1)) && is_number(place.substr(line + 1));
  return is_place ? place.substr(place.find_last_of(" \t") + 1) : "";
}

std::optional<SanitizerReport> undefined_report(const std::string& text) {
  constexpr std::string_view kMark = ": runtime error: ";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t mark = line.find(kMark);
    if (mark == std::string::npos) continue;
    const std::string_view place = place_in(std::string_view(line).substr(0, mark));
    if (place.empty()) continue;
    return SanitizerReport{
        fmt::format("undefined behaviour: {}", printable(std::string_view(line).substr(mark + kMark.size()))),
        printable(place), "", false};
  }
  return std::nullopt;
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
  sanitized.isolation = Isolation::kProcess;
  const fs::path log = folder / "report";
  const CheckPlace place{
      .variables = {"LD_PRELOAD=" + built.runtime.string(),
                    "ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0:handle_segv=2:handle_sigbus=2:"
                    "handle_sigfpe=2:handle_sigill=2:handle_abort=2",
                    "UBSAN_OPTIONS=print_stacktrace=1"},
      .has_sanitizers = true,
      .log = log};
  Bench bench(sanitized, place, stop);
  MASH_TRY(bench.begin_check());
  for (const std::string_view id : checks_to_run()) {
    bench.process().begin_check();
    const auto loaded = bench.load();
    const auto found = loaded.ok() ? (*find_check(id))->run(bench) : Result<Finding>(loaded.error());
    if (!found.ok() && found.error().kind == ErrorKind::kStopped) return found.error();
    if (bench.process().end()) break;
  }
  const std::optional<Finding> end = bench.process().end();
  const auto text = read_file(log);
  auto report = text.ok() ? read_sanitizer_report(*text) : std::nullopt;
  if (!report && end && end->symptom == Symptom::kTimeout)
    return finding(Outcome::kSkip, "built with sanitizers it takes longer than {} s", target.time_limit_s);
  if (!report && end) return finding(Outcome::kSkip, "built with sanitizers: {}", end->evidence);
  if (!report)
    return finding(Outcome::kPass, "built with address and undefined-behaviour sanitizers: no report");
  MASH_TRY(find_place(built, *text, stop, *report));
  Finding found{Outcome::kFail, report->place.empty() ? report->what : report->place + ": " + report->what,
                report->is_of_memory ? Symptom::kOutside : Symptom::kFound, report->place};
  if (!report->function.empty()) found.evidence += ", in " + report->function;
  return found;
}

}  // namespace mash::checks
