// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/model/model.hpp"

namespace mash {

// Adds up the votes of the hypotheses, in their order: the same bits as the scores of training.
std::unique_ptr<Scorer> make_scorer(const StrongClassifier& model);

}  // namespace mash
