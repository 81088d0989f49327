// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "framework/base/file_lock.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The folder of a family within the store. Its name is made from what the features depend on: examples,
// plugin and settings.
std::string store_key(const FamilySpec& spec, const Dataset& dataset);

// The most values of a family that are computed in memory, where there is enough of it: without a file, which
// an extraction that takes long gets all the same.
inline constexpr std::uint64_t kMostBytesWithoutFile = std::uint64_t(1) << 30;

// Whether the store keeps values of this data set by the content of its pictures, so that another split of
// them is not extracted again. Tables and endless sides have none.
bool keeps_by_content(const StoreSettings& settings, const Dataset& dataset);
// The space that the values of a family take in the store, where it keeps them by content; else 0.
std::uint64_t content_bytes(std::uint32_t dim, const StoreSettings& settings, const Dataset& dataset);
// The share of the examples of which the store keeps no values of this family by content; 1 without
// context.keys. Changes nothing.
double share_missing(const FamilySpec& spec, std::uint32_t dim, const StoreSettings& settings,
                     const ExtractionContext& context);
// The values of a family that the store keeps by content. REQUIRES: context.keys.
Result<KeptRows> open_kept(const FamilySpec& spec, std::uint32_t dim, const StoreSettings& settings,
                           const ExtractionContext& context);

// The space that a family takes in the store, in bytes, its values by content included. dim: the number of
// its features.
std::uint64_t store_bytes(std::uint32_t dim, const StoreSettings& settings, const Dataset& dataset);
// The space that a family has in the store now, in bytes; 0 where something is missing. Damage is found only
// when a file is opened.
std::uint64_t stored_bytes(const FamilySpec& spec, const StoreSettings& settings, const Dataset& dataset);

// Errors (kInput): a family of `dim` features would take more bytes than settings.family_limit while it is
// computed.
Status check_family_limit(std::uint32_t dim, const StoreSettings& settings, const Dataset& dataset);

// A family in the feature store. While this object lives, no process removes the family from the store.
class StoredFamily final : public FamilyData {
 public:
  ~StoredFamily() override;

  // Opens the family. Computes it first where it is missing or damaged. Several processes may ask for the
  // same family at once: one computes, the others wait. Fills in `info`.
  static Result<std::unique_ptr<StoredFamily>> obtain(FamilyInfo& info, const StoreSettings& settings,
                                                      const ExtractionContext& context);

  ColumnBlock columns(Side side, std::uint32_t first, std::uint32_t count) const override;
  std::uint32_t num_cuts(std::uint32_t feature_idx) const override {
    return file_.summary(feature_idx).num_thresholds;
  }
  float threshold(std::uint32_t feature_idx, std::uint32_t cut) const override {
    return file_.thresholds(feature_idx)[cut - 1];
  }
  std::pair<std::uint32_t, double> mode(std::uint32_t feature_idx) const override;
  std::uint32_t count_distinct(std::unordered_set<std::uint64_t>& seen) const override;
  void gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              std::uint8_t* out, std::size_t stride) const override;
  void values(Side side, std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              float* out, std::size_t stride) const override;

  const FamilyFile& file() const { return file_; }
  // Wall seconds that `obtain` took to extract and to choose thresholds; 0 where all was in the store.
  double seconds() const { return seconds_; }

 private:
  std::optional<FileLock> use_;  // let go of after the files
  FamilyFile file_;
  std::optional<ValuesFile> values_;
  double seconds_ = 0;
};

}  // namespace mash
