// SPDX-License-Identifier: Apache-2.0
//
// Pictures by a bundle and by what `mash predict` calls, side by side on one thread; and how long a program
// with a bundle takes from its start to its first answer.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <fstream>
#include <map>
#include <string>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/operations/bundle/bundle.hpp"
#include "tests/support/built_bundle.hpp"
#include "tests/support/made_model.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

constexpr std::size_t kBundlePictures = 500;

// The models of the rows below.
const std::vector<std::string> kBundledSets[]{{"grayscale"}, {"lbp", "haar"}, {"hog"}, {}};

Split noise_pictures(const ImageShape& shape) {
  RandomStream stream(1, "bench.pictures");
  Split split;
  split.num_examples = kBundlePictures;
  split.labels.resize(kBundlePictures);
  for (std::size_t i = 0; i < kBundlePictures * shape.num_bytes(); ++i)
    split.pixels.push_back(std::uint8_t(i % 97 + stream.below(100)));
  return split;
}

// A model with its bundle, built as its rules say.
struct BundledModel {
  explicit BundledModel(const std::vector<std::string>& heuristics)
      : model(testing::ModelMaker({28, 28, 1}, heuristics).sum("stumps", 1000)) {
    std::ofstream(folder / "model.json") << serialise(model);
    BundleSettings settings{{folder / "model.json", {}}, folder / "bundle"};
    settings.python = true;
    const auto exported = export_bundle(settings, testing::quiet_work());
    if (!exported.ok()) throw std::runtime_error(exported.error().message);
    const std::string build = folder / "build";
    testing::output_of({"cmake", "-S", settings.folder, "-B", build});
    testing::output_of({"cmake", "--build", build});
    bundle.emplace(std::filesystem::path(build) / "libclassifier.so", "classifier");
  }

  StrongClassifier model;
  testing::ScratchFolder folder;
  std::optional<testing::LoadedBundle> bundle;
};

BundledModel& bundled_model(std::int64_t set) {
  static std::map<std::int64_t, BundledModel> models;
  return models.try_emplace(set, kBundledSets[set]).first->second;
}

void bundle_predictor(benchmark::State& state) {
  const BundledModel& bundled = bundled_model(state.range(0));
  const Split pictures = noise_pictures(bundled.model.shape);
  Catalogue catalogue =
      Catalogue::scan(std::vector{std::filesystem::path(testing::binary_folder()) / "heuristics"});
  const auto predictor = Predictor::open(bundled.model, catalogue);
  const Workers workers(1);
  for (auto _ : state) benchmark::DoNotOptimize(predictor->scores(pictures, workers));
  state.counters["a picture"] = benchmark::Counter(double(state.iterations()) * kBundlePictures,
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(bundle_predictor)->ArgName("set")->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

void bundle_classify(benchmark::State& state) {
  const BundledModel& bundled = bundled_model(state.range(0));
  const Split pictures = noise_pictures(bundled.model.shape);
  std::vector<double> scores(bundled.model.num_classes());
  for (auto _ : state)
    for (std::size_t n = 0; n < kBundlePictures; ++n)
      benchmark::DoNotOptimize(bundled.bundle->classify(pictures.image(n, bundled.model.shape).data(), 28, 28,
                                                        1, 28, scores.data()));
  state.counters["a picture"] = benchmark::Counter(double(state.iterations()) * kBundlePictures,
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(bundle_classify)->ArgName("set")->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

// A process that classifies one picture, from its start to its end.
void bundle_first_answer(benchmark::State& state) {
  const std::string program = bundled_model(state.range(0)).folder / "build/classifier_example";
  for (auto _ : state) {
    pid_t child = 0;
    char* arguments[] = {const_cast<char*>(program.c_str()), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) != 0)
      state.SkipWithError("cannot be started");
    posix_spawn_file_actions_destroy(&actions);
    waitpid(child, nullptr, 0);
  }
}
BENCHMARK(bundle_first_answer)
    ->ArgName("set")
    ->DenseRange(0, 3)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace mash
