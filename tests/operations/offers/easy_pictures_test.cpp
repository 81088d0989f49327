// SPDX-License-Identifier: Apache-2.0
//
// Offers on pictures that are easy for the pool: a gain there is a number of per cent that means something,
// or is not told.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "framework/base/random.hpp"
#include "framework/operations/offers/offer.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kWidth = 30, kHeight = 20, kEachClass = 220;
constexpr const char* kScenes[] = {"shore", "wood", "slope"};

// Scenes in dim colour, on each picture of another brightness and contrast: lines across, upright or falling,
// as strong as `faintest` to `strongest` grey levels.
class Scenes {
 public:
  Scenes(double faintest, double strongest) : faintest_(faintest), strongest_(strongest) {}

  void write(const fs::path& folder) {
    for (std::size_t scene = 0; scene < std::size(kScenes); ++scene) {
      fs::create_directories(folder / kScenes[scene]);
      for (int i = 0; i < kEachClass; ++i)
        std::ofstream(folder / kScenes[scene] / fmt::format("{:03}.ppm", i), std::ios::binary)
            << fmt::format("P6 {} {} 255\n", kWidth, kHeight) << draw(scene);
    }
  }

 private:
  // The pixels, red, green and blue.
  std::string draw(std::size_t scene) {
    const double strength = random_.uniform(faintest_, strongest_);
    const double level = random_.uniform(50, 200), shift = random_.uniform(0, 8);
    std::string pixels;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const double along = (scene == 0 ? y : scene == 1 ? x : .7 * (x + y)) + shift;
        const double value = level + strength * std::sin(.8 * along);
        for (int channel = 0; channel < 3; ++channel)
          pixels += char(std::clamp(int(value + 4 * channel + 5 * random_.normal()), 0, 255));
      }
    return pixels;
  }

  double faintest_, strongest_;
  RandomStream random_{7, "scenes"};
};

struct EasySet {
  const char* name;
  double faintest, strongest;      // of the lines, in grey levels
  double least_wrong, most_wrong;  // that the pool gets wrong, as a share
};
void PrintTo(const EasySet& set, std::ostream* out) { *out << set.name; }

class EasyPictures : public ::testing::TestWithParam<EasySet> {
 protected:
  EasyPictures() {
    Scenes(GetParam().faintest, GetParam().strongest).write(folder_ / "scenes");
    std::ofstream(folder_ / "pool.yaml")
        << "dataset: {name: folder, path: " << (folder_ / "scenes").string() << ", train: 0.9}\n"
        << "heuristics: [grayscale, gradient, color-moments]\n"
        << "booster: {name: adaboost.mh, rounds: 60}\nsampler: {name: laminating, budget: 4, features: 64}\n";
  }

  HeuristicOffer offer_of(const std::string& heuristic) {
    OfferTrySettings settings;
    settings.heuristic = heuristic;
    settings.against = (folder_ / "pool.yaml").string();
    settings.seeds = 16;
    settings.seconds = 1e9;
    settings.workspace.database = folder_ / "mash.db";
    settings.workspace.store = folder_ / "store";
    auto offered = offer_heuristic(settings, testing::quiet_work());
    if (!offered.result.ok()) throw std::runtime_error(offered.result.error().message);
    return *std::move(offered.result);
  }

  const testing::ScratchFolder folder_;
};

TEST_P(EasyPictures, NoGainIsAWildGuess) {
  for (const char* heuristic : {"hog", "lbp", "projections"}) {
    SCOPED_TRACE(heuristic);
    const HeuristicOffer offer = offer_of(heuristic);
    const OfferVerdict verdict = verdict_of(offer.figures);
    EXPECT_GE(offer.figures.pool_error, GetParam().least_wrong);
    EXPECT_LE(offer.figures.pool_error, GetParam().most_wrong);
    for (const GainAtLook& look : offer.looks)
      EXPECT_LE(look.interval.high - look.interval.low, 200) << look.gain;
    const auto& interval = offer.looks.back().interval;
    if (interval.low <= 0 && interval.high >= 0) {
      EXPECT_THAT(verdict, Not(::testing::AnyOf(OfferVerdict::kAdds, OfferVerdict::kAddsMuch)));
    }
    EXPECT_EQ(verdict == OfferVerdict::kNothingToLearn, offer.figures.pool_wrong < kLeastWrong);
    if (verdict == OfferVerdict::kNothingToLearn) {
      EXPECT_THAT(headline(offer), Not(HasSubstr("%")));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, EasyPictures,
                         ::testing::Values(EasySet{"faint", 0, 7, .08, .4},
                                           EasySet{"plain", 1, 25, .001, .03},
                                           EasySet{"clear", 25, 40, 0, 0}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mash
