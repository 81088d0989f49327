// SPDX-License-Identifier: Apache-2.0
#include "server/runner/public_try.hpp"

#include <algorithm>

#include "framework/extractors/catalogue.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/families/image_planes.hpp"
#include "framework/operations/common/plugins.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kNumPictures = 20;
constexpr std::uint64_t kBytesOfAValue = sizeof(float) + 1;  // the value, and its code

Status check_size(const HeuristicInfo& info, std::uint32_t dim, const PublicPictures& pictures) {
  const std::uint64_t num_bytes = std::uint64_t(dim) * pictures.num_all * kBytesOfAValue;
  if (num_bytes <= kMostFamilyBytes) return Done{};
  return input_error("heuristic '{}': its {} features of {} pictures take {} MiB, at most {} are taken",
                     info.id, dim, pictures.num_all, num_bytes >> 20, kMostFamilyBytes >> 20);
}

Status show(const HeuristicInfo& info, HeuristicHost& host, const PublicPictures& pictures,
            const StopFlag& stop) {
  MASH_ASSIGN(const auto values, parameter_values(info, {}));
  MASH_ASSIGN(const auto instance, host.open(info, values));
  MASH_ASSIGN(const std::uint32_t dim, instance->dim({pictures.shape.width, pictures.shape.height}));
  MASH_TRY(check_size(info, dim, pictures));
  ImagePlanes planes(pictures.shape);
  std::vector<float> features(dim);
  for (const std::vector<std::uint8_t>& pixels : pictures.pixels) {
    if (stop.raised()) return Error{ErrorKind::kStopped, "stopped"};
    const mash_image_t& image = planes.show(pixels);
    MASH_TRY(instance->extract(image, planes.view(), {}, features));
  }
  return Done{};
}

}  // namespace

PublicPictures public_pictures_of(const Dataset& dataset) {
  PublicPictures pictures{dataset.shape, dataset.train.num_examples + dataset.test.num_examples, {}};
  if (dataset.is_table()) return pictures;
  for (std::size_t i = 0; i < std::min(kNumPictures, dataset.train.num_examples); ++i) {
    const auto pixels = dataset.train.image(i, dataset.shape);
    pictures.pixels.emplace_back(pixels.begin(), pixels.end());
  }
  return pictures;
}

Status try_on_public_pictures(const std::filesystem::path& plugin, const PublicPictures& pictures,
                              const WorkContext& work) {
  Catalogue catalogue(access_to_plugins(PluginPlaces{{}, Isolation::kBox}, work));
  MASH_TRY(catalogue.add(plugin));
  for (const HeuristicInfo& info : catalogue.heuristics())
    MASH_TRY(show(info, catalogue.host(), pictures, work.stop));
  return Done{};
}

}  // namespace mash::server
