// SPDX-License-Identifier: Apache-2.0
// A heuristic whose features follow from more than the picture, or are too many: what it does, its parameter
// says.
#include <array>
#include <chrono>
#include <mash/heuristic.hpp>
#include <random>
#include <string_view>
#include <utility>

namespace {

class KnowsMore final : public mash::Heuristic {
 public:
  static constexpr std::array kWhat{"the-picture",      "the-count", "the-count-at-times", "the-count-later",
                                    "the-last-picture", "dice",      "the-time",           "dice-at-times",
                                    "fill-the-store",   "fill-all"};
  static constexpr auto parameters =
      std::array{mash::choice("what", "what the features follow from", 0, kWhat)};

  explicit KnowsMore(const mash::Parameters& parameters) : what_(kWhat[parameters.choice("what")]) {}

  std::uint32_t dim(mash::Size) const override {
    if (what_ == "fill-the-store") return 200'000;
    if (what_ == "fill-all") return 1u << 24;
    return 3;
  }

  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    float sum = 0;
    for (std::uint32_t y = 0; y < view.height(); ++y)
      for (std::uint32_t x = 0; x < view.width(); ++x) sum += float(view.gray()(x, y));
    const float more = knowledge(sum);
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = features[i] == 1 ? more : sum;
  }

 private:
  float knowledge(float sum) {
    static std::uint32_t count = 0;
    static float last = 0;
    static std::mt19937 dice{std::random_device{}()};
    ++count;
    const float before = std::exchange(last, sum);
    const bool at_times = int(sum) % 5 == 0;
    if (what_ == "the-count") return float(count);
    if (what_ == "the-count-at-times") return at_times ? float(count) : sum;
    if (what_ == "the-count-later") return count > 400 ? float(count) : sum;
    if (what_ == "the-last-picture") return before;
    if (what_ == "dice") return float(dice());
    if (what_ == "dice-at-times") return at_times ? float(dice()) : sum;
    if (what_ == "the-time")
      return float(std::chrono::steady_clock::now().time_since_epoch().count() % 1000003);
    return sum;
  }

  std::string_view what_;
};

}  // namespace

MASH_HEURISTIC(KnowsMore, "knows-more", "1.0.0", "MASH", "knows more than the picture", "Apache-2.0")
