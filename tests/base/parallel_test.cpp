// SPDX-License-Identifier: Apache-2.0
#include "framework/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

class WorkersOf : public ::testing::TestWithParam<int> {
 protected:
  Workers workers{GetParam()};
};

TEST_P(WorkersOf, RangesCoverEveryIndexOnce) {
  for (const std::size_t n : {0, 1, 7, 64, 1000, 100003})
    for (const std::size_t grain : {1, 3, 64, 200000}) {
      std::vector<std::atomic<int>> counts(n);
      workers.for_ranges(n, grain, [&](std::size_t begin, std::size_t end) {
        EXPECT_LT(begin, end);
        for (std::size_t i = begin; i < end; ++i) ++counts[i];
      });
      for (const auto& count : counts) ASSERT_EQ(count, 1);
    }
}

TEST_P(WorkersOf, BlocksHaveFixedBorders) {
  for (const std::size_t n : {0, 1, 10, 11, 1000}) {
    std::vector<std::atomic<int>> counts((n + 9) / 10);
    workers.for_blocks(n, 10, [&](std::size_t block, std::size_t begin, std::size_t end) {
      EXPECT_EQ(begin, block * 10);
      EXPECT_EQ(end, std::min(n, begin + 10));
      ++counts[block];
    });
    for (const auto& count : counts) ASSERT_EQ(count, 1);
  }
}

TEST_P(WorkersOf, SumsHaveTheBitsOfOneThread) {
  RandomStream stream(1, "test.sum");
  std::vector<double> values(50000);
  for (double& value : values) value = std::exp(20 * stream.normal());
  const auto sum_of = [&](const Workers& some) {
    return some.sum_blocks(values.size(), 128, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += values[i];
      return sum;
    });
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(sum_of(workers), sum_of(Workers(1)));
}

TEST_P(WorkersOf, TasksBeginInOrderEachOnce) {
  for (const std::size_t n : {0, 1, 2, 100}) {
    std::mutex mutex;
    std::vector<std::size_t> begun;
    std::atomic<std::size_t> num_begun{0};
    workers.for_each_in_order(n, [&](std::size_t i) {
      // Those before have begun, though another thread may still be on its way to this line.
      EXPECT_LE(i, num_begun++ + std::size_t(workers.num_threads()));
      const std::lock_guard lock(mutex);
      begun.push_back(i);
    });
    if (workers.num_threads() == 1) {
      EXPECT_TRUE(std::is_sorted(begun.begin(), begun.end()));
    }
    std::sort(begun.begin(), begun.end());
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t(0));
    EXPECT_EQ(begun, all);
  }
}

TEST_P(WorkersOf, LoopsMayBeNested) {
  std::atomic<std::size_t> count{0};
  workers.for_ranges(50, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      workers.for_ranges(100, 10, [&](std::size_t first, std::size_t last) { count += last - first; });
  });
  EXPECT_EQ(count, 5000u);
}

// A thread-local buffer stays its piece's for as long as that runs, loops within it included.
TEST_P(WorkersOf, AThreadBeginsNoOtherPieceWhileItWaits) {
  std::atomic<int> num_mixed{0};
  workers.for_ranges(200, 1, [&](std::size_t begin, std::size_t) {
    thread_local std::size_t mine = 0;
    mine = begin;
    std::atomic<std::uint64_t> work{0};
    workers.for_ranges(64, 1, [&](std::size_t first, std::size_t) {
      RandomStream stream(1, "test.work", first);
      for (int i = 0; i < 500; ++i) work += stream.next_u32();
    });
    if (mine != begin) ++num_mixed;
  });
  EXPECT_EQ(num_mixed, 0);
}

// When the exception arrives, no piece runs any more: the caller may free what they read, which is no race.
TEST_P(WorkersOf, ALoopThatThrowsHasEnded) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    auto numbers = std::make_unique<std::vector<int>>(1000, 1);
    std::atomic<int> num_within{0};
    const auto loop = [&] {
      workers.for_blocks(numbers->size(), 1, [&](std::size_t i, std::size_t, std::size_t) {
        ++num_within;
        const int number = (*numbers)[i]++;
        --num_within;
        if (i % 100 == 99) throw number;
      });
    };
    EXPECT_THROW(loop(), int);
    EXPECT_EQ(num_within, 0);
    numbers.reset();
  }
}

// Few or many tasks fail, each after a while of its own: which of them fails first in time is left to chance.
TEST_P(WorkersOf, TheErrorIsThatOfTheSmallestIndex) {
  const StopFlag never;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    RandomStream stream(trial, "test.failures");
    const std::size_t n = stream.below(60);
    const double share = stream.uniform();
    std::vector<bool> fails(n);
    for (std::size_t i = 0; i < n; ++i) fails[i] = stream.uniform() < share * share;
    const std::size_t smallest = std::size_t(std::find(fails.begin(), fails.end(), true) - fails.begin());
    std::vector<std::atomic<int>> counts(n);
    const Status status = workers.try_each(n, never, [&](std::size_t i) -> Status {
      ++counts[i];
      RandomStream work(trial, "test.work", i);
      std::atomic<std::uint64_t> sum{0};
      for (std::uint64_t k = work.below(2000); k > 0; --k) sum += work.next_u32();
      if (fails[i]) return failure("task {}", i);
      return Done{};
    });
    ASSERT_EQ(status.ok(), smallest == n) << "trial " << trial;
    if (!status.ok()) {
      ASSERT_EQ(status.error().message, fmt::format("task {}", smallest)) << "trial " << trial;
    }
    for (std::size_t i = 0; i < n; ++i) ASSERT_LE(counts[i], 1);
    for (std::size_t i = 0; i < std::min(n, smallest + 1); ++i) ASSERT_EQ(counts[i], 1);
  }
}

TEST_P(WorkersOf, NoTaskBeginsLongAfterAFailureOrAStop) {
  for (const bool is_stop : {false, true}) {
    constexpr std::size_t kMany = 10'000'000;
    StopFlag stop;
    std::atomic<std::size_t> num_begun{0};
    const Status status = workers.try_each(kMany, stop, [&](std::size_t i) -> Status {
      ++num_begun;
      if (i != 20) return Done{};
      if (!is_stop) return failure("task {}", i);
      stop.raise();
      return Done{};
    });
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().kind, is_stop ? ErrorKind::kStopped : ErrorKind::kFailure);
    EXPECT_GT(num_begun, 20u);
    EXPECT_LT(num_begun, kMany);
  }
}

TEST_P(WorkersOf, WhatIsStoppedBeforeItBeginsDoesNothing) {
  StopFlag stop;
  stop.raise();
  std::atomic<int> num_begun{0};
  const auto count = [&](std::size_t) -> Status {
    ++num_begun;
    return Done{};
  };
  const Status some = workers.try_each(5, stop, count);
  ASSERT_FALSE(some.ok());
  EXPECT_EQ(some.error().kind, ErrorKind::kStopped);
  EXPECT_TRUE(workers.try_each(0, stop, count).ok()) << "nothing is left to do";
  EXPECT_EQ(num_begun, 0);
}

TEST_P(WorkersOf, AStopDuringTheLastTasksTakesNothingAway) {
  StopFlag stop;
  std::atomic<std::size_t> num_begun{0};
  const std::size_t n = std::size_t(workers.num_threads());
  EXPECT_TRUE(workers
                  .try_each(n, stop,
                            [&](std::size_t) -> Status {
                              if (++num_begun == n) stop.raise();
                              return Done{};
                            })
                  .ok());
  EXPECT_EQ(num_begun, n);
}

TEST_P(WorkersOf, TriedBlocksHaveFixedBorders) {
  const StopFlag never;
  for (const std::size_t n : {0, 1, 10, 11, 1000}) {
    std::vector<std::atomic<int>> counts(n);
    const Status status = workers.try_blocks(n, 10, never, [&](std::size_t begin, std::size_t end) -> Status {
      EXPECT_EQ(begin % 10, 0u);
      EXPECT_EQ(end, std::min(n, begin + 10));
      for (std::size_t i = begin; i < end; ++i) ++counts[i];
      return Done{};
    });
    EXPECT_TRUE(status.ok());
    for (const auto& count : counts) ASSERT_EQ(count, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, WorkersOf, ::testing::Values(1, 2, 3, 8));

TEST(Workers, HasTheThreadsAskedFor) {
  EXPECT_EQ(Workers(5).num_threads(), 5);
  EXPECT_GE(Workers(0).num_threads(), 1);
}

}  // namespace
}  // namespace mash
