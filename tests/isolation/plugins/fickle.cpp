// SPDX-License-Identifier: Apache-2.0
// A heuristic whose features depend on more than the picture: on what, its parameter says.
#include <unistd.h>

#include <array>
#include <chrono>
#include <mash/heuristic.hpp>

namespace {

class Fickle final : public mash::Heuristic {
 public:
  static constexpr std::array kWhat{"nothing", "order", "process", "clock", "address", "some-pictures"};
  static constexpr auto parameters = std::array{mash::choice("on", "what they depend on", 0, kWhat)};

  explicit Fickle(const mash::Parameters& parameters) : what_(parameters.choice("on")) {}

  std::uint32_t dim(mash::Size) const override { return 3; }

  void compute(const mash::View& view, std::span<const std::uint32_t> features,
               std::span<float> out) override {
    const float pixel = view.gray()(0, 0);
    const float more = depends_on(kWhat[what_], view);
    for (std::size_t i = 0; i < features.size(); ++i) out[i] = pixel + (features[i] == 1 ? more : 0);
  }

 private:
  float depends_on(std::string_view what, const mash::View& view) {
    ++count_;
    if (what == "order") return float(count_);
    if (what == "process") return float(::getpid());
    if (what == "clock") return float(std::chrono::steady_clock::now().time_since_epoch().count() % 1000003);
    if (what == "address") return float(reinterpret_cast<std::uintptr_t>(view.gray().row(0)) % 1000003);
    if (what == "some-pictures") return view.gray()(0, 0) == 7 ? float(count_) : 0;
    return 0;
  }

  std::size_t what_;
  std::uint32_t count_ = 0;
};

}  // namespace

MASH_HEURISTIC(Fickle, "fickle", "1.0.0", "MASH", "depends on more than the picture", "Apache-2.0")
