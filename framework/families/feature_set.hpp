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

// The codes of one feature on all examples of a split. `owner` owns the memory where it is not mapped.
struct FeatureColumn {
  std::span<const std::uint8_t> codes;
  std::shared_ptr<const std::vector<std::uint8_t>> owner;
};

// The codes of neighbouring features on all examples of a split, one column for each feature.
struct ColumnBlock {
  const std::uint8_t* codes = nullptr;  // codes[i * stride + n]: of the i-th feature, for example n
  std::size_t stride = 0;
  std::size_t num_examples = 0;
  std::shared_ptr<const std::vector<std::uint8_t>> owner = {};  // as of FeatureColumn

  FeatureColumn column(std::size_t i) const { return {{codes + i * stride, num_examples}, owner}; }
};

// The features of one family, stored or computed. All members are thread-safe.
class FamilyData {
 public:
  virtual ~FamilyData() = default;
  // The features [first, first + count). REQUIRES: count >= 1.
  virtual ColumnBlock columns(Side side, std::uint32_t first, std::uint32_t count) const = 0;
  FeatureColumn column(Side side, std::uint32_t feature_idx) const {
    return columns(side, feature_idx, 1).column(0);
  }
  // Tells that the columns of these features will be asked for next. A family that computes on demand then
  // computes them together.
  virtual void compute_together(Side, std::span<const std::uint32_t> /*feature_indices*/) const {}
  // The number of possible cuts, 0 ... 255; the threshold of the cut "code >= cut", 1 <= cut <= num_cuts.
  virtual std::uint32_t num_cuts(std::uint32_t feature_idx) const = 0;
  virtual float threshold(std::uint32_t feature_idx, std::uint32_t cut) const = 0;
  // The most frequent code on the training examples, and its share of them; the share is 0 where it is not
  // known.
  virtual std::pair<std::uint32_t, double> mode(std::uint32_t feature_idx) const = 0;
  // out[i * stride + r] = the code of feature_indices[i] for the training example rows[r] (increasing).
  virtual void gather(std::span<const std::uint32_t> feature_indices, std::span<const std::uint32_t> rows,
                      std::uint8_t* out, std::size_t stride) const = 0;
  // out[i * stride + r] = the value of feature_indices[i] for example rows[r] (increasing) of the split.
  // REQUIRES: opened with keep_values.
  virtual void values(Side side, std::span<const std::uint32_t> feature_indices,
                      std::span<const std::uint32_t> rows, float* out, std::size_t stride) const = 0;
  // The number of features that are neither constant nor a copy of a feature whose hash is in `seen`. Their
  // hashes are added to `seen`. Where the columns are not known, all features count.
  virtual std::uint32_t count_distinct(std::unordered_set<std::uint64_t>& seen) const = 0;
  // Adds the faults met since the family was opened; its info does not hold them yet.
  virtual void add_faults(FamilyInfo&) const {}
};

// Errors (kInput): the family has values that are not finite.
Status check_strict(const FamilyInfo& info);

inline constexpr std::uint64_t kFamilyLimit = std::uint64_t(16) << 30;

struct StoreSettings {
  std::filesystem::path folder;
  std::uint64_t limit = ~std::uint64_t(0);  // bytes on disk for the experiment; families beyond it are lazy
  bool keep_values = false;                 // keep floats too, for exact stumps
  bool strict = false;                      // a value that is not finite refuses the heuristic
  // Bytes on disk that a family may take while it is computed; one that would take more is refused.
  std::uint64_t family_limit = kFamilyLimit;
};

// Whether the error of a family ends what asks for it: where the user named one that refuses its settings or
// these pictures (is_refusal), which is a mistake of the experiment; under --strict with any error of a named
// one. Other families are left out.
bool must_be_there(const FamilySpec& spec, const Error& error, bool is_strict);

// A heuristic that was left out because it misbehaves in any call, or refuses and was not named.
struct LeftOut {
  std::string heuristic;  // id
  std::string reason;     // in words, for people
};

// All features of an experiment, family after family; each feature has a number of its own. Immutable. `open`
// computes the features that are not in the store yet.
class FeatureSet {
 public:
  // Leaves out families that misbehave, no matter in which call, and says why: see left_out(). Errors: those
  // of families that must_be_there (kInput), the disk's (kFailure), kStopped; kInput where no family is left.
  static Result<FeatureSet> open(std::span<const FamilySpec> specs, const StoreSettings& settings,
                                 const ExtractionContext& context);

  // A set of one family whose features are there already. info: its dim and name. REQUIRES: `data` holds
  // num_train + num_test examples.
  static FeatureSet of(FamilyInfo info, std::shared_ptr<const FamilyData> data, std::size_t num_train,
                       std::size_t num_test);

  // A set of some of these families alone, in this order, on the same open files. family_idxs: distinct, at
  // least one. The set counts its num_distinct again; its extract_seconds() are 0.
  FeatureSet subset(std::span<const std::size_t> family_idxs) const;
  // A set of the same families on some of the training examples, as if there were no others. rows: the
  // numbers of these examples, increasing. codes: their codes, a column for each feature, where they are
  // there already; empty: codes are read when they are asked for.
  FeatureSet of_rows(std::vector<std::uint32_t> rows, std::vector<std::uint8_t> codes = {}) const;
  // A set of these families with one more at the end, whose features are there already. info: its dim and
  // name. REQUIRES: `data` is about the same examples.
  FeatureSet with(FamilyInfo info, std::shared_ptr<const FamilyData> data) const;

  std::size_t num_features() const { return first_feature_.back(); }
  std::size_t num_families() const { return families_.size(); }
  std::size_t num_train() const { return num_train_; }
  std::size_t num_test() const { return num_test_; }
  const std::vector<FamilyInfo>& families() const { return families_; }
  // The families with the faults that lazy ones have met by now. Each evaluation counts.
  std::vector<FamilyInfo> families_with_faults() const;

  // The features of family k are the numbers [first_feature(k), first_feature(k + 1)).
  std::uint32_t first_feature(std::size_t family_idx) const { return first_feature_[family_idx]; }
  std::uint32_t family_size(std::size_t family_idx) const { return families_[family_idx].dim; }
  std::uint32_t family_of(std::uint32_t feature) const;
  // A hash of the family's name. Random choices about the family are keyed by it, so that they do not depend
  // on the family's place.
  std::uint64_t family_key(std::size_t family_idx) const { return family_keys_[family_idx]; }
  std::uint32_t index_in_family(std::uint32_t feature) const {
    return feature - first_feature_[family_of(feature)];
  }

  FeatureColumn column(Side side, std::uint32_t feature) const { return columns(side, feature, 1).column(0); }
  // The features [first, first + count). REQUIRES: count >= 1, all of one family.
  ColumnBlock columns(Side side, std::uint32_t first, std::uint32_t count) const;
  // Tells that the columns of these features (distinct) will be asked for next. A family that computes on
  // demand then looks at each picture once for all of them, or for the first kComputedTogether. No result
  // depends on it.
  static constexpr std::size_t kComputedTogether = 64;
  void compute_together(Side side, std::span<const std::uint32_t> features) const;
  std::uint32_t num_cuts(std::uint32_t feature) const;
  float threshold(std::uint32_t feature, std::uint32_t cut) const;
  // The code that more than `share` of the training examples have; kNoSkip where none is known.
  static constexpr std::uint32_t kNoSkip = 256;
  std::uint32_t skip_code(std::uint32_t feature, double share) const;
  // out[i * stride + r] = the code of features[i] (increasing) for training example rows[r] (increasing).
  void gather(std::span<const std::uint32_t> features, std::span<const std::uint32_t> rows, std::uint8_t* out,
              std::size_t stride) const;
  // out[i * stride + r] = the value of features[i] (increasing) for example rows[r] (increasing) of the
  // split. REQUIRES: opened with keep_values.
  void values(Side side, std::span<const std::uint32_t> features, std::span<const std::uint32_t> rows,
              float* out, std::size_t stride) const;
  // out[n] = the value of the feature for example n, for all of the split.
  void values(Side side, std::uint32_t feature, std::span<float> out) const;

  // The families that were left out, each with the reason in one line.
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  // Incidents that ended worker processes of heuristics while `open` worked, in order.
  const std::vector<Incident>& incidents() const { return incidents_; }
  // Wall seconds that extraction took in this call of `open`; 0 when all was in the store.
  double extract_seconds() const { return extract_seconds_; }
  // The number of features that are neither constant nor an exact copy of an earlier one.
  std::uint64_t num_distinct() const;
  // Whether a family is computed on demand. Its faults are known only once it is computed.
  bool any_lazy() const;

 private:
  // Appends a family; `left`: bytes of the store limit that are not taken yet.
  Status add(const FamilySpec& spec, std::uint32_t dim, const StoreSettings& settings,
             const ExtractionContext& context, std::uint64_t& left);
  // Calls ask(family, feature numbers within the family, place of the first one in `features`) for each
  // family of the features.
  template <class Ask>
  void for_each_family(std::span<const std::uint32_t> features, const Ask& ask) const;
  // Appends a family whose data are open, and counts its distinct features.
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

// Errors (kInput): a family has values that are not finite, or a lazy family has met such a value by now.
Status check_strict(const FeatureSet& features);

}  // namespace mash
