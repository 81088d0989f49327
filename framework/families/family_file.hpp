// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/base/result.hpp"
#include "framework/families/quantiser.hpp"

namespace mash {

// The sizes of a family over a data set; they fix where everything is in its file.
struct FamilyExtent {
  std::uint32_t dim = 0;
  std::uint64_t num_train = 0;
  std::uint64_t num_test = 0;
  bool operator==(const FamilyExtent&) const = default;
};

// Summary of one feature in the file.
struct FeatureSummary {
  std::uint64_t hash = 0;         // of its values on the training examples: equal columns have equal hashes
  std::uint32_t mode_count = 0;   // training examples whose code is the most frequent one
  std::uint32_t num_missing = 0;  // examples of both splits where it is not a finite number
  std::uint32_t mode_code = 0;    // the most frequent code
  std::uint32_t num_thresholds = 0;
};

// The codes of one family on one data set, memory-mapped: a file of the feature store (docs/store-format.md).
// Training codes are kept twice: by column for whole features, and by row for samples of examples. A sampled
// code then costs a share of a cache line instead of a whole line.
class FamilyFile {
 public:
  enum class Check {
    kWhole,   // read all of it and compare the checksum
    kHeader,  // trust the body: it was checked before and not written since
  };
  // Errors (kFailure): the file is missing, torn or of another format; the caller computes it again.
  static Result<FamilyFile> open(const std::filesystem::path& path, const FamilyExtent& extent,
                                 Check check = Check::kWhole);

  // Makes an empty file to be filled through the writable_... members, then sealed.
  static Result<FamilyFile> create(const std::filesystem::path& path, const FamilyExtent& extent);
  // Writes `note` (any text) and the checksum, and flushes. After this the file is whole.
  Status seal(std::string_view note);

  const FamilyExtent& extent() const { return extent_; }
  std::string_view note() const;
  std::uint64_t num_bytes() const { return file_.size(); }

  std::span<const std::uint8_t> train_column(std::uint32_t feature_idx) const;  // num_train codes
  std::span<const std::uint8_t> test_column(std::uint32_t feature_idx) const;   // num_test codes
  // From one column to the next, in bytes.
  std::size_t train_stride() const { return layout_.train_stride; }
  std::size_t test_stride() const { return layout_.test_stride; }
  std::span<const std::uint8_t> train_row(std::uint64_t example_idx) const;  // dim codes
  std::span<const float> thresholds(std::uint32_t feature_idx) const;        // as many as the summary says
  const FeatureSummary& summary(std::uint32_t feature_idx) const;

  // Says that the columns of these features, or the rows of these examples, are about to be written.
  void prepare_columns(std::uint32_t first_feature, std::uint32_t count);
  void prepare_rows(std::uint64_t first_example, std::uint64_t count);
  std::uint8_t* writable_train_column(std::uint32_t feature_idx);
  std::uint8_t* writable_test_column(std::uint32_t feature_idx);
  std::uint8_t* writable_train_row(std::uint64_t example_idx);
  // REQUIRES: no more than there are training examples.
  void set_thresholds(std::uint32_t feature_idx, const Thresholds& thresholds);
  FeatureSummary& writable_summary(std::uint32_t feature_idx);

 private:
  struct Layout {
    std::size_t summaries, thresholds, train_columns, train_rows, test_columns, note, end;
    std::size_t threshold_stride, train_stride, test_stride;
  };
  static Layout layout_of(const FamilyExtent& extent);
  friend std::uint64_t family_file_size(const FamilyExtent& extent);
  std::uint8_t* at(std::size_t offset) const;

  FamilyExtent extent_;
  Layout layout_{};
  MappedFile file_;
};

// The size on disk of a family of this extent, to the byte.
std::uint64_t family_file_size(const FamilyExtent& extent);

}  // namespace mash
