// SPDX-License-Identifier: Apache-2.0
#include "framework/families/lazy_family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "framework/base/hash.hpp"
#include "framework/base/random.hpp"
#include "framework/base/secrets.hpp"
#include "framework/base/stopped_within.hpp"
#include "framework/families/secret_order.hpp"
#include "framework/families/tile_walk.hpp"

namespace mash {
namespace {

// Values of whole columns that are in memory before they are coded.
constexpr std::size_t kValuesAtOnce = 1 << 24;

std::vector<std::uint32_t> all_rows(std::size_t num_examples) {
  std::vector<std::uint32_t> rows(num_examples);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

// The rows and behind them as many others, where there are any: which pictures a training asks for follows
// from its weights, and these from the labels. Of films, whose frames cost those before them, and of pictures
// that never end there are no others.
std::vector<std::uint32_t> with_others(const Split& split, std::span<const std::uint32_t> rows,
                                       std::uint64_t secret) {
  std::vector<std::uint32_t> all(rows.begin(), rows.end());
  if (!split.frames.empty() || split.is_endless()) return all;
  std::vector<bool> is_there(split.num_examples);
  for (const std::uint32_t row : rows) is_there[row] = true;
  const std::size_t size = std::min(2 * rows.size(), split.num_examples);
  RandomStream random(secret, "other pictures");
  while (all.size() < size) {
    const auto other = std::uint32_t(random.below(split.num_examples));
    if (is_there[other]) continue;
    is_there[other] = true;
    all.push_back(other);
  }
  return all;
}

FeatureColumn column_of(std::span<const float> values, const Thresholds& thresholds) {
  auto codes = std::make_shared<std::vector<std::uint8_t>>(values.size());
  thresholds.find_codes(values, codes->data());
  return {*codes, codes};
}

}  // namespace

LazyFamily::LazyFamily(const FamilyInfo& info, const ExtractionContext& context)
    : spec_(info.spec),
      dim_(info.dim),
      dataset_(context.dataset),
      workers_(context.work.workers),
      stop_(context.work.stop),
      pool_(context.host, spec_.heuristic, spec_.values, dataset_.shape.num_cameras),
      is_shipped_(context.host.is_shipped(spec_.heuristic)),
      secret_(make_secret_number()) {
  // Evenly over the published order, which is as good as random and the same for every seed.
  const std::size_t num_train = dataset_.train.num_examples;
  const std::size_t num_rows = std::min(num_train, kThresholdExamples);
  for (std::size_t i = 0; i < num_rows; ++i)
    threshold_rows_.push_back(std::uint32_t(i * num_train / num_rows));
}

void LazyFamily::compute(const Split& split, std::span<const std::uint32_t> feature_indices,
                         std::span<const std::uint32_t> rows, float* out, std::size_t stride) const {
  constexpr std::size_t kRowsAtOnce = 16;  // as many as their values of a feature fill a cache line
  const std::size_t width = feature_indices.size();
  const std::size_t looks_back = dataset_.has_sequences() ? spec_.heuristic.looks_back : 0;
  const std::size_t capacity = tile_capacity(dataset_.shape, looks_back, kRowsAtOnce);
  const std::size_t task = pictures_per_task(dataset_.shape, looks_back);
  const std::uint64_t secret = keyed_hash(secret_, num_requests_++);
  const std::vector<std::uint32_t> computed =
      is_shipped_ ? std::vector(rows.begin(), rows.end()) : with_others(split, rows, secret);
  const std::vector<std::uint32_t> order = secret_order(split, computed, secret);
  std::vector<std::uint32_t> shown(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) shown[i] = computed[order[i]];
  workers_.for_ranges(shown.size(), task, [&](std::size_t begin, std::size_t end) {
    const auto examples = std::span<const std::uint32_t>(shown).subspan(begin, end - begin);
    auto instance = pool_.take();
    if (instance.ok()) (*instance)->heed(stop_);
    TileWalk walk(dataset_.shape, pictures_of(split, examples), looks_back, capacity);
    std::vector<float> block;
    while (!stop_.raised() && walk.next()) {
      block.resize(walk.size() * width);
      const auto places = std::span(order).subspan(begin + walk.first(), walk.size());
      compute_rows(instance, walk.tile(),
                   {split, examples.subspan(walk.first(), walk.size()), places, rows.size()}, feature_indices,
                   block);
      for (std::size_t i = 0; i < width; ++i)
        for (std::size_t r = 0; r < walk.size(); ++r)
          if (places[r] < rows.size()) out[i * stride + places[r]] = block[r * width + i];
    }
    if (instance.ok()) pool_.give_back(*std::move(instance));
  });
  if (stop_.raised()) throw StoppedWithin();
}

void LazyFamily::compute_rows(Result<std::unique_ptr<HeuristicInstance>>& instance, const ImageTile& tile,
                              const Wanted& wanted, std::span<const std::uint32_t> feature_indices,
                              std::span<float> block) const {
  const std::size_t width = feature_indices.size();
  const auto row = [&](std::size_t i) { return block.subspan(i * width, width); };
  for (std::size_t first = 0; first < wanted.examples.size();) {
    const std::uint64_t faults_before = instance.ok() ? (*instance)->num_faults() : 0;
    const TileResult result = instance.ok()
                                  ? (*instance)->extract(tile.from(first, spec_.heuristic.looks_back),
                                                         feature_indices, block.subspan(first * width))
                                  : TileResult{0, instance.error()};
    const std::size_t end = first + result.num_done;
    if (instance.ok() && (*instance)->num_faults() != faults_before)
      for (std::size_t i = first; i < end; ++i) note_faults(wanted, i, feature_indices, row(i), Done{});
    first = end;
    if (result.status.ok()) continue;
    if (result.status.error().kind == ErrorKind::kStopped) return;
    // Training cannot be refused half-way: what a heuristic fails on is missing, and counted.
    std::fill(row(end).begin(), row(end).end(), std::numeric_limits<float>::quiet_NaN());
    note_faults(wanted, end, feature_indices, row(end), result.status);
    first = end + 1;
  }
}

void LazyFamily::note_faults(const Wanted& wanted, std::size_t place,
                             std::span<const std::uint32_t> feature_indices, std::span<const float> row,
                             const Status& status) const {
  if (wanted.places[place] >= wanted.num_asked) return;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isfinite(row[i])) continue;
    const std::lock_guard lock(mutex_);
    num_training_faults_ += &wanted.split == &dataset_.train;
    if (++num_faults_ > kMaxFaultsKept) continue;
    first_faults_.push_back({spec_.heuristic.id, "compute",
                             status.ok() ? fmt::format("feature {} of image {} is not a finite number",
                                                       feature_indices[i], wanted.examples[place])
                                         : status.error().message});
  }
}

void LazyFamily::add_faults(FamilyInfo& info) const {
  const std::lock_guard lock(mutex_);
  info.num_faults += num_faults_;
  info.num_training_faults += num_training_faults_;
  info.first_faults.insert(info.first_faults.end(), first_faults_.begin(), first_faults_.end());
}

// The missing ones are chosen all at once, so that an image is looked at once for all of them.
std::vector<LazyFamily::SharedThresholds> LazyFamily::thresholds(
    std::span<const std::uint32_t> feature_indices) const {
  std::vector<SharedThresholds> thresholds(feature_indices.size());
  std::vector<std::uint32_t> missing;
  std::vector<std::size_t> places;  // of the missing
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < feature_indices.size(); ++i) {
      if (const auto found = thresholds_.find(feature_indices[i]); found != thresholds_.end()) {
        thresholds[i] = found->second;
      } else {
        missing.push_back(feature_indices[i]);
        places.push_back(i);
      }
    }
  }
  if (missing.empty()) return thresholds;
  const std::size_t size = threshold_rows_.size();
  std::vector<float> samples(missing.size() * size);
  compute(dataset_.train, missing, threshold_rows_, samples.data(), size);
  workers_.for_ranges(missing.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      thresholds[places[i]] =
          std::make_shared<const Thresholds>(choose_thresholds(std::span(samples).subspan(i * size, size)));
  });
  const std::lock_guard lock(mutex_);
  // Thresholds that are chosen again are the same.
  if (thresholds_.size() + missing.size() > kThresholdsKept) thresholds_.clear();
  for (std::size_t i = 0; i < std::min(missing.size(), kThresholdsKept); ++i)
    thresholds_.emplace(missing[i], thresholds[places[i]]);
  return thresholds;
}

void LazyFamily::gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
                        std::uint8_t* out, std::size_t stride) const {
  const std::vector<SharedThresholds> cuts = thresholds(feature_indices);
  std::vector<float> raw(feature_indices.size() * rows.size());
  compute(dataset_.train, feature_indices, rows, raw.data(), rows.size());
  workers_.for_ranges(feature_indices.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      cuts[i]->find_codes(std::span(raw).subspan(i * rows.size(), rows.size()), out + i * stride);
  });
}

std::vector<FeatureColumn> LazyFamily::kept_columns(Side side,
                                                    std::span<const std::uint32_t> feature_indices) const {
  std::vector<FeatureColumn> columns(feature_indices.size());
  std::vector<std::uint32_t> missing;
  std::vector<std::size_t> places;  // where the missing columns go
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < feature_indices.size(); ++i) {
      const auto found = std::find_if(recent_.begin(), recent_.end(), [&](const Recent& kept) {
        return kept.side == side && kept.feature_idx == feature_indices[i];
      });
      if (found == recent_.end()) {
        missing.push_back(feature_indices[i]);
        places.push_back(i);
      } else {
        recent_.splice(recent_.begin(), recent_, found);
        columns[i] = found->column;
      }
    }
  }
  if (missing.empty()) return columns;
  const std::vector<SharedThresholds> cuts = thresholds(missing);
  const Split& split = side == Side::kTrain ? dataset_.train : dataset_.test;
  const std::size_t size = split.num_examples;
  const std::size_t at_once = std::max<std::size_t>(1, kValuesAtOnce / std::max<std::size_t>(1, size));
  for (std::size_t first = 0; first < missing.size(); first += at_once) {
    const auto some = std::span(missing).subspan(first, std::min(at_once, missing.size() - first));
    std::vector<float> raw(some.size() * size);
    compute(split, some, all_rows(size), raw.data(), size);
    workers_.for_ranges(some.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        columns[places[first + i]] = column_of(std::span(raw).subspan(i * size, size), *cuts[first + i]);
    });
  }
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    recent_.push_front({side, missing[i], columns[places[i]]});
    if (recent_.size() > kColumnsKept) recent_.pop_back();
  }
  return columns;
}

ColumnBlock LazyFamily::columns(Side side, std::uint32_t first, std::uint32_t count) const {
  std::vector<std::uint32_t> indices(count);
  std::iota(indices.begin(), indices.end(), first);
  const std::vector<FeatureColumn> columns = kept_columns(side, indices);
  const std::size_t size = columns[0].codes.size();
  if (count == 1) return {columns[0].codes.data(), size, size, columns[0].owner};
  const auto block = std::make_shared<std::vector<std::uint8_t>>();
  block->reserve(count * size);
  for (const FeatureColumn& column : columns)
    block->insert(block->end(), column.codes.begin(), column.codes.end());
  return {block->data(), size, size, block};
}

void LazyFamily::values(Side side, std::span<const std::uint32_t> feature_indices,
                        std::span<const std::uint32_t> rows, float* out, std::size_t stride) const {
  compute(side == Side::kTrain ? dataset_.train : dataset_.test, feature_indices, rows, out, stride);
}

}  // namespace mash
