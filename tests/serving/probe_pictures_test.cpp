// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/probe_pictures.hpp"

#include <gtest/gtest.h>

#include <set>

#include "classifiers/model/model_head.hpp"
#include "framework/base/hash.hpp"

namespace mash {
namespace {

std::string digest(const Split& split) {
  return sha256({reinterpret_cast<const char*>(split.pixels.data()), split.pixels.size()});
}

// Model files hold values on them.
TEST(ProbePictures, NeverChange) {
  EXPECT_EQ(digest(probe_pictures({28, 28, 1}, 1)),
            "36455a38315a20e6f1b8695c63f4010a33b3a40f250638712ff04d293ea8085f");
  EXPECT_EQ(digest(probe_pictures({17, 5, 3}, 1)),
            "629e35757a93e58cf2dccc63027c187d008112014665b122354376673d71a9e8");
  EXPECT_EQ(digest(probe_pictures({1, 1, 1}, 7)),
            "66c656e89979a9c6b9486bc0a0f16c278cf18d6a32d67b03f268978be0c2e759");
}

TEST(ProbePictures, AreOfTheShapeAndFollowEachOther) {
  for (const ImageShape& shape : {ImageShape{1, 1, 1}, ImageShape{1, 9, 3}, ImageShape{64, 2, 1, 2}}) {
    const Split split = probe_pictures(shape, 1);
    ASSERT_EQ(split.num_examples, kNumProbePictures);
    EXPECT_EQ(split.pixels.size(), kNumProbePictures * shape.num_bytes());
    ASSERT_EQ(split.frames.size(), kNumProbePictures);
    for (std::uint32_t n = 0; n < kNumProbePictures; ++n) {
      EXPECT_EQ(split.frames[n].place, n);
      EXPECT_EQ(split.frames[n].camera, n % shape.num_cameras);
    }
  }
}

TEST(ProbePictures, HaveStructure) {
  const ImageShape shape{24, 24, 1};
  const Split split = probe_pictures(shape, 1);
  const auto num_shades = [&](std::size_t n) {
    const auto pixels = split.image(n, shape);
    return std::set(pixels.begin(), pixels.end()).size();
  };
  EXPECT_GT(num_shades(0), 20u) << "a slope";
  EXPECT_LE(num_shades(1), 36u) << "six blocks in each direction";
  EXPECT_GT(num_shades(1), 20u);
  EXPECT_GT(num_shades(2), 200u) << "noise";
  EXPECT_NE(digest(split), digest(probe_pictures(shape, 2))) << "the seed counts";
}

}  // namespace
}  // namespace mash
