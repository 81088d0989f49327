// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/families/extraction.hpp"
#include "framework/families/family.hpp"

namespace mash {

// The two splits of a data set.
enum class Side { kTrain, kTest };

// The codes of one feature on all examples of a split. `owner` keeps the memory where it is not mapped.
struct FeatureColumn {
  std::span<const std::uint8_t> codes;
  std::shared_ptr<const std::vector<std::uint8_t>> owner;
};

// The features of one family, however they are kept. All members are thread-safe.
class FamilyData {
 public:
  virtual ~FamilyData() = default;
  virtual FeatureColumn column(Side side, std::uint32_t feature_idx) const = 0;
  // The columns of these will be asked for next: what is computed on demand is computed together.
  virtual void compute_together(Side, std::span<const std::uint32_t> /*feature_indices*/) const {}
  // The number of possible cuts, 0 ... 255; the threshold of the cut "code >= cut", 1 <= cut <= num_cuts.
  virtual std::uint32_t num_cuts(std::uint32_t feature_idx) const = 0;
  virtual float threshold(std::uint32_t feature_idx, std::uint32_t cut) const = 0;
  // The most frequent code on the training examples and its share of them; no share where it is not known.
  virtual std::pair<std::uint32_t, double> mode(std::uint32_t feature_idx) const = 0;
  // out[i * stride + r] = the code of feature_indices[i] for the training example rows[r] (increasing).
  virtual void gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
                      std::uint8_t* out, std::size_t stride) const = 0;
  // out[n] = the value of the feature for every example of the split. REQUIRES: opened with keep_values.
  virtual void values(Side side, std::uint32_t feature_idx, std::span<float> out) const = 0;
  // The features that are neither constant nor a copy of one whose hash is in `seen`, which gets theirs; all
  // of them where the columns are not known.
  virtual std::uint32_t count_distinct(std::unordered_set<std::uint64_t>& seen) const = 0;
  // Adds the faults met since the family was opened, which are not in its info yet.
  virtual void add_faults(FamilyInfo&) const {}
};

// Errors (kInput): the family has values that are not finite.
Status check_strict(const FamilyInfo& info);

struct StoreSettings {
  std::filesystem::path folder;
  std::uint64_t limit = ~std::uint64_t(0);  // bytes on disk for the experiment; families beyond it are lazy
  bool keep_values = false;                 // floats too, for exact stumps
  bool strict = false;                      // a value that is not finite refuses the heuristic
};

// A heuristic that misbehaves: one that nobody named, or one that failed on a picture or ended its process.
struct LeftOut {
  std::string heuristic;  // id
  std::string reason;     // in words, for people
};

// All features of an experiment: the families one after the other, each feature with a number of its own.
// Immutable; what is not in the store yet is computed by `open`.
class FeatureSet {
 public:
  // A family that was merely found (FamilySpec::named is false) and misbehaves is left out, see left_out();
  // unless `strict`, so is a named one that fails on a picture or ends its process.
  // Errors: the named heuristics' own (kInput), disk (kFailure), kStopped; kInput where no family is left.
  static Result<FeatureSet> open(std::span<const FamilySpec> specs, const StoreSettings& settings,
                                 const ExtractionContext& context);

  // One family whose features are there already. info: its dim and name. REQUIRES: data are of num_train +
  // num_test examples.
  static FeatureSet of(FamilyInfo info, std::shared_ptr<const FamilyData> data, std::size_t num_train,
                       std::size_t num_test);

  // Some of these families alone, in this order, on the same open files. family_idxs: distinct, at least one.
  // Its num_distinct are counted again, and opening it took no extraction.
  FeatureSet subset(std::span<const std::size_t> family_idxs) const;
  // The same families on some of the training examples (their numbers, increasing), as if there were no
  // others. codes: theirs, a column for each feature, where they are there already; empty: they are read when
  // they are asked for. Values are not there: for cuts at codes only.
  FeatureSet of_rows(std::vector<std::uint32_t> rows, std::vector<std::uint8_t> codes = {}) const;
  // These families and one more behind them, whose features are there already. info: its dim and name.
  // REQUIRES: data are of the same examples.
  FeatureSet with(FamilyInfo info, std::shared_ptr<const FamilyData> data) const;

  std::size_t num_features() const { return first_feature_.back(); }
  std::size_t num_families() const { return families_.size(); }
  std::size_t num_train() const { return num_train_; }
  std::size_t num_test() const { return num_test_; }
  const std::vector<FamilyInfo>& families() const { return families_; }
  // The same with the faults that lazy families have met by now, each evaluation counted.
  std::vector<FamilyInfo> families_with_faults() const;

  // The features of family k are the numbers [first_feature(k), first_feature(k + 1)).
  std::uint32_t first_feature(std::size_t family_idx) const { return first_feature_[family_idx]; }
  std::uint32_t family_size(std::size_t family_idx) const { return families_[family_idx].dim; }
  std::uint32_t family_of(std::uint32_t feature) const;
  // A hash of the family's name: what random choices about it are keyed by, so that its place is not.
  std::uint64_t family_key(std::size_t family_idx) const { return family_keys_[family_idx]; }
  std::uint32_t index_in_family(std::uint32_t feature) const {
    return feature - first_feature_[family_of(feature)];
  }

  FeatureColumn column(Side side, std::uint32_t feature) const;
  // The columns of these (distinct) will be asked for next: a family that computes on demand looks at each
  // picture once for all of them, or for the first kComputedTogether. No result depends on it.
  static constexpr std::size_t kComputedTogether = 64;
  void compute_together(Side side, std::span<const std::uint32_t> features) const;
  std::uint32_t num_cuts(std::uint32_t feature) const;
  float threshold(std::uint32_t feature, std::uint32_t cut) const;
  // The code that more than `share` of the training examples have, or kNoSkip where none is known.
  static constexpr std::uint32_t kNoSkip = 256;
  std::uint32_t skip_code(std::uint32_t feature, double share) const;
  // out[i * stride + r] = the code of features[i] (increasing) for training example rows[r] (increasing).
  void gather(std::span<const std::uint32_t> features, std::span<const std::uint32_t> rows, std::uint8_t* out,
              std::size_t stride) const;
  void values(Side side, std::uint32_t feature, std::span<float> out) const;

  // Why families were left out, a line each.
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  // Incidents that ended worker processes of heuristics while `open` worked, in order.
  const std::vector<Incident>& incidents() const { return incidents_; }
  // Wall seconds that extraction took in this call of `open`; 0 when all was in the store.
  double extract_seconds() const { return extract_seconds_; }
  // Features that are neither constant nor an exact copy of an earlier one.
  std::uint64_t num_distinct() const;
  // Whether a family is computed on demand: what it does wrong is known only once it is computed.
  bool any_lazy() const;

 private:
  // Appends a family; `left`: bytes of the store limit that are not taken yet.
  Status add(const FamilySpec& spec, std::uint32_t dim, const StoreSettings& settings,
             const ExtractionContext& context, std::uint64_t& left);
  // Appends a family whose data are open, counting its distinct features.
  void append(FamilyInfo info, std::shared_ptr<const FamilyData> data);

  std::vector<FamilyInfo> families_;
  std::vector<std::shared_ptr<const FamilyData>> data_;
  std::vector<std::uint32_t> first_feature_{0};
  std::vector<std::uint64_t> family_keys_;
  std::size_t num_train_ = 0, num_test_ = 0;
  std::vector<LeftOut> left_out_;
  std::vector<Incident> incidents_;
  std::unordered_set<std::uint64_t> seen_;  // hashes of the columns so far, to count distinct ones
  double extract_seconds_ = 0;
};

// Errors (kInput): a family has values that are not finite; of lazy ones, has met one by now.
Status check_strict(const FeatureSet& features);

}  // namespace mash
