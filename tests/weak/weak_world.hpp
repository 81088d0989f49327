// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "classifiers/samplers/full.hpp"
#include "classifiers/serving/cut_answers.hpp"
#include "classifiers/weak/weak_learner.hpp"
#include "tests/support/training.hpp"

namespace mash::testing {

// A table with weights, on which weak learners look for one hypothesis among all features.
struct WeakWorld {
  // weights: of the examples; those of an example's classes are equal.
  WeakWorld(Dataset dataset, const std::vector<double>& example_weights)
      : WeakWorld(std::move(dataset), InitialWeights::kUniform) {
    for (std::size_t n = 0; n < example_weights.size(); ++n)
      for (double& g : weights.row(n)) g *= example_weights[n];
    weights.normalise(world.workers);
  }
  WeakWorld(Dataset dataset, InitialWeights init, int num_threads = 1, ScanMode mode = ScanMode::kF64)
      : world(std::move(dataset), num_threads),
        weights(world.dataset.train.labels, world.dataset.num_classes()),
        scan(world.features(), weights, {mode, Cuts::kCodes}, world.workers) {
    initialise(init, world.workers, weights);
  }

  WeakHypothesis learn(const std::string& learner, const SettingList& settings) {
    FullSampler sampler;
    scan.new_round(1, 1);
    return WatchingLearner(learner, settings).learn(scan, sampler, {1, 1});
  }

  // The edge of the hypothesis from the raw values.
  double edge_of(const Hypothesis& hypothesis) const {
    StrongClassifier model;
    model.class_names = world.dataset.class_names;
    model.hypotheses = {hypothesis};
    model.hypotheses[0].alpha = 1;
    const auto scores = scores_on_values(model, world.dataset, world.dataset.train, 1);
    double edge = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) edge += scores[i] * weights.all()[i];
    return edge;
  }

  World world;
  SignedWeights weights;
  StumpScan scan;
};

// Weights as they are some rounds on.
inline void spread(WeakWorld& small, std::uint64_t seed) {
  RandomStream stream(seed, "test.spread");
  for (double& g : small.weights.all()) g *= 0.1 + stream.uniform();
  small.weights.normalise(small.world.workers);
}

// Class 0 where x1 = x2, of the four corners 00, 01, 10, 11.
inline Dataset xor_table() { return table({0, 0, 0, 1, 1, 0, 1, 1}, {0, 1, 1, 0}, 2); }

// Three classes along one line.
inline Dataset three_steps() { return table({1, 2, 3, 4, 5, 6}, {0, 0, 1, 1, 2, 2}, 3); }

}  // namespace mash::testing
