// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/model/model.hpp"
#include "classifiers/serving/family_pools.hpp"
#include "framework/base/parallel.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/extractors/host.hpp"

namespace mash {

// Computes f(x) of new examples from raw images (or table rows): only the features that the model uses are
// extracted. Gives exactly the scores that training on codes gave.
class Predictor {
 public:
  // Finds the model's heuristics. Errors (kInput): one that is missing, of another version, with other
  // parameters or another number of features than the model was trained with.
  static Result<Predictor> open(const Model& model, Catalogue& catalogue);

  // The scores of every example of a split, num_examples x K. Errors: a heuristic's own; kStopped.
  // REQUIRES: images of the model's shape, or as many columns.
  Result<std::vector<double>> scores(const Split& split, const Workers& workers,
                                     Progress& progress = no_progress(), const StopFlag& stop = {}) const;

  // The values that the scores of every example are computed from, as the model's scorer takes them,
  // num_examples x num_values(). Errors and REQUIRES: as above.
  Result<std::vector<float>> values(const Split& split, const Workers& workers,
                                    Progress& progress = no_progress(), const StopFlag& stop = {}) const;
  std::size_t num_values() const { return scorer_->num_values(); }

 private:
  // Told the values of one example. It is called from several threads, once for each example.
  using TakeValues = std::function<void(std::uint32_t example, std::span<const float> values)>;

  // values: a row for each of the examples, as the scorer takes it. tile: their images, shown once, so that
  // families share what is made of them.
  Status extract_values(const Split& split, std::span<const std::uint32_t> examples, const ImageTile& tile,
                        const FamilyPools::Instances& instances, std::span<float> values) const;
  Status extract_some(const Split& split, std::span<const std::uint32_t> examples,
                      const TakeValues& take) const;
  Status extract_all(const Split& split, const Workers& workers, Progress& progress, const StopFlag& stop,
                     const TakeValues& take) const;

  std::unique_ptr<Scorer> scorer_;
  ImageShape shape_;
  std::size_t num_classes_ = 0, num_columns_ = 0;
  FamilyPools pools_;
};

}  // namespace mash
