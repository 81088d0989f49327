// SPDX-License-Identifier: Apache-2.0
// A tile whose images are seen through different views.
#include <gmock/gmock.h>

#include "framework/extractors/in_process_host.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/isolation/isolated_host.hpp"
#include "framework/isolation/second_extraction.hpp"
#include "tests/support/box.hpp"
#include "tests/support/film.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

constexpr ImageShape kSeen{12, 10, 1};
constexpr mash_size_t kWindow{8, 7};
constexpr std::size_t kNumSeen = 9;

class Views : public ::testing::TestWithParam<Isolation> {
 protected:
  Views() {
    for (std::uint32_t n = 0; n < kNumSeen; ++n) {
      const mash_plane_t plane{split_.image(n, kSeen).data(), kSeen.width, 1};
      images_.push_back({sizeof(mash_image_t), 1, kSeen.width, kSeen.height, plane, plane, plane, plane});
      views_.push_back({n % 5, (n * 2) % 4, kWindow.width, kWindow.height});
      frames_.push_back({split_.frames[n].place, 0, 0});
    }
  }
  void SetUp() override {
    if (GetParam() == Isolation::kBox && !testing::has_box()) GTEST_SKIP() << testing::kNoBox;
  }
  std::unique_ptr<HeuristicInstance> open(const std::filesystem::path& plugin) {
    IsolationSettings settings;
    settings.isolation = GetParam();
    if (GetParam() == Isolation::kNone) {
      hosts_.push_back(std::make_unique<InProcessHost>(no_remarks()));
    } else {
      hosts_.push_back(std::make_unique<IsolatedHost>(settings, no_remarks()));
    }
    info_ = describe_in_process(*read_plugin_file(plugin))->front();
    auto opened = hosts_.back()->open(info_, *parameter_values(info_, {}));
    EXPECT_TRUE(opened.ok());
    return *std::move(opened);
  }
  static std::filesystem::path built(const char* name) {
    return std::filesystem::path(testing::binary_folder()) / "heuristics" / name;
  }

  Split split_ = testing::films({kNumSeen}, kSeen, 1);
  std::vector<mash_image_t> images_;
  std::vector<mash_view_t> views_;
  std::vector<mash_frame_t> frames_;
  HeuristicInfo info_;  // of the one opened last
  std::vector<std::unique_ptr<HeuristicHost>> hosts_;
};

TEST_P(Views, GiveTheValuesOfOneCallAnImage) {
  for (const char* name : {"identity.so", "hog.so"}) {
    const auto instance = open(built(name));
    const std::size_t dim = *instance->dim(kWindow);
    std::vector<float> together(kNumSeen * dim), apart(kNumSeen * dim);
    ASSERT_TRUE(instance->extract({images_, views_}, {}, together).status.ok());
    for (std::size_t n = 0; n < kNumSeen; ++n)
      ASSERT_TRUE(instance->extract(images_[n], views_[n], {}, std::span(apart).subspan(n * dim, dim)).ok());
    EXPECT_EQ(together, apart) << name;
    // From the middle of the tile on, and as single pieces.
    const ImageTile rest = ImageTile{images_, views_}.from(4, 0);
    std::vector<float> values(rest.num_wanted() * dim);
    ASSERT_TRUE(instance->extract(rest, {}, values).status.ok());
    EXPECT_EQ(values, std::vector<float>(apart.begin() + std::ptrdiff_t(4 * dim), apart.end())) << name;
    const std::uint32_t feature = std::uint32_t(dim - 1);
    float value = -7;
    ASSERT_TRUE(
        instance->begin_image({std::span(images_).subspan(6, 1), std::span(views_).subspan(6, 1)}).ok());
    ASSERT_TRUE(instance->more({&feature, 1}, {&value, 1}).ok());
    ASSERT_TRUE(instance->end_image().ok());
    EXPECT_EQ(value, apart[6 * dim + feature]) << name;
  }
}

// The film's features are first pixels of views: of the image's own and of those before it.
TEST_P(Views, BelongToTheImagesThatAreOnlyShownToo) {
  const auto pixel = [&](std::size_t n) {
    return float(split_.image(n, kSeen)[views_[n].y * kSeen.width + views_[n].x]);
  };
  const auto instance = open(MASH_FILM);
  const ImageTile tile = ImageTile{images_, views_, {}, frames_}.from(5, info_.looks_back);
  ASSERT_EQ(tile.num_shown, 3u);
  const std::size_t dim = *instance->dim(kWindow);
  std::vector<float> values(tile.num_wanted() * dim);
  ASSERT_TRUE(instance->extract(tile, {}, values).status.ok());
  for (std::size_t n = 5; n < kNumSeen; ++n)
    for (std::size_t k = 0; k <= 3; ++k)
      EXPECT_EQ(values[(n - 5) * dim + k], pixel(n - k)) << "image " << n << ", " << k << " before";
}

TEST_P(Views, OfAnotherNumberThanTheImagesAreRefused) {
  const auto instance = open(built("identity.so"));
  std::vector<float> values(kNumSeen * *instance->dim(kWindow));
  for (const std::size_t count : {0u, 2u, 8u}) {
    const ImageTile tile{images_, std::span(views_).first(count)};
    const TileResult result = instance->extract(tile, {}, values);
    EXPECT_EQ(result.num_done, 0u);
    ASSERT_FALSE(result.status.ok());
    EXPECT_EQ(result.status.error().kind, ErrorKind::kFailure);
    EXPECT_EQ(result.status.error().message,
              fmt::format("extract: found {} views of 9 images, expected one, or one an image", count));
  }
  const Status begun = instance->begin_image({{&images_[0], 1}, views_});
  ASSERT_FALSE(begun.ok());
  EXPECT_THAT(begun.error().message, HasSubstr("begin_image: found 9 views of 1 images"));
  EXPECT_TRUE(instance->extract({images_, views_}, {}, values).status.ok()) << "it is still usable";
}

TEST_P(Views, OutsideTheirImageAreRefusedAtThatImage) {
  const auto instance = open(built("identity.so"));
  const std::size_t dim = *instance->dim(kWindow);
  std::vector<float> values(kNumSeen * dim);
  views_[4].x = kSeen.width - kWindow.width + 1;
  const TileResult result = instance->extract({images_, views_}, {}, values);
  EXPECT_EQ(result.num_done, 4u);
  ASSERT_FALSE(result.status.ok());
  EXPECT_THAT(result.status.error().message, HasSubstr("is not within the image"));
}

TEST_P(Views, AreThoseOfTheSameImagesInASecondExtraction) {
  const auto instance = open(built("identity.so")), again = open(built("identity.so"));
  for (const bool is_film : {false, true}) {
    const ImageTile tile{images_,
                         views_,
                         {},
                         is_film ? std::span<const mash_frame_t>(frames_) : std::span<const mash_frame_t>()};
    std::vector<float> values(kNumSeen * *instance->dim(kWindow));
    ASSERT_TRUE(instance->extract(tile, {}, values).status.ok());
    const auto deviation = find_deviation(*again, info_, tile, values, 1);
    ASSERT_TRUE(deviation.ok()) << deviation.error().message;
    EXPECT_FALSE(deviation->has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(Isolations, Views,
                         ::testing::Values(Isolation::kNone, Isolation::kProcess, Isolation::kBox),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace mash
