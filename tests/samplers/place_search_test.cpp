// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/place_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "classifiers/scan/histogram.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

using Found = std::pair<std::vector<std::uint32_t>, std::vector<double>>;

struct Line {
  std::vector<double> sums, block_ends;
  PrefixSums view() const { return {sums, block_ends}; }
};

// Prefix sums of whole numbers, many of them 0, up to a whole number of blocks.
Line random_line(std::size_t num_blocks, RandomStream& stream) {
  Line line;
  double sum = 0;
  for (std::size_t n = 0; n < num_blocks * PrefixSums::kBlock; ++n) {
    line.sums.push_back(sum += double(stream.below(2) * stream.below(4)));
    if (line.sums.size() % PrefixSums::kBlock == 0) line.block_ends.push_back(sum);
  }
  line.block_ends.back() = line.sums.back() = sum + 1;  // some weight, whatever was drawn
  return line;
}

// Half of them on the sums themselves.
std::vector<double> random_places(std::size_t num_places, double end, RandomStream& stream) {
  std::vector<double> places{std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < num_places; ++i)
    places.push_back(i % 2 == 0 ? double(stream.below(std::uint64_t(end))) : stream.uniform() * end);
  std::sort(places.begin(), places.end());
  return places;
}

template <class Search>
Found found(const Line& line, const std::vector<double>& places, const Search& search) {
  Found result{std::vector<std::uint32_t>(places.size() - 1), std::vector<double>(places.size() - 1)};
  const std::size_t size = search(line.view(), places, result.first.data(), result.second.data());
  result.first.resize(size);
  result.second.resize(size);
  return result;
}

TEST(PlaceSearch, OnEachInstructionSetIsAsByBinarySearch) {
  RandomStream stream(1, "places");
  for (int trial = 0; trial < 200; ++trial) {
    const Line line = random_line(1 + stream.below(9), stream);
    const auto places = random_places(stream.below(100), line.block_ends.back(), stream);
    const Found expected = found(line, places, find_places_reference);
    EXPECT_EQ(double(places.size() - 1),
              std::accumulate(expected.second.begin(), expected.second.end(), 0.0));
    for (const char* target : scan_targets()) {
      ASSERT_TRUE(set_scan_target(target));
      EXPECT_EQ(expected, found(line, places, find_places)) << target;
    }
    set_scan_target("");
  }
}

TEST(PlaceSearchReference, GivesTheFirstSumAbove) {
  const Line line{{0, 2, 2, 3, 5, 5, 5, 5}, {5}};
  const std::vector<double> places{0, 1.5, 2, 3, 4.9, std::numeric_limits<double>::infinity()};
  EXPECT_EQ((Found{{1, 3, 4}, {2, 1, 2}}), found(line, places, find_places_reference));
}

}  // namespace
}  // namespace mash
