// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/host.hpp"
#include "framework/families/family.hpp"
#include "framework/families/family_file.hpp"
#include "framework/families/values_file.hpp"

namespace mash {

// The surroundings of an extraction.
struct ExtractionContext {
  HeuristicHost& host;
  const Dataset& dataset;
  WorkContext work;
};

// The number of features of a family on the data set's images (or its columns, for the reserved family of
// tables).
Result<std::uint32_t> family_dim(const FamilySpec& spec, const ExtractionContext& context);

// The work that an extraction really did: less than all images where it went on from an earlier one.
struct ExtractionWork {
  double thread_seconds = 0;  // summed over threads
  std::size_t num_images = 0;
};

// The time of one thread for all features of an image, in microseconds: of the first training images, as many
// as a fifth of a second has room for, at most 16. 0 for columns, and where the heuristic does not open or
// fails on the first.
double measure_cost(const FamilySpec& spec, std::uint32_t dim, const ExtractionContext& context);

// Computes all features of both splits into `values`, tile by tile over all cores; tiles that are done are
// kept. Errors: the heuristic's own; kStopped when the user asked to stop (what is done stays done).
Result<ExtractionWork> extract_values(const FamilySpec& spec, const ExtractionContext& context,
                                      ValuesFile& values);

// Chooses thresholds on the training values and writes codes, both ways round, into `file`. The values of a
// band of features are held at a time: band_bytes a thread, or 32 features where that is more; the passes
// over the file are as many as the bands. REQUIRES: at least one example.
void quantise(const ValuesFile& values, const Workers& workers, FamilyFile& file,
              std::size_t band_bytes = std::size_t(128) << 20);

// Opens instances of one heuristic for as many threads as ask at once, and keeps them for the next that asks.
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
