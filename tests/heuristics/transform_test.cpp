// SPDX-License-Identifier: Apache-2.0
//
// fourier, haar, gradient, dct
#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "builtin.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::FloatNear;
using ::testing::Pointwise;

cv::Mat gray_matrix(const Picture& picture) {
  cv::Mat matrix(int(picture.size().height), int(picture.size().width), CV_32F);
  for (std::uint32_t y = 0; y < picture.size().height; ++y)
    for (std::uint32_t x = 0; x < picture.size().width; ++x)
      matrix.at<float>(int(y), int(x)) = picture.gray(x, y);
  return matrix;
}

TEST(Fourier, AFlatImageHasOnlyTheMean) {
  const auto features =
      Builtin("fourier", {{"output", "real-imaginary"}}).features(Picture({8, 8}, 1, flat(3)));
  ASSERT_EQ(features.size(), 2u * 34);  // (64 + 4) / 2 coefficients
  EXPECT_FLOAT_EQ(features[0], 24);     // 64 * 3 / sqrt 64
  for (std::size_t i = 1; i < features.size(); ++i) EXPECT_NEAR(features[i], 0, 1e-4) << i;
}

TEST(Fourier, AGratingHasOneFrequency) {
  // 100 + 50 cos(2 pi 2x / 8): the coefficient (2, 0) is 64 * 50 / 2 / 8 = 200; feature order is (0,0) (1,0)
  // (2,0).
  const int period[] = {150, 100, 50, 100};
  const auto grating = [&](std::uint32_t x, std::uint32_t, std::uint32_t) {
    return std::uint8_t(period[x % 4]);
  };
  const auto features =
      Builtin("fourier", {{"output", "log-magnitude"}}).features(Picture({8, 8}, 1, grating));
  ASSERT_EQ(features.size(), 34u);
  for (std::size_t i = 0; i < features.size(); ++i)
    EXPECT_NEAR(features[i], i == 0 ? std::log1p(800) : i == 2 ? std::log1p(200) : 0, 1e-4) << i;
}

TEST(Fourier, AgreesWithOpenCv) {
  for (const mash_size_t size :
       {mash_size_t{8, 8}, mash_size_t{28, 28}, mash_size_t{33, 17}, mash_size_t{9, 12}}) {
    SCOPED_TRACE(::testing::Message() << size.width << " x " << size.height);
    const Picture picture(size, 1, textured(1));
    const auto features = Builtin("fourier").features(picture);
    cv::Mat expected;
    cv::dft(gray_matrix(picture), expected, cv::DFT_COMPLEX_OUTPUT);
    expected /= std::sqrt(double(size.width) * size.height);
    // One of each pair of conjugates (kx, ky), (-kx, -ky), in the order of ky, kx.
    std::size_t n = 0, num_features = features.size() / 3;
    for (std::uint32_t ky = 0; ky < size.height; ++ky)
      for (std::uint32_t kx = 0; kx <= size.width / 2; ++kx) {
        const std::uint32_t partner_x = (size.width - kx) % size.width,
                            partner_y = (size.height - ky) % size.height;
        if (partner_x == kx && partner_y < ky) continue;
        const auto value = expected.at<cv::Vec2f>(int(ky), int(kx));
        ASSERT_LT(n, num_features);
        ASSERT_NEAR(features[n], std::log1p(std::hypot(value[0], value[1])), 1e-3) << kx << "," << ky;
        ASSERT_NEAR(features[num_features + n], value[0], 2e-3) << kx << "," << ky;
        ASSERT_NEAR(features[2 * num_features + n], value[1], 2e-3) << kx << "," << ky;
        ++n;
      }
    EXPECT_EQ(n, num_features);
  }
}

TEST(Fourier, MagnitudesDoNotSeeACyclicShift) {
  const Picture picture({16, 12}, 1, textured(2));
  const auto shifted = [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return picture.gray((x + 5) % 16, (y + 3) % 12);
  };
  Builtin fourier("fourier", {{"output", "log-magnitude"}});
  EXPECT_THAT(fourier.features(Picture({16, 12}, 1, shifted)),
              Pointwise(FloatNear(1e-3f), fourier.features(picture)));
}

TEST(Haar, TwoByTwoByHand) {
  // Half of the sum, of left - right, of top - bottom, of diagonal - diagonal.
  EXPECT_THAT(Builtin("haar").features(Picture({2, 2}, 1, pixels(2, {9, 4, 2, 1}))),
              ElementsAre(FloatEq(8), FloatEq(3), FloatEq(5), FloatEq(2)));
}

TEST(Haar, TheDecompositionsDifferFromFourPixelsOn) {
  // A row of four, 8 4 2 6: averages 12/sqrt 2, 8/sqrt 2, differences 4/sqrt 2, -4/sqrt 2; then 10 and 2.
  const float d = 4 / std::sqrt(2.f);
  EXPECT_THAT(Builtin("haar").features(Picture({4, 1}, 1, pixels(4, {8, 4, 2, 6}))),
              ElementsAre(FloatEq(10), FloatEq(2), FloatEq(d), FloatEq(-d)));
  // Over 4 x 2 (second row 0) the standard transform goes on along the rows, the nonstandard one swaps in
  // between.
  const Picture picture({4, 2}, 1, pixels(4, {8, 4, 2, 6, 0, 0, 0, 0}));
  const float s = std::sqrt(2.f);
  EXPECT_THAT(Builtin("haar", {{"decomposition", "standard"}}).features(picture),
              ElementsAre(FloatEq(10 / s), FloatEq(2 / s), FloatEq(2), FloatEq(-2),  //
                          FloatEq(10 / s), FloatEq(2 / s), FloatEq(2), FloatEq(-2)));
  EXPECT_THAT(Builtin("haar", {{"decomposition", "nonstandard"}}).features(picture),
              ElementsAre(FloatEq(10 / s), FloatEq(2 / s), FloatEq(2), FloatEq(-2),  //
                          FloatEq(6), FloatEq(4), FloatEq(2), FloatEq(-2)));
}

TEST(Haar, IsOrthonormal) {
  for (const char* decomposition : {"standard", "nonstandard"}) {
    Builtin haar("haar", {{"decomposition", decomposition}});
    cv::Mat basis(32, 32, CV_32F);
    for (int i = 0; i < 32; ++i) {
      const auto row =
          haar.features(Picture({8, 4}, 1, impulse(std::uint32_t(i % 8), std::uint32_t(i / 8), 200)));
      for (int j = 0; j < 32; ++j) basis.at<float>(i, j) = row[std::size_t(j)] / 200;
    }
    EXPECT_LT(cv::norm(basis * basis.t(), cv::Mat::eye(32, 32, CV_32F), cv::NORM_INF), 1e-5) << decomposition;
  }
}

TEST(Haar, PadsToAPowerOfTwoByRepeatingTheBorder) {
  // 6 x 8 lies in the middle of 8 x 8: the same as an 8 x 8 image whose outer columns repeat.
  const Picture picture({6, 8}, 1, textured(3));
  const auto padded = [&](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return picture.gray(x == 0 ? 0 : std::min(x - 1, 5u), y);
  };
  EXPECT_EQ(Builtin("haar").features(picture), Builtin("haar").features(Picture({8, 8}, 1, padded)));
}

TEST(Gradient, OfARamp) {
  const auto ramp = [](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(3 * x + 4 * y);
  };
  const auto features =
      Builtin("gradient", {{"sigma", "0"}, {"output", "both"}}).features(Picture({9, 8}, 1, ramp));
  ASSERT_EQ(features.size(), 4u * 72);
  const std::size_t inside = 3 * 9 + 4, left = 3 * 9, top = 4;
  EXPECT_FLOAT_EQ(features[inside], 3);
  EXPECT_FLOAT_EQ(features[72 + inside], 4);
  EXPECT_FLOAT_EQ(features[144 + inside], 5);
  EXPECT_FLOAT_EQ(features[216 + inside], std::atan2(4.f, 3.f));
  EXPECT_FLOAT_EQ(features[left], 1.5);  // half of it repeats the border
  EXPECT_FLOAT_EQ(features[72 + top], 2);
}

TEST(Gradient, AgreesWithOpenCv) {
  const Picture picture({21, 15}, 1, textured(4));
  cv::Mat padded, smooth, dx, dy;
  cv::copyMakeBorder(gray_matrix(picture), padded, 20, 20, 20, 20, cv::BORDER_REPLICATE);
  cv::GaussianBlur(padded, smooth, {9, 9}, 1.25);  // 9 = 2 ceil(3 * 1.25) + 1
  cv::Sobel(smooth, dx, CV_32F, 1, 0, 1, 0.5);
  cv::Sobel(smooth, dy, CV_32F, 0, 1, 1, 0.5);
  const auto features = Builtin("gradient", {{"sigma", "1.25"}}).features(picture);
  ASSERT_EQ(features.size(), 2u * 21 * 15);
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 21; ++x) {
      ASSERT_NEAR(features[std::size_t(y * 21 + x)], dx.at<float>(y + 20, x + 20), 1e-3);
      ASSERT_NEAR(features[std::size_t(315 + y * 21 + x)], dy.at<float>(y + 20, x + 20), 1e-3);
    }
}

TEST(Dct, AgreesWithItsDefinition) {
  const Picture picture({13, 10}, 1, textured(5));
  const auto features = Builtin("dct", {{"size", "12"}, {"levels", "2"}}).features(picture);
  ASSERT_EQ(features.size(), 2u * 144);
  // The whole, then the four quarters: of 6 and 7 columns, 5 and 5 rows.
  const std::uint32_t boxes[][4] = {
      {0, 0, 13, 10}, {0, 0, 6, 5}, {6, 0, 13, 5}, {0, 5, 6, 10}, {6, 5, 13, 10}};
  std::size_t i = 0;
  for (const auto& [left, top, right, bottom] : boxes) {
    const std::uint32_t n = i == 0 ? 12 : 6, w = right - left, h = bottom - top;
    for (std::uint32_t v = 0; v < n; ++v)
      for (std::uint32_t u = 0; u < n; ++u, ++i) {
        double sum = 0;
        for (std::uint32_t y = 0; y < h; ++y)
          for (std::uint32_t x = 0; x < w; ++x)
            sum += picture.gray(left + x, top + y) * std::cos(M_PI * (2 * x + 1) * u / (2.0 * w)) *
                   std::cos(M_PI * (2 * y + 1) * v / (2.0 * h));
        sum *= std::sqrt((u == 0 ? 1.0 : 2.0) / w) * std::sqrt((v == 0 ? 1.0 : 2.0) / h);
        ASSERT_NEAR(features[i], u < w && v < h ? sum : 0, 2e-3) << "feature " << i;
      }
  }
}

TEST(Dct, AgreesWithOpenCv) {
  const Picture picture({16, 12}, 1, textured(6));
  cv::Mat expected;
  cv::dct(gray_matrix(picture), expected);
  const auto features = Builtin("dct", {{"size", "16"}, {"levels", "1"}}).features(picture);
  ASSERT_EQ(features.size(), 256u);
  for (int v = 0; v < 12; ++v)
    for (int u = 0; u < 16; ++u)
      ASSERT_NEAR(features[std::size_t(v * 16 + u)], expected.at<float>(v, u), 2e-3) << u << "," << v;
}

}  // namespace
}  // namespace mash
