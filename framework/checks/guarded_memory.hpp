// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mash::checks {

// Where data lies between two pages that nobody may touch.
enum class Placement {
  kBeginsAtPage,  // the byte before it cannot be touched
  kEndsAtPage,    // the byte after it cannot be touched
};

// Memory of its own pages with a forbidden page on each side. While it lives, what a crash report knows it by
// is `name` ("the gray plane").
class GuardedMemory {
 public:
  GuardedMemory(std::size_t size, Placement placement, const std::string& name);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  // From now on writing to it is a crash.
  void forbid_writing();

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::uint8_t* pages_ = nullptr;  // with both forbidden pages
  std::size_t num_page_bytes_ = 0;
  std::size_t slot_ = 0;
};

// From now on a signal that ends this process first writes one line to `descriptor`: what signal, and for a
// touch of guarded memory which, on which side, reading or writing.
void report_crashes_to(int descriptor);

}  // namespace mash::checks
