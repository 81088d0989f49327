// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/host.hpp"
#include "framework/families/by_content/kept_values.hpp"
#include "framework/families/by_content/picture_keys.hpp"
#include "framework/families/family.hpp"
#include "framework/families/family_file.hpp"
#include "framework/families/values_file.hpp"

namespace mash {

// The surroundings of an extraction.
struct ExtractionContext {
  HeuristicHost& host;
  const Dataset& dataset;
  WorkContext work;
  // The keys of the data set, where the store keeps values by the content of pictures; else null.
  PictureKeys* keys = nullptr;
  // Memory for values, which families that follow each other take in turn; null: each gets its own.
  MappedFile* spare = nullptr;
};

// Values by content, for the examples of a data set.
struct KeptRows {
  KeptValues values;
  std::span<const ContentKey> keys;  // of each example

  bool copy(std::uint32_t example, std::span<float> row) const { return values.copy(keys[example], row); }
};

// Reads the columns of files among the families and matches them to the pictures of the data set. Errors
// (kInput): those of read_column_table and GivenColumns::match, with the file's name.
Status match_columns(std::span<FamilySpec> specs, const Dataset& dataset);
// The same families for the pictures of another data set, to which columns of files are matched again.
// Errors: those of match_columns.
Result<std::vector<FamilySpec>> families_for(std::span<const FamilySpec> specs, const Dataset& dataset);
// The error (kInput) where the columns of a file are asked for values of pictures that they are not given
// for.
Error given_values_error(const FamilySpec& spec);

// The number of features of a family on the data set's images (or its columns, for the reserved family of
// tables).
Result<std::uint32_t> family_dim(const FamilySpec& spec, const ExtractionContext& context);

// The work that an extraction really did. It is less than all images where an earlier extraction was
// continued.
struct ExtractionWork {
  double processor_seconds = 0;  // of a heuristic, summed over threads; 0 of columns
  std::size_t num_images = 0;
};

// The time that a heuristic takes.
struct ExtractionCost {
  double microseconds = 0;   // processor time of all features of an image
  double setup_seconds = 0;  // wall time of what an instance does once: to open, and at its first image
};
// Measures it on training images, spread over that side: as many as fit into a fifth of a second, at most 64;
// as often as num_rounds says, of which the smallest time counts, but in one second. The first image is shown
// once before, for the set-up. All 0 for columns, and where the heuristic does not open or fails.
ExtractionCost measure_cost(const FamilySpec& spec, std::uint32_t dim, const ExtractionContext& context,
                            std::size_t num_rounds = 1);
// Rounds for a time that is told to others: the first holds what happens once, such as the start of a
// process.
inline constexpr std::size_t kRoundsOfToldCost = 3;
// The images of a round, at most.
inline constexpr std::size_t kMostTimed = 64;

// Computes all features of both splits into `values`, in the order of that file, part by part on all cores.
// Parts that are done already are not computed again, and rows that are `kept` (null: none are) are copied.
// Errors: the heuristic's own; kStopped when the user asked to stop (finished parts stay).
Result<ExtractionWork> extract_values(const FamilySpec& spec, const ExtractionContext& context,
                                      ValuesFile& values, const KeptRows* kept = nullptr);

// Chooses thresholds on the training values and writes the codes into `file`, by column and by row. It holds
// the values of one band of features at a time: band_bytes for each thread, or 32 features where that is
// more. It passes over the file once for each band. Returns how many training values are missing. REQUIRES:
// at least one example.
std::uint64_t quantise(const ValuesFile& values, const Workers& workers, FamilyFile& file,
                       std::size_t band_bytes = std::size_t(128) << 20);

// A pool of instances of one heuristic. It opens one for each thread that asks at the same time, and keeps
// those given back for the next thread that asks.
class InstancePool {
 public:
  InstancePool(HeuristicHost& host, HeuristicInfo heuristic, std::vector<double> values,
               std::uint32_t num_cameras)
      : host_(host),
        heuristic_(std::move(heuristic)),
        values_(std::move(values)),
        num_cameras_(num_cameras) {}

  const HeuristicInfo& heuristic() const { return heuristic_; }
  Result<std::unique_ptr<HeuristicInstance>> take();
  void give_back(std::unique_ptr<HeuristicInstance> instance);

 private:
  HeuristicHost& host_;
  HeuristicInfo heuristic_;
  std::vector<double> values_;
  std::uint32_t num_cameras_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<HeuristicInstance>> idle_;
};

}  // namespace mash
