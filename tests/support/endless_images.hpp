// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "framework/dataset/endless.hpp"
#include "tests/support/world.hpp"

namespace mash::testing {

// The classes take turns.
inline std::vector<std::uint16_t> turns(std::size_t num_examples, std::size_t num_classes) {
  std::vector<std::uint16_t> labels(num_examples);
  for (std::size_t n = 0; n < labels.size(); ++n) labels[n] = std::uint16_t(n % num_classes);
  return labels;
}

// Numbered images without end, as numbered_images has them; counts how often each is made.
class CountedImages final : public EndlessExamples {
 public:
  explicit CountedImages(std::size_t num_classes) : num_classes_(num_classes) {}
  std::uint16_t label(std::uint32_t example_idx) const override {
    return std::uint16_t(example_idx % num_classes_);
  }
  void render(std::uint32_t example_idx, std::span<std::uint8_t> image) const override {
    std::memcpy(image.data(), &example_idx, sizeof example_idx);
    const std::lock_guard lock(mutex_);
    ++counts_[example_idx];
  }
  // By their numbers.
  const std::map<std::uint32_t, std::size_t>& counts() const { return counts_; }
  void forget() { counts_.clear(); }

 private:
  std::size_t num_classes_;
  mutable std::mutex mutex_;
  mutable std::map<std::uint32_t, std::size_t> counts_;
};

// Holds num_held of the images without end. Feature j of an image is about as high as its class in one of
// three features, else noise.
struct EndlessWorld {
  EndlessWorld(std::size_t num_held, std::size_t num_classes, int num_threads = 1, bool is_endless = true)
      : images(std::make_shared<CountedImages>(num_classes)),
        world(dataset_of(num_held, num_classes, is_endless ? images : nullptr), {family(num_classes)},
              num_threads) {
    world.store.limit = 0;
    auto opened = FeatureSet::open(world.specs, world.store, world.context());
    if (!opened.ok()) throw std::runtime_error(opened.error().message);
    features = *std::move(opened);
  }

  static constexpr std::uint32_t kDim = 12;
  std::shared_ptr<CountedImages> images;
  World world;
  std::optional<FeatureSet> features;

 private:
  static FakeFamily family(std::size_t num_classes) {
    return {"f", kDim, [num_classes](std::uint32_t n, std::uint32_t j) {
              RandomStream noise(n, "test.noise", j);
              const double centre = j % 3 == 0 ? double((n + j) % num_classes) : 0;
              return float(centre + 0.8 * noise.normal());
            }};
  }
  static Dataset dataset_of(std::size_t num_held, std::size_t num_classes,
                            std::shared_ptr<const EndlessExamples> images) {
    Dataset dataset = numbered_images(turns(num_held, num_classes), {}, num_classes);
    dataset.train.beyond = std::move(images);
    return dataset;
  }
};

}  // namespace mash::testing
