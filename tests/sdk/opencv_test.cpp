// SPDX-License-Identifier: Apache-2.0
#include <mash/opencv.hpp>

#include "tests/extractors/test_image.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;

std::vector<int> values(const cv::Mat& mat) {
  std::vector<int> values;
  for (int y = 0; y < mat.rows; ++y)
    for (int i = 0; i < mat.cols * mat.channels(); ++i) values.push_back(mat.ptr<std::uint8_t>(y)[i]);
  return values;
}

TEST(OpenCv, GreyBorrowsPackedPixels) {
  const TestImage image(3, 2, 1, {1, 2, 3, 4, 5, 6});
  const cv::Mat mat = gray_mat(View(image.abi(), {1, 0, 2, 2}));
  EXPECT_EQ(mat.type(), CV_8UC1);
  EXPECT_THAT(values(mat), ElementsAre(2, 3, 5, 6));
  EXPECT_EQ(mat.data, image.abi().gray.origin + 1) << "the same pixels, not a copy";
}

TEST(OpenCv, ColourBorrowsInterleavedPixels) {
  const TestImage image(2, 2, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const cv::Mat mat = rgb_mat(View(image.abi(), {1, 0, 1, 2}));
  EXPECT_EQ(mat.type(), CV_8UC3);
  EXPECT_THAT(values(mat), ElementsAre(4, 5, 6, 10, 11, 12));
  EXPECT_EQ(mat.data, image.abi().red.origin + 3);
}

TEST(OpenCv, OtherLayoutsAreCopied) {
  const TestImage gray(2, 1, 1, {7, 9});
  EXPECT_THAT(values(rgb_mat(View(gray.abi(), gray.whole()))), ElementsAre(7, 7, 7, 9, 9, 9));
  mash_image_t bottom_up = gray.abi();
  bottom_up.width = 1;
  bottom_up.height = 2;
  bottom_up.gray = {gray.abi().gray.origin + 1, -1, 1};
  EXPECT_THAT(values(gray_mat(View(bottom_up, {0, 0, 1, 2}))), ElementsAre(9, 7));
  mash_image_t spread = gray.abi();
  const std::uint8_t wide[] = {1, 0, 2, 0};
  spread.gray = {wide, 4, 2};
  EXPECT_THAT(values(gray_mat(View(spread, gray.whole()))), ElementsAre(1, 2));
}

}  // namespace
}  // namespace mash
