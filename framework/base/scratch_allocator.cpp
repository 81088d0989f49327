// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scratch_allocator.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace mash {
namespace {

// A file without a name that has the room, mapped; null where it cannot be had.
void* map_file(std::size_t num_bytes) {
  const char* folder = std::getenv("TMPDIR");
  const int file = open(folder && *folder ? folder : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  // Without the room reserved, a full disk would end the program at some later write to the memory.
  void* block = MAP_FAILED;
  if (posix_fallocate(file, 0, off_t(num_bytes)) == 0)
    block = mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return block == MAP_FAILED ? nullptr : block;
}

}  // namespace

void* allocate_scratch(std::size_t num_bytes) {
  if (num_bytes < kScratchBytes) return ::operator new(num_bytes);
  if (void* block = map_file(num_bytes)) return block;
  // Pages of its own too, so that all large blocks are freed in one way.
  void* block =
      mmap(nullptr, num_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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
