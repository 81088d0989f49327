// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/best_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::World;

constexpr std::uint32_t kHeight = 3;
constexpr float kConstant = -std::numeric_limits<float>::infinity();

// Numbered images of 4 x 3 pixels: the number, then a constant pixel, one that tells the class, and noise.
Dataset small_pictures(std::size_t num_train, std::size_t num_classes) {
  Dataset dataset = testing::numbered_images(testing::random_labels(num_train, num_classes, 1),
                                             testing::random_labels(10, num_classes, 2), num_classes);
  RandomStream stream(3, "test.pixels");
  for (Split* split : {&dataset.train, &dataset.test}) {
    PixelArray pixels;
    for (std::size_t n = 0; n < split->num_examples; ++n) {
      pixels.insert(pixels.end(), &split->pixels[4 * n], &split->pixels[4 * n] + 4);
      pixels.insert(pixels.end(), {7, std::uint8_t(255 - 40 * split->labels[n])});
      for (int i = 0; i < 6; ++i) pixels.push_back(std::uint8_t(stream.below(256)));
    }
    split->pixels = std::move(pixels);
  }
  dataset.shape = {4, kHeight, 1};
  return dataset;
}

// Family "a": the class with less and less noise; "b": the class itself, and a constant.
World small_world(std::size_t num_train = 200, std::size_t num_classes = 3) {
  Dataset dataset = small_pictures(num_train, num_classes);
  const auto label = [labels = dataset.train.labels](std::uint32_t n) {
    return n < labels.size() ? float(labels[n]) : 0.f;
  };
  return World(std::move(dataset),
               {{"a", 5,
                 [label](std::uint32_t n, std::uint32_t j) {
                   const double noise = RandomStream(4, "test.noise", n * 8 + j).normal();
                   return label(n) + float((5.0 - j) * noise);
                 }},
                {"b", 2, [label](std::uint32_t n, std::uint32_t j) { return j == 0 ? label(n) : 1.f; }}});
}

const std::vector<std::size_t> kBoth{0, 1};

// The edge of "code >= cut" on class-balanced weights.
double edge_of(const World& world, std::uint32_t feature, std::uint32_t cut) {
  const auto& labels = world.dataset.train.labels;
  const std::size_t num_classes = world.dataset.num_classes();
  const FeatureColumn column = world.features().column(Side::kTrain, feature);
  double edge = 0;
  for (std::size_t l = 0; l < num_classes; ++l) {
    const auto own = double(std::count(labels.begin(), labels.end(), l));
    const double others = double(labels.size()) - own;
    double sum = 0;
    for (std::size_t n = 0; n < labels.size(); ++n)
      sum += (column.codes[n] >= cut ? 1 : -1) * (labels[n] == l ? 1 / own : -1 / others);
    edge += std::abs(sum) / (2 * double(num_classes));
  }
  return edge;
}

double best_edge_of(const World& world, std::uint32_t feature) {
  double best = 0;
  for (std::uint32_t cut = 0; cut <= world.features().num_cuts(feature); ++cut)
    best = std::max(best, edge_of(world, feature, cut));
  return best;
}

TEST(BestFeatures, WithoutWinsHaveTheLargestEdges) {
  const World world = small_world();
  const auto best = best_features(world.features(), kBoth, world.dataset, {}, 10, world.workers);
  ASSERT_EQ(best.size(), 7u);
  std::vector<std::pair<double, std::uint32_t>> expected;  // less is better
  for (std::uint32_t feature = 0; feature < 7; ++feature)
    expected.emplace_back(-best_edge_of(world, feature), feature);
  std::sort(expected.begin(), expected.end());
  for (std::size_t i = 0; i < best.size(); ++i) {
    const std::uint32_t feature = world.features().first_feature(best[i].family_idx) + best[i].feature;
    EXPECT_EQ(feature, expected[i].second);
    EXPECT_NEAR(best[i].edge, -expected[i].first, 1e-12);
    std::uint32_t cut = 0;
    while (cut < world.features().num_cuts(feature) &&
           world.features().threshold(feature, cut + 1) <= best[i].threshold)
      ++cut;
    EXPECT_NEAR(edge_of(world, feature, cut), best[i].edge, 1e-12);
  }
  EXPECT_EQ(best[0].family_idx, 1u);
  EXPECT_EQ(best[0].feature, 0u);
  EXPECT_EQ(best[6].family_idx, 1u);  // a constant tells nothing
  EXPECT_NEAR(best[6].edge, 0, 1e-12);
  EXPECT_EQ(best[6].threshold, kConstant);
}

TEST(BestFeatures, AreOfTheFamiliesThatAreAskedFor) {
  const World world = small_world();
  const std::vector<std::size_t> first{0};
  const auto best = best_features(world.features(), first, world.dataset, {}, 3, world.workers);
  ASSERT_EQ(best.size(), 3u);
  for (const BestFeature& feature : best) EXPECT_EQ(feature.family_idx, 0u);
  EXPECT_EQ(best[0].feature, 4u);  // the least noise
  EXPECT_TRUE(best_features(world.features(), {}, world.dataset, {}, 3, world.workers).empty());
}

TEST(BestFeatures, OfEqualEdgesTheLowestPlaceComesFirst) {
  const World world(testing::numbered_images({0, 1, 0, 1}, {0}, 2),
                    {{"a", 3, [](std::uint32_t n, std::uint32_t) { return float(n % 2); }}});
  const std::vector<std::size_t> first{0};
  const auto best = best_features(world.features(), first, world.dataset, {}, 2, world.workers);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].feature, 0u);
  EXPECT_EQ(best[1].feature, 1u);
  EXPECT_NEAR(best[0].edge, 1, 1e-12);
  EXPECT_GT(best[0].threshold, 0);
  EXPECT_LE(best[0].threshold, 1);
}

TEST(BestFeatures, HistogramsCountEveryTrainingExample) {
  const World world = small_world();
  const auto& labels = world.dataset.train.labels;
  for (const BestFeature& best :
       best_features(world.features(), kBoth, world.dataset, {}, 10, world.workers)) {
    const std::uint32_t feature = world.features().first_feature(best.family_idx) + best.feature;
    const std::uint32_t num_codes = world.features().num_cuts(feature) + 1;
    const FeatureColumn column = world.features().column(Side::kTrain, feature);
    ASSERT_EQ(best.histograms.size(), 3u);
    for (std::size_t l = 0; l < 3; ++l) {
      ASSERT_EQ(best.histograms[l].size(), kHistogramBins);
      EXPECT_EQ(std::accumulate(best.histograms[l].begin(), best.histograms[l].end(), 0),
                std::count(labels.begin(), labels.end(), l));
      for (std::size_t bin = 0; bin < kHistogramBins; ++bin) {
        std::uint32_t count = 0;
        for (std::size_t n = 0; n < labels.size(); ++n)
          count += labels[n] == l &&
                   std::size_t(std::floor(double(column.codes[n]) * kHistogramBins / num_codes)) == bin;
        EXPECT_EQ(best.histograms[l][bin], count);
      }
    }
  }
}

// Pearson's correlation as it is written down.
double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = double(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / count,
               mean_y = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return xx > 1e-9 && yy > 1e-9 ? xy / std::sqrt(xx * yy) : 0;
}

TEST(BestFeatures, PixelsCorrelateWithTheCode) {
  for (const std::size_t num_train : {200u, 2500u}) {
    const World world = small_world(num_train);
    const auto best = best_features(world.features(), kBoth, world.dataset, {}, 10, world.workers);
    ASSERT_EQ(best.size(), 7u);
    const std::size_t num_images = std::min<std::size_t>(num_train, 2000);
    for (const BestFeature& feature : best) {
      ASSERT_EQ(feature.pixels.size(), cv::Size(4, kHeight));
      ASSERT_EQ(feature.pixels.type(), CV_32F);
      const FeatureColumn column = world.features().column(
          Side::kTrain, world.features().first_feature(feature.family_idx) + feature.feature);
      for (std::size_t p = 0; p < 12; ++p) {
        std::vector<double> codes, greys;
        for (std::size_t i = 0; i < num_images; ++i) {
          const std::size_t n = i * num_train / num_images;
          codes.push_back(column.codes[n]);
          greys.push_back(world.dataset.train.pixels[12 * n + p]);
        }
        EXPECT_NEAR(feature.pixels.at<float>(int(p / 4), int(p % 4)), correlation(codes, greys), 1e-6);
      }
      EXPECT_EQ(feature.pixels.at<float>(1, 0), 0);  // the constant pixel
    }
    EXPECT_NEAR(best[0].pixels.at<float>(1, 1), -1, 1e-6);  // the pixel is darker, the higher the class
    EXPECT_EQ(cv::norm(best[6].pixels), 0);                 // the constant feature
  }
}

TEST(BestFeatures, ColourPicturesAreGrey) {
  Dataset dataset;
  dataset.name = dataset.fingerprint = "colour";
  dataset.class_names = {"0", "1"};
  dataset.shape = {4, 1, 3};
  for (Split* split : {&dataset.train, &dataset.test})
    for (std::uint8_t n = 0; n < 40; ++n) {
      split->pixels.insert(split->pixels.end(), {0, 0, std::uint8_t(6 * n), 0, 0, 0, 0, 0, 0, 0, 0, 0});
      split->labels.push_back(n % 2);
      split->num_examples = split->labels.size();
    }
  // The second pixel's red goes up as its green goes down, so that its grey value stays: 11 * 16 = 16 * 11.
  for (std::size_t n = 0; n < 40; ++n) {
    dataset.train.pixels[12 * n + 3] = std::uint8_t(16 * (n % 8));
    dataset.train.pixels[12 * n + 4] = std::uint8_t(11 * (8 - n % 8));
  }
  const World world(dataset, {{"a", 1, [](std::uint32_t first_pixels, std::uint32_t) {
                                 return float(first_pixels & 0xff);  // the grey value of the first pixel
                               }}});
  const std::vector<std::size_t> first{0};
  const auto best = best_features(world.features(), first, world.dataset, {}, 1, world.workers);
  ASSERT_EQ(best.size(), 1u);
  EXPECT_GT(best[0].pixels.at<float>(0, 0), 0.99);
  EXPECT_EQ(best[0].pixels.at<float>(0, 1), 0);
}

TEST(BestFeatures, ThoseThatWonMostComeFirst) {
  const World world = small_world();
  const std::vector<std::uint32_t> wins{0, 2, 5, 0, 0, 2, 0};  // five of "a", two of "b"
  const auto best = best_features(world.features(), kBoth, world.dataset, wins, 4, world.workers);
  ASSERT_EQ(best.size(), 4u);
  EXPECT_EQ(best[0].feature, 2u);
  EXPECT_EQ(best[0].num_wins, 5u);
  EXPECT_EQ(best[1].family_idx, 1u) << "as many wins as the next, and the larger edge";
  EXPECT_EQ(best[2].feature, 1u);
  EXPECT_EQ(best[2].num_wins, 2u);
  EXPECT_EQ(best[3].feature, 4u) << "of those without a win the one with the largest edge";
  EXPECT_EQ(best[3].num_wins, 0u);
}

TEST(BestFeatures, ATableHasNoPixels) {
  const World world(testing::learnable_table(300, 6, 3, 1));
  const std::vector<std::size_t> first{0};
  const auto best = best_features(world.features(), first, world.dataset, {}, 2, world.workers);
  ASSERT_EQ(best.size(), 2u);
  for (const BestFeature& feature : best) {
    EXPECT_EQ(feature.feature % 3, 0u);  // the columns that know something
    EXPECT_TRUE(feature.pixels.empty());
  }
}

TEST(BestFeatures, OneClassIsToldFromNothing) {
  const World world = small_world(50, 1);
  const auto best = best_features(world.features(), kBoth, world.dataset, {}, 3, world.workers);
  ASSERT_EQ(best.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(best[i].feature, i);
    EXPECT_EQ(best[i].threshold, kConstant);
    EXPECT_EQ(std::accumulate(best[i].histograms[0].begin(), best[i].histograms[0].end(), 0), 50);
  }
}

TEST(BestFeatures, OfALazyFamilyThoseThatWon) {
  World world = small_world();
  const auto stored = best_features(world.features(), kBoth, world.dataset, {}, 10, world.workers);
  const StoreSettings nothing{world.folder / "lazy", 0, false, false};
  const auto features = FeatureSet::open(world.specs, nothing, world.context());
  ASSERT_TRUE(features.ok());
  ASSERT_TRUE(features->families()[0].lazy);
  world.host.forget_images();
  EXPECT_TRUE(best_features(*features, kBoth, world.dataset, {}, 10, world.workers).empty());
  EXPECT_EQ(world.host.num_images, 0u);  // not an image is looked at

  const std::vector<std::uint32_t> wins{0, 0, 0, 0, 1, 1, 0};
  const auto best = best_features(*features, kBoth, world.dataset, wins, 10, world.workers);
  ASSERT_EQ(best.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(best[i].family_idx, stored[i].family_idx);
    EXPECT_EQ(best[i].feature, stored[i].feature);
    EXPECT_EQ(best[i].edge, stored[i].edge);
    EXPECT_EQ(best[i].threshold, stored[i].threshold);
    EXPECT_EQ(best[i].histograms, stored[i].histograms);
    EXPECT_EQ(cv::norm(best[i].pixels - stored[i].pixels), 0);
    EXPECT_EQ(best[i].num_wins, 1u);
  }
}

TEST(BestFeatures, ThreadsDoNotMatter) {
  const World world = small_world();
  const auto one = best_features(world.features(), kBoth, world.dataset, {}, 10, Workers(1)),
             three = best_features(world.features(), kBoth, world.dataset, {}, 10, Workers(3));
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].feature, three[i].feature);
    EXPECT_EQ(one[i].edge, three[i].edge);
    EXPECT_EQ(cv::norm(one[i].pixels - three[i].pixels), 0);
  }
}

}  // namespace
}  // namespace mash
