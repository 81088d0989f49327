// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

// Ways to memory that the limit of a worker's private memory does not count.

constexpr long kMemfdSecret = 447;  // older headers do not name it

// Whether it was given memory that no limit of a process counts, of the file or of none.
inline bool share_memory(int file) {
  constexpr std::size_t kBytes = std::size_t(1) << 20;
  if (file >= 0 && ::ftruncate(file, kBytes) != 0) return false;
  const int flags = MAP_SHARED | (file < 0 ? MAP_ANONYMOUS : 0);
  void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, flags, file, 0);
  return memory != MAP_FAILED && ::munmap(memory, kBytes) == 0;
}

// The same of a file that is in memory alone, which is closed.
inline bool share_file(int file) {
  const bool was_let = file >= 0 && share_memory(file);
  ::close(file);
  return was_let;
}

// Whether it was given memory that counts as a stack.
inline bool grow_downwards() {
  constexpr std::size_t kBytes = std::size_t(1) << 20;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN;
  void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  return memory != MAP_FAILED && ::munmap(memory, kBytes) == 0;
}

// Whether it was given more addresses than any heuristic needs: what is written to and then made read-only is
// not counted either.
inline bool reserve_addresses() {
  constexpr std::size_t kBytes = std::size_t(2) << 30;
  void* addresses = ::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return addresses != MAP_FAILED && ::munmap(addresses, kBytes) == 0;
}
