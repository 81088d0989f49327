// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>

namespace mash {

// Blocks of at least this many bytes are kept on disk.
inline constexpr std::size_t kScratchBytes = std::size_t(256) << 20;

// Memory for large arrays: a block of kScratchBytes or more is a mapped file without a name in $TMPDIR or,
// where that is not set, in /var/tmp, so that the kernel can write it out and take its memory. Smaller
// blocks, and those for which the disk lacks room, are ordinary memory. Throws std::bad_alloc.
void* allocate_scratch(std::size_t num_bytes);
// num_bytes: as it was allocated with.
void free_scratch(void* block, std::size_t num_bytes) noexcept;

// The same for containers of the standard library.
template <class T>
struct ScratchAllocator {
  using value_type = T;

  ScratchAllocator() = default;
  template <class Other>
  ScratchAllocator(const ScratchAllocator<Other>&) {}

  T* allocate(std::size_t n) {
    if (n > std::size_t(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_scratch(n * sizeof(T)));
  }
  void deallocate(T* block, std::size_t n) noexcept { free_scratch(block, n * sizeof(T)); }

  template <class Other>
  bool operator==(const ScratchAllocator<Other>&) const {
    return true;
  }
};

}  // namespace mash
