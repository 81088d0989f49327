// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdint>
#include <string>

// The descriptor of the block that a worker writes to, and its size
// (framework/isolation/worker_messages.hpp).
constexpr int kOutput = 6;
constexpr std::size_t kOutputBytes = 4096 + (std::size_t(2) << 20) + (std::size_t(128) << 20);

// Writes into what the host will read; whether it is let. A box lets nobody map the block a second time.
inline bool write_output(const std::string& bytes, std::size_t offset) {
  return ::pwrite(kOutput, bytes.data(), bytes.size(), off_t(offset)) == ssize_t(bytes.size());
}

// Where the worker is, its words and the results: all of it rubbish from now on.
inline bool overwrite_shared() {
  const bool was_let = write_output(std::string(std::size_t(3) << 20, '\xff'), 0);
  return write_output(std::string(1 << 16, '\xff'), kOutputBytes - (1 << 16)) || was_let;
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
  constexpr std::uint32_t kKinds[] = {0, 0, 2, 3, 4, 4, 4, 5};  // by the call that the worker is in
  std::uint32_t call = 0;
  if (::pread(kOutput, &call, sizeof call, 0) != sizeof call || !write_output(words, 4096)) return false;
  Reply reply{kKinds[call % 8], 4, 3};
  reply.text_bytes = std::uint32_t(words.size());
  return ::write(3, &reply, sizeof reply) == sizeof reply;
}
