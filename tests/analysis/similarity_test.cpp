// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/similarity.hpp"

#include "framework/base/random.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

// Independent standard normal columns.
cv::Mat noise(int num_examples, int num_columns, std::uint64_t seed) {
  cv::Mat columns(num_examples, num_columns, CV_64F);
  RandomStream stream(seed, "test.columns");
  for (int n = 0; n < num_examples; ++n)
    for (int j = 0; j < num_columns; ++j) columns.at<double>(n, j) = stream.normal();
  for (int j = 0; j < num_columns; ++j) columns.col(j) -= cv::mean(columns.col(j))[0];
  return columns;
}

TEST(LinearCka, WorkedByHand) {
  // x and y are orthogonal; z is their sum: |z'x|^2 = 16, |x'x| = 4, |z'z| = 8.
  const cv::Mat x = (cv::Mat_<double>(4, 1) << 1, 1, -1, -1), y = (cv::Mat_<double>(4, 1) << 1, -1, 1, -1),
                z = x + y;
  EXPECT_NEAR(linear_cka(x, x), 1, 1e-12);
  EXPECT_NEAR(linear_cka(x, y), 0, 1e-12);
  EXPECT_NEAR(linear_cka(x, z), 0.5, 1e-12);
  EXPECT_EQ(linear_cka(x, cv::Mat()), 0);
}

TEST(LinearCka, KnowsACopyATurnedCopyAndNoise) {
  const cv::Mat x = noise(600, 4, 1);
  const double c = std::cos(0.7), s = std::sin(0.7);
  const cv::Mat turn = (cv::Mat_<double>(4, 4) << c, -s, 0, 0, s, c, 0, 0, 0, 0, c, -s, 0, 0, s, c);
  EXPECT_NEAR(linear_cka(x, x.clone()), 1, 1e-12);
  EXPECT_NEAR(linear_cka(x, -3 * x * turn), 1, 1e-12);
  EXPECT_LT(linear_cka(x, noise(600, 4, 2)), 0.05);
}

TEST(RidgeR2, ContainmentIsNotSymmetric) {
  const cv::Mat all = noise(900, 4, 3);
  const cv::Mat one = all.col(0).clone();
  EXPECT_GT(ridge_r2(all, one), 0.99);
  EXPECT_NEAR(ridge_r2(one, all), 0.25, 0.05);
  EXPECT_LT(ridge_r2(all, noise(900, 2, 4)), 0.02);
  EXPECT_EQ(ridge_r2(cv::Mat(), one), 0);
}

TEST(Likeness, IsThatOfEveryPair) {
  const std::vector<cv::Mat> columns{noise(600, 3, 8), noise(600, 5, 9), cv::Mat(),
                                     noise(600, 3, 8) + noise(600, 3, 10)};
  const Likeness likeness = likeness_of(columns, Workers(1));
  ASSERT_EQ(likeness.cka.size(), cv::Size(4, 4));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const cv::Mat &own = columns[std::size_t(i)], &other = columns[std::size_t(j)];
      EXPECT_NEAR(likeness.cka.at<double>(i, j), linear_cka(own, other), 1e-12) << i << " " << j;
      EXPECT_NEAR(likeness.explained.at<double>(i, j), i == j ? 0 : ridge_r2(other, own), 1e-9)
          << i << " " << j;
    }
  EXPECT_GT(likeness.explained.at<double>(0, 3), 0.3);
  const Likeness again = likeness_of(columns, Workers(3));
  EXPECT_EQ(cv::norm(likeness.cka - again.cka) + cv::norm(likeness.explained - again.explained), 0);
  EXPECT_TRUE(likeness_of({}, Workers(1)).cka.empty());
}

TEST(Neighbours, NearestFirst) {
  const cv::Mat own = noise(600, 3, 5);
  cv::Mat near = own + 0.5 * noise(600, 3, 6);
  const Likeness likeness = likeness_of({noise(600, 3, 7), own, near, own.clone(), cv::Mat()}, Workers(2));
  const auto neighbours = neighbours_of(likeness, 1, std::vector<std::size_t>{0, 2, 3, 4});
  ASSERT_EQ(neighbours.size(), 4u);
  EXPECT_EQ(neighbours[0].family_idx, 2u);
  EXPECT_NEAR(neighbours[0].cka, 1, 1e-12);
  EXPECT_EQ(neighbours[1].family_idx, 1u);
  EXPECT_GT(neighbours[1].explained_by, 0.7);
  EXPECT_EQ(neighbours[3].family_idx, 3u);
}

TEST(Neighbours, FromColumnsAreAsDefined) {
  const cv::Mat own = noise(600, 5, 11);
  const std::vector<cv::Mat> others{noise(600, 3, 12), cv::Mat(), own.colRange(0, 2) + noise(600, 2, 13)};
  const auto neighbours = neighbours_of(own, others, Workers(2));
  ASSERT_EQ(neighbours.size(), others.size());
  EXPECT_EQ(neighbours[0].family_idx, 2u);
  for (const Neighbour& neighbour : neighbours) {
    const cv::Mat& other = others[neighbour.family_idx];
    EXPECT_NEAR(neighbour.cka, linear_cka(own, other), 1e-12);
    EXPECT_NEAR(neighbour.explained_by, ridge_r2(other, own), 1e-9);
    EXPECT_NEAR(neighbour.explains, ridge_r2(own, other), 1e-9);
  }
  for (const Neighbour& neighbour : neighbours_of(cv::Mat(), others, Workers(1)))
    EXPECT_EQ(neighbour.cka + neighbour.explained_by + neighbour.explains, 0) << "it has no columns";
}

TEST(SampledColumns, AreStandardisedAndWithoutConstants) {
  const testing::World world(
      testing::numbered_images(std::vector<std::uint16_t>(500), std::vector<std::uint16_t>(10), 2),
      {{"a", 5, [](std::uint32_t n, std::uint32_t j) { return j == 1 ? 3.f : float((n * (j + 7)) % 101); }},
       {"b", 1, [](std::uint32_t, std::uint32_t) { return 1.f; }}});
  const SimilaritySettings settings{.num_examples = 200, .num_columns = 4, .seed = 3};
  const cv::Mat columns = sampled_columns(world.features(), 0, settings);
  EXPECT_EQ(columns.rows, 200);
  EXPECT_GE(columns.cols, 3);  // four of five were taken, one of which may be the constant
  for (int j = 0; j < columns.cols; ++j) {
    EXPECT_NEAR(cv::mean(columns.col(j))[0], 0, 1e-12);
    EXPECT_NEAR(columns.col(j).dot(columns.col(j)) / 200, 1, 1e-12);
  }
  EXPECT_TRUE(sampled_columns(world.features(), 1, settings).empty());
  EXPECT_EQ(cv::norm(columns - sampled_columns(world.features(), 0, settings)), 0);
}

// Codes that were kept give the same columns; those of several families stand behind each other.
TEST(SampledCodes, GiveTheColumnsAgain) {
  const testing::World world(
      testing::numbered_images(std::vector<std::uint16_t>(500), std::vector<std::uint16_t>(10), 2),
      {{"a", 3, [](std::uint32_t n, std::uint32_t j) { return float((n * (j + 7)) % 101); }},
       {"b", 2, [](std::uint32_t n, std::uint32_t j) { return float((n * (j + 3)) % 53); }}});
  const SimilaritySettings settings{.num_examples = 200, .num_columns = 4, .seed = 3};
  SampledCodes both = sampled_codes(world.features(), 0, settings);
  EXPECT_EQ(both.num_examples, 200u);
  EXPECT_EQ(both.codes.size(), 3 * 200u);
  const SampledCodes other = sampled_codes(world.features(), 1, settings);
  both.codes.insert(both.codes.end(), other.codes.begin(), other.codes.end());
  const cv::Mat columns = columns_of(both);
  ASSERT_EQ(columns.cols, 5);
  const cv::Mat groups[] = {sampled_columns(world.features(), 0, settings),
                            sampled_columns(world.features(), 1, settings)};
  EXPECT_EQ(cv::norm(columns - side_by_side(groups)), 0);
  EXPECT_NEAR(linear_cka(columns, columns), 1, 1e-12);
  EXPECT_TRUE(columns_of({}).empty());
  both.codes.resize(2 * 200 + 7);
  EXPECT_EQ(columns_of(both).cols, 2) << "what is left of less than a column is passed over";
}

}  // namespace
}  // namespace mash
