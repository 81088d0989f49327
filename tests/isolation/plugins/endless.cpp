// SPDX-License-Identifier: Apache-2.0
// A heuristic that does not come to the end of the call that its parameter names.
#include <array>
#include <mash/heuristic.hpp>

namespace {

class Endless final : public mash::Heuristic {
 public:
  static constexpr std::array kCalls{"none", "create", "dim", "prepare", "compute", "destroy"};
  static constexpr auto parameters = std::array{mash::choice("call", "that does not end", 0, kCalls)};

  explicit Endless(const mash::Parameters& parameters) : call_(parameters.choice("call")) { work(1); }
  ~Endless() override { work(5); }
  std::uint32_t dim(mash::Size) const override {
    work(2);
    return 1;
  }
  void prepare(const mash::View&) override { work(3); }
  void compute(const mash::View&, std::span<const std::uint32_t>, std::span<float> out) override {
    work(4);
    out[0] = 1;
  }

 private:
  void work(std::size_t call) const {
    volatile bool goes_on = call == call_;
    while (goes_on) {
    }
  }

  std::size_t call_;
};

}  // namespace

MASH_HEURISTIC(Endless, "test/endless", "1.0.0", "nobody", "1", "Apache-2.0")
