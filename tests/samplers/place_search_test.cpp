// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/place_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "framework/base/instruction_set.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

using Found = std::pair<std::vector<std::uint32_t>, std::vector<double>>;

// Whole numbers, many of them 0, in some places far larger than in others.
std::vector<double> searched_weights(std::size_t size, RandomStream& stream) {
  std::vector<double> weights(size);
  for (double& weight : weights) weight = double(stream.below(2) * stream.below(4));
  if (size > 20 && stream.below(2) == 0)
    std::fill_n(weights.begin() + std::ptrdiff_t(stream.below(20)), 5, 1e6);
  weights[stream.below(size)] += 1;
  return weights;
}

// Half of them on the sums themselves, one just below the last.
std::vector<double> random_places(std::size_t num_places, double end, RandomStream& stream) {
  std::vector<double> places{std::nextafter(end, 0.0)};
  for (std::size_t i = 0; i < num_places; ++i)
    places.push_back(i % 2 == 0 ? double(stream.below(std::uint64_t(end))) : stream.uniform() * end);
  std::sort(places.begin(), places.end());
  return places;
}

template <class Search>
Found found(const PrefixSums& sums, const std::vector<double>& places, const Search& search) {
  Found result{std::vector<std::uint32_t>(places.size()), std::vector<double>(places.size())};
  const std::size_t size = search(sums, places, result.first.data(), result.second.data());
  result.first.resize(size);
  result.second.resize(size);
  return result;
}

TEST(PlaceSearch, OnEachInstructionSetIsAsByBinarySearch) {
  RandomStream stream(1, "places");
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t sizes[] = {70, 1000, 20'000};
    const PrefixSums sums(searched_weights(1 + stream.below(sizes[trial % 3]), stream),
                          Workers(1 + trial % 2));
    const auto places = random_places(stream.below(100), sums.total(), stream);
    const Found expected = found(sums, places, find_places_reference);
    EXPECT_EQ(double(places.size()), std::accumulate(expected.second.begin(), expected.second.end(), 0.0));
    for (const char* target : instruction_sets()) {
      ASSERT_TRUE(choose_instruction_set(target));
      EXPECT_EQ(expected, found(sums, places, find_places)) << target;
    }
    choose_instruction_set("");
  }
}

// Weights of all sizes, and more of none at both ends than a block has.
TEST(PrefixSums, GuideIsNeverBehindThePlace) {
  RandomStream stream(1, "guide");
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> weights(1000);
    for (double& weight : weights) weight = std::exp(10 * stream.normal());
    std::fill_n(weights.begin(), 40, 0.0);
    std::fill_n(weights.end() - 40, 40, 0.0);
    const PrefixSums sums(weights, Workers(1));
    std::vector<double> places{0, std::nextafter(sums.total(), 0.0)};
    for (const double end : sums.block_ends())
      for (const double place : {std::nextafter(end, 0.0), end, std::nextafter(end, 2 * end)})
        if (place >= 0 && place < sums.total()) places.push_back(place);
    std::sort(places.begin(), places.end());
    for (const double place : places) {
      const auto its = std::upper_bound(sums.block_ends().begin(), sums.block_ends().end(), place);
      ASSERT_LE(sums.block_before(place), std::size_t(its - sums.block_ends().begin())) << place;
    }
    EXPECT_EQ(found(sums, places, find_places_reference), found(sums, places, find_places));
  }
}

TEST(PlaceSearchReference, GivesTheFirstSumAbove) {
  const PrefixSums sums(std::vector<double>{0, 2, 0, 1, 2}, Workers(1));
  EXPECT_EQ((Found{{1, 3, 4}, {2, 1, 2}}), found(sums, {0, 1.5, 2, 3, 4.9}, find_places_reference));
}

// The rest that rounding leaves between a block's own sum and the sum of all belongs to an example with
// weight.
TEST(PrefixSums, LastExampleWithoutWeightIsNeverFound) {
  const PrefixSums sums(std::vector<double>{0.1, 0.2, 0.3, 0.1, 0.7, 0.1, 0.1, 0, 0, 0}, Workers(1));
  EXPECT_EQ((Found{{6}, {1}}), found(sums, {std::nextafter(sums.total(), 0.0)}, find_places));
}

TEST(PrefixSums, AreThoseOfTheWeightsForAnyNumberOfThreads) {
  RandomStream stream(1, "prefix sums");
  std::vector<double> weights(30'000);
  for (double& weight : weights) weight = stream.uniform();
  const PrefixSums once(weights, Workers(1)), twice(weights, Workers(3));
  double sum = 0;
  for (std::size_t n = 0; n < weights.size(); ++n) ASSERT_NEAR(once.sums()[n], sum += weights[n], 1e-9);
  EXPECT_EQ(once.total(), once.sums()[weights.size() - 1]);
  EXPECT_TRUE(std::equal(once.sums().begin(), once.sums().end(), twice.sums().begin()));
}

TEST(PrefixSums, OfNothingBreakARequirement) {
  EXPECT_THROW(PrefixSums(std::vector<double>(20), Workers(1)), std::logic_error);
  EXPECT_THROW(PrefixSums({}, Workers(1)), std::logic_error);
}

}  // namespace
}  // namespace mash
