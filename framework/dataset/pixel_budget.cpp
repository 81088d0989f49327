// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/pixel_budget.hpp"

namespace mash {

PixelShare::~PixelShare() {
  if (taken_ == 0) return;
  const std::lock_guard lock(budget_.mutex_);
  budget_.taken_ -= taken_;
  budget_.given_back_.notify_all();
}

void PixelShare::take(std::uint64_t num_pixels) {
  std::unique_lock lock(budget_.mutex_);
  budget_.given_back_.wait(
      lock, [&] { return budget_.taken_ == 0 || budget_.taken_ + num_pixels <= budget_.most_; });
  budget_.taken_ += num_pixels;
  taken_ = num_pixels;
}

}  // namespace mash
