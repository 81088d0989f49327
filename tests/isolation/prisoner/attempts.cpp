// SPDX-License-Identifier: Apache-2.0
#include "tests/isolation/prisoner/attempts.hpp"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdio>

namespace mash::testing {
namespace {

long read_file(const char* path) { return ::open(path, O_RDONLY); }
long make_file(const char* path) { return ::open(path, O_WRONLY | O_CREAT, 0600); }

long run_program() {
  char* arguments[] = {const_cast<char*>("/bin/true"), nullptr};
  return ::execve("/bin/true", arguments, nullptr);
}

long fork_process() {
  const long pid = ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (pid == 0) ::_exit(0);
  return pid;
}

long start_thread() {
  alignas(16) static std::array<std::byte, 1 << 14> stack;
  return ::clone([](void*) { return 0; }, stack.data() + stack.size(),
                 CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, nullptr);
}

long map_code() {
  const void* page =
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? -1 : 0;
}

// Memory that no limit of a process counts.
long share_memory(int file) {
  const int flags = MAP_SHARED | (file < 0 ? MAP_ANONYMOUS : 0);
  return ::mmap(nullptr, 4096, PROT_READ, flags, file, 0) == MAP_FAILED ? -1 : 0;
}

// The same: it counts as a stack.
long map_downwards() {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN;
  return ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, kFlags, -1, 0) == MAP_FAILED ? -1 : 0;
}

long read_memory_of_another() {
  std::array<char, 8> buffer{};
  iovec ours{buffer.data(), buffer.size()}, theirs{buffer.data(), buffer.size()};
  return ::process_vm_readv(1, &ours, 1, &theirs, 1, 0);
}

long raise_a_limit() {
  const rlimit limits{RLIM_INFINITY, RLIM_INFINITY};
  return ::setrlimit(RLIMIT_AS, &limits);
}

constexpr Attempt kAttempts[] = {
    // files
    {"read /etc/passwd", [] { return read_file("/etc/passwd"); }},
    {"read /etc/shadow", [] { return read_file("/etc/shadow"); }},
    {"read /root", [] { return read_file("/root"); }},
    {"read /home", [] { return read_file("/home"); }},
    {"read /var", [] { return read_file("/var"); }},
    {"read /proc/1/environ", [] { return read_file("/proc/1/environ"); }},
    {"read /proc/self/maps", [] { return read_file("/proc/self/maps"); }},
    {"read /sys/class/net", [] { return read_file("/sys/class/net"); }},
    {"read /dev/mem", [] { return read_file("/dev/mem"); }},
    {"make /tmp/file", [] { return make_file("/tmp/file"); }},
    {"make /dev/shm/file", [] { return make_file("/dev/shm/file"); }},
    {"make /file", [] { return make_file("/file"); }},
    {"make /usr/file", [] { return make_file("/usr/file"); }},
    {"mkdir", [] { return long(::mkdir("/tmp/folder", 0700)); }},
    {"unlink", [] { return long(::unlink("/usr/bin/env")); }},
    {"rename", [] { return long(::rename("/tmp", "/tmp2")); }},
    {"symlink", [] { return long(::symlink("/etc", "/tmp/link")); }},
    {"link", [] { return long(::link("/usr/bin/env", "/tmp/env")); }},
    {"chmod", [] { return long(::chmod("/tmp", 0700)); }},
    {"chown", [] { return long(::chown("/tmp", 1, 1)); }},
    {"mknod", [] { return long(::mknod("/tmp/device", S_IFCHR | 0600, makedev(1, 1))); }},
    {"truncate", [] { return long(::truncate("/usr/bin/env", 0)); }},
    {"memfd_create", [] { return long(::memfd_create("file", 0)); }},
    {"open_by_handle_at", [] { return ::syscall(SYS_open_by_handle_at, 0, nullptr, 0); }},
    {"inotify", [] { return long(::inotify_init1(0)); }},
    // sockets and what else reaches others
    {"socket inet", [] { return long(::socket(AF_INET, SOCK_STREAM, 0)); }},
    {"socket inet6", [] { return long(::socket(AF_INET6, SOCK_DGRAM, 0)); }},
    {"socket unix", [] { return long(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
    {"socket netlink", [] { return long(::socket(AF_NETLINK, SOCK_RAW, 0)); }},
    {"socket vsock", [] { return long(::socket(AF_VSOCK, SOCK_STREAM, 0)); }},
    {"socket raw", [] { return long(::socket(AF_INET, SOCK_RAW, 1)); }},
    {"socketpair",
     [] {
       int ends[2];
       return long(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
     }},
    {"share memory", [] { return share_memory(-1); }},
    {"share memory of a file", [] { return share_memory(0); }},
    {"map downwards", map_downwards},
    {"shmget", [] { return long(::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600)); }},
    {"semget", [] { return long(::semget(IPC_PRIVATE, 1, IPC_CREAT | 0600)); }},
    {"keyctl", [] { return ::syscall(SYS_keyctl, 0, -3, 0, 0, 0); }},
    {"add_key", [] { return ::syscall(SYS_add_key, "user", "name", "x", 1, -3); }},
    {"ioctl", [] { return long(::ioctl(0, TIOCSTI, "x")); }},
    // processes
    {"fork", fork_process},
    {"thread", start_thread},
    {"execve", run_program},
    {"execveat", [] { return ::syscall(SYS_execveat, -1, "/bin/true", nullptr, nullptr, 0); }},
    {"kill parent", [] { return long(::kill(::getppid(), SIGKILL)); }},
    {"kill all", [] { return long(::kill(-1, SIGKILL)); }},
    {"tgkill another", [] { return ::syscall(SYS_tgkill, 1, 1, SIGTERM); }},
    {"ptrace", [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }},
    {"process_vm_readv", read_memory_of_another},
    {"setuid", [] { return long(::syscall(SYS_setuid, 0)); }},
    {"setgroups", [] { return ::syscall(SYS_setgroups, 0, nullptr); }},
    {"setpriority", [] { return long(::setpriority(PRIO_PROCESS, 0, -10)); }},
    {"raise a limit", raise_a_limit},
    {"setsid", [] { return long(::setsid()); }},
    {"sched_setscheduler",
     [] {
       const sched_param parameter{1};
       return long(::sched_setscheduler(0, SCHED_FIFO, &parameter));
     }},
    // the kernel
    {"mount", [] { return long(::mount("none", "/tmp", "tmpfs", 0, nullptr)); }},
    {"umount", [] { return long(::umount2("/tmp", MNT_DETACH)); }},
    {"chroot", [] { return long(::chroot("/tmp")); }},
    {"pivot_root", [] { return ::syscall(SYS_pivot_root, "/tmp", "/tmp"); }},
    {"unshare", [] { return long(::unshare(CLONE_NEWUSER)); }},
    {"setns", [] { return long(::setns(0, 0)); }},
    {"bpf", [] { return ::syscall(SYS_bpf, BPF_MAP_CREATE, nullptr, 0); }},
    {"io_uring", [] { return ::syscall(SYS_io_uring_setup, 1, nullptr); }},
    {"userfaultfd", [] { return ::syscall(SYS_userfaultfd, 0); }},
    {"perf_event_open", [] { return ::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0); }},
    {"init_module", [] { return ::syscall(SYS_init_module, nullptr, 0, ""); }},
    {"kexec_load", [] { return ::syscall(SYS_kexec_load, 0, 0, nullptr, 0); }},
    {"sethostname", [] { return long(::sethostname("x", 1)); }},
    {"settimeofday",
     [] {
       const timeval time{1, 0};
       return long(::settimeofday(&time, nullptr));
     }},
    {"map code", map_code},
};

}  // namespace

std::span<const Attempt> attempts() { return kAttempts; }

}  // namespace mash::testing
