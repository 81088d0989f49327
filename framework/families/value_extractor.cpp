// SPDX-License-Identifier: Apache-2.0
#include "framework/families/value_extractor.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "framework/base/require.hpp"
#include "framework/base/secrets.hpp"
#include "framework/families/secret_order.hpp"

namespace mash {

Result<ValueExtractor> ValueExtractor::open(HeuristicHost& host, const FamilySpec& spec,
                                            const ImageShape& shape, std::size_t num_columns) {
  ValueExtractor extractor(shape, spec.heuristic.looks_back);
  if (spec.heuristic.id == kColumnsFamily) {
    extractor.dim_ = std::uint32_t(num_columns);
    return extractor;
  }
  if (spec.is_given()) return given_values_error(spec);
  extractor.pool_ = std::make_unique<InstancePool>(host, spec.heuristic, spec.values, shape.num_cameras);
  MASH_ASSIGN(auto instance, extractor.pool_->take());
  MASH_ASSIGN(extractor.dim_, instance->dim({shape.width, shape.height}));
  extractor.pool_->give_back(std::move(instance));
  return extractor;
}

Status ValueExtractor::extract_some(const Pictures& all, std::span<const std::uint32_t> places,
                                    std::span<float> out, const StopFlag& stop) const {
  MASH_ASSIGN(auto instance, pool_->take());
  instance->heed(stop);
  const Pictures some{places.size(),
                      [&](std::size_t i, ImagePlanes& planes) { return all.add(places[i], planes); }};
  TileWalk walk(shape_, some, looks_back_, std::min(tile_capacity(shape_, looks_back_), rows_at_once(dim_)));
  std::vector<float> rows;
  while (walk.next()) {
    rows.resize(walk.size() * dim_);
    MASH_TRY(instance->extract(walk.tile(), {}, rows).status);
    for (std::size_t i = 0; i < walk.size(); ++i)
      std::copy_n(rows.begin() + std::ptrdiff_t(i * dim_), dim_,
                  out.begin() + std::ptrdiff_t(std::size_t(places[walk.first() + i]) * dim_));
  }
  pool_->give_back(std::move(instance));
  return Done{};
}

Status ValueExtractor::extract_all(const Pictures& all, std::span<const std::uint32_t> order,
                                   std::span<float> out, const Workers& workers, const StopFlag& stop) const {
  return workers.try_blocks(order.size(), pictures_per_task(shape_, looks_back_), stop,
                            [&](std::size_t begin, std::size_t end) {
                              return extract_some(all, order.subspan(begin, end - begin), out, stop);
                            });
}

Status ValueExtractor::extract(const Split& split, std::size_t begin, std::size_t end, std::span<float> out,
                               const Workers& workers, const StopFlag& stop) const {
  require(out.size() == (end - begin) * dim_, "ValueExtractor::extract: a row for each example");
  if (pool_ != nullptr) {
    std::vector<std::uint32_t> rows(end - begin);
    std::iota(rows.begin(), rows.end(), std::uint32_t(begin));
    const std::vector<std::uint32_t> order = secret_order(split, rows, make_secret_number());
    return extract_all(pictures_of(split, begin, end), order, out, workers, stop);
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
  const auto each_alone = [](std::size_t) { return false; };
  const std::vector<std::uint32_t> order = secret_order(count, each_alone, make_secret_number());
  return extract_all(pictures_of(pixels, shape_), order, out, workers, stop);
}

}  // namespace mash
