// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/system_calls.hpp"

#include <asm/prctl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

namespace mash {
namespace {

using Names = std::initializer_list<const char*>;

// Calls that only an attack asks for, of every process in a box.
constexpr Names kFatal{"add_key",
                       "bpf",
                       "chroot",
                       "delete_module",
                       "finit_module",
                       "fsconfig",
                       "fsmount",
                       "fsopen",
                       "fspick",
                       "init_module",
                       "io_uring_enter",
                       "io_uring_register",
                       "io_uring_setup",
                       "ioperm",
                       "iopl",
                       "kcmp",
                       "kexec_file_load",
                       "kexec_load",
                       "keyctl",
                       "mount",
                       "mount_setattr",
                       "move_mount",
                       "open_by_handle_at",
                       "open_tree",
                       "perf_event_open",
                       "pidfd_getfd",
                       "pivot_root",
                       "process_vm_readv",
                       "process_vm_writev",
                       "ptrace",
                       "reboot",
                       "request_key",
                       "setns",
                       "swapoff",
                       "swapon",
                       "umount2",
                       "unshare",
                       "userfaultfd"};

// Calls that end a worker as well.
constexpr Names kFatalForWorkers{"execve", "execveat"};

// Memory, locks, clocks, what is open, and the end.
constexpr Names kComputing{
    // memory; mmap and mprotect are below
    "brk", "madvise", "mremap", "munmap",
    // threads that are there, their locks and signals
    "futex", "getcpu", "gettid", "membarrier", "restart_syscall", "rseq", "rt_sigaction", "rt_sigprocmask",
    "rt_sigreturn", "sched_getaffinity", "sched_yield", "set_robust_list", "sigaltstack",
    // clocks, which are read without a call where the processor allows it
    "clock_getres", "clock_gettime", "clock_nanosleep", "gettimeofday", "nanosleep", "time",
    // what is open
    "close", "fstat", "lseek", "poll", "ppoll", "pread64", "pwrite64", "read", "readv", "write", "writev",
    // about itself
    "getegid", "geteuid", "getgid", "getpid", "getppid", "getrlimit", "getrusage", "getuid", "uname",
    // a seed for a hash table; it tells nothing
    "getrandom", "exit", "exit_group"};

// Finding and mapping libraries and files to read; what a program does first.
constexpr Names kLoading{"access",          "arch_prctl", "dup",      "faccessat",  "faccessat2",
                         "fadvise64",       "fstatfs",    "getcwd",   "getdents64", "lstat",
                         "mprotect",        "newfstatat", "readlink", "readlinkat", "seccomp",
                         "set_tid_address", "stat",       "statfs",   "statx",      "sysinfo"};

// Programs, threads and files.
constexpr Names kBuilding{"alarm",
                          "chdir",
                          "chmod",
                          "clock_nanosleep",
                          "close_range",
                          "copy_file_range",
                          "creat",
                          "dup2",
                          "dup3",
                          "eventfd2",
                          "execve",
                          "fallocate",
                          "fchdir",
                          "fchmod",
                          "fchmodat",
                          "fdatasync",
                          "flock",
                          "fork",
                          "fsync",
                          "ftruncate",
                          "futex_waitv",
                          "getpgid",
                          "getpgrp",
                          "getpriority",
                          "getresgid",
                          "getresuid",
                          "getsid",
                          "kill",
                          "landlock_add_rule",
                          "landlock_create_ruleset",
                          "landlock_restrict_self",
                          "link",
                          "linkat",
                          "mkdir",
                          "mkdirat",
                          "msync",
                          "open",
                          "openat",
                          "pause",
                          "pidfd_open",
                          "pidfd_send_signal",
                          "pipe",
                          "pipe2",
                          "prctl",
                          "prlimit64",
                          "pselect6",
                          "rename",
                          "renameat",
                          "renameat2",
                          "rmdir",
                          "rt_sigpending",
                          "rt_sigsuspend",
                          "rt_sigtimedwait",
                          "sched_get_priority_max",
                          "sched_get_priority_min",
                          "sched_getparam",
                          "sched_getscheduler",
                          "select",
                          "sendfile",
                          "set_mempolicy",
                          "setitimer",
                          "setpgid",
                          "setrlimit",
                          "setsid",
                          "symlink",
                          "symlinkat",
                          "tgkill",
                          "times",
                          "tkill",
                          "truncate",
                          "umask",
                          "unlink",
                          "unlinkat",
                          "utimensat",
                          "vfork",
                          "wait4",
                          "waitid"};

constexpr std::uint64_t kWrites = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
constexpr std::uint64_t kNewNamespaces =
    CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUSER | CLONE_NEWUTS;

// A list of calls that are allowed; all others are refused.
class Filter {
 public:
  // others: what becomes of calls that no rule is about.
  explicit Filter(std::uint32_t others) : context_(::seccomp_init(others)) { note(context_ ? 0 : -ENOMEM); }
  Filter() : Filter(SCMP_ACT_ERRNO(EACCES)) {
    if (!context_) return;
    note(::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    note(::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2));
    // The C library asks for what is new and falls back to what can be looked into.
    add(SCMP_ACT_ERRNO(ENOSYS), {"clone3", "openat2"});
    add(SCMP_ACT_KILL_PROCESS, kFatal);
  }

  void allow(Names names) { add(SCMP_ACT_ALLOW, names); }
  void kill(Names names) { add(SCMP_ACT_KILL_PROCESS, names); }
  // Where all the comparisons hold.
  void allow_where(const char* name, std::initializer_list<scmp_arg_cmp> comparisons) {
    if (const int call = number(name); call != __NR_SCMP_ERROR && context_)
      note(::seccomp_rule_add_array(context_.get(), SCMP_ACT_ALLOW, call, unsigned(comparisons.size()),
                                    comparisons.begin()));
  }

  void refuse(int error, Names names) { add(SCMP_ACT_ERRNO(std::uint32_t(error)), names); }
  // Where the comparison holds.
  void refuse_where(int error, const char* name, scmp_arg_cmp comparison) {
    if (const int call = number(name); call != __NR_SCMP_ERROR && context_)
      note(::seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(std::uint32_t(error)), call, 1,
                                    &comparison));
  }

  // For all threads of this process, and what they start.
  Status install() {
    note(context_ ? ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_TSYNC, 1) : 0);
    if (error_ == 0) note(::seccomp_load(context_.get()));
    return status();
  }
  // The filter as the kernel takes it.
  Result<std::string> program() {
    const int file = ::memfd_create("filter", MFD_CLOEXEC);
    if (file < 0) return failure("no memory for a filter: {}", std::strerror(errno));
    if (error_ == 0) note(::seccomp_export_bpf(context_.get(), file));
    std::string content;
    std::array<char, 4096> piece;
    ::lseek(file, 0, SEEK_SET);
    for (ssize_t count; (count = ::read(file, piece.data(), piece.size())) > 0;)
      content.append(piece.data(), std::size_t(count));
    ::close(file);
    MASH_TRY(status());
    return content;
  }

 private:
  struct Release {
    void operator()(void* context) const { ::seccomp_release(context); }
  };

  static int number(const char* name) { return ::seccomp_syscall_resolve_name(name); }
  void add(std::uint32_t action, Names names) {
    for (const char* name : names)
      if (const int call = number(name); call != __NR_SCMP_ERROR && context_)
        note(::seccomp_rule_add_array(context_.get(), action, call, 0, nullptr));
  }
  void note(int code) {
    if (error_ == 0) error_ = code;
  }
  Status status() const {
    if (error_ == 0) return Done{};
    return failure("the kernel takes no filter of system calls: {}", std::strerror(-error_));
  }

  std::unique_ptr<void, Release> context_;
  int error_ = 0;  // the first, negative
};

// Conditions on a call's argument; libseccomp's macros are C.
scmp_arg_cmp is(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_EQ, value, 0}; }
scmp_arg_cmp has_none_of(unsigned argument, std::uint64_t bits) {
  return {argument, SCMP_CMP_MASKED_EQ, bits, 0};
}
scmp_arg_cmp has_all_of(unsigned argument, std::uint64_t bits) {
  return {argument, SCMP_CMP_MASKED_EQ, bits, bits};
}

constexpr unsigned kProtection = 2, kMapping = 3;  // arguments of mmap; the first also of mprotect
// Mappings that the limit of private memory does not count; what grows downwards counts as a stack.
constexpr std::uint64_t kUncounted = MAP_SHARED | MAP_GROWSDOWN;

void allow_threads(Filter& filter, Threads threads) {
  if (threads == Threads::kAllowed) filter.allow_where("clone", {has_all_of(0, CLONE_THREAD)});
}

void allow_own_signals(Filter& filter) { filter.allow_where("tgkill", {is(0, std::uint64_t(::getpid()))}); }

void allow_reading_own_limits(Filter& filter) { filter.allow_where("prlimit64", {is(0, 0), is(2, 0)}); }

}  // namespace

Result<std::string> building_filter() {
  Filter filter;
  for (const Names& names : {kComputing, kLoading, kBuilding}) filter.allow(names);
  filter.allow({"fcntl", "mmap"});
  filter.allow_where("clone", {has_none_of(0, kNewNamespaces)});
  return filter.program();
}

Status allow_loading(Threads threads) {
  Filter filter;
  for (const Names& names : {kComputing, kLoading}) filter.allow(names);
  filter.kill(kFatalForWorkers);
  allow_threads(filter, threads);
  filter.allow_where("mmap", {has_none_of(kMapping, kUncounted)});
  filter.allow_where("open", {has_none_of(1, kWrites)});
  filter.allow_where("openat", {has_none_of(2, kWrites)});
  for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GET_SEALS})
    filter.allow_where("fcntl", {is(1, std::uint64_t(command))});
  // Options that allow_computing asks for.
  for (const int option : {PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_SET_NAME})
    filter.allow_where("prctl", {is(0, std::uint64_t(option))});
  allow_own_signals(filter);
  allow_reading_own_limits(filter);
  return filter.install();
}

Status allow_computing(Threads threads) {
  Filter filter;
  filter.allow(kComputing);
  filter.kill(kFatalForWorkers);
  allow_threads(filter, threads);
  filter.allow_where("mmap", {has_none_of(kProtection, PROT_EXEC), has_none_of(kMapping, kUncounted)});
  filter.allow_where("mprotect", {has_none_of(kProtection, PROT_EXEC)});
  for (const int command : {F_GETFD, F_GETFL}) filter.allow_where("fcntl", {is(1, std::uint64_t(command))});
  allow_own_signals(filter);
  allow_reading_own_limits(filter);
  return filter.install();
}

Status forbid_programs() {
  Filter filter(SCMP_ACT_ALLOW);
  filter.refuse(EPERM, {"fork", "vfork", "execve", "execveat", "memfd_create", "memfd_secret", "shmget"});
  filter.refuse(ENOSYS, {"clone3"});  // the C library falls back to clone, which can be looked into
  filter.refuse_where(EPERM, "clone", has_none_of(0, CLONE_THREAD));
  filter.refuse_where(EPERM, "mmap", has_all_of(kMapping, MAP_SHARED | MAP_ANONYMOUS));
  filter.refuse_where(EPERM, "mmap", has_all_of(kMapping, MAP_GROWSDOWN));
  filter.refuse_where(EPERM, "prctl", is(0, PR_SET_PDEATHSIG));  // it ends with its host
  return filter.install();
}

namespace {

// The loaded library whose file's name begins so; null: none has.
void* loaded_library(std::string_view name) {
  struct Search {
    std::string_view name;
    std::string path;
  } search{name, {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        Search& wanted = *static_cast<Search*>(data);
        const std::string_view path = info->dlpi_name;
        if (!path.substr(path.rfind('/') + 1).starts_with(wanted.name)) return 0;
        wanted.path = path;
        return 1;
      },
      &search);
  return search.path.empty() ? nullptr : ::dlopen(search.path.c_str(), RTLD_NOW | RTLD_NOLOAD);
}

}  // namespace

void settle_libraries() {
  ::tzset();  // reads /etc/localtime
  void* opencv = loaded_library("libopencv_core.so");
  if (!opencv) return;
  // Looked up by name: mash-worker links no OpenCV, only some plugins do.
  using SetNumThreads = void(int);
  if (void* function = ::dlsym(opencv, "_ZN2cv13setNumThreadsEi"))
    reinterpret_cast<SetNumThreads*>(function)(1);
  using GetNumber = int();
  if (void* function = ::dlsym(opencv, "_ZN2cv15getNumberOfCPUsEv"))
    reinterpret_cast<GetNumber*>(function)();  // reads files of the system, once
  ::dlclose(opencv);
}

}  // namespace mash
