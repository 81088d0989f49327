// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/slices.hpp"

#include <algorithm>
#include <numeric>

#include "framework/base/paired_test.hpp"
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

std::vector<PictureTraits> traits_of(const Dataset& dataset) {
  return picture_traits(dataset.test, dataset.shape, Workers(1));
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

// What three seeds say, each right with the given chance.
std::vector<TestRun> runs(const Dataset& dataset, double chance, std::uint64_t seed) {
  std::vector<TestRun> made;
  for (std::uint64_t s = 0; s < 3; ++s) {
    RandomStream stream(seed, "test.runs", s);
    TestRun run{s, 0, dataset.test.labels};
    for (auto& predicted : run.predicted)
      if (stream.uniform() > chance) {
        predicted = std::uint16_t((predicted + 1) % 3);
        run.test_error += 1 / double(run.predicted.size());
      }
    made.push_back(run);
  }
  return made;
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
  const auto one = traits_of(dataset), three = picture_traits(dataset.test, dataset.shape, Workers(3));
  for (std::size_t n = 0; n < one.size(); ++n) {
    EXPECT_EQ(one[n].sharpness, three[n].sharpness);
    EXPECT_EQ(one[n].edge_density, three[n].edge_density);
  }
}

TEST(SliceGains, FifthsPartitionTheTestSide) {
  for (const std::size_t count : {203u, 8u, 3u}) {
    const Dataset dataset = noise_pictures(count, count);
    const auto before = runs(dataset, 0.6, 1), after = runs(dataset, 0.8, 2);
    const Comparison comparison = compare(before, after, dataset.test.labels, 3);
    const auto gains = slice_gains(before, after, dataset, Workers(1));
    for (const std::string trait : {"class", "brightness", "contrast", "sharpness", "edge density"}) {
      std::size_t num_examples = 0, num_fixed = 0, num_broken = 0;
      double wrong_before = 0, wrong_after = 0, last_high = 0;
      for (const SliceGain& gain : gains) {
        if (gain.trait != trait) continue;
        num_examples += gain.num_examples;
        num_fixed += gain.num_fixed;
        num_broken += gain.num_broken;
        wrong_before += gain.error_before * double(gain.num_examples);
        wrong_after += gain.error_after * double(gain.num_examples);
        EXPECT_GT(gain.num_examples, 0u);
        EXPECT_LE(last_high, gain.low) << gain.slice;
        EXPECT_LE(gain.low, gain.high);
        last_high = gain.high;
      }
      EXPECT_EQ(num_examples, count) << trait;
      EXPECT_EQ(num_fixed, comparison.fixed.size());
      EXPECT_EQ(num_broken, comparison.broken.size());
      EXPECT_NEAR(wrong_before / double(count), mean_error(before).mean, 1e-9);
      EXPECT_NEAR(wrong_after / double(count), mean_error(after).mean, 1e-9);
    }
  }
}

TEST(SliceGains, FifthsAreThoseOfTheTrait) {
  const Dataset dataset = noise_pictures(100, 5);
  const auto before = runs(dataset, 0.5, 3), after = runs(dataset, 0.9, 4);
  const Comparison comparison = compare(before, after, dataset.test.labels, 3);
  auto traits = traits_of(dataset);
  std::vector<double> values;
  for (const PictureTraits& picture : traits) values.push_back(picture.contrast);
  const auto gains = slice_gains(before, after, dataset, Workers(1));
  const auto highest = std::find_if(gains.begin(), gains.end(), [](const SliceGain& gain) {
    return gain.trait == "contrast" && gain.slice == "highest fifth";
  });
  ASSERT_NE(highest, gains.end());
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(highest->low, sorted[80]);
  EXPECT_EQ(highest->high, sorted[99]);
  const auto num_in = [&](const std::vector<std::size_t>& examples) {
    return std::size_t(std::count_if(examples.begin(), examples.end(),
                                     [&](std::size_t n) { return values[n] >= sorted[80]; }));
  };
  EXPECT_EQ(highest->num_examples, 20u);
  EXPECT_EQ(highest->num_fixed, num_in(comparison.fixed));
  EXPECT_EQ(highest->num_broken, num_in(comparison.broken));
  EXPECT_EQ(highest->p_mid, mcnemar(highest->num_fixed, highest->num_broken).p_mid);
}

TEST(SliceGains, ClassesAreThoseOfCompare) {
  const Dataset dataset = noise_pictures(60, 2);
  const auto before = runs(dataset, 0.5, 1), after = runs(dataset, 0.9, 2);
  const auto classes = compare(before, after, dataset.test.labels, 3).classes;
  const auto gains = slice_gains(before, after, dataset, Workers(1));
  ASSERT_EQ(gains.size(), 3u + 4 * 5);
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_EQ(gains[l].trait, "class");
    EXPECT_EQ(gains[l].slice, dataset.class_names[l]);
    EXPECT_EQ(gains[l].num_examples, classes[l].num_examples);
    EXPECT_EQ(gains[l].num_fixed, classes[l].num_fixed);
    EXPECT_EQ(gains[l].num_broken, classes[l].num_broken);
    EXPECT_EQ(gains[l].p_mid, classes[l].p_mid);
    EXPECT_NEAR(gains[l].error_before - gains[l].error_after, classes[l].gain, 1e-12);
    EXPECT_EQ(gains[l].low, 0);
    EXPECT_EQ(gains[l].high, 0);
  }
}

TEST(SliceGains, AllLooksAreCorrectedTogether) {
  const Dataset dataset = noise_pictures(200, 3);
  const auto gains = slice_gains(runs(dataset, 0.3, 1), runs(dataset, 0.8, 2), dataset, Workers(1));
  std::vector<double> p_values;
  for (const SliceGain& gain : gains) p_values.push_back(gain.p_mid);
  const auto corrected = holm_corrected(p_values);
  for (std::size_t i = 0; i < gains.size(); ++i) EXPECT_EQ(gains[i].p_corrected, corrected[i]);
  EXPECT_NEAR(*std::min_element(corrected.begin(), corrected.end()),
              double(gains.size()) * *std::min_element(p_values.begin(), p_values.end()), 1e-12);
}

TEST(SliceGains, OfAConstantTraitFifthsGoByPlace) {
  Dataset dataset = pictures(std::vector<std::vector<std::uint8_t>>(10, edge_picture()));
  TestRun right{1, 0, dataset.test.labels}, wrong = right;
  for (const std::size_t n : {0u, 1u}) wrong.predicted[n] = std::uint16_t((wrong.predicted[n] + 1) % 3);
  const auto gains = slice_gains({&wrong, 1}, {&right, 1}, dataset, Workers(1));
  std::size_t num_fifths = 0;
  for (const SliceGain& gain : gains) {
    if (gain.trait == "class") continue;
    ++num_fifths;
    EXPECT_EQ(gain.num_examples, 2u);
    EXPECT_EQ(gain.low, gain.high);
    EXPECT_EQ(gain.num_fixed, gain.slice == "lowest fifth" ? 2u : 0u) << gain.trait << " " << gain.slice;
    EXPECT_EQ(gain.error_before, gain.slice == "lowest fifth" ? 1 : 0);
    EXPECT_EQ(gain.error_after, 0);
  }
  EXPECT_EQ(num_fifths, 20u);
}

TEST(SliceGains, ATableHasClassesAloneAndOnlyThoseWithExamples) {
  Dataset dataset = testing::table({1, 2}, {0, 1}, 3, {1, 2, 3}, {0, 2, 2});
  const TestRun before{1, 2.0 / 3, {0, 0, 0}}, after{1, 0, {0, 2, 2}};
  const auto gains = slice_gains({&before, 1}, {&after, 1}, dataset, Workers(1));
  ASSERT_EQ(gains.size(), 2u);  // class 1 has no test example
  EXPECT_EQ(gains[0].slice, "0");
  EXPECT_EQ(gains[0].num_fixed, 0u);
  EXPECT_EQ(gains[0].p_corrected, 1);
  EXPECT_EQ(gains[1].slice, "2");
  EXPECT_EQ(gains[1].num_fixed, 2u);
  EXPECT_EQ(gains[1].error_before, 1);
  EXPECT_NEAR(gains[1].p_mid, 0.25, 1e-12);  // 2 * 1/4 less 1/4
  EXPECT_NEAR(gains[1].p_corrected, 0.5, 1e-12);
}

}  // namespace
}  // namespace mash
