// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/box.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <utility>

#include "framework/base/file.hpp"
#include "framework/base/require.hpp"
#include "framework/isolation/system_calls.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kBubblewrap = "/usr/bin/bwrap";
// Runs bubblewrap ("$@"), ends as it does, and ends the whole group with SIGTERM, which it gets when its
// parent ends. While bubblewrap begins its processes do not yet end with each other, and the one in the box
// would wait for ever.
constexpr const char* kGuard = R"(trap 'kill -KILL 0' TERM; "$@" & wait $!)";
constexpr const char* kSetsLimits = "/usr/bin/prlimit";  // of util-linux, which every Debian has
// Numbers from here on are given to nobody: what systemd's list of user numbers calls unused begins here.
// There is room for the greatest number of a process (2^22).
constexpr uid_t kFirstUser = 0x7000'0000;
constexpr uid_t kNumUsers = uid_t(1) << 22;
constexpr std::size_t kMostFilesHandedOver = 200;  // of a folder; each takes a descriptor

void append(Words& words, Words more) {
  words.insert(words.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Whether this process, which may itself be in a user namespace, can become any of the users from kFirstUser.
bool has_users_of_its_own() {
  std::ifstream map("/proc/self/uid_map");
  for (std::uint64_t first, outside, count; map >> first >> outside >> count;)
    if (first <= kFirstUser && kFirstUser + std::uint64_t(kNumUsers) <= first + count) return true;
  return false;
}

// One user a box, so that boxes have nothing to do with each other, and a limit on the processes of a user is
// one of the box.
ChildUser user_of_a_box() {
  if (has_users_of_its_own()) return {kFirstUser, true};
  return {kNobody, false};
}

bool others_may(const fs::path& path, mode_t mode) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && (status.st_mode & mode) == mode;
}

// Whether a user without any rights of its own can open it. `path` is absolute, without links.
bool anyone_can_open(const fs::path& path) {
  for (fs::path folder = path.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (!others_may(folder, S_IXOTH)) return false;
  return others_may(path, fs::is_directory(path) ? S_IROTH | S_IXOTH : S_IROTH);
}

bool is_system_file(const fs::path& path) { return path.string().starts_with("/usr/"); }

// The arguments of bubblewrap, and the contents that it reads from its descriptors.
class Arguments {
 public:
  explicit Arguments(std::size_t num_descriptors) : next_descriptor_(3 + num_descriptors) {}

  void add(Words words) { append(words_, std::move(words)); }
  // An option whose argument is a content.
  void add_content(Words option, std::string content) {
    add(std::move(option));
    words_.push_back(std::to_string(next_descriptor_++));
    contents_.push_back(std::move(content));
  }
  // A file that the user of the box cannot open is handed over by us, who can.
  Status add_file(const BoxFile& file) {
    std::error_code code;
    const fs::path from = fs::canonical(file.from, code);
    if (code) return failure("{}: {}", file.from.string(), code.message());
    if (::geteuid() != 0 || anyone_can_open(from)) {
      add({"--ro-bind", from.string(), file.to.string()});
      return Done{};
    }
    if (fs::is_directory(from, code)) return add_folder(from, file.to);
    MASH_ASSIGN(std::string content, read_file(from));
    add_content({"--perms", "0555", "--ro-bind-data"}, std::move(content));
    words_.push_back(file.to.string());
    return Done{};
  }

  Words& words() { return words_; }
  std::vector<std::string>& contents() { return contents_; }

 private:
  // Files of a folder one by one, as of a checkout in the home of root.
  Status add_folder(const fs::path& from, const fs::path& to) {
    add({"--dir", to.string()});
    std::size_t num_files = 0;
    std::error_code code;
    for (fs::recursive_directory_iterator entry(from, code), end; !code && entry != end;
         entry.increment(code)) {
      if (!entry->is_regular_file()) continue;
      if (++num_files > kMostFilesHandedOver)
        return failure(
            "{}: the user that a box runs as cannot read this folder, or one above it, and it has more than "
            "the {} files that can be handed over: chmod o+rx lets it",
            from.string(), kMostFilesHandedOver);
      MASH_TRY(add_file({entry->path(), to / entry->path().lexically_relative(from)}));
    }
    if (code) return failure("{}: {}", from.string(), code.message());
    return Done{};
  }

  std::size_t next_descriptor_;
  Words words_;
  std::vector<std::string> contents_;
};

void add_namespaces(Arguments& arguments) {
  const std::string nobody = std::to_string(kNobody);
  arguments.add({"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net",
                 "--unshare-cgroup-try", "--uid", nobody, "--gid", nobody, "--hostname", "box", "--cap-drop",
                 "ALL", "--die-with-parent"});
}

void add_system(Arguments& arguments) {
  arguments.add({"--ro-bind", "/usr", "/usr"});
  std::error_code code;
  for (const char* name : {"/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin"}) {
    if (fs::is_symlink(name, code) && is_system_file(fs::canonical(name, code)))
      arguments.add({"--symlink", fs::read_symlink(name, code).string(), name});
    else
      arguments.add({"--ro-bind-try", name, name});
  }
  for (const char* name : {"/etc/alternatives", "/etc/ld.so.cache"})
    arguments.add({"--ro-bind-try", name, name});
}

// Folders that can be written to have a size; bubblewrap's own --dev has a /dev/shm without.
void add_memory(Arguments& arguments, std::uint64_t temporary_bytes) {
  const std::string size = std::to_string(temporary_bytes);
  arguments.add({"--tmpfs", "/dev"});
  for (const char* name : {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"})
    arguments.add({"--dev-bind", name, name});
  for (const char* name : {"/tmp", "/dev/shm"})
    arguments.add({"--perms", "1777", "--size", size, "--tmpfs", name});
  arguments.add({"--remount-ro", "/dev", "--remount-ro", "/"});
}

// The words that set the limits in the box and run the rest; empty without limits.
Words limits_of(const ProcessLimits& limits) {
  Words words{kSetsLimits};
  const auto add = [&](const char* name, std::uint64_t value) {
    if (value != ProcessLimits::kUnlimited) words.push_back(fmt::format("--{}={}", name, value));
  };
  if (limits.cpu_seconds != ProcessLimits::kUnlimited)
    words.push_back(fmt::format("--cpu={}:{}", limits.cpu_seconds,
                                limits.cpu_seconds + ProcessLimits::kSecondsAfterSignal));
  add("fsize", limits.file_bytes);
  add("as", limits.address_bytes);
  add("core", limits.core_bytes);
  add("nofile", limits.open_files);
  // Bubblewrap's own first process in the box counts.
  if (limits.processes != ProcessLimits::kUnlimited) add("nproc", limits.processes + 1);
  if (words.size() == 1) return {};
  words.push_back("--");
  return words;
}

// Threads are refused once a worker is shut in; libraries that start some when they are loaded must not.
constexpr const char* kNoThreads[] = {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"};

}  // namespace

Result<ChildCommand> boxed(ChildCommand command, const BoxPlan& plan) {
  require(!command.user && command.contents.empty(), "boxed: user and contents are the box's own");
  if (::access(kBubblewrap, X_OK) != 0)
    return failure("{}: not there; a box needs it: install the package bubblewrap", kBubblewrap);
  static const Result<std::string> filter = building_filter();  // the same for all boxes
  if (!filter.ok()) return filter.error();
  Arguments arguments(command.descriptors.size());
  add_namespaces(arguments);
  add_system(arguments);
  std::vector<BoxFile> files = plan.files;
  if (fs::path program = command.arguments[0]; !is_system_file(program)) {
    command.arguments[0] = (fs::path(kBoxFolder) / program.filename()).string();
    files.push_back({std::move(program), command.arguments[0]});
  }
  for (const BoxFile& file : files) MASH_TRY(arguments.add_file(file));
  add_memory(arguments, plan.temporary_bytes);
  arguments.add({"--chdir", command.folder.empty() ? "/tmp" : command.folder.string()});
  arguments.add_content({"--seccomp"}, *filter);
  Words words{"/bin/sh", "-c", kGuard, "box", kBubblewrap};
  append(words, std::move(arguments.words()));
  words.push_back("--");
  append(words, limits_of(command.limits));
  append(words, std::move(command.arguments));

  command.arguments = std::move(words);
  command.contents = std::move(arguments.contents());
  command.folder.clear();
  command.inherits_environment = false;
  command.variables.insert(command.variables.end(), std::begin(kNoThreads), std::end(kNoThreads));
  command.limits = {.wall_seconds = command.limits.wall_seconds};
  // Not bubblewrap's --new-session: its processes stay in the group that kGuard ends.
  command.group = ChildCommand::Group::kOwn;
  command.patience_seconds = 0;
  command.death_signal = SIGTERM;
  if (::geteuid() == 0) command.user = user_of_a_box();
  return command;
}

}  // namespace mash
