// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mash/abi/image.h"

namespace mash::checks {

// Where data lies between pages that are not the caller's.
enum class Placement {
  kBeginsAtPage,  // the byte before it cannot be touched
  kEndsAtPage,    // the byte after it cannot be touched
  kAmidPages,     // a page before it and one after it can be
};

// Rows of bytes, each between forbidden pages of its own.
struct GuardedRows {
  std::size_t row_size = 0;  // bytes
  std::size_t num_rows = 1;
};

// Memory of its own pages with forbidden pages around each row. While it lives, what a crash report knows it
// by is `name` ("the output array"); of several rows, which are those of a picture of one byte a pixel, the
// report gives x and y.
class GuardedMemory {
 public:
  GuardedMemory(std::size_t size, Placement placement, const std::string& name)
      : GuardedMemory(GuardedRows{size}, placement, name) {}
  GuardedMemory(const GuardedRows& rows, Placement placement, const std::string& name);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  std::uint8_t* data() const { return data_; }            // of the first row
  std::size_t row_stride() const { return row_stride_; }  // bytes from row to row
  // From now on writing to it is a crash.
  void forbid_writing();

 private:
  // Lets the rows, or all pages around the one row, be used so (PROT_READ, ...).
  void protect(int protection) const;

  Placement placement_;
  std::uint8_t* data_ = nullptr;
  std::size_t row_stride_ = 0;
  std::size_t num_rows_ = 0, num_row_bytes_ = 0;  // bytes of the pages of a row
  std::uint8_t* pages_ = nullptr;                 // with the forbidden ones
  std::size_t num_page_bytes_ = 0;
  std::size_t slot_ = 0;
};

// The call that the heuristic is in; size: of the view, 0x0 where it has none.
struct CallInProgress {
  const char* name = nullptr;  // "compute"; null between the calls
  mash_size_t size{};
};
// Tells a report of a crash on this thread.
void note_call(const CallInProgress& call);

// From now on a signal that ends this process first writes one line to `descriptor`: kOutsideMark and what
// was touched beyond guarded memory, or what signal it was and in which call.
inline constexpr char kOutsideMark = '@';
void report_crashes_to(int descriptor);

}  // namespace mash::checks
