// SPDX-License-Identifier: Apache-2.0
//
// The new weights after a round, one thread, at the size of MNIST, for each loss.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <vector>

#include "classifiers/boosters/loop/scores.hpp"
#include "classifiers/boosters/whole_side/step_rule.hpp"
#include "classifiers/builtin.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamples = 60000, kClasses = 10, kHypotheses = 64;

// A training of 64 different stumps, again and again from its beginning. Each chooses the better side of
// seven in ten examples, which gives edges of .05 to .1 before the first round.
class StumpTraining {
 public:
  explicit StumpTraining(const Loss& loss) : loss_(loss), stream_(1, "bench.step") {
    for (auto& label : labels_) label = std::uint16_t(stream_.below(kClasses));
    initial_ = std::make_unique<SignedWeights>(labels_, kClasses);
    initialise(InitialWeights::kUniform, workers_, *initial_);
    for (std::size_t t = 0; t < kHypotheses; ++t) hypotheses_.push_back(random_stump());
  }

  // The next round without its step.
  void begin_round() {
    if (round_ % kHypotheses == 0) {
      weights_ = std::make_unique<SignedWeights>(*initial_);
      scores_ = std::make_unique<Scores>(kExamples, kClasses, workers_);
      rule_ = make_step_rule(loss_, *initial_, workers_);
    } else {
      scores_->add(std::move(stump_.cells), stump_.votes, stump_.model.alpha);
    }
    stump_ = hypotheses_[round_++ % kHypotheses];
    stump_.edge = 0;
    for (std::size_t n = 0; n < kExamples; ++n)
      stump_.edge += pull(n, &stump_.votes[stump_.cells[n] * kClasses]);
    stump_.edge /= weights_->total();
  }
  double step() { return rule_->step(stump_, *weights_, *scores_); }

 private:
  // The sum of weights times votes.
  double pull(std::size_t example, const double* votes) const {
    double sum = 0;
    for (std::size_t l = 0; l < kClasses; ++l)
      sum += (weights_ ? *weights_ : *initial_).row(example)[l] * votes[l];
    return sum;
  }

  WeakHypothesis random_stump() {
    WeakHypothesis stump;
    for (std::size_t l = 0; l < kClasses; ++l) stump.votes.push_back(stream_.below(2) ? 1 : -1);
    for (std::size_t l = 0; l < kClasses; ++l) stump.votes.push_back(-stump.votes[l]);
    for (std::size_t n = 0; n < kExamples; ++n) {
      const bool better_side = pull(n, stump.votes.data()) < 0;
      stump.cells.push_back(std::uint8_t(better_side != (stream_.uniform() < 0.3)));
    }
    return stump;
  }

  const Loss& loss_;
  const Workers workers_{1};
  RandomStream stream_;
  std::vector<std::uint16_t> labels_ = std::vector<std::uint16_t>(kExamples);
  std::unique_ptr<SignedWeights> initial_, weights_;
  std::unique_ptr<Scores> scores_;
  std::unique_ptr<StepRule> rule_;
  std::vector<WeakHypothesis> hypotheses_;
  WeakHypothesis stump_;
  std::size_t round_ = 0;
};

void update_weights(benchmark::State& state) {
  const LossRow& row = builtin_losses()[std::size_t(state.range(0))];
  StumpTraining training(row.loss());
  for (auto _ : state) {
    state.PauseTiming();
    training.begin_round();
    state.ResumeTiming();
    benchmark::DoNotOptimize(training.step());
  }
  state.counters["weights/s"] =
      benchmark::Counter(double(state.iterations()) * kExamples * kClasses, benchmark::Counter::kIsRate);
  state.SetLabel(std::string(row.name));
}
BENCHMARK(update_weights)
    ->ArgName("loss")
    ->DenseRange(0, std::int64_t(builtin_losses().size()) - 1)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace mash
