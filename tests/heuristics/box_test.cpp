// SPDX-License-Identifier: Apache-2.0
//
// patch-sums, haar-like: seen from outside. A feature is linear in the pixels, so single bright pixels show
// which boxes it is made of.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <set>

#include "builtin.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kWidth = 12, kHeight = 10;

// weights[feature] at each pixel.
std::vector<cv::Mat> weights_of(Builtin& heuristic, std::uint8_t value) {
  std::vector<cv::Mat> weights(heuristic.dim({kWidth, kHeight}));
  for (cv::Mat& matrix : weights) matrix.create(int(kHeight), int(kWidth), CV_64F);
  for (std::uint32_t y = 0; y < kHeight; ++y)
    for (std::uint32_t x = 0; x < kWidth; ++x) {
      const auto features = heuristic.features(Picture({kWidth, kHeight}, 1, impulse(x, y, value)));
      for (std::size_t i = 0; i < features.size(); ++i)
        weights[i].at<double>(int(y), int(x)) = double(features[i]) / value;
    }
  return weights;
}

// The pixels where the matrix has this value.
cv::Rect support(const cv::Mat& weights, double value, int& num_pixels) {
  cv::Mat mask = cv::abs(weights - value) < 1e-6;
  num_pixels = cv::countNonZero(mask);
  return cv::boundingRect(mask);
}

cv::Mat matrix_of(const Picture& picture) {
  cv::Mat matrix(int(kHeight), int(kWidth), CV_8U);
  for (std::uint32_t y = 0; y < kHeight; ++y)
    for (std::uint32_t x = 0; x < kWidth; ++x) matrix.at<std::uint8_t>(int(y), int(x)) = picture.gray(x, y);
  return matrix;
}

TEST(PatchSums, AreSumsOverBoxesOfAllScales) {
  Builtin patches("patch-sums", {{"normalise", "sum"}, {"count", "300"}});
  const Picture picture({kWidth, kHeight}, 1, textured(1));
  cv::Mat integral;
  cv::integral(matrix_of(picture), integral, CV_32S);
  const auto features = patches.features(picture);
  const auto weights = weights_of(patches, 1);
  std::set<int> widths, heights, lefts, tops;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    int num_pixels = 0;
    const cv::Rect box = support(weights[i], 1, num_pixels);
    ASSERT_EQ(num_pixels, box.area());
    ASSERT_EQ(cv::countNonZero(weights[i]), num_pixels);
    const int expected = integral.at<int>(box.y + box.height, box.x + box.width) -
                         integral.at<int>(box.y, box.x + box.width) -
                         integral.at<int>(box.y + box.height, box.x) + integral.at<int>(box.y, box.x);
    ASSERT_EQ(features[i], float(expected));
    widths.insert(box.width);
    heights.insert(box.height);
    lefts.insert(box.x);
    tops.insert(box.y);
  }
  EXPECT_EQ(widths.size(), kWidth);
  EXPECT_EQ(heights.size(), kHeight);
  EXPECT_EQ(lefts.size(), kWidth);
  EXPECT_EQ(tops.size(), kHeight);
}

TEST(PatchSums, MeanAndStandardByHand) {
  const Picture picture({kWidth, kHeight}, 1, textured(2));
  Builtin sum("patch-sums", {{"normalise", "sum"}}), mean("patch-sums", {{"normalise", "mean"}}),
      standard("patch-sums", {{"normalise", "standard"}});
  const auto areas = sum.features(Picture({kWidth, kHeight}, 1, flat(1)));
  const auto sums = sum.features(picture), means = mean.features(picture),
             standards = standard.features(picture);
  cv::Scalar view_mean, deviation;
  cv::meanStdDev(matrix_of(picture), view_mean, deviation);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    ASSERT_FLOAT_EQ(means[i], sums[i] / areas[i]);
    ASSERT_NEAR(standards[i], (sums[i] / areas[i] - view_mean[0]) / (deviation[0] + 1), 1e-5);
  }
}

// Wider than what is added up in 32 bits, and as bright as that bound allows for.
TEST(PatchSums, OfAVeryWideViewAreStandardisedByTheWholeOfIt) {
  constexpr std::uint32_t kLong = 70000, kBright = 66000;
  const Picture picture({kLong, 1}, 1, [](std::uint32_t x, std::uint32_t, std::uint32_t) {
    return std::uint8_t(x < kBright ? 255 : 0);
  });
  const auto means = Builtin("patch-sums", {{"normalise", "mean"}}).features(picture),
             standards = Builtin("patch-sums").features(picture);
  const double share = double(kBright) / kLong, deviation = 255 * std::sqrt(share * (1 - share));
  for (std::size_t i = 0; i < means.size(); ++i)
    ASSERT_NEAR(standards[i], (means[i] - 255 * share) / (deviation + 1), 1e-5);
}

TEST(PatchSums, AFlatViewIsZeroWhenStandardised) {
  EXPECT_THAT(Builtin("patch-sums").features(Picture({28, 28}, 1, flat(200))), ::testing::Each(0.f));
}

TEST(HaarLike, AreTheFiveShapes) {
  Builtin haar("haar-like", {{"normalise", "mean"}, {"count", "400"}});
  const auto weights = weights_of(haar, 255);
  const Picture picture({kWidth, kHeight}, 1, textured(3));
  cv::Mat image;
  matrix_of(picture).convertTo(image, CV_64F);
  const auto features = haar.features(picture);
  std::map<std::string, int> shapes;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ASSERT_NEAR(features[i], image.dot(weights[i]), 1e-2);
    ASSERT_NEAR(cv::sum(weights[i])[0], 0, 1e-5);
    double lowest = 0, highest = 0;
    cv::minMaxLoc(weights[i], &lowest, &highest);
    int num_low = 0, num_high = 0, num_all = 0;
    const cv::Rect low = support(weights[i], lowest, num_low), high = support(weights[i], highest, num_high);
    const cv::Rect all = low | high;
    num_all = num_low + num_high;
    ASSERT_EQ(num_all, all.area());  // no gap, no third value
    if (num_low == 2 * num_high) {
      ASSERT_EQ(num_high, high.area());  // the middle third
      ASSERT_NEAR(highest, -2 * lowest, 1e-6);
      ASSERT_NEAR(highest, 2. / num_high, 1e-6);
      ++shapes[high.width == all.width ? "three high" : "three wide"];
    } else {
      ASSERT_EQ(num_low, num_high);
      ASSERT_NEAR(highest, -lowest, 1e-6);
      if (low == high)
        ++shapes["four"];
      else
        ++shapes[high.width == all.width ? "two high" : "two wide"];
      ASSERT_NEAR(highest, (low == high ? 2. : 1.) / num_high, 1e-6);
    }
  }
  ASSERT_EQ(shapes.size(), 5u);
  for (const auto& [shape, count] : shapes) EXPECT_GT(count, 40) << shape;
}

TEST(HaarLike, StandardisedFeaturesDoNotSeeBrightnessAndHardlyContrast) {
  const auto dark = [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(textured(4)(x, y, 0) / 4 * 2);
  };
  const auto brighter = [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(dark(x, y, 0) + 100);
  };
  Builtin haar("haar-like");
  const auto expected = haar.features(Picture({20, 20}, 1, dark));
  EXPECT_THAT(haar.features(Picture({20, 20}, 1, brighter)),
              ::testing::Pointwise(::testing::FloatNear(1e-5f), expected));
  const auto half = [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(dark(x, y, 0) / 2);
  };
  const auto halved = haar.features(Picture({20, 20}, 1, half));
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(halved[i], expected[i], 0.1 * std::abs(expected[i]) + 1e-6);
}

TEST(HaarLike, AbsoluteResponsesDoNotSeeAnInvertedImage) {
  const auto inverted = [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(255 - textured(5)(x, y, 0));
  };
  Builtin absolute("haar-like", {{"response", "absolute"}});
  EXPECT_THAT(absolute.features(Picture({20, 20}, 1, inverted)),
              ::testing::Pointwise(::testing::FloatNear(1e-5f),
                                   absolute.features(Picture({20, 20}, 1, textured(5)))));
}

TEST(RandomBoxes, DependOnTheSeedAndNotOnTheirNumber) {
  for (const char* id : {"patch-sums", "haar-like"}) {
    const Picture picture({28, 28}, 1, textured(6));
    const auto many = Builtin(id, {{"count", "50"}}).features(picture);
    const auto few = Builtin(id, {{"count", "20"}}).features(picture);
    const auto other = Builtin(id, {{"count", "50"}, {"seed", "2"}}).features(picture);
    EXPECT_EQ(std::vector(many.begin(), many.begin() + 20), few);
    int num_equal = 0;
    for (std::size_t i = 0; i < 50; ++i) num_equal += many[i] == other[i];
    EXPECT_LT(num_equal, 5);
  }
}

TEST(HaarLike, RefusesViewsWithoutRoomForThreeRectangles) {
  const auto dim = Builtin("haar-like").instance().dim({2, 20});
  ASSERT_FALSE(dim);
  EXPECT_THAT(dim.error().message, ::testing::HasSubstr("smaller than 3 x 3"));
}

}  // namespace
}  // namespace mash
