// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// A descriptor of this process, closed with this.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int number = -1) : number_(number) {}
  ~OwnedDescriptor();
  OwnedDescriptor(OwnedDescriptor&& other) noexcept;
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept;

  int number() const { return number_; }  // -1: none

 private:
  int number_;
};

// Rights of a worker on memory that it is given.
enum class WorkerMay { kRead, kWrite };

// Memory that this program shares with a worker process. Its size is sealed, so that neither side can make
// the other's accesses fail; what the worker may only read is sealed against its writing too. Pages that
// nobody has written to take no memory.
class SharedBlock {
 public:
  // For this program, which may always write. Errors (kFailure): the system has no memory for it.
  static Result<SharedBlock> make(std::size_t num_bytes, WorkerMay may);
  // In the worker, of the descriptor that it was given: between pages that cannot be touched. Errors
  // (kFailure): it is no such block.
  static Result<SharedBlock> attach(int descriptor, WorkerMay may);

  SharedBlock(SharedBlock&& other) noexcept;
  SharedBlock& operator=(SharedBlock&&) = delete;
  ~SharedBlock();

  // REQUIRES: written to only where this side may.
  std::span<std::byte> bytes() const { return bytes_; }
  int descriptor() const { return descriptor_.number(); }  // -1 in the worker

 private:
  SharedBlock(OwnedDescriptor descriptor, std::span<std::byte> bytes, std::span<std::byte> pages);

  OwnedDescriptor descriptor_;
  std::span<std::byte> bytes_;
  std::span<std::byte> pages_;  // with those that cannot be touched
};

// The file once more, to be read, with a position of its own: processes that share one could tell each other
// something by it. Errors (kFailure): it cannot be opened.
Result<OwnedDescriptor> opened_again(const OwnedDescriptor& file);

// A file in memory whose content nobody can change any more. Errors (kFailure): the system has no memory.
Result<OwnedDescriptor> sealed_file(std::string_view name, std::string_view content);

}  // namespace mash
