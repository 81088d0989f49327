// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace mash {

// The order between a loop and what surrounds it, told to the thread sanitizer: the library of tasks that
// systems ship is built without it, so that it would call every loop a race. Nothing where it is off.
class LoopOrder {
 public:
#ifdef __SANITIZE_THREAD__
  LoopOrder() { __tsan_release(&begun_); }
  ~LoopOrder() { __tsan_acquire(&ended_); }

  template <class Work>
  void piece(const Work& work) {
    __tsan_acquire(&begun_);
    struct End {  // also of a piece that throws: the loop waits for all that have begun
      char& ended;
      ~End() { __tsan_release(&ended); }
    } const end{ended_};
    work();
  }

 private:
  char begun_ = 0, ended_ = 0;
#else
  template <class Work>
  void piece(const Work& work) {
    work();
  }
#endif
};

// A fixed number of threads for a run. Results must not depend on that number: each result goes to a place of
// its own, and sums of doubles run over blocks whose borders depend on the data only.
class Workers {
 public:
  // num_threads: 0 means one per core.
  explicit Workers(int num_threads = 0);

  int num_threads() const { return num_threads_; }

  // Calls body(begin, end) for ranges that cover [0, n), in any order and grouping, at least `grain` long
  // except the last. Where n <= grain it runs on this thread, at no cost.
  template <class Body>
  void for_ranges(std::size_t n, std::size_t grain, const Body& body) const {
    if (n == 0) return;
    if (num_threads_ == 1 || n <= grain) {
      body(std::size_t(0), n);
      return;
    }
    LoopOrder order;
    // Isolated: a thread that waits for a loop within a loop must not begin another piece of the outer one
    // meanwhile, whose thread-local buffers it is using.
    arena_.execute([&] {
      oneapi::tbb::this_task_arena::isolate([&] {
        oneapi::tbb::parallel_for(
            oneapi::tbb::blocked_range<std::size_t>(0, n, grain),
            [&](const auto& range) { order.piece([&] { body(range.begin(), range.end()); }); });
      });
    });
  }

  // Calls body(i) for each i < n, each begun after those before it. Of tasks of unequal length the caller
  // puts the longest first, so that none is left when the others have ended.
  template <class Body>
  void for_each_in_order(std::size_t n, const Body& body) const {
    std::atomic<std::size_t> next{0};
    for_ranges(std::min(n, std::size_t(num_threads_)), 1, [&](std::size_t, std::size_t) {
      for (std::size_t i; (i = next++) < n;) body(i);
    });
  }

  // Calls body(block, begin, end) for consecutive blocks of `size` items (the last may be shorter), each
  // once.
  template <class Body>
  void for_blocks(std::size_t n, std::size_t size, const Body& body) const {
    const std::size_t num_blocks = (n + size - 1) / size;
    for_ranges(num_blocks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t block = first; block < last; ++block)
        body(block, block * size, (block + 1) * size < n ? (block + 1) * size : n);
    });
  }

  // The sum of body(begin, end), a number or anything with +=, over fixed blocks, added in block order: the
  // same bits for any number of threads.
  template <class Body>
  auto sum_blocks(std::size_t n, std::size_t size, const Body& body) const {
    using Sum = std::invoke_result_t<Body, std::size_t, std::size_t>;
    std::vector<Sum> parts((n + size - 1) / size);
    for_blocks(n, size, [&](std::size_t block, std::size_t begin, std::size_t end) {
      parts[block] = body(begin, end);
    });
    Sum sum{};
    for (const Sum& part : parts) sum += part;
    return sum;
  }

  // Calls task(i) for each i < n, each begun after those before it, until one fails or the flag is raised;
  // those that have begun end. Errors: that of the smallest i that fails, which is the same for any number of
  // threads; else, where some were not begun, kStopped.
  Status try_each(std::size_t n, const StopFlag& stop,
                  const std::function<Status(std::size_t i)>& task) const;

  // The same with task(begin, end) for consecutive blocks of `size` items (the last may be shorter).
  Status try_blocks(std::size_t n, std::size_t size, const StopFlag& stop,
                    const std::function<Status(std::size_t begin, std::size_t end)>& task) const;

 private:
  int num_threads_;
  mutable oneapi::tbb::task_arena arena_;
};

}  // namespace mash
