// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scratch_allocator.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace mash {
namespace {

// Asked first, as reserving would take all that is left from other programs before it fails.
bool has_room(int file, std::size_t num_bytes) {
  struct statvfs space {};
  return fstatvfs(file, &space) == 0 && space.f_bavail > num_bytes / space.f_frsize;
}

bool reserve(int file, std::size_t num_bytes) {
  int code = EINTR;
  while (code == EINTR) code = posix_fallocate(file, 0, off_t(num_bytes));
  return code == 0;
}

// A file without a name that has the room, mapped; null where it cannot be had.
void* map_file(std::size_t num_bytes) {
  const char* folder = std::getenv("TMPDIR");
  const int file = open(folder && *folder ? folder : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  // Without the room reserved, a full disk would end the program at some later write to the memory.
  void* block = MAP_FAILED;
  if (has_room(file, num_bytes) && reserve(file, num_bytes))
    block = mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return block == MAP_FAILED ? nullptr : block;
}

}  // namespace

void* allocate_scratch(std::size_t num_bytes) {
  if (num_bytes < kScratchBytes) return ::operator new(num_bytes);
  if (void* block = map_file(num_bytes)) return block;
  // Pages of its own too, so that all large blocks are freed in one way.
  void* block = mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  return block;
}

void free_scratch(void* block, std::size_t num_bytes) noexcept {
  if (num_bytes < kScratchBytes)
    ::operator delete(block);
  else
    munmap(block, num_bytes);
}

}  // namespace mash
