// SPDX-License-Identifier: Apache-2.0
// The classic interface: the facts that source written for the MASH SDK 1.x relies on.
#include <algorithm>
#include <cstdlib>

#include "mash/abi/whole_image.h"
#include "sdk/classic/mash/detail/default_names.h"
#include "sdk/classic/mash/image.h"
#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"
#include "tests/support/heard_remarks.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

TEST(ClassicImage, HasOneOfSeveralFormats) {
  Mash::Image image(2, 2);
  image.addPixelFormats(Mash::Image::PIXELFORMAT_GRAY);
  EXPECT_TRUE(image.hasPixelFormat(Mash::Image::PIXELFORMAT_ALL));
  EXPECT_FALSE(image.hasPixelFormat(Mash::Image::PIXELFORMAT_RGB));
}

TEST(ClassicNames, ComeFromFolderAndFile) {
  const auto names = [](const char* file) {
    const Mash::sdk_detail::DefaultNames names(file);
    return fmt::format("{} {} {}", names.id, names.version, names.author);
  };
  EXPECT_EQ(names("home/Alice B/Edge_Map_v3.cpp"), "alice-b/edge-map-v3 3.0.0 alice-b");
  EXPECT_EQ(names("bob/edge_map_v3.cpp"), "bob/edge-map-v3 3.0.0 bob");
  EXPECT_EQ(names("haar.cc"), "unknown/haar 1.0.0 unknown") << "never the id of a heuristic of MASH's own";
  EXPECT_EQ(names("/a.b/my_vec.cpp"), "a-b/my-vec 1.0.0 a-b");
  EXPECT_EQ(names("/_x_v.cpp"), "unknown/x-v 1.0.0 unknown");
  EXPECT_EQ(names("../___.cpp"), "unknown/heuristic 1.0.0 unknown");
  EXPECT_EQ(std::string_view(Mash::sdk_detail::DefaultNames(std::string(500, 'a')).id).size(), 8u + 63u);
}

// The settings of a classic heuristic.
std::vector<double> settings(double seed, double fit = 0, double extent = 0) { return {seed, fit, extent}; }

TEST(Classic, SeesTheWholePictureWithACentredSquareOfOddSide) {
  const auto probe = open_guarded("test_classic_probe", settings(1));
  ASSERT_EQ(message_of(probe), "");
  EXPECT_EQ(*(*probe)->dim({5, 5}), 19u);
  EXPECT_EQ(*(*probe)->dim({4, 4}), 18u);
  // 6x4 pixels count from 0: the square of side 3 has its corner at x = 1, y = 0, its centre is pixel 2 + 1
  // * 6.
  const TestImage wide(6, 4, 1, count_up(24));
  const auto features = extract(**probe, wide, 18);
  EXPECT_EQ(features[2], 1) << "roi_extent";
  EXPECT_EQ(features[3], 201) << "coordinates";
  EXPECT_EQ(features[4], 604) << "image size";
  EXPECT_EQ(features[11], 8);
  EXPECT_EQ(features[12], 8) << "grey is replicated";
  EXPECT_EQ(features[13], 0) << "first pixel of the picture";
  EXPECT_EQ(features[14], 3) << "both formats";
}

TEST(Classic, SeesThePictureAroundAView) {
  const auto probe = open_guarded("test_classic_probe", settings(1));
  const TestImage image(6, 4, 1, count_up(24));
  std::vector<float> out(18);
  ASSERT_EQ(message_of((*probe)->prepare(image.abi(), {3, 1, 3, 3})), "");
  ASSERT_EQ(message_of((*probe)->compute({}, out)), "");
  ASSERT_TRUE((*probe)->release().ok());
  EXPECT_EQ(out[3], 402) << "coordinates";
  EXPECT_EQ(out[4], 604) << "image size";
  EXPECT_EQ(out[11], 16);
}

TEST(Classic, TheRegionMayBeSmallerThanTheView) {
  const auto probe = open_guarded("test_classic_probe", settings(1, 0, 1));
  const TestImage image(7, 5, 1, count_up(35));
  const auto features = extract(**probe, image, 18);
  EXPECT_EQ(features[2], 1);
  EXPECT_EQ(features[3], 302);
  EXPECT_THAT(message_of((*probe)->dim({2, 9})), HasSubstr("unsupported: the view is smaller"));
}

TEST(Classic, PadsToASquareWithBlack) {
  const auto probe = open_guarded("test_classic_probe", settings(1, 1));
  const TestImage image(4, 3, 1, count_up(12, 10));
  const auto features = extract(**probe, image, 19);  // 5x5: left 0, top 1
  EXPECT_EQ(features[4], 505);
  EXPECT_EQ(features[3], 202);
  EXPECT_EQ(features[11], 16) << "pixel 2 of the second row, not scaled";
  EXPECT_EQ(features[13], 0) << "black above";
}

TEST(Classic, ScalesToTheRegionByTheMeanOfWhatAPixelCovers) {
  const auto probe = open_guarded("test_classic_probe", settings(1, 1, 1));
  // 6x4 pixels become 3x2: each is the mean of 2x2. The centre is that of columns 2 and 3, rows 2 and 3,
  // where the two rows stand at the top of the 3x3.
  std::vector<std::uint8_t> pixels(24, 100);
  pixels[2 * 6 + 2] = 110;
  pixels[3 * 6 + 3] = 111;
  const auto features = extract(**probe, TestImage(6, 4, 1, pixels), 18);
  EXPECT_EQ(features[4], 303);
  EXPECT_EQ(features[11], 105);
  EXPECT_EQ(features[13], 100);
}

TEST(Classic, GreyIsTheOriginalsConversion) {
  for (const double fit : {0., 1.}) {
    const auto probe = open_guarded("test_classic_probe", settings(1, fit));
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < 9; ++i) pixels.insert(pixels.end(), {200, 100, 50});
    const auto features = extract(**probe, TestImage(3, 3, 3, pixels), 18);
    EXPECT_EQ(features[11], 126);  // (11 * 200 + 16 * 100 + 5 * 50) >> 5 = 4050 >> 5
    EXPECT_EQ(features[12], 100);
    EXPECT_EQ(features[13], 50);
  }
}

TEST(Classic, SizesWithoutARegionWithoutFeaturesOrWithoutMemoryAreUnsupported) {
  const auto probe = open_guarded("test_classic_probe", settings(1));
  EXPECT_THAT(message_of((*probe)->dim({1, 1})), HasSubstr("unsupported: a region of interest has at least"));
  EXPECT_THAT(message_of((*probe)->dim({2, 40})), HasSubstr("unsupported"));
  EXPECT_THAT(message_of((*probe)->dim({15, 15})), HasSubstr("unsupported: it has no features"));
  EXPECT_THAT(message_of((*probe)->dim({17, 17})), HasSubstr("unsupported: it cannot get the memory"));
  EXPECT_EQ(*(*probe)->dim({3, 3}), 18u) << "and works on others";
}

TEST(Classic, CallsComeInTheOldOrder) {
  const auto probe = open_guarded("test_classic_probe", settings(1));
  const TestImage image(3, 3, 1, count_up(9));
  EXPECT_EQ(extract(**probe, image, 18)[6], 0);
  const auto second = extract(**probe, image, 18);
  EXPECT_EQ(second[0], 0) << "nb_views is not set in the constructor";
  EXPECT_EQ(second[1], 1);
  EXPECT_EQ(second[5], 123) << "sequence, image, coordinates";
  EXPECT_EQ(second[6], 456) << "finish: coordinates, image, sequence";
}

// One call after the other takes the seed that rand() gives after the one before it; dim comes right after
// init.
TEST(Classic, SeedsLibcsGeneratorsBeforeEveryCall) {
  for (const unsigned seed : {1u, 77u}) {
    const auto probe = open_guarded("test_classic_probe", settings(seed));
    const TestImage image(5, 5, 1, count_up(25));
    const auto features = extract(**probe, image, 19);
    const auto seed_next = [] { std::srand(unsigned(std::rand())); };
    std::srand(seed);
    ::srand48(long(seed));
    EXPECT_EQ(features[7], float(std::rand() % 10007)) << "rand() in init";
    EXPECT_EQ(features[8], float(::drand48()));
    seed_next();
    EXPECT_EQ(features[17], float(std::rand() % 10007)) << "in dim";
    seed_next();  // for prepareForSequence, which draws nothing
    seed_next();  // for prepareForImage
    EXPECT_EQ(features[9], float(std::rand() % 10007));
    seed_next();  // for prepareForCoordinates
    seed_next();  // for all features, of which number 10 alone draws
    EXPECT_EQ(features[10], float(std::rand() % 10007));
  }
}

TEST(Classic, ABatchOfFeaturesIsSeededOnce) {
  const auto probe = open_guarded("test_classic_probe", settings(5));
  const TestImage image(3, 3, 1, count_up(9));
  const std::vector<std::uint32_t> order = {10, 10, 10};
  const auto drawn = extract(**probe, image, 18, order);
  EXPECT_NE(drawn[0], drawn[1]);
  EXPECT_NE(drawn[1], drawn[2]);
  EXPECT_EQ(extract(**probe, image, 18, order), drawn);
}

TEST(Classic, LeavesTheGeneratorsOfTheProcessAlone) {
  const auto probe = open_guarded("test_classic_probe", settings(5));
  const TestImage image(3, 3, 1, count_up(9));
  std::srand(99);
  const int expected = std::rand();
  std::srand(99);
  extract(**probe, image, 18);
  EXPECT_EQ(std::rand(), expected);
}

// The host asks for any features in any order, of any images before: none of it may change a value.
TEST(Classic, FeaturesDependOnThePictureAlone) {
  const TestImage first(3, 3, 1, count_up(9)), second(3, 3, 1, count_up(9, 100));
  const auto alone = open_guarded("test_classic_probe", settings(5));
  const auto expected = extract(**alone, second, 18);
  const auto busy = open_guarded("test_classic_probe", settings(5));
  extract(**busy, first, 18);
  extract(**busy, second, 18);
  std::srand(99);
  const std::vector<std::uint32_t> order = {9, 10, 8, 7};
  EXPECT_THAT(extract(**busy, second, 18, order),
              ElementsAre(expected[9], expected[10], expected[8], expected[7]));
}

TEST(Classic, WritesToTheImageStayWithTheHeuristic) {
  for (const double fit : {0., 1.}) {
    const auto probe = open_guarded("test_classic_probe", settings(1, fit));
    const TestImage image(3, 3, 1, count_up(9));
    const std::vector<std::uint32_t> order = {11, 15, 11};
    EXPECT_THAT(extract(**probe, image, 18, order), ElementsAre(4, 0, 0));
    EXPECT_THAT(extract(**probe, image, 18, order), ElementsAre(4, 0, 0)) << "a fresh copy each time";
  }
}

TEST(Classic, ExceptionsBecomeErrors) {
  const auto probe = open_guarded("test_classic_probe", settings(1));
  EXPECT_THAT(message_of((*probe)->dim({13, 13})), HasSubstr("dim: not for views of 13 pixels"));
  const TestImage bad(3, 3, 1, count_up(9, 13));
  EXPECT_THAT(message_of((*probe)->prepare(bad.abi(), bad.whole())),
              HasSubstr("prepare: a picture that starts with 13"));
  const TestImage good(3, 3, 1, count_up(9));
  EXPECT_EQ(extract(**probe, good, 18)[11], 4);
}

TEST(Classic, TerminateIsCalledAtTheEndAndMayThrow) {
  ::unsetenv("MASH_TEST_TERMINATED");
  auto probe = open_guarded("test_classic_probe", settings(1));
  ASSERT_TRUE((*probe)->dim({3, 3}).ok());
  EXPECT_EQ(std::getenv("MASH_TEST_TERMINATED"), nullptr);
  probe->reset();
  EXPECT_NE(std::getenv("MASH_TEST_TERMINATED"), nullptr);
}

TEST(Classic, IsSerialAndHasSettings) {
  const Catalogue catalogue = scan_folder(MASH_TEST_PLUGIN_DIR);
  EXPECT_TRUE(catalogue.refused().empty());
  const auto info = catalogue.find("test/classic-probe");
  ASSERT_TRUE(info.ok());
  EXPECT_TRUE((*info)->serial);
  EXPECT_EQ((*info)->parameters[0].id, "seed");
  EXPECT_EQ((*info)->parameters[1].choices, (std::vector<std::string>{"crop", "pad"}));
  EXPECT_EQ((*info)->parameters[2].id, "extent");
  EXPECT_TRUE(catalogue.find("test/classic-two-files").ok());
}

TEST(Classic, LooksAtTheWholeImage) {
  const auto plugin = Plugin::load(test_plugin("test_classic_probe"));
  ASSERT_EQ(message_of(plugin), "");
  const auto extension = (*plugin)->descriptors()[0]->get_extension;
  ASSERT_NE(extension, nullptr);
  EXPECT_NE(extension(MASH_WHOLE_IMAGE), nullptr);
  EXPECT_EQ(extension("mash.no-such/1"), nullptr);
}

// Features by which tests/sdk/plugins/classic_film.cpp tells of a picture.
enum { kNumImages, kOldest, kView, kNumViews, kDrawn, kSequences, kFinished };

std::vector<float> film_features(GuardedHeuristic& heuristic, std::uint8_t pixel, const mash_frame_t& frame) {
  const TestImage image(3, 3, 1, std::vector<std::uint8_t>(9, pixel));
  std::vector<float> out(7);
  EXPECT_EQ(message_of(heuristic.prepare(image.abi(), image.whole(), frame)), "");
  EXPECT_EQ(message_of(heuristic.compute({}, out)), "");
  EXPECT_EQ(message_of(heuristic.release()), "");
  return out;
}

TEST(Classic, AContainerKeepsTheLastFiftyPicturesOfASequence) {
  const auto film = open_guarded("test_classic_film", settings(1));
  std::vector<float> drawn;
  for (std::uint32_t i = 0; i < 60; ++i) {
    const auto features = film_features(**film, std::uint8_t(i), {std::min(i, 49u), 0, 0});
    EXPECT_EQ(features[kNumImages], float(std::min(i + 1, 50u)));
    EXPECT_EQ(features[kOldest], i < 50 ? 0 : float(i - 49));
    EXPECT_EQ(features[kSequences], 1);
    EXPECT_EQ(features[kFinished], 0);
    drawn.push_back(features[kDrawn]);
  }
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), drawn[0]), 60) << "each picture has the seed of the first";
  const auto next = film_features(**film, 7, {0, 0, 1});
  EXPECT_EQ(next[kNumImages], 1);
  EXPECT_EQ(next[kOldest], 7);
  EXPECT_EQ(next[kSequences], 2);
  EXPECT_EQ(next[kFinished], 1) << "the one before, of which no last picture was told";
  EXPECT_EQ(next[kDrawn], drawn[0]);
  EXPECT_EQ(film_features(**film, 8, {0, 0, 1})[kFinished], 2);
}

TEST(Classic, ASequenceThatBeginsInTheMiddleHasWhatIsShown) {
  const auto film = open_guarded("test_classic_film", settings(1)),
             other = open_guarded("test_classic_film", settings(1));
  std::vector<float> whole, part;
  for (std::uint32_t i = 0; i < 80; ++i)
    whole = film_features(**film, std::uint8_t(i), {std::min(i, 49u), 0, 0});
  for (std::uint32_t i = 30; i < 80; ++i) part = film_features(**other, std::uint8_t(i), {i - 30, 0, 0});
  EXPECT_EQ(whole, part);
}

TEST(Classic, TellsViewsApart) {
  auto plugin = Plugin::load(test_plugin("test_classic_film"));
  ASSERT_EQ(message_of(plugin), "");
  const auto film = GuardedHeuristic::create(*plugin, 0, settings(1), 3);
  ASSERT_EQ(message_of(film), "");
  for (std::uint32_t i = 0; i < 6; ++i) {
    const auto features = film_features(**film, 1, {i, i % 3, i == 5});
    EXPECT_EQ(features[kView], float(i % 3));
    EXPECT_EQ(features[kNumViews], 3);
  }
  EXPECT_EQ((*plugin)->infos()[0].looks_back, 49u);
}

// An instance, and a mash_host_t that keeps what it logs.
struct Logging {
  explicit Logging(const char* name) : plugin(*Plugin::load(test_plugin(name))) {
    const auto values = settings(1);
    EXPECT_EQ(functions().create(&host, values.data(), 3, &instance), MASH_OK);
  }
  ~Logging() { functions().destroy(instance); }
  const mash_heuristic_t& functions() const { return *plugin->descriptors()[0]; }
  static void keep(void* context, const char* text) {
    static_cast<std::vector<std::string>*>(context)->push_back(text);
  }

  std::shared_ptr<const Plugin> plugin;
  std::vector<std::string> log;
  mash_host_t host{std::uint32_t(sizeof(mash_host_t)),
                   MASH_ABI_VERSION,
                   &log,
                   [](void*, const char*) {},
                   &keep,
                   [](void*, const char*) -> const void* { return nullptr; }};
  mash_instance_t* instance = nullptr;
};

TEST(ClassicSimple, ComputesOverTheWholeImage) {
  testing::HeardRemarks remarks;
  const auto simple = open_guarded("test_classic_simple", settings(1), remarks);
  const TestImage image(3, 3, 1, count_up(9));
  EXPECT_THAT(extract(**simple, image, 3), ElementsAre(1, 8, 1));
  EXPECT_THAT(extract(**simple, image, 3), ElementsAre(1, 8, 1)) << "each picture is a sequence of its own";
  EXPECT_THAT(remarks.told, IsEmpty()) << "what it logs is for its author";
  EXPECT_THAT(remarks.warnings, IsEmpty());
}

TEST(ClassicSimple, LogsWholeLinesToItsHost) {
  Logging simple("test_classic_simple");
  const TestImage image(3, 3, 1, count_up(9));
  const mash_view_t view = image.whole();
  std::uint32_t dim = 0;
  ASSERT_EQ(simple.functions().dim(simple.instance, {3, 3}, &dim), MASH_OK);
  EXPECT_THAT(simple.log, ElementsAre("ready after 1x"));
  mash_state_t* state = nullptr;
  ASSERT_EQ(simple.functions().prepare(simple.instance, &image.abi(), &view, &state), MASH_OK);
  simple.functions().release(state);
  EXPECT_THAT(simple.log, ElementsAre("ready after 1x", "a colour picture of 3x3 pixels",
                                      "a grey picture of 3x3 pixels"));
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(simple.functions().prepare(simple.instance, &image.abi(), &view, &state), MASH_OK);
    simple.functions().release(state);
  }
  EXPECT_THAT(simple.log[3], HasSubstr("limits -1 50 half a line"));
}

TEST(ClassicSimple, TheContainerDeletesItsHeuristicOnce) {
  for (const std::uint32_t extent : {1u, 2u, 3u}) {
    const std::uint32_t side = 2 * extent + 1;
    auto container = open_guarded("test_classic_container", settings(1));
    const TestImage image(side, side, 1, count_up(side * side, 7));
    EXPECT_THAT(extract(**container, image, 1), ElementsAre(7));
    EXPECT_STREQ(std::getenv("MASH_TEST_ALIVE"), "some");
    container->reset();
    EXPECT_STREQ(std::getenv("MASH_TEST_ALIVE"), "none") << extent;
  }
}

}  // namespace
}  // namespace mash
