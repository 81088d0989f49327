// SPDX-License-Identifier: Apache-2.0
#include "framework/families/value_extractor.hpp"

#include <algorithm>

#include "framework/base/require.hpp"

namespace mash {

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

Status ValueExtractor::extract_range(Pictures pictures, std::span<float> out) const {
  MASH_ASSIGN(auto instance, pool_->take());
  TileWalk walk(shape_, std::move(pictures), looks_back_, tile_capacity(shape_, looks_back_));
  while (walk.next())
    MASH_TRY(instance->extract(walk.tile(), {}, out.subspan(walk.first() * dim_, walk.size() * dim_)).status);
  pool_->give_back(std::move(instance));
  return Done{};
}

Status ValueExtractor::extract_all(
    std::size_t count, const std::function<Pictures(std::size_t begin, std::size_t end)>& pictures,
    std::span<float> out, const Workers& workers, const StopFlag& stop) const {
  return workers.try_blocks(
      count, pictures_per_task(shape_, looks_back_), stop, [&](std::size_t begin, std::size_t end) {
        return extract_range(pictures(begin, end), out.subspan(begin * dim_, (end - begin) * dim_));
      });
}

Status ValueExtractor::extract(const Split& split, std::size_t begin, std::size_t end, std::span<float> out,
                               const Workers& workers, const StopFlag& stop) const {
  require(out.size() == (end - begin) * dim_, "ValueExtractor::extract: a row for each example");
  if (pool_ != nullptr) {
    const auto pictures = [&](std::size_t first, std::size_t last) {
      return pictures_of(split, begin + first, begin + last);
    };
    return extract_all(end - begin, pictures, out, workers, stop);
  }
  std::copy_n(split.values.begin() + std::ptrdiff_t(begin * dim_), out.size(), out.begin());
  return Done{};
}

Status ValueExtractor::extract(std::span<const std::uint8_t> pixels, std::span<float> out,
                               const Workers& workers, const StopFlag& stop) const {
  require(pool_ != nullptr && pixels.size() % shape_.num_bytes() == 0,
          "ValueExtractor::extract: whole images, and a heuristic");
  const std::size_t num_bytes = shape_.num_bytes(), count = pixels.size() / num_bytes;
  require(out.size() == count * dim_, "ValueExtractor::extract: a row for each image");
  const auto pictures = [&](std::size_t first, std::size_t last) {
    return pictures_of(pixels.subspan(first * num_bytes, (last - first) * num_bytes), shape_);
  };
  return extract_all(count, pictures, out, workers, stop);
}

}  // namespace mash
