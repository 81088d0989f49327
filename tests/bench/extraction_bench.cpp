// SPDX-License-Identifier: Apache-2.0
//
// All features of an image of 28 x 28 grey pixels, for each heuristic that was built, one thread; and the
// codes of drawn examples fetched from the store, as a tournament's passes ask for them.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "classifiers/samplers/feature_draw.hpp"
#include "framework/base/random.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/families/image_planes.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

void extract(benchmark::State& state, Catalogue& catalogue, const HeuristicInfo& info,
             const Dataset& digits) {
  const auto instance = catalogue.host().open(info, *parameter_values(info, {}));
  ImagePlanes planes(digits.shape);
  std::vector<float> values(*(*instance)->dim({digits.shape.width, digits.shape.height}));
  std::size_t n = 0;
  for (auto _ : state) {
    const mash_image_t& image =
        planes.show(digits.train.image(n++ % digits.train.num_examples, digits.shape));
    if (!(*instance)->extract(image, planes.view(), {}, values).ok()) state.SkipWithError("refused");
    benchmark::DoNotOptimize(values.data());
  }
  state.counters["features/s"] =
      benchmark::Counter(double(state.iterations()) * double(values.size()), benchmark::Counter::kIsRate);
}

// One benchmark per heuristic, under its id.
[[maybe_unused]] const bool registered = [] {
  static Catalogue catalogue = Catalogue::scan(heuristic_folders({}));
  static const Dataset digits = *load_dataset(
      "digits",
      [] {
        Settings settings;
        settings.add("train", "200", "bench");
        settings.add("test", "1", "bench");
        return settings;
      }(),
      1, testing::quiet_work());
  for (const HeuristicInfo& info : catalogue.heuristics())
    benchmark::RegisterBenchmark(("extract/" + info.id).c_str(), [&info](benchmark::State& state) {
      extract(state, catalogue, info, digits);
    });
  return true;
}();

// Columns of 60,000 codes, 120 MB of them.
void gather(benchmark::State& state) {
  constexpr std::uint32_t kExamples = 60000, kColumns = 2000, kFeatures = 16;
  static const testing::World world(testing::numbered_images(testing::random_labels(kExamples, 2, 1), {}, 2),
                                    {{"hashed", kColumns, [](std::uint32_t n, std::uint32_t j) {
                                        return float((n * 2654435761u + j) >> 24);
                                      }}});
  const auto num_rows = std::size_t(state.range(0));
  std::vector<std::uint8_t> codes(kFeatures * num_rows);
  std::uint32_t round = 0;
  for (auto _ : state) {
    state.PauseTiming();
    ++round;
    const auto features = FeatureOrder(0, kColumns, {1, "bench.gather.features", round}).take(kFeatures);
    const auto rows = FeatureOrder(0, kExamples, {1, "bench.gather.rows", round}).take(num_rows);
    state.ResumeTiming();
    world.features().gather(features, rows, codes.data(), num_rows);
    benchmark::DoNotOptimize(codes.data());
  }
  state.counters["pairs/s"] = benchmark::Counter(double(state.iterations()) * kFeatures * double(num_rows),
                                                 benchmark::Counter::kIsRate);
}
BENCHMARK(gather)->ArgName("examples")->Arg(130)->Arg(1040)->Arg(8320);

}  // namespace
}  // namespace mash
