// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <future>

#include "framework/base/result.hpp"

namespace mash {

// Writes to the disk that go on beside the work that follows, one after the other. The destructor waits for
// them.
class WriteQueue {
 public:
  // Begins this write once the one before has ended. Errors: those of the one before; this one is not begun.
  Status add(std::function<Status()> write);
  // Waits until all is written. Errors: those of the last write.
  Status wait();

 private:
  std::future<Status> last_;  // not valid: none is under way
};

}  // namespace mash
