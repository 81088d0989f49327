// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// One seed's model on the examples: scaled scores (examples x classes), and the losses that follow.
struct Judged {
  std::span<const float> scores;
  std::span<const double> losses;
};

// One example's change, over all seeds.
struct ExampleChange {
  double gain = 0;            // in per cent of the log-loss of all examples: examples add up to all of it
  double standard_error = 0;  // over seeds
  double p_corrected = 1;     // of no change: Student's t, corrected for all examples (Holm)
  double probability_before = 0, probability_after = 0;     // of its class, means over seeds
  std::uint16_t predicted_before = 0, predicted_after = 0;  // by most seeds; among equals the lowest class
};

// Collects them, seed after seed.
class ExampleChanges {
 public:
  ExampleChanges(std::size_t num_examples, std::size_t num_classes);

  void add(const Judged& before, const Judged& after);

  // One for each example. factor: the gain_factor of the same seeds. REQUIRES: two seeds.
  std::vector<ExampleChange> changes(double factor) const;

 private:
  // The change of one example: differences of its losses, their squares, probabilities of its class.
  struct Sums {
    double difference = 0, squares = 0, probability_before = 0, probability_after = 0;
  };

  std::size_t num_classes_, num_seeds_ = 0;
  std::vector<Sums> sums_;
  std::vector<double> votes_before_, votes_after_;  // examples x classes
};

}  // namespace mash
