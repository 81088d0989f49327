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
#include "framework/operations/workshop/classic_source.hpp"
#include "framework/operations/workshop/sdk.hpp"
#include "framework/records/submissions.hpp"

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
                                   "-fdiagnostics-format=json",
                                   "-fmax-errors=20",
                                   "-fmax-include-depth=64",
                                   "-ftemplate-depth=256",
                                   "-fconstexpr-depth=256",
                                   "-fconstexpr-loop-limit=262144",
                                   "-fconstexpr-ops-limit=16777216"};

// Whether the line is #include of a header of the classic interface. Unlike is_classic_source it looks at no
// file beside the source, which the box does not hold, and takes text that is made to break a pattern
// matcher.
bool text_includes_classic_header(std::string_view line) {
  const auto skip = [&](std::string_view blanks) {
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(blanks)));
  };
  const auto take = [&](std::string_view word) {
    const bool is_there = line.starts_with(word);
    if (is_there) line.remove_prefix(word.size());
    return is_there;
  };
  skip(" \t");
  if (!take("#")) return false;
  skip(" \t");
  if (!take("include")) return false;
  skip(" \t");
  if (!take("<") && !take("\"")) return false;
  const std::string_view header = line.substr(0, line.find_first_of(">\""));
  return header == "mash/heuristic.h" || header == "mash/image.h" ||
         header == "mash/simple_heuristic_container.h";
}

bool is_classic(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (text_includes_classic_header(line)) return true;
  return false;
}

// A file in memory that a box writes to, and that is closed with this.
class OutputFile {
 public:
  OutputFile() : descriptor_(::memfd_create("plugin", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {}
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
    std::string content(std::size_t(status.st_size), '\0');
    for (std::size_t done = 0; done < content.size();) {
      const ssize_t count = ::pread(descriptor_, content.data() + done, content.size() - done, off_t(done));
      if (count <= 0) return failure("the plugin cannot be read: {}", std::strerror(errno));
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

// Compiles, links and hands over, in one box.
std::string script_of(const CompilerFlags& flags, const Words& standard) {
  Words compile{kCompiler};
  compile.insert(compile.end(), flags.compile.begin(), flags.compile.end());
  compile.insert(compile.end(), std::begin(kBounds), std::end(kBounds));
  compile.insert(compile.end(), standard.begin(), standard.end());
  Words link{kCompiler, "/tmp/heuristic.o"};
  link.insert(link.end(), flags.link.begin(), flags.link.end());
  return fmt::format("{} || exit {}; {} || exit {}; /usr/bin/cat /tmp/heuristic.so >&3",
                     shell_line(compile, {"-c", kSource, "-o", "/tmp/heuristic.o"}), kDoesNotCompile,
                     shell_line(link, {"-o", "/tmp/heuristic.so"}), kDoesNotLink);
}

BoxPlan plan_of(const fs::path& source, const Sdk& sdk, const CompileLimits& limits) {
  BoxPlan plan;
  plan.temporary_bytes = 2 * limits.file_bytes;
  plan.files.push_back({source, kSource});
  for (const char* part :
       {"include/mash-sdk", "include/mash-sdk-classic", "share/cmake/mash-sdk/mash_plugin.map"})
    plan.files.push_back({sdk.prefix() / part, fs::path(kSdk) / part});
  return plan;
}

ChildCommand command_of(const std::string& script, const CompileLimits& limits, int output) {
  ChildCommand command;
  command.arguments = {"/usr/bin/sh", "-c", script};
  command.variables = {"PATH=/usr/bin", "LC_ALL=C.UTF-8", "TMPDIR=/tmp"};
  command.descriptors = {output};
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

// Whether GCC's driver says this of the programs that it runs. What a source says is never such a line.
bool driver_says(const std::string& output, std::string_view what) {
  const std::string line = fmt::format("g++: fatal error: {}", what);
  return output.starts_with(line) || output.find("\n" + line) != std::string::npos;
}

// Why this machine did not compile a source, seconds after it began to; "" where it did what it can. The
// limit of processor time kills as well as a machine that has no more memory, but not before that time.
std::string machine_trouble(const ChildResult& result, const CompileLimits& limits, double seconds) {
  if (driver_says(result.err, "Killed signal") && seconds < 0.95 * double(limits.cpu_seconds))
    return "the compiler was killed, as by a machine without memory";
  if (driver_says(result.err, "cannot execute")) return "the compiler lacks one of its programs";
  return {};
}

// Which limit ended a compiler; "" for none. GCC's driver tells of the signals that its programs end by.
std::string limit_that_ended(const ChildResult& result, const CompileLimits& limits) {
  const auto says = [&](const char* text) { return result.err.find(text) != std::string::npos; };
  if (result.timed_out) return fmt::format("compiling takes longer than {} s", limits.wall_seconds);
  if (says("CPU time limit exceeded") || driver_says(result.err, "Killed signal"))
    return fmt::format("compiling takes more than {} s of processor time", limits.cpu_seconds);
  if (says("File size limit exceeded") || says("File too large") || says("No space left on device"))
    return fmt::format("compiling writes more than {} MiB", limits.file_bytes >> 20);
  if (says("virtual memory exhausted") || says("out of memory") || says("Cannot allocate memory"))
    return fmt::format("compiling takes more than {} MiB of memory", limits.memory_bytes >> 20);
  if (result.is_cut)
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
  Attempt(const fs::path& source, const CompileLimits& limits, const Sdk& sdk)
      : source_(source), limits_(limits), sdk_(sdk) {}

  // Errors: as BoxedCompilation::status.
  Result<std::string> plugin(const CompilerFlags& flags, const Words& standard, const StopFlag& stop) {
    const OutputFile output;
    MASH_ASSIGN(ChildCommand command,
                boxed(command_of(script_of(flags, standard), limits_, output.descriptor()),
                      plan_of(source_, sdk_, limits_)));
    // The limits of each process are to be met first.
    const auto group = make_box_group({2 * (limits_.memory_bytes + limits_.file_bytes), 2 * kProcesses});
    if (group) group->take_in(command);
    const Stopwatch watch;
    MASH_ASSIGN(ChildProcess child, ChildProcess::start(std::move(command)));
    MASH_ASSIGN(const ChildResult result, wait_for(std::move(child), stop));
    messages_ = read_compiler_messages(result.err, limits_.max_messages);
    for (CompilerMessage& message : messages_)
      if (message.file == kSource) message.file = source_.string();
    if (result.succeeded()) return output.content(limits_.file_bytes);
    if (const std::string trouble = machine_trouble(result, limits_, watch.seconds()); !trouble.empty())
      return failure("{}: {}", source_.string(), trouble);
    if (const std::string fault = fault_of_source(result); !fault.empty()) {
      is_of_source_ = true;
      return failure("{}: {}", source_.string(), fault);
    }
    return failure("{}: the box for the compiler ended with {}: {}", source_.string(),
                   result.status.describe(), to_text(messages_));
  }
  // Whether an error of compiled() is of the source, as BoxedCompilation::is_of_source.
  bool is_of_source() const { return is_of_source_; }
  std::vector<CompilerMessage>& messages() { return messages_; }

 private:
  // "" where there is none.
  std::string fault_of_source(const ChildResult& result) const {
    if (std::string limit = limit_that_ended(result, limits_); !limit.empty()) return limit;
    const int code = result.status.exit_code;
    if (code == kDoesNotCompile) return "does not compile";
    return code == kDoesNotLink ? "cannot be linked" : "";
  }

  const fs::path& source_;
  const CompileLimits& limits_;
  const Sdk& sdk_;
  std::vector<CompilerMessage> messages_;
  bool is_of_source_ = false;
};

Result<std::string> read_source(const fs::path& source) {
  std::error_code code;
  if (const auto size = fs::file_size(source, code); !code && size > kMaxSubmittedBytes)
    return input_error("{}: {} bytes, expected a source of at most {}", source.string(), size,
                       kMaxSubmittedBytes);
  return read_file(source);
}

// Puts diagnostics and times beside the status into `compilation`.
Result<std::string> compile_boxed(const fs::path& source, const CompileLimits& limits, const StopFlag& stop,
                                  BoxedCompilation& compilation) {
  MASH_TRY(check_box());
  if (::access(kCompiler, X_OK) != 0)
    return failure("{}: not there; what is compiled in a box is compiled by it: install the package g++",
                   kCompiler);
  MASH_ASSIGN(const std::string text, read_source(source));
  MASH_ASSIGN(const Sdk sdk, Sdk::find());
  const bool is_old = is_classic(text);
  MASH_ASSIGN(CompilerFlags flags, sdk.flags(is_old ? "mash-sdk-classic" : "mash-sdk"));
  flags.compile = in_the_box(std::move(flags.compile), sdk);
  // The file that its id is made of; a folder of data beside it is not in the box.
  if (is_old) flags.compile.push_back(classic_definitions(source).front());
  flags.link = in_the_box(std::move(flags.link), sdk);
  Attempt today(source, limits, sdk);
  auto plugin = today.plugin(flags, is_old ? Words{"-std=gnu++20"} : Words{}, stop);
  compilation.messages = std::move(today.messages());
  compilation.is_of_source = today.is_of_source();
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
