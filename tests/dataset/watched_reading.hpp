// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "framework/dataset/readers/formats.hpp"

namespace mash::testing {

// Hears which threads tell of steps, and how many they tell of.
class WatchedProgress final : public Progress {
 public:
  // stop: raised at the first step, if any; outlives it.
  explicit WatchedProgress(StopFlag* stop = nullptr) : stop_(stop) {}

  void start(std::string, std::size_t, std::string) override { threads.insert(std::this_thread::get_id()); }
  void advance(std::size_t steps) override {
    const std::lock_guard lock(mutex_);
    threads.insert(std::this_thread::get_id());
    done += steps;
    if (stop_ != nullptr) stop_->raise();
  }
  void note(std::string) override {}
  void finish() override {}

  std::set<std::thread::id> threads;
  std::size_t done = 0;

 private:
  std::mutex mutex_;
  StopFlag* stop_;
};

// Expects that the data set is read on the thread that is given, this one, and on no other.
inline void expect_given_thread_alone(std::string_view name, const Settings& settings) {
  const Workers this_thread(1);
  const StopFlag never;
  WatchedProgress progress;
  const auto dataset = load_dataset(name, settings, 1, {this_thread, progress, no_remarks(), never});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  progress.threads.insert(std::this_thread::get_id());
  EXPECT_EQ(progress.threads.size(), 1u) << name;
}

// Expects that a reader of a step a picture ends when it is stopped: each thread with the pictures at hand.
inline void expect_stops_soon(std::string_view name, const Settings& settings) {
  constexpr std::size_t kMostAtHand = 64;
  for (const int num_threads : {1, 3}) {
    const Workers workers(num_threads);
    StopFlag stop;
    WatchedProgress progress(&stop);
    const auto dataset = load_dataset(name, settings, 1, {workers, progress, no_remarks(), stop});
    ASSERT_FALSE(dataset.ok());
    EXPECT_EQ(dataset.error().kind, ErrorKind::kStopped) << dataset.error().message;
    EXPECT_GT(progress.done, 0u);
    EXPECT_LE(progress.done, kMostAtHand * std::size_t(num_threads));
  }
}

}  // namespace mash::testing
