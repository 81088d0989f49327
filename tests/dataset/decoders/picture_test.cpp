// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/picture.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace mash {
namespace {

TEST(ScaledLevel, IsRoundedAtEveryDepth) {
  for (const std::uint32_t white : {1u, 3u, 15u, 31u, 63u, 100u, 255u, 1023u, 4095u, 65535u})
    for (std::uint32_t level = 0; level <= white; ++level)
      ASSERT_EQ(scaled_level(level, white), std::lround(255.0 * level / white)) << level << " of " << white;
  EXPECT_EQ(scaled_level(101, 100), 255);
}

TEST(MixInks, MultipliesWhatTheyLetThrough) {
  const std::uint8_t lights[4] = {255, 128, 0, 100};
  std::uint8_t pixel[3] = {};
  mix_inks(lights, pixel);
  EXPECT_THAT(pixel, ::testing::ElementsAre(100, 50, 0)) << "128 * 100 / 255 = 50.2";
}

TEST(BlackPicture, IsAnnouncedBeforeItTakesMemoryAndRefusedBeforeThat) {
  std::uint64_t told = 0;
  const BeforePixels before = [&](std::uint64_t num_pixels) { told = num_pixels; };
  const auto picture = black_picture(4, 3, before);
  ASSERT_TRUE(picture.ok());
  EXPECT_EQ(told, 12u);
  EXPECT_EQ(picture->pixels.size(), 36u);
  told = 0;
  for (const auto& [width, height] : {std::pair(16385, 1), {1, 16385}, {0, 5}, {5, 0}})
    EXPECT_FALSE(black_picture(std::uint64_t(width), std::uint64_t(height), before).ok());
  EXPECT_EQ(told, 0u);
}

TEST(Damaged, QuotesNothingUnreadable) {
  EXPECT_EQ(damaged("PNG", "bad chunk \x1b\xff").message,
            "the PNG file is damaged or truncated (bad chunk ..)");
}

}  // namespace
}  // namespace mash
