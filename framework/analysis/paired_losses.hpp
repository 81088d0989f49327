// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace mash {

// The mean squares of a two-way table of differences, seeds by examples, without repetition.
struct MeanSquares {
  double seeds = 0;     // between seeds, S - 1 degrees of freedom
  double examples = 0;  // between examples, E - 1
  double rest = 0;      // what is left, (S - 1)(E - 1)
};

// The losses of two models on the same examples, seed after seed, of which only sums are kept: memory for
// three numbers an example, whatever the number of seeds.
class PairedLosses {
 public:
  explicit PairedLosses(std::size_t num_examples);

  // One seed: the loss of each example by the one model and by the other. REQUIRES: one for each example.
  void add(std::span<const double> before, std::span<const double> after);

  std::size_t num_seeds() const { return gains_.size(); }
  std::size_t num_examples() const { return sums_.size(); }
  // The mean of before, over examples and seeds. REQUIRES: a seed.
  double mean_before() const;
  // By how many per cent the mean loss falls, seed by seed: 100 ln(before / after), and their mean.
  std::span<const double> gains() const { return gains_; }
  double gain() const;
  // before - after of an example, the mean over seeds. REQUIRES: a seed.
  double difference(std::size_t example) const;
  // The same, of all examples. REQUIRES: a seed.
  double difference() const;
  // REQUIRES: two seeds, two examples.
  MeanSquares mean_squares() const;
  // The squared standard error of difference(), over seeds and examples. REQUIRES: as mean_squares.
  double difference_variance() const;

 private:
  std::vector<double> sums_;       // of the differences of each example
  std::vector<double> gains_;      // of each seed
  std::vector<double> seed_sums_;  // of the differences of each seed
  double squares_ = 0;             // of all differences
  double before_ = 0;              // the sum of all losses before
};

// The squared standard error of the mean gain, in per cent squared, where seeds and examples are both drawn
// at random.
struct GainVariance {
  double of_seeds = 0;     // the variance between seeds over their number
  double of_examples = 0;  // the examples' share of the mean, which more seeds do not make smaller

  double standard_error() const { return std::sqrt(of_seeds + of_examples); }
  bool operator==(const GainVariance&) const = default;
};
// least_sd: the standard deviation over seeds is taken to be at least this, since few seeds can agree by
// chance. REQUIRES: that of mean_squares; a positive mean loss.
GainVariance gain_variance(const PairedLosses& losses, double least_sd);

}  // namespace mash
