// SPDX-License-Identifier: Apache-2.0
// A heuristic that holds a table of pictures is suspicious, an honest one on the same pictures is not.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/hostile/plugins/known_pictures.hpp"
#include "tests/support/program.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

void write_pictures(const fs::path& folder) {
  for (int picture = 0; picture < testing::kNumKnown; ++picture) {
    const fs::path of_class = folder / std::string(1, char('a' + testing::known_class(picture)));
    fs::create_directories(of_class);
    std::ofstream file(of_class / (std::to_string(picture) + ".pgm"), std::ios::binary);
    file << "P5 " << testing::kKnownSide << ' ' << testing::kKnownSide << " 255\n";
    for (const std::uint8_t pixel : testing::known_picture(picture)) file.put(char(pixel));
  }
}

TEST(PictureTable, IsSuspiciousWhereHonestFeaturesAreNot) {
  const testing::Sandbox sandbox;
  write_pictures(sandbox.work() / "pictures");
  std::ofstream(sandbox.work() / "e.yaml")
      << "dataset: {name: folder, path: pictures}\nheuristics: [grayscale]\n";
  const auto offered = [&](const std::string& heuristic) {
    const auto result = sandbox.run(
        {"mash", "heuristic", "try", heuristic, "--anyway", "--against", "e.yaml", "--seeds", "16"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const auto suspicion = HasSubstr("is suspicious: its gain is lost on copies of the held-out pictures");
  EXPECT_THAT(offered(std::string(MASH_HOSTILE_DIR) + "/picture_table.so"), suspicion);
  EXPECT_THAT(offered("haar-like"), AllOf(Not(suspicion), HasSubstr("haar-like adds")));
}

}  // namespace
}  // namespace mash
