// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/rates.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "framework/analysis/looks.hpp"
#include "framework/analysis/paired_differences.hpp"
#include "framework/analysis/paired_errors.hpp"

namespace mash::simulated {
namespace {

using Generator = std::mt19937_64;

// Adds up intervals around the means of tables whose true mean is 0.
class Tally {
 public:
  Tally(double truth_sd, double miss)
      : known_(truth_sd * boost::math::quantile(boost::math::complement(boost::math::normal(), miss / 2))) {}

  void add(const Interval& interval) {
    ++count_;
    missed_ += interval.low > 0 || interval.high < 0;
    width_ += (interval.high - interval.low) / 2;
  }
  Rates rates() const { return {missed_ / count_, width_ / count_ / known_}; }

 private:
  double known_, count_ = 0, missed_ = 0, width_ = 0;
};

double mean_square(double expected, std::size_t degrees, Generator& generator) {
  return expected * std::chi_squared_distribution<double>(double(degrees))(generator) / double(degrees);
}

// The deviation of the mean, where what is left has an expected mean square of 1.
double deviation_of_mean(const Design& design) {
  return std::sqrt((design.seeds + design.examples - 1) /
                   (double(design.num_seeds) * double(design.num_examples)));
}

// A table whose seeds and examples have something that all their values share, seed after seed.
class WholeTable {
 public:
  WholeTable(const Design& design, Generator& generator)
      : generator_(generator), seed_sd_(std::sqrt((design.seeds - 1) / double(design.num_examples))) {
    const double sd = std::sqrt((design.examples - 1) / double(design.num_seeds));
    for (std::size_t n = 0; n < design.num_examples; ++n) of_examples_.push_back(sd * normal_(generator_));
  }
  std::vector<double> next_seed() {
    const double of_seed = seed_sd_ * normal_(generator_);
    std::vector<double> values;
    for (const double of_example : of_examples_) values.push_back(of_seed + of_example + normal_(generator_));
    return values;
  }

 private:
  Generator& generator_;
  std::normal_distribution<double> normal_;
  double seed_sd_;
  std::vector<double> of_examples_;
};

}  // namespace

double own_reach(const MeanError& error, double miss) { return error.reach(miss); }

double satterthwaite_reach(const MeanError& error, double miss) {
  const MeanSquares& squares = error.squares;
  const double of_seeds = double(error.num_seeds) - 1, of_examples = double(error.num_examples) - 1;
  const double seeds = std::max(squares.seeds, squares.rest),
               examples = std::max(squares.examples, squares.rest), sum = seeds + examples - squares.rest;
  const double degrees = sum * sum /
                         (seeds * seeds / of_seeds + examples * examples / of_examples +
                          squares.rest * squares.rest / (of_seeds * of_examples));
  const boost::math::students_t distribution(std::max(1.0, degrees));
  return error.standard_error() * boost::math::quantile(boost::math::complement(distribution, miss / 2));
}

Rates of_tables(const Design& design, Reach& reach, double miss, std::size_t num_draws, std::uint64_t seed) {
  Generator generator(seed);
  const std::size_t of_seeds = design.num_seeds - 1, of_examples = design.num_examples - 1;
  const double sd = deviation_of_mean(design);
  std::normal_distribution<double> normal(0, sd);
  Tally tally(sd, miss);
  for (std::size_t draw = 0; draw < num_draws; ++draw) {
    const MeanError error{
        {mean_square(design.seeds, of_seeds, generator), mean_square(design.examples, of_examples, generator),
         mean_square(1, of_seeds * of_examples, generator)},
        design.num_seeds,
        design.num_examples};
    const double mean = normal(generator), half = reach(error, miss);
    tally.add({mean - half, mean + half});
  }
  return tally.rates();
}

Rates of_whole_tables(const Design& design, std::size_t num_draws, std::uint64_t seed) {
  Generator generator(seed);
  Tally tally(deviation_of_mean(design), kMiss);
  for (std::size_t draw = 0; draw < num_draws; ++draw) {
    WholeTable values(design, generator);
    PairedDifferences table(design.num_examples);
    for (std::size_t s = 0; s < design.num_seeds; ++s) table.add(values.next_seed());
    tally.add(table.error().around(table.mean()));
  }
  return tally.rates();
}

Rates of_mistakes(Mistakes01 kind, const Design& design, double num_changed, std::size_t num_draws,
                  std::uint64_t seed) {
  Generator generator(seed);
  std::uniform_real_distribution<double> uniform;
  const double share = num_changed / double(design.num_examples);
  // The number of examples that a mean changes by has about this deviation; of width alone.
  Tally tally(std::sqrt(share / double(design.num_examples)), kMiss);
  for (std::size_t draw = 0; draw < num_draws; ++draw) {
    Mistakes first(design.num_seeds, std::vector<std::uint8_t>(design.num_examples)), second = first;
    for (std::size_t s = 0; s < design.num_seeds; ++s) {
      if (s > 0 && kind == Mistakes01::kSameEachSeed) {
        first[s] = first[0];
        second[s] = second[0];
        continue;
      }
      const double lean = kind == Mistakes01::kSeedsLeanOver ? .3 + .4 * uniform(generator) : .5;
      for (std::size_t n = 0; n < design.num_examples; ++n)
        if (uniform(generator) < share) (uniform(generator) < lean ? first : second)[s][n] = 1;
    }
    const PairedDifference difference =
        design.num_seeds > 1 ? difference_over_both(first, second) : difference_over_examples(first, second);
    tally.add(difference.interval.value_or(Interval{}));
  }
  return tally.rates();
}

double wrong_by_any_look(const Design& design, std::size_t most_seeds, std::size_t num_draws,
                         std::uint64_t seed) {
  Generator generator(seed);
  std::size_t num_wrong = 0;
  for (std::size_t draw = 0; draw < num_draws; ++draw) {
    WholeTable values(design, generator);
    PairedDifferences table(design.num_examples);
    for (const Look& look : kLooks) {
      if (look.num_seeds > most_seeds) break;
      while (table.num_seeds() < look.num_seeds) table.add(values.next_seed());
      const Interval interval = table.error().around(table.mean(), look.alpha);
      if (interval.low > 0 || interval.high < 0) {
        ++num_wrong;
        break;
      }
    }
  }
  return double(num_wrong) / double(num_draws);
}

double wrong_by_any_pair(std::size_t num_sides, const Design& design, std::size_t num_draws,
                         std::uint64_t seed) {
  Generator generator(seed);
  std::size_t num_wrong = 0;
  for (std::size_t draw = 0; draw < num_draws; ++draw) {
    std::vector<std::vector<std::vector<double>>> sides(num_sides);
    for (auto& side : sides) {
      WholeTable values(design, generator);
      for (std::size_t s = 0; s < design.num_seeds; ++s) side.push_back(values.next_seed());
    }
    std::vector<PairedDifference> differences;
    std::vector<double> values(design.num_examples);
    for (std::size_t a = 0; a < num_sides; ++a)
      for (std::size_t b = a + 1; b < num_sides; ++b) {
        PairedDifferences table(design.num_examples);
        for (std::size_t s = 0; s < design.num_seeds; ++s) {
          std::ranges::transform(sides[b][s], sides[a][s], values.begin(), std::minus<>());
          table.add(values);
        }
        differences.push_back(difference_with_error(table.mean(), table.error()));
      }
    std::vector<PairedDifference*> together;
    for (PairedDifference& difference : differences) together.push_back(&difference);
    const auto corrected = correct_together(together);
    num_wrong += std::ranges::any_of(corrected, [](const auto& p_value) { return *p_value < kMiss; });
  }
  return double(num_wrong) / double(num_draws);
}

}  // namespace mash::simulated
