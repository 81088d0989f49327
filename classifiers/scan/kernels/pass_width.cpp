// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/pass_width.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "classifiers/scan/kernels/histogram.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

std::atomic<std::size_t>& chosen() {
  static std::atomic<std::size_t> width = 0;
  return width;
}

// Some dense features, and a block of rows of ten classes.
class Sample {
 public:
  Sample() : codes_(kFeatures * kRows), weights_(kRows * Strips(kClasses).num_all_lanes()) {
    RandomStream stream(1, "pass_width");
    for (auto& code : codes_) code = std::uint8_t(stream.below(kNumCodes));
    std::fill(weights_.begin(), weights_.end(), std::int16_t(1));
    for (std::size_t i = 0; i < kFeatures; ++i)
      columns_.push_back({&codes_[i * kRows], kNumCodes - 1, CodeColumn::kNoMode});
    totals_.assign(Strips(kClasses).num_all_lanes(), kRows);
    // Blocks that might not fit together, as in a training.
    for (std::uint32_t end = 256; end <= kRows; end += 256) blocks_.push_back({end, kUsualBlockSum / 3});
  }
  // Seconds of a search at this width.
  double seconds(std::size_t width) const {
    std::vector<IntegerCut> best(kFeatures);
    const Stopwatch watch;
    best_cuts(columns_,
              WeightRows<std::int16_t>{weights_.data(), kRows, Strips(kClasses), totals_.data(), blocks_},
              width, best.data());
    return watch.seconds();
  }

 private:
  static constexpr std::size_t kFeatures = 16, kClasses = 10;
  static constexpr std::uint32_t kRows = 4096;
  std::vector<std::uint8_t> codes_;
  AlignedVector<std::int16_t> weights_;
  std::vector<CodeColumn> columns_;
  std::vector<std::int32_t> totals_;
  std::vector<RowBlock> blocks_;
};

}  // namespace

std::size_t pass_width() {
  const std::size_t width = chosen().load(std::memory_order_relaxed);
  return width == 0 ? kPassWidths.front() : width;
}

void choose_pass_width(std::size_t width) { chosen() = width; }

void choose_fastest_pass_width() {
  if (chosen() != 0) return;
  const Sample sample;
  std::array<double, kPassWidths.size()> least;
  least.fill(std::numeric_limits<double>::infinity());
  constexpr int kRepeats = 12;
  for (int repeat = 0; repeat < kRepeats; ++repeat)
    for (std::size_t i = 0; i < kPassWidths.size(); ++i)
      least[i] = std::min(least[i], sample.seconds(kPassWidths[i]));
  choose_pass_width(kPassWidths[std::size_t(std::min_element(least.begin(), least.end()) - least.begin())]);
}

Status choose_pass_width_of_environment() {
  constexpr const char* kVariable = "MASH_PASS_WIDTH";
  const char* text = std::getenv(kVariable);
  if (text == nullptr || *text == 0) return Done{};
  for (const std::size_t width : kPassWidths)
    if (std::to_string(width) == text) {
      choose_pass_width(width);
      return Done{};
    }
  return input_error("{}: '{}' features cannot share a pass over the weights; 2 or 4 can", kVariable, text);
}

}  // namespace mash
