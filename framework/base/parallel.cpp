// SPDX-License-Identifier: Apache-2.0
#include "framework/base/parallel.hpp"

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "framework/base/usable_cores.hpp"

namespace mash {
namespace {

int resolve(int num_threads) { return num_threads > 0 ? num_threads : usable_cores(); }

// The number of these threads, the calling one among them, that the system lets live at once. The library of
// tasks cannot go on where it is refused one, so they are asked for beforehand.
int possible_threads(int wanted) {
  std::atomic<bool> may_end{false};
  std::vector<std::thread> threads;
  try {
    for (int i = 1; i < wanted; ++i) threads.emplace_back([&] { may_end.wait(false); });
  } catch (const std::exception&) {  // refused: a limit of processes or of memory
  }
  may_end = true;
  may_end.notify_all();
  for (std::thread& thread : threads) thread.join();
  return 1 + int(threads.size());
}

}  // namespace

Workers::Workers(int num_threads)
    : num_threads_(possible_threads(resolve(num_threads))), arena_(num_threads_) {
  // The library's default limit is the number of cores; asking for more threads than cores must give them.
  static oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                           std::size_t(std::max(64, resolve(0))));
}

// A number that was taken is worked on, even if another has failed since: so all before a failure run to
// their end, and the smallest failure is among them.
Status Workers::try_each(std::size_t n, const StopFlag& stop,
                         const std::function<Status(std::size_t)>& task) const {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> has_failed{false};
  std::mutex mutex;
  std::size_t failed_idx = n;
  Status failed = Done{};
  for_ranges(std::min(n, std::size_t(num_threads_)), 1, [&](std::size_t, std::size_t) {
    while (!has_failed && !stop.raised()) {
      const std::size_t i = next++;
      if (i >= n) return;
      Status status = task(i);
      if (status.ok()) continue;
      has_failed = true;
      const std::lock_guard lock(mutex);
      if (i > failed_idx) continue;
      failed_idx = i;
      failed = std::move(status);
    }
  });
  if (!failed.ok() || next >= n) return failed;
  return stopped_by_user();
}

Status Workers::try_blocks(std::size_t n, std::size_t size, const StopFlag& stop,
                           const std::function<Status(std::size_t, std::size_t)>& task) const {
  return try_each((n + size - 1) / size, stop,
                  [&](std::size_t block) { return task(block * size, std::min(n, (block + 1) * size)); });
}

}  // namespace mash
