// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/base/rank_sets.hpp"

namespace mash {

// Sums of the losses of one entry of a ranking on the judging examples of all, with the same seeds as all.
struct LossSums {
  std::vector<double> of_seeds;     // over the examples
  std::vector<double> of_examples;  // over the seeds

  bool is_empty() const { return of_seeds.empty() || of_examples.empty(); }
  bool operator==(const LossSums&) const = default;
};

// The sums of the entries of a ranking, with the products of all pairs, from which their differences follow.
// An entry that is added costs its own row of products.
class LossTable {
 public:
  // Adds an entry, or replaces one. number: at most size(). REQUIRES: as many seeds and examples as all
  // others, two of each at least; means above 0.
  void put(std::size_t number, const LossSums& sums);

  std::size_t size() const { return rows_.size(); }
  // How much more the first entry gains than the second: 100 ln of the ratio of their mean losses, in per
  // cent, for both gain beside the same controls. Its error comes from the table of z = 100 (loss of the
  // second / its mean - loss of the first / its mean): seeds and examples are paired exactly; what is left of
  // both is not known from the sums, so that SE^2 = (MS_seeds + MS_examples) / (S E) is too large by at most
  // MS_rest / (S E). Degrees of freedom after Satterthwaite (1946).
  PairDifference difference(std::size_t one, std::size_t other) const;

 private:
  // Sums of one entry as per cents of its mean, without their own mean; with the products with all entries up
  // to itself.
  struct Row {
    double mean = 0;
    std::vector<double> of_seeds, of_examples;
    std::vector<double> seed_products, example_products;
  };

  std::vector<Row> rows_;
};

}  // namespace mash
