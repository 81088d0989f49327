// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/slices.hpp"

#include <algorithm>
#include <numeric>

#include "tests/support/world.hpp"

namespace mash {
namespace {

// A data set with these test pictures only, 8 x 8 unless they say otherwise.
Dataset pictures(const std::vector<std::vector<std::uint8_t>>& pixels, std::uint32_t num_channels = 1) {
  Dataset dataset;
  dataset.shape = {8, std::uint32_t(pixels.at(0).size()) / 8 / num_channels, num_channels};
  dataset.class_names = {"0", "1", "2"};
  dataset.test.num_examples = pixels.size();
  for (const auto& picture : pixels)
    dataset.test.pixels.insert(dataset.test.pixels.end(), picture.begin(), picture.end());
  dataset.test.labels = testing::random_labels(pixels.size(), 3, 1);
  return dataset;
}

std::vector<std::uint32_t> all_of(const Dataset& dataset) {
  std::vector<std::uint32_t> examples(dataset.test.num_examples);
  std::iota(examples.begin(), examples.end(), 0u);
  return examples;
}

std::vector<PictureTraits> traits_of(const Dataset& dataset, int num_threads = 1) {
  return picture_traits(dataset.test, all_of(dataset), dataset.shape, Workers(num_threads));
}

// Each row black on the left, white on the right.
std::vector<std::uint8_t> edge_picture() {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < 64; ++i) pixels.push_back(i % 8 < 4 ? 0 : 255);
  return pixels;
}

Dataset noise_pictures(std::size_t count, std::uint64_t seed) {
  RandomStream stream(seed, "test.pictures");
  std::vector<std::vector<std::uint8_t>> pixels(count);
  for (auto& picture : pixels) {
    const std::uint64_t range = 1 + stream.below(255);
    for (int i = 0; i < 64; ++i) picture.push_back(std::uint8_t(stream.below(range)));
  }
  return pictures(pixels);
}

TEST(PictureTraits, WorkedByHand) {
  const auto traits = traits_of(pictures({edge_picture(), std::vector<std::uint8_t>(64, 51)}));
  ASSERT_EQ(traits.size(), 2u);
  EXPECT_NEAR(traits[0].brightness, 0.5, 1e-12);
  EXPECT_NEAR(traits[0].contrast, 0.5, 1e-12);
  // Two columns of eight are at the edge: there the Laplacian is +1 and -1, and the gradient 4.
  EXPECT_NEAR(traits[0].sharpness, 0.25, 1e-12);
  EXPECT_NEAR(traits[0].edge_density, 0.25, 1e-12);
  EXPECT_NEAR(traits[1].brightness, 0.2, 1e-12);
  EXPECT_NEAR(traits[1].contrast, 0, 1e-12);
  EXPECT_NEAR(traits[1].sharpness, 0, 1e-12);
  EXPECT_EQ(traits[1].edge_density, 0);
}

TEST(PictureTraits, ABlurredPictureIsLessSharp) {
  std::vector<std::uint8_t> blurred;
  for (int i = 0; i < 64; ++i) blurred.push_back(std::uint8_t(36 * (i % 8)));
  const auto traits = traits_of(pictures({edge_picture(), blurred}));
  EXPECT_LT(traits[1].sharpness, traits[0].sharpness / 4);
  EXPECT_GT(traits[1].edge_density, traits[0].edge_density);
}

TEST(PictureTraits, ColourIsSeenAsHeuristicsSeeIt) {
  std::vector<std::uint8_t> colour;
  for (int i = 0; i < 64; ++i) colour.insert(colour.end(), {200, 100, 50});
  const auto traits = traits_of(pictures({colour}, 3));
  EXPECT_NEAR(traits[0].brightness, ((11 * 200 + 16 * 100 + 5 * 50) >> 5) / 255.0, 1e-12);
}

TEST(PictureTraits, OneRowOfPixelsIsAPicture) {
  const auto traits = traits_of(pictures({{0, 0, 0, 0, 255, 255, 255, 255}}));
  EXPECT_NEAR(traits[0].sharpness, 0.25, 1e-12);
  EXPECT_NEAR(traits[0].edge_density, 0.25, 1e-12);
}

TEST(PictureTraits, EdgesAreCountedFromHalfTheLongest) {
  // Two columns each at steps of 1, 0.6 and 0.4.
  const auto traits = traits_of(pictures({{0, 0, 255, 255, 102, 102, 0, 0}}));
  EXPECT_NEAR(traits[0].edge_density, 0.5, 1e-12);
}

TEST(PictureTraits, ThreadsDoNotMatter) {
  const Dataset dataset = noise_pictures(300, 1);
  const auto one = traits_of(dataset), three = traits_of(dataset, 3);
  for (std::size_t n = 0; n < one.size(); ++n) {
    EXPECT_EQ(one[n].sharpness, three[n].sharpness);
    EXPECT_EQ(one[n].edge_density, three[n].edge_density);
  }
}

TEST(PictureTraits, AreOfTheExamplesThatAreAskedFor) {
  const Dataset dataset = noise_pictures(10, 1);
  const auto all = traits_of(dataset);
  const std::vector<std::uint32_t> some{7, 2};
  const auto traits = picture_traits(dataset.test, some, dataset.shape, Workers(1));
  ASSERT_EQ(traits.size(), 2u);
  EXPECT_EQ(traits[0].contrast, all[7].contrast);
  EXPECT_EQ(traits[1].contrast, all[2].contrast);
}

TEST(Slices, FifthsPartitionThePictures) {
  for (const std::size_t count : {203u, 8u, 3u}) {
    const auto slices = slices_of(traits_of(noise_pictures(count, count)));
    for (const std::string trait : {"brightness", "contrast", "sharpness", "edge density"}) {
      std::vector<std::size_t> examples;
      double last_high = 0;
      for (const Slice& slice : slices) {
        if (slice.trait != trait) continue;
        examples.insert(examples.end(), slice.examples.begin(), slice.examples.end());
        EXPECT_FALSE(slice.examples.empty());
        EXPECT_LE(last_high, slice.low) << slice.name;
        EXPECT_LE(slice.low, slice.high);
        last_high = slice.high;
      }
      std::sort(examples.begin(), examples.end());
      ASSERT_EQ(examples.size(), count) << trait;
      for (std::size_t n = 0; n < count; ++n) EXPECT_EQ(examples[n], n);
    }
  }
}

TEST(Slices, FifthsAreThoseOfTheTrait) {
  const auto traits = traits_of(noise_pictures(100, 5));
  std::vector<double> sorted;
  for (const PictureTraits& picture : traits) sorted.push_back(picture.contrast);
  std::sort(sorted.begin(), sorted.end());
  const auto slices = slices_of(traits);
  const auto highest = std::find_if(slices.begin(), slices.end(), [](const Slice& slice) {
    return slice.trait == "contrast" && slice.name == "highest fifth";
  });
  ASSERT_NE(highest, slices.end());
  EXPECT_EQ(highest->low, sorted[80]);
  EXPECT_EQ(highest->high, sorted[99]);
  EXPECT_EQ(highest->examples.size(), 20u);
  for (const std::size_t n : highest->examples) EXPECT_GE(traits[n].contrast, sorted[80]);
}

TEST(Slices, OfAConstantTraitFifthsGoByPlace) {
  const auto slices =
      slices_of(traits_of(pictures(std::vector<std::vector<std::uint8_t>>(10, edge_picture()))));
  ASSERT_EQ(slices.size(), 20u);
  for (const Slice& slice : slices) {
    EXPECT_EQ(slice.low, slice.high);
    ASSERT_EQ(slice.examples.size(), 2u);
    if (slice.name == "lowest fifth") {
      EXPECT_EQ(slice.examples[0], 0u);
      EXPECT_EQ(slice.examples[1], 1u);
    }
  }
}

TEST(SliceGains, HaveTheNamesOfTheirSlices) {
  const std::vector<Slice> slices{{"contrast", "lowest fifth", .1, .2, {0}},
                                  {"contrast", "highest fifth", .3, .4, {1, 2}}};
  const std::vector<GainPart> parts{{1, 2, .5, {}, .02}};
  const auto gains = slice_gains(slices, parts);
  ASSERT_EQ(gains.size(), 1u);
  EXPECT_EQ(gains[0].slice, "highest fifth");
  EXPECT_EQ(gains[0].low, .3);
  EXPECT_EQ(gains[0].part.gain, .5);
}

}  // namespace
}  // namespace mash
