// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace mash {

// A bound on the pixels that threads hold at once while they decode pictures: without it each thread could
// hold one of the largest.
class PixelBudget {
 public:
  // The pixels of one picture of the largest size.
  static constexpr std::uint64_t kMost = std::uint64_t(16384) * 16384;

  explicit PixelBudget(std::uint64_t most = kMost) : most_(most) {}

 private:
  friend class PixelShare;
  const std::uint64_t most_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::uint64_t taken_ = 0;
};

// The pixels of one thread; given back when it is destroyed. budget: outlives it.
class PixelShare {
 public:
  explicit PixelShare(PixelBudget& budget) : budget_(budget) {}
  ~PixelShare();
  PixelShare(const PixelShare&) = delete;
  PixelShare& operator=(const PixelShare&) = delete;

  // Waits until they fit in beside those of others; more than the whole budget wait until no others are
  // there. REQUIRES: nothing was taken yet, or a thread could wait for itself.
  void take(std::uint64_t num_pixels);

 private:
  PixelBudget& budget_;
  std::uint64_t taken_ = 0;
};

}  // namespace mash
