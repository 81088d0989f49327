// SPDX-License-Identifier: Apache-2.0
#pragma once

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

 private:
  // values: a row for each of the examples, as the scorer takes it. tile: their images, shown once, so that
  // families share what is made of them.
  Status extract_values(const Split& split, std::span<const std::uint32_t> examples, const ImageTile& tile,
                        const FamilyPools::Instances& instances, std::span<float> values) const;
  Status predict_some(const Split& split, std::span<const std::uint32_t> examples,
                      std::span<double> scores) const;

  std::unique_ptr<Scorer> scorer_;
  ImageShape shape_;
  std::size_t num_classes_ = 0, num_columns_ = 0;
  FamilyPools pools_;
};

}  // namespace mash
