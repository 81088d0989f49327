// SPDX-License-Identifier: Apache-2.0
#include "framework/families/lazy_family.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "framework/families/image_planes.hpp"

namespace mash {
namespace {

std::vector<std::uint32_t> all_rows(std::size_t num_examples) {
  std::vector<std::uint32_t> rows(num_examples);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

FeatureColumn column_of(std::span<const float> values, const Thresholds& thresholds) {
  auto codes = std::make_shared<std::vector<std::uint8_t>>(values.size());
  for (std::size_t n = 0; n < values.size(); ++n) (*codes)[n] = thresholds.code(values[n]);
  return {*codes, codes};
}

}  // namespace

LazyFamily::LazyFamily(const FamilyInfo& info, const ExtractionContext& context)
    : spec_(info.spec), dataset_(context.dataset), workers_(context.workers), pool_(context.host, spec_) {
  // Evenly over the published order, which is as good as random and the same for every seed.
  const std::size_t num_train = dataset_.train.num_examples;
  const std::size_t num_rows = std::min(num_train, kThresholdExamples);
  for (std::size_t i = 0; i < num_rows; ++i)
    threshold_rows_.push_back(std::uint32_t(i * num_train / num_rows));
}

void LazyFamily::compute(const Split& split, std::span<const std::uint32_t> feature_indices,
                         std::span<const std::uint32_t> rows, float* out, std::size_t stride) const {
  workers_.for_ranges(rows.size(), 64, [&](std::size_t begin, std::size_t end) {
    auto instance = pool_.take();
    ImagePlanes planes(dataset_.shape);
    std::vector<float> row(feature_indices.size());
    for (std::size_t r = begin; r < end; ++r) {
      const mash_image_t& image = planes.show(split.image(rows[r], dataset_.shape));
      // A heuristic that fails here gave values when its family was opened: what it fails on is missing.
      if (!instance.ok() || !(*instance)->extract(image, planes.view(), feature_indices, row).ok())
        std::fill(row.begin(), row.end(), std::numeric_limits<float>::quiet_NaN());
      for (std::size_t i = 0; i < row.size(); ++i) out[i * stride + r] = row[i];
    }
    if (instance.ok()) pool_.give_back(*std::move(instance));
  });
}

Thresholds LazyFamily::thresholds(std::uint32_t feature_idx) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = thresholds_.find(feature_idx); found != thresholds_.end()) return found->second;
  }
  std::vector<float> sample(threshold_rows_.size());
  compute(dataset_.train, {&feature_idx, 1}, threshold_rows_, sample.data(), sample.size());
  const Thresholds chosen = choose_thresholds(sample);
  const std::lock_guard lock(mutex_);
  return thresholds_.emplace(feature_idx, chosen).first->second;
}

void LazyFamily::gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
                        std::uint8_t* out, std::size_t stride) const {
  std::vector<float> raw(feature_indices.size() * rows.size());
  compute(dataset_.train, feature_indices, rows, raw.data(), rows.size());
  for (std::size_t i = 0; i < feature_indices.size(); ++i) {
    const Thresholds cuts = thresholds(feature_indices[i]);
    for (std::size_t r = 0; r < rows.size(); ++r) out[i * stride + r] = cuts.code(raw[i * rows.size() + r]);
  }
}

LazyFamily::Columns LazyFamily::columns(std::uint32_t feature_idx) const {
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(recent_.begin(), recent_.end(),
                                    [&](const auto& kept) { return kept.first == feature_idx; });
    if (found != recent_.end()) {
      recent_.splice(recent_.begin(), recent_, found);
      return found->second;
    }
  }
  const Thresholds cuts = thresholds(feature_idx);
  const auto column_on = [&](const Split& split) {
    std::vector<float> raw(split.num_examples);
    compute(split, {&feature_idx, 1}, all_rows(split.num_examples), raw.data(), raw.size());
    return column_of(raw, cuts);
  };
  const Columns result{column_on(dataset_.train), column_on(dataset_.test)};
  const std::lock_guard lock(mutex_);
  recent_.emplace_front(feature_idx, result);
  if (recent_.size() > kColumnsKept) recent_.pop_back();
  return result;
}

FeatureColumn LazyFamily::column(Side side, std::uint32_t feature_idx) const {
  const Columns both = columns(feature_idx);
  return side == Side::kTrain ? both.train : both.test;
}

void LazyFamily::values(Side side, std::uint32_t feature_idx, std::span<float> out) const {
  compute(side == Side::kTrain ? dataset_.train : dataset_.test, {&feature_idx, 1}, all_rows(out.size()),
          out.data(), out.size());
}

}  // namespace mash
