// SPDX-License-Identifier: Apache-2.0
// Every heuristic that was built, without a list: what all of them have to keep.
#include <array>
#include <cmath>
#include <cstdio>

#include "framework/base/random.hpp"
#include "framework/extractors/image_maps.hpp"
#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using ::testing::MatchesRegex;

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  for (std::array<char, 4096> buffer{}; std::fgets(buffer.data(), int(buffer.size()), pipe) != nullptr;)
    output += buffer.data();
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return output;
}

std::filesystem::path heuristic_dir() {
  return std::filesystem::path(testing::binary_folder()) / "heuristics";
}

TEST(BuiltHeuristics, ExportOneSymbol) {
  int num_plugins = 0;
  for (const auto& entry : std::filesystem::directory_iterator(heuristic_dir())) {
    if (entry.path().extension() != ".so") continue;
    ++num_plugins;
    EXPECT_THAT(output_of("nm -D --defined-only '" + entry.path().string() + "'"),
                MatchesRegex("[0-9a-f]+ [DRV] mash_plugin\n"))
        << entry.path();
  }
  EXPECT_GT(num_plugins, 0);
}

TEST(BuiltHeuristics, AreAllAccepted) {
  const Catalogue catalogue = scan_folder(heuristic_dir());
  for (const RefusedPlugin& refused : catalogue.refused())
    ADD_FAILURE() << refused.file << ": " << refused.reason;
  EXPECT_FALSE(catalogue.heuristics().empty());
}

struct Picture {
  std::uint32_t width, height, num_channels;
};

std::vector<std::uint8_t> noise(const Picture& picture) {
  std::vector<std::uint8_t> pixels(std::size_t(picture.width) * picture.height * picture.num_channels);
  RandomStream random(3, "noise", pixels.size());
  for (std::uint8_t& pixel : pixels) pixel = std::uint8_t(random.below(256));
  return pixels;
}

// All features at once, and then one at a time in reverse order on a fresh instance: the same bits, all
// finite.
void check(HeuristicHost& host, const HeuristicInfo& info, const Picture& picture) {
  SCOPED_TRACE(fmt::format("{} on {}x{}x{}", info.id, picture.width, picture.height, picture.num_channels));
  const auto values = parameter_values(info, {});
  const auto instance = host.open(info, *values), other = host.open(info, *values);
  ASSERT_EQ(message_of(instance), "");
  const auto dim = (*instance)->dim({picture.width, picture.height});
  ASSERT_EQ(message_of(dim), "");
  const TestImage image(picture.width, picture.height, picture.num_channels, noise(picture));
  std::vector<float> all(*dim);
  ASSERT_EQ(message_of((*instance)->extract(image.abi(), image.whole(), {}, all)), "");
  EXPECT_EQ((*instance)->num_faults(), 0u);
  std::vector<std::uint32_t> reversed;
  for (std::uint32_t i = *dim; i-- > 0;)
    if (i % 7 == 0 || i + 1 == *dim) reversed.push_back(i);
  std::vector<float> some(reversed.size());
  ASSERT_EQ(message_of((*other)->extract(image.abi(), image.whole(), reversed, some)), "");
  for (std::size_t i = 0; i < reversed.size(); ++i)
    ASSERT_EQ(some[i], all[reversed[i]]) << "feature " << reversed[i];
}

// On an image of which the host has maps and before it has any; a view of the whole and one of a part.
TEST(BuiltHeuristics, GiveTheSameFeaturesWithTheHostsMaps) {
  Catalogue catalogue = scan_folder(heuristic_dir());
  for (const HeuristicInfo& info : catalogue.heuristics())
    for (const Picture& picture : {Picture{28, 28, 1}, Picture{21, 17, 3}}) {
      SCOPED_TRACE(fmt::format("{} on {} channels", info.id, picture.num_channels));
      const auto instance = catalogue.host().open(info, *parameter_values(info, {}));
      const TestImage image(picture.width, picture.height, picture.num_channels, noise(picture));
      for (const mash_view_t& view : {image.whole(), mash_view_t{3, 2, 16, 15}}) {
        const auto dim = (*instance)->dim({view.width, view.height});
        ASSERT_EQ(message_of(dim), "");
        std::vector<float> without(*dim), with(*dim);
        ASSERT_EQ(message_of((*instance)->extract(image.abi(), view, {}, without)), "");
        const ImageMaps maps(image.abi());
        ASSERT_EQ(message_of((*instance)->extract(image.abi(), view, {}, with)), "");
        EXPECT_EQ(with, without);
      }
    }
}

TEST(BuiltHeuristics, GiveTheSameFeaturesHoweverTheyAreAsked) {
  Catalogue catalogue = scan_folder(heuristic_dir());
  for (const HeuristicInfo& info : catalogue.heuristics())
    for (const Picture& picture : {Picture{8, 8, 1}, Picture{28, 28, 1}, Picture{13, 9, 3}})
      check(catalogue.host(), info, picture);
}

}  // namespace
}  // namespace mash
