// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "framework/operations/offers/run_offer.hpp"
#include "tests/support/world.hpp"

namespace mash::testing {

// Examples of four classes drawn at random, the training side first, and families that know something of
// them.
class PlantedClasses {
 public:
  explicit PlantedClasses(std::size_t num_train = 900, std::size_t num_test = 0, std::uint64_t seed = 11)
      : num_train_(num_train), labels_(random_labels(num_train + num_test, kNumClasses, seed)) {}

  Dataset dataset() const {
    const auto test_side = labels_.begin() + std::ptrdiff_t(num_train_);
    return numbered_images({labels_.begin(), test_side}, {test_side, labels_.end()}, kNumClasses);
  }
  std::uint16_t label(std::uint32_t example) const { return labels_[example]; }

  // Twelve features, of which feature j tells whether the class is j % 4, beside noise. number: equal ones
  // give equal features.
  FakeFamily family(std::string id, std::uint64_t number, double strength) const {
    return {std::move(id), 12, [=, *this](std::uint32_t n, std::uint32_t j) {
              const double noise = RandomStream(number, "test.planted", std::uint64_t(n) << 8 | j).normal();
              return float(strength * (label(n) == j % kNumClasses) + noise);
            }};
  }
  // A pool of two families that know a little.
  std::vector<FakeFamily> pool() const { return {family("one", 1, .7), family("two", 2, .5)}; }

 private:
  static constexpr std::size_t kNumClasses = 4;
  std::size_t num_train_;
  std::vector<std::uint16_t> labels_;
};

// A workspace of fake families in a folder of its own, and the settings of an offer test that is soon done.
class OfferSpace {
 public:
  OfferSpace(Dataset dataset, std::vector<FakeFamily> families, int num_threads = 2)
      : world(std::move(dataset), std::move(families), num_threads) {
    auto records = Records::open(world.folder / "records.db");
    if (!records.ok()) throw std::runtime_error(records.error().message);
    std::vector<std::size_t> all(world.features().num_families());
    std::iota(all.begin(), all.end(), std::size_t(0));
    space.emplace(Workspace{Catalogue::scan({}), std::make_shared<const Dataset>(world.dataset),
                            world.features().subset(all), *std::move(records), world.folder.path()});
    settings.rounds.base_rounds = 40;
    settings.rounds.rounds = 20;
    settings.rounds.num_candidates = 8;
    settings.rounds.num_offered = 4;
    settings.most_seeds = 8;
  }

  // Opens the families of the world again, as a program that comes later does. limit: of the store in bytes;
  // 0: all are computed on demand.
  void open_anew(std::uint64_t limit = ~std::uint64_t(0)) {
    StoreSettings store = world.store;
    store.limit = limit;
    auto features = FeatureSet::open(world.specs, store, world.context());
    if (!features.ok()) throw std::runtime_error(features.error().message);
    space->features = *std::move(features);
  }

  World world;
  std::optional<Workspace> space;
  OfferTestSettings settings;
};

}  // namespace mash::testing
