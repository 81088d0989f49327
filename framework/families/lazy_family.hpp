// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <unordered_map>

#include "framework/extractors/host.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// A family too large for the store: it computes only the features and examples that are asked for. The
// thresholds of a feature are chosen when the feature is used, on a sample of the training examples that is
// the same for all features. The thresholds of some features are kept, and so are the whole columns of the
// features used last. Once the user has stopped the work that it was opened for, each call that has to
// compute ends with StoppedWithin: between two pictures, or at once where the heuristic is in a process of
// its own.
class LazyFamily final : public FamilyData {
 public:
  static constexpr std::size_t kThresholdExamples = 2048;
  static constexpr std::size_t kColumnsKept = FeatureSet::kComputedTogether;
  static constexpr std::size_t kThresholdsKept = 1 << 16;  // of features, a kilobyte each

  LazyFamily(const FamilyInfo& info, const ExtractionContext& context);

  ColumnBlock columns(Side side, std::uint32_t first, std::uint32_t count) const override;
  void compute_together(Side side, std::span<const std::uint32_t> feature_indices) const override {
    kept_columns(side, feature_indices);
  }
  void add_faults(FamilyInfo& info) const override;
  std::uint32_t num_cuts(std::uint32_t feature_idx) const override { return thresholds(feature_idx)->size(); }
  float threshold(std::uint32_t feature_idx, std::uint32_t cut) const override {
    return thresholds(feature_idx)->at(cut);
  }
  std::pair<std::uint32_t, double> mode(std::uint32_t) const override { return {0, 0}; }
  std::uint32_t count_distinct(std::unordered_set<std::uint64_t>&) const override { return dim_; }
  void gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              std::uint8_t* out, std::size_t stride) const override;
  void values(Side side, std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
              float* out, std::size_t stride) const override;

 private:
  struct Recent {
    Side side;
    std::uint32_t feature_idx;
    FeatureColumn column;
  };

  using SharedThresholds = std::shared_ptr<const Thresholds>;

  // Thresholds that are not kept are computed together, so that each image is looked at once for all of them.
  std::vector<FeatureColumn> kept_columns(Side side, std::span<const std::uint32_t> feature_indices) const;
  std::vector<SharedThresholds> thresholds(std::span<const std::uint32_t> feature_indices) const;
  SharedThresholds thresholds(std::uint32_t feature_idx) const {
    return thresholds({&feature_idx, 1}).front();
  }
  // out[i * stride + r] = the value of feature_indices[i] for example rows[r] of the split. Pictures are
  // shown in secret order, another one for each request, and to heuristics that are not shipped as many
  // others. Throws StoppedWithin.
  void compute(const Split& split, std::span<const std::uint32_t> feature_indices,
               std::span<const std::uint32_t> rows, float* out, std::size_t stride) const;
  // The wanted images of a tile. Those whose places are behind the ones that were asked for are shown beside
  // them, so that a heuristic does not know which these are.
  struct Wanted {
    const Split& split;
    std::span<const std::uint32_t> examples, places;
    std::size_t num_asked;
  };
  // A row of `block` for each wanted image of the tile: the values of feature_indices, missing where the
  // heuristic failed. Once the user has stopped it, rows have no defined content.
  void compute_rows(Result<std::unique_ptr<HeuristicInstance>>& instance, const ImageTile& tile,
                    const Wanted& wanted, std::span<const std::uint32_t> feature_indices,
                    std::span<float> block) const;
  void note_faults(const Wanted& wanted, std::size_t place, std::span<const std::uint32_t> feature_indices,
                   std::span<const float> row, const Status& status) const;

  FamilySpec spec_;
  std::uint32_t dim_;
  const Dataset& dataset_;
  const Workers& workers_;
  const StopFlag& stop_;
  mutable InstancePool pool_;
  bool is_shipped_;
  std::uint64_t secret_;
  mutable std::atomic<std::uint64_t> num_requests_ = 0;
  std::vector<std::uint32_t> threshold_rows_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::uint32_t, SharedThresholds> thresholds_;
  mutable std::list<Recent> recent_;  // the one used last in front
  mutable std::uint64_t num_faults_ = 0, num_training_faults_ = 0;
  mutable std::vector<Fault> first_faults_;
};

}  // namespace mash
