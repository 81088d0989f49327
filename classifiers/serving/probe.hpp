// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "classifiers/model/model.hpp"
#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/extractors/catalogue.hpp"

namespace mash {

// Gives a model what its file says about its training: the examples that it was trained on and, of images, a
// probe by the heuristics of the catalogue and the range of the training side's pixels. A family that cannot
// be computed on the probe pictures has no values.
void add_training_facts(const Split& train, Catalogue& catalogue, Model& model);

// A family whose heuristic has changed since the model was trained: in that version and with as many
// features, it gives other values on the probe pictures.
struct ChangedFamily {
  std::string name;
  std::size_t num_values = 0;        // of the features that the model uses
  std::size_t num_other_values = 0;  // that differ
  std::size_t num_other_codes = 0;   // on the other side of a threshold; none of inputs without thresholds
};

// The families of a model whose heuristics have changed, compared by its probe; none for a model without one.
// Two values are the same where their bits are, or where they are apart by no more than 1e-4 of the range
// that the feature's thresholds and values span, as they may be with another compiler or processor. A family
// has changed where another value has another code, or where more than a quarter of its values are others.
// (Fewer may be: a feature that counts may go over to the next number.) Families whose heuristics are not
// found in this version are passed over; those who predict meet them. Errors: the heuristic's own, with the
// name of the family.
Result<std::vector<ChangedFamily>> changed_families(const Model& model, Catalogue& catalogue);

}  // namespace mash
