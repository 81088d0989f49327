// SPDX-License-Identifier: Apache-2.0
#include "framework/families/value_extractor.hpp"

#include <algorithm>

#include "framework/base/require.hpp"
#include "framework/families/image_planes.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamplesPerTask = 64;

// The examples of a split, as a tile takes them.
struct SplitPictures {
  const Split& split;
  bool has_room(const ImagePlanes& planes, std::size_t n) const { return planes.has_room_for(split, n); }
  void add(ImagePlanes& planes, std::size_t n) const { planes.add(split, n); }
};

// Images that stand alone, one after the other.
struct LonePictures {
  std::span<const std::uint8_t> pixels;
  std::size_t num_bytes;
  bool has_room(const ImagePlanes& planes, std::size_t) const { return !planes.is_full(); }
  void add(ImagePlanes& planes, std::size_t n) const { planes.add(pixels.subspan(n * num_bytes, num_bytes)); }
};

}  // namespace

Result<ValueExtractor> ValueExtractor::open(HeuristicHost& host, const FamilySpec& spec,
                                            const ImageShape& shape, std::size_t num_columns) {
  ValueExtractor extractor(shape, spec.heuristic.looks_back);
  if (spec.heuristic.id == kColumnsFamily) {
    extractor.dim_ = std::uint32_t(num_columns);
    return extractor;
  }
  extractor.pool_ = std::make_unique<InstancePool>(host, spec.heuristic, spec.values, shape.num_cameras);
  MASH_ASSIGN(auto instance, extractor.pool_->take());
  MASH_ASSIGN(extractor.dim_, instance->dim({shape.width, shape.height}));
  extractor.pool_->give_back(std::move(instance));
  return extractor;
}

template <class Pictures>
Status ValueExtractor::extract_range(const Pictures& pictures, std::size_t begin, std::size_t end,
                                     std::span<float> out) const {
  MASH_ASSIGN(auto instance, pool_->take());
  ImagePlanes planes(shape_, std::min(tile_capacity(shape_, looks_back_), end - begin), 1, looks_back_);
  for (std::size_t first = begin, n = begin; n < end; first = n) {
    for (planes.clear(); n < end && pictures.has_room(planes, n); ++n) pictures.add(planes, n);
    MASH_TRY(
        instance->extract(planes.tile(), {}, out.subspan((first - begin) * dim_, (n - first) * dim_)).status);
  }
  pool_->give_back(std::move(instance));
  return Done{};
}

template <class Pictures>
Status ValueExtractor::extract_all(const Pictures& pictures, std::size_t begin, std::size_t end,
                                   std::span<float> out, const Workers& workers, const StopFlag& stop) const {
  require(out.size() == (end - begin) * dim_, "ValueExtractor::extract: a row for each example");
  // A task of a film has many images, or most of it would be images that are looked back at.
  const std::size_t task = std::max(kExamplesPerTask, tile_capacity(shape_, looks_back_));
  return workers.try_blocks(end - begin, task, stop, [&](std::size_t first, std::size_t last) {
    return extract_range(pictures, begin + first, begin + last,
                         out.subspan(first * dim_, (last - first) * dim_));
  });
}

Status ValueExtractor::extract(const Split& split, std::size_t begin, std::size_t end, std::span<float> out,
                               const Workers& workers, const StopFlag& stop) const {
  if (pool_ != nullptr) return extract_all(SplitPictures{split}, begin, end, out, workers, stop);
  require(out.size() == (end - begin) * dim_, "ValueExtractor::extract: a row for each example");
  std::copy_n(split.values.begin() + std::ptrdiff_t(begin * dim_), out.size(), out.begin());
  return Done{};
}

Status ValueExtractor::extract(std::span<const std::uint8_t> pixels, std::span<float> out,
                               const Workers& workers, const StopFlag& stop) const {
  require(pool_ != nullptr && pixels.size() % shape_.num_bytes() == 0,
          "ValueExtractor::extract: whole images, and a heuristic");
  return extract_all(LonePictures{pixels, shape_.num_bytes()}, 0, pixels.size() / shape_.num_bytes(), out,
                     workers, stop);
}

}  // namespace mash
