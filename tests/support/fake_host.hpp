// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/extractors/host.hpp"
#include "framework/families/family.hpp"

namespace mash::testing {

// A family whose features are a function of the number of the example and of the feature.
struct FakeFamily {
  std::string id;
  std::uint32_t dim = 1;
  std::function<float(std::uint32_t example, std::uint32_t feature_idx)> value;
};

// A host without plugins. Its images hold the number of their example (see numbered_images), so that a test
// writes the feature values it wants; it counts what is asked of it.
class FakeHost final : public HeuristicHost {
 public:
  // Called before each image with its number; an error is the heuristic's own. [any thread]
  std::function<Status(std::uint32_t example)> before_image = [](std::uint32_t) -> Status { return Done{}; };
  std::atomic<std::size_t> num_images{0};  // extractions
  std::atomic<std::size_t> num_values{0};
  bool is_every_family_shipped = true;

  // Adds the family, or replaces the one of that id.
  FamilySpec add(FakeFamily family) {
    FamilySpec spec;
    spec.name = spec.heuristic.id = family.id;
    spec.heuristic.version = "1.0.0";
    spec.heuristic.plugin_sha256 = "fake";
    families_[family.id] = std::move(family);
    return spec;
  }

  Result<std::unique_ptr<HeuristicInstance>> open(const HeuristicInfo& info, std::span<const double>,
                                                  std::uint32_t = 1) override {
    return {std::make_unique<Instance>(*this, families_.at(info.id))};
  }

  bool is_shipped(const HeuristicInfo&) const override { return is_every_family_shipped; }

  std::size_t num_distinct_images() const { return images_.size(); }
  // Examples in the order in which they were shown.
  const std::vector<std::uint32_t>& shown() const { return shown_; }
  void forget_images() {
    num_images = num_values = 0;
    images_.clear();
    shown_.clear();
  }

 private:
  class Instance final : public HeuristicInstance {
   public:
    Instance(FakeHost& host, const FakeFamily& family) : host_(host), family_(family) {}
    Result<std::uint32_t> dim(mash_size_t) override { return family_.dim; }
    std::uint64_t num_faults() const override { return num_faults_; }
    std::span<const Fault> first_faults() const override { return {}; }

   private:
    TileResult do_extract(const ImageTile& tile, std::span<const std::uint32_t> indices,
                          std::span<float> out) override {
      TileResult result;
      const std::size_t width = out.size() / tile.num_wanted();
      for (const mash_image_t& image : tile.images.subspan(tile.num_shown)) {
        result.status = extract_row(image, indices, out.subspan(result.num_done * width, width));
        if (!result.status.ok()) break;
        ++result.num_done;
      }
      return result;
    }
    Status extract_row(const mash_image_t& image, std::span<const std::uint32_t> indices,
                       std::span<float> row) {
      std::uint32_t example = 0;
      std::memcpy(&example, image.gray.origin, sizeof example);
      MASH_TRY(host_.before_image(example));
      host_.note(example, row.size());
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = family_.value(example, indices.empty() ? std::uint32_t(i) : indices[i]);
        if (std::isfinite(row[i])) continue;
        row[i] = std::numeric_limits<float>::quiet_NaN();
        ++num_faults_;
      }
      return Done{};
    }

    FakeHost& host_;
    const FakeFamily& family_;
    std::uint64_t num_faults_ = 0;
  };

  void note(std::uint32_t example, std::size_t count) {
    ++num_images;
    num_values += count;
    const std::lock_guard lock(mutex_);
    images_.insert(example);
    shown_.push_back(example);
  }

  std::map<std::string, FakeFamily> families_;
  std::mutex mutex_;
  std::set<std::uint32_t> images_;
  std::vector<std::uint32_t> shown_;
};

}  // namespace mash::testing
