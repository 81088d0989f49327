// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "classifiers/model/model.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// The examples of a training side, as the file of a model tells them. REQUIRES: images of the model's shape,
// or rows of its columns.
KnownExamples known_examples(const Model& model, const Split& train);

// Examples of a side that equal one that a model was trained on. A model of many examples can tell of some
// only.
struct SeenExamples {
  std::size_t num_seen = 0, num_told = 0;  // of these the model can tell
};
// Nothing is told by a model whose file does not say what it was trained on. REQUIRES: as above.
SeenExamples seen_examples(const Model& model, const Split& side);

}  // namespace mash
