// SPDX-License-Identifier: Apache-2.0
// The classic interface: the facts that source written for the MASH SDK 1.x relies on.
#include <cstdlib>

#include "sdk/classic/mash/detail/default_names.h"
#include "sdk/classic/mash/image.h"
#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"
#include "tests/support/heard_remarks.hpp"

namespace mash {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::uint8_t> count_up(std::size_t num_pixels, std::uint8_t first = 0) {
  std::vector<std::uint8_t> pixels(num_pixels);
  for (std::size_t i = 0; i < num_pixels; ++i) pixels[i] = std::uint8_t(first + i);
  return pixels;
}

std::vector<float> extract(GuardedHeuristic& heuristic, const TestImage& image, std::size_t dim,
                           std::span<const std::uint32_t> indices = {}) {
  std::vector<float> out(indices.empty() ? dim : indices.size());
  EXPECT_EQ(message_of(heuristic.prepare(image.abi(), image.whole())), "");
  EXPECT_EQ(message_of(heuristic.compute(indices, out)), "");
  EXPECT_EQ(message_of(heuristic.release()), "");
  return out;
}

TEST(ClassicImage, HasBuffersAndLinesOfTheFormatsThatWereAdded) {
  Mash::Image image(3, 2, 4);
  EXPECT_EQ(image.pixelFormats(), 0u);
  EXPECT_EQ(image.grayBuffer(), nullptr);
  EXPECT_EQ(image.rgbLines(), nullptr);
  image.addPixelFormats(Mash::Image::PIXELFORMAT_GRAY);
  image.grayLines()[1][2] = 9;
  image.addPixelFormats(Mash::Image::PIXELFORMAT_ALL);
  EXPECT_EQ(image.grayBuffer()[5], 9) << "adding again changes nothing";
  EXPECT_TRUE(image.hasPixelFormat(Mash::Image::PIXELFORMAT_RGB));
  EXPECT_EQ(image.pixelFormats(), 3u);
  EXPECT_EQ(&image.rgbLines()[1][0], image.rgbBuffer() + 3);
  EXPECT_EQ(sizeof(Mash::RGBPixel_t), 3u);
}

TEST(ClassicImage, CopiesPixelsAndView) {
  Mash::Image image(2, 2, 7);
  image.addPixelFormats(Mash::Image::PIXELFORMAT_RGB);
  image.rgbBuffer()[3].b = 200;
  const std::unique_ptr<Mash::Image> copy(image.copy());
  image.rgbBuffer()[3].b = 1;
  EXPECT_EQ(copy->rgbLines()[1][1].b, 200);
  EXPECT_EQ(copy->view(), 7u);
  EXPECT_FALSE(copy->hasPixelFormat(Mash::Image::PIXELFORMAT_GRAY));
  copy->setView(2);
  EXPECT_EQ(copy->view(), 2u);
}

TEST(ClassicNames, ComeFromTheFile) {
  const auto names = [](const char* file) {
    const Mash::sdk_detail::DefaultNames names(file);
    return fmt::format("{} {}", names.id, names.version);
  };
  EXPECT_EQ(names("dir/Edge_Map_v3.cpp"), "edge-map 3.0.0");
  EXPECT_EQ(names("haar.cc"), "haar 1.0.0");
  EXPECT_EQ(names("/a.b/my_vec.cpp"), "my-vec 1.0.0");
  EXPECT_EQ(names("_x_v.cpp"), "x-v 1.0.0");
  EXPECT_EQ(names("___.cpp"), "classic-heuristic 1.0.0");
  EXPECT_EQ(names(std::string(500, 'a').c_str()).size(), 127u + 6u);
}

TEST(Classic, TheRegionOfInterestIsTheLargestCentredOddSquare) {
  const auto probe = open_guarded("test_classic_probe", {1});
  ASSERT_EQ(message_of(probe), "");
  EXPECT_EQ(*(*probe)->dim({5, 5}), 18u);
  EXPECT_EQ(*(*probe)->dim({4, 4}), 17u);
  // 6x4 pixels count from 0: the square of side 3 is cut from x = 1, y = 0; its centre is pixel 2 + 1 * 6.
  const TestImage wide(6, 4, 1, count_up(24));
  const auto features = extract(**probe, wide, 17);
  EXPECT_EQ(features[2], 1) << "roi_extent";
  EXPECT_EQ(features[3], 101) << "coordinates";
  EXPECT_EQ(features[4], 303) << "image size";
  EXPECT_EQ(features[11], 8);
  EXPECT_EQ(features[12], 8) << "grey is replicated";
  EXPECT_EQ(features[13], 1) << "first pixel of the square";
  EXPECT_EQ(features[14], 3) << "both formats";
}

TEST(Classic, GreyIsTheOriginalsConversion) {
  const auto probe = open_guarded("test_classic_probe", {1});
  const TestImage color(1, 1, 3, {200, 100, 50});
  const auto features = extract(**probe, color, 16);
  EXPECT_EQ(features[11], 126);  // (11 * 200 + 16 * 100 + 5 * 50) >> 5 = 4050 >> 5
  EXPECT_EQ(features[12], 100);
  EXPECT_EQ(features[13], 50);
}

TEST(Classic, CallsComeInTheOldOrder) {
  const auto probe = open_guarded("test_classic_probe", {1});
  const TestImage image(3, 3, 1, count_up(9));
  EXPECT_EQ(extract(**probe, image, 17)[6], 0);
  const auto second = extract(**probe, image, 17);
  EXPECT_EQ(second[0], 0) << "nb_views is not set in the constructor";
  EXPECT_EQ(second[1], 1);
  EXPECT_EQ(second[5], 123) << "sequence, image, coordinates";
  EXPECT_EQ(second[6], 456) << "finish: coordinates, image, sequence";
}

TEST(Classic, SeedsLibcsGeneratorsBeforeEveryCall) {
  for (const unsigned seed : {1u, 77u}) {
    const auto probe = open_guarded("test_classic_probe", {double(seed)});
    const TestImage image(3, 3, 1, count_up(9));
    std::srand(12345);
    const auto features = extract(**probe, image, 17);
    std::srand(seed);
    ::srand48(long(seed));
    EXPECT_EQ(features[7], float(std::rand() % 10007)) << "rand() in init";
    EXPECT_EQ(features[8], float(::drand48()));
    std::srand(unsigned(std::rand()));  // the next seed, for prepareForSequence, which draws nothing
    std::srand(unsigned(std::rand()));  // for prepareForImage
    EXPECT_EQ(features[9], float(std::rand() % 10007));
    std::srand(unsigned(std::rand()));       // for prepareForCoordinates
    std::srand(unsigned(std::rand()) + 10);  // for computeFeature(10)
    EXPECT_EQ(features[10], float(std::rand() % 10007));
  }
}

// The host asks for any features in any order, of any images before: none of it may change a value.
TEST(Classic, FeaturesDependOnThePictureAlone) {
  const TestImage first(3, 3, 1, count_up(9)), second(3, 3, 1, count_up(9, 100));
  const auto alone = open_guarded("test_classic_probe", {5});
  const auto expected = extract(**alone, second, 17);
  const auto busy = open_guarded("test_classic_probe", {5});
  extract(**busy, first, 17);
  extract(**busy, second, 17);
  std::srand(99);
  const std::vector<std::uint32_t> order = {10, 9, 8, 7, 10};
  EXPECT_THAT(extract(**busy, second, 17, order),
              ElementsAre(expected[10], expected[9], expected[8], expected[7], expected[10]));
}

TEST(Classic, WritesToTheImageStayWithTheHeuristic) {
  const auto probe = open_guarded("test_classic_probe", {1});
  const TestImage image(3, 3, 1, count_up(9));
  const std::vector<std::uint32_t> order = {11, 15, 11};
  EXPECT_THAT(extract(**probe, image, 17, order), ElementsAre(4, 0, 0));
  EXPECT_THAT(extract(**probe, image, 17, order), ElementsAre(4, 0, 0)) << "a fresh copy each time";
}

TEST(Classic, ExceptionsBecomeErrors) {
  const auto probe = open_guarded("test_classic_probe", {1});
  EXPECT_THAT(message_of((*probe)->dim({13, 13})), HasSubstr("dim: not for views of 13 pixels"));
  const TestImage bad(3, 3, 1, count_up(9, 13));
  ASSERT_TRUE((*probe)->prepare(bad.abi(), bad.whole()).ok());
  const std::vector<std::uint32_t> last = {16};
  std::vector<float> out(1);
  EXPECT_THAT(message_of((*probe)->compute(last, out)), HasSubstr("compute: a picture that starts with 13"));
  EXPECT_TRUE((*probe)->release().ok());
}

TEST(Classic, TerminateIsCalledAtTheEndAndMayThrow) {
  ::unsetenv("MASH_TEST_TERMINATED");
  auto probe = open_guarded("test_classic_probe", {1});
  ASSERT_TRUE((*probe)->dim({3, 3}).ok());
  EXPECT_EQ(std::getenv("MASH_TEST_TERMINATED"), nullptr);
  probe->reset();
  EXPECT_NE(std::getenv("MASH_TEST_TERMINATED"), nullptr);
}

TEST(Classic, IsSerialAndHasASeed) {
  const Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  EXPECT_TRUE(catalogue.refused().empty());
  const auto info = catalogue.find("test/classic-probe");
  ASSERT_TRUE(info.ok());
  EXPECT_TRUE((*info)->serial);
  EXPECT_EQ((*info)->parameters[0].id, "seed");
  EXPECT_TRUE(catalogue.find("test/classic-two-files").ok());
}

TEST(ClassicSimple, ComputesOverTheWholeImageAndLogs) {
  testing::HeardRemarks remarks;
  const auto simple = open_guarded("test_classic_simple", {1}, remarks);
  const TestImage image(3, 3, 1, count_up(9));
  EXPECT_THAT(extract(**simple, image, 3), ElementsAre(1, 8, 1));
  EXPECT_THAT(extract(**simple, image, 3), ElementsAre(1, 8, 1)) << "each picture is a sequence of its own";
  EXPECT_THAT(remarks.told, Contains("test/classic-simple: ready after 1x"));
  EXPECT_THAT(remarks.told, Contains("test/classic-simple: image input: 3x3"));
  EXPECT_THAT(remarks.warnings, IsEmpty());
}

}  // namespace
}  // namespace mash
