// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/boxed_compile.hpp"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <string_view>
#include <utility>

#include "framework/base/child_process.hpp"
#include "framework/base/file.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/isolation/box.hpp"
#include "framework/isolation/box_layers.hpp"
#include "framework/isolation/control_group.hpp"
#include "framework/isolation/watched_programs.hpp"
#include "framework/operations/workshop/classic_source.hpp"
#include "framework/operations/workshop/sdk.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kCompiler = "/usr/bin/g++";
constexpr const char* kSource = "/mash/heuristic.cpp";  // in the box
constexpr const char* kSdk = "/mash/sdk";
constexpr std::uint64_t kProcesses = 16;
constexpr int kDoesNotCompile = 11, kDoesNotLink = 12;  // exit codes of the commands in the box
constexpr double kLookSeconds = 0.05;

// Options that no source may change: bounds on what the compiler itself does, and messages that can be read.
constexpr const char* kBounds[] = {"-Wall",
                                   "-fmax-errors=20",
                                   "-fmax-include-depth=64",
                                   "-ftemplate-depth=256",
                                   "-fconstexpr-depth=256",
                                   "-fconstexpr-loop-limit=262144",
                                   "-fconstexpr-ops-limit=16777216"};

// The form in which the compiler writes its messages: data, or a line each. GCC 12 ends at its most errors
// without having written any of them as data.
enum class MessageForm { kData, kLines };
Words options_of(MessageForm form) {
  if (form == MessageForm::kData) return {"-fdiagnostics-format=json"};
  return {"-fdiagnostics-plain-output", "-fno-diagnostics-show-option"};
}

// A file in memory that a box writes to, and that is closed with this.
class OutputFile {
 public:
  OutputFile() : descriptor_(::memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {}
  ~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int descriptor() const { return descriptor_; }

  // Once nobody can change it any more. Errors (kFailure): somebody still could, or it is too large.
  Result<std::string> content(std::uint64_t max_bytes) const {
    struct stat status {};
    if (::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK) != 0 ||
        ::fstat(descriptor_, &status) != 0)
      return failure("the plugin cannot be taken out of its box: {}", std::strerror(errno));
    if (std::uint64_t(status.st_size) > max_bytes)
      return failure("the plugin is larger than {} bytes", max_bytes);
    return beginning(max_bytes);
  }
  // Its beginning, at most `max_bytes`.
  Result<std::string> beginning(std::uint64_t max_bytes) const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0)
      return failure("what a box wrote cannot be read: {}", std::strerror(errno));
    std::string content(std::size_t(std::min(std::uint64_t(status.st_size), max_bytes)), '\0');
    for (std::size_t done = 0; done < content.size();) {
      const ssize_t count = ::pread(descriptor_, content.data() + done, content.size() - done, off_t(done));
      if (count <= 0) return failure("what a box wrote cannot be read: {}", std::strerror(errno));
      done += std::size_t(count);
    }
    return content;
  }

 private:
  int descriptor_;
};

// The flags of the SDK as they are in the box.
Words in_the_box(Words flags, const Sdk& sdk) {
  const std::string prefix = (sdk.prefix() / "share/pkgconfig/..").string();
  for (std::string& flag : flags)
    if (const auto place = flag.find(prefix); place != std::string::npos)
      flag.replace(place, prefix.size(), fmt::format("{}/share", kSdk));
  return flags;
}

std::string shell_line(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  for (std::string& word : words) word = shell_word(word);
  return fmt::format("{}", fmt::join(words, " "));
}

// A program of GCC as our shell runs it in the box: it cannot reach our descriptors, and only the compiler
// proper writes messages that are data. The assembler prints what a source has it print. (GCC takes a comma
// for the end of an argument.)
std::string watched() {
  return R"(case $1 in */cc1plus) "$@" 3>&- 4>&- 5>&-;; *) "$@" 2>&5 3>&- 4>&- 5>&-;; esac; )" +
         note_end_as("$1") + "; exit $status";
}

constexpr std::string_view kDriver = "driver";  // what GCC's own program is called among these

// Compiles, links and hands over, in one box.
std::string script_of(const CompilerFlags& flags, const Words& standard, MessageForm form) {
  const Words driver{kCompiler, "-wrapper", fmt::format("/usr/bin/sh,-c,{},sh", watched())};
  Words compile = driver;
  compile.insert(compile.end(), flags.compile.begin(), flags.compile.end());
  compile.insert(compile.end(), std::begin(kBounds), std::end(kBounds));
  const Words messages = options_of(form);
  compile.insert(compile.end(), messages.begin(), messages.end());
  compile.insert(compile.end(), standard.begin(), standard.end());
  Words link = driver;
  link.push_back("/tmp/heuristic.o");
  link.insert(link.end(), flags.link.begin(), flags.link.end());
  const auto step = [](const std::string& command, int exit_code) {
    return fmt::format("{}; {}; [ $status = 0 ] || exit {}; ", command, note_end_as(kDriver), exit_code);
  };
  return step(shell_line(compile, {"-c", kSource, "-o", "/tmp/heuristic.o"}), kDoesNotCompile) +
         step(shell_line(link, {"-o", "/tmp/heuristic.so"}), kDoesNotLink) +
         "/usr/bin/cat /tmp/heuristic.so >&3";
}

// Files that a box writes to, by its descriptors: the plugin, how the compiler's programs ended, and the
// words of the assembler and the linker.
struct BoxOutputs {
  OutputFile plugin, ends, others;
};

BoxPlan plan_of(const fs::path& source, const Sdk& sdk, const CompileLimits& limits) {
  BoxPlan plan;
  plan.temporary_bytes = 2 * limits.file_bytes;
  plan.files.push_back({source, kSource});
  for (const char* part :
       {"include/mash-sdk", "include/mash-sdk-classic", "share/cmake/mash-sdk/mash_plugin.map"})
    plan.files.push_back({sdk.prefix() / part, fs::path(kSdk) / part});
  return plan;
}

ChildCommand command_of(const std::string& script, const CompileLimits& limits, const BoxOutputs& outputs) {
  ChildCommand command;
  command.arguments = {"/usr/bin/sh", "-c", script};
  command.variables = {"PATH=/usr/bin", "LC_ALL=C.UTF-8", "TMPDIR=/tmp"};
  command.descriptors = {outputs.plugin.descriptor(), outputs.ends.descriptor(), outputs.others.descriptor()};
  command.max_output_bytes = limits.message_bytes;
  command.group = ChildCommand::Group::kOwn;
  command.patience_seconds = 0;
  command.limits.wall_seconds = limits.wall_seconds;
  command.limits.cpu_seconds = limits.cpu_seconds;
  command.limits.address_bytes = limits.memory_bytes;
  command.limits.file_bytes = limits.file_bytes;
  command.limits.core_bytes = 0;
  command.limits.processes = kProcesses;
  return command;
}

// How a compilation ended, seen from outside: nothing that a source can have printed is in it.
struct CompilationEnd {
  ChildResult box;
  WatchedEnd program = {};
  std::uint64_t num_killed_for_memory = 0;  // by the limit of the box's own control group

  bool is_step(int exit_code) const { return box.status.signal == 0 && box.status.exit_code == exit_code; }
};

// Why this machine did not compile a source; "" where it did what it can. A compiler that ignores the
// signal of its processor time is killed, as by a machine without memory, but not before that time.
std::string machine_trouble(const CompilationEnd& end, const CompileLimits& limits) {
  if (end.box.timed_out || end.num_killed_for_memory > 0) return {};
  if (end.program.how == WatchedEnd::How::kKilled && end.program.seconds < 0.9 * double(limits.cpu_seconds))
    return "the compiler was killed, as by a machine without memory";
  if (end.program.how == WatchedEnd::How::kNotRun) return "the compiler lacks one of its programs";
  if (end.program.program == kDriver) return "the compiler could not run its programs";
  return {};
}

// Whether the compiler proper found no memory within its limit. Such a line is its own: what it says of a
// source is in the line of JSON.
bool says_it_has_no_memory(const std::string& messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("cc1plus: out of memory") || line.starts_with("virtual memory exhausted"))
      return true;
  return false;
}

// Which limit ended a compiler; "" for none.
std::string limit_that_ended(const CompilationEnd& end, const CompileLimits& limits) {
  if (end.box.timed_out) return fmt::format("compiling takes longer than {} s", limits.wall_seconds);
  if (end.num_killed_for_memory > 0 || says_it_has_no_memory(end.box.err))
    return fmt::format("compiling takes more than {} MiB of memory", limits.memory_bytes >> 20);
  if (end.program.how == WatchedEnd::How::kProcessorTime || end.program.how == WatchedEnd::How::kKilled)
    return fmt::format("compiling takes more than {} s of processor time", limits.cpu_seconds);
  if (end.program.how == WatchedEnd::How::kFileSize)
    return fmt::format("compiling writes more than {} MiB", limits.file_bytes >> 20);
  if (end.box.is_cut)
    return fmt::format("the compiler has more to say than {} MiB", limits.message_bytes >> 20);
  return {};
}

Result<ChildResult> wait_for(ChildProcess child, const StopFlag& stop) {
  do {
    if (stop.raised()) {
      child.end();
      return Error{ErrorKind::kStopped, "stopped while a compiler ran"};
    }
  } while (!child.wait_for(kLookSeconds));
  return child.wait();
}

// One attempt at one source.
class Attempt {
 public:
  Attempt(const fs::path& source, const CompileLimits& limits, const Sdk& sdk,
          MessageForm form = MessageForm::kData)
      : source_(source), limits_(limits), sdk_(sdk), form_(form) {}

  // Errors: as BoxedCompilation::status.
  Result<std::string> plugin(const CompilerFlags& flags, const Words& standard, const StopFlag& stop) {
    const BoxOutputs outputs;
    MASH_ASSIGN(ChildCommand command, boxed(command_of(script_of(flags, standard, form_), limits_, outputs),
                                            plan_of(source_, sdk_, limits_)));
    // The limits of each process are to be met first.
    const auto group = make_box_group({2 * (limits_.memory_bytes + limits_.file_bytes), 2 * kProcesses});
    if (group) group->take_in(command);
    MASH_ASSIGN(ChildProcess child, ChildProcess::start(std::move(command)));
    CompilationEnd end;
    MASH_ASSIGN(end.box, wait_for(std::move(child), stop));
    MASH_ASSIGN(const std::string ends, outputs.ends.beginning(limits_.message_bytes));
    MASH_ASSIGN(const std::string others, outputs.others.beginning(limits_.message_bytes));
    end.program = first_that_failed(ends);
    if (group) end.num_killed_for_memory = group->num_killed_for_memory();
    messages_ = form_ == MessageForm::kData
                    ? read_compiler_messages(end.box.err, others, limits_.max_messages)
                    : read_message_lines(end.box.err, limits_.max_messages);
    for (CompilerMessage& message : messages_)
      if (message.file == kSource) message.file = source_.string();
    if (end.box.succeeded()) return outputs.plugin.content(limits_.file_bytes);
    if (const std::string trouble = machine_trouble(end, limits_); !trouble.empty())
      return failure("{}: {}", source_.string(), trouble);
    if (const std::string fault = fault_of_source(end); !fault.empty()) {
      is_of_source_ = true;
      return failure("{}: {}", source_.string(), fault);
    }
    return failure("{}: the box for the compiler ended with {}: {}", source_.string(),
                   end.box.status.describe(), to_text(messages_));
  }
  // Whether an error of compiled() is of the source, as BoxedCompilation::is_of_source.
  bool is_of_source() const { return is_of_source_; }
  std::vector<CompilerMessage>& messages() { return messages_; }

 private:
  // "" where there is none.
  std::string fault_of_source(const CompilationEnd& end) const {
    if (std::string limit = limit_that_ended(end, limits_); !limit.empty()) return limit;
    if (end.is_step(kDoesNotCompile)) return "does not compile";
    return end.is_step(kDoesNotLink) ? "cannot be linked" : "";
  }

  const fs::path& source_;
  const CompileLimits& limits_;
  const Sdk& sdk_;
  MessageForm form_;
  std::vector<CompilerMessage> messages_;
  bool is_of_source_ = false;
};

// Whether a compiler ended at its most errors, and told none of them.
bool has_told_no_error(const std::vector<CompilerMessage>& messages) {
  return messages.size() == 1 && messages[0].file.empty() &&
         messages[0].text.find("-fmax-errors") != std::string::npos;
}

Result<std::string> read_source(const fs::path& source, std::uint64_t most_bytes) {
  std::error_code code;
  if (const auto size = fs::file_size(source, code); !code && size > most_bytes)
    return input_error("{}: found {} bytes, expected a source of at most {}", source.string(), size,
                       most_bytes);
  return read_file(source, most_bytes);
}

// Puts diagnostics and times beside the status into `compilation`.
Result<std::string> compile_boxed(const fs::path& source, const CompileLimits& limits, const StopFlag& stop,
                                  BoxedCompilation& compilation) {
  MASH_TRY(check_box());
  if (::access(kCompiler, X_OK) != 0)
    return failure("{}: not there; what is compiled in a box is compiled by it: install the package g++",
                   kCompiler);
  MASH_ASSIGN(const std::string text, read_source(source, limits.source_bytes));
  MASH_ASSIGN(const Sdk sdk, Sdk::find());
  const bool is_old = includes_classic_header(text);
  MASH_ASSIGN(CompilerFlags flags, sdk.flags(is_old ? "mash-sdk-classic" : "mash-sdk"));
  flags.compile = in_the_box(std::move(flags.compile), sdk);
  // The file that its id is made of; a folder of data beside it is not in the box.
  if (is_old) flags.compile.push_back(classic_definitions(source).front());
  flags.link = in_the_box(std::move(flags.link), sdk);
  Attempt today(source, limits, sdk);
  auto plugin = today.plugin(flags, is_old ? Words{"-std=gnu++20"} : Words{}, stop);
  compilation.messages = std::move(today.messages());
  compilation.is_of_source = today.is_of_source();
  if (compilation.is_of_source && has_told_no_error(compilation.messages)) {
    Attempt lines(source, limits, sdk, MessageForm::kLines);
    const auto same = lines.plugin(flags, is_old ? Words{"-std=gnu++20"} : Words{}, stop);
    if (!same.ok() && same.error().kind == ErrorKind::kStopped) return same;
    if (!lines.messages().empty()) compilation.messages = std::move(lines.messages());
  }
  if (plugin.ok() || !is_old || plugin.error().kind == ErrorKind::kStopped) return plugin;
  // Some classic source is valid in the C++ of its day only. What is wrong is told in the words of today's.
  Attempt old(source, limits, sdk);
  auto old_plugin = old.plugin(flags, {"-std=gnu++98"}, stop);
  if (!old_plugin.ok()) return plugin;
  compilation.messages = std::move(old.messages());
  compilation.is_of_source = false;
  return old_plugin;
}

}  // namespace

BoxedCompilation compile_in_box(const HeuristicSource& source, const fs::path& out,
                                const CompileLimits& limits, const StopFlag& stop) {
  BoxedCompilation compilation;
  compilation.plugin = out.empty() ? fs::path(source.place).replace_extension(".so") : out;
  if (source.is_project) {
    compilation.status = input_error(
        "{}: a project runs its own commands; only a source is compiled in a box", source.place.string());
    return compilation;
  }
  const auto plugin = compile_boxed(source.place, limits, stop, compilation);
  compilation.status = plugin.ok() ? write_file_atomically(compilation.plugin, *plugin) : plugin.error();
  return compilation;
}

}  // namespace mash
