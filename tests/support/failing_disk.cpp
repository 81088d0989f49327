// SPDX-License-Identifier: Apache-2.0
// A library to preload: the n-th call of the process that takes room on a disk, or waits for one, fails.
// Every writer is counted, SQLite and the standard library too; calls of the programs that it starts are
// not. Set up by tests/support/failing_disk.hpp.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> num_calls{0};
long failing_call = 0;   // 0: none
char report_path[4096];  // gets a line: what failed, or how many calls there were
pid_t counted_process = 0;

// Not counted, as it is no call of a library.
void report(const char* line) {
  const long file =
      ::syscall(SYS_openat, AT_FDCWD, report_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return;
  ::syscall(SYS_write, file, line, std::strlen(line));
  ::syscall(SYS_close, file);
}

__attribute__((constructor)) void begin() {
  const char* call = std::getenv("MASH_FAILING_CALL");
  const char* path = std::getenv("MASH_FAILING_REPORT");
  if (call == nullptr || path == nullptr) return;
  failing_call = std::atol(call);
  std::snprintf(report_path, sizeof report_path, "%s", path);
  counted_process = ::getpid();
  for (const char* variable : {"LD_PRELOAD", "MASH_FAILING_CALL", "MASH_FAILING_REPORT"})
    ::unsetenv(variable);
}

__attribute__((destructor)) void end() {
  if (counted_process != ::getpid() || failing_call != 0) return;
  char line[32];
  std::snprintf(line, sizeof line, "%ld", num_calls.load());
  report(line);
}

// Whether this call is to fail. place: the path that it is about.
bool fails(const char* name, const char* place) {
  if (counted_process != ::getpid() || ++num_calls != failing_call) return false;
  char line[4200];
  std::snprintf(line, sizeof line, "%s of %s", name, place);
  report(line);
  return true;
}

// The same of a descriptor, where that is a file on a disk.
bool fails(const char* name, int descriptor) {
  struct stat status {};
  if (counted_process != ::getpid() || ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  char link[64], place[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = ::readlink(link, place, sizeof place - 1);
  place[size < 0 ? 0 : size] = 0;
  return fails(name, place);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int fail(int code) {
  errno = code;
  return -1;
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  static const auto real = next<ssize_t(int, const void*, size_t)>("write");
  return fails("write", file) ? fail(ENOSPC) : real(file, bytes, size);
}
ssize_t writev(int file, const iovec* parts, int count) {
  static const auto real = next<ssize_t(int, const iovec*, int)>("writev");
  return fails("writev", file) ? fail(ENOSPC) : real(file, parts, count);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  static const auto real = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return fails("pwrite", file) ? fail(ENOSPC) : real(file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
  return pwrite(file, bytes, size, offset);
}
ssize_t sendfile(int out, int in, off_t* offset, size_t size) {
  static const auto real = next<ssize_t(int, int, off_t*, size_t)>("sendfile");
  return fails("sendfile", out) ? fail(ENOSPC) : real(out, in, offset, size);
}
ssize_t sendfile64(int out, int in, off64_t* offset, size_t size) { return sendfile(out, in, offset, size); }
ssize_t copy_file_range(int in, off64_t* in_offset, int out, off64_t* out_offset, size_t size,
                        unsigned flags) {
  static const auto real = next<ssize_t(int, off64_t*, int, off64_t*, size_t, unsigned)>("copy_file_range");
  return fails("copy_file_range", out) ? fail(ENOSPC) : real(in, in_offset, out, out_offset, size, flags);
}
int rename(const char* from, const char* to) {
  static const auto real = next<int(const char*, const char*)>("rename");
  return fails("rename", to) ? fail(ENOSPC) : real(from, to);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  static const auto real = next<int(int, const char*, int, const char*)>("renameat");
  return fails("renameat", to) ? fail(ENOSPC) : real(from_folder, from, to_folder, to);
}
int fsync(int file) {
  static const auto real = next<int(int)>("fsync");
  return fails("fsync", file) ? fail(EIO) : real(file);
}
int fdatasync(int file) {
  static const auto real = next<int(int)>("fdatasync");
  return fails("fdatasync", file) ? fail(EIO) : real(file);
}
int msync(void* begin, size_t size, int flags) {
  static const auto real = next<int(void*, size_t, int)>("msync");
  return fails("msync", "memory") ? fail(EIO) : real(begin, size, flags);
}
int ftruncate(int file, off_t size) {
  static const auto real = next<int(int, off_t)>("ftruncate");
  return fails("ftruncate", file) ? fail(ENOSPC) : real(file, size);
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
int fallocate(int file, int mode, off_t offset, off_t size) {
  static const auto real = next<int(int, int, off_t, off_t)>("fallocate");
  return fails("fallocate", file) ? fail(ENOSPC) : real(file, mode, offset, size);
}
int fallocate64(int file, int mode, off64_t offset, off64_t size) {
  return fallocate(file, mode, offset, size);
}
int posix_fallocate(int file, off_t offset, off_t size) {
  static const auto real = next<int(int, off_t, off_t)>("posix_fallocate");
  return fails("posix_fallocate", file) ? ENOSPC : real(file, offset, size);
}
int posix_fallocate64(int file, off64_t offset, off64_t size) { return posix_fallocate(file, offset, size); }

}  // extern "C"
