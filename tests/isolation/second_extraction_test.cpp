// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/second_extraction.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "framework/extractors/parameters.hpp"
#include "framework/isolation/box_layers.hpp"
#include "framework/isolation/isolated_host.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kNumImages = 100, kSide = 6;
constexpr mash_view_t kWholePicture{0, 0, kSide, kSide};
constexpr std::string_view kWhat[] = {"nothing", "order", "process", "clock", "address", "some-pictures"};

class SecondExtraction : public ::testing::TestWithParam<Isolation> {
 protected:
  void SetUp() override {
    if (GetParam() != Isolation::kBox) return;
    if (const Status status = check_box(); !status.ok()) GTEST_SKIP() << status.error().message;
  }

  // Extracts a heuristic whose features depend on that by one host, and again by another.
  Result<std::optional<Deviation>> found(const PluginFile& file, std::optional<double> choice = {}) {
    IsolatedHost host = new_host(), other = new_host();
    MASH_ASSIGN(const auto infos, host.describe(file));
    MASH_ASSIGN(auto values, parameter_values(infos[0], {}));
    if (choice) values[0] = *choice;
    MASH_ASSIGN(const auto instance, host.open(infos[0], values));
    MASH_ASSIGN(const std::uint32_t dim, instance->dim({kSide, kSide}));
    std::vector<float> first(kNumImages * dim);
    MASH_TRY(instance->extract(tile(), {}, first).status);
    MASH_ASSIGN(const auto again, other.open(infos[0], values));
    return find_deviation(*again, infos[0], tile(), first, 1);
  }
  Result<std::optional<Deviation>> found_of(const std::string& what) {
    const auto place = std::find(std::begin(kWhat), std::end(kWhat), what) - std::begin(kWhat);
    return found(*read_plugin_file(MASH_FICKLE), double(place));
  }

 private:
  static IsolatedHost new_host() {
    IsolationSettings settings;
    settings.isolation = GetParam();
    return {settings, no_remarks()};
  }
  // Picture n is grey, of value n.
  ImageTile tile() {
    for (std::size_t n = images_.size(); n < kNumImages; ++n) {
      samples_.emplace_back(kSide * kSide, std::uint8_t(n));
      const mash_plane_t plane{samples_.back().data(), kSide, 1};
      images_.push_back({sizeof(mash_image_t), 1, kSide, kSide, plane, plane, plane, plane});
    }
    return {images_, {&kWholePicture, 1}};
  }

  std::vector<std::vector<std::uint8_t>> samples_;
  std::vector<mash_image_t> images_;
};

TEST_P(SecondExtraction, IsEqualWherePicturesAloneCount) {
  const auto deviation = found_of("nothing");
  ASSERT_TRUE(deviation.ok()) << deviation.error().message;
  EXPECT_FALSE(deviation->has_value());
  const auto of_fourier = found(*read_plugin_file(testing::binary_folder() + "/heuristics/fourier.so"));
  ASSERT_TRUE(of_fourier.ok()) << of_fourier.error().message;
  EXPECT_FALSE(of_fourier->has_value());
}

TEST_P(SecondExtraction, FindsWhatElseFeaturesDependOn) {
  for (const char* what : {"order", "process", "clock", "address"}) {
    // In a box every process has the same number.
    if (GetParam() == Isolation::kBox && what == std::string("process")) continue;
    const auto deviation = found_of(what);
    ASSERT_TRUE(deviation.ok()) << deviation.error().message;
    ASSERT_TRUE(deviation->has_value()) << what;
    EXPECT_EQ((*deviation)->feature, 1u) << what;
    EXPECT_GT((*deviation)->num_values, kNumImages / 2) << what;
    EXPECT_LE((*deviation)->num_values, kNumImages) << what;
    EXPECT_EQ((*deviation)->first == (*deviation)->second, false);
  }
}

TEST_P(SecondExtraction, SaysWhichValueDiffersFirst) {
  const auto deviation = found_of("some-pictures");
  ASSERT_TRUE(deviation.ok()) << deviation.error().message;
  ASSERT_TRUE(deviation->has_value());
  EXPECT_EQ((*deviation)->num_values, 1u);
  EXPECT_EQ((*deviation)->image, 7u);
  EXPECT_EQ((*deviation)->first, 7 + 8) << "the eighth picture that it saw";
  EXPECT_THAT((*deviation)->describe(300),
              HasSubstr("1 of 300 values differ; the first: feature 1 of image 7 is 15 and then"));
}

INSTANTIATE_TEST_SUITE_P(Isolations, SecondExtraction,
                         ::testing::Values(Isolation::kProcess, Isolation::kBox),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace mash
