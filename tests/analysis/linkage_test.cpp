// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/linkage.hpp"

#include <algorithm>

#include "framework/analysis/similarity.hpp"
#include "framework/base/random.hpp"
#include "framework/render/dendrogram.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;
using Places = std::vector<std::size_t>;

cv::Mat random_distances(int num_leaves, std::uint64_t seed) {
  cv::Mat distances = cv::Mat::zeros(num_leaves, num_leaves, CV_64F);
  RandomStream stream(seed, "test.distances");
  for (int i = 0; i < num_leaves; ++i)
    for (int j = 0; j < i; ++j) distances.at<double>(i, j) = distances.at<double>(j, i) = stream.uniform();
  return distances;
}

// The leaves of each place.
std::vector<Places> members_of(std::span<const Merge> merges, std::size_t num_leaves) {
  std::vector<Places> members;
  for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) members.push_back({leaf});
  for (const Merge& merge : merges) {
    Places both = members.at(merge.left);
    both.insert(both.end(), members.at(merge.right).begin(), members.at(merge.right).end());
    members.push_back(both);
  }
  return members;
}

double mean_distance(const cv::Mat& distances, const Places& a, const Places& b) {
  double sum = 0;
  for (const std::size_t i : a)
    for (const std::size_t j : b) sum += distances.at<double>(int(i), int(j));
  return sum / double(a.size() * b.size());
}

void expect_merge(const Merge& merge, std::size_t left, std::size_t right, double height) {
  EXPECT_EQ(merge.left, left);
  EXPECT_EQ(merge.right, right);
  EXPECT_NEAR(merge.height, height, 1e-12);
}

TEST(AverageLinkage, WorkedByHand) {
  // Five bacteria by their 5S ribosomal RNA, a usual example of UPGMA.
  const cv::Mat distances = (cv::Mat_<double>(5, 5) << 0, 17, 21, 31, 23,  //
                             17, 0, 30, 34, 21,                            //
                             21, 30, 0, 28, 39,                            //
                             31, 34, 28, 0, 43,                            //
                             23, 21, 39, 43, 0);
  const auto merges = average_linkage(distances);
  ASSERT_EQ(merges.size(), 4u);
  expect_merge(merges[0], 0, 1, 17);
  expect_merge(merges[1], 4, 5, 22);  // (23 + 21) / 2
  expect_merge(merges[2], 2, 3, 28);
  expect_merge(merges[3], 6, 7, 33);  // (21 + 31 + 30 + 34 + 39 + 43) / 6: not the mean of means
  EXPECT_THAT(leaf_order(merges, 5), ElementsAre(4u, 0u, 1u, 2u, 3u));
}

TEST(AverageLinkage, JoinsTheNearestByMeanDistance) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::size_t num_leaves = 2 + seed;
    const cv::Mat distances = random_distances(int(num_leaves), seed);
    const auto merges = average_linkage(distances);
    ASSERT_EQ(merges.size(), num_leaves - 1);
    const auto members = members_of(merges, num_leaves);
    std::vector<bool> taken(members.size());
    for (std::size_t i = 0; i < merges.size(); ++i) {
      const std::size_t num_places = num_leaves + i;
      double least = 2;
      for (std::size_t a = 0; a < num_places; ++a)
        for (std::size_t b = a + 1; b < num_places; ++b)
          if (!taken[a] && !taken[b])
            least = std::min(least, mean_distance(distances, members[a], members[b]));
      EXPECT_LT(merges[i].left, merges[i].right);
      EXPECT_NEAR(merges[i].height,
                  mean_distance(distances, members[merges[i].left], members[merges[i].right]), 1e-12);
      EXPECT_NEAR(merges[i].height, least, 1e-12);
      if (i > 0) {
        EXPECT_GE(merges[i].height, merges[i - 1].height);
      }
      for (const std::size_t place : {merges[i].left, merges[i].right}) {
        EXPECT_FALSE(taken[place]);
        taken[place] = true;
      }
    }
  }
}

TEST(AverageLinkage, OfEqualDistancesTheLowestPlacesComeFirst) {
  for (const double distance : {0.1, 0.7, 1.0}) {
    const cv::Mat distances = distance * (cv::Mat::ones(4, 4, CV_64F) - cv::Mat::eye(4, 4, CV_64F));
    const auto merges = average_linkage(distances);
    ASSERT_EQ(merges.size(), 3u);
    expect_merge(merges[0], 0, 1, distance);
    expect_merge(merges[1], 2, 3, distance);
    expect_merge(merges[2], 4, 5, distance);
  }
}

TEST(AverageLinkage, RoundingDoesNotLetHeightsFall) {
  for (int num_leaves = 2; num_leaves < 40; ++num_leaves) {
    const cv::Mat distances =
        0.1 * (cv::Mat::ones(num_leaves, num_leaves, CV_64F) - cv::Mat::eye(num_leaves, num_leaves, CV_64F));
    const auto merges = average_linkage(distances);
    EXPECT_TRUE(std::is_sorted(merges.begin(), merges.end(), [](const Merge& a, const Merge& b) {
      return a.height < b.height;
    })) << num_leaves;
    EXPECT_NEAR(merges.back().height, 0.1, 1e-12);
  }
}

TEST(AverageLinkage, OneFamilyOrNone) {
  EXPECT_TRUE(average_linkage(cv::Mat::zeros(1, 1, CV_64F)).empty());
  EXPECT_TRUE(average_linkage(cv::Mat()).empty());
  EXPECT_THAT(leaf_order({}, 1), ElementsAre(0u));
  EXPECT_TRUE(leaf_order({}, 0).empty());
}

TEST(LeafOrder, KeepsEachClusterTogether) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::size_t num_leaves = 3 * seed;
    const auto merges = average_linkage(random_distances(int(num_leaves), seed));
    const auto order = leaf_order(merges, num_leaves);
    Places positions(num_leaves);
    ASSERT_EQ(order.size(), num_leaves);
    for (std::size_t i = 0; i < order.size(); ++i) positions.at(order[i]) = i;
    const auto members = members_of(merges, num_leaves);
    EXPECT_THAT(order, UnorderedElementsAreArray(members.back()));
    for (const Places& cluster : members) {
      Places at;
      for (const std::size_t leaf : cluster) at.push_back(positions[leaf]);
      const auto [first, last] = std::minmax_element(at.begin(), at.end());
      EXPECT_EQ(*last - *first + 1, cluster.size());
    }
  }
}

}  // namespace
}  // namespace mash
