// SPDX-License-Identifier: Apache-2.0
#include "framework/families/write_queue.hpp"

#include <utility>

namespace mash {

Status WriteQueue::add(std::function<Status()> write) {
  MASH_TRY(wait());
  last_ = std::async(std::launch::async, std::move(write));
  return Done{};
}

Status WriteQueue::wait() { return last_.valid() ? last_.get() : Status(Done{}); }

}  // namespace mash
