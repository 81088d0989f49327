// SPDX-License-Identifier: Apache-2.0
//
// Costs of the classic interface: 1,000 differences of boxes of an image, by the same code behind the classic
// and the modern interface, one thread.
#include <benchmark/benchmark.h>

#include "framework/base/random.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/families/image_planes.hpp"

namespace mash {
namespace {

void boxes(benchmark::State& state, const char* id) {
  Catalogue catalogue = Catalogue::scan(std::vector<std::filesystem::path>{MASH_BOXES_DIR});
  const HeuristicInfo& info = **catalogue.find(id);
  const auto instance = catalogue.host().open(info, *parameter_values(info, {}));
  const auto side = std::uint32_t(state.range(0));
  const ImageShape shape{side, side, 1};
  RandomStream random(1, "bench.boxes");
  std::vector<std::uint8_t> pixels(shape.num_bytes());
  for (std::uint8_t& pixel : pixels) pixel = std::uint8_t(random.next_u32());
  ImagePlanes planes(shape);
  std::vector<float> values(*(*instance)->dim({side, side}));
  for (auto _ : state) {
    if (!(*instance)->extract(planes.show(pixels), planes.view(), {}, values).ok())
      state.SkipWithError("refused");
    benchmark::DoNotOptimize(values.data());
  }
}
BENCHMARK_CAPTURE(boxes, modern, "bench/modern-boxes")->ArgName("side")->Arg(28)->Arg(128);
BENCHMARK_CAPTURE(boxes, classic, "bench/classic-boxes")->ArgName("side")->Arg(28)->Arg(128);

}  // namespace
}  // namespace mash
