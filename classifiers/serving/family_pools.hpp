// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/families/extraction.hpp"
#include "framework/families/family.hpp"

namespace mash {

// The heuristic that a family of a model was computed with. Errors (kInput): it is missing, of another
// version, or has other parameters.
Result<const HeuristicInfo*> find_heuristic(const ModelFamily& family, const Catalogue& catalogue);

// Heuristics that compute the features of a model's families: enough of each for as many threads as ask at
// once.
class FamilyPools {
 public:
  using Instances = std::vector<std::unique_ptr<HeuristicInstance>>;

  // needed: for each family the features that are asked for; one without any needs no heuristic, and the
  // columns of a table never do. Errors (kInput): those of find_heuristic; another number of features than
  // the model was trained with.
  static Result<FamilyPools> open(std::span<const ModelFamily> families,
                                  std::span<const std::vector<std::uint32_t>> needed, const ImageShape& shape,
                                  Catalogue& catalogue);

  // One of each, null where none is needed.
  Result<Instances> take() const;
  void give_back(Instances instances) const;

  // How far the heuristics look back at most, in a split with sequences.
  std::size_t looks_back(const Split& split) const;

 private:
  std::vector<std::unique_ptr<InstancePool>> pools_;
};

}  // namespace mash
