// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

// The size of the block that a worker writes to (framework/isolation/worker_messages.hpp).
constexpr std::size_t kOutputBytes = 4096 + (std::size_t(2) << 20) + (std::size_t(128) << 20);

// A second view of what the worker writes to, as large as it is; null where it is not let.
inline char* output_of_worker() {
  void* memory = ::mmap(nullptr, kOutputBytes, PROT_READ | PROT_WRITE, MAP_SHARED, 6, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

// Where the worker is, its words and the results: all of it rubbish from now on.
inline bool overwrite_shared() {
  char* memory = output_of_worker();
  if (memory == nullptr) return false;
  std::memset(memory, 0xff, std::size_t(3) << 20);
  std::memset(memory + kOutputBytes - (1 << 16), 0xff, 1 << 16);
  return ::munmap(memory, kOutputBytes) == 0;
}

// A reply as the host wants it.
struct Reply {
  std::uint32_t kind = 0, dim = 0, num_done = 0, num_faults = 0, faults[16] = {}, text_bytes = 0;
};

// A reply of every kind, each of more images and features than there are, with words that are none.
inline bool lie_in_reply() {
  bool was_let = overwrite_shared();
  for (std::uint32_t kind = 0; kind < 6; ++kind) {
    Reply reply{kind, 0xffff'ffff, 0xffff'ffff};
    reply.text_bytes = 2 << 20;
    was_let |= ::write(3, &reply, sizeof reply) == sizeof reply;
  }
  return was_let;
}

// The reply that the host waits for now, with these words.
inline bool reply_with(const std::string& words) {
  char* memory = output_of_worker();
  if (memory == nullptr) return false;
  constexpr std::uint32_t kKinds[] = {0, 0, 2, 3, 4, 4, 4, 5};  // by the call that the worker is in
  std::uint32_t call = 0;
  std::memcpy(&call, memory, sizeof call);
  std::memcpy(memory + 4096, words.data(), words.size());
  ::munmap(memory, kOutputBytes);
  Reply reply{kKinds[call % 8], 4, 3};
  reply.text_bytes = std::uint32_t(words.size());
  return ::write(3, &reply, sizeof reply) == sizeof reply;
}
