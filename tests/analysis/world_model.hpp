// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/model/strong_classifier.hpp"
#include "tests/support/world.hpp"

namespace mash::testing {

// A model over all families of a world, in its order.
inline StrongClassifier model_of(const World& world, std::vector<Hypothesis> hypotheses) {
  StrongClassifier model;
  model.class_names = world.dataset.class_names;
  for (const FamilyInfo& info : world.features().families())
    model.families.push_back({info.spec.name, info.spec.heuristic.id, "1.0.0", {}, info.dim});
  model.hypotheses = std::move(hypotheses);
  return model;
}

}  // namespace mash::testing
