// SPDX-License-Identifier: Apache-2.0
//
// The classes of 10 000 examples whose features are in the store, and the scores of one by itself; one
// thread.
#include <benchmark/benchmark.h>

#include "classifiers/budget/model_costs.hpp"
#include "classifiers/serving/code_classifier.hpp"
#include "classifiers/serving/paid_predictor.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/base/random.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamples = 10000, kColumns = 300, kClasses = 10;

// Random cuts of the store, `cuts_each` to a hypothesis.
StrongClassifier random_model(const FeatureSet& features, std::size_t num_hypotheses, std::size_t cuts_each) {
  RandomStream stream(1, "bench.model");
  StrongClassifier model;
  model.class_names.resize(kClasses);
  model.column_names.resize(kColumns);
  model.families = {{"columns", "columns", "1.0.0", {}, kColumns}};
  for (std::size_t t = 0; t < num_hypotheses; ++t) {
    Hypothesis& hypothesis = model.hypotheses.emplace_back();
    hypothesis.alpha = stream.uniform();
    for (std::size_t i = 0; i < cuts_each; ++i) {
      const auto feature = std::uint32_t(stream.below(kColumns));
      const auto code = 1 + std::uint32_t(stream.below(features.num_cuts(feature)));
      hypothesis.cuts.push_back({0, feature, features.threshold(feature, code)});
    }
    for (std::size_t l = 0; l < kClasses; ++l) hypothesis.votes.push_back(stream.below(2) == 0 ? 1 : -1);
  }
  return model;
}

void predict(benchmark::State& state) {
  static const testing::World world(testing::learnable_table(4 * kExamples, kColumns, kClasses, 1));
  const auto num_hypotheses = std::size_t(state.range(0));
  const auto classifier = CodeClassifier::make(
      random_model(world.features(), num_hypotheses, std::size_t(state.range(1))), world.features());
  const Workers workers(1);
  const auto codes = classifier->read(Side::kTest, workers);
  for (auto _ : state) benchmark::DoNotOptimize(classifier->classes(codes, workers));
  state.counters["answers/s"] = benchmark::Counter(
      double(state.iterations()) * kExamples * double(num_hypotheses), benchmark::Counter::kIsRate);
}
BENCHMARK(predict)->ArgNames({"hypotheses", "cuts"})->Args({1000, 1})->Args({10000, 1})->Args({1000, 3});

// One example at a time, its features as given: what is left of predicting a picture beside extraction.
void predict_one(benchmark::State& state) {
  static const testing::World world(testing::learnable_table(4 * kExamples, kColumns, kClasses, 1));
  const StrongClassifier model = random_model(world.features(), std::size_t(state.range(0)), 1);
  Catalogue catalogue = Catalogue::scan({});
  const auto predictor = Predictor::open(model, catalogue);
  const auto& values = world.dataset.test.values;
  const Split one{1, {}, {values.begin(), values.begin() + kColumns}, {0}};
  const Workers workers(1);
  for (auto _ : state) benchmark::DoNotOptimize(predictor->scores(one, workers));
}
BENCHMARK(predict_one)->ArgName("hypotheses")->Arg(1000);

// The same by a predictor that asks for features when it needs them and stops when the class is certain: what
// a budget in microseconds does not count. Models that are trained for a small budget ask for few features.
void predict_paid(benchmark::State& state) {
  static const testing::World world(testing::learnable_table(4 * kExamples, kColumns, kClasses, 1));
  StrongClassifier model = random_model(world.features(), std::size_t(state.range(0)), 1);
  for (Hypothesis& hypothesis : model.hypotheses)
    hypothesis.cuts[0].feature_idx %= std::uint32_t(state.range(1));
  Catalogue catalogue = Catalogue::scan({});
  const FeatureCosts costs = attached_costs(model);
  const auto predictor = PaidPredictor::open(model, costs, catalogue);
  const Workers workers(1);
  double num_evaluated = 0;
  for (auto _ : state) {
    const auto predictions = predictor->predict(world.dataset.test, {}, workers);
    for (const PaidPrediction& prediction : *predictions) num_evaluated += double(prediction.num_evaluated);
  }
  state.counters["evaluated/s"] = benchmark::Counter(num_evaluated, benchmark::Counter::kIsRate);
}
BENCHMARK(predict_paid)->ArgNames({"hypotheses", "features"})->Args({1000, 300})->Args({1000, 20});

}  // namespace
}  // namespace mash
